"""MDAV: maximum distance to average vector, the form with two groups while 3k records remain.

Source: J. Domingo-Ferrer, V. Torra, "Ordinal, continuous and heterogeneous k-anonymity
through microaggregation", Data Mining and Knowledge Discovery 11 (2005) 195-212, where it
is called MDAV-generic; here on numeric data.

Steps, while at least 3k records remain:
  1. x_r is the record most distant from the average of the remaining records.
  2. x_s is the record most distant from x_r.
  3. x_r and its k-1 nearest records (not x_s) form a group; x_s and its k-1 nearest of the
     others too.
Then:
  4. of 2k to 3k-1 records, x_r (as in 1) and its k-1 nearest form a group, the others one more;
  5. fewer than 2k records form one group.

Example, with paper and pencil: 1, 2, 3, 10, 11, 12, 30 with k = 2. The average is 69/7, so
30 is x_r and 1 is x_s; {12, 30} and {1, 2} are formed. Three records remain: {3, 10, 11}.

>>> from refagg import exact_space
>>> mdav(exact_space([[1], [2], [3], [10], [11], [12], [30]]), 2, Run()).groups
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
from refagg.model import Partition, Record
from refagg.run import Run
from refagg.specification import Specification, Tied


def mdav(space: Space, k: int, run: Run) -> Partition:
    return Partition.of(mdav_groups(space, k, run, space.records()), space.n)


def mdav_groups(space: Space, k: int, run: Run, remaining: list[Record]) -> list[list[Record]]:
    """The groups that MDAV forms of these records, of which there are at least k."""
    groups: list[list[int]] = []
    while len(remaining) >= 3 * k:
        run.iteration(remaining)
        # 1.
        x_r = most_distant_from_average(space, remaining, run)
        # 2. x_s is another record than x_r, also where all records are equal.
        from_x_r = space.distances(x_r, remaining)
        x_s = run.one("x_s", space.farthest(from_x_r, without={x_r}))
        # 3.
        group = seed_and_nearest(space, k, run, "near x_r", x_r, from_x_r, without={x_s})
        groups.append(run.closed(group))
        remaining = minus(remaining, group)
        from_x_s = space.distances(x_s, remaining)
        group = seed_and_nearest(space, k, run, "near x_s", x_s, from_x_s)
        groups.append(run.closed(group))
        remaining = minus(remaining, group)
    # 4. and 5.
    groups += one_group_and_the_rest(space, k, run, remaining)
    return groups


SPECIFICATION = Specification(
    name="mdav",
    title="MDAV (two groups while 3k records remain)",
    source="Domingo-Ferrer and Torra 2005, DMKD 11:195-212, MDAV-generic on numeric data",
    run=mdav,
    largest_group=lambda k: 2 * k - 1,
    guarantees="all groups have k records but the last, which has k to 2k-1",
    ties=(
        X_R,
        Tied("x_s", "2", "the record most distant from x_r"),
        Tied("near x_r", "3", "the k-1 nearest records to x_r"),
        Tied("near x_s", "3", "the k-1 nearest records to x_s"),
        *last_ties("4"),
    ),
    decisions=(1, 2),
    cost="O(n^2 / k) distances, O(n) memory",
)
