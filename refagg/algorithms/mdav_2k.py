"""MDAV with two groups while 2k records remain.

Source: A. Martinez-Balleste, A. Solanas, J. Domingo-Ferrer, J. M. Mateo-Sanz, "A genetic
approach to multivariate microaggregation for database privacy", Algorithm 1; also
J. Alarte Aleixandre, "Application of clustering techniques to privacy protection", UOC 2018,
section 5.1. Where the first prints `while RR < 2k-1`, "at least 2k" is meant.

Steps, while at least 2k records remain:
  1. x_r is the record most distant from the average of the remaining records.
  2. x_s is the record most distant from x_r.
  3. x_r and its k-1 nearest records (not x_s) form a group; x_s and its k-1 nearest of the
     others too.
Then:
  4. k to 2k-1 records form a group;
  5. fewer than k are added to existing groups. How, the sources do not say: `leftovers`.

`leftovers`:
  block             all join the group whose centroid is nearest to their own centroid
  nearest-centroid  each joins the group whose centroid is nearest to it
  nearest-record    each joins the group of the record nearest to it
  last-group        all join the group formed last
Centroids and groups are those before the first leftover is added.

>>> from refagg import exact_space
>>> space = exact_space([[1], [2], [3], [10], [30]])
>>> mdav_2k(space, 2, Run(), leftovers="block").groups
((0, 1, 2), (3, 4))
>>> mdav_2k(exact_space([[1], [2], [17], [30], [31]]), 2, Run(), leftovers="last-group").groups
((0, 1), (2, 3, 4))
"""

from __future__ import annotations

from refagg.algorithms.steps import (
    X_R,
    Space,
    minus,
    most_distant_from_average,
    seed_and_nearest,
)
from refagg.model import Partition
from refagg.run import Run
from refagg.specification import Named, Specification, Tied
from refagg.ties import least


def mdav_2k(space: Space, k: int, run: Run, leftovers: str) -> Partition:
    remaining = space.records()
    groups: list[list[int]] = []
    # A group is final at once unless step 5 will add to it.
    formed = run.together if 0 < space.n % (2 * k) < k else run.closed
    while len(remaining) >= 2 * k:
        run.iteration(remaining)
        # 1.
        x_r = most_distant_from_average(space, remaining, run)
        # 2. x_s is another record than x_r, also where all records are equal.
        from_x_r = space.distances(x_r, remaining)
        x_s = run.one("x_s", space.farthest(from_x_r, without={x_r}))
        # 3.
        group = seed_and_nearest(space, k, run, "near x_r", x_r, from_x_r, without={x_s})
        groups.append(formed(group))
        remaining = minus(remaining, group)
        from_x_s = space.distances(x_s, remaining)
        group = seed_and_nearest(space, k, run, "near x_s", x_s, from_x_s)
        groups.append(formed(group))
        remaining = minus(remaining, group)
    # 4.
    if len(remaining) >= k:
        groups.append(run.closed(remaining))
    # 5.
    elif remaining:
        for record, number in _destinations(space, run, groups, remaining, leftovers):
            groups[number] = run.together([*groups[number], record])
        for group in groups:
            run.closed(group)
    return Partition.of(groups, space.n)


def _destinations(
    space: Space, run: Run, groups: list[list[int]], left: list[int], leftovers: str
) -> list[tuple[int, int]]:
    """Each leftover record with the number of the group that it joins."""
    numbers = range(len(groups))
    if leftovers == "last-group":
        return [(record, numbers[-1]) for record in left]
    if leftovers == "nearest-record":
        home = {record: number for number in numbers for record in groups[number]}
        neighbours = [space.closest(space.distances(record, list(home))) for record in left]
        nearest = [run.one("near record", tie) for tie in neighbours]
        return [(record, home[near]) for record, near in zip(left, nearest, strict=True)]
    centroids = [space.centroid(group) for group in groups]

    def nearest_centroid(point: object) -> int:
        squared = [space.squared(point, centroid) for centroid in centroids]
        return run.one("near group", least(space.measured(numbers, squared)))

    if leftovers == "block":
        number = nearest_centroid(space.centroid(left))
        return [(record, number) for record in left]
    return [(record, nearest_centroid(record)) for record in left]


SPECIFICATION = Specification(
    name="mdav-2k",
    title="MDAV (two groups while 2k records remain)",
    source="Martinez-Balleste et al., A genetic approach to multivariate microaggregation, "
    "Algorithm 1; Alarte Aleixandre 2018, section 5.1",
    run=mdav_2k,
    largest_group=lambda k, leftovers: 2 * k - 1,
    guarantees="all groups have k records but one of k to 2k-1; "
    "with leftovers one by one, several groups of more than k",
    ties=(
        X_R,
        Tied("x_s", "2", "the record most distant from x_r"),
        Tied("near x_r", "3", "the k-1 nearest records to x_r"),
        Tied("near x_s", "3", "the k-1 nearest records to x_s"),
        Tied("near record", "5", "the record nearest to a leftover record"),
        Tied("near group", "5", "the group whose centroid is nearest to the leftovers", "group"),
    ),
    decisions=(1, 2, 4),
    cost="O(n^2 / k) distances, O(n) memory",
    parameters=(
        Named(
            "leftovers",
            ("block", "nearest-centroid", "nearest-record", "last-group"),
            "where fewer than k records that are left at the end go",
        ),
    ),
)
