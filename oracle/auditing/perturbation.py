"""By how much values that were computed in floating point may differ, and what that changes.

Some algorithms compute in floating point and draw: what they release is determined by the random
stream of a seed, but for rounding. How much rounding matters depends on the table, and is found
out by trying: the algorithm is run again on tables whose values are off by a little more than that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from random import Random

from oracle.auditing.rendering import (
    FEWEST_DIGITS,
    decimal_places,
    half_digit,
    most_digits,
    written_unit,
)
from refagg.data.tables import Table, column_of

STEP = Fraction(1, 2**53)
"""Half the distance from 1 to the next float."""

SHARE = Fraction(1, 10**9)
"""Of the range of an attribute, this much is taken for rounding in any case."""

COARSEST = Fraction(1, 2**20)
"""No constant is off by a greater share of itself, in binary32 neither."""

GRAINS = 1 << 20


@dataclass(frozen=True, slots=True)
class Margins:
    """For each attribute by how much its values may be off, and whether they differ at all."""

    sizes: tuple[Fraction, ...]
    differ: tuple[bool, ...]

    def disturbed(self, table: Table, seed: int) -> Table:
        """The table with values that are off by so much at most.

        Equal records stay equal, and constant attributes what they are. The table of -seed is off
        in the other direction, so that of a choice between two each falls on one side.
        """
        random, sign = Random(abs(seed)), 1 if seed > 0 else -1
        pairs = zip(self.sizes, self.differ, strict=True)
        sizes = [sign * size if differ else 0 for size, differ in pairs]
        rows = [table.row(record) for record in range(table.n)]
        moved: dict[tuple[Fraction, ...], list[Fraction]] = {}
        for row in rows:
            if row not in moved:
                shares = [Fraction(random.randrange(-GRAINS, GRAINS), GRAINS) for _ in row]
                moved[row] = [x + s * m for x, s, m in zip(row, shares, sizes, strict=True)]
        columns = zip(table.names, zip(*(moved[row] for row in rows), strict=True), strict=True)
        return Table(tuple(column_of(name, values) for name, values in columns))


def margins_of(table: Table, tolerance: Fraction, centred: bool = False) -> Margins:
    """Return the error of a sum of all records, and the tolerance for small differences.

    Sums are of values, or, if the program has `centred` them exactly, of differences of values.
    """
    different = [sorted(set(column.values(range(table.n)))) for column in table.columns]
    sizes = tuple(_margin(values, table.n, tolerance, centred) for values in different)
    return Margins(sizes, tuple(len(values) > 1 for values in different))


def _margin(values: Sequence[Fraction], n: int, tolerance: Fraction, centred: bool) -> Fraction:
    """Of an attribute with these values, which ascend."""
    largest = max(abs(values[0]), abs(values[-1]))
    rounding = 8 * n * STEP * (values[-1] - values[0] if centred else largest)
    if len(values) == 1:
        return rounding + min(tolerance, COARSEST) * largest
    gap = min(after - before for before, after in pairwise(values))
    return rounding + SHARE * (values[-1] - values[0]) + tolerance * gap


@dataclass(frozen=True, slots=True)
class Allowed:
    """By how much released values may be off: as far as their digits show, and by the margins."""

    margins: tuple[Fraction, ...]
    units: tuple[Fraction | None, ...] = ()
    digits: tuple[int, ...] = ()
    """For each attribute what values are multiples of, and the number of significant digits."""

    def at(self, position: int, value: Fraction) -> Fraction:
        """For a value of the attribute in this position."""
        if not self.units or (unit := self.units[position]) is None:
            return self.margins[position]
        half, digits = unit / 2, self.digits[position]
        if digits >= FEWEST_DIGITS:
            half = max(half, half_digit(value, digits))
        return half + self.margins[position]

    def near(self, released: Sequence[Fraction], row: Sequence[Fraction]) -> bool:
        """Return True if this row can have been released for that one."""
        pairs = enumerate(zip(released, row, strict=True))
        return all(abs(x - y) <= self.at(j, y) for j, (x, y) in pairs)

    def wider(self, by: Sequence[Fraction]) -> Allowed:
        """Return larger margins."""
        return replace(self, margins=tuple(m + w for m, w in zip(self.margins, by, strict=True)))


def allowed_for(
    table: Table, released: Table | None, tolerance: Fraction, centred: bool = False
) -> Allowed:
    """Return the greatest errors of the values released for a table."""
    sizes = margins_of(table, tolerance, centred).sizes
    if centred:  # What is released is rounded once more.
        largest = (max(map(abs, column.values(range(table.n)))) for column in table.columns)
        sizes = tuple(size + 2 * STEP * most for size, most in zip(sizes, largest, strict=True))
    if released is None:
        return Allowed(sizes)
    pairs = [(column, decimal_places(column)) for column in released.columns]
    digits = tuple(0 if p is None or c.kind.timed else most_digits(c, p) for c, p in pairs)
    return Allowed(sizes, tuple(map(written_unit, released.columns)), digits)


def ranges_of(table: Table) -> tuple[Fraction, ...]:
    """For each attribute the difference of its greatest and its least value."""
    columns = (column.values(range(table.n)) for column in table.columns)
    return tuple(max(values) - min(values) for values in columns)


def farthest(
    ranges: Sequence[Fraction], one: Sequence[Fraction], other: Sequence[Fraction]
) -> Fraction:
    """The greatest difference of two rows, as a share of the range of its attribute."""
    return max(
        abs(x - y) / width if width else Fraction(0)
        for x, y, width in zip(one, other, ranges, strict=True)
    )
