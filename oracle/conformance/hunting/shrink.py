"""Smaller cases: what is left of a counterexample without unnecessary parts.

Hypothesis shrinks what it has drawn. Then this goes on with the table: fewer records,
fewer attributes, a smaller k, nearer to 0, shorter numbers - as long as the same check is violated.

At last `Smaller` asks tables that no such step need reach. A shape is a number of records, of
attributes, and a k. Of each shape that is smaller than the counterexample, the smallest first, a
few tables are asked, then more, then still more: all tables of the SMALL_VALUES where these are few
enough, else rows of the counterexample and drawn ones. What was asked of every table is known, and
said; that there is no smaller table at all cannot be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, product, takewhile
from math import gcd, lcm
from random import Random
from typing import TYPE_CHECKING

from oracle.conformance.judge.model import Case, with_cell
from oracle.conformance.judge.sizes import of_texts, rows_of_case, size_of, width_of
from oracle.conformance.judge.texts import numeral

if TYPE_CHECKING:
    from oracle.conformance.hunting.strategies import Wanted  # needs Hypothesis

Rows = Sequence[Sequence[Fraction]]


def with_rows(case: Case, rows: Rows) -> Case:
    return replace(case, records=tuple(tuple(map(numeral, row)) for row in rows))


def smallest(
    case: Case, wrong: Callable[[Case], bool], over: Callable[[], bool] = lambda: False
) -> Case:
    """Return the smallest case that is still answered wrongly.

    It is found when no step helps or time is over.

    >>> found = Case("x", "mdav", 2, (("5", "7"), ("31", "2"), ("40", "9"), ("8", "8")))
    >>> smallest(found, lambda case: len(case.records) > 2 and int(case.records[0][0]) > 1).records
    (('2',), ('0',), ('0',))
    """
    size = size_of(case)
    step: Case | None = case
    while step is not None:
        step = next(
            (
                other
                for other in takewhile(lambda _: not over(), _steps(case))
                if size_of(other) < size and wrong(other)
            ),
            None,
        )
        if step is not None:
            case, size = step, size_of(step)
    return case


def calmed(case: Case) -> Case:
    """Return the table without offset, on the scale of small integers.

    Neither a translation nor a common factor changes the correct answer.
    """
    rows = rows_of_case(case)
    least = min(cell for row in rows for cell in row)
    moved = [[cell - least for cell in row] for row in rows]
    unit = _unit(moved)
    return with_rows(case, [[cell / unit for cell in row] for row in moved])


def _unit(rows: Rows) -> Fraction:
    """Return the greatest common divisor of all cells.

    It is 1 if all are 0.
    """
    below = lcm(*(cell.denominator for row in rows for cell in row))
    above = gcd(*(int(cell * below) for row in rows for cell in row))
    return Fraction(above, below) if above else Fraction(1)


def _steps(case: Case) -> Iterator[Case]:
    """Yield cases that may be smaller, the boldest first."""
    yield from _fewer_records(case)
    yield from _fewer_attributes(case)
    if of_texts(case):
        yield from _shorter_texts(case)
        return
    rows = rows_of_case(case)
    yield calmed(case)
    yield from _nearer(case)
    yield with_rows(case, _ranked(rows))
    yield with_rows(case, sorted(rows))
    yield from _smaller_columns(case, rows)
    yield from _smaller_cells(case, rows)
    yield from _swapped(case, rows)


def _fewer_records(case: Case) -> Iterator[Case]:
    """Yield cases with fewer records.

    Where k is reduced too, n is reduced in proportion.
    """
    n = len(case.records)
    few = ((0, case.k), (0, 1), (1, 0), (1, 1), (1, 2), (1, 3), (0, 2), (1, 4))
    many = [(0, n >> halved) for halved in range(1, n.bit_length()) if n >> halved > case.k]
    for fewer_k, gone in (*many, *few):
        k = case.k - fewer_k
        if k < min(1, case.k) or (n - gone < k <= n):
            continue
        runs = (tuple(range(i, i + gone)) for i in range(n - gone + 1))
        taken = combinations(range(n), gone) if gone < 3 else runs
        for without in taken:
            kept = tuple(row for i, row in enumerate(case.records) if i not in without)
            strata = tuple(label for i, label in enumerate(case.strata) if i not in without)
            weights = tuple(w for i, w in enumerate(case.sampling_weights) if i not in without)
            yield replace(case, k=k, records=kept, strata=strata, sampling_weights=weights)


def _fewer_attributes(case: Case) -> Iterator[Case]:
    width = width_of(case)
    for j in range(width if width > 1 and not case.constraints else 0):
        fewer = replace(case, records=tuple((*row[:j], *row[j + 1 :]) for row in case.records))
        times = (*case.times[:j], *case.times[j + 1 :])
        blocks = (tuple(i - (i > j) for i in block if i != j) for block in case.blocks)
        kinds = (*case.kinds[:j], *case.kinds[j + 1 :])
        yield replace(fewer, times=times, blocks=tuple(filter(None, blocks)), kinds=kinds)


def _shorter_texts(case: Case) -> Iterator[Case]:
    """Yield cases with shorter texts.

    They have a smaller k, one cell that is simpler, or a sequence without one of its events.
    """
    if case.k > 2:
        yield replace(case, k=case.k - 1)
    yield replace(case, dissimilarity="")
    for i, row in enumerate(case.records):
        for j, cell in enumerate(row):
            for simpler in _simpler(cell, case.kinds[j] if case.kinds else "numeric"):
                yield with_cell(case, i, j, simpler)


def _simpler(cell: str, kind: str) -> list[str]:
    if kind == "numeric":
        return [number for number in ("0", "1") if len(number) < len(cell)]
    if kind.startswith("sequence"):
        events = cell.split(">") if cell else []
        return [">".join([*events[:i], *events[i + 1 :]]) for i in range(len(events))]
    return []


def _nearer(case: Case) -> Iterator[Case]:
    """Yield the calm table at smaller offsets, and multiplied by smaller factors."""
    far = max(len(text) for row in case.records for text in row)
    rows = rows_of_case(calmed(case))
    for power in range(min(far, 60)):
        yield with_rows(case, [[cell + 10**power for cell in row] for row in rows])
        yield with_rows(case, [[cell * 10**power for cell in row] for row in rows])


def _ranked(rows: Rows) -> Rows:
    """Return each value as its rank in its column."""
    columns = []
    for column in zip(*rows, strict=True):
        ranks = {value: Fraction(rank) for rank, value in enumerate(sorted(set(column)))}
        columns.append([ranks[value] for value in column])
    return list(zip(*columns, strict=True))


def _smaller_columns(case: Case, rows: Rows) -> Iterator[Case]:
    for j, column in enumerate(zip(*rows, strict=True)):
        least = min(column)
        for change in (lambda x, low=least: x - low, lambda x: Fraction(0), lambda x: -x):
            yield with_rows(case, [[*r[:j], change(r[j]), *r[j + 1 :]] for r in rows])


def _smaller_cells(case: Case, rows: Rows) -> Iterator[Case]:
    """Yield cases with smaller cells.

    Each cell is changed by itself, and all equal cells of an attribute at once.
    """
    for j in range(len(rows[0])):
        for value in sorted({row[j] for row in rows}, key=abs, reverse=True):
            for less in _less(value):
                where = [i for i, row in enumerate(rows) if row[j] == value]
                yield _changed(case, rows, where, j, less)
                if len(where) > 1:
                    yield from (_changed(case, rows, [i], j, less) for i in where)


def _less(value: Fraction) -> list[Fraction]:
    whole = Fraction(int(value))
    step = 1 if value > 0 else -1
    found = [Fraction(0), Fraction(int(value / 2)), whole, value - step, abs(value)]
    return [other for other in dict.fromkeys(found) if other != value]


def _changed(case: Case, rows: Rows, where: list[int], j: int, value: Fraction) -> Case:
    changed = [list(row) for row in rows]
    for i in where:
        changed[i][j] = value
    return with_rows(case, changed)


def _swapped(case: Case, rows: Rows) -> Iterator[Case]:
    """Yield cases in which two adjacent records are exchanged."""
    for i in range(len(rows) - 1):
        if tuple(rows[i]) > tuple(rows[i + 1]):
            yield with_rows(case, [*rows[:i], rows[i + 1], rows[i], *rows[i + 2 :]])


# Smaller shapes

SMALL_VALUES = (0, 1, 2)
"""The values of which all small tables are asked."""

ROUNDS = (12, 60, 729)
"""Tables of each shape, in one round after the other."""

QUESTIONS = 2_000
"""Tables that are asked of one counterexample at most: a count, so that the answer is the same on
every machine that is fast enough."""

MOST_RECORDS = 16
"""A counterexample of more records is made smaller by steps only."""

Shape = tuple[int, int, int]


@dataclass(slots=True)
class Smaller:
    """Search for a smaller counterexample.

    It knows what is wrong, what may be asked, and what was asked.
    """

    asked: Wanted
    wrong: Callable[[Case], bool]
    over: Callable[[], bool]
    left: int = QUESTIONS
    whole: set[Shape] = field(default_factory=set)
    """Shapes of which all tables of the SMALL_VALUES were asked."""

    def than(self, case: Case, seed: object) -> Case:
        """Return the smallest counterexample that is found, or the case itself."""
        for most in ROUNDS:
            found = self._of_a_round(case, most, seed)
            case = case if found is None else smallest(found, self.wrong, self.over)
            if self.over() or not self.left:
                break
        return case

    def proof(self, case: Case) -> str:
        """Return which smaller tables were all asked.

        It is empty unless the case is one of the same values, and all of them were asked.
        """
        shapes = [shape for shape in self.shapes(case) if shape[1] <= len(case.records[0])]
        cells = {Fraction(cell) for row in case.records for cell in row}
        if not cells <= set(SMALL_VALUES) or not self.whole.issuperset(shapes):
            return ""
        values = f"{SMALL_VALUES[0]} to {SMALL_VALUES[-1]}"
        above = ", with k above 1," if case.k > 1 else ""
        return f"no smaller table of the values {values}{above} is answered wrongly in this way"

    def shapes(self, case: Case) -> Iterator[Shape]:
        """Yield the shapes smaller than a case, in ascending order.

        They are asked for.
        """
        ks, widths = self.asked.ks, self.asked.widths
        least = max(ks[0], min(case.k, 2))
        own = len(case.records), len(case.records[0]), case.k
        for n in range(1, own[0] + 1):
            for width in range(widths[0], widths[1] + 1):
                for k in range(least, min(ks[1], n) + 1):
                    if (n, width, k) < own:
                        yield n, width, k

    def _of_a_round(self, case: Case, most: int, seed: object) -> Case | None:
        """Return a counterexample of the smallest possible shape.

        It is the smallest shape that has one among `most` tables of each.
        """
        if len(case.records) > MOST_RECORDS:
            return None
        rows = rows_of_case(case)
        for shape in self.shapes(case):
            n, width, k = shape
            every = len(SMALL_VALUES) ** (n * width) <= most
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
    """Yield all tables of the SMALL_VALUES."""
    for cells in product(map(Fraction, SMALL_VALUES), repeat=n * width):
        yield [cells[i * width : (i + 1) * width] for i in range(n)]


def _some(rows: Rows, n: int, width: int, most: int, random: Random) -> Iterator[Rows]:
    """Yield some tables of a shape.

    They are of few values, of rows that are wrong, without ties, of more values.
    """
    for number in range(most):
        if number % 4 == 1 and n <= len(rows) and width <= len(rows[0]):
            columns = sorted(random.sample(range(len(rows[0])), width))
            chosen = sorted(random.sample(range(len(rows)), n))
            yield [[rows[i][j] for j in columns] for i in chosen]
        elif number % 4 == 2:
            distinct = (random.sample(range(n * n), n) for _ in range(width))
            yield list(zip(*(map(Fraction, values) for values in distinct), strict=True))
        else:
            size = len(SMALL_VALUES) if number % 4 == 0 else n + 1
            yield [[Fraction(random.randrange(size)) for _ in range(width)] for _ in range(n)]
