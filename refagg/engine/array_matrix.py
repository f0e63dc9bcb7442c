"""The costs of mergers in arrays; needs the extra `[big]`.

A row of costs is computed where it is asked for: from the centroids, or from a matrix of the least,
greatest or summed distances. A merger changes the costs of one cluster only. So what cost least for
another one is a bound of what does now, and its row is computed again only if the bound is among
the least of all.
"""

from __future__ import annotations

from math import inf, nan
from typing import Any

from refagg.engine.linkages import Criterion, Slot
from refagg.engine.metrics import Metric
from refagg.errors import needed

with needed("pip install '.[big]' in the checkout"):
    import numpy as np

Array = Any


class Centroids:
    """The squared distances between centroids, estimated or in binary64."""

    def __init__(self, metric: Any, n: int, *_: Criterion) -> None:
        self._metric, self._members = metric, [[i] for i in range(n)]
        self._columns = np.array(metric.space.points).T.copy()
        self._gaps = np.empty_like(self._columns)

    def row(self, a: Slot) -> Array:
        """Return those of one cluster from all."""
        gaps = np.subtract(self._columns, self._columns[:, a : a + 1], out=self._gaps)
        return np.einsum("ij,ij->j", gaps, gaps)

    def merge(self, a: Slot, b: Slot) -> None:
        """Cluster a takes in cluster b."""
        self._members[a] += self._members[b]
        self._columns[:, a] = self._metric.centroid(self._members[a])


class Combined:
    """The least, greatest or summed distances between clusters."""

    def __init__(self, metric: Metric, n: int, criterion: Criterion) -> None:
        self._matrix = np.empty((n, n))
        combined = {"single": np.minimum, "complete": np.maximum}
        self._combine = combined.get(criterion.linkage, np.add)
        located = hasattr(getattr(metric, "space", None), "points")
        centroids = Centroids(metric, n) if located else None
        for i in range(n):
            if centroids:
                self._matrix[i] = centroids.row(i)
            else:
                self._matrix[i, i:] = metric.raw(i, range(i, n))
                self._matrix[i:, i] = self._matrix[i, i:]
        if criterion.plain:
            np.sqrt(self._matrix, out=self._matrix)

    def row(self, a: Slot) -> Array:
        """Return those of one cluster from all."""
        return self._matrix[a]

    def merge(self, a: Slot, b: Slot) -> None:
        """Cluster a takes in cluster b."""
        self._combine(self._matrix[a], self._matrix[b], out=self._matrix[a])
        self._matrix[:, a] = self._matrix[a]


class ArrayMatrix:
    """The answers of `linkages.Matrix`.

    With single linkage and no cap, a row has the distances of a cluster from records, not from
    clusters. No other cluster is nearer to a union, or farther from it, than to the nearer of its
    parts. So a merger changes one row, and what costs least for the new cluster.
    """

    def __init__(self, metric: Metric, n: int, criterion: Criterion) -> None:
        self._criterion = criterion
        kind = Centroids if criterion.between_centroids else Combined
        self._distances = kind(metric, n, criterion)
        self._sizes = np.ones(n)
        self._least, self._nearest = np.full(n, inf), np.full(n, -1)
        self._stale = np.zeros(n, bool)
        """True where the least cost is but a bound."""
        self._free = criterion.linkage == "single" and not criterion.power and criterion.most >= n
        self._slots = np.arange(n)
        """The clusters of the records, where rows are about these."""
        for a in range(n):  # the order of costs is that of distances
            row = self._distances.row(a)
            row[a] = inf
            self._note(a, row)
        self._least = self._costs(1.0, self._least)

    def best(self) -> float:
        """Return the least cost of all; inf if nothing may be merged."""
        return self._surely_least(self._least)

    def ends(self, limit: float) -> list[Slot]:
        """Return the clusters that can be merged for so much."""
        ends = (self._least <= limit).nonzero()[0]
        for a in ends[self._stale[ends]].tolist():
            self._note(a, self._row(a))
        return [a for a in ends.tolist() if self._least[a] <= limit]

    def near(self, a: Slot, end: Slot, more: float, most: float) -> dict[Slot, float]:
        """Return the merging costs of `a` within limits, by cluster.

        The costs are above `more` and up to `most`, with clusters before `end`.
        """
        row = self._row(a)[:end]
        places = np.flatnonzero((row > more) & (row <= most))
        return dict(zip(places.tolist(), row[places].tolist(), strict=True))

    def above(self, limit: float) -> float:
        """The least cost above a limit; inf if there is none."""
        rows = map(self._row, self.ends(limit))
        others = self._surely_least(np.where(self._least > limit, self._least, inf))
        return min([others, *(float(row[row > limit].min(initial=inf)) for row in rows)])

    def _surely_least(self, costs: Array) -> float:
        """Return the least of some least costs.

        Stored bounds are computed again until the least is certain.
        """
        while self._stale[a := int(costs.argmin())]:
            self._note(a, self._row(a))
            costs[a] = self._least[a]
        return float(costs[a])

    def merge(self, a: Slot, b: Slot) -> None:
        """Cluster a takes in cluster b."""
        if self._free:
            self._least[b] = inf
            row = self._distances.row(a)
            np.minimum(row, self._distances.row(b), out=row)
            self._slots[self._slots == b] = a
            row[self._slots == a] = inf
            self._note(a, row)
            return
        self._distances.merge(a, b)
        self._sizes[a] += self._sizes[b]
        self._sizes[b] = nan
        row = self._row(a)
        self._stale |= (self._nearest == a) | (self._nearest == b)
        nearer = ((row <= self._least) & (row < inf)).nonzero()[0]
        self._least[nearer], self._nearest[nearer], self._stale[nearer] = row[nearer], a, False
        self._note(a, row)
        self._least[b], self._nearest[b], self._stale[b] = inf, -1, False

    def _note(self, a: Slot, row: Array) -> None:
        self._nearest[a] = nearest = int(row.argmin())
        self._least[a], self._stale[a] = row[nearest], False

    def _row(self, a: Slot) -> Array:
        """Return the costs of merging one cluster with each other.

        They are inf where a merger is not allowed.
        """
        if self._free:
            costs = np.full_like(self._least, inf)
            np.minimum.at(costs, self._slots, self._distances.row(a))
            return costs
        costs = self._costs(self._sizes[a], self._distances.row(a))
        costs[a] = inf
        return costs

    def _costs(self, size: float, distances: Array) -> Array:
        """Return the costs of mergers of one cluster of some size."""
        if isinstance(self._distances, Centroids):
            share = self._criterion.centroid_share(size, self._sizes)
        else:
            share = self._criterion.shares(size, self._sizes)[0]
        costs = distances * share
        if self._criterion.plain:
            costs *= costs
        return np.where(self._sizes <= self._criterion.most - size, costs, inf)
