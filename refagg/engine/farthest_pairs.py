"""The most distant pairs of ever fewer records, without looking at all pairs each time."""

from __future__ import annotations

from heapq import heappop, heappush
from math import inf
from typing import Any

from refagg.language.space import Centroids
from refagg.language.ties import Ranking, Raw, TiedCandidates, greatest


class FarthestPairs:
    """The most distant pairs of ever fewer records.

    For each record, the distance to its farthest partner when it was last looked at
    bounds the distance to its farthest partner now. Only records whose bound reaches
    the greatest distance found are looked at again.
    """

    def __init__(self, space: Centroids[Any], records: list[int]) -> None:
        self._space = space
        self._bounds: list[tuple[Raw, int]] = [(-inf, record) for record in records]

    def of(self, remaining: list[int]) -> TiedCandidates[tuple[int, int]]:
        """All pairs at the greatest distance, in either order."""
        there = set(remaining)
        best: Raw = 0
        least_tied: Raw = 0
        looked: dict[int, Ranking[int]] = {}
        while self._bounds and -self._bounds[0][0] >= least_tied:
            _, record = heappop(self._bounds)
            if record in there:
                looked[record] = self._space.distances(record, remaining)
                best = max(best, *looked[record].values)
                least_tied = looked[record].tolerance.least_tied(best)
        for record, distances in looked.items():
            heappush(self._bounds, (-max(distances.values), record))
        pairs = [
            (value, (record, partner))
            for record, distances in looked.items()
            if max(distances.values) >= least_tied
            for value, partner in distances.pairs(without={record})
            if value >= least_tied
        ]
        values, items = [value for value, _ in pairs], [pair for _, pair in pairs]
        like = looked[items[0][0]]
        return greatest(Ranking(items, values, like.shown, like.tolerance))
