"""Logistic regression of a label on attributes, in binary64."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, fsum
from operator import mul

from refagg.errors import NotConverged

STEPS = 50
"""Newton's steps; fewer than ten are usual."""

SMALL = 1e-10
"""Probabilities that a step changes by no more are final; a pivot that is left with no more of its
variance belongs to an attribute that the others determine."""


def fitted(attributes: Sequence[Sequence[float]], labels: Sequence[int]) -> list[float]:
    """Return each record's probability of label 1, by logistic regression.

    It is found by maximum likelihood with a constant. Attributes that others determine linearly are
    left out, which changes no probability. Where attributes tell labels apart, no likelihood is
    greatest, and probabilities are those that it tends to: 0 and 1. Raises NotConverged.

    >>> [round(p, 9) for p in fitted([[0, 0, 0, 1, 1, 1]], [0, 0, 1, 0, 1, 1])][2:4]
    [0.333333333, 0.666666667]
    """
    scaled = [column for column in map(_scaled, attributes) if column]
    columns = [[1.0] * len(labels), *_independent(scaled)]
    beta = [0.0] * len(columns)
    probabilities = [0.5] * len(labels)
    for _ in range(STEPS):
        slopes = [p * (1 - p) for p in probabilities]
        off = [y - p for y, p in zip(labels, probabilities, strict=True)]
        gram = [[fsum(map(mul, map(mul, a, slopes), b)) for b in columns] for a in columns]
        step = _solved(gram, [fsum(map(mul, a, off)) for a in columns])
        beta = [b + s for b, s in zip(beta, step, strict=True)]
        before = probabilities
        sums = [fsum(map(mul, beta, row)) for row in zip(*columns, strict=True)]
        probabilities = [_probability(x) for x in sums]
        if max(map(abs, map(float.__sub__, probabilities, before))) <= SMALL:
            return probabilities
    raise NotConverged(_OPEN)


_OPEN = f"no probabilities are final after {STEPS} steps"


def _probability(x: float) -> float:
    return 1 / (1 + exp(-x)) if x >= 0 else exp(x) / (1 + exp(x)) if x > -700 else 0.0


def _scaled(column: Sequence[float]) -> list[float]:
    """Return the values less their mean, scaled.

    Their squares sum to their number.
    """
    mean = fsum(column) / len(column)
    centred = [x - mean for x in column]
    most = max(map(abs, centred))
    if most <= SMALL * max(map(abs, column)):
        return []
    shares = [x / most for x in centred]
    size = (fsum(map(mul, shares, shares)) / len(shares)) ** 0.5
    return [x / size for x in shares]


def _independent(columns: Sequence[list[float]]) -> list[list[float]]:
    """The columns without those that are linear combinations of those before them."""
    kept: list[list[float]] = []
    directions: list[list[float]] = []
    for column in columns:
        rest = list(column)
        for direction in (*directions, *directions):  # twice, against rounding
            share = fsum(map(mul, rest, direction))
            rest = [x - share * d for x, d in zip(rest, direction, strict=True)]
        size = fsum(map(mul, rest, rest)) ** 0.5
        if size**2 > SMALL * len(column):
            kept.append(column)
            directions.append([x / size for x in rest])
    return kept


def _solved(matrix: list[list[float]], right: Sequence[float]) -> list[float]:
    """The solution of equations with a positive definite matrix, by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for i in range(size):
        best = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[best] = rows[best], rows[i]
        if abs(rows[i][i]) < 1e-200:
            raise NotConverged(_OPEN)
        for r in range(i + 1, size):
            factor = rows[r][i] / rows[i][i]
            if factor:
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i], strict=True)]
    solution = [0.0] * size
    for i in reversed(range(size)):
        known = fsum(rows[i][j] * solution[j] for j in range(i + 1, size))
        solution[i] = (rows[i][size] - known) / rows[i][i]
    return solution
