"""Clusters that grow by mergers, and the pairs cheapest to merge.

The costs of all pairs that may be merged are kept in a matrix, and for each cluster its least
cost and whom it has it with. A merger changes one row and one column, and only the clusters that
were cheapest to merge with one of the two parts are looked through again.

Sums of clusters are sums of sums, so a merger costs a few operations for each other cluster. In
exact arithmetic all costs are integers, multiplied by a common `scale`. In binary64 differences of
sums would cancel: costs that are about centroids are measured between them.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, MutableSequence, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from importlib import import_module
from itertools import chain, count
from math import inf, lcm, sqrt
from operator import add
from typing import Any

from refagg.engine.frame import EstimatedMetric
from refagg.engine.metrics import Metric, OwnDistances
from refagg.errors import MissingExtra
from refagg.language.partition import Record
from refagg.language.ties import Later, Magnitude, Number, Ranking, TiedCandidates

Slot = int
"""A place for a cluster; a merged cluster takes the place of one of its parts."""

Size = Any
"""How many records are in a cluster: a fraction, a float, or an array of these."""

Serial = int
"""The name of a cluster: its record's number, or n + t after merger t, counted from 0."""

Pair = tuple[Serial, Serial]

COMBINED: dict[str, Callable[[Magnitude, Magnitude], Magnitude]] = {"single": min, "complete": max}
"""What becomes of the distances of two clusters from a third; else they are added."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """A linkage with its metric and priority.

    It is for clusters of at most `most` records.
    """

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
        """Return True if costs are proportional to squared centroid distances."""
        return self.linkage not in ("single", "complete", "average") and not self.plain

    @property
    def power(self) -> int:
        """Return the power of |A| + |B| by which costs are divided.

        This is done before `plain` costs are squared.
        """
        if self.priority == "none":
            return 0
        return 1 if self.plain or self.metric == "squared" else 2

    @property
    def scale(self) -> int:
        """Return the factor that makes all shares integers."""
        squares = 0 if self.linkage in COMBINED else 2
        scale: int = lcm(*range(1, self.most + 1)) ** (squares + self.power)
        return scale

    def shares(self, na: Size, nb: Size) -> tuple[Size, Size, Size]:
        """The factors of S_AB, W_A and W_B in the cost."""
        factor = 1 / (na + nb) ** self.power if self.power else 1
        if self.linkage in COMBINED:
            return factor, 0, 0
        if self.linkage == "average":
            return factor / (na * nb), 0, 0
        factor *= self.gap_share(na, nb)
        return factor / (na * nb), -factor / na**2, -factor / nb**2

    def gap_share(self, na: Size, nb: Size) -> Size:
        """The factor of the squared distance of the centroids, without the priority."""
        if self.linkage == "centroid":
            return 1
        increase = na * nb / (na + nb)
        return 2 * increase if self.linkage == "energy" else increase

    def centroid_share(self, na: Size, nb: Size) -> Size:
        """The factor of the squared distance of the centroids."""
        share = self.gap_share(na, nb)
        return share / (na + nb) ** self.power if self.power else share


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
        return [max(cost, 0) * max(cost, 0) for cost in costs] if self.criterion.plain else costs

    def merge(self, a: Slot, b: Slot, others: Sequence[Slot]) -> None:
        """Merge cluster b into cluster a.

        Distances are kept to the others only.
        """
        combined = COMBINED.get(self.criterion.linkage, add)
        mine, its, rows = self.rows[a], self.rows[b], self.rows
        self.within[a] += self.within[b] + mine[b]
        self.sizes[a] += self.sizes[b]
        for j in others:
            rows[j][a] = mine[j] = combined(mine[j], its[j])

    def _of(self, na: int, nb: int) -> tuple[Magnitude, Magnitude, Magnitude]:
        if (na, nb) not in self._shares:
            exact = self.criterion.shares(Fraction(na), Fraction(nb))
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
    centroids: list[Any]
    sizes: list[int]
    scale: int = 1

    def costs(self, a: Slot, others: Sequence[Slot]) -> list[Magnitude]:
        """Return the costs of merging cluster a with each of the others."""
        na, sizes = float(self.sizes[a]), [self.sizes[b] for b in others]
        share = {nb: self.criterion.centroid_share(na, float(nb)) for nb in set(sizes)}
        gaps = self.metric.raw(self.centroids[a], [self.centroids[b] for b in others])
        return [gap * share[nb] for gap, nb in zip(gaps, sizes, strict=True)]

    def merge(self, a: Slot, b: Slot, others: Sequence[Slot]) -> None:
        """Cluster a takes in cluster b."""
        self.members[a] += self.members[b]
        self.sizes[a] += self.sizes[b]
        self.centroids[a] = self.metric.centroid(self.members[a])


class ExactCosts:
    """Exact costs for the pairs that estimates leave open.

    They are computed from records or centroids, and kept.
    """

    scale = 1

    def __init__(
        self, criterion: Criterion, metric: Metric, estimates: EstimatedMetric, n: int
    ) -> None:
        self._criterion, self._metric, self._estimates = criterion, metric, estimates
        summed = criterion.most**2 if criterion.linkage == "average" else 0
        self._errors = sqrt(criterion.most) * (3 + (summed + 4 * estimates.width) / 64)
        self._members = [[i] for i in range(n)]
        self._known: list[dict[tuple[Slot, int], Magnitude]] = [{} for _ in range(n)]

    def limit(self, least: float) -> float:
        """Return the greatest estimate of a least or tied cost."""
        return self._estimates.high(sqrt(least), self._errors) ** 2

    def merge(self, a: Slot, b: Slot, others: Sequence[Slot]) -> None:
        """Cluster a takes in cluster b."""
        self._members[a] += self._members[b]
        self._known[a], self._known[b] = {}, {}

    def costs(self, a: Slot, others: Sequence[Slot]) -> list[Magnitude]:
        """Return the costs of merging cluster a with each of the others."""
        known, names = self._known[a], [(b, len(self._members[b])) for b in others]
        for name in names:
            if name not in known:
                known[name] = self._cost(self._members[a], self._members[name[0]])
        return [known[name] for name in names]

    def _cost(self, first: list[Record], second: list[Record]) -> Magnitude:
        metric, sizes = self._metric, (Fraction(len(first)), Fraction(len(second)))
        if self._criterion.between_centroids:
            gap = metric.raw(metric.centroid(first), [metric.centroid(second)])[0]
            return self._criterion.centroid_share(*sizes) * gap
        combined = COMBINED.get(self._criterion.linkage, add)
        distances = chain.from_iterable(metric.raw(record, second) for record in first)
        return self._criterion.shares(*sizes)[0] * reduce(combined, distances)


Linkage = SummedCosts | CentroidCosts | ExactCosts


def linkage_of(metric: Metric, n: int, criterion: Criterion, floats: bool) -> Linkage:
    """The costs of n clusters of one record each."""
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


Costs = list[tuple[Magnitude, Pair]]

PATIENCE = 16
"""Estimates are given up after so many exact costs for each record that turned out not least."""


class Matrix:
    """The costs of all pairs, and the least for each cluster.

    They are infinite for pairs that must not be merged.
    """

    def __init__(self, linkage: Linkage, sizes: list[int], most: int, floats: bool) -> None:
        n = len(sizes)
        self._linkage, self._sizes, self._most = linkage, sizes, most
        self._least, self._nearest = [inf] * n, [0] * n
        self._rows: list[MutableSequence[Magnitude]] = []
        for i, size in enumerate(sizes):
            row = [before[i] for before in self._rows] + [inf] * (n - i)
            capacity = most - size if size else 0
            others = [j for j in range(i + 1, n) if 0 < sizes[j] <= capacity]
            for j, cost in zip(others, linkage.costs(i, others) if others else [], strict=True):
                row[j] = cost
            self._rows.append(array("d", row) if floats else row)
            self._look(i)
        self._open = [j for j in range(n) if self._least[j] < inf]
        """The clusters that some other may be merged with."""

    def best(self) -> Magnitude:
        """Return the least cost of all; inf if nothing may be merged."""
        return min(self._least)

    def ends(self, limit: Magnitude) -> list[Slot]:
        """Return the clusters that can be merged for so much."""
        return [a for a in self._open if self._least[a] <= limit]

    def near(self, a: Slot, end: Slot, more: Magnitude, most: Magnitude) -> dict[Slot, Magnitude]:
        """Return the merging costs of `a` within limits, by cluster.

        The costs are above `more` and up to `most`, with clusters before `end`.
        """
        row = self._rows[a][:end]
        return {b: cost for b, cost in enumerate(row) if more < cost <= most}

    def above(self, limit: Magnitude) -> Magnitude:
        """The least cost above a limit; inf if there is none."""
        return min([self._beyond(a, limit) for a in self._open], default=inf)

    def _beyond(self, a: Slot, limit: Magnitude) -> Magnitude:
        if self._least[a] > limit:
            return self._least[a]
        return min([cost for cost in self._rows[a] if cost > limit], default=inf)

    def merge(self, a: Slot, b: Slot) -> None:
        """Cluster a takes in cluster b."""
        rows, least, nearest, sizes = self._rows, self._least, self._nearest, self._sizes
        sizes[a], sizes[b] = sizes[a] + sizes[b], 0
        capacity = self._most - sizes[a]
        self._open = [j for j in self._open if j not in (a, b)]
        there = [j for j in self._open if sizes[j] <= capacity]
        self._linkage.merge(a, b, there)
        costs = self._linkage.costs(a, there) if there else []
        mine = rows[a]
        for j in self._open:
            rows[j][a] = rows[j][b] = mine[j] = inf
        for j, cost in zip(there, costs, strict=True):
            rows[j][a] = mine[j] = cost
            if cost <= least[j]:
                least[j], nearest[j] = cost, a
        for j in self._open:
            if (nearest[j] == a or nearest[j] == b) and least[j] != mine[j]:
                self._look(j)
        mine[b], least[b] = inf, inf
        rows[b] = []
        self._look(a)
        self._open = [j for j in (*self._open, a) if least[j] < inf]

    def _look(self, a: Slot) -> None:
        row = self._rows[a]
        self._least[a] = least = min(row)
        self._nearest[a] = row.index(least)


MANY = 400
"""The costs of so many clusters are computed in arrays, where NumPy is installed."""


def in_arrays(metric: Metric, n: int, criterion: Criterion, centred: bool) -> Any:
    """Return the matrix in arrays, if there is one.

    None if there is none, or if it could differ from the plain one by more than rounding.
    """
    if n >= MANY and (centred or criterion.linkage in ("single", "complete", "average")):
        with suppress(MissingExtra):
            return import_module("refagg.engine.array_matrix").ArrayMatrix(metric, n, criterion)
    return None


class MatrixPairs:
    """Clusters of at most `most` records, at first of one."""

    def __init__(self, metric: Metric, n: int, criterion: Criterion) -> None:
        self._metric, self._most = metric, criterion.most
        self._members: dict[Serial, list[Record]] = {record: [record] for record in range(n)}
        self._serials: list[Serial] = list(range(n))
        self._slots: dict[Serial, Slot] = {record: record for record in range(n)}
        self._following = count(n)
        self._wasted = 0
        self._rows: dict[Slot, Costs] = {}
        """What `_costing` has found for each cluster, within the same limits."""
        self._within: tuple[Magnitude, Magnitude] = (-inf, -inf)
        self._scale = 1
        own = metric.estimates if isinstance(metric, OwnDistances) else None
        self._exact: ExactCosts | None = ExactCosts(criterion, metric, own, n) if own else None
        floats = isinstance((own or metric).raw(0, [n - 1])[0], float)
        found = in_arrays(own or metric, n, criterion, bool(own)) if floats else None
        if found is None:
            linkage = linkage_of(own or metric, n, criterion, floats)
            self._scale = linkage.scale
            found = Matrix(linkage, [1] * n, criterion.most, floats)
        self._matrix: Matrix = found

    def only_pair(self) -> Pair | None:
        """Return the cheapest pair if no other can be as cheap."""
        best = self._matrix.best()
        ends = self._matrix.ends(self._limit(best)) if best < inf else []
        return self._pairs(ends[0], ends[1:])[0] if len(ends) == 2 else None

    def cheapest_pairs(self) -> TiedCandidates[Pair] | None:
        """Return the pairs that are cheapest to merge.

        None if none may be merged.
        """
        if self._exact and self._wasted > PATIENCE * len(self._serials):
            sizes = [0] * len(self._serials)
            for serial, slot in self._slots.items():
                sizes[slot] = len(self._members[serial])
            self._matrix = Matrix(self._exact, sizes, self._most, floats=False)
            self._exact = None
        best = self._matrix.best()
        if best == inf:
            return None
        limit = self._limit(best)
        if not self._exact:
            return self._listed_later(best, limit)
        far = self._exact.limit(limit)  # a bit more, so that it serves for the next ones, too
        found = self._costing(-inf, self._within[1] if limit <= self._within[1] <= far else far)
        cheapest = min([cost for cost, _ in found])
        bound = self._metric.tolerance.greatest_tied(cheapest)
        rest = [(cost, pair) for cost, pair in found if cost > bound]
        tied = [(cost, pair) for cost, pair in found if cost <= bound] if rest else found
        self._wasted += len(rest)
        pairs = tuple([pair for _, pair in tied])
        measured = self._ranked(Later(lambda: self._and_next(tied, rest, limit)))
        return TiedCandidates(pairs, cheapest, measured)

    def _listed_later(self, best: Magnitude, limit: Magnitude) -> TiedCandidates[Pair]:
        """Return the pairs of an exact cost up to a limit.

        They are listed only when they are read.
        """
        ends = self._matrix.ends(limit)
        first = min(ends, key=self._serials.__getitem__)
        lowest = min(self._pairs(first, self._matrix.near(first, len(self._serials), -inf, limit)))
        tied = Later(lambda: self._costing(-inf, limit))
        pairs = Later(lambda: [pair for _, pair in tied], lowest, len(ends) > 2)
        measured = self._ranked(Later(lambda: self._and_next(list(tied), [], limit)))
        return TiedCandidates(pairs, best, measured)

    def _and_next(self, tied: Costs, rest: Costs, limit: Magnitude) -> Costs:
        """Return the tied pairs and one of the next cost.

        The next cost is in `rest` or above the limit.
        """
        following = self._matrix.above(limit)
        more = self._costing(limit, self._limit(following)) if following < inf else []
        others = [*rest, *more]
        return [*tied, min(others)] if others else tied

    def merge(self, first: Serial, second: Serial) -> list[Record]:
        """Make one cluster of two, with the next serial number; its records."""
        a, b = (self._slots.pop(serial) for serial in (first, second))
        union = self._members.pop(first) + self._members.pop(second)
        serial: Serial = next(self._following)
        self._members[serial] = union
        self._slots[serial], self._serials[a] = a, serial
        changed = {a, b, *self._beside(a), *self._beside(b)}
        self._matrix.merge(a, b)
        for slot in changed.union(self._beside(a)):
            self._rows.pop(slot, None)
        if self._exact:
            self._exact.merge(a, b, [])
        return union

    def _beside(self, a: Slot) -> Collection[Slot]:
        """Return the clusters with a cost with `a` in `_rows`."""
        return self._matrix.near(a, len(self._serials), *self._within) if self._rows else ()

    def named(self, serial: Serial) -> list[Record]:
        """The records of one cluster."""
        return self._members[serial]

    def clusters(self) -> Collection[list[Record]]:
        """The records of each cluster."""
        return self._members.values()

    def listed(self) -> dict[Serial, list[Record]]:
        """The clusters in the order of their serial numbers, each in order."""
        return {serial: sorted(records) for serial, records in self._members.items()}

    def _limit(self, least: Magnitude) -> Magnitude:
        """Return the greatest stored cost that can be tied.

        The exact cost of such a merger can be tied with the least.
        """
        if self._exact:
            return self._exact.limit(least)
        return self._metric.tolerance.greatest_tied(least)

    def _costing(self, more: Magnitude, most: Magnitude) -> Costs:
        """Return pairs with stored costs within limits, with exact costs.

        The stored cost is above `more` and up to `most`.
        """
        found: Costs = []
        if (more, most) != self._within:
            self._rows, self._within = {}, (more, most)
        for a in sorted(self._matrix.ends(most), key=self._serials.__getitem__):
            if a not in self._rows:
                near = self._matrix.near(a, a, more, most)
                costs = self._exact.costs(a, list(near)) if self._exact else near.values()
                self._rows[a] = list(zip(costs, self._pairs(a, near), strict=True))
            found += self._rows[a]
        return found

    def _ranked(self, costs: Sequence[tuple[Magnitude, Pair]]) -> Ranking[Pair]:
        items = Later(lambda: [pair for _, pair in costs])
        values = Later(lambda: [cost for cost, _ in costs])
        return Ranking(items, values, self._shown, self._metric.tolerance)

    def _pairs(self, a: Slot, others: Iterable[Slot]) -> list[Pair]:
        """Cluster a with each of the others."""
        x = self._serials[a]
        return [(x, y) if x < y else (y, x) for y in map(self._serials.__getitem__, others)]

    def _shown(self, raw: Magnitude) -> Number:
        return self._metric.shown(raw if self._scale == 1 else Fraction(raw, self._scale))
