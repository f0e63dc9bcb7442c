"""MDAV-single: one group per step instead of two.

Source: G. S. Rawat, B. Borah, "An improved variable-sized microaggregation algorithm
(IV-MDAV)", where it is measured but its pseudo-code is not given; this reading gives the
printed values.

Steps, while at least 3k records remain:
  1. x_r is the record most distant from the average of the remaining records;
     x_r and its k-1 nearest records form a group.
Then:
  2. of 2k to 3k-1 records, x_r and its k-1 nearest form a group, the others one more;
  3. fewer than 2k records form one group.

>>> from refagg import exact_space
>>> mdav_single(exact_space([[1], [2], [3], [10], [11], [12], [30]]), 2, Run()).groups
((0, 1, 2), (3, 4), (5, 6))
"""

from __future__ import annotations

from refagg.algorithms.steps import (
    NEAR_X_R,
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
from refagg.specification import Specification


def mdav_single(space: Space, k: int, run: Run) -> Partition:
    remaining = space.records()
    groups: list[list[int]] = []
    while len(remaining) >= 3 * k:
        run.iteration(remaining)
        # 1.
        x_r = most_distant_from_average(space, remaining, run)
        from_x_r = space.distances(x_r, remaining)
        group = seed_and_nearest(space, k, run, "near x_r", x_r, from_x_r)
        groups.append(run.closed(group))
        remaining = minus(remaining, group)
    # 2. and 3.
    groups += one_group_and_the_rest(space, k, run, remaining)
    return Partition.of(groups, space.n)


SPECIFICATION = Specification(
    name="mdav-single",
    title="MDAV-single (one group per step)",
    source="Rawat and Borah, IV-MDAV, Table 1",
    run=mdav_single,
    largest_group=lambda k: 2 * k - 1,
    guarantees="all groups have k records but the last, which has k to 2k-1",
    ties=(X_R, NEAR_X_R, *last_ties("2")),
    decisions=(3,),
    cost="O(n^2 / k) distances, O(n) memory",
)
