"""MDAV as the mu-Argus code runs: the end with the lower record number goes first.

Source: the code of mu-Argus (Statistics Netherlands), as its results show it; not a
publication. It differs from `mdav` in one step, and its result depends on the order of
the records in the file.

Steps, while at least 3k records remain:
  1. x_r is the record most distant from the average of the remaining records.
  2. x_s is the record most distant from x_r.
  3. Of x_r and x_s, the one with the lower number and its k-1 nearest records (not the other
     one) form a group, then the other one and its k-1 nearest of what is left.
Then:
  4. of 2k to 3k-1 records, x_r and its k-1 nearest form a group, the others one more;
  5. fewer than 2k records form one group.

>>> from refagg import exact_space
>>> mdav_argus(exact_space([[1], [2], [3], [10], [11], [12], [30]]), 2, Run()).groups
((0, 1), (2, 3, 4), (5, 6))
"""

from __future__ import annotations

from refagg.algorithms.steps import (
    X_R,
    Space,
    last_ties,
    minus,
    most_distant_from_average,
    one_group_and_the_rest,
    seed_and_nearest,
)
from refagg.model import Partition
from refagg.run import Run
from refagg.specification import Specification, Tied


def mdav_argus(space: Space, k: int, run: Run) -> Partition:
    remaining = space.records()
    groups: list[list[int]] = []
    while len(remaining) >= 3 * k:
        run.iteration(remaining)
        # 1.
        x_r = most_distant_from_average(space, remaining, run)
        # 2. x_s is another record than x_r, also where all records are equal.
        x_s = run.one("x_s", space.farthest(space.distances(x_r, remaining), without={x_r}))
        # 3.
        first, second = sorted((x_r, x_s))
        for seed, other, name in ((first, second, "near first"), (second, first, "near second")):
            distances = space.distances(seed, remaining)
            group = seed_and_nearest(space, k, run, name, seed, distances, without={other})
            groups.append(run.closed(group))
            remaining = minus(remaining, group)
    # 4. and 5.
    groups += one_group_and_the_rest(space, k, run, remaining)
    return Partition.of(groups, space.n)


SPECIFICATION = Specification(
    name="mdav-argus",
    title="MDAV as in mu-Argus (the lower record number first)",
    source="the code of mu-Argus as its results show it; unpublished",
    run=mdav_argus,
    largest_group=lambda k: 2 * k - 1,
    guarantees="all groups have k records but the last, which has k to 2k-1; "
    "depends on the order of the records",
    ties=(
        X_R,
        Tied("x_s", "2", "the record most distant from x_r"),
        Tied("near first", "3", "the k-1 nearest records to the end with the lower number"),
        Tied("near second", "3", "the k-1 nearest records to the end with the higher number"),
        *last_ties("4"),
    ),
    decisions=(2, 11),
    cost="O(n^2 / k) distances, O(n) memory",
)
