"""TFRP: groups around the records farthest from two corners, in turn.

The corners are those of the data.

Source: C.-C. Chang, Y.-C. Li, W.-H. Huang, "TFRP: An efficient microaggregation algorithm for
statistical disclosure control", Journal of Systems and Software 80 (2007) 1866-1878. The steps
are a reading that gives 23 of 24 recollected numbers for three data sets to the last digit; the
paper was not available.

z_min and z_max are the least and the greatest of all z-scores of the table, whatever their
attribute. The reference points are R1 = (z_min, ..., z_min) and R2 = (z_max, ..., z_max).

TFRP-1, while at least k records are unassigned:
  1. The seed is the unassigned record most distant from R1, for the next group from R2, and so
     on in turn; it and its k-1 nearest unassigned records form a group.
Then:
  2. each of the fewer than k that remain joins the group whose centroid is nearest; the centroids
     are those before the first of them is added.
TFRP-2 begins with TFRP-1, and then:
  3. The groups are visited in the order of their SSE after TFRP-1, the greatest first. A visited
     group is dissolved, each of its records joining the group with the nearest centroid (all
     centroids as they were before), if that makes the total SSE less; else it stays.
  4. Each group of 2k records or more is divided by steps 1 and 2, with the same R1 and R2.

The algorithm measures deviations from the means of the attributes, so the data need not be
z-scores, and adding a constant to an attribute changes nothing. A z-score needs a root, and z_min
compares those of different attributes: there is no exact arithmetic for it.

Example, with paper and pencil: 1, 2, 3, 10, 11, 12, 30 with k = 2 have the mean 69/7; R1 is 1 and
R2 is 30. From 1, 30 is the farthest, and 12 joins it; from 30, 1, and 2 joins it; from 1 again 11,
and 10 joins it. 3 is left; the centroids are 21, 1.5 and 10.5. Dissolving {12, 30} would cost more
than it saves, and so would {1, 2, 3} and {10, 11}: both results are the same.

>>> import refagg
>>> refagg.tfrp_1([[1], [2], [3], [10], [11], [12], [30]], k=2).groups
((0, 1, 2), (3, 4), (5, 6))
>>> refagg.tfrp_2([[1], [2], [3], [10], [11], [12], [30]], k=2).groups
((0, 1, 2), (3, 4), (5, 6))
"""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle
from math import fsum
from typing import Any

from refagg.algorithms.mdav_family.second_phase import dissolved, ties, visited
from refagg.algorithms.mdav_family.steps import near_leftover
from refagg.cursors.groups import Groups, on_groups
from refagg.cursors.remaining import Cursor
from refagg.language.specification import OpenChoice, Specification

Points = tuple[Any, Any]


def tfrp_1(R: Cursor, k: int) -> Groups:
    return first_phase(R, k, reference_points(R.space))


def tfrp_2(R: Cursor, k: int) -> Groups:
    references = reference_points(R.space)
    G = first_phase(R, k, references)  # 1. and 2.
    dissolved(G, G.by_decreasing_sse("visited"))  # 3.
    return G.divided(G.of_at_least(2 * k), first_phase, k, references)  # 4.


def first_phase(R: Cursor, k: int, references: Points) -> Groups:
    turns = cycle(references)
    while R.has("loop", k):  # 1.
        seed = R.farthest("seed", next(turns))
        R.group("near seed", seed, k)
    G = Groups.formed(R)  # 2.
    centroids = G.centroids(G.numbers())
    for record in R.records:
        G.add(record, G.nearest("near leftover", record, centroids))
    return G


def reference_points(space: Any) -> Points:
    """R1 and R2, as points of the space."""
    columns = [list(column) for column in zip(*space.rows, strict=True)]
    means = [fsum(column) / space.n for column in columns]
    z_min = min(min(column) - mean for column, mean in zip(columns, means, strict=True))
    z_max = max(max(column) - mean for column, mean in zip(columns, means, strict=True))
    return space.point([m + z_min for m in means]), space.point([m + z_max for m in means])


_TIES = (
    OpenChoice("seed", "1", "the unassigned record most distant from the reference point"),
    OpenChoice("near seed", "1", "the k-1 nearest unassigned records to the seed"),
    near_leftover("2"),
)

SPECIFICATION_1 = Specification(
    name="tfrp-1",
    title="TFRP-1 (two fixed reference points, first phase)",
    source="Chang, Li and Huang 2007, JSS 80:1866-1878",
    run=on_groups(tfrp_1),
    guarantees="all groups have k records but those that take in leftovers, of at most 2k-1",
    ties=_TIES,
    decisions=(30,),
    cost="O(n^2 / k) distances, O(n) memory",
    needs="Real",
    arithmetic=("float",),
)

SPECIFICATION_2 = replace(
    SPECIFICATION_1,
    name="tfrp-2",
    title="TFRP-2 (two fixed reference points, both phases)",
    run=on_groups(tfrp_2),
    guarantees="groups of k to 2k-1 records; an SSE that is at most that of TFRP-1 "
    "before groups of 2k are divided",
    ties=(*_TIES, visited("3"), *ties("3")),
    decisions=(30, 31),
)
