"""Principal axes: the directions in which records differ most, in plain Python.

The covariance matrix (divisor n) is made diagonal by Jacobi's rotations, swept over all pairs
of attributes until what is off the diagonal is rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import frexp, fsum, hypot, ldexp, sqrt
from operator import itemgetter, mul

Vector = tuple[float, ...]

_SWEEPS = 64
_ROUNDING = 2.0**-50
_EQUAL = 1 - 2.0**-30


def principal_axes(rows: Sequence[Sequence[float]]) -> tuple[list[float], list[Vector]]:
    """The variances along the principal axes, falling, and the axes, of length 1.

    There are as many as attributes. An axis points to where its component of the greatest size
    is positive; of components that are equally great but for rounding, the first decides. Where
    two variances are equal, any axes of their plane would do, and which come out is not defined.
    Raises OverflowError where a variance is beyond all floats.

    >>> variances, axes = principal_axes([(0, 0), (2, 2), (4, 4)])
    >>> [round(v, 9) + 0.0 for v in variances]
    [5.333333333, 0.0]
    >>> [round(x, 9) for x in axes[0]]
    [0.707106781, 0.707106781]
    """
    matrix, exponent = _covariances(rows)
    width = len(matrix)
    turned = [[float(i == j) for j in range(width)] for i in range(width)]
    for _ in range(_SWEEPS):
        rotations = [_rotate(matrix, turned, p, q) for p, q in combinations(range(width), 2)]
        if not any(rotations):
            break
    pairs = [(matrix[j][j], _signed([row[j] for row in turned])) for j in range(width)]
    pairs.sort(key=itemgetter(0), reverse=True)
    variances = [ldexp(max(variance, 0.0), 2 * exponent) for variance, _ in pairs]
    return variances, [axis for _, axis in pairs]


def projected(rows: Sequence[Sequence[float]], axis: Sequence[float]) -> list[float]:
    """How far each row lies along an axis, from the average of all rows."""
    positions = [fsum(x * a for x, a in zip(row, axis, strict=True)) for row in rows]
    middle = fsum(positions) / len(positions)
    return [position - middle for position in positions]


def _covariances(rows: Sequence[Sequence[float]]) -> tuple[list[list[float]], int]:
    """The covariances divided by 4^e, with values of at most 1 in size, and e."""
    n = len(rows)
    columns = []
    for column in zip(*rows, strict=True):
        middle = fsum(column) / n
        columns.append([x - middle for x in column])
    exponent = max(frexp(max(map(abs, column)))[1] for column in columns)
    columns = [[ldexp(x, -exponent) for x in column] for column in columns]
    return [[fsum(map(mul, a, b)) / n for b in columns] for a in columns], exponent


def _rotate(matrix: list[list[float]], turned: list[list[float]], p: int, q: int) -> bool:
    """Turn in the plane of two attributes so that their covariance is 0; False if it was."""
    off = matrix[p][q]
    if abs(off) <= _ROUNDING * sqrt(abs(matrix[p][p])) * sqrt(abs(matrix[q][q])):
        return False
    ratio = (matrix[q][q] - matrix[p][p]) / (2 * off)
    tangent = (1.0 if ratio >= 0 else -1.0) / (abs(ratio) + hypot(ratio, 1.0))
    cosine = 1 / hypot(tangent, 1.0)
    sine = tangent * cosine
    for row in (*matrix, *turned):
        row[p], row[q] = cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]
    above, below = matrix[p], matrix[q]
    matrix[p] = [cosine * x - sine * y for x, y in zip(above, below, strict=True)]
    matrix[q] = [sine * x + cosine * y for x, y in zip(above, below, strict=True)]
    matrix[p][q] = matrix[q][p] = 0.0
    return True


def _signed(axis: list[float]) -> Vector:
    greatest = max(map(abs, axis))
    leading = next(x for x in axis if abs(x) >= _EQUAL * greatest)
    return tuple(-x for x in axis) if leading < 0 else tuple(axis)
