"""Standardisation, exact: how much a unit of each attribute counts.

A squared distance between z-scores is a sum of squared differences, each divided
by a variance. A variance of rational numbers is rational, so standardising needs
no square root: the values stay as they are and each attribute gets a weight, the
reciprocal of its variance. Only z-scores rounded to significant digits, as some
publications used them, have to be written out as numbers of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from refagg.data.tables import Column, Table, column_of
from refagg.errors import InvalidParameter

STANDARDISATIONS = ("none", "population", "sample")
"""By nothing; by the standard deviation with divisor n; with divisor n-1."""

_PRECISE = Context(prec=60, rounding=ROUND_HALF_EVEN)


@dataclass(frozen=True, slots=True)
class Scaled:
    """A table with the weight of each attribute in a squared distance."""

    table: Table
    weights: tuple[Fraction, ...]
    how: str

    @property
    def n(self) -> int:
        return self.table.n


def standardise(
    table: Table, how: str = "population", significant_digits: int | None = None
) -> Scaled:
    """The table on the scale on which distances and SSE are measured.

    `how` is one of STANDARDISATIONS. With `significant_digits`, z-scores are
    rounded to that many digits (half to even) before anything is computed with them.
    An attribute that is constant gets the weight 0: it tells no two records apart.

    Raises InvalidParameter.
    """
    if how not in STANDARDISATIONS:
        raise InvalidParameter(
            f"standardisation is {how!r}; it can be {', '.join(STANDARDISATIONS)}"
        )
    if significant_digits is None:
        return Scaled(table, tuple(_weight(c, how) for c in table.columns), how)
    if how == "none":
        raise InvalidParameter("significant digits apply to z-scores, but standardisation is none")
    if type(significant_digits) is not int or not 1 <= significant_digits <= 50:
        raise InvalidParameter(f"significant digits is {significant_digits!r}; it can be 1 to 50")
    rounded = tuple(_rounded_scores(c, _weight(c, how), significant_digits) for c in table.columns)
    return Scaled(
        Table(rounded),
        tuple(Fraction(0 if w == 0 else 1) for w in (_weight(c, how) for c in table.columns)),
        f"{how}, z-scores rounded to {significant_digits} significant digits",
    )


def mean(column: Column) -> Fraction:
    """The arithmetic mean of a column."""
    return Fraction(sum(column.numerators), column.denominator * len(column.numerators))


def variance(column: Column, how: str) -> Fraction:
    """The variance with divisor n ("population") or n-1 ("sample"; 0 for one record)."""
    n = len(column.numerators)
    total = sum(column.numerators)
    squares = sum(x * x for x in column.numerators)
    divisor = n if how == "population" else max(n - 1, 1)
    return Fraction(n * squares - total * total, n * divisor * column.denominator**2)


def _weight(column: Column, how: str) -> Fraction:
    if how == "none":
        return Fraction(1)
    spread = variance(column, how)
    return 1 / spread if spread else Fraction(0)


def _rounded_scores(column: Column, weight: Fraction, digits: int) -> Column:
    """(x - mean) / standard deviation, rounded to so many significant digits."""
    centre = mean(column)
    scale = _decimal(weight).sqrt(_PRECISE)
    rounding = Context(prec=digits, rounding=ROUND_HALF_EVEN)
    scores = (
        rounding.plus(_PRECISE.multiply(_decimal(column[i] - centre), scale))
        for i in range(len(column.numerators))
    )
    return column_of(column.name, map(Fraction, scores))


def _decimal(value: Fraction) -> Decimal:
    return _PRECISE.divide(Decimal(value.numerator), Decimal(value.denominator))
