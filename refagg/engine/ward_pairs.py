"""Pairs of groups that merge by Ward's increase of the SSE.

Two groups that both have k records never merge.

Merging two groups of n_i and n_j records raises the SSE by n_i n_j / (n_i + n_j) times the
squared distance of their centroids. What a third group would cost to merge with cannot fall by
that: with the union it costs at least as much as with the cheaper of the two. So what a group's
nearest partners cost when it was last looked at bounds what its nearest partners cost now, and
it is examined again only when they are gone and the bound is among the least.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from heapq import heappop, heappush
from itertools import repeat
from math import dist, inf
from typing import Any

from refagg.engine.frame import Point, estimates_of
from refagg.language.partition import Record
from refagg.language.space import Centroids
from refagg.language.ties import Magnitude, TiedCandidates, least


class WardPairs:
    """The groups, each with its last known nearest partners.

    A group's partners are those when it was last examined. Groups are numbered as they are formed,
    and named by their lowest records. Of a pair that costs least, each is among the nearest
    partners of the other.
    """

    def __init__(self, space: Centroids[Any], k: int) -> None:
        self._space = space
        self._k = k
        self._tolerance = space.ranked([], []).tolerance
        self._estimates = estimates_of(space)
        self._seen: dict[int, dict[int, Point]] = {}
        """The centroids by size, as they are estimated."""
        self.members: dict[int, list[Record]] = {}
        self.small = 0
        """How many groups have fewer than k records."""
        self._lowest: dict[int, Record] = {}
        self._with_lowest: dict[Record, int] = {}
        self._by_size: dict[int, dict[int, Any]] = {}
        self._near: dict[int, dict[int, Magnitude]] = {}
        self._partners: dict[int, list[tuple[int, int]]] = {}
        """Heaps of the nearest partners, the one with the greatest lowest record first."""
        self._best: dict[int, Magnitude] = {}
        self._bounds: list[tuple[Magnitude, int]] = []
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
        if self._estimates:
            self._seen.setdefault(size, {})[number] = self._estimates.centroid(records)
        self._near[number], self._partners[number] = {}, []
        heappush(self._bounds, (0, number))

    def clusters(self) -> list[list[Record]]:
        """The records of each group, in the order of formation."""
        return list(self.members.values())

    def named(self, a: Record) -> list[Record]:
        """The group whose lowest record is a."""
        return self.members[self._with_lowest[a]]

    def centroids(self) -> Hashable:
        """Return the centroids of groups of several records.

        Each is given with the lowest record of its group. None where they are exact, so that the
        groups themselves tell them.
        """
        if self._estimates:
            return frozenset()
        return frozenset(
            (self._lowest[number], point)
            for size, points in self._by_size.items()
            if size > 1
            for number, point in points.items()
        )

    def merge(self, a: Record, b: Record) -> list[Record]:
        """Merge the groups whose lowest records are a and b."""
        union: list[Record] = []
        for number in (self._with_lowest.pop(a), self._with_lowest.pop(b)):
            records = self.members.pop(number)
            del self._by_size[len(records)][number]
            if self._estimates:
                del self._seen[len(records)][number]
            del self._near[number], self._partners[number]
            self.small -= len(records) < self._k
            union += records
        self.add(union)
        return union

    def cheapest(self) -> TiedCandidates[Record]:
        """Return the lowest records of all cheapest pairs."""
        looked: dict[int, Magnitude] = {}
        best: Magnitude = None
        while self._bounds and (
            best is None or self._bounds[0][0] <= self._tolerance.greatest_tied(best)
        ):
            _, number = heappop(self._bounds)
            if number in self.members and number not in looked and self._is_paired(number):
                cost = self._best[number]
                looked[number] = cost
                best = cost if best is None else min(best, cost)
        for number, cost in looked.items():
            heappush(self._bounds, (cost, number))
        lower = [(cost, number) for number, cost in looked.items() if self._is_lower(number)]
        lowest = [self._lowest[number] for _, number in lower]
        return least(self._space.ranked(lowest, [cost for cost, _ in lower]))

    def partners(self, a: Record, cheapest: TiedCandidates[Record]) -> TiedCandidates[Record]:
        """Return the partners after `a` in its cheapest mergers.

        They are the groups whose merging with that of `a` costs least, named by their lowest
        records.
        """
        near = self._near[self._with_lowest[a]].items()
        after = [(c, cost) for c, cost in near if c in self.members and self._lowest[c] > a]
        lowest = [self._lowest[c] for c, _ in after]
        return least(self._space.ranked(lowest, [cost for _, cost in after]))

    def _is_paired(self, number: int) -> bool:
        """Return True if a group has a partner.

        Partners are sought again if all noted ones are gone.
        """
        if self._last_partner(number) is None:
            self._look(number)
        return bool(self._partners[number])

    def _is_lower(self, number: int) -> bool:
        """Return True if some nearest partner of a group follows it.

        Groups are ordered by their lowest records.
        """
        last = self._last_partner(number)
        return last is not None and self._lowest[last] > self._lowest[number]

    def _last_partner(self, number: int) -> int | None:
        partners = self._partners[number]
        while partners and partners[0][1] not in self.members:
            heappop(partners)
        return partners[0][1] if partners else None

    def _look(self, number: int) -> None:
        """Find the nearest partners of a group.

        They are sought among all groups or, for k records, among those below k.
        """
        size = len(self.members[number])
        costs: dict[int, Magnitude] = {}
        for m in self._by_size:
            if size < self._k or m < self._k:
                nearest = self._nearest(number, size, m)
                factor = Fraction(size * m, size + m)
                costs |= {partner: factor * value for partner, value in nearest.items()}
        if not costs:
            return
        self._best[number] = min(costs.values())
        for partner, cost in costs.items():
            self._note(number, partner, cost)
            known = bool(self._partners[partner])
            if cost < self._best.get(partner, cost):
                self._nearer(partner, cost)
            if known:
                self._note(partner, number, cost)

    def _nearer(self, number: int, cost: Magnitude) -> None:
        """Note a merger cheaper than all noted ones.

        Centroids of categories make this possible.
        """
        heappush(self._bounds, (cost, number))
        if self._partners[number]:
            self._best[number] = cost
            bound = self._tolerance.greatest_tied(cost)
            near = {c: v for c, v in self._near[number].items() if v <= bound}
            self._near[number] = near
            self._partners[number] = sorted(p for p in self._partners[number] if p[1] in near)

    def _note(self, number: int, partner: int, cost: Magnitude) -> None:
        """Note a partner that is among the nearest and not noted."""
        bound = self._tolerance.greatest_tied(self._best[number])
        if cost <= bound and partner not in self._near[number]:
            self._near[number][partner] = cost
            heappush(self._partners[number], (-self._lowest[partner], partner))

    def _nearest(self, number: int, size: int, m: int) -> dict[int, Magnitude]:
        """The nearest groups of m records, with raw squared distances."""
        points, others = self._by_size[m], self._likely(number, size, m)
        raw = self._space.raw(self._by_size[size][number], [points[c] for c in others])
        if len(raw) == 1:
            return {others[0]: raw[0]}
        bound = self._tolerance.greatest_tied(min(raw)) if raw else 0
        return {c: value for c, value in zip(others, raw, strict=True) if value <= bound}

    def _likely(self, number: int, size: int, m: int) -> list[int]:
        """The groups of m records that can be the nearest."""
        if not self._estimates:
            return [c for c in self._by_size[m] if c != number]
        seen = self._seen[m]
        gaps = list(map(dist, repeat(self._seen[size][number]), seen.values()))
        if m == size:
            gaps[list(seen).index(number)] = inf
        limit = self._estimates.high(min(gaps, default=inf))
        return [c for gap, c in zip(gaps, seen, strict=True) if gap <= limit < inf]
