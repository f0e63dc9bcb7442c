"""Influence, CLUSTPCA, CLUSTPPPCA, CLUSTMCDPCA: clusters are sorted, put in a row, cut.

Source: M. Templ, "Statistical disclosure control for microdata using the R-package sdcMicro",
Transactions on Data Privacy 1 (2008) 67-85, and the package itself. The steps are recollected; what
the package computes is known.

Steps:
  1. The records are divided into `clusters` clusters, or as many as there are records, by CLARA
     (refagg/algorithms/centres/medoids.py).
  2. The records of each cluster are put in an order:
     influence: by the attribute in which its medoid has the greatest value;
     clustpca: by the first principal component of the z-scores that they have in the cluster;
     clustpppca: along the direction of projection pursuit, as in PPPCA;
     clustmcdpca: by the first component of the minimum covariance determinant, as in MCDPCA.
     With the last three a cluster of fewer records than attributes is in the order of `attribute`.
  3. In the order of these clusters, each in its own order, the first k records form a group, the
     next k form a group, and so on, while 2k are left. The last k to 2k-1 form the last group. So a
     group can have records of several clusters.

Clusters are in the order of their first records. The sign of a principal component is arbitrary, so
either end of its cluster can come first.

Example, without calculation: two clusters of three records that are far from each other are put one
behind the other, and cut into groups of three.

>>> import refagg
>>> rows = [[0, 0], [1, 1], [2, 2], [30, 0], [31, 1], [32, 2]]
>>> refagg.influence(rows, k=3, clusters=2, seed=1).groups
((0, 1, 2), (3, 4, 5))
>>> refagg.clustpca(rows, k=3, clusters=2, seed=1).groups
((0, 1, 2), (3, 4, 5))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from refagg.algorithms.centres.medoids import CLARA_TIES, Cluster, clara
from refagg.algorithms.sorting.components import (
    EQUAL,
    along,
    axis_choice,
    centred_columns,
    first_component,
    z_scores,
)
from refagg.algorithms.sorting.mcdpca import STARTS, robust_scores
from refagg.algorithms.sorting.order_steps import END, FIRST, NEXT, groups_of_k
from refagg.algorithms.sorting.pursuit import DIRECTION, pursued
from refagg.cursors.sorted import Scores, Sorted, ends_of, on_sorted
from refagg.language.partition import Record
from refagg.language.specification import OpenChoice, Specification, attribute, integer
from refagg.language.ties import Ranking, Tolerance, as_it_is, greatest
from refagg.linear_algebra.binary64 import within_floats
from refagg.linear_algebra.matrices import root

ScoresOf = Callable[[Sorted, Cluster], Scores]
"""Step 2: the numbers by which the records of a cluster are sorted."""


def influence(S: Sorted, k: int, clusters: int) -> None:
    in_a_row(S, k, clusters, by_greatest_value)


def clustpca(S: Sorted, k: int, clusters: int, attribute: int) -> None:
    in_a_row(S, k, clusters, or_attribute(S, attribute, by_component))


def clustpppca(S: Sorted, k: int, clusters: int, attribute: int) -> None:
    in_a_row(S, k, clusters, or_attribute(S, attribute, by_pursuit))


def clustmcdpca(S: Sorted, k: int, clusters: int, starts: int, attribute: int) -> None:
    in_a_row(S, k, clusters, or_attribute(S, attribute, partial(by_robust_component, starts)))


def in_a_row(S: Sorted, k: int, clusters: int, scores_of: ScoresOf) -> None:
    row = [0] * len(S.space.rows)  # in binary64, as the distances of clusters are
    before = 0
    for cluster in S.choices.each(clara(S.space, S.choices, clusters), "clusters"):  # 1.
        _, members = cluster
        places = tied_places(scores_of(S, cluster))  # 2.
        for record, place in zip(members, places, strict=True):
            row[record] = before + place
        before += len(members)
    S.sort("end", Scores(row, chosen=True), "ascending", k)
    groups_of_k(S, k)  # 3.


def tied_places(scores: Scores) -> list[int]:
    """Return the place of each record, shared by tied ones.

    Records that are tied with the first of them share its place.
    """
    values = scores.values
    places = [0] * len(values)
    bound = place = None
    for number, i in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        if bound is None or values[i] > bound:
            bound, place = scores.tolerance.greatest_tied(values[i]), number
        places[i] = place or 0
    return places


def by_greatest_value(S: Sorted, cluster: Cluster) -> Scores:
    medoid, members = cluster
    scales = zip(S.space.rows[medoid], S.space.origin, S.space.weights, strict=True)
    parts = [
        (zero, Fraction(x) / root(weight) if weight else Fraction(0)) for x, zero, weight in scales
    ]
    values = [zero + moved for zero, moved in parts]
    near = Tolerance(absolute=Fraction(EQUAL) * max(abs(a) + abs(b) for a, b in parts))
    attributes = Ranking(range(S.space.width), values, as_it_is, near)
    return of_members(S.attribute(S.choices.choose("attribute", greatest(attributes))), members)


def or_attribute(S: Sorted, attribute: int, scores_of: ScoresOf) -> ScoresOf:
    """Return scores that fall back to an attribute.

    They are by the attribute where there are fewer records than attributes.
    """
    column = S.attribute(attribute)

    def by_either(S: Sorted, cluster: Cluster) -> Scores:
        enough = len(cluster[1]) >= S.space.width
        return scores_of(S, cluster) if enough else of_members(column, cluster[1])

    return by_either


def of_members(column: Scores, members: Sequence[Record]) -> Scores:
    return Scores([column.values[record] for record in members])


def by_component(S: Sorted, cluster: Cluster) -> Scores:
    scores = z_scores(centred_columns([S.space.rows[record] for record in cluster[1]]))
    columns = [list(column) for column in zip(*scores, strict=True)]
    return from_either_end(S, cluster, along(columns, first_component(columns, S.choices)))


def by_pursuit(S: Sorted, cluster: Cluster) -> Scores:
    return pursued(S, cluster[1])


def by_robust_component(starts: int, S: Sorted, cluster: Cluster) -> Scores:
    return from_either_end(S, cluster, robust_scores(S, cluster[1], starts))


def from_either_end(S: Sorted, cluster: Cluster, scores: Scores) -> Scores:
    """Return the scores or their opposites.

    One end or the other is first then.
    """
    low, high = ends_of(scores, cluster[1])
    if low == high or S.end("end of a cluster", [low, high]) == low:
        return scores
    return replace(scores, values=[-x for x in scores.values])


CLUSTERS = integer("clusters", 8, 1, "how many clusters there are, at most one for each record")
ATTRIBUTE = attribute("attribute", "by which clusters of few records are sorted")
END_OF_CLUSTER = replace(END, name="end of a cluster", meaning="a record at the first end of it")
LAST = tuple(replace(tie, step="3") for tie in (FIRST, NEXT))

_specification = partial(
    Specification,
    source="Templ 2008, Transactions on Data Privacy 1:67-85, and sdcMicro",
    guarantees="groups of k, the last of k to 2k-1",
    needs="Real",
    arithmetic=("float",),
    random=True,
)

SPECIFICATION_INFLUENCE = _specification(
    name="influence",
    title="Influence (clusters sorted by the attribute of the greatest value)",
    run=within_floats(on_sorted(influence)),
    ties=(
        *CLARA_TIES,
        OpenChoice(
            "attribute",
            "2",
            "in which the medoid has the greatest value",
            "attribute",
            "value",
            predicate="the one in which the medoid has the greatest value",
        ),
        *LAST,
    ),
    decisions=(28, 86, 87),
    cost="O(n c) distances for c clusters",
    parameters=(CLUSTERS,),
)

SPECIFICATION_PCA = _specification(
    name="clustpca",
    title="CLUSTPCA (clusters sorted by their first principal components)",
    run=within_floats(on_sorted(clustpca)),
    ties=(*CLARA_TIES, axis_choice("2"), END_OF_CLUSTER, *LAST),
    decisions=(28, 29, 86, 87),
    cost="O(n c) distances for c clusters, O(n p^2) for p attributes",
    parameters=(CLUSTERS, ATTRIBUTE),
)

SPECIFICATION_PPPCA = _specification(
    name="clustpppca",
    title="CLUSTPPPCA (clusters sorted by projection pursuit)",
    run=within_floats(on_sorted(clustpppca)),
    ties=(*CLARA_TIES, DIRECTION, *LAST),
    decisions=(28, 82, 86, 87),
    cost="O(n c) distances for c clusters, O(m^2 p) for a cluster of m records with p attributes",
    parameters=(CLUSTERS, ATTRIBUTE),
)

SPECIFICATION_MCDPCA = _specification(
    name="clustmcdpca",
    title="CLUSTMCDPCA (clusters sorted by the first components of robust covariances)",
    run=within_floats(on_sorted(clustmcdpca)),
    ties=(*CLARA_TIES, axis_choice("2"), END_OF_CLUSTER, *LAST),
    decisions=(28, 29, 81, 85, 86, 87),
    cost="O(n c) distances for c clusters, O(n p^2) for each concentration step",
    parameters=(CLUSTERS, STARTS, ATTRIBUTE),
)
