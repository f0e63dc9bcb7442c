"""The shortest edges between a growing set of records and the others, as Prim's algorithm asks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from math import dist, inf

from refagg.engine.frame import estimates_of
from refagg.language.partition import Record
from refagg.language.space import Dissimilarities
from refagg.language.ties import Magnitude, TiedCandidates, least

Edge = tuple[Record, Record]
"""Two records, the lower number first."""


class CrossingEdges:
    """For each record outside, the edges to the nearest records inside."""

    def __init__(self, space: Dissimilarities, records: Sequence[Record]) -> None:
        """All records are outside but the first."""
        self._space = space
        self._tolerance = space.ranked((), ()).tolerance
        first, *outside = records
        self._edges: dict[Record, list[tuple[Magnitude, Edge]]] = {record: [] for record in outside}
        self._bounds: dict[Record, Magnitude] = dict.fromkeys(outside, inf)
        self._estimates = estimates_of(space)
        self._limits = dict.fromkeys(outside, inf)
        """The greatest estimated lengths of edges that can be as short as one that was measured."""
        self._measure_from(first)

    def __len__(self) -> int:
        """Return how many records are outside."""
        return len(self._edges)

    def shortest(self) -> TiedCandidates[Edge]:
        """All edges of the least length, of which there must be one."""
        pairs = [pair for edges in self._edges.values() for pair in edges]
        return least(self._space.ranked([edge for _, edge in pairs], [raw for raw, _ in pairs]))

    def add(self, edge: Edge) -> Magnitude:
        """The record of the edge that is outside comes in; the raw length of the edge."""
        record = edge[0] if edge[0] in self._edges else edge[1]
        length = next(raw for raw, other in self._edges.pop(record) if other == edge)
        del self._bounds[record]
        self._measure_from(record)
        return length

    def _measure_from(self, inside: Record) -> None:
        near = self._near(inside, list(self._edges))
        for record, raw in zip(near, self._space.raw(inside, near), strict=True):
            if raw <= self._bounds[record]:
                self._keep(record, raw, (min(inside, record), max(inside, record)))

    def _near(self, inside: Record, outside: list[Record]) -> list[Record]:
        """Return the records whose edge to this one can be as short as their shortest."""
        metric, limits, near = self._estimates, self._limits, []
        if metric is None:
            return outside
        points = metric.space.points
        gaps = map(dist, repeat(points[inside]), map(points.__getitem__, outside))
        for record, gap in zip(outside, gaps, strict=True):
            if gap <= limits[record]:
                near.append(record)
                limits[record] = min(limits[record], metric.high(gap))
        return near

    def _keep(self, record: Record, raw: Magnitude, edge: Edge) -> None:
        """Keep an edge, and of the others those that are tied with the shortest."""
        edges = [*self._edges[record], (raw, edge)]
        bound = self._tolerance.greatest_tied(min(length for length, _ in edges))
        self._edges[record] = [pair for pair in edges if pair[0] <= bound]
        self._bounds[record] = bound
