"""Ward's merging of groups until all have k records, which the k-Ward algorithms share.

Merging two groups of n_i and n_j records raises the SSE by n_i n_j / (n_i + n_j) times the
squared distance of their centroids. This cost can never fall: after i and j have merged,
their union is at least as far from any third group as the nearer of the two was. So what a
group's nearest partners cost when it was last looked at bounds what they cost now, and it is
looked at again only when all of them are gone and the bound is among the least.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any

from refagg.model import Partition, Record
from refagg.run import Run
from refagg.spaces.protocol import Centroids
from refagg.specification import Tied
from refagg.ties import Raw, Tie, least

Space = Centroids[Any]
Pair = tuple[Record, Record]

MERGE = Tied(
    "merge",
    "2",
    "the two groups, at least one of them below k, whose merging costs least "
    "(each named by its lowest record)",
    "pair",
    "SSE",
)

COST = "O(n^2) distances and O(n) memory; k equal records or more make long lists of ties"


def divided(
    space: Space,
    k: int,
    run: Run,
    first_two: Callable[[list[Record]], list[list[Record]]],
) -> Partition:
    """k-Ward: all records, and again every group of 2k or more, as one set to be divided."""
    waiting = [space.records()]
    groups = []
    while waiting:
        records = waiting.pop()
        if len(records) < 2 * k:
            # 4.
            groups.append(run.closed(records))
        else:
            # 1. to 3.
            two = first_two(records)
            taken = {record for group in two for record in group}
            singles = [[record] for record in records if record not in taken]
            waiting += merged(space, k, run, [*two, *singles])
    return Partition.of(groups, space.n)


def final(k: int, records: Sequence[Record]) -> bool:
    """Is each group of this division one of the result, because none can reach 2k records?

    Of fewer than 3k records, 2k are in the first two groups, and fewer than k join one of them.
    """
    return len(records) < 3 * k


def merged(space: Space, k: int, run: Run, groups: list[list[Record]]) -> list[list[Record]]:
    """Merge, at the least cost, until every group has k records; two that have them never."""
    remain = final(k, [record for group in groups for record in group])
    clusters = _Clusters(space, k)
    for group in groups:
        clusters.add(run.together(group) if remain else group)
    while clusters.small:
        a, b = run.one("merge", clusters.cheapest())
        union = clusters.merge(a, b)
        if remain:
            run.together(union)
    return list(clusters.members.values())


class _Clusters:
    """The groups at some time, each with its nearest partners when it was last looked at.

    Groups are numbered as they are formed. A pair that costs least is always among the
    nearest partners of the later of the two.
    """

    def __init__(self, space: Space, k: int) -> None:
        self._space = space
        self._k = k
        self._tolerance = space.ranked([], []).tolerance
        self.members: dict[int, list[Record]] = {}
        self.small = 0
        """How many groups have fewer than k records."""
        self._lowest: dict[int, Record] = {}
        self._with_lowest: dict[Record, int] = {}
        self._by_size: dict[int, dict[int, Any]] = {}
        self._near: dict[int, dict[int, Raw]] = {}
        self._bounds: list[tuple[Raw, int]] = []
        self._formed = 0

    def add(self, records: list[Record]) -> None:
        """One more group; the centroid of a single record is the record."""
        number, size = self._formed, len(records)
        self._formed += 1
        self.members[number] = records
        self.small += size < self._k
        self._lowest[number] = min(records)
        self._with_lowest[min(records)] = number
        point = records[0] if size == 1 else self._space.centroid(records)
        self._by_size.setdefault(size, {})[number] = point
        self._near[number] = {}
        heappush(self._bounds, (0, number))

    def merge(self, a: Record, b: Record) -> list[Record]:
        """Merge the groups whose lowest records are a and b."""
        union: list[Record] = []
        for number in (self._with_lowest.pop(a), self._with_lowest.pop(b)):
            records = self.members.pop(number)
            del self._by_size[len(records)][number], self._near[number]
            self.small -= len(records) < self._k
            union += records
        self.add(union)
        return union

    def cheapest(self) -> Tie[Pair]:
        """All pairs whose merging costs least."""
        looked: list[tuple[Raw, int]] = []
        best: Raw = None
        while self._bounds and (
            best is None or self._bounds[0][0] <= self._tolerance.greatest_tied(best)
        ):
            _, number = heappop(self._bounds)
            if number in self.members and (near := self._partners(number)):
                cost = min(near.values())
                looked.append((cost, number))
                best = cost if best is None else min(best, cost)
        costs: dict[Pair, Raw] = {}
        for bound in looked:
            heappush(self._bounds, bound)
            lowest = self._lowest[bound[1]]
            for partner, cost in self._near[bound[1]].items():
                other = self._lowest[partner]
                costs[min(lowest, other), max(lowest, other)] = cost
        return least(self._space.ranked(list(costs), list(costs.values())))

    def _partners(self, number: int) -> dict[int, Raw]:
        """The nearest partners of a group, with what merging costs; it is looked at if need be."""
        near = {c: cost for c, cost in self._near[number].items() if c in self.members}
        if not near:
            near = self._look(number)
        self._near[number] = near
        return near

    def _look(self, number: int) -> dict[int, Raw]:
        """The nearest partners now: of all groups or, for k records, of those below k."""
        size = len(self.members[number])
        point = self._by_size[size][number]
        costs: dict[int, Raw] = {}
        for m, points in self._by_size.items():
            if size < self._k or m < self._k:
                others = [c for c in points if c != number]
                raw = self._space.raw(point, [points[c] for c in others])
                costs |= _times(Fraction(size * m, size + m), others, self._nearest(raw))
        bound = self._tolerance.greatest_tied(min(costs.values())) if costs else 0
        return {c: cost for c, cost in costs.items() if cost <= bound}

    def _nearest(self, raw: Sequence[Raw]) -> list[tuple[int, Raw]]:
        """The positions of the least numbers, with the numbers."""
        bound = self._tolerance.greatest_tied(min(raw)) if raw else 0
        return [(i, value) for i, value in enumerate(raw) if value <= bound]


def _times(
    factor: Fraction, others: Sequence[int], nearest: Sequence[tuple[int, Raw]]
) -> dict[int, Raw]:
    return {others[i]: factor * value for i, value in nearest}
