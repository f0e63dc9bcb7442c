"""OKA: one pass of k-means from random records, then sizes adjusted.

Source: J.-L. Lin, M.-C. Wei, "An efficient clustering method for k-anonymization", PAIS 2008, the
one-pass k-means algorithm. The paper was not available; the reading is that of another
implementation (Clustering_based_K_Anon by qiyuangong), except that small groups are filled up to k
here, and take in one record each there. Distances are widths of ranges there, and squared distances
from centroids here.

Steps, K being n/k rounded down:
  1. K records are drawn from the random stream, all sets being equally likely; each begins a group.
  2. Each other record, in the order of the file, joins the group whose centroid is nearest; the
     centroid moves.
  3. Each group of more than k records keeps the k that are nearest to its centroid.
  4. The records that are not kept join groups in the order of the file: while there are groups of
     fewer than k records, the nearest of these, otherwise the nearest of all. The centroid moves.
After step 3 no group has more than k records, so fewer than k are left when all have k.

Example, with paper and pencil: 0, 1, 2, 3, 9, 10, 30 with k = 2, and the draws of 0, 30 and 1. 2
and 3 join 1, then 9 joins 1, 2, 3 around 2, and 10 joins these around 15/4. Of 1, 2, 3, 9, 10, with
the centroid 5, 3 and 2 are kept. 1 joins 0, and 9 joins 30, as these have one record; 10 joins 2
and 3, as it is 15/2 from 5/2, and 19/2 from 39/2.

>>> import refagg
>>> from refagg.language.choices import Choices
>>> from refagg.language.random_stream import scripted
>>> space = refagg.exact_space([[0], [1], [2], [3], [9], [10], [30]])
>>> refagg.specification("oka").run(space, 2, Choices(stream=scripted([0, 5, 0]))).groups
((0, 1), (2, 3, 5), (4, 6))
"""

from __future__ import annotations

from refagg.cursors.groups import Groups, on_groups
from refagg.cursors.remaining import Cursor, difference
from refagg.language.specification import OpenChoice, Specification


def oka(R: Cursor, k: int) -> Groups:
    seeds = R.choices.sample("first of groups", R.records, len(R) // k)  # 1.
    G = Groups(R.space, R.choices, {number: [seed] for number, seed in enumerate(seeds)})
    for record in G.each(difference(R.records, seeds), "records"):
        G.add(record, G.nearest("near", record, G.centroids(G.numbers())))  # 2.
    kept = {number: G.nearest_of("kept", number, k) for number in G.of_at_least(k + 1)}  # 3.
    pool = sorted(record for number in kept for record in difference(G[number], kept[number]))
    G = Groups(R.space, R.choices, {number: kept.get(number, G[number]) for number in G.numbers()})
    for record in G.each(pool, "records that join again"):
        among = G.below(k) or G.numbers()
        G.join(record, G.nearest("near pool", record, G.centroids(among)))  # 4.
    return G


SPECIFICATION = Specification(
    name="oka",
    title="OKA (one-pass k-means, with adjusted sizes)",
    source="Lin and Wei 2008, PAIS",
    run=on_groups(oka),
    guarantees="all groups have k records but those that take in the last ones, of at most 2k-1",
    ties=(
        OpenChoice("near", "2", "the group whose centroid is nearest to a record", "group"),
        OpenChoice("kept", "3", "the k records nearest to the centroid of their group"),
        OpenChoice(
            "near pool", "4", "the group whose centroid is nearest to a record not kept", "group"
        ),
    ),
    decisions=(89,),
    cost="O(n^2 / k) distances, O(n) memory",
    needs="Numeric",
    random=True,
)
