"""All algorithms on Census, Tarragona and EIA: `python -m tests.benchmarks.table`.

Each is run in binary64 (exactly where it has no other arithmetic) with its defaults, at k = 3, 4,
5 and 10, in a process of its own, which is stopped after --limit seconds of the processor. What is
known is kept in `table.json` beside this file and not run again; what was stopped is run again with
a higher limit. At the end, and with --page alone, docs/algorithms-table.md is written. It needs
REFAGG_DATA. Optima and bounds are in `bounds.json`, which `--bounds` makes anew.
"""

from __future__ import annotations

import argparse
import json
import time
from datetime import UTC, datetime
from functools import cache
from math import inf
from pathlib import Path
from resource import RLIMIT_CPU, setrlimit
from typing import Any

import numpy as np

from refagg.catalogue import CATALOGUE
from refagg.comparison.comparing import compare, comparison_data
from refagg.data.known_optima import known_optima
from refagg.data.standardise import Scaled, standardise
from refagg.data.tables import Table
from refagg.datasets import load
from refagg.release.measures import information_loss, sst
from tests.benchmarks.forked import forked
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


@cache
def table_of(data: str) -> Table:
    return load(data)


def one(data: str, k: int, algorithm: str) -> Entry:
    """The figures of one run."""
    label = ":".join([algorithm, *(f"{one}=0" for one in CATALOGUE[algorithm].first_attributes())])
    made = compare(table_of(data), k, algorithms=[label], standardise="population")
    [row] = comparison_data(made)["rows"]
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
    """The same in a process of its own that is stopped after so many seconds of the processor."""
    table_of(data)  # once, before processes are forked

    def work() -> Entry:
        setrlimit(RLIMIT_CPU, (int(limit), int(limit) + 5))
        return one(data, k, algorithm)

    figures = forked(work)[0] or {"status": "stopped", "seconds": limit}
    date = datetime.now(UTC).date().isoformat()
    return {"data": data, "k": k, "algorithm": algorithm, **figures, "date": date}


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
    took = {e["algorithm"]: e["seconds"] or 0.0 for e in known if e["data"] == DATA[0]}
    wanted = [(data, k, name) for data in DATA for k in KS for name in CATALOGUE]
    still = [run for run in wanted if run not in done]
    # The large file last, and the quick ones first, by what they took on the first file.
    return sorted(still, key=lambda run: (run[0] == DATA[-1], took.get(run[2], 1.0)))


def run_all(limit: float) -> None:
    known = read(RESULTS)
    while left := missing(known, limit):
        data, k, name = left[0]
        start = time.monotonic()
        entry = run(data, k, name, limit)
        known = [e for e in known if key_of(e) != key_of(entry)] + [entry]
        write(RESULTS, sorted(known, key=key_of))
        told = entry.get("loss") or entry.get("note")
        print(data, k, name, entry["status"], entry["seconds"], told, end=" ")
        print(f"({time.monotonic() - start:.0f} s)", flush=True)


# Bounds


def neighbour_bound(scaled: Scaled, k: int) -> float:
    """A bound on the information loss in percent, from the nearest records of each.

    The SSE of a group of m is the sum, over its records, of the squared distances from the others
    over 2m. Those of a record are at least the sum of the m - 1 least, and that over 2m rises with
    m: it is least at m = k. Computed in binary64 and lowered by more than its rounding.
    """
    rows = np.array([scaled.table.row(r) for r in range(scaled.n)], dtype=float)
    rows = (rows - rows.mean(axis=0)) * np.sqrt([float(w) for w in scaled.weights])
    total = 0.0
    for row in rows:
        squares = ((rows - row) ** 2).sum(axis=1)
        total += float(np.partition(squares, k - 1)[:k].sum()) / (2 * k)
    return 100 * total / float(sst(scaled)) * (1 - 1e-9)


def bounds() -> list[Entry]:
    """For each file and k the optimum or the best bound that is known, and what it rests on."""
    found: list[Entry] = []
    shipped = {(known.dataset, known.k): known for known in known_optima()}
    for data in DATA:
        scaled = standardise(table_of(data), "population")
        for k in KS:
            entry: Entry = {"data": data, "k": k}
            if known := shipped.get((data, k)):
                least = float(information_loss(known.bound, sst(scaled)))
                kind = "optimum" if known.optimal else "bound"
                entry |= {"loss": least, "kind": kind, "by": "certificate"}
            else:
                entry |= {"loss": neighbour_bound(scaled, k), "kind": "bound", "by": "neighbours"}
            if k > KS[0] and entry["loss"] < found[-1]["loss"]:
                # Groups of at least k are groups of at least fewer.
                entry |= {name: found[-1][name] for name in ("loss", "by")}
            found.append(entry)
    return found


# The page


def page(results: list[Entry], known: list[Entry]) -> str:
    """docs/algorithms-table.md."""
    missing = sum(1 for data in DATA for k in KS for _ in CATALOGUE) - len(results)
    lines = HEAD.format(
        missing=f"{missing} runs are still missing (`-`).\n\n" if missing else "",
        long=LONG,
    ).splitlines()
    lines += ["", "## Optima and bounds", ""]
    lines += ["| data | k | IL % | kind |", "|---|--:|--:|---|"]
    for entry in known:
        lines.append(
            f"| {entry['data']} | {entry['k']} | {entry['loss']:.6f} | "
            f"{entry['kind']}, {BY[entry['by']]} |"
        )
    for data in DATA:
        lines += ["", f"## {data.capitalize()}", ""]
        lines += table_of_data([e for e in results if e["data"] == data], known, data)
    return "\n".join(lines) + "\n"


HEAD = """# All algorithms on Census, Tarragona and EIA

This page compares every algorithm of the catalogue, with default parameters and seed 1, on the
reference files of the literature (z-scores by the population standard deviation; EIA with 11
attributes). This command makes it, and resumes where it was stopped:

    python -m tests.benchmarks.table

{missing}Each cell gives the information loss in percent; the percentage by which the SSE exceeds
the optimum or the bound for that file and k; and the CPU seconds from the table to
the release, in binary64 on one core of some 2.7 GHz. The optimum lies above a
bound, so a distance from a bound overstates the distance from the optimum; compare algorithms by
their losses. Times above {long:g} seconds are in **bold**; `stopped` means that the run was ended
after the given seconds without a result. A bound for one k also holds for every greater k.

If the result is not one partition into groups of at least k, the cell gives the reason instead of
a distance: `each` masks each attribute separately, `no groups` perturbs values instead, `small` has
smaller groups. `exact` was computed in exact arithmetic, as the algorithm has no other."""

BY = {
    "certificate": "with a certificate (`datasets/certificates`)",
    "neighbours": "from the neighbours of each record: weak (`neighbour_bound` in the command)",
}


def table_of_data(results: list[Entry], known: list[Entry], data: str) -> list[str]:
    """A line for each algorithm, the best at k = 3 first, and what was skipped."""
    least = {entry["k"]: entry["loss"] for entry in known if entry["data"] == data}
    own = {(entry["algorithm"], entry["k"]): entry for entry in results}
    skipped = {e["algorithm"]: e["note"] for e in results if e["status"] == "skipped"}
    failed = {e["algorithm"]: e["note"] for e in results if e["status"] == "failed"}

    def rank(name: str) -> tuple[bool, float, str]:
        first = own.get((name, KS[0]), {})
        return not first.get("partition"), first.get("loss") or inf, name

    lines = ["| algorithm | " + " | ".join(f"k = {k}" for k in KS) + " |"]
    lines.append("|---|" + "--:|" * len(KS))
    for name in sorted(CATALOGUE, key=rank):
        if name not in skipped and name not in failed:
            cells = [cell(own.get((name, k)), least[k]) for k in KS]
            lines.append(f"| {name} | " + " | ".join(cells) + " |")
    for name, note in {**skipped, **failed}.items():
        lines += ["", f"`{name}`: {note}."]
    return lines


def cell(entry: Entry | None, least: float) -> str:
    if entry is None:
        return "-"
    if entry["status"] == "stopped":
        return f"stopped {entry['seconds']:g}"
    seconds = f"{entry['seconds']:.1f} s"
    if entry["seconds"] > LONG:
        seconds = f"**{seconds}**"
    above = f"+{100 * (entry['loss'] / least - 1):.1f} %" if entry["partition"] else why(entry)
    exact = " exact" * (entry["arithmetic"] == "exact")
    return f"{entry['loss']:.4f}; {above}; {seconds}{exact}"


def why(entry: Entry) -> str:
    """Why there is no distance."""
    if "each attribute" in entry["note"]:
        return "each"
    return "small" if "not k-anonymous" in entry["note"] else "no groups"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.table")
    parser.add_argument("--limit", type=float, default=60.0, metavar="S")
    parser.add_argument("--page", action="store_true", help="write the page of what is known")
    parser.add_argument("--bounds", action="store_true", help="compute them anew")
    given = parser.parse_args()
    if given.bounds:
        write(BOUNDS, bounds())
    elif not given.page:
        run_all(given.limit)
    PAGE.write_text(page(read(RESULTS), read(BOUNDS)), encoding="utf-8")


if __name__ == "__main__":
    main()
