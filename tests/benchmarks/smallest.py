"""`python -m tests.benchmarks.smallest [SEEDS] [PROGRAMS]`: is the counterexample the smallest?

Each of some planted mistakes is hunted with several seeds. Beside the number of records and of
attributes of the counterexample stand those of the first wrong table of an exhaustive search: by
number of records, up to MOST, then of attributes, all tables of few values, or where these are
too many a sample that is the same for all. `within` counts those of at most one record and one
attribute more.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from typing import Any

from oracle.conformance.hunting.hunt import run_hunt
from oracle.conformance.hunting.strategies import wanted
from oracle.conformance.judge.judging import Strictness, judge
from oracle.conformance.judge.model import Answer, Case
from refagg import exact_space
from refagg.errors import RefaggError
from refagg.language.choices import Choices
from tests.planted.mutants import MUTANTS

PLANTED = (
    ("mdav", "two groups only while more than 3k remain"),
    ("mdav", "x_s is the farthest from the average instead of from x_r"),
    ("mdav", "x_s is the nearest to x_r"),
    ("mdav", "the group of x_s is the nearest to x_r"),
    ("mdav", "groups of k+1"),
    ("mdav", "the average is that of all records, not of those that remain"),
    ("mdav", "x_r is the nearest to the average"),
    ("mdav", "2k last records stay one group"),
    ("mdav", "the last records are never divided"),
    ("mdav", "the last group of k is formed around the first record"),
    ("mdav-1", "x_s is the record farthest from the average but for x_r"),
    ("mdav-1", "the last k to 2k-1 records are one group, in MDAV-1"),
    ("mdav-2k", "two groups only while more than 2k remain"),
    ("mdav-2k", "leftovers join the group with the farthest centroid"),
    ("mdav-single", "the average is that of all records, in MDAV-single"),
    ("mdav-single", "one group per step while k remain"),
    ("mondrian", "widths are not divided by the range in the file"),
    ("mondrian", "the narrowest attribute is cut"),
    ("mondrian", "the upper median"),
    ("mondrian", "a side of k is too few"),
)
"""Twenty mistakes, in loops, seeds, neighbours, sizes, leftovers and cuts."""

MOST, TABLES = 9, 250
"""Records, and tables of each shape that is too large for all of them."""

KS, WIDTHS = (2, 3), (1, 2)

FEW = {1: 3, 2: 2}
"""How many values each cell has, by the number of attributes, where all tables are asked."""

QUICK = Strictness(explain=False, blame=False, limit=300)

Shape = tuple[int, int]


def answer_of(key: tuple[str, str], case: Case) -> Answer:
    """What the wrong program answers."""
    rows = [[Fraction(cell) for cell in row] for row in case.records]
    try:
        groups = program(key)(exact_space(rows), case.k, Choices(), **MISTAKES[key].settings).groups
    except (RefaggError, ValueError, LookupError, ArithmeticError) as error:
        return Answer(errored=type(error).__name__)
    return Answer(groups=tuple(map(tuple, groups)))


@cache
def program(key: tuple[str, str]) -> Callable[..., Any]:
    """The changed text of an algorithm."""
    return MISTAKES[key].function()


MISTAKES = {(mutant.algorithm, mutant.mistake): mutant for mutant in MUTANTS}


def hunted(key: tuple[str, str], seed: int) -> tuple[Shape | None, bool]:
    """The shape that a hunt finds, and whether it says that it is proved to be the smallest."""
    asked = wanted(key[0], k=KS, width=None, most=16)
    found = run_hunt(
        lambda case, seconds: answer_of(key, case),
        asked,
        budget=60.0,
        tries=400,
        seed=seed,
        may_vary=True,
        clock=time.process_time,
    )
    if not found.findings:
        return None, False
    case = found.findings[0].judgement.case
    return (len(case.records), len(case.records[0])), bool(found.findings[0].proof)


def exhausted(key: tuple[str, str]) -> Shape | None:
    """The shape of the first wrong table of all."""
    for n in range(2, MOST + 1):
        for width in WIDTHS:
            for k in KS:
                if n >= k and any(is_wrong(key, case) for case in tables_of(key[0], n, width, k)):
                    return n, width
    return None


def tables_of(claim: str, n: int, width: int, k: int) -> Iterator[Case]:
    """All tables of few values, or some of them and of others."""
    few, random = FEW[width], Random(f"{n} {width} {k}")
    if few ** (n * width) <= TABLES:
        cells = product(range(few), repeat=n * width)
    else:
        sizes = (few, n, 4 * n, n * n)
        cells = (
            tuple(random.randrange(sizes[i % 4]) for _ in range(n * width)) for i in range(TABLES)
        )
    for row in cells:
        texts = tuple(map(str, row))
        yield Case("all", claim, k, tuple(texts[i * width : (i + 1) * width] for i in range(n)))


def is_wrong(key: tuple[str, str], case: Case) -> bool:
    """Return True if the answer to a table is wrong."""
    return judge(case, answer_of(key, case), strict=QUICK).status in ("failed", "errored")


def main(seeds: int = 5, programs: int = len(PLANTED)) -> None:
    """Print each program's shapes, and how many are within one record and one attribute."""
    within = said = total = 0
    for key in PLANTED[:programs]:
        least = exhausted(key)
        found = [hunted(key, seed) for seed in range(seeds)]
        for shape, proved in found:
            total += 1
            near = shape is not None and (
                least is None or all(a <= b + 1 for a, b in zip(shape, least, strict=True))
            )
            within, said = within + near, said + (near or not proved)
        shapes = ", ".join("none" if s is None else f"{s[0]} x {s[1]}" for s, _ in found)
        print(f"{': '.join(key)}: all {least}, hunts {shapes}", flush=True)
    print(f"{within} of {total} within one record and one attribute; {said} so or not proved")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
