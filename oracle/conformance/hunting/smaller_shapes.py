"""Smaller counterexamples, shape by shape: tables that no step from a larger one need reach.

A shape is a number of records, of attributes, and a k. Of each shape that is smaller than the
counterexample, the smallest first, a few tables are asked, then more, then still more: all tables
of the VALUES where these are few enough, else rows of the counterexample and drawn ones. What was
asked of every table is known, and said; that there is no smaller table at all cannot be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from random import Random

from oracle.conformance.hunting.shrink import Rows, rows_of, smallest, with_rows
from oracle.conformance.hunting.strategies import Wanted
from oracle.conformance.judge.model import Case

VALUES = (0, 1, 2)
"""The values of which all small tables are asked."""

ROUNDS = (16, 81, 729)
"""Tables of each shape, in one round after the other."""

QUESTIONS = 6_000
"""Tables that are asked of one counterexample at most: a count, so that the answer is the same on
every machine that is fast enough."""

MOST_RECORDS = 12
"""A counterexample of more records is made smaller by steps only."""

Shape = tuple[int, int, int]


@dataclass(slots=True)
class Smaller:
    """The search for a smaller counterexample: what is wrong, what may be asked, what was."""

    asked: Wanted
    wrong: Callable[[Case], bool]
    over: Callable[[], bool]
    left: int = QUESTIONS
    whole: set[Shape] = field(default_factory=set)
    """Shapes of which all tables of the VALUES were asked."""

    def than(self, case: Case, seed: object) -> Case:
        """Return the smallest counterexample that is found, or the case itself."""
        for most in ROUNDS:
            found = self._of_a_round(case, most, seed)
            case = case if found is None else smallest(found, self.wrong, self.over)
            if self.over() or not self.left:
                break
        return case

    def proof(self, case: Case) -> str:
        """Return of which smaller tables all were asked, if the case is one of the same values."""
        shapes = [shape for shape in self.shapes(case) if shape[1] <= len(case.records[0])]
        cells = {Fraction(cell) for row in case.records for cell in row}
        if not cells <= set(VALUES) or not self.whole.issuperset(shapes):
            return ""
        return f"no smaller table of the values {VALUES[0]} to {VALUES[-1]} is answered wrongly"

    def shapes(self, case: Case) -> Iterator[Shape]:
        """The shapes smaller than a case, which are asked for, in ascending order."""
        ks, widths = self.asked.ks, self.asked.widths
        least = max(ks[0], min(case.k, 2))
        own = len(case.records), len(case.records[0]), case.k
        for n in range(1, own[0] + 1):
            for width in range(widths[0], widths[1] + 1):
                for k in range(least, min(ks[1], n) + 1):
                    if (n, width, k) < own:
                        yield n, width, k

    def _of_a_round(self, case: Case, most: int, seed: object) -> Case | None:
        """A counterexample of the smallest shape that has one among so many tables of each."""
        if len(case.records) > MOST_RECORDS:
            return None
        rows = rows_of(case)
        for shape in self.shapes(case):
            n, width, k = shape
            every = len(VALUES) ** (n * width) <= most
            if shape in self.whole:
                continue
            random = Random(f"{seed} {shape}")
            for table in _all(n, width) if every else _some(rows, n, width, most, random):
                one = replace(with_rows(case, table), k=k)
                if self.over() or not self.left:
                    return None
                self.left -= 1
                if self.wrong(one):
                    return one
            self.whole.update([shape] if every else [])
        return None


def _all(n: int, width: int) -> Iterator[Rows]:
    """All tables of the VALUES."""
    for cells in product(map(Fraction, VALUES), repeat=n * width):
        yield [cells[i * width : (i + 1) * width] for i in range(n)]


def _some(rows: Rows, n: int, width: int, most: int, random: Random) -> Iterator[Rows]:
    """Tables of a shape: of the VALUES, of rows that are wrong, without ties, of more values."""
    for number in range(most):
        if number % 4 == 1 and n <= len(rows) and width <= len(rows[0]):
            columns = sorted(random.sample(range(len(rows[0])), width))
            chosen = sorted(random.sample(range(len(rows)), n))
            yield [[rows[i][j] for j in columns] for i in chosen]
        elif number % 4 == 2:
            yield list(zip(*(_distinct(n, random) for _ in range(width)), strict=True))
        else:
            size = len(VALUES) if number % 4 == 0 else n + 1
            yield [[Fraction(random.randrange(size)) for _ in range(width)] for _ in range(n)]


def _distinct(n: int, random: Random) -> list[Fraction]:
    """Values that are all different, with distances that mostly are."""
    return [Fraction(value) for value in random.sample(range(n * n), n)]
