"""What it costs to merge two clusters, kept up to date as they merge.

Sums of clusters are sums of sums, so a merger costs a few operations for each other cluster. In
exact arithmetic all of it is integers, costs being multiplied by a common `scale`. In
binary64 differences of sums would cancel: costs that are about centroids are measured between
them.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, MutableSequence, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from itertools import islice
from math import sqrt
from operator import add
from typing import Any, Protocol

from refagg.engine.estimated_metric import EstimatedMetric
from refagg.engine.metrics import Metric, OwnDistances
from refagg.language.ties import Magnitude

Slot = int
"""A place for a cluster; a merged cluster takes the place of one of its parts."""

COMBINED: dict[str, Callable[[Magnitude, Magnitude], Magnitude]] = {"single": min, "complete": max}
"""What becomes of the distances of two clusters from a third; else they are added."""


class Height(Protocol):
    """The formula of the cost, by how it is to be computed."""

    @property
    def linkage(self) -> str: ...

    @property
    def most(self) -> int:
        """The most records of two clusters that are merged."""

    @property
    def plain(self) -> bool:
        """Return True for a height of distances themselves, not of their squares."""

    @property
    def between_centroids(self) -> bool:
        """Return True if it is, up to a factor, the squared distance of the centroids."""

    @property
    def scale(self) -> int:
        """Return the factor that makes all shares integers."""

    def shares(self, na: int, nb: int) -> tuple[Fraction, Fraction, Fraction]:
        """The factors of S_AB, W_A and W_B in the cost."""

    def centroid_share(self, na: int, nb: int) -> Fraction:
        """The factor of the squared distance of the centroids."""


@dataclass(slots=True)
class SummedCosts:
    """Costs from least, greatest or summed distances between clusters."""

    height: Height
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
        if self.height.linkage in ("single", "complete", "average"):
            share = {m: self._of(sizes[a], m)[0] for m in {sizes[b] for b in others}}
            costs = [row[b] * share[sizes[b]] for b in others]
        else:
            costs = []
            for b in others:
                between, mine, its = self._of(sizes[a], sizes[b])
                costs.append(row[b] * between + within[a] * mine + within[b] * its)
        return [max(cost, 0) ** 2 for cost in costs] if self.height.plain else costs

    def merge(self, a: Slot, b: Slot, others: Sequence[Slot]) -> None:
        """Cluster a takes in cluster b; distances to the others only are kept."""
        combined = COMBINED.get(self.height.linkage, add)
        mine, its, rows = self.rows[a], self.rows[b], self.rows
        self.within[a] += self.within[b] + mine[b]
        self.sizes[a] += self.sizes[b]
        for j in others:
            rows[j][a] = mine[j] = combined(mine[j], its[j])

    def _of(self, na: int, nb: int) -> tuple[Magnitude, Magnitude, Magnitude]:
        if (na, nb) not in self._shares:
            exact = self.height.shares(na, nb)
            whole = not isinstance(self.rows[0], array)
            x, y, z = (int(s * self.scale) if whole else float(s) for s in exact)
            self._shares[na, nb] = x, y, z
        return self._shares[na, nb]


@dataclass(slots=True)
class CentroidCosts:
    """Costs from the distances between centroids, in binary64."""

    height: Height
    metric: Metric
    members: list[list[int]]
    centroids: list[Any]
    scale: int = 1

    def costs(self, a: Slot, others: Sequence[Slot]) -> list[Magnitude]:
        """Return the costs of merging cluster a with each of the others."""
        na = len(self.members[a])
        sizes = [len(self.members[b]) for b in others]
        share = {nb: float(self.height.centroid_share(na, nb)) for nb in set(sizes)}
        gaps = self.metric.raw(self.centroids[a], [self.centroids[b] for b in others])
        return [gap * share[nb] for gap, nb in zip(gaps, sizes, strict=True)]

    def merge(self, a: Slot, b: Slot, others: Sequence[Slot]) -> None:
        """Cluster a takes in cluster b."""
        self.members[a] += self.members[b]
        self.centroids[a] = self.metric.centroid(self.members[a])


class Filtered:
    """Costs in binary64 whose roots have a proved error, and exact ones where they are asked for.

    Exact ones are computed from the distances of records, and kept.
    """

    def __init__(self, height: Height, metric: Metric, estimates: EstimatedMetric, n: int) -> None:
        self._metric, self._estimates = metric, estimates
        self._estimated = linkage_of(estimates, n, height)
        self._errors = sqrt(height.most) * (2 + height.most**2 / 64)
        self._members = [[i] for i in range(n)]
        self._known: list[dict[Slot, Magnitude]] = [{} for _ in range(n)]
        self._exact = SummedCosts(height, [{} for _ in range(n)], height.scale, [1] * n, [0] * n)
        self.height, self.scale = height, height.scale

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
        combined = COMBINED.get(self.height.linkage, add)
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


def linkage_of(metric: Metric, n: int, height: Height) -> Linkage:
    """The costs of n clusters of one record each."""
    if isinstance(metric, OwnDistances) and metric.estimates:
        return Filtered(height, metric, metric.estimates, n)
    floats = in_floats(metric, n)
    if floats and height.between_centroids:
        return CentroidCosts(height, metric, [[i] for i in range(n)], list(range(n)))
    rows: list[MutableSequence[Magnitude]] = []
    for i in range(n):
        after = metric.raw(i, range(i + 1, n))
        if height.plain:
            after = list(map(sqrt, after))
        row = [*(before[i] for before in rows), after[0] * 0 if after else 0, *after]
        rows.append(array("d", row) if floats else row)
    return SummedCosts(height, rows, 1 if floats else height.scale, [1] * n, [0] * n)
