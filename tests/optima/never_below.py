"""Every algorithm that gives a partition against the exact optimum, on small random tables.

`python -m tests.optima.never_below 2000 --seed 1` draws so many tables of 4 to 10 records, most of
them rich in ties, with k from 2 to 4, and runs every variant of every algorithm on each, with
parameters and ties drawn. No partition of groups of at least k records may have an SSE below the
optimum, which a search through all subsets proves, and no group a size other than promised;
algorithms that promise smaller groups are held to their sizes only. What refines a partition of
another algorithm may not have a higher SSE than that one, with the same ties.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from pathlib import Path
from random import Random

from oracle.optima import solve
from refagg import sse
from refagg.data.standardise import standardise
from refagg.data.tables import table_of
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.language.random_stream import seeded
from refagg.language.ties import HIGHEST, LOWEST, drawn
from tests.strategies import VARIANTS, Cell, Number, Request, Rows, Variant, partition, values_of

REFINERS = ("second-phase", "igd", "local-search")
"""Algorithms that improve the partition that their parameter `start` names."""

REFINED = {"dba-2": "dba-1", "gsms-t2": "gsms", "mdav-2": "mdav-1", "tfrp-2": "tfrp-1"}
"""Algorithms that improve the partition of another one."""


def _start_of(refiner: Variant) -> str | None:
    name = refiner.specification.name
    return refiner.named["start"] if name in REFINERS else REFINED.get(name)


STARTS = [
    (refiner, start)
    for refiner in VARIANTS
    for start in VARIANTS
    if start.specification.name == _start_of(refiner)
]
"""Each refiner, and the algorithm whose partition it begins with; none of these has parameters."""


@dataclass(slots=True)
class Counts:
    """By algorithm: runs, those that found the optimum; how often one was refined, and faults."""

    runs: Counter[str] = field(default_factory=Counter)
    optimal: Counter[str] = field(default_factory=Counter)
    refined: int = 0
    wrong: list[str] = field(default_factory=list)


def random_table(random: Random) -> Rows:
    """4 to 10 records of 1 to 3 attributes: few values, many, or fractions."""
    n, width = random.randrange(4, 11), random.randrange(1, 4)
    most, divisor = random.choice(((3, 1), (3, 1), (10, 1), (1000, 1), (30, 7)))

    def cell() -> Cell:
        return Fraction(random.randrange(-most, most + 1), divisor)

    return [tuple(cell() for _ in range(width)) for _ in range(n)]


def sizes_are_promised(variant: Variant, request: Request, result: Partition) -> bool:
    """Is every group as large as the specification says?"""
    largest = variant.largest(request.k, **request.numbers)
    promised = variant.smallest(request.k, **request.numbers)
    return min(promised, len(request.rows)) <= result.smallest() and (
        largest is None or result.largest() <= largest
    )


def refine(rows: Rows, k: int, how: str, counts: Counts) -> None:
    """Compare the SSE of each refiner with the one that it began with."""
    table = standardise(table_of(rows), how)
    for refiner, start in STARTS:
        request = Request(rows, k, {})
        before, after = (sse(table, partition(it, request, how)) for it in (start, refiner))
        if after > before:
            counts.wrong.append(f"higher SSE than {start}: {refiner} of {request}")
        counts.refined += 1


def compare(random: Random, counts: Counts) -> None:
    """Draw a table, prove its optimum, and run every variant on it."""
    rows = random_table(random)
    k = random.randrange(2, min(4, len(rows)) + 1)
    how = random.choice(("none", "population"))
    least = solve(rows, k, "subsets", how=how).value
    space = standardise(table_of(rows), how)
    for variant in VARIANTS:
        numbers: dict[str, Number] = {
            name: random.choice(values) for name, values in values_of(variant).items()
        }
        request = Request(rows, k, numbers)
        breaker = random.choice((LOWEST, HIGHEST, drawn(seeded(random.randrange(2**32)))))
        stream = random.randrange(2**32)
        result = partition(variant, request, how, Choices(breaker, seeded(stream), None))
        loss, name = sse(space, result), variant.specification.name
        if not sizes_are_promised(variant, request, result):
            counts.wrong.append(f"sizes: {variant} of {request}: {result}")
        if result.smallest() < k:
            continue
        if loss < least:
            counts.wrong.append(f"below the optimum: {variant} of {request}: {result}")
        counts.runs[name] += 1
        counts.optimal[name] += loss == least
    refine(rows, k, how, counts)


def compared(tables: int, seed: int) -> Counts:
    """The counts of so many tables, each drawn from a seed of its own."""
    counts = Counts()
    for number in range(tables):
        compare(Random(f"{seed}/{number}"), counts)
    return counts


def report(counts: Counts, tables: int, seconds: float) -> list[str]:
    """A line for each algorithm, what is wrong, and the sums."""
    lines = [
        f"{name:29} {runs:6} runs, optimal in {100 * counts.optimal[name] / runs:5.1f} %"
        for name, runs in sorted(counts.runs.items())
    ]
    return [
        *lines,
        *counts.wrong,
        f"{tables} tables, {counts.runs.total()} partitions of {len(counts.runs)} algorithms, "
        f"{counts.refined} refined, {len(counts.wrong)} wrong, {seconds:.0f} s",
    ]


def page(lines: Sequence[str], command: str) -> str:
    """The page that keeps the last result."""
    return "\n".join(
        [
            "# Every algorithm against the optimum of small tables",
            "",
            f"Made on {date.today()} by",
            "",
            f"    {command}",
            "",
            "Tables of 4 to 10 records, k from 2 to 4. Results with a group of fewer than k",
            "records, which some algorithms allow, are not counted.",
            "",
            *(f"    {line}" for line in lines),
            "",
        ]
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("tables", type=int, nargs="?", default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--page", type=Path, metavar="FILE.md", help="keep the result there, too")
    given = parser.parse_args()
    started = time.process_time()
    counts = compared(given.tables, given.seed)
    lines = report(counts, given.tables, time.process_time() - started)
    print(*lines, sep="\n")
    if given.page:
        command = f"python -m tests.optima.never_below {given.tables} --seed {given.seed}"
        given.page.write_text(page(lines, command), encoding="utf-8")
    return 1 if counts.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
