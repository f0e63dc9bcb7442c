"""Numeric series of equal length, and distances on them.

A distance on series is that of the numeric space on rows derived from them.

Source: J. Nin, V. Torra, "Extending microaggregation procedures for time series protection",
Rough Sets and Current Trends in Computing (2006), which microaggregates series with MDAV under
the Euclidean distance or the short time series distance

    STS(x, y) = sqrt(sum_k ((x_{k+1} - x_k) - (y_{k+1} - y_k))^2 / (t_{k+1} - t_k)^2),

the Euclidean distance of the slopes between successive points. Series that differ by a constant
have the distance 0.

A table holds one series in each row, and a column for each point in time. Groups are formed of
their `slopes`; what is released are point-wise means of the series themselves, not of their
slopes, so that with STS the loss is not the SSE of the space.

By hand: the slopes of (1, 2, 4, 7) and (0, 2, 3, 3) at the times 1, 2, 4, 5 are (1, 1, 3) and
(2, 1/2, 0), with the squared distance 1 + 1/4 + 9.

>>> from refagg import exact_space, table_of
>>> inclines = slopes(table_of([[1, 2, 4, 7], [0, 2, 3, 3]]), [1, 2, 4, 5])
>>> exact_space([inclines.row(0), inclines.row(1)], "none").between(0, 1)
Fraction(41, 4)
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from refagg.data.tables import Column, Table, column_of
from refagg.errors import InvalidParameter

DISTANCES = ("euclidean", "sts")

Time = int | float | Fraction | Decimal


def slopes(table: Table, times: Sequence[Time]) -> Table:
    """The slopes of each series between successive points in time.

    Raises InvalidParameter if the times do not rise, or are not one for each column, or are
    fewer than two.
    """
    columns = table.columns
    exact = _rising(times, len(columns))
    return Table(
        tuple(
            _slope(left, right, t1 - t0)
            for (left, right), (t0, t1) in zip(pairwise(columns), pairwise(exact), strict=True)
        )
    )


def _slope(left: Column, right: Column, duration: Fraction) -> Column:
    pairs = zip(_values(left), _values(right), strict=True)
    return column_of(f"{left.name}..{right.name}", [(y - x) / duration for x, y in pairs])


def _values(column: Column) -> list[Fraction]:
    return column.values(range(len(column.numerators)))


def _rising(times: Sequence[Time], points: int) -> list[Fraction]:
    if len(times) != points:
        raise InvalidParameter(f"{len(times)} times are given for series of {points} points")
    if points < 2:
        raise InvalidParameter("a series of one point has no slope; sts needs two points")
    exact = [_exact(time) for time in times]
    for before, after in pairwise(exact):
        if after <= before:
            raise InvalidParameter(f"times must rise strictly, but {after} follows {before}")
    return exact


def _exact(time: Time) -> Fraction:
    try:
        if isinstance(time, (bool, str)):
            raise TypeError
        return Fraction(time)
    except (TypeError, ValueError, OverflowError):
        raise InvalidParameter(f"{time!r} is not a time; give finite numbers") from None
