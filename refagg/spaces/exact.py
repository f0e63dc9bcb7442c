"""The numeric space in exact arithmetic.

Everything is a Python integer. Attribute j has a weight w_j and values that are
integers over a denominator; both are brought to one integer W_j over a
common `unit`, so that the squared distance of two records is

    sum_j W_j (x_j - y_j)^2 / unit.

A centroid is kept as (number of records, sums of values); see `refagg.engine.quadratic`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property, partial
from math import gcd, lcm
from typing import NoReturn, TypeVar

from refagg.data.standardise import Scaled, standardise
from refagg.data.tables import table_of
from refagg.engine.filtered_pool import ENGINES, FilteredPool, planter
from refagg.engine.frame import CoordinateFrame, EstimatedMetric, Point, frame_of, points_of
from refagg.engine.quadratic import Pool, Quadratic, Remaining, Sums, row_sequence
from refagg.errors import UnsupportedArithmetic
from refagg.language.lists import check_one_of
from refagg.language.partition import Record
from refagg.language.space import Numeric
from refagg.language.ties import Ranking, Tolerance

T = TypeVar("T")

DIGIT = 30
"""The bits of a digit of a Python integer."""

NO_FLOATS = (
    "the space is exact, and the algorithm needs coordinates in binary64; run it in a float_space"
)

MOST_TOLERANCE = Fraction(1, 4)
"""With a greater one nothing is estimated."""


class ExactSpace(Numeric[Sums]):
    """Records with rational coordinates; implements `Numeric`.

    `tolerance` widens ties: candidates whose squared distances differ relatively
    by no more are tied too. 0, the default, is exact. A judge of implementations
    that compute in floating point uses another. All of ENGINES give the same answers.

    Raises InvalidParameter.
    """

    def __init__(
        self, scaled: Scaled, tolerance: Fraction = Fraction(0), engine: str = "auto"
    ) -> None:
        self.tolerance = Tolerance(tolerance)
        if engine != "auto":
            check_one_of(engine, ENGINES, "the engine is")
        self._filtered = engine != "plain" and tolerance <= MOST_TOLERANCE
        self._engine = engine
        columns = scaled.table.columns
        weights = [w / c.denominator**2 for c, w in zip(columns, scaled.weights, strict=True)]
        unit = lcm(*(w.denominator for w in weights))
        whole = [w.numerator * (unit // w.denominator) for w in weights]
        divisor = gcd(*whole) or 1
        self._unit = Fraction(unit, divisor)
        self._columns = [c.numerators for c in columns]
        self._denominators = [c.denominator for c in columns]
        shorter, self._ends = zip(*map(shorter_numerators, self._columns), strict=True)
        self._rows = row_sequence(shorter)
        self.squares = Quadratic(self._rows, [w // divisor for w in whole], shorter)

    @property
    def n(self) -> int:
        """The number of records."""
        return len(self._rows)

    @property
    def rows(self) -> NoReturn:
        """Raises UnsupportedArithmetic: these are coordinates in binary64, of a `FloatSpace`."""
        raise UnsupportedArithmetic(NO_FLOATS)

    origin = rows

    def centroid(self, records: Sequence[Record]) -> Sums:
        rows = map(self._rows.__getitem__, records)
        return Sums(len(records), tuple(map(sum, zip(*rows, strict=True))))

    def point_at(self, values: Sequence[Fraction]) -> Sums:
        scales = zip(values, self._denominators, self._columns, self._rows[0], strict=True)
        places = [value * d - (column[0] - first) for value, d, column, first in scales]
        count = lcm(*(place.denominator for place in places))
        return Sums(count, tuple(int(place * count) for place in places))

    def distances(self, origin: Record | Sums, records: Sequence[Record]) -> Ranking[Record]:
        point = self._sums(origin)
        values = self.squares.distances(point.count, point.values, records)
        return Ranking(records, values, self.shown_from(point.count), self.tolerance)

    def shown_from(self, count: int) -> Callable[[int], Fraction]:
        """Return the function from a point's integers to squared distances.

        The point has `count` records.
        """
        return partial(_over, count=count, unit=self._unit)

    @cached_property
    def frame(self) -> CoordinateFrame:
        """The coordinates of all records in binary64."""
        return frame_of(self.squares, range(self.n), self._ends)

    @cached_property
    def points(self) -> list[Point]:
        """All records in the frame."""
        return points_of(self.frame.columns(self.squares, range(self.n)))

    @property
    def estimates(self) -> EstimatedMetric | None:
        """Distances in binary64 with a proved error; None if nothing is estimated."""
        return EstimatedMetric(self) if self._filtered else None

    def pool(self, records: Sequence[Record]) -> Remaining:
        """Return an engine for repeated queries about these records."""
        if not self._filtered:
            return Pool(self, records)
        return FilteredPool(self, records, planter(self._engine, len(records)))

    def squared(self, a: Record | Sums, b: Record | Sums) -> Fraction:
        return self._raw(self._sums(a), self._sums(b)) / self._unit

    def raw(self, a: Record | Sums, others: Sequence[Record | Sums]) -> list[int | Fraction]:
        p = self._sums(a)
        records = [b for b in others if not isinstance(b, Sums)]
        if p.count == 1 and len(records) == len(others):
            return [*self.squares.distances(1, p.values, records)]
        return [self._raw(p, self._sums(b)) for b in others]

    def shown(self, raw: int | Fraction) -> Fraction:
        return raw / self._unit

    def sse(self, records: Sequence[Record]) -> Fraction:
        norms = sum([self.squares.norms[record] for record in records])
        s = self.centroid(records)
        return Fraction(s.count * norms - self.squares.square(s.values), s.count)

    @property
    def width(self) -> int:
        return len(self._rows[0])

    def attribute(self, number: int) -> Sequence[int]:
        return self._columns[number]

    def factor(self, number: int) -> int:
        return self.squares.weights[number]

    def without(self, number: int) -> ExactSpace:
        other = copy(self)
        weights = [0 if j == number else w for j, w in enumerate(self.squares.weights)]
        other.squares = Quadratic(self._rows, weights, self.squares.columns)
        for of_all in ("frame", "points"):
            other.__dict__.pop(of_all, None)
        return other

    def _raw(self, p: Sums, q: Sums) -> Fraction:
        return self.squares.between(p.count, p.values, q.count, q.values)

    def _sums(self, point: Record | Sums) -> Sums:
        return point if isinstance(point, Sums) else Sums(1, self._rows[point])


def _over(value: int, count: int, unit: Fraction) -> Fraction:
    return value / (count**2 * unit)


def centred(numerators: Sequence[int]) -> list[int]:
    """The values less their middle one: smaller numbers, the same differences."""
    centre = middle(numerators)
    return [x - centre for x in numerators]


def shorter_numerators(numerators: Sequence[int]) -> tuple[Sequence[int], tuple[int, int]]:
    """The values, less their middle if that saves digits, and their ends."""
    least, greatest = min(numerators), max(numerators)
    digits = max(abs(least), abs(greatest)).bit_length() // DIGIT
    middle = (least + greatest) // 2
    centre = middle if (greatest - middle).bit_length() // DIGIT < digits else 0
    shorter = [x - centre for x in numerators] if centre else numerators
    return shorter, (least - centre, greatest - centre)


def middle(numerators: Sequence[int]) -> int:
    """The upper median, which is one of the values."""
    return sorted(numerators)[len(numerators) // 2]


def exact_space(data: object, how: str = "none", tolerance: Fraction = Fraction(0)) -> ExactSpace:
    """The exact numeric space of some data; see `table_of` and `standardise`.

    >>> import refagg
    >>> refagg.exact_space([[0, 0], [3, 4]]).between(0, 1)
    Fraction(25, 1)
    """
    return ExactSpace(standardise(table_of(data), how), tolerance)
