"""Renderings of released values, and the rounding errors they allow.

They say how released values were written, and what rounding does to them, for all judges alike.

A released value is compared with the aggregate that it should be. `renderings` are the
ways in which a correct program may have written it, in the order in which they are tried
on a whole attribute; those that are not `faithful` are recognised and reported, but they
are not the aggregate. What a program computes is rounded in its precision, and its result may be
rounded again where a file has fewer digits.

A centroid of n values of magnitude M is off by up to n u M where it is computed in the simplest
way, u being half a unit of the last binary digit of 1 (`of_mean`). Beside the smallest difference
of two values of an attribute this says how far squared distances can be off relatively: little for
most tables, much for one whose values are large beside their differences. Squares of the values
themselves cancel much worse, and that is not granted. Where rounding could explain groups only by
errors of more than `ACCEPTED`, nothing can be said about them.

Where the values of an attribute are not far from 0 beside their range, but range over many
decades, this would grant all: nothing there is lost but what is small beside the range. So such
attributes do not count in binary64; instead the run is sought in binary64, too, where
distances that differ by rounding beside the largest coordinate are tied
(`refagg.spaces.binary64`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from math import floor, log10
from operator import sub
from typing import NamedTuple

from refagg.data.moments import DAY, MINUTE
from refagg.data.tables import Column, Table, column_of, decimal_places_of

TOLERANCE = Fraction(1, 10**9)
"""What is always granted in the comparison of squared distances."""

COARSEST = Fraction(1, 4)
"""With more than this no run is sought."""

ACCEPTED = Fraction(1, 20)
"""A run that needs more than this, where nothing was asked for, is not judged."""

BINARY64 = Fraction(1, 2**53)

ROUNDING = {"binary64": BINARY64, "binary32": Fraction(1, 2**24)}

FAR = 4
"""How many times the range of its values an attribute must be from 0 to be far from it."""


@dataclass(frozen=True, slots=True)
class Granted:
    """Error granted to released values.

    It is that of rounding, and a relative tolerance if one is asked for.

    The tolerance is relative to the largest value of a group, `roundoff` is that of the precision
    in which a program calculates.
    """

    tolerance: Fraction = Fraction(0)
    roundoff: Fraction = BINARY64

    def mean(self, size: int, magnitude: Fraction, width: Fraction) -> Fraction:
        """Return the total error of a mean.

        The largest value of its group has this magnitude.
        """
        rounding = of_mean(size, magnitude, width, self.roundoff)
        return max(rounding, self.tolerance * magnitude)


def granted(tolerance: Fraction | None, roundoff: Fraction = BINARY64) -> Granted:
    """Return what a tolerance grants; None stands for rounding alone."""
    return Granted(tolerance or Fraction(0), roundoff)


def of_mean(
    size: int, magnitude: Fraction, width: Fraction, roundoff: Fraction = BINARY64
) -> Fraction:
    """Return the greatest error that rounding leaves in a mean.

    The mean is one of `size` values.

    The values are at most `magnitude` in the group, and `width` apart in the whole column.

    Conversion, scaling there and back, weights, one sum and a quotient are fewer than 2 size + 8
    operations, and each operation is off by u of its result. The results are as large as the
    values; or, where a constant from the range of the column was subtracted first, as the column is
    wide, but for the last ones. So a group of zeros need not be released as zeros.
    """
    return operations(size) * roundoff * (magnitude + width)


def operations(size: int) -> int:
    """Return the greatest number of roundings in a mean of values."""
    return 2 * size + 8


def of_distances(table: Table, standardise: str, roundoff: Fraction = BINARY64) -> Fraction:
    """Return the relative difference of squared distances that may count as tied."""
    slack = 8 * table.n * roundoff * _magnitude(table, standardise, roundoff)
    return min(max(TOLERANCE, slack), COARSEST)


def hidden(table: Table, roundoff: Fraction = BINARY64) -> bool:
    """Return True if rounding can move a centroid far.

    It moves it by a good part of the range of an attribute.
    """
    return any(
        table.n * roundoff * max(map(abs, column.numerators)) > COARSEST * spread
        for column in table.columns
        if (spread := max(column.numerators) - min(column.numerators))
    )


def of_sums(n: int, roundoff: Fraction = BINARY64) -> Fraction:
    """Return the relative error granted to a sum of n squares."""
    return max(TOLERANCE, 8 * n * roundoff)


def _magnitude(table: Table, standardise: str, roundoff: Fraction) -> Fraction:
    """Return the largest value beside the smallest difference.

    It is that of all attributes on their common scale.

    Where no values differ, rounding counts beside the values themselves, and this is 1.
    """
    magnitudes, gaps = [Fraction(0)], []
    for column in table.columns:
        values = sorted(set(column.numerators))
        spread, largest = values[-1] - values[0], max(map(abs, values))
        unit = column.denominator if standardise == "none" else spread
        if unit:
            if largest > FAR * spread or roundoff > BINARY64:
                magnitudes.append(Fraction(largest, unit))
            if spread:
                gaps.append(Fraction(min(map(sub, values[1:], values)), unit))
    return max(magnitudes) / min(gaps) if gaps else Fraction(1)


EXACT = "exact"

FEWEST_DIGITS = 6
"""Values rounded to fewer significant digits than this are not taken for the aggregate."""


class Cell(NamedTuple):
    """Released value, `written / unit`, beside its expected aggregate.

    That is the aggregate that it should be.

    That is `total / over / unit`, all in integers: most cells are examined in no other way.
    `size` is the size of the group and `magnitude / unit` its largest value, for rounding errors.
    """

    total: int
    over: int
    written: int
    unit: int
    size: int
    magnitude: int | Fraction

    @property
    def aggregate(self) -> Fraction:
        return Fraction(self.total, self.over * self.unit)

    @property
    def released(self) -> Fraction:
        return Fraction(self.written, self.unit)

    @property
    def off(self) -> int:
        """Return the error in units, times `over`."""
        return abs(self.total - self.over * self.written)

    @property
    def error(self) -> Fraction:
        return Fraction(self.off, self.over * self.unit)


def quotient_cell(aggregate: Fraction, released: Fraction, size: int, magnitude: Fraction) -> Cell:
    """Return a cell of quotients."""
    unit = released.denominator
    total, over = aggregate.numerator * unit, aggregate.denominator
    return Cell(total, over, released.numerator, unit, size, magnitude * unit)


@dataclass(frozen=True, slots=True)
class Rendering:
    """A way of writing numbers, `fits` one value written in this way.

    `by_error` tells that a cell that is off by less, in a group of the same size, of the same or a
    greater magnitude and aggregate, fits, too. A value that is its aggregate always fits.
    """

    name: str
    faithful: bool
    fits: Callable[[Cell], bool]
    by_error: bool = True


def recognise(
    column: Column, cells: Sequence[Cell], granted: Granted, width: Fraction
) -> Rendering | None:
    """Return the first rendering that fits all released values.

    The values are those of an attribute; None if no rendering fits.
    """
    possible = renderings_of(column, granted, width)
    return next((one for one in possible if all(map(one.fits, cells))), None)


def renderings_of(column: Column, granted: Granted, width: Fraction) -> Iterable[Rendering]:
    """Return the renderings of a released attribute.

    The values of the original are at most `width` apart.

    Dates and datetimes are rounded, to no tolerance that is relative: their zero is arbitrary.
    """
    if column.kind.timed:
        return timed_renderings(column, decimal_places(column))
    written = shortest(column)
    places = decimal_places(written)
    return renderings(places, lambda: written_digits(written, places or 0), granted, width)


def renderings(
    places: int | None, digits: Callable[[], int], granted: Granted, width: Fraction
) -> Iterable[Rendering]:
    """Yield the renderings of an attribute.

    Its values have `places` decimals (None if no decimals write them) and `digits` significant
    digits. The values of the original are at most `width` apart.
    """
    exact, digits = Fraction(0), cache(digits)
    yield Rendering(EXACT, True, lambda cell: cell.total == cell.over * cell.written)
    if places is not None:
        yield from _written(places, digits, exact, width, "")
    for name, roundoff in ROUNDING.items():
        if roundoff <= max(granted.roundoff, BINARY64):
            yield Rendering(f"in {name}", True, _rounding(roundoff, width))
            if places is not None:
                yield from _written(places, digits, roundoff, width, f"in {name}, ")
    if tolerance := granted.tolerance:
        name = f"within the relative tolerance {float(tolerance):g}"
        above, below = tolerance.as_integer_ratio()
        yield Rendering(name, True, lambda c: c.off * below <= above * c.over * c.magnitude)
    if places is not None:
        yield from _cut(places)
        if (most := digits()) < FEWEST_DIGITS:
            yield _of_digits(most, exact, width, "", False)
    if granted.roundoff < ROUNDING["binary32"]:
        yield Rendering("in binary32", False, _rounding(ROUNDING["binary32"], width))


def _written(
    places: int, digits: Callable[[], int], roundoff: Fraction, width: Fraction, how: str
) -> Iterable[Rendering]:
    """Yield the renderings of numbers computed with this roundoff.

    They are written in `places` decimals or in significant digits.
    """
    half = Fraction(1, 2 * 10**places)
    name = f"{how}rounded to {_decimals(places)}"
    yield Rendering(name, True, _rounding(roundoff, width, half))
    if (most := digits()) >= FEWEST_DIGITS:
        yield _of_digits(most, roundoff, width, how, True)


def _of_digits(
    most: int, roundoff: Fraction, width: Fraction, how: str, faithful: bool
) -> Rendering:
    def fits(cell: Cell) -> bool:
        # 999.9996 and 1000 have the finer digits of 999.9996
        half = half_digit(min(abs(cell.aggregate), abs(cell.released)), most)
        return cell.error <= half or _rounding(roundoff, width, half)(cell)

    name = f"{how}rounded to {most} significant digit{'s' * (most != 1)}"
    return Rendering(name, faithful, fits)


def timed_renderings(column: Column, places: int | None) -> Iterable[Rendering]:
    """Yield the renderings of dates and datetimes.

    Datetimes are written to days, minutes or parts of seconds.
    """
    yield Rendering(EXACT, True, lambda cell: cell.total == cell.over * cell.written)
    if (unit := written_unit(column)) is None:
        return
    what = "days" if column.kind.type == "date" or unit == DAY else "seconds"
    name = "minutes" if unit == MINUTE else f"{what} with {_decimals(places)}" if places else what
    yield Rendering(f"rounded to {name}", True, lambda cell: 2 * cell.error <= unit)

    def down(cell: Cell) -> bool:
        return 0 <= cell.aggregate - cell.released < unit

    yield Rendering(f"rounded down to {name}", False, down, False)


def _cut(places: int) -> Iterable[Rendering]:
    unit = Fraction(1, 10**places)
    after = f"to {_decimals(places)}"

    def truncated(cell: Cell) -> bool:
        low, high = abs(cell.released), abs(cell.aggregate)
        return low <= high < low + unit and cell.released * cell.aggregate >= 0

    def down(cell: Cell) -> bool:
        return cell.released <= cell.aggregate < cell.released + unit

    def up(cell: Cell) -> bool:
        return cell.released - unit < cell.aggregate <= cell.released

    yield Rendering(f"truncated toward zero {after}", False, truncated, False)
    yield Rendering(f"rounded down {after}", False, down, False)
    yield Rendering(f"rounded up {after}", False, up, False)


def decimal_places(column: Column) -> int | None:
    """Return the fewest decimals that write all values exactly.

    None if no decimals do.

    >>> decimal_places(Column("x", [5, 12], 8))
    3
    """
    return decimal_places_of(column.denominator)


def written_unit(column: Column) -> Fraction | None:
    """Return the unit of which all values are multiples.

    It is the last decimal, or what texts of times write.

    None if no decimals write them.
    """
    if column.kind.type == "datetime" and column.kind.unit:
        return column.kind.unit
    places = decimal_places(column)
    return None if places is None else Fraction(1, 10**places)


def shortest(column: Column) -> Column:
    """Return the column as programs write it.

    Binary64 numbers become the shortest decimals that are read as these numbers.

    >>> decimal_places(shortest(Column("x", [int(2.33 * 2**51)], 2**51)))
    2
    """
    unit = column.denominator
    if unit == 1 or unit & (unit - 1):  # a float is a multiple of a power of 1/2
        return column
    try:
        floats = [numerator / unit for numerator in column.numerators]
    except OverflowError:
        return column
    if [Fraction(x) * unit for x in floats] != list(column.numerators):
        return column
    return column_of(column.name, [Fraction(repr(x)) for x in floats])


def half_unit(column: Column) -> Fraction:
    """Return half a unit of the last decimal.

    It is the last decimal that a column needs; 0 if no decimals write its values.
    """
    return (written_unit(column) or Fraction(0)) / 2


def most_digits(column: Column, places: int) -> int:
    """Return the most significant digits that a value has, without trailing zeros."""
    factor = 10**places // column.denominator
    numbers = [abs(number) * factor for number in set(column.numerators)]
    short = max(numbers).bit_length() < 4300  # of longer integers Python writes no digits
    return max(len(str(one if short else Decimal(one)).rstrip("0")) for one in numbers)


def written_digits(column: Column, places: int) -> int:
    """Return the significant digits with which a column was probably written."""
    numbers = list(set(column.numerators))
    return probable_digits(most_digits(replace(column, numerators=numbers), places), len(numbers))


USUAL_DIGITS = (6, 7, 15, 17)
"""Significant digits that programs write if nothing else is asked for."""


def probable_digits(most: int, values: int) -> int:
    """Return the probable significant digits of a program.

    It wrote `values` different values, none with more than `most` digits.

    Few values may end in zeros by chance, so that any number of digits takes `SEVERAL` of them.

    >>> probable_digits(14, 1), probable_digits(14, 3)
    (15, 14)
    """
    if most < FEWEST_DIGITS or values >= SEVERAL:
        return most
    return next((usual for usual in USUAL_DIGITS if usual >= most), most)


SEVERAL = 3


def half_digit(value: Fraction, digits: int) -> Fraction:
    """Return half a unit of the last significant digit.

    The number of significant digits is `digits`.
    """
    if value == 0:
        return Fraction(0)
    size = abs(value)
    power = floor(log10(size.numerator) - log10(size.denominator))
    while size >= Fraction(10) ** (power + 1):
        power += 1
    while size < Fraction(10) ** power:
        power -= 1
    return Fraction(10) ** (power + 1 - digits) / 2


def _rounding(
    roundoff: Fraction, width: Fraction, half: Fraction = Fraction(0)
) -> Callable[[Cell], bool]:
    """Return the test for errors within rounding.

    The test is True if the error is at most that of computing a mean, and half a unit of what is
    written.

    See `oracle.auditing.rendering.of_mean`.
    """
    share = roundoff.numerator * half.denominator * width.denominator
    unit = roundoff.denominator * half.denominator * width.denominator
    apart = roundoff.numerator * width.numerator * half.denominator
    written = half.numerator * roundoff.denominator * width.denominator

    def fits(cell: Cell) -> bool:
        lost = share * cell.magnitude + apart * cell.unit if share else 0
        most = operations(cell.size) * lost + written * cell.unit
        return cell.off * unit <= cell.over * most

    return fits


def _decimals(places: int) -> str:
    return {0: "integers", 1: "1 decimal"}.get(places, f"{places} decimals")
