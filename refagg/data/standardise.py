"""Standardisation, exact: how much a unit of each attribute counts.

A squared distance between z-scores is a sum of squared differences, each divided
by a variance. A variance of rational numbers is rational, so standardising needs
no square root: the values stay as they are and each attribute gets a weight, the
reciprocal of its variance. Only z-scores rounded to significant digits, as some
publications used them, have to be written out as numbers of their own.

Where not all attributes are numbers, numbers are divided by their range instead, unless something
else is asked for: then no difference of two values counts more than 1, as with categories.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from math import lcm

from refagg.data.tables import Column, Table, column_of, table_of
from refagg.errors import InvalidParameter
from refagg.language.lists import check_one_of
from refagg.language.number_texts import positive

STANDARDISATIONS = ("none", "population", "sample")
"""By nothing; by the standard deviation with divisor n; with divisor n-1."""

RANGE = "range"
"""By the greatest value less the least."""

SCALES = (*STANDARDISATIONS, RANGE)

_PRECISE = Context(prec=60, rounding=ROUND_HALF_EVEN)


@dataclass(frozen=True, slots=True)
class Scaled:
    """A table with the weight of each attribute in a squared distance.

    `weights` are those of a squared unit of its numeric attributes, `others` those of the rest.
    """

    table: Table
    weights: tuple[Fraction, ...]
    how: str
    others: tuple[Fraction, ...] = ()
    ranges: tuple[Fraction, ...] = ()
    """By what numbers are divided, where that is their range in the whole file."""

    def __repr__(self) -> str:
        return f"<Scaled by {self.how}: {self.table!r}>"

    @property
    def n(self) -> int:
        """The number of records."""
        return self.table.n

    def select(self, names: Sequence[str]) -> Scaled:
        """Some of the attributes, on the same scale."""
        table = self.table.select(names)
        weight = dict(zip(self.table.numbers.names, self.weights, strict=True))
        weight |= {a.name: w for a, w in zip(self.table.others, self.others, strict=True)}
        weights = tuple(weight[column.name] for column in table.columns)
        others = tuple(weight[other.name] for other in table.others)
        ranges = dict(zip(self.table.numbers.names, self.ranges, strict=bool(self.ranges)))
        own = tuple(ranges[column.name] for column in table.columns) if ranges else ()
        return Scaled(table, weights, self.how, others, own)

    def take(self, records: Sequence[int]) -> Scaled:
        """Some of the records, on the same scale."""
        return replace(self, table=self.table.take(records))


def is_plain(scaled: Scaled) -> bool:
    """Return True for numeric attributes on a standard scale.

    All attributes are numbers, on one of STANDARDISATIONS, and without weights.
    """
    if scaled.table.others or scaled.how not in STANDARDISATIONS:
        return False
    return scaled.weights == standardise(scaled.table, scaled.how).weights


def usual_scale(table: Table) -> str:
    """Return the scale of a table where no other is asked for."""
    return RANGE if table.others else "population"


def standardise(
    table: Table,
    how: str = "population",
    significant_digits: int | None = None,
    weights: Mapping[str, object] | None = None,
) -> Scaled:
    """The table on the scale on which distances and SSE are measured.

    `how` is one of SCALES, for its numeric attributes. With `significant_digits`, z-scores are
    rounded to that many digits (half to even) before anything is computed with them.
    An attribute that is constant gets the weight 0: it tells no two records apart.
    `weights` are those of attributes by name, 1 where there is none.

    Raises InvalidParameter.

    >>> import refagg
    >>> scaled = refagg.standardise(refagg.table_of([[1], [3]]))  # the mean is 2, the deviation 1
    >>> refagg.sst(scaled)
    Fraction(2, 1)
    """
    check_one_of(how, SCALES, "standardisation is")
    if significant_digits is not None:
        check_significant_digits(how, significant_digits)
    return on_scale(table_of(table), how, significant_digits, weights_by_name(weights))


def on_scale(table: Table, how: str, digits: int | None, weights: Mapping[str, object]) -> Scaled:
    """The table on a scale; see `standardise`. All options were checked."""
    given = checked_weights(table, weights)
    others = tuple(given[attribute.name] for attribute in table.others)
    if digits is None:
        own = tuple(given[c.name] * _weight(c, how) for c in table.columns)
        ranges = tuple(map(span, table.columns)) if how == RANGE else ()
        return Scaled(table, own, how, others, ranges)
    rounded = tuple(_rounded_scores(c, _weight(c, how), digits) for c in table.columns)
    return Scaled(
        Table(rounded, table.others, table.order),
        tuple(given[c.name] * (1 if _weight(c, how) else 0) for c in table.columns),
        f"{how}, z-scores rounded to {digits} significant digits",
        others,
    )


def check_significant_digits(how: str, significant_digits: object) -> None:
    """Raise InvalidParameter if z-scores cannot be rounded like this.

    They depend on the scale, and on the number of digits.
    """
    if how in ("none", RANGE):
        raise InvalidParameter(
            f"significant digits apply to z-scores, but standardisation is {how}"
        )
    if type(significant_digits) is not int or not 1 <= significant_digits <= 50:
        raise InvalidParameter(f"significant digits is {significant_digits!r}; it can be 1 to 50")


def weights_by_name(given: object) -> Mapping[str, object]:
    """Return the weights by attribute, empty if none are given.

    Raises InvalidParameter unless they are a mapping.
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InvalidParameter(
            f"weights are {given!r}; give each with the name of its attribute, as {{'age': 2}}"
        )
    return given


def checked_weights(table: Table, weights: Mapping[str, object]) -> dict[str, Fraction]:
    """The weight of each attribute, 1 where none is given. Raises InvalidParameter."""
    if not weights:
        return dict.fromkeys(table.names, Fraction(1))
    for name in weights:
        check_one_of(name, table.names, "a weight is given to", others="the attributes are")
    return {n: positive(weights.get(n, 1), f"the weight of {n!r}") for n in table.names}


def column_mean(column: Column) -> Fraction:
    """The arithmetic mean of a column."""
    return Fraction(column.sums[0], column.denominator * len(column.numerators))


@dataclass(frozen=True, slots=True)
class Moments:
    """The moments of a column that its scale depends on.

    All but the number of records are in units.
    """

    n: int
    unit: int
    total: int
    squares: int
    least: int
    greatest: int

    @property
    def span(self) -> Fraction:
        """The greatest value less the least."""
        return Fraction(self.greatest - self.least, self.unit)

    def variance(self, how: str) -> Fraction:
        """Return the variance with divisor n or n-1.

        The divisor is n for "population" and n-1 for "sample"; the variance of one record is then
        0.
        """
        divisor = self.n if how == "population" else max(self.n - 1, 1)
        return Fraction(self.n * self.squares - self.total**2, self.n * divisor * self.unit**2)

    def weight(self, how: str) -> Fraction:
        """Return the weight of a squared unit on a scale.

        It is 0 if the attribute is constant.
        """
        if how == "none":
            return Fraction(1)
        if how == RANGE:
            return 1 / self.span**2 if self.span else Fraction(0)
        spread = self.variance(how)
        return 1 / spread if spread else Fraction(0)

    def with_more(self, more: Moments) -> Moments:
        """The moments of these records and of more of them."""
        unit = lcm(self.unit, more.unit)
        a, b = unit // self.unit, unit // more.unit
        squares = a**2 * self.squares + b**2 * more.squares
        extremes = min(a * self.least, b * more.least), max(a * self.greatest, b * more.greatest)
        total = a * self.total + b * more.total
        return Moments(self.n + more.n, unit, total, squares, *extremes)


def moments(column: Column) -> Moments:
    """The moments of a column, and its extremes."""
    return Moments(len(column.numerators), column.denominator, *column.sums)


def variance(column: Column, how: str) -> Fraction:
    """Return the variance of a column with divisor n or n-1.

    The divisor is n for "population" and n-1 for "sample"; the variance of one record is then 0.
    """
    return moments(column).variance(how)


def span(column: Column) -> Fraction:
    """The greatest value of a column less the least."""
    return moments(column).span


def _weight(column: Column, how: str) -> Fraction:
    return Fraction(1) if how == "none" else moments(column).weight(how)


def _rounded_scores(column: Column, weight: Fraction, digits: int) -> Column:
    """(x - mean) / standard deviation, rounded to so many significant digits."""
    centre = column_mean(column)
    scale = _decimal(weight).sqrt(_PRECISE)
    rounding = Context(prec=digits, rounding=ROUND_HALF_EVEN)
    scores = (
        rounding.plus(_PRECISE.multiply(_decimal(column[i] - centre), scale))
        for i in range(len(column.numerators))
    )
    return column_of(column.name, map(Fraction, scores))


def _decimal(value: Fraction) -> Decimal:
    return _PRECISE.divide(Decimal(value.numerator), Decimal(value.denominator))
