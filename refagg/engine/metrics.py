"""Metrics: raw squared distances of records, and the nearest of many centroids.

Estimates leave a few centroids, which are compared by exact distances.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from math import dist, fsum, sqrt
from typing import Any, Protocol, TypeVar

from refagg.engine.frame import EstimatedMetric, Point, estimates_of
from refagg.engine.quadratic import Sums
from refagg.language.partition import Record
from refagg.language.space import Centroids, Numeric
from refagg.language.ties import Later, Magnitude, Number, TiedCandidates, Tolerance, least

T = TypeVar("T")
Row = tuple[float, ...]
Space = Numeric[Any]

FEW = 8
"""Distances from no more centroids are taken without estimates."""


class Metric(Protocol):
    """Records with raw squared distances."""

    @property
    def tolerance(self) -> Tolerance:
        """Return how near two raw squared distances must be to be tied."""

    def raw(self, a: Any, others: Sequence[Any]) -> list[Magnitude]:
        """Return the raw squared distances of a record from others.

        A centroid can take its place if there are any.
        """

    def shown(self, raw: Magnitude) -> Number:
        """A raw number on the scale of the data."""

    def centroid(self, records: Sequence[Record]) -> Any:
        """Return the average of some records.

        The metrics of a vector space have it in binary64.
        """


@dataclass(frozen=True, slots=True)
class OwnDistances:
    """The distances of the space."""

    space: Space
    tolerance: Tolerance

    def raw(self, a: Any, others: Sequence[Any]) -> list[Magnitude]:
        return self.space.raw(a, others)

    def shown(self, raw: Magnitude) -> Number:
        return self.space.shown(raw)

    @property
    def estimates(self) -> EstimatedMetric | None:
        """Return the metric in binary64 with a proved error.

        None if nothing is estimated.
        """
        return estimates_of(self.space)

    def centroid(self, records: Sequence[Record]) -> Any:
        return self.space.centroid(records)


@dataclass(frozen=True, slots=True)
class MetricRows:
    """Records as rows of floats, with a distance of their own."""

    rows: Sequence[Row]
    distance: Callable[[Row, Row], float]
    shown: Callable[[Magnitude], Number]
    tolerance: Tolerance

    def raw(self, a: Record | Row, others: Sequence[Record | Row]) -> list[float]:
        point = self._point(a)
        distances = [self.distance(point, self._point(b)) for b in others]
        return [distance * distance for distance in distances]

    def centroid(self, records: Sequence[Record]) -> Row:
        m = len(records)
        rows = map(self.rows.__getitem__, records)
        return tuple([total / m for total in map(fsum, zip(*rows, strict=True))])

    def _point(self, point: Record | Row) -> Row:
        return point if isinstance(point, tuple) else self.rows[point]


def increase(squared: Magnitude, size: int) -> Magnitude:
    """Return the increase of an SSE by one record.

    It follows from the record's squared distance from the centroid and the size of the group.
    """
    return squared * size / (size + 1)


class ClosestCentroids:
    """Search for the nearest centroids.

    Only those that are near by estimate are measured.
    """

    def __init__(self, space: Centroids[object]) -> None:
        self._space = space
        self._estimates = estimates_of(space)
        self._seen: dict[object, Point] = {}
        self._asked: object = None
        self._coordinates: list[Point] = []

    def of(
        self, origin: object, centroids: Mapping[T, object], sizes: Mapping[T, int] | None = None
    ) -> TiedCandidates[T]:
        """Return the names of the nearest centroids.

        If `sizes` of groups are given, the names are those of the groups whose SSE grows least. A
        mapping that is given again must be as it was, but for what it has lost.
        """

        def values(names: Sequence[T]) -> list[Magnitude]:
            raw = self._space.raw(origin, [centroids[name] for name in names])
            pairs = zip(names, raw, strict=True)
            return [increase(r, sizes[n]) for n, r in pairs] if sizes else raw

        names = list(centroids)
        near = self._likely(origin, centroids, sizes) if len(names) > FEW else names
        tie = least(self._space.ranked(near, values(near)))
        if len(near) == len(names):
            return tie
        return replace(tie, measured=self._space.ranked(names, Later(lambda: values(names))))

    def _likely(
        self, origin: object, centroids: Mapping[T, object], sizes: Mapping[T, int] | None
    ) -> list[T]:
        """The names of those that can be the nearest."""
        if self._estimates is None:
            return list(centroids)
        if centroids is not self._asked or len(centroids) < len(self._coordinates):
            self._asked = centroids
            self._coordinates = list(map(self._located, centroids.values()))
        here = self._located(origin)
        if not here or () in self._coordinates:
            return list(centroids)
        gaps = list(map(dist, repeat(here), self._coordinates))
        if sizes:
            pairs = zip(centroids, gaps, strict=True)
            gaps = [gap * sqrt(sizes[name] / (sizes[name] + 1)) for name, gap in pairs]
        limit = self._estimates.high(min(gaps), errors=2)  # those of a root and a product, too
        return [name for name, gap in zip(centroids, gaps, strict=True) if gap <= limit]

    def _located(self, point: object) -> Point:
        """The coordinates of a record or a point; none outside the frame."""
        if point not in self._seen:
            assert self._estimates is not None
            space = self._estimates.space
            sums = space.centroid([point]) if isinstance(point, int) else point
            assert isinstance(sums, Sums)
            found = space.frame.point(sums)
            self._seen[point] = found if found and max(map(abs, found)) <= 1 else ()
        return self._seen[point]
