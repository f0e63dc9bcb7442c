"""MD: the maximum distance method, two groups around the most distant pair of records.

Source: J. Domingo-Ferrer, J. M. Mateo-Sanz, "Practical data-oriented microaggregation for
statistical disclosure control", IEEE TKDE 14 (2002) 189-201.

Steps, while at least 2k records remain:
  1. (r, s) is the pair of remaining records that are most distant from each other.
  2. r and its k-1 nearest records (not s) form a group; s and its k-1 nearest of the others too.
Then:
  3. k to 2k-1 records form a group;
  4. fewer than k join, each, the group whose centroid is nearest; the centroids are those
     before the first of them is added.
Which end of the pair is r is open, and matters.

>>> from refagg import exact_space
>>> md(exact_space([[1], [2], [3], [10], [11], [12], [30]]), 2, Run()).groups
((0, 1), (2, 3, 4), (5, 6))
"""

from __future__ import annotations

from heapq import heappop, heappush
from math import inf

from refagg.algorithms.steps import Space, minus, seed_and_nearest
from refagg.model import Partition
from refagg.run import Run
from refagg.specification import Specification, Tied
from refagg.ties import Measured, Raw, Tie, greatest, least


def md(space: Space, k: int, run: Run) -> Partition:
    remaining = space.records()
    groups: list[list[int]] = []
    # A group is final at once unless step 4 will add to it.
    formed = run.together if 0 < space.n % (2 * k) < k else run.closed
    pairs = FarthestPairs(space, remaining)
    while len(remaining) >= 2 * k:
        run.iteration(remaining)
        # 1.
        r, s = run.one("pair", pairs.of(remaining))
        # 2.
        for seed, other, name in ((r, s, "near r"), (s, r, "near s")):
            distances = space.distances(seed, remaining)
            group = seed_and_nearest(space, k, run, name, seed, distances, without={other})
            groups.append(formed(group))
            remaining = minus(remaining, group)
    # 3.
    if len(remaining) >= k:
        groups.append(run.closed(remaining))
    # 4.
    elif remaining:
        centroids = [space.centroid(group) for group in groups]
        for record in remaining:
            squared = [space.squared(record, centroid) for centroid in centroids]
            number = run.one("near leftover", least(space.measured(range(len(groups)), squared)))
            groups[number] = run.together([*groups[number], record])
        for group in groups:
            run.closed(group)
    return Partition.of(groups, space.n)


class FarthestPairs:
    """The most distant pairs of ever fewer records.

    For each record, the distance to its farthest partner when it was last looked at
    bounds the distance to its farthest partner now. Only records whose bound reaches
    the greatest distance found are looked at again.
    """

    def __init__(self, space: Space, records: list[int]) -> None:
        self._space = space
        self._bounds: list[tuple[Raw, int]] = [(-inf, record) for record in records]

    def of(self, remaining: list[int]) -> Tie[tuple[int, int]]:
        """All pairs at the greatest distance, in either order."""
        there = set(remaining)
        best: Raw = 0
        least_tied: Raw = 0
        looked: dict[int, Measured[int]] = {}
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
        return greatest(Measured(items, values, like.shown, like.tolerance))


SPECIFICATION = Specification(
    name="md",
    title="MD (maximum distance)",
    source="Domingo-Ferrer and Mateo-Sanz 2002, IEEE TKDE 14:189-201",
    run=md,
    largest_group=lambda k: 2 * k - 1,
    guarantees="all groups have k records but those that take in leftovers, of at most 2k-1",
    ties=(
        Tied("pair", "1", "the most distant pair of records, and which end is r", "pair"),
        Tied("near r", "2", "the k-1 nearest records to r"),
        Tied("near s", "2", "the k-1 nearest records to s"),
        Tied(
            "near leftover",
            "4",
            "the group whose centroid is nearest to a leftover record",
            "group",
        ),
    ),
    decisions=(4, 10),
    cost="O(n^2) distances at least, O(n^2) memory for the first pair",
)
