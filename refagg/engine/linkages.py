"""What it costs to merge two clusters, kept up to date as they merge.

Sums of clusters are sums of sums, so a merger costs a few operations for each other cluster. In
exact arithmetic all of it is whole numbers, costs being multiplied by a common `scale`. In
binary64 differences of sums would cancel: costs that are about centroids are measured between
them.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, MutableSequence, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from operator import add
from typing import Any, Protocol

from refagg.engine.metrics import Metric
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
    def plain(self) -> bool:
        """Is it about distances themselves, and not about their squares?"""

    @property
    def between_centroids(self) -> bool:
        """Is it, up to a factor, the squared distance of the centroids?"""

    @property
    def scale(self) -> int:
        """What makes all shares whole numbers."""

    def shares(self, na: int, nb: int) -> tuple[Fraction, Fraction, Fraction]:
        """The factors of S_AB, W_A and W_B in the cost."""

    def centroid_share(self, na: int, nb: int) -> Fraction:
        """The factor of the squared distance of the centroids."""


@dataclass(slots=True)
class Sums:
    """Costs from least, greatest or summed distances between clusters."""

    height: Height
    rows: list[MutableSequence[Magnitude]]
    scale: int
    sizes: list[int]
    within: list[Magnitude]
    _shares: dict[tuple[int, int], tuple[Magnitude, Magnitude, Magnitude]] = field(
        default_factory=dict
    )

    def costs(self, a: Slot, others: Sequence[Slot]) -> list[Magnitude]:
        """What it costs to merge cluster a with each of the others."""
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
            whole = isinstance(self.rows[0], list)
            x, y, z = (int(s * self.scale) if whole else float(s) for s in exact)
            self._shares[na, nb] = x, y, z
        return self._shares[na, nb]


@dataclass(slots=True)
class Centroids:
    """Costs from the distances between centroids, in binary64."""

    height: Height
    metric: Metric
    members: list[list[int]]
    centroids: list[Any]
    scale: int = 1

    def costs(self, a: Slot, others: Sequence[Slot]) -> list[Magnitude]:
        """What it costs to merge cluster a with each of the others."""
        na = len(self.members[a])
        sizes = [len(self.members[b]) for b in others]
        share = {nb: float(self.height.centroid_share(na, nb)) for nb in set(sizes)}
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


def linkage_of(metric: Metric, n: int, height: Height) -> Linkage:
    """The costs of n clusters of one record each."""
    floats = in_floats(metric, n)
    if floats and height.between_centroids:
        return Centroids(height, metric, [[i] for i in range(n)], list(range(n)))
    rows: list[MutableSequence[Magnitude]] = []
    for i in range(n):
        after = metric.raw(i, range(i + 1, n))
        if height.plain:
            after = list(map(sqrt, after))
        row = [*(before[i] for before in rows), after[0] * 0 if after else 0, *after]
        rows.append(array("d", row) if floats else row)
    return Sums(height, rows, 1 if floats else height.scale, [1] * n, [0] * n)
