"""Time and memory of large files: `python -m tests.benchmarks.large [N ...]`.

For each number of records (default 10 000 and 100 000) of five attributes, groups of three: the
seconds of the processor and the peak memory of each command, as its `--stats` say, the exponent
of growth from the number before, and how much longer the audit of a run takes than the run.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from math import log
from multiprocessing import get_context
from pathlib import Path
from random import Random

P, K = 5, 3
STATS = re.compile(r"([\d.]+) CPU seconds, (\d+) MB")
MOST = {"python": 1_000_000, "mdav": 1_000_000}
"""Records up to which the slower ones are measured."""

STRATUM = 50_000
"""Records of a stratum, where records are masked by strata."""


def write(folder: Path, n: int) -> list[str]:
    """An original and a release of the means of K records that lie together."""
    random = Random(n)
    rows = [[random.gauss(1000, 300) for _ in range(P)] for _ in range(n)]
    cents = [[round(100 * x) for x in row] for row in rows]
    order = sorted(range(n), key=lambda i: sum(cents[i]))
    released = [""] * n
    for first in range(0, n, K):
        group = order[first : first + K] if n - first >= 2 * K else order[first:]
        means = [repr(sum(cents[i][j] for i in group) / (100 * len(group))) for j in range(P)]
        for record in group:
            released[record] = ",".join(means)
        if n - first < 2 * K:
            break
    header = ",".join("abcde")
    lines = [",".join(f"{x / 100:.2f}" for x in row) for row in cents]
    files = folder / f"original-{n}.csv", folder / f"released-{n}.csv"
    for path, content in zip(files, (lines, released), strict=True):
        path.write_text("\n".join([header, *content]) + "\n")
    strata = folder / f"strata-{n}.csv"
    labelled = (f"{line},{place * STRATUM % n // STRATUM}" for place, line in enumerate(lines))
    strata.write_text("\n".join([f"{header},region", *labelled]) + "\n")
    return [str(path) for path in (*files, strata)]


def stats(words: Sequence[str]) -> tuple[float, float]:
    """The seconds and megabytes of a command."""
    ran = subprocess.run(
        [sys.executable, "-m", *words, "--stats"], capture_output=True, text=True, check=False
    )
    found = STATS.search(ran.stderr)
    assert found, ran.stderr
    return float(found[1]), float(found[2])


def main() -> None:
    sizes = list(map(int, sys.argv[1:])) or [10_000, 100_000]
    before: dict[str, tuple[int, float]] = {}
    print(f"{'command':<28}{'records':>10}{'seconds':>10}{'MB':>8}{'growth':>8}")
    # A command counts the memory of the process that starts it: the files are made by another one,
    # which is spawned: a forked one can hold the pipe of a command that is started meanwhile open.
    spawned = get_context("spawn")
    with tempfile.TemporaryDirectory() as name, spawned.Pool(1, maxtasksperchild=1) as maker:
        for n in sizes:
            original, released, strata = maker.apply(write, (Path(name), n))
            masked = str(Path(name) / "masked.csv")
            k = ["-k", str(K)]
            audit = ["oracle", "audit", original]
            commands = {
                "audit --engine duckdb": [*audit, released, *k, "--engine", "duckdb"],
                "audit --engine python": [*audit, released, *k, "--engine", "python"],
                "mask --strata": ["refagg", "mask", strata, "-o", masked, *k, "--strata", "region"],
                "mask --algorithm mdav": ["refagg", "mask", original, "-o", masked, *k],
                "audit --algorithm mdav": [*audit, masked, *k, "--time-limit", "10000"],
            }
            for command, words in commands.items():
                if n > min([most for word, most in MOST.items() if word in command], default=n):
                    continue
                mdav = [] if "--engine" in command else ["--algorithm", "mdav"]
                seconds, memory = stats([*words, *mdav])
                growth = ""
                if command in before:
                    less, then = before[command]
                    growth = f"n^{log(seconds / then) / log(n / less):.2f}"
                before[command] = n, seconds
                print(f"{command:<28}{n:>10}{seconds:>10.2f}{memory:>8.0f}{growth:>8}", flush=True)
            (made, audited) = (before.get(f"{what} --algorithm mdav") for what in ("mask", "audit"))
            if made and audited and made[0] == audited[0] == n:
                print(f"the audit of the run takes {audited[1] / made[1]:.2f} times the run")


if __name__ == "__main__":
    main()
