"""Metrics: a raw, squared distance for two records, and averages where there are any."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, Protocol

from refagg.engine.frame import EstimatedMetric, estimates_of
from refagg.language.partition import Record
from refagg.language.space import Numeric
from refagg.language.ties import Magnitude, Number, Tolerance

Row = tuple[float, ...]
Space = Numeric[Any]


class Metric(Protocol):
    """Records with raw squared distances."""

    @property
    def tolerance(self) -> Tolerance:
        """Return how near two raw squared distances must be to be tied."""

    def raw(self, a: Any, others: Sequence[Any]) -> list[Magnitude]:
        """The raw squared distances of one record, or centroid if there are any, from others."""

    def shown(self, raw: Magnitude) -> Number:
        """A raw number on the scale of the data."""

    def centroid(self, records: Sequence[Record]) -> Any:
        """The average of some records; the metrics of a vector space have it in binary64."""


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
        """Return the metric in binary64, with a proved error; None if nothing is estimated."""
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
