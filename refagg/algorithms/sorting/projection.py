"""Projection: records are ordered along one direction and cut into groups of k.

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

>>> from refagg import exact_space
>>> space = exact_space([[5, 0], [1, 0], [9, 0], [2, 0], [7, 0]])
>>> projection(space, 2, Choices(), by="attribute", attribute=0, order="ascending").groups
((0, 2, 4), (1, 3))
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import Any

from refagg.algorithms.sorting.components import (
    EQUAL,
    along,
    axis_choice,
    centred,
    first_component,
    tied,
    z_scores,
)
from refagg.algorithms.sorting.order_steps import END, FIRST, NEXT, cut, order_parameter
from refagg.errors import InvalidParameter
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.language.space import Real
from refagg.language.specification import Attribute, Choice, Specification
from refagg.language.ties import EXACT, Magnitude, Tolerance

Space = Real[Any]


def projection(
    space: Space, k: int, choices: Choices, by: str, attribute: int, order: str
) -> Partition:
    # 1.
    scores: Sequence[Magnitude]
    tolerance = EXACT
    if by == "attribute":
        if attribute >= space.width:
            raise InvalidParameter(f"attribute is {attribute}; there are {space.width}, from 0")
        scores = space.attribute(attribute)
    else:
        columns = centred(space.rows)
        if by == "first-component":
            scores = along(columns, first_component(columns, choices))
            tolerance = tied(scores)
        else:
            rows = z_scores(columns)
            scores = list(map(fsum, rows))
            tolerance = Tolerance(absolute=EQUAL * max(fsum(map(abs, row)) for row in rows))
    # 2.
    chosen = by == "first-component"
    return Partition.of(cut(scores, k, choices, order, tolerance, chosen), space.n)


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
    run=projection,
    largest_group=lambda k, by, attribute, order: 2 * k - 1,
    guarantees="groups of k, the last of k to 2k-1",
    ties=(
        axis_choice("1"),
        END,
        FIRST,
        NEXT,
    ),
    decisions=(28, 29),
    cost="O(n log n); the first component O(n p^2 + p^3) for p attributes",
    parameters=(
        Choice(
            "by",
            ("first-component", "sum-of-z-scores", "attribute"),
            "what records are sorted by",
        ),
        Attribute("attribute", "by which records are sorted if by is attribute"),
        order_parameter("either"),
    ),
    needs="Real",
    inapplicable=_inapplicable,
    irrational=_irrational,
    variants={"pca": {}, "single": {"by": "attribute", "order": "ascending"}},
)
