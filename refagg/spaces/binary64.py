"""The numeric space in binary64 floating point.

Coordinates are computed exactly (less the median of their attribute, times the
root of its weight), rounded, and scaled by a common power of two to at most 1 in
size, so that no square overflows and none that matters underflows. Distances come
from `math.dist`, means from `math.fsum`; heights of many clusters are made of squares in arrays.

Distances that differ by rounding are taken to be tied. What counts as rounding depends on
the largest coordinate, so that records which are about a million times nearer to each other
than the data are wide can be tied here and not in exact arithmetic; and a threshold test
between squared distances that small may see a difference where there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from fractions import Fraction
from itertools import repeat
from math import dist, fsum, ldexp, sqrt
from operator import ge, mul
from typing import TypeVar

from refagg.data.standardise import Scaled, standardise
from refagg.data.tables import table_of
from refagg.engine.filtered_pool import planter
from refagg.engine.frame import Query, query_around
from refagg.engine.quadratic import Pool
from refagg.errors import BeyondFloats
from refagg.language.partition import Record
from refagg.language.space import Numeric
from refagg.language.ties import Comparison, Number, Ranking, Tolerance, as_it_is
from refagg.spaces.exact import middle

TIE = Tolerance(relative=2.0**-40, absolute=2.0**-49)
"""Distances that differ by no more are taken to be equal, and their difference to be rounding.

The absolute part is on coordinates of at most 1 in size.
"""

SQUARED_TIE = Tolerance(relative=Fraction(1, 2**39))
"""The same for squared distances, which are on the scale of the data."""

RAW_TIE = Tolerance(relative=2.0**-39, absolute=2.0**-97)
"""The same for squared distances, and sums of them, on the scale of the coordinates."""

FEWEST = 500
"""Of fewer records each question looks at all."""

LEAST_EXPONENT, MOST_EXPONENT = -1010, 1023
"""Rows are given out where their largest coordinate is at least about 2^-1010, and the sum of all
coordinates of an attribute at most 2^1023."""

T = TypeVar("T")
Centroid = tuple[float, ...]


class FloatSpace(Numeric[Centroid]):
    """Records with binary64 coordinates; implements `Real`."""

    tolerance = TIE

    def __init__(self, scaled: Scaled) -> None:
        squares = [
            w / c.denominator**2 for c, w in zip(scaled.table.columns, scaled.weights, strict=True)
        ]
        numerators = [column.numerators for column in scaled.table.columns]
        centres = list(map(middle, numerators))
        self._exponent, scaled_columns = coordinates(numerators, centres, squares)
        self.points: list[tuple[float, ...]] = list(zip(*scaled_columns, strict=True))
        """The coordinates on the scale of the space."""
        denominators = [column.denominator for column in scaled.table.columns]
        self.origin = tuple(map(Fraction, centres, denominators))
        self.weights = scaled.weights

    @property
    def n(self) -> int:
        """The number of records."""
        return len(self.points)

    @property
    def rows(self) -> Sequence[tuple[float, ...]]:
        """The coordinates on the scale of the data. Raises BeyondFloats."""
        most = MOST_EXPONENT - self.n.bit_length()
        if not LEAST_EXPONENT <= self._exponent <= most:
            raise BeyondFloats(
                f"the largest coordinate of a record is about 2^{self._exponent}; this algorithm "
                f"computes in binary64, where it can be from 2^{LEAST_EXPONENT} to 2^{most}; "
                "standardise the attributes, or measure them in other units"
            )
        return [tuple(ldexp(x, self._exponent) for x in row) for row in self.points]

    def centroid(self, records: Sequence[Record]) -> Centroid:
        m = len(records)
        rows = map(self.points.__getitem__, records)
        return tuple([total / m for total in map(fsum, zip(*rows, strict=True))])

    def distances(self, origin: Record | Centroid, records: Sequence[Record]) -> Ranking[Record]:
        point, rows = self._point(origin), self.points
        values = [dist(point, rows[i]) for i in records]
        return Ranking(records, values, self._shown, self.tolerance)

    def pool(self, records: Sequence[Record]) -> Pool:
        """Return an engine for repeated queries about these records."""
        if len(records) < FEWEST or any(map(ge, records, records[1:])):
            return Pool(self, records)
        columns = zip(*map(self.points.__getitem__, records), strict=True)
        plant = planter("auto", len(records))
        tree = plant(records, [(column, 1.0) for column in columns])
        return Pool(self, records, tree, self._query)

    def _query(self, origin: Record | Centroid) -> Query:
        """Return the query around a record or a point.

        Its limits are wider than the tolerance and the errors of estimates (`docs/exact.md`).
        """
        return query_around(self._point(origin), 1 - 2.0**-39, 4, 2.0**-48)

    def squared(self, a: Record | Centroid, b: Record | Centroid) -> Fraction:
        return self._shown(dist(self._point(a), self._point(b)))

    def raw(self, a: Record | Centroid, others: Sequence[Record | Centroid]) -> list[float]:
        point, rows = self._point(a), self.points
        points = [b if isinstance(b, tuple) else rows[b] for b in others]
        return [distance * distance for distance in map(dist, repeat(point), points)]

    def shown(self, raw: float) -> Fraction:
        return Fraction(raw) * Fraction(4) ** self._exponent

    def ranked(self, items: Sequence[T], raw: Sequence[float]) -> Ranking[T]:
        return Ranking(items, raw, self.shown, RAW_TIE)

    def sse(self, records: Sequence[Record]) -> float:
        return fsum(self.raw(self.centroid(records), records))

    def point(self, coordinates: Sequence[float]) -> Centroid:
        """Return the point with these coordinates, on the scale of the space."""
        return tuple([ldexp(x, -self._exponent) for x in coordinates])

    def point_at(self, values: Sequence[Fraction]) -> Centroid:
        scales = zip(values, self.origin, self.weights, strict=True)
        return self.point([float(value - at) * sqrt(weight) for value, at, weight in scales])

    @property
    def width(self) -> int:
        return len(self.points[0])

    def attribute(self, number: int) -> Sequence[float]:
        return [row[number] for row in self.points]

    def factor(self, number: int) -> float:
        return 1.0

    def without(self, number: int) -> FloatSpace:
        other = copy(self)
        other.points = [(*row[:number], 0.0, *row[number + 1 :]) for row in self.points]
        return other

    def measured(self, items: Sequence[T], values: Sequence[Number]) -> Ranking[T]:
        return Ranking(items, values, as_it_is, SQUARED_TIE)

    def less(self, left: Number, right: Number) -> Comparison:
        near = SQUARED_TIE.least_tied(max(left, right)) <= min(left, right)
        return Comparison(left, right, (left < right and not near,))

    def _point(self, point: Record | Centroid) -> Centroid:
        return point if isinstance(point, tuple) else self.points[point]

    def _shown(self, distance: float) -> Fraction:
        """Return the exact squared distance on the scale of the data.

        It may be outside the range of binary64.
        """
        return Fraction(distance) ** 2 * Fraction(4) ** self._exponent


def coordinates(
    columns: Sequence[Sequence[int]], centres: Sequence[int], squares: Sequence[Fraction]
) -> tuple[int, list[list[float]]]:
    """Return each attribute's centred numbers, times the root of its square.

    They are scaled by a common power of two, whose exponent is given, too, to at most 1 in size.
    """
    integers = [[x - c for x in column] for column, c in zip(columns, centres, strict=True)]
    bits = [max(max(column), -min(column)).bit_length() for column in integers]
    counting = [(b, s) for b, s in zip(bits, squares, strict=True) if b and s]
    exponent = max((b + _half_log(s) for b, s in counting), default=0)
    found = []
    for column, b, square in zip(integers, bits, squares, strict=True):
        factor = sqrt(square * Fraction(4) ** (b - exponent)) if b and square else 0.0
        if (scale := ldexp(factor, -b)) >= 2.0**LEAST_EXPONENT:  # the product is the same
            found.append(list(map(mul, column, repeat(scale))))
        else:
            found.append([x / (1 << b) * factor for x in column])
    return exponent, found


def _half_log(square: Fraction) -> int:
    """Return an upper bound of the binary logarithm of a root.

    The root is that of a positive number.
    """
    return (square.numerator.bit_length() - square.denominator.bit_length() + 2) // 2


def float_space(data: object, how: str = "none") -> FloatSpace:
    """The binary64 numeric space of some data; see `table_of` and `standardise`.

    >>> import refagg
    >>> refagg.float_space([[0, 0], [3, 4]]).between(0, 1)
    Fraction(25, 1)
    """
    return FloatSpace(standardise(table_of(data), how))
