"""Binary64 coordinates with proved errors of distances; they filter exact predicates.

Coordinates are scaled by one power of two, so that those of the rows of the frame are at most 1 in
size. `docs/exact.md` proves the bounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import repeat
from math import dist, sqrt
from operator import mul, sub, truediv
from typing import NamedTuple, Protocol

from refagg.engine.quadratic import Quadratic, Row, Sums
from refagg.language.partition import Record
from refagg.language.ties import Tolerance

Point = tuple[float, ...]

Site = int
"""A place where records are; called after one of them."""

Found = list[tuple[float, Site]]
"""Sites with their distances."""

Coordinates = tuple[Iterable[float], float]
"""Numbers, and the factor that makes them coordinates in one attribute."""

Ends = Sequence[tuple[int, int]]
"""The least and the greatest value."""

UNIT = 2.0**-53
ERROR = 8 * UNIT
"""Times root p, times 1 + the greatest coordinate: by how much a distance can be wrong."""

FARTHEST = 2.0**60
"""Points with greater coordinates are too far away for distances in binary64."""

SHIFTED = 500
"""A factor over 2 to the power of no more does not underflow."""

DEEPEST = 400
"""No factor is less than 2 to the power of less than that."""


class Query(NamedTuple):
    """A point, with limits for the estimates worth finding.

    The limits say what is near enough to the extreme estimate: at least `low(e)` if e is the
    greatest, at most `high(e)` if it is the m-th least. `shrink` is at most 1. `slack` is for the
    bounds of planes, balls and boxes.
    """

    point: Point
    shrink: float
    margin: float
    slack: float

    def low(self, greatest: float) -> float:
        return greatest * self.shrink - self.margin

    def high(self, least: float) -> float:
        return least / self.shrink + self.margin


def error_of(point: Point) -> float:
    """Return the error of a distance of this point by `math.dist`.

    It is that from a point with coordinates up to 1 in size.
    """
    return ERROR * sqrt(len(point)) * (1 + max(map(abs, point)))


def query_around(point: Point, shrink: float, errors: float, more: float = 0.0) -> Query:
    """Return a query with a margin of so many errors, and more."""
    error = error_of(point)
    return Query(point, shrink, errors * error + more, (8 + len(point) / 4) * error)


@dataclass(frozen=True, slots=True)
class CoordinateFrame:
    """A coordinate frame in binary64.

    Attribute j of a point x has the coordinate (x_j - centre_j) / 2^bits_j * factors_j. That is
    (x_j - centre_j) root(W_j) / 2^exponent, rounded.
    """

    centre: Row
    bits: tuple[int, ...]
    factors: tuple[float, ...]
    exponent: int

    def point(self, sums: Sums) -> Point | None:
        """The coordinates of a point; None if they are beyond use."""
        m = sums.count
        columns = zip(sums.values, self.centre, self.bits, self.factors, strict=True)
        try:
            point = tuple([(s - m * c) / (m << b) * f for s, c, b, f in columns])
        except OverflowError:
            return None
        return point if max(map(abs, point)) <= FARTHEST else None

    def columns(self, squares: Quadratic, records: Sequence[int]) -> Iterator[Coordinates]:
        """The coordinates of some records, attribute by attribute."""
        for j, (c, b, f) in enumerate(zip(self.centre, self.bits, self.factors, strict=True)):
            values = squares.attribute(j, records)
            away: Iterable[int] = map(sub, values, repeat(c)) if c else values
            # The same to the last bit: only the size of factors of two differs.
            yield (map(truediv, away, repeat(1 << b)), f) if b > SHIFTED else (away, f / 2.0**b)

    def query(self, sums: Sums, shrink: float) -> Query | None:
        """Return the query around a point.

        None if the point is too far away.
        """
        point = self.point(sums)
        if point is None:
            return None
        return query_around(point, shrink, 2 if shrink == 1 else 4)

    def square_above(self, distance: float) -> int:
        """Return an upper bound of an exact squared distance, in integers.

        The distance given is one in the frame.
        """
        scaled = int(distance * 2.0**60) + 1
        return (scaled * scaled << 2 * self.exponent >> 120) + 1


class Framed(Protocol):
    """An exact space with the coordinates of its records in a frame."""

    @property
    def tolerance(self) -> Tolerance: ...

    @property
    def frame(self) -> CoordinateFrame: ...

    @property
    def points(self) -> list[Point]: ...


def points_of(columns: Iterable[Coordinates]) -> list[Point]:
    """Return the points with these coordinates, attribute by attribute."""
    scaled = [map(mul, numbers, repeat(factor)) for numbers, factor in columns]
    return list(zip(*scaled, strict=True))


def frame_of(squares: Quadratic, records: Sequence[int], ends: Ends = ()) -> CoordinateFrame:
    """Return a frame in which these records have coordinates up to 1.

    `ends` are those of each attribute, if known.
    """
    weights = squares.weights
    columns = (squares.attribute(j, records) for j in range(len(weights)))  # one at a time
    ends = ends or [(min(column), max(column)) for column in columns]
    centre = tuple([centre_of(low, high) for low, high in ends])
    bits = [max(h - c, c - low).bit_length() for (low, h), c in zip(ends, centre, strict=True)]
    counting = [(b, w) for b, w in zip(bits, weights, strict=True) if b and w]
    exponent = max((b + (w.bit_length() + 1) // 2 for b, w in counting), default=0)
    # Other points can differ where the rows do not, or hardly: no factor underflows or overflows.
    logs = [(w.bit_length() + 1) // 2 for w in weights]
    bits = [max(b, exponent - log - DEEPEST) for b, log in zip(bits, logs, strict=True)]
    largest = Fraction(FARTHEST) ** 4
    factors = [
        sqrt(min(w * Fraction(4) ** (b - exponent), largest))
        for b, w in zip(bits, weights, strict=True)
    ]
    return CoordinateFrame(centre, tuple(bits), tuple(factors), exponent)


def centre_of(low: int, high: int) -> int:
    """The middle of a range, or 0 where that costs one bit."""
    middle = (low + high) // 2
    costs = max(high, -low).bit_length() - (high - middle).bit_length()
    return 0 if costs <= 1 and low < high else middle


def shrink_of(tolerance: Tolerance) -> float:
    """Return the ratio of the least to the greatest tied distance."""
    return sqrt(1 - tolerance.relative) if tolerance.relative else 1.0


class ExactCentroids(Framed, Protocol):
    """The exact space, as this metric sees it."""

    def centroid(self, records: Sequence[Record]) -> Sums: ...


@dataclass(frozen=True)
class EstimatedMetric:
    """Squared distances between records and centroids of some; implements `Metric`.

    These lie within the frame, so that one error holds for the distances of all.
    """

    space: ExactCentroids

    @property
    def tolerance(self) -> Tolerance:
        return self.space.tolerance

    @cached_property
    def shrink(self) -> float:
        """Return the ratio of the least to the greatest tied distance."""
        return shrink_of(self.tolerance)

    @property
    def width(self) -> int:
        """The number of attributes."""
        return len(self.space.points[0])

    @cached_property
    def error(self) -> float:
        """Return the largest error of a distance."""
        return 2 * ERROR * sqrt(self.width)

    def raw(self, a: Record | Point, others: Sequence[Record | Point]) -> list[float]:
        """The squares of estimated distances."""
        records = self.space.points
        points = [b if isinstance(b, tuple) else records[b] for b in others]
        point = a if isinstance(a, tuple) else records[a]
        return [gap * gap for gap in map(dist, repeat(point), points)]

    def shown(self, raw: float) -> float:
        return raw

    def centroid(self, records: Sequence[Record]) -> Point:
        """The coordinates of the centroid of some records."""
        if len(records) == 1:
            return self.space.points[records[0]]
        point = self.space.frame.point(self.space.centroid(records))
        assert point is not None, "a centroid lies among the records"
        return point

    def high(self, least: float, errors: float = 1) -> float:
        """Return the greatest estimate of a nearest or tied record.

        One record is at the estimate `least`. `errors` says how many times as wrong as distances
        these numbers can be.
        """
        return least / self.shrink + 4 * errors * self.error

    def low(self, greatest: float) -> float:
        """Return the least estimate of a farthest or tied record.

        One record is at the estimate `greatest`.
        """
        return greatest * self.shrink - 4 * self.error


def estimates_of(space: object) -> EstimatedMetric | None:
    """Return the estimated squared distances of a space, in binary64.

    None if nothing is estimated.
    """
    found: EstimatedMetric | None = getattr(space, "estimates", None)
    return found
