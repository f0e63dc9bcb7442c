"""What `--csv` costs beyond the program itself: `python -m tests.benchmarks.csv_cost [CASES]`.

A program that copies its input is run by itself on files that are there, and by the adapter, by
turns. The 90 % quantile of the adapter should be that of the program and 10 ms at most. A machine
that does something else at the same time makes both longer.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

from oracle.conformance.judge.model import Case
from oracle.conformance.transport.csvfiles import CsvProgram

MOST = 0.010
"""Seconds of a case, beside those of the program."""

COPY = ["sh", "-c", 'cp "$0" "$1"', "{input}", "{output}", "{k}"]


def cases(count: int, records: int = 26, attributes: int = 3) -> list[Case]:
    """Tables as a hunt asks them; every tenth has 60 records and 10 attributes."""
    random = Random(7)
    found = []
    for number in range(count):
        n, p = (60, 10) if number % 10 == 9 else (records, attributes)
        rows = tuple(tuple(str(random.randrange(10**6)) for _ in range(p)) for _ in range(n))
        found.append(Case(f"case-{number}", "mdav", 3, rows))
    return found


def costs(asked: Sequence[Case]) -> tuple[list[float], list[float]]:
    """For each case the seconds of the program alone, and those of the adapter."""
    alone, adapted = [], []
    adapter = CsvProgram(COPY, "mdav")
    try:
        with tempfile.TemporaryDirectory() as folder:
            for case in asked:
                source = Path(folder, "in.csv")
                source.write_text("\n".join(",".join(row) for row in case.records))
                command = [*COPY[:3], str(source), str(Path(folder, "out.csv")), "3"]
                began = time.perf_counter()
                subprocess.run(command, check=True)
                between = time.perf_counter()
                answer = adapter(case, 60.0)
                alone.append(between - began)
                adapted.append(time.perf_counter() - between)
                assert answer.released is not None, answer
    finally:
        adapter.close()
    return alone, adapted


def quantile(values: Sequence[float], share: float) -> float:
    """The least value that so large a share does not exceed."""
    return sorted(values)[max(0, round(share * len(values)) - 1)]


def main(words: Sequence[str]) -> int:
    alone, adapted = costs(cases(int(words[0]) if words else 200))
    for share in (0.5, 0.9):
        one, other = (1000 * quantile(times, share) for times in (alone, adapted))
        print(
            f"{100 * share:.0f} %: the program alone {one:.1f} ms, with --csv {other:.1f} ms, "
            f"{other - one:.1f} ms more"
        )
    more = quantile(adapted, 0.9) - quantile(alone, 0.9)
    print(f"{len(alone)} cases, load {os.getloadavg()[0]:.1f}; bound {1000 * MOST:.0f} ms")
    return 0 if more <= MOST else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
