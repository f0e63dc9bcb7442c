"""What it costs to merge two clusters, kept up to date as they merge.

Sums of clusters are sums of sums, so a merger costs a few operations for each other cluster. In
exact arithmetic all of it is integers, costs being multiplied by a common `scale`. In
binary64 differences of sums would cancel: costs that are about centroids are measured between
them.

Clusters that grow by mergers, and the pairs that are cheapest to merge.

The costs of all pairs that may be merged are kept in a matrix, and for each cluster its least
cost and whom it has it with. A merger changes one row and one column, and only the clusters that
were cheapest to merge with one of the two parts are looked through again.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, MutableSequence, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from itertools import islice
from math import inf, lcm, sqrt
from operator import add

from refagg.engine.frame import EstimatedMetric
from refagg.engine.metrics import Metric, OwnDistances
from refagg.language.partition import Record
from refagg.language.ties import Later, Magnitude, Number, Ranking, TiedCandidates

Slot = int
"""A place for a cluster; a merged cluster takes the place of one of its parts."""

COMBINED: dict[str, Callable[[Magnitude, Magnitude], Magnitude]] = {"single": min, "complete": max}
"""What becomes of the distances of two clusters from a third; else they are added."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """A linkage with its metric and its priority, for clusters of at most `most` records."""

    linkage: str
    metric: str
    priority: str
    most: int

    @property
    def plain(self) -> bool:
        """Return True for a linkage of distances themselves, not of their squares."""
        return self.metric != "squared" and self.linkage in ("average", "energy")

    @property
    def between_centroids(self) -> bool:
        """Return True if it is, up to a factor, the squared distance of the centroids."""
        return self.linkage not in ("single", "complete", "average") and not self.plain

    @property
    def power(self) -> int:
        """The power of |A| + |B| by which costs are divided, before `plain` ones are squared."""
        if self.priority == "none":
            return 0
        return 1 if self.plain or self.metric == "squared" else 2

    @property
    def scale(self) -> int:
        """Return the factor that makes all shares integers."""
        squares = 0 if self.linkage in COMBINED else 2
        scale: int = lcm(*range(1, self.most + 1)) ** (squares + self.power)
        return scale

    def shares(self, na: int, nb: int) -> tuple[Fraction, Fraction, Fraction]:
        """The factors of S_AB, W_A and W_B in the cost."""
        factor = Fraction(1, (na + nb) ** self.power)
        if self.linkage in COMBINED:
            return factor, Fraction(0), Fraction(0)
        if self.linkage == "average":
            return factor / (na * nb), Fraction(0), Fraction(0)
        factor *= self.gap_share(na, nb)
        return factor / (na * nb), -factor / na**2, -factor / nb**2

    def gap_share(self, na: int, nb: int) -> Fraction:
        """The factor of the squared distance of the centroids, without the priority."""
        if self.linkage == "centroid":
            return Fraction(1)
        increase = Fraction(na * nb, na + nb)
        return 2 * increase if self.linkage == "energy" else increase

    def centroid_share(self, na: int, nb: int) -> Fraction:
        """The factor of the squared distance of the centroids."""
        share: Fraction = self.gap_share(na, nb) / (na + nb) ** self.power
        return share


@dataclass(slots=True)
class SummedCosts:
    """Costs from least, greatest or summed distances between clusters."""

    criterion: Criterion
    rows: Sequence[MutableSequence[Magnitude] | dict[Slot, Magnitude]]
    scale: int
    sizes: list[int]
    within: list[Magnitude]
    _shares: dict[tuple[int, int], tuple[Magnitude, Magnitude, Magnitude]] = field(
        default_factory=dict
    )

    def costs(self, a: Slot, others: Sequence[Slot]) -> list[Magnitude]:
        """Return the costs of merging cluster a with each of the others."""
        row, within, sizes = self.rows[a], self.within, self.sizes
        if self.criterion.linkage in ("single", "complete", "average"):
            share = {m: self._of(sizes[a], m)[0] for m in {sizes[b] for b in others}}
            costs = [row[b] * share[sizes[b]] for b in others]
        else:
            costs = []
            for b in others:
                between, mine, its = self._of(sizes[a], sizes[b])
                costs.append(row[b] * between + within[a] * mine + within[b] * its)
        return [max(cost, 0) ** 2 for cost in costs] if self.criterion.plain else costs

    def merge(self, a: Slot, b: Slot, others: Sequence[Slot]) -> None:
        """Cluster a takes in cluster b; distances to the others only are kept."""
        combined = COMBINED.get(self.criterion.linkage, add)
        mine, its, rows = self.rows[a], self.rows[b], self.rows
        self.within[a] += self.within[b] + mine[b]
        self.sizes[a] += self.sizes[b]
        for j in others:
            rows[j][a] = mine[j] = combined(mine[j], its[j])

    def _of(self, na: int, nb: int) -> tuple[Magnitude, Magnitude, Magnitude]:
        if (na, nb) not in self._shares:
            exact = self.criterion.shares(na, nb)
            whole = not isinstance(self.rows[0], array)
            x, y, z = (int(s * self.scale) if whole else float(s) for s in exact)
            self._shares[na, nb] = x, y, z
        return self._shares[na, nb]


@dataclass(slots=True)
class CentroidCosts:
    """Costs from the distances between centroids, in binary64."""

    criterion: Criterion
    metric: Metric
    members: list[list[int]]
    centroids: list[object]
    sizes: list[int]
    scale: int = 1

    def costs(self, a: Slot, others: Sequence[Slot]) -> list[Magnitude]:
        """Return the costs of merging cluster a with each of the others."""
        na, sizes = self.sizes[a], [self.sizes[b] for b in others]
        share = {nb: float(self.criterion.centroid_share(na, nb)) for nb in set(sizes)}
        gaps = self.metric.raw(self.centroids[a], [self.centroids[b] for b in others])
        return [gap * share[nb] for gap, nb in zip(gaps, sizes, strict=True)]

    def merge(self, a: Slot, b: Slot, others: Sequence[Slot]) -> None:
        """Cluster a takes in cluster b."""
        self.members[a] += self.members[b]
        self.sizes[a] += self.sizes[b]
        self.centroids[a] = self.metric.centroid(self.members[a])


class Filtered:
    """Costs in binary64 whose roots have a proved error, and exact ones where they are asked for.

    Exact ones are computed from the distances of records, and kept.
    """

    def __init__(
        self, criterion: Criterion, metric: Metric, estimates: EstimatedMetric, n: int
    ) -> None:
        self._metric, self._estimates = metric, estimates
        self._estimated = linkage_of(estimates, n, criterion)
        self._errors = sqrt(criterion.most) * (2 + criterion.most**2 / 64)
        self._members = [[i] for i in range(n)]
        self._known: list[dict[Slot, Magnitude]] = [{} for _ in range(n)]
        self._exact = SummedCosts(
            criterion, [{} for _ in range(n)], criterion.scale, [1] * n, [0] * n
        )
        self.criterion, self.scale = criterion, criterion.scale

    def costs(self, a: Slot, others: Sequence[Slot]) -> list[Magnitude]:
        """Estimates of what it costs to merge cluster a with each of the others."""
        return self._estimated.costs(a, others)

    def merge(self, a: Slot, b: Slot, others: Sequence[Slot]) -> None:
        """Cluster a takes in cluster b."""
        self._estimated.merge(a, b, others)
        self._look(a, [b])
        self._exact.merge(a, b, [])
        self._members[a] += self._members[b]
        self._known[a], self._known[b] = {}, {}
        for known in filter(None, self._known):
            known.pop(a, None)
            known.pop(b, None)

    def limit(self, least: float) -> float:
        """The greatest estimate of what can cost least, or be tied with that."""
        return self._estimates.high(sqrt(least), self._errors) ** 2

    def exactly(self, a: Slot, others: Sequence[Slot]) -> list[Magnitude]:
        """Return the exact costs of merging cluster a with each of the others."""
        known = self._known[a]
        if unknown := [b for b in others if b not in known]:
            self._look(a, unknown)
            known.update(zip(unknown, self._exact.costs(a, unknown), strict=True))
        return [known[b] for b in others]

    def without_estimates(self, there: Sequence[Slot]) -> SummedCosts:
        """The exact costs of these clusters."""
        for place, a in enumerate(there):
            self._look(a, there[:place])
            for b in there[:place]:
                self._exact.rows[b][a] = self._exact.rows[a][b]
        return self._exact

    def _look(self, a: Slot, others: Sequence[Slot]) -> None:
        """Find the least, greatest or summed distances of the records of a from the others'."""
        combined = COMBINED.get(self.criterion.linkage, add)
        records = [record for b in others for record in self._members[b]]
        of_each, *more = (self._metric.raw(record, records) for record in self._members[a])
        for distances in more:
            of_each = list(map(combined, of_each, distances))
        following = iter(of_each)
        for b in others:
            self._exact.rows[a][b] = reduce(combined, islice(following, len(self._members[b])))


Linkage = SummedCosts | CentroidCosts | Filtered


def in_floats(metric: Metric, n: int) -> bool:
    """Return True if the raw numbers of this metric are floats."""
    return isinstance(metric.raw(0, [n - 1])[0], float)


def linkage_of(metric: Metric, n: int, criterion: Criterion) -> Linkage:
    """The costs of n clusters of one record each."""
    if isinstance(metric, OwnDistances) and metric.estimates:
        return Filtered(criterion, metric, metric.estimates, n)
    floats = in_floats(metric, n)
    if floats and criterion.between_centroids:
        return CentroidCosts(criterion, metric, [[i] for i in range(n)], list(range(n)), [1] * n)
    rows: list[MutableSequence[Magnitude]] = []
    for i in range(n):
        after = metric.raw(i, range(i + 1, n))
        if criterion.plain:
            after = list(map(sqrt, after))
        row = [*(before[i] for before in rows), after[0] * 0 if after else 0, *after]
        rows.append(array("d", row) if floats else row)
    return SummedCosts(criterion, rows, 1 if floats else criterion.scale, [1] * n, [0] * n)


Serial = int
"""The name of a cluster: its record's number, or n + t after merger t, counted from 0."""

Pair = tuple[Serial, Serial]
Costs = list[tuple[Magnitude, Pair]]

PATIENCE = 16
"""Estimates are given up after so many exact costs for each record that turned out not least."""


class MatrixPairs:
    """Clusters of at most `most` records, at first of one."""

    def __init__(self, metric: Metric, n: int, most: int, linkage: Linkage) -> None:
        self._metric = metric
        self._most = most
        self._linkage = linkage
        self._members: list[list[Record]] = [[record] for record in range(n)]
        self._serials: list[Serial] = list(range(n))
        self._slots: dict[Serial, Slot] = {record: record for record in range(n)}
        self._following: Serial = n
        self._open = list(range(n))
        """The clusters that some other may be merged with."""
        self._wasted = 0
        self._fill()

    def _fill(self) -> None:
        """Make the matrix of what it costs to merge each two clusters, infinite where they must
        not be merged.
        """
        n, members = len(self._members), self._members
        floats = isinstance(self._linkage, Filtered) or in_floats(self._metric, n)
        self._rows: list[MutableSequence[Magnitude]] = []
        for i in range(n):
            row = [before[i] for before in self._rows] + [inf] * (n - i)
            capacity = self._most - len(members[i]) if members[i] else 0
            others = [j for j in range(i + 1, n) if 0 < len(members[j]) <= capacity]
            for j, cost in zip(others, self._linkage.costs(i, others), strict=True):
                row[j] = cost
            self._rows.append(array("d", row) if floats else row)
        self._least = [min(row) for row in self._rows]
        self._nearest = [
            row.index(least) for row, least in zip(self._rows, self._least, strict=True)
        ]

    def cheapest_pairs(self) -> TiedCandidates[Pair] | None:
        """The pairs that cost least to merge; None if none may be merged."""
        if isinstance(self._linkage, Filtered) and self._wasted > PATIENCE * len(self._members):
            self._linkage = self._linkage.without_estimates([*self._slots.values()])
            self._fill()
        best = min(self._least)
        if best == inf:
            return None
        limit = self._limit(best)
        if not isinstance(self._linkage, Filtered):
            return self._listed_later(best, limit)
        found = self._costing(-inf, limit)
        cheapest = min([cost for cost, _ in found])
        bound = self._metric.tolerance.greatest_tied(cheapest)
        rest = [(cost, pair) for cost, pair in found if cost > bound]
        tied = [(cost, pair) for cost, pair in found if cost <= bound] if rest else found
        self._wasted += len(rest)
        pairs = tuple([pair for _, pair in tied])
        measured = self._ranked(Later(lambda: self._and_next(tied, rest, limit)))
        return TiedCandidates(pairs, cheapest, measured)

    def _listed_later(self, best: Magnitude, limit: Magnitude) -> TiedCandidates[Pair]:
        """The pairs of an exact cost up to a limit; they are listed only for those who look."""
        ends = [a for a in self._open if self._least[a] <= limit]
        first = min(ends, key=self._serials.__getitem__)
        row = self._rows[first]
        lowest = min(self._pairs(first, [b for b in ends if row[b] <= limit]))
        tied = Later(lambda: self._costing(-inf, limit))
        pairs = Later(lambda: [pair for _, pair in tied], lowest, len(ends) > 2)
        measured = self._ranked(Later(lambda: self._and_next(list(tied), [], limit)))
        return TiedCandidates(pairs, best, measured)

    def _and_next(self, tied: Costs, rest: Costs, limit: Magnitude) -> Costs:
        """The tied pairs and one of the next cost, which is in `rest` or above the limit."""
        following = min(self._beyond(a, limit) for a in self._open)
        more = self._costing(limit, self._limit(following)) if following < inf else []
        others = [*rest, *more]
        return [*tied, min(others)] if others else tied

    def merge(self, first: Serial, second: Serial) -> list[Record]:
        """Make one cluster of two, with the next serial number; its records."""
        a, b = (self._slots.pop(serial) for serial in (first, second))
        self._members[a] = sorted(self._members[a] + self._members[b])
        self._slots[self._following] = a
        self._serials[a] = self._following
        self._following += 1
        capacity = self._most - len(self._members[a])
        rows, least, nearest = self._rows, self._least, self._nearest
        self._open = [j for j in self._open if j not in (a, b)]
        there = [j for j in self._open if len(self._members[j]) <= capacity]
        self._linkage.merge(a, b, there)
        costs = self._linkage.costs(a, there)
        mine = rows[a]
        for j in self._open:
            row = rows[j]
            row[a] = row[b] = mine[j] = inf
        for j, cost in zip(there, costs, strict=True):
            rows[j][a] = mine[j] = cost
            if cost <= least[j]:
                least[j], nearest[j] = cost, a
        for j in self._open:
            if (nearest[j] == a or nearest[j] == b) and least[j] != mine[j]:
                self._look(j)
        mine[b], least[b] = inf, inf
        rows[b] = []
        self._members[b] = []
        self._look(a)
        self._open = [j for j in (*self._open, a) if least[j] < inf]
        return self._members[a]

    def named(self, serial: Serial) -> list[Record]:
        """The records of one cluster."""
        return self._members[self._slots[serial]]

    def clusters(self) -> list[list[Record]]:
        """The records of each cluster."""
        return [self._members[slot] for slot in self._slots.values()]

    def listed(self) -> dict[Serial, list[Record]]:
        """The clusters in the order of their serial numbers."""
        return {serial: self._members[slot] for serial, slot in sorted(self._slots.items())}

    def _limit(self, least: Magnitude) -> Magnitude:
        """The greatest stored cost of a merger whose exact cost can be tied with the least."""
        if isinstance(self._linkage, Filtered):
            return self._linkage.limit(least)
        return self._metric.tolerance.greatest_tied(least)

    def _costing(self, more: Magnitude, most: Magnitude) -> Costs:
        """The pairs of a stored cost above `more` and up to `most`, with their exact costs."""
        found: Costs = []
        for a in self._open:
            if self._least[a] <= most:
                row = self._rows[a]
                others = [b for b, cost in enumerate(row[:a]) if more < cost <= most]
                costs = (
                    self._linkage.exactly(a, others)
                    if isinstance(self._linkage, Filtered)
                    else [row[b] for b in others]
                )
                found += zip(costs, self._pairs(a, others), strict=True)
        return found

    def _beyond(self, a: Slot, limit: Magnitude) -> Magnitude:
        """The least stored cost of a merger of cluster `a` above a limit; inf if there is none."""
        if self._least[a] > limit:
            return self._least[a]
        return min([cost for cost in self._rows[a] if cost > limit], default=inf)

    def _ranked(self, costs: Sequence[tuple[Magnitude, Pair]]) -> Ranking[Pair]:
        items = Later(lambda: [pair for _, pair in costs])
        values = Later(lambda: [cost for cost, _ in costs])
        return Ranking(items, values, self._shown, self._metric.tolerance)

    def _look(self, a: Slot) -> None:
        row = self._rows[a]
        self._least[a] = least = min(row)
        self._nearest[a] = row.index(least)

    def _pairs(self, a: Slot, others: Sequence[Slot]) -> list[Pair]:
        """Cluster a with each of the others."""
        x = self._serials[a]
        return [(x, y) if x < y else (y, x) for y in map(self._serials.__getitem__, others)]

    def _shown(self, raw: Magnitude) -> Number:
        return self._metric.shown(
            raw if self._linkage.scale == 1 else Fraction(raw, self._linkage.scale)
        )
