"""The direction along which records vary most, in binary64."""

from __future__ import annotations

from collections.abc import Sequence
from math import frexp, fsum, ldexp, sqrt
from operator import mul

from refagg.cursors.sorted import Scores
from refagg.language.choices import Choices
from refagg.language.specification import OpenChoice
from refagg.language.ties import Ranking, Tolerance, greatest
from refagg.linear_algebra.eigen import Vector, eigenpairs

EQUAL = 2.0**-40
"""Principal variances, lengths and scores that differ by no more, relatively to the greatest,
are taken to be equal, and their difference to be rounding. Sums of z-scores may cancel: there
the greatest sum of their sizes counts."""


def axis_choice(step: str) -> OpenChoice:
    """The choice of `first_component`."""
    meaning = "of several equal principal variances, the attribute nearest to their directions"
    predicate = "the one nearest to the directions of several equal principal variances"
    return OpenChoice("axis", step, meaning, "attribute", "length^2", predicate)


def centred_columns(rows: Sequence[Sequence[float]]) -> list[Vector]:
    """Return the centred columns of the rows.

    The means are subtracted, and values are scaled to at most 2 in size.
    """
    exponent = frexp(max(abs(x) for row in rows for x in row))[1]
    columns = []
    for column in zip(*rows, strict=True):
        scaled = [ldexp(x, -exponent) for x in column]
        mean = fsum(scaled) / len(scaled) if min(scaled) < max(scaled) else scaled[0]
        columns.append([x - mean for x in scaled])
    return columns


def z_scores(columns: Sequence[Vector]) -> list[Vector]:
    """Return the z-scores of each record, by a common factor.

    Those of a constant attribute are 0.
    """
    sizes = [max(map(abs, column)) for column in columns]
    spreads = [
        size * sqrt(fsum((x / size) ** 2 for x in column)) if size else 1.0
        for column, size in zip(columns, sizes, strict=True)
    ]
    return [
        [x / spread for x, spread in zip(row, spreads, strict=True)]
        for row in zip(*columns, strict=True)
    ]


def first_component(columns: Sequence[Vector], choices: Choices) -> Vector:
    """The direction of the greatest variance, of columns whose means are 0."""
    pairs = eigenpairs([[fsum(map(mul, a, b)) for b in columns] for a in columns])
    most = pairs[0][0]
    vectors = [vector for value, vector in pairs if value >= most * (1 - EQUAL)]
    return vectors[0] if len(vectors) == 1 else _nearest_axis(vectors, choices)


def along(columns: Sequence[Vector], direction: Vector) -> Scores:
    """The coordinate of each record along a direction."""
    scores = [fsum(map(mul, row, direction)) for row in zip(*columns, strict=True)]
    return Scores(scores, Tolerance(absolute=EQUAL * max(map(abs, scores))), chosen=True)


def _nearest_axis(vectors: Sequence[Vector], choices: Choices) -> Vector:
    """Return the projection of the nearest axis on the span.

    It is the axis nearest to the space that the vectors span.
    """
    lengths = [fsum(x * x for x in loadings) for loadings in zip(*vectors, strict=True)]
    measured = Ranking(range(len(lengths)), lengths, float, Tolerance(relative=EQUAL))
    axis = choices.choose("axis", greatest(measured))
    return [fsum(v[axis] * v[j] for v in vectors) for j in range(len(lengths))]
