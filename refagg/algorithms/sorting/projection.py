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

The sign of a principal component means nothing. So nothing may depend on it: its order is
"either", where each end can be the first. `order` can be told for the others.
Where several principal variances are equal (relatively to 2^-40), every direction among theirs
is a first component. The axis of an attribute that is nearest to them is projected on them
(of several nearest axes one is chosen), which gives a direction that is defined by the table.

>>> from refagg import exact_space
>>> space = exact_space([[5, 0], [1, 0], [9, 0], [2, 0], [7, 0]])
>>> projection(space, 2, Choices(), by="attribute", attribute=0, order="ascending").groups
((0, 2, 4), (1, 3))
"""

from __future__ import annotations

from collections.abc import Sequence
from math import frexp, fsum, ldexp, sqrt
from operator import mul
from typing import Any

from refagg.algorithms.sorting.order_steps import END, FIRST, NEXT, cut, order_parameter
from refagg.errors import InvalidParameter
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.language.space import Real
from refagg.language.specification import Attribute, Choice, OpenChoice, Specification
from refagg.language.ties import EXACT, Ranking, Raw, Tolerance, greatest
from refagg.linear_algebra.eigen import Vector, eigenpairs

EQUAL = 2.0**-40
"""Principal variances, lengths and scores that differ by no more, relatively to the greatest,
are taken to be equal, and their difference to be rounding. Sums of z-scores may cancel: there
the greatest sum of their sizes counts."""

Space = Real[Any]


def projection(
    space: Space, k: int, run: Choices, by: str, attribute: int, order: str
) -> Partition:
    # 1.
    scores: Sequence[Raw]
    tolerance = EXACT
    if by == "attribute":
        if attribute >= space.width:
            raise InvalidParameter(f"attribute is {attribute}; there are {space.width}, from 0")
        scores = space.attribute(attribute)
    else:
        columns = _centred(space)
        if by == "first-component":
            scores = _first_component(columns, run)
            largest = max(map(abs, scores))
        else:
            z_scores = _z_scores(columns)
            scores = list(map(fsum, z_scores))
            largest = max(fsum(map(abs, row)) for row in z_scores)
        tolerance = Tolerance(absolute=EQUAL * largest)
    # 2.
    chosen = by == "first-component"
    return Partition.of(cut(scores, k, run, order, tolerance, chosen), space.n)


def _centred(space: Space) -> list[Vector]:
    """The columns of the table less their means, scaled to at most 2 in size."""
    rows = space.rows
    exponent = frexp(max(abs(x) for row in rows for x in row))[1]
    columns = []
    for column in zip(*rows, strict=True):
        scaled = [ldexp(x, -exponent) for x in column]
        mean = fsum(scaled) / len(scaled)
        columns.append([x - mean for x in scaled])
    return columns


def _z_scores(columns: Sequence[Vector]) -> list[Vector]:
    """The z-scores of each record, by a common factor; those of a constant attribute are 0."""
    sizes = [max(map(abs, column)) for column in columns]
    spreads = [
        size * sqrt(fsum((x / size) ** 2 for x in column)) if size else 1.0
        for column, size in zip(columns, sizes, strict=True)
    ]
    return [
        [x / spread for x, spread in zip(row, spreads, strict=True)]
        for row in zip(*columns, strict=True)
    ]


def _first_component(columns: Sequence[Vector], run: Choices) -> Vector:
    pairs = eigenpairs([[fsum(map(mul, a, b)) for b in columns] for a in columns])
    most = pairs[0][0]
    vectors = [vector for value, vector in pairs if value >= most * (1 - EQUAL)]
    direction = vectors[0] if len(vectors) == 1 else _nearest_axis(vectors, run)
    return [fsum(map(mul, row, direction)) for row in zip(*columns, strict=True)]


def _nearest_axis(vectors: Sequence[Vector], run: Choices) -> Vector:
    """The projection, on the space that the vectors span, of the axis that is nearest to it."""
    lengths = [fsum(x * x for x in loadings) for loadings in zip(*vectors, strict=True)]
    measured = Ranking(range(len(lengths)), lengths, float, Tolerance(relative=EQUAL))
    axis = run.choose("axis", greatest(measured))
    return [fsum(v[axis] * v[j] for v in vectors) for j in range(len(lengths))]


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
        OpenChoice(
            "axis",
            "1",
            "of several equal principal variances, the attribute nearest to their directions",
            "attribute",
            "length^2",
        ),
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
)
