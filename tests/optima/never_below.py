"""Every algorithm that gives a partition against the exact optimum, on small random tables.

`python -m tests.optima.never_below 2000 --seed 1` draws so many tables of 4 to 10 records, most of
them rich in ties, with k from 2 to 4: three in five of numbers, one of several kinds, one of
sequences. On each it runs every variant of every algorithm that can group such records, with
parameters and ties drawn. Costs are computed by the pairs of each group (`drawn_tables`).

1. A search through all subsets gives the optimum, and for one table in five the integer program,
   with each solver that is installed: each value is the cost of a partition, and all are equal.
   Of numbers the method `columns` goes on from that partition, and its certificate is verified.
2. The measure of the package gives each partition the cost that its pairs have.
3. No partition of groups of at least k records costs less than the optimum, and no group has a size
   other than promised; algorithms that promise smaller groups are held to their sizes only.
4. What refines a partition of another algorithm does not cost more than that one, with the same
   ties.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from pathlib import Path
from random import Random

from oracle.certificate.kernel import Rejected, certificate_of, check
from oracle.optima import Optimum, solve
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.language.random_stream import seeded
from refagg.language.ties import HIGHEST, LOWEST, random_ties
from refagg.release.measures import loss_within
from refagg.spaces.mixed import MixedSpace
from tests.instances import solvers
from tests.optima.drawn_tables import Drawn, drawn_table
from tests.strategies import VARIANTS, Number, Variant, values_of

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
    """By algorithm: runs, those that found the optimum; how often other things were compared, and
    faults."""

    runs: Counter[str] = field(default_factory=Counter)
    optimal: Counter[str] = field(default_factory=Counter)
    tables: Counter[str] = field(default_factory=Counter)
    solved: Counter[str] = field(default_factory=Counter)
    refined: int = 0
    wrong: list[str] = field(default_factory=list)


def sizes_are_promised(variant: Variant, n: int, k: int, result: Partition, **of: Number) -> bool:
    """Return True if every group is as large as the specification says."""
    largest, promised = variant.largest(k, **of), variant.smallest(k, **of)
    return min(promised, n) <= result.smallest() and (
        largest is None or result.largest() <= largest
    )


def grouped(
    variant: Variant, table: Drawn, choices: Choices | None = None, **numbers: Number
) -> Partition:
    """The groups of an algorithm; exact arithmetic where it has it, else floats."""
    choices = choices or Choices(LOWEST, seeded(7), None)
    space = table.space(variant.exact)
    of_run = space.choosing(choices) if isinstance(space, MixedSpace) else space
    return variant(of_run, table.k, choices, **numbers)


def refine(table: Drawn, counts: Counts) -> None:
    """Compare the cost of each refiner with that of the partition that it began with."""
    for refiner, start in STARTS:
        if table.admits(refiner) and table.admits(start):
            before, after = (table.cost(grouped(it, table).groups) for it in (start, refiner))
            if after > before:
                counts.wrong.append(f"higher cost than {start}: {refiner} of {table}")
            counts.refined += 1


def optimum(table: Drawn, thorough: bool, counts: Counts) -> Fraction:
    """The least cost, after a look at what the oracle says, by all its methods if `thorough`."""
    found = [solved(table, "subsets", None)]
    if thorough:
        found += [solved(table, "ilp", solver) for solver in solvers()]
        if not table.kinds:
            found += [solved(table, "columns", x, found[-1].partition) for x in solvers()]
    for each in found:
        counts.solved[each.method] += 1
        fault = fault_of(table, each, found[0].value)
        if fault:
            counts.wrong.append(f"{fault}: {each.method} of {table}")
    return found[0].value


def solved(
    table: Drawn, method: str, solver: str | None, start: Partition | None = None
) -> Optimum:
    return solve(
        table.scaled,
        table.k,
        method,
        dissimilarity=table.dissimilarity,
        solver=solver,
        start=start,
    )


def fault_of(table: Drawn, found: Optimum, value: Fraction) -> str | None:
    """What is wrong with an optimum that is said to be this value; None if nothing is."""
    if (found.status, found.value, found.bound) != ("optimal", value, value):
        return f"{found.status}, {found.value} and {found.bound}, not {value}"
    if table.cost(found.partition.groups) != value or found.partition.smallest() < table.k:
        return f"a partition that does not cost {value}"
    if found.certificate is None:
        return None if found.method != "columns" else "no certificate"
    try:
        text = json.dumps(found.certificate)
        proof = certificate_of(text, "certificate")
        check(proof, tuple(table.rows))
    except Rejected as reason:
        return f"the certificate is rejected: {reason}"
    return None if proof.bound == proof.value == value else "the certificate proves another"


def compare(number: int, random: Random, counts: Counts) -> None:
    """Draw a table, prove its optimum, and run every variant on it."""
    table = drawn_table(number, random)
    counts.tables[", ".join(sorted({kind.split(":")[0] for kind in table.kinds})) or "numeric"] += 1
    least = optimum(table, (number + number // 5) % 5 == 0, counts)
    for variant in filter(table.admits, VARIANTS):
        numbers: dict[str, Number] = {
            name: random.choice(values) for name, values in values_of(variant).items()
        }
        breaker = random.choice((LOWEST, HIGHEST, random_ties(seeded(random.randrange(2**32)))))
        stream = random.randrange(2**32)
        result = grouped(variant, table, Choices(breaker, seeded(stream), None), **numbers)
        what = f"{variant} of {table} with {numbers}: {result}"
        if not sizes_are_promised(variant, table.n, table.k, result, **numbers):
            counts.wrong.append(f"sizes: {what}")
        loss, name = table.cost(result.groups), variant.specification.name
        if loss_within(table.scaled, result.groups, table.dissimilarity) != loss:
            counts.wrong.append(f"another cost by the measure: {what}")
        if result.smallest() < table.k:
            continue
        if loss < least:
            counts.wrong.append(f"below the optimum: {what}")
        counts.runs[name] += 1
        counts.optimal[name] += loss == least
    refine(table, counts)


def compared(tables: int, seed: int) -> Counts:
    """The counts of so many tables, each drawn from a seed of its own."""
    counts = Counts()
    for number in range(tables):
        compare(number, Random(f"{seed}/{number}"), counts)
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
        *(f"{number} tables with {kinds} attributes" for kinds, number in counts.tables.items()),
        *(f"{number} solved by {method}" for method, number in counts.solved.items()),
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
            "Tables of 4 to 10 records, k from 2 to 4. Costs are computed by the pairs of groups,",
            "not by the package. Results with a group of fewer than k records, which some",
            "algorithms allow, are not counted.",
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
