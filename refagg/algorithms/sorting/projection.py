"""Projection: records are sorted along one direction and cut into groups.

Source: fixed-size microaggregation on projected data, as in D. Defays, M. N. Anwar, "Masking
microdata using micro-aggregation", Journal of Official Statistics 14 (1998) 449-461, and in
J. Domingo-Ferrer, J. M. Mateo-Sanz, IEEE TKDE 14 (2002) 189-201. Recollected.

Steps:
  1. Each record has a score:
     first-component: its coordinate along the first principal component, on the scale on which
       the table is standardised (of z-scores: the eigenvector of their correlations);
     sum-of-z-scores: the sum of its z-scores, however the table is standardised;
     attribute: its value in the attribute of this number.
  2. In the order of the scores, the first k records form a group, the next k form a group, and
     so on, while 2k are left. The last k to 2k-1 form the last group.

The sign of a principal component is arbitrary, so nothing may depend on it: its order is "either",
which means that either end can come first. For the other scores `order` can be given. Where several
principal variances are equal (to a relative 2^-40), every direction in the space that they span is
a first component. The attribute's axis that is nearest to this space is projected on it (of several
nearest axes one is chosen), which gives a direction that the table defines.

>>> import refagg
>>> rows = [[5, 0], [1, 0], [9, 0], [2, 0], [7, 0]]
>>> refagg.projection(rows, k=2, by="attribute", attribute=0, order="ascending").groups
((0, 2, 4), (1, 3))
"""

from __future__ import annotations

from math import fsum

from refagg.algorithms.sorting import components
from refagg.algorithms.sorting.order_steps import END, FIRST, NEXT, groups_of_k, order_parameter
from refagg.cursors.sorted import Scores, Sorted, on_sorted
from refagg.language.specification import Specification, attribute, choice
from refagg.language.ties import Tolerance


def projection(S: Sorted, k: int, by: str, attribute: int, order: str) -> None:
    S.sort("end", SCORES[by](S, attribute), order, k)  # 1.
    groups_of_k(S, k)  # 2.


def first_coordinate(S: Sorted, attribute: int) -> Scores:
    columns = components.centred_columns(S.space.rows)
    return components.along(columns, components.first_component(columns, S.choices))


def sum_of_z_scores(S: Sorted, attribute: int) -> Scores:
    rows = components.z_scores(components.centred_columns(S.space.rows))
    near = Tolerance(absolute=components.EQUAL * max(fsum(map(abs, row)) for row in rows))
    return Scores(list(map(fsum, rows)), near)


SCORES = {
    "first-component": first_coordinate,
    "sum-of-z-scores": sum_of_z_scores,
    "attribute": Sorted.attribute,
}


def _inapplicable(by: str, attribute: int, order: str) -> str:
    if by == "first-component" and order != "either":
        return f"a principal component has no sign, so its order is either, not {order}"
    return ""


def _irrational(by: str, attribute: int, order: str) -> str:
    return {
        "first-component": "principal components are irrational",
        "sum-of-z-scores": "sums of z-scores are irrational",
    }.get(by, "")


SPECIFICATION = Specification(
    name="projection",
    title="projection on one direction, cut into groups of k",
    source="Defays and Anwar 1998, JOS 14:449-461; Domingo-Ferrer and Mateo-Sanz 2002, "
    "IEEE TKDE 14:189-201",
    run=on_sorted(projection),
    guarantees="groups of k, the last of k to 2k-1",
    ties=(components.axis_choice("1"), END, FIRST, NEXT),
    decisions=(28, 29),
    cost="O(n log n); the first component O(n p^2 + p^3) for p attributes",
    parameters=(
        choice("by", tuple(SCORES), "what records are sorted by"),
        attribute("attribute", "by which records are sorted if by is attribute"),
        order_parameter("either"),
    ),
    needs="Real",
    inapplicable=_inapplicable,
    irrational=_irrational,
    variants={"pca": {}, "single": {"by": "attribute", "order": "ascending"}},
)
