"""Groups of records as if each were a record: its average vector.

The average of several groups is that of their average vectors: a larger group counts no more than
others. Every space can average some records more than once each, and that is how it is computed:
each group is repeated until all have the same number of records. For categories this is the most
frequent or the middle one with every group weighing the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import Any, TypeVar

from refagg.language.partition import Record
from refagg.language.space import Centroids
from refagg.language.ties import Comparison, Magnitude, Number, Ranking

T = TypeVar("T")
Centroid = Any


class GroupSpace(Centroids[Any]):
    """Space of groups of records; implements `Centroids`.

    Group i is its record i.
    """

    def __init__(self, space: Centroids[Any], groups: Sequence[Sequence[Record]]) -> None:
        self._space = space
        self._groups = groups
        self._centroids = [space.centroid(group) for group in groups]

    @property
    def n(self) -> int:
        return len(self._groups)

    def members(self, groups: Sequence[Record]) -> list[Record]:
        """The records of some groups."""
        return [record for group in groups for record in self._groups[group]]

    def centroid(self, records: Sequence[Record]) -> Centroid:
        times = lcm(*(len(self._groups[group]) for group in records))
        repeated = [g for g in records for _ in range(times // len(self._groups[g]))]
        return self._space.centroid(self.members(repeated))

    def distances(self, origin: Record | Centroid, records: Sequence[Record]) -> Ranking[Record]:
        return self._space.ranked(records, self.raw(origin, records))

    def squared(self, a: Record | Centroid, b: Record | Centroid) -> Number:
        return self._space.squared(self._point(a), self._point(b))

    def raw(self, a: Record | Centroid, others: Sequence[Record | Centroid]) -> list[Magnitude]:
        return self._space.raw(self._point(a), [self._point(other) for other in others])

    def sse(self, records: Sequence[Record]) -> Magnitude:
        return sum(self.raw(self.centroid(records), records))

    def shown(self, raw: Magnitude) -> Number:
        return self._space.shown(raw)

    def measured(self, items: Sequence[T], values: Sequence[Number]) -> Ranking[T]:
        return self._space.measured(items, values)

    def ranked(self, items: Sequence[T], raw: Sequence[Magnitude]) -> Ranking[T]:
        return self._space.ranked(items, raw)

    def less(self, left: Number, right: Number) -> Comparison:
        return self._space.less(left, right)

    def _point(self, point: Record | Centroid) -> Centroid:
        return self._centroids[point] if isinstance(point, int) else point
