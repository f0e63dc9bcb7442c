"""k-Ward: Ward's hierarchical clustering, stopped for each group when it has k records.

Source: J. Domingo-Ferrer, J. M. Mateo-Sanz, "Practical data-oriented microaggregation for
statistical disclosure control", IEEE TKDE 14 (2002) 189-201; for one attribute with the steps that
A. Valls and C. Gomez-Alonso give in their paper on KSHC. Recollected; no printed number confirms
it.

Steps, for all records, and again for each group of 2k records or more:
  1. Two groups of k: with one attribute the k smallest values and the k largest; with several,
     as in MD, around the most distant pair of records (r, s): r and its k-1 nearest records
     (not s), then s and its k-1 nearest of the others. All other records are groups of one.
  2. Merge the two groups for which n_i n_j / (n_i + n_j) |m_i - m_j|^2 is least, m_i being the
     centroid of n_i records; never two that have k records or more each.
  3. Repeat 2 until all groups have k records.
  4. Fewer than 2k records are a group of the result.
Which end of the most distant pair is r is open, and matters.

Example, with paper and pencil: 1, 2, 3, 10, 11, 20, 30 with k = 2. {1, 2} and {20, 30} are
formed, 3, 10 and 11 are single. 10 and 11 merge at the cost 1/2, then {1, 2} and 3 at
2/3 * 1.5^2 = 3/2.

>>> import refagg
>>> refagg.k_ward_univariate([[1], [2], [3], [10], [11], [20], [30]], k=2).groups
((0, 1, 2), (3, 4), (5, 6))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from refagg.cursors.clusters import Clusters
from refagg.cursors.remaining import Cursor
from refagg.engine.ward_pairs import WardPairs
from refagg.language.choices import Choices
from refagg.language.partition import Partition, Record
from refagg.language.space import Centroids
from refagg.language.specification import OpenChoice, Specification

FirstTwo = Callable[[Cursor, int], None]
NOBODY = -1


def until_small(space: Centroids[Any], k: int, choices: Choices, first_two: FirstTwo) -> Partition:
    waiting = [space.records()]
    groups: list[list[Record]] = []
    while waiting:
        records = waiting.pop()
        if len(records) < 2 * k:
            groups.append(choices.closed(records))  # 4.
        else:
            waiting += divided(space, k, choices, first_two, records, others=[*waiting, *groups])
    return Partition.of(groups, space.n)


def divided(
    space: Centroids[Any],
    k: int,
    choices: Choices,
    first_two: FirstTwo,
    records: list[Record],
    others: list[list[Record]],
) -> list[list[Record]]:
    """Groups of these records; `others` are the groups of all others, of the result or waiting."""
    choices.apart(records)
    final = len(records) < 3 * k  # 2k are in the first two, so that no group can reach 2k again
    R = Cursor(space, choices, records, tentative=True, stay=final)
    first_two(R, k)  # 1.
    groups = WardPairs(space, k)
    # With a number that is no record, the others cannot be taken for groups of this division.
    elsewhere = [[NOBODY, *group] for group in others]
    C = Clusters(choices, groups, elsewhere, groups.centroids, stay=lambda group: final)
    for group in [*R.groups, *([record] for record in R.records)]:
        groups.add(group)
        C.together(group)
    while groups.small:  # 3.
        C.merge(*C.closest("merge", "with"))  # 2.
    return groups.clusters()


def around_the_most_distant(R: Cursor, k: int) -> None:
    r, s = R.most_distant_pair("pair")
    R.group("near r", r, k, without={s})
    R.group("near s", s, k)


def smallest_and_largest(R: Cursor, k: int) -> None:
    space: Any = R.space
    values = space.attribute(0)
    ends = {
        "smallest": lambda records: min(records, key=lambda r: (values[r], r)),
        "largest": lambda records: min(records, key=lambda r: (-values[r], r)),
    }
    # The end of the lowest record comes first, for no better reason than that the two ends change
    # places where the values change their signs.
    for name in sorted(ends, key=lambda name: ends[name](R.records)):
        R.outermost(name, ends[name](R.records), k)


def k_ward(space: Centroids[Any], k: int, choices: Choices) -> Partition:
    return until_small(space, k, choices, around_the_most_distant)


def k_ward_univariate(space: Centroids[Any], k: int, choices: Choices) -> Partition:
    return until_small(space, k, choices, smallest_and_largest)


MERGES = (
    OpenChoice(
        "merge",
        "2",
        "the lowest record of the two groups, not both of k, whose merging costs least",
        measure="SSE",
    ),
    OpenChoice("with", "2", "the lowest record of the other of the two", measure="SSE"),
)
COST = "O(n^2) distances; O(n) memory, and O(m^2) for m records that are equal"

SPECIFICATION = Specification(
    name="k-ward",
    title="k-Ward (Ward's clustering, until groups have k records)",
    source="Domingo-Ferrer and Mateo-Sanz 2002, IEEE TKDE 14:189-201, k-Ward",
    run=k_ward,
    largest_group=lambda k: 2 * k - 1,
    guarantees="groups of k to 2k-1 records",
    ties=(
        OpenChoice("pair", "1", "the most distant pair of records, and which end is r", "pair"),
        OpenChoice("near r", "1", "the k-1 nearest records to r"),
        OpenChoice("near s", "1", "the k-1 nearest records to s"),
        *MERGES,
    ),
    decisions=(24, 25),
    cost=COST,
    heights="SSE added",
)

UNIVARIATE = Specification(
    name="k-ward-univariate",
    title="k-Ward for one attribute",
    source="Domingo-Ferrer and Mateo-Sanz 2002, IEEE TKDE 14:189-201, k-Ward; "
    "steps as Valls and Gomez-Alonso give them",
    run=k_ward_univariate,
    largest_group=lambda k: 2 * k - 1,
    guarantees="groups of k to 2k-1 records",
    ties=(
        OpenChoice("smallest", "1", "the k smallest values", measure="distance^2 from the least"),
        OpenChoice("largest", "1", "the k largest values", measure="distance^2 from the greatest"),
        *MERGES,
    ),
    decisions=(24,),
    cost=COST,
    heights="SSE added",
    needs="Numeric",
    attributes="one",
)
