"""The linkages of agglomeration: what it costs to merge two clusters.

A cost is a number on the scale of squared distances: the square of the linkage's height where
the metric is one whose squares are rational (Euclidean, Mahalanobis, ...), the height itself with
the metric `squared`. With s = |A| + |B| and the priority `size` the height is divided by s.

For clusters A and B with na and nb records, S_AB is the least, the greatest or the sum of the
distances from A to B, and W_A the sum of those inside A. The height, or for single, complete,
centroid and ward with a metric other than `squared` its square, is

    single, complete   S_AB
    average            S_AB/(na nb)
    centroid           S_AB/(na nb) - W_A/na^2 - W_B/nb^2       (of squared distances)
    ward               na nb/(na+nb) times that of centroid
    energy             2 na nb/(na+nb) times that of centroid   (of distances)

Sums of clusters are sums of sums, so a merger costs a few operations for each other cluster. In
exact arithmetic all of it is whole numbers, costs being multiplied by a common `scale`. In
binary64 the differences of `centroid` and `ward` would cancel: they are measured between
centroids.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, MutableSequence, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm, sqrt
from operator import add
from typing import Any

from refagg.algorithms.hierarchical.hac_metrics import Metric
from refagg.language.ties import Raw

LINKAGES = ("ward", "single", "complete", "average", "centroid", "energy")

Slot = int
"""A place for a cluster; a merged cluster takes the place of one of its parts."""

_COMBINED: dict[str, Callable[[Raw, Raw], Raw]] = {"single": min, "complete": max}


@dataclass(frozen=True, slots=True)
class Criterion:
    """A linkage with its metric and its priority, for clusters of at most `most` records."""

    linkage: str
    metric: str
    priority: str
    most: int

    @property
    def plain(self) -> bool:
        """Is it about distances themselves, and not about their squares?"""
        return self.metric != "squared" and self.linkage in ("average", "energy")

    @property
    def between_centroids(self) -> bool:
        """Is it, up to a factor, the squared distance of the centroids?"""
        return self.linkage not in ("single", "complete", "average") and not self.plain

    @property
    def power(self) -> int:
        """The power of |A| + |B| by which costs are divided, before `plain` ones are squared."""
        if self.priority == "none":
            return 0
        return 1 if self.plain or self.metric == "squared" else 2

    @property
    def scale(self) -> int:
        """What makes all shares whole numbers."""
        squares = 0 if self.linkage in _COMBINED else 2
        scale: int = lcm(*range(1, self.most + 1)) ** (squares + self.power)
        return scale

    def shares(self, na: int, nb: int) -> tuple[Fraction, Fraction, Fraction]:
        """The factors of S_AB, W_A and W_B in the cost."""
        factor = Fraction(1, (na + nb) ** self.power)
        if self.linkage in _COMBINED:
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


@dataclass(slots=True)
class Sums:
    """Costs from least, greatest or summed distances between clusters."""

    criterion: Criterion
    rows: list[MutableSequence[Raw]]
    scale: int
    sizes: list[int]
    within: list[Raw]
    _shares: dict[tuple[int, int], tuple[Raw, Raw, Raw]] = field(default_factory=dict)

    def costs(self, a: Slot, others: Sequence[Slot]) -> list[Raw]:
        """What it costs to merge cluster a with each of the others."""
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
        combined = _COMBINED.get(self.criterion.linkage, add)
        mine, its, rows = self.rows[a], self.rows[b], self.rows
        self.within[a] += self.within[b] + mine[b]
        self.sizes[a] += self.sizes[b]
        for j in others:
            rows[j][a] = mine[j] = combined(mine[j], its[j])

    def _of(self, na: int, nb: int) -> tuple[Raw, Raw, Raw]:
        if (na, nb) not in self._shares:
            exact = self.criterion.shares(na, nb)
            whole = isinstance(self.rows[0], list)
            x, y, z = (int(s * self.scale) if whole else float(s) for s in exact)
            self._shares[na, nb] = x, y, z
        return self._shares[na, nb]


@dataclass(slots=True)
class Centroids:
    """Costs from the distances between centroids, in binary64."""

    criterion: Criterion
    metric: Metric
    members: list[list[int]]
    centroids: list[Any]
    scale: int = 1

    def costs(self, a: Slot, others: Sequence[Slot]) -> list[Raw]:
        """What it costs to merge cluster a with each of the others."""
        criterion, na = self.criterion, len(self.members[a])
        sizes = [len(self.members[b]) for b in others]
        share = {
            nb: float(criterion.gap_share(na, nb) / (na + nb) ** criterion.power)
            for nb in set(sizes)
        }
        gaps = self.metric.raw(self.centroids[a], [self.centroids[b] for b in others])
        return [gap * share[nb] for gap, nb in zip(gaps, sizes, strict=True)]

    def merge(self, a: Slot, b: Slot, others: Sequence[Slot]) -> None:
        """Cluster a takes in cluster b."""
        self.members[a] += self.members[b]
        self.centroids[a] = self.metric.centroid(self.members[a])


Linkage = Sums | Centroids


def in_floats(metric: Metric, n: int) -> bool:
    """Are the raw numbers of this metric floats?"""
    return isinstance(metric.raw(0, [n - 1])[0], float)


def linkage_of(metric: Metric, n: int, criterion: Criterion) -> Linkage:
    """The costs of n clusters of one record each."""
    floats = in_floats(metric, n)
    if floats and criterion.between_centroids:
        return Centroids(criterion, metric, [[i] for i in range(n)], list(range(n)))
    rows: list[MutableSequence[Raw]] = []
    for i in range(n):
        after = metric.raw(i, range(i + 1, n))
        if criterion.plain:
            after = list(map(sqrt, after))
        row = [*(before[i] for before in rows), after[0] * 0 if after else 0, *after]
        rows.append(array("d", row) if floats else row)
    return Sums(criterion, rows, 1 if floats else criterion.scale, [1] * n, [0] * n)
