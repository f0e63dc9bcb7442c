"""The metric of an exact space in binary64, with a proved error (`docs/exact.md`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from math import dist, sqrt
from typing import Any, Protocol

from refagg.engine.frame import ERROR, Framed, Point, shrink_of
from refagg.engine.quadratic import Sums
from refagg.language.partition import Record
from refagg.language.ties import Tolerance


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
        """By how much less a tied distance can be than the one that it is tied with."""
        return shrink_of(self.tolerance)

    @cached_property
    def error(self) -> float:
        """Return the largest error of a distance."""
        return 2 * ERROR * sqrt(len(self.space.points[0]))

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
        """Return the greatest estimate of what can be nearest, or tied, if one is at `least`.

        `errors` says how many times as wrong as distances these numbers can be.
        """
        return least / self.shrink + 4 * errors * self.error


def estimates_of(space: Any) -> EstimatedMetric | None:
    """The squared distances of a space in binary64; None if nothing is estimated."""
    found: EstimatedMetric | None = getattr(space, "estimates", None)
    return found
