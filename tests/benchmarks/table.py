"""All algorithms on Census, Tarragona and EIA: `python -m tests.benchmarks.table`.

Each is run in binary64 (exactly where it has no other arithmetic) with its defaults, at k = 3, 4,
5 and 10, in a process of its own, which is stopped after --limit seconds of the processor. What is
known is kept in `table.json` beside this file and not run again; what was stopped is run again with
a higher limit. At the end, and with --page alone, docs/algorithms-table.md is written. It needs
REFAGG_DATA. Bounds are in `bounds.json`; `--bounds` computes those by nearest neighbours.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from refagg.catalogue import CATALOGUE
from refagg.comparison.compare_report import as_data
from refagg.comparison.comparing import compare
from refagg.data.datasets import load
from tests.places import ROOT

DATA = ("census", "tarragona", "eia")
KS = (3, 4, 5, 10)
LONG = 30.0
"""Seconds beyond which a run is called long."""

HERE = Path(__file__).parent
RESULTS = HERE / "table.json"
BOUNDS = HERE / "bounds.json"
PAGE = ROOT / "docs" / "algorithms-table.md"

Entry = dict[str, Any]


def one(data: str, k: int, algorithm: str) -> Entry:
    """The figures of one run."""
    made = compare(load(data), k, algorithms=[algorithm], standardise="population")
    [row] = as_data(made)["rows"]
    loss = row["information_loss_percent"]
    return {
        "status": row["status"],
        "sse": row["sse"] and row["sse"]["decimal"],
        "loss": loss and loss["decimal"],
        "partition": made.rows[0].comparable,
        "smallest": row["smallest_group"],
        "largest": row["largest_group"],
        "seconds": row["seconds"],
        "arithmetic": row["arithmetic"],
        "note": row["note"],
    }


def run(data: str, k: int, algorithm: str, limit: float) -> Entry:
    """The same in a process of its own that is stopped after so many seconds."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit) + 5))

    command = [sys.executable, "-m", "tests.benchmarks.table", "--one", data, str(k), algorithm]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limited, cwd=ROOT)
    key: Entry = {"data": data, "k": k, "algorithm": algorithm}
    date = {"date": datetime.now(UTC).date().isoformat()}
    if done.returncode == 0:
        return key | json.loads(done.stdout) | date
    if done.returncode < 0:
        return key | {"status": "stopped", "seconds": limit} | date
    return key | {"status": "failed", "note": done.stderr.strip().splitlines()[-1]} | date


def read(path: Path) -> list[Entry]:
    found: list[Entry] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    return found


def write(path: Path, entries: list[Entry]) -> None:
    """A line for each entry, so that a change of one is a change of one line."""
    lines = ",\n".join(f" {json.dumps(entry, sort_keys=True)}" for entry in entries)
    part = path.with_suffix(".part")
    part.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    part.replace(path)


def key_of(entry: Entry) -> tuple[int, int, str]:
    return DATA.index(entry["data"]), entry["k"], entry["algorithm"]


def missing(known: list[Entry], limit: float) -> list[tuple[str, int, str]]:
    """What is still to be run."""
    done = {
        (e["data"], e["k"], e["algorithm"])
        for e in known
        if e["status"] != "stopped" or e["seconds"] >= limit
    }
    stopped = {(e["data"], e["algorithm"]) for e in known if e["status"] == "stopped"}
    wanted = [(data, k, name) for data in DATA for k in KS for name in CATALOGUE]
    still = [run for run in wanted if run not in done]
    # What takes long elsewhere comes last.
    return sorted(still, key=lambda run: (run[0], run[2]) in stopped)


def run_all(limit: float) -> None:
    known = read(RESULTS)
    while left := missing(known, limit):
        data, k, name = left[0]
        start = time.monotonic()
        entry = run(data, k, name, limit)
        known = [e for e in known if key_of(e) != key_of(entry)] + [entry]
        write(RESULTS, sorted(known, key=key_of))
        told = entry.get("loss") or entry.get("note")
        print(data, k, name, entry["status"], entry.get("seconds"), told, end=" ")
        print(f"({time.monotonic() - start:.0f} s)", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.table")
    parser.add_argument("--one", nargs=3, metavar=("DATA", "K", "ALGORITHM"))
    parser.add_argument("--limit", type=float, default=60.0, metavar="S")
    parser.add_argument("--page", action="store_true", help="write the page of what is known")
    parser.add_argument("--bounds", action="store_true", help="by nearest neighbours")
    given = parser.parse_args()
    if given.one:
        data, k, name = given.one
        print(json.dumps(one(data, int(k), name)))
        return
    if not given.page:
        run_all(given.limit)


if __name__ == "__main__":
    main()
