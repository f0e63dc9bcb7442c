"""KSHC: closest clusters merge, and records move, until all have k.

The records that move are single ones.

Source: A. Valls, C. Gomez-Alonso, "El algoritmo de microagregacion KSHC para anonimizacion de
secuencias de datos categoricos". Its pseudo-code does not always end (docs/kshc.md); this form of
it does. The two steps and their cases are the source's; where they end is ours, except for the end
of its Example 1 (decisions 46 to 48).

Steps, beginning with one cluster for each record. delta(A, B) is the least, the greatest or the
average dissimilarity of a record of A and one of B (`linkage` single, complete, average), and
minVC = ceil(n / (2k-1)) the least possible number of groups. Clusters of fewer than k records are
small, the others large:
  1. While fewer than minVC clusters are reserved and at least two are not, A and B of least
     delta, neither of them reserved, are merged. A large cluster is reserved.
  2. While some cluster is small, take A and B of least delta of which at least one is small. Then
     a. if they have at most 2k-1 records together, they are merged;
     b. otherwise the record e of the larger that is least dissimilar to the smaller (by delta of
        {e} and it) moves to the smaller.

The algorithm always ends: each operation lowers the number of records that the small clusters lack
in all, which is n (k-1) at the beginning. In b the larger cluster has at least 2k - (k-1) records,
so it stays large. Hence there are at most n (k-1) operations, and all groups have k to 2k-1
records.

A cluster is named by its first record, and A is the one of the two with the lower name.

Example, with paper and pencil: 0, 1, 2, 3, 9, 10 with k = 3 and minVC = 2. 0, 1 and 2 are merged
and reserved. 9 and 10 follow; their delta from 3 is 6, and {3, 9, 10} is reserved.

>>> import refagg
>>> values = [0, 1, 2, 3, 9, 10]
>>> refagg.kshc(values, k=3, dissimilarity=lambda a, b: abs(a - b)).groups
((0, 1, 2), (3, 4, 5))
"""

from __future__ import annotations

from refagg.cursors.clusters import Clusters
from refagg.engine.deltas import LINKAGES, Deltas, Name
from refagg.language.choices import Choices
from refagg.language.partition import Partition, Record, set_text
from refagg.language.space import Dissimilarities
from refagg.language.specification import OpenChoice, Specification, choice


def kshc(space: Dissimilarities, k: int, choices: Choices, linkage: str) -> Partition:
    clusters = Deltas(space, k, linkage)
    C = Clusters(choices, clusters)
    min_vc = -(-space.n // (2 * k - 1))
    # 1.
    while choices.goes_on(len(clusters.large) < min_vc and len(clusters.small) > 1):
        a, b = C.closest("A of step 1", "B of step 1")
        C.merge(a, b)
        if a in clusters.large:
            choices.note("reserved", clusters.named(a))
    # 2.
    clusters.release()
    C.next_phase()
    skipped: set[frozenset[Record]] = set()
    while clusters.small:
        a, b = C.closest("A of step 2", "B of step 2")
        note_skipped(clusters, choices, a, b, skipped)
        both = len(clusters.named(a)) + len(clusters.named(b))
        if not choices.enough("merger", both, 2 * k):
            C.merge(a, b)  # a.
        else:
            smaller, larger = (a, b) if a in clusters.small else (b, a)
            e = choices.choose("e", clusters.nearest_record(smaller, larger))  # b.
            ends = f"from {set_text(clusters.named(larger))} to {set_text(clusters.named(smaller))}"
            choices.note(f"moved {ends}", [e])
            clusters.move(e, larger, smaller)
            choices.stand(clusters.clusters())
    return C.partition()


def note_skipped(
    clusters: Deltas, choices: Choices, a: Name, b: Name, noted: set[frozenset[Record]]
) -> None:
    """Note the pairs of large clusters nearer than A and B.

    Each pair is noted once.
    """
    if choices.trace is None:
        return
    for c, d in clusters.nearer_large_pairs(a, b):
        both = clusters.named(c) | clusters.named(d)
        if both not in noted:
            noted.add(both)
            pair = " and ".join(map(set_text, (clusters.named(c), clusters.named(d))))
            choices.note(f"skipped, as both are large although nearer: {pair}", ())


def _ties(step: str, which: str, pair: str) -> tuple[OpenChoice, OpenChoice]:
    return (
        OpenChoice(
            f"A of step {step}",
            step,
            f"a cluster with another of a higher name at the least delta, {which}",
            "cluster",
            "delta",
            f"one of the two closest clusters, {pair}",
        ),
        OpenChoice(
            f"B of step {step}",
            step,
            "a cluster of a higher name at the least delta from A",
            "cluster",
            "delta",
            "the cluster closest to A",
        ),
    )


SPECIFICATION = Specification(
    name="kshc",
    title="KSHC (hierarchical clusters of sequences, with transfers)",
    source="Valls and Gomez-Alonso, KSHC, microaggregation of sequences of categorical data",
    run=kshc,
    guarantees="groups of k to 2k-1 records",
    ties=(
        *_ties("1", "neither reserved", "neither of them reserved"),
        *_ties("2", "one of the two small", "at least one of them small"),
        OpenChoice(
            "e", "2b", "the record least dissimilar to the smaller cluster", measure="delta"
        ),
    ),
    decisions=(46, 47, 48, 49, 50),
    cost="n^2 dissimilarities and as much memory; a merger or move costs O(n), and O(n) more for "
    "each cluster whose nearest changed",
    parameters=(choice("linkage", LINKAGES, "delta of two clusters"),),
    needs="Dissimilarities",
    heights="delta",
)
