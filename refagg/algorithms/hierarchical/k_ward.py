"""k-Ward: Ward's hierarchical clustering, stopped for groups that have k records.

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

from collections.abc import Callable, Sequence

from refagg.algorithms.mdav_family.steps import MOST_DISTANT_PAIR
from refagg.cursors.clusters import Clusters
from refagg.cursors.parts import Parts, on_parts
from refagg.cursors.remaining import Cursor, Group
from refagg.engine.ward_pairs import WardPairs
from refagg.language.specification import OpenChoice, Specification

FirstTwo = Callable[[Cursor, int], None]


def k_ward(P: Parts, k: int) -> None:
    until_small(P, k, around_the_most_distant)


def k_ward_univariate(P: Parts, k: int) -> None:
    until_small(P, k, smallest_and_largest)


def until_small(P: Parts, k: int, first_two: FirstTwo) -> None:
    k = P.choices.settled("least size", k, range(1, P.space.n + 1))
    for records in P:
        if not P.choices.large(len(records), 2 * k):
            P.close(records)  # 4.
        else:
            P.divide(*merged(P, k, records, first_two))


def merged(P: Parts, k: int, records: Group, first_two: FirstTwo) -> Sequence[Group]:
    """Steps 1 to 3."""
    final = len(records) < 3 * k  # 2k are in the first two, so that no group can reach 2k again
    R = P.apart(records, final)
    first_two(R, k)  # 1.
    C = Clusters.in_part(P, WardPairs(P.space, k), final)
    for group in [*R.groups, *([record] for record in R.records)]:
        C.add(group)
    while C.engine.small:  # 3.
        C.merge(*C.closest("merge", "with"))  # 2.
    return C.engine.clusters()


def around_the_most_distant(R: Cursor, k: int) -> None:
    r, s = R.most_distant_pair("pair")
    R.group("near r", r, k, without={s})
    R.group("near s", s, k)


def smallest_and_largest(R: Cursor, k: int) -> None:
    # The end of the lowest record comes first, for no better reason than that the two ends change
    # places where the values change their signs.
    for name in sorted(("smallest", "largest"), key=R.end):
        R.outermost(name, R.end(name), k)


MERGES = (
    OpenChoice(
        "merge",
        "2",
        "the lowest record of the two groups, not both of k, whose merging costs least",
        measure="SSE",
        predicate="one of the two groups, not both of k, whose merging costs least",
    ),
    OpenChoice(
        "with",
        "2",
        "the lowest record of the other of the two",
        measure="SSE",
        predicate="the other of the two",
    ),
)
COST = "O(n^2) distances; O(n) memory, and O(m^2) for m records that are equal"

SPECIFICATION = Specification(
    name="k-ward",
    title="k-Ward (Ward's clustering, until groups have k records)",
    source="Domingo-Ferrer and Mateo-Sanz 2002, IEEE TKDE 14:189-201, k-Ward",
    run=on_parts(k_ward),
    guarantees="groups of k to 2k-1 records",
    ties=(
        MOST_DISTANT_PAIR,
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
    run=on_parts(k_ward_univariate),
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
