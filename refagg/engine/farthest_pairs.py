"""The most distant pairs of ever fewer records, without looking at all pairs each time."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from refagg.engine.pool import Remaining
from refagg.language.partition import Record
from refagg.language.ties import Magnitude, Ranking, TiedCandidates, greatest


class FarthestPairs:
    """The most distant pairs of ever fewer records.

    For each record, the distance to its farthest partner when it was last looked at
    bounds the distance to its farthest partner now. Only records whose bound reaches
    the greatest distance found are looked at again. The first bounds are the pool's own.
    """

    def __init__(self, pool: Remaining) -> None:
        self._pool = pool
        self._bounds: list[tuple[Magnitude, Record]] | None = None

    def of(self) -> TiedCandidates[tuple[Record, Record]]:
        """All pairs of the pool at the greatest distance, in either order."""
        if self._bounds is None:
            self._bounds = [(-reach, record) for record, reach in self._pool.reaches()]
            heapify(self._bounds)
        best: Magnitude = 0
        least_tied: Magnitude = 0
        looked: dict[Record, TiedCandidates[Record]] = {}
        while self._bounds and -self._bounds[0][0] >= least_tied:
            _, record = heappop(self._bounds)
            if record in self._pool:
                looked[record] = self._pool.farthest(record, {record})
                best = max(best, looked[record].best)
                least_tied = looked[record].measured.tolerance.least_tied(best)
        looked = dict(sorted(looked.items()))  # in whatever order they were looked at
        for record, tie in looked.items():
            heappush(self._bounds, (-tie.best, record))
        pairs = [
            (value, (record, partner))
            for record, tie in looked.items()
            if tie.best >= least_tied
            for partner, value in tie.raw().items()
            if value >= least_tied
        ]
        values, items = [value for value, _ in pairs], [pair for _, pair in pairs]
        like = looked[items[0][0]].measured
        return greatest(Ranking(items, values, like.shown, like.tolerance))
