"""How released values were written: exactly, rounded, in floating point, truncated.

A released value is compared with the aggregate that it should be. `RENDERINGS` are the
ways in which a correct program may have written it, in the order in which they are tried
on a whole attribute; those that are not `faithful` are recognised and reported, but they
are not the aggregate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor, log10

from refagg.data.tables import Column, decimal_places_of

BINARY64, BINARY32 = Fraction(1, 2**52), Fraction(1, 2**23)
FEWEST_DIGITS = 6
"""Values rounded to fewer significant digits than this are not taken for the aggregate."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A released value beside the aggregate that it should be, both as quotients.

    `size` is the size of the group and `magnitude` its largest value, for rounding errors.
    """

    aggregate: Fraction
    released: Fraction
    size: int
    magnitude: Fraction

    @property
    def error(self) -> Fraction:
        return abs(self.aggregate - self.released)


@dataclass(frozen=True, slots=True)
class Rendering:
    """A way of writing numbers, `fits` one value written in this way."""

    name: str
    faithful: bool
    fits: Callable[[Cell], bool]


def recognise(
    column: Column, cells: Sequence[Cell], tolerance: Fraction = Fraction(0)
) -> Rendering | None:
    """The first rendering that fits all values of a released attribute, if any does."""
    for rendering in renderings(column, tolerance):
        if all(map(rendering.fits, cells)):
            return rendering
    return None


def renderings(released: Column, tolerance: Fraction) -> Iterable[Rendering]:
    """The renderings that the digits of a released attribute allow."""
    places = decimal_places(released)
    yield Rendering("exact", True, lambda cell: cell.aggregate == cell.released)
    if places is not None:
        half = Fraction(1, 2 * 10**places)
        name = f"rounded to {_decimals(places)}"
        yield Rendering(name, True, lambda cell: cell.error <= half)
        digits = most_digits(released, places)
        if digits >= FEWEST_DIGITS:
            name = f"rounded to {digits} significant digits"
            yield Rendering(
                name, True, lambda cell: cell.error <= half_digit(cell.aggregate, digits)
            )
    yield Rendering("in binary64", True, lambda cell: cell.error <= _rounding(cell, BINARY64))
    if tolerance:
        name = f"within the relative tolerance {float(tolerance):g}"
        yield Rendering(name, True, lambda cell: cell.error <= tolerance * cell.magnitude)
    if places is not None:
        yield from _cut(places)
    yield Rendering("in binary32", False, lambda cell: cell.error <= _rounding(cell, BINARY32))


def _cut(places: int) -> Iterable[Rendering]:
    unit = Fraction(1, 10**places)
    after = f"to {_decimals(places)}"

    def truncated(cell: Cell) -> bool:
        low, high = abs(cell.released), abs(cell.aggregate)
        return low <= high < low + unit and cell.released * cell.aggregate >= 0

    yield Rendering(f"truncated toward zero {after}", False, truncated)
    yield Rendering(
        f"rounded down {after}",
        False,
        lambda cell: cell.released <= cell.aggregate < cell.released + unit,
    )
    yield Rendering(
        f"rounded up {after}",
        False,
        lambda cell: cell.released - unit < cell.aggregate <= cell.released,
    )


def decimal_places(column: Column) -> int | None:
    """The fewest decimals that write all values exactly; None if no decimals do.

    >>> decimal_places(Column("x", [5, 12], 8))
    3
    """
    return decimal_places_of(column.denominator)


def half_unit(column: Column) -> Fraction:
    """Half a unit of the last decimal that a column needs; 0 if no decimals write its values."""
    places = decimal_places(column)
    return Fraction(0) if places is None else Fraction(1, 2 * 10**places)


def most_digits(column: Column, places: int) -> int:
    """The most significant digits that a value has, without trailing zeros."""
    largest = 0
    for number in set(column.numerators):
        scaled = number * 10**places // column.denominator
        largest = max(largest, len(str(abs(scaled)).rstrip("0")))
    return largest


def half_digit(value: Fraction, digits: int) -> Fraction:
    """Half a unit of the last of so many significant digits."""
    if value == 0:
        return Fraction(0)
    size = abs(value)
    power = floor(log10(size.numerator) - log10(size.denominator))
    while size >= Fraction(10) ** (power + 1):
        power += 1
    while size < Fraction(10) ** power:
        power -= 1
    return Fraction(10) ** (power + 1 - digits) / 2


def _rounding(cell: Cell, unit: Fraction) -> Fraction:
    """What summing and dividing may lose in floating point, unit being twice the roundoff."""
    return unit * (cell.size + 1) * cell.magnitude


def _decimals(places: int) -> str:
    return {0: "whole numbers", 1: "1 decimal"}.get(places, f"{places} decimals")
