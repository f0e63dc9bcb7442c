"""k-means microaggregation: groups are halved by 2-means until all are small.

Ours: a reconstruction. Md. E. Kabir, A. N. Mahmood and A. K. Mustafa (2012) proposed to
microaggregate with k-means; their steps were not available, and no printed number confirms these.

Steps, beginning with one group of all records:
  1. While a group has 2k records or more, it is divided in two by steps 2 to 4.
  2. a is its record most distant from its centroid, b its record most distant from a: they
     are the first centres.
  3. For each record, d is its squared distance to a less that to b. The records with d < 0 are
     one side, the others the other; but of m records at least k and at most m - k, those of
     least d, are the side of a.
  4. The centroids of the sides are the next centres a and b, and step 3 is repeated. If that makes
     the SSE of the two sides less, step 4 is repeated; otherwise the previous sides are kept.
All groups end with k to 2k-1 records.

The SSE falls each time, so step 4 always ends; `rounds` limits how often step 3 is done for a
group.

Example, with paper and pencil: 0, 1, 2, 10, 11, 30 with k = 2 have the centroid 9; a = 30,
b = 0. Only 30 is nearer to a, so 11 is added: {30, 11} and {0, 1, 2, 10} with the SSE 180.5 +
62.75. Their centroids are 20.5 and 3.25; only 30 is beyond the middle, 11.875, so the sides are
the same and the SSE does not fall. For {0, 1, 2, 10}, with the centroid 3.25, a = 10 and b = 0;
2 is added to a: {10, 2} and {0, 1}. The centroids 6 and 0.5 give the same sides again.

>>> import refagg
>>> refagg.k_means_split([[0], [1], [2], [10], [11], [30]], k=2).groups
((0, 1), (2, 3), (4, 5))
"""

from __future__ import annotations

from collections.abc import Sequence

from refagg.cursors.parts import Origin, Parts, on_parts
from refagg.cursors.remaining import Group, difference
from refagg.language.specification import OpenChoice, Specification, integer


def k_means_split(P: Parts, k: int, rounds: int) -> None:
    for group in P:  # 1.
        if not P.choices.large(len(group), 2 * k):
            P.close(group)
        else:
            P.divide(*two_means(P, k, group, rounds))


def two_means(P: Parts, k: int, group: Group, rounds: int) -> Sequence[Group]:
    a = P.farthest_from_centroid("a", group)  # 2.
    b = P.farthest("b", a, group, without={a})
    before = two_sides(P, k, group, a, b)  # 3.
    for _ in range(rounds - 1):
        after = two_sides(P, k, group, *P.centroids(before))  # 4.
        if set(after[0]) == set(before[0]) or not P.lowers_sse("fall", after, before):
            break
        before = after
    return before


def two_sides(P: Parts, k: int, group: Group, a: Origin, b: Origin) -> Sequence[Group]:
    """Step 3: return the side of a, and that of b."""
    nearer_to_a = P.how_many_nearer("nearer to a", group, a, b)  # d < 0
    m = min(max(nearer_to_a, k), len(group) - k)
    side_of_a = P.nearest_side("side of a", group, a, b, m)
    return side_of_a, difference(group, side_of_a)


TIES = (
    OpenChoice("a", "2", "the record of the group most distant from its centroid"),
    OpenChoice("b", "2", "the record of the group most distant from a"),
    OpenChoice("nearer to a", "3", "whether a record is nearer to centre a than centre b", "test"),
    OpenChoice("side of a", "3", "the records of least d", measure="d and a common amount"),
    OpenChoice("fall", "4", "whether the SSE of the two sides is less than before", "test", "SSE"),
)

ROUNDS = integer("rounds", 100, 1, "how often, at most, records are assigned to centres")

SPECIFICATION = Specification(
    name="k-means-split",
    title="k-means microaggregation by repeated division in two",
    source="ours; the idea is in Kabir, Mahmood and Mustafa 2012",
    run=on_parts(k_means_split, checkpoints=True),
    guarantees="groups of k to 2k-1 records",
    ties=TIES,
    decisions=(32,),
    cost="O(n log(n/k)) distances for each round where groups are halved, O(n) memory",
    parameters=(ROUNDS,),
)
