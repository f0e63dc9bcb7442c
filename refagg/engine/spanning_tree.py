"""Shortest edges that leave a growing set of records.

Prim's algorithm asks for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import compress, repeat
from math import dist, inf
from operator import ge, le

from refagg.engine.frame import estimates_of
from refagg.language.partition import Record
from refagg.language.space import Dissimilarities
from refagg.language.ties import Later, Magnitude, Ranking, TiedCandidates, least

Edge = tuple[Record, Record]
"""Two records, the lower number first."""


class CrossingEdges:
    """Edges from each outside record to the nearest records inside."""

    def __init__(self, space: Dissimilarities, records: Sequence[Record]) -> None:
        """All records are outside but the first."""
        self._space = space
        self._tolerance = space.ranked((), ()).tolerance
        first, *outside = records
        self._edges: dict[Record, list[tuple[Magnitude, Edge]]] = {record: [] for record in outside}
        self._least: dict[Record, Magnitude] = dict.fromkeys(outside, inf)
        self._estimates = estimates_of(space)
        self._limits = dict.fromkeys(outside, inf)
        """The greatest estimated lengths of edges that can be as short as one that was measured."""
        self._measure_from(first)

    def __len__(self) -> int:
        """Return how many records are outside."""
        return len(self._edges)

    def shortest(self) -> TiedCandidates[Edge]:
        """All edges of the least length, of which there must be one."""
        bound = self._tolerance.greatest_tied(min(self._least.values()))
        near = compress(self._edges.values(), map(ge, repeat(bound), self._least.values()))
        tie = least(self._ranked([pair for edges in near for pair in edges]))
        every = Later(lambda: [pair for edges in self._edges.values() for pair in edges])
        return replace(tie, measured=self._ranked(every))

    def _ranked(self, pairs: Sequence[tuple[Magnitude, Edge]]) -> Ranking[Edge]:
        edges = Later(lambda: [edge for _, edge in pairs])
        return self._space.ranked(edges, Later(lambda: [raw for raw, _ in pairs]))

    def add(self, edge: Edge) -> Magnitude:
        """Move the outside record of the edge inside.

        Return the raw length of the edge.
        """
        record = edge[0] if edge[0] in self._edges else edge[1]
        length = next(raw for raw, other in self._edges.pop(record) if other == edge)
        del self._least[record], self._limits[record]
        self._measure_from(record)
        return length

    def _measure_from(self, inside: Record) -> None:
        near = self._near(inside, list(self._edges))
        for record, raw in zip(near, self._space.raw(inside, near), strict=True):
            if raw <= self._tolerance.greatest_tied(self._least[record]):
                self._keep(record, raw, (min(inside, record), max(inside, record)))

    def _near(self, inside: Record, outside: list[Record]) -> list[Record]:
        """Return the records whose edge to this one can be shortest.

        Such an edge can be as short as the record's shortest edge.
        """
        metric = self._estimates
        if metric is None:
            return outside
        points = metric.space.points
        gaps = list(map(dist, repeat(points[inside]), map(points.__getitem__, outside)))
        are_near = list(map(le, gaps, self._limits.values()))
        for record, gap in compress(zip(outside, gaps, strict=True), are_near):
            self._limits[record] = min(self._limits[record], metric.high(gap))
        return list(compress(outside, are_near))

    def _keep(self, record: Record, raw: Magnitude, edge: Edge) -> None:
        """Keep an edge, and the others tied with the shortest."""
        self._least[record] = shortest = min(raw, self._least[record])
        edges, bound = (*self._edges[record], (raw, edge)), self._tolerance.greatest_tied(shortest)
        self._edges[record] = [pair for pair in edges if pair[0] <= bound]
