"""Influence, CLUSTPCA, CLUSTPPPCA, CLUSTMCDPCA: clusters are sorted, put in a row, and cut.

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
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from refagg.algorithms.centres.medoids import CLARA_TIES, Cluster, clara
from refagg.algorithms.sorting.components import (
    EQUAL,
    along,
    axis_choice,
    centred,
    first_component,
    tied,
    z_scores,
)
from refagg.algorithms.sorting.order_steps import END, FIRST, NEXT, cut
from refagg.algorithms.sorting.pursuit import DIRECTION, pursued
from refagg.algorithms.sorting.robust import STARTS, robust_scores
from refagg.errors import InvalidParameter
from refagg.language.choices import Choices
from refagg.language.partition import Partition, Record
from refagg.language.space import Real
from refagg.language.specification import Attribute, Integer, OpenChoice, Specification
from refagg.language.ties import EXACT, Magnitude, Ranking, Tolerance, as_it_is, greatest, least
from refagg.linear_algebra.binary64 import within_floats
from refagg.linear_algebra.matrices import root
from refagg.terminal import NOW

Space = Real[Any]
Order = tuple[Sequence[Magnitude], Tolerance]
"""Values by which some records are in order, and when they are tied."""


def influence(space: Space, k: int, choices: Choices, clusters: int) -> Partition:
    return _in_a_row(space, k, choices, clusters, partial(_by_greatest_value, space, choices))


def clustpca(space: Space, k: int, choices: Choices, clusters: int, attribute: int) -> Partition:
    by = partial(_by_component, space, choices)
    return _in_a_row(space, k, choices, clusters, _or_attribute(space, attribute, by))


def clustpppca(space: Space, k: int, choices: Choices, clusters: int, attribute: int) -> Partition:
    by = partial(_by_pursuit, space, choices)
    return _in_a_row(space, k, choices, clusters, _or_attribute(space, attribute, by))


def clustmcdpca(
    space: Space, k: int, choices: Choices, clusters: int, starts: int, attribute: int
) -> Partition:
    by = partial(_by_robust_component, space, choices, starts)
    return _in_a_row(space, k, choices, clusters, _or_attribute(space, attribute, by))


def _in_a_row(
    space: Space, k: int, choices: Choices, clusters: int, order_of: Callable[[Cluster], Order]
) -> Partition:
    row = [0] * len(space.rows)  # in binary64, as the distances of clusters are
    before = 0
    for cluster in NOW.each(clara(space, choices, clusters), "clusters"):  # 1.
        _, members = cluster
        places = _places(*order_of(cluster))  # 2.
        for record, place in zip(members, places, strict=True):
            row[record] = before + place
        before += len(members)
    return Partition.of(cut(row, k, choices, "ascending", EXACT, chosen=True), space.n)  # 3.


def _places(values: Sequence[Magnitude], tolerance: Tolerance) -> list[int]:
    """The place of each value, where values that are tied with the first of them share it."""
    places = [0] * len(values)
    bound = place = None
    for number, i in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        if bound is None or values[i] > bound:
            bound, place = tolerance.greatest_tied(values[i]), number
        places[i] = place or 0
    return places


def _by_greatest_value(space: Space, choices: Choices, cluster: Cluster) -> Order:
    medoid, members = cluster
    scales = zip(space.rows[medoid], space.origin, space.weights, strict=True)
    parts = [
        (zero, Fraction(x) / root(weight) if weight else Fraction(0)) for x, zero, weight in scales
    ]
    values = [zero + moved for zero, moved in parts]
    near = Tolerance(absolute=Fraction(EQUAL) * max(abs(a) + abs(b) for a, b in parts))
    attributes = Ranking(range(space.width), values, as_it_is, near)
    column = space.attribute(choices.choose("attribute", greatest(attributes)))
    return [column[record] for record in members], EXACT


def _or_attribute(
    space: Space, attribute: int, by: Callable[[Cluster], Order]
) -> Callable[[Cluster], Order]:
    """By an attribute where there are fewer records than attributes."""
    if attribute >= space.width:
        raise InvalidParameter(f"attribute is {attribute}; there are {space.width}, from 0")

    def order_of(cluster: Cluster) -> Order:
        if len(cluster[1]) >= space.width:
            return by(cluster)
        column = space.attribute(attribute)
        return [column[record] for record in cluster[1]], EXACT

    return order_of


def _by_component(space: Space, choices: Choices, cluster: Cluster) -> Order:
    rows = space.rows
    scores = z_scores(centred([rows[record] for record in cluster[1]]))
    columns = [list(column) for column in zip(*scores, strict=True)]
    return _either(along(columns, first_component(columns, choices)), cluster[1], choices)


def _by_pursuit(space: Space, choices: Choices, cluster: Cluster) -> Order:
    return pursued(space, cluster[1], choices)


def _by_robust_component(space: Space, choices: Choices, starts: int, cluster: Cluster) -> Order:
    return _either(robust_scores(space, cluster[1], choices, starts), cluster[1], choices)


def _either(scores: Sequence[float], members: Sequence[Record], choices: Choices) -> Order:
    """The scores or their opposites, so that one end or the other is first."""
    near = tied(list(scores))
    ends = [
        next(
            i for i, x in zip(members, scores, strict=True) if x <= near.greatest_tied(min(scores))
        ),
        next(i for i, x in zip(members, scores, strict=True) if x >= near.least_tied(max(scores))),
    ]
    if ends[0] == ends[1]:
        return scores, near
    first = choices.choose("end of a cluster", least(Ranking(ends, [0, 0], as_it_is)))
    return (scores if first == ends[0] else [-x for x in scores]), near


CLUSTERS = Integer("clusters", 8, 1, "how many clusters there are, at most one for each record")
ATTRIBUTE = Attribute("attribute", "by which clusters of few records are sorted")
END_OF_CLUSTER = replace(END, name="end of a cluster", meaning="a record at the first end of it")
LAST = tuple(replace(tie, step="3") for tie in (FIRST, NEXT))

_specification = partial(
    Specification,
    source="Templ 2008, Transactions on Data Privacy 1:67-85, and sdcMicro",
    largest_group=lambda k, **settings: 2 * k - 1,
    guarantees="groups of k, the last of k to 2k-1",
    needs="Real",
    arithmetic=("float",),
    random=True,
)

SPECIFICATION_INFLUENCE = _specification(
    name="influence",
    title="Influence (clusters sorted by the attribute of the greatest value)",
    run=within_floats(influence),
    ties=(
        *CLARA_TIES,
        OpenChoice(
            "attribute", "2", "in which the medoid has the greatest value", "attribute", "value"
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
    run=within_floats(clustpca),
    ties=(*CLARA_TIES, axis_choice("2"), END_OF_CLUSTER, *LAST),
    decisions=(28, 29, 86, 87),
    cost="O(n c) distances for c clusters, O(n p^2) for p attributes",
    parameters=(CLUSTERS, ATTRIBUTE),
)

SPECIFICATION_PPPCA = _specification(
    name="clustpppca",
    title="CLUSTPPPCA (clusters sorted by projection pursuit)",
    run=within_floats(clustpppca),
    ties=(*CLARA_TIES, DIRECTION, *LAST),
    decisions=(28, 82, 86, 87),
    cost="O(n c) distances for c clusters, O(m^2 p) for a cluster of m records with p attributes",
    parameters=(CLUSTERS, ATTRIBUTE),
)

SPECIFICATION_MCDPCA = _specification(
    name="clustmcdpca",
    title="CLUSTMCDPCA (clusters sorted by the first components of robust covariances)",
    run=within_floats(clustmcdpca),
    ties=(*CLARA_TIES, axis_choice("2"), END_OF_CLUSTER, *LAST),
    decisions=(28, 29, 81, 85, 86, 87),
    cost="O(n c) distances for c clusters, O(n p^2) for each concentration step",
    parameters=(CLUSTERS, STARTS, ATTRIBUTE),
)
