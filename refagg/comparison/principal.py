"""Principal axes: the directions in which records differ most.

They are the eigenvectors of the covariance matrix (divisor n).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import frexp, fsum, ldexp
from operator import mul

from refagg.data.standardise import Scaled
from refagg.errors import InvalidParameter
from refagg.linear_algebra.eigen import eigenpairs
from refagg.spaces.binary64 import FloatSpace

Vector = tuple[float, ...]

_EQUAL = 1 - 2.0**-30


def principal_axes(rows: Sequence[Sequence[float]]) -> tuple[list[float], list[Vector]]:
    """Return the variances along the principal axes, and the axes.

    The variances are in decreasing order, and the axes have length 1. There are as many as
    attributes. An axis points to where its component of the greatest size is positive; of
    components that are equally great up to rounding, the first decides. Where two variances are
    equal, any axes of their plane would do, and which come out is not defined. Raises OverflowError
    where a variance is outside the range of binary64.

    >>> variances, axes = principal_axes([(0, 0), (2, 2), (4, 4)])
    >>> [round(v, 9) + 0.0 for v in variances]
    [5.333333333, 0.0]
    >>> [round(x, 9) for x in axes[0]]
    [0.707106781, 0.707106781]
    """
    matrix, exponent = _covariances(rows)
    pairs = eigenpairs(matrix)
    variances = [ldexp(max(variance, 0.0), 2 * exponent) for variance, _ in pairs]
    return variances, [_signed(axis) for _, axis in pairs]


def coordinates_along(rows: Sequence[Sequence[float]], axis: Sequence[float]) -> list[float]:
    """Return the coordinates of rows along an axis.

    They are measured from the average of all rows.
    """
    positions = [fsum(x * a for x, a in zip(row, axis, strict=True)) for row in rows]
    middle = fsum(positions) / len(positions)
    return [position - middle for position in positions]


def _covariances(rows: Sequence[Sequence[float]]) -> tuple[list[list[float]], int]:
    """Return the scaled covariances and the exponent of their scale.

    They are divided by 4^e, with values of at most 1 in size; e is returned too.
    """
    n = len(rows)
    columns = []
    for column in zip(*rows, strict=True):
        middle = fsum(column) / n
        columns.append([x - middle for x in column])
    exponent = max(frexp(max(map(abs, column)))[1] for column in columns)
    columns = [[ldexp(x, -exponent) for x in column] for column in columns]
    return [[fsum(map(mul, a, b)) / n for b in columns] for a in columns], exponent


def _signed(axis: list[float]) -> Vector:
    greatest = max(map(abs, axis))
    leading = next(x for x in axis if abs(x) >= _EQUAL * greatest)
    return tuple(-x for x in axis) if leading < 0 else tuple(axis)


def plane(scaled: Scaled) -> tuple[list[tuple[float, float]], tuple[str, str]]:
    """Each record on the first two principal axes, and what they are.

    With one attribute the second coordinate is the rank, counted from 0.
    Raises InvalidParameter for values outside the range of binary64.
    """
    try:
        rows = FloatSpace(scaled).rows
        variances, axes = principal_axes(rows)
    except OverflowError:
        raise InvalidParameter("values outside the range of binary64 cannot be drawn") from None
    total = sum(variances) or 1.0
    first = coordinates_along(rows, axes[0])
    if len(axes) == 1:
        order = sorted(range(len(rows)), key=first.__getitem__)
        rank = {record: float(place) for place, record in enumerate(order)}
        return [(x, rank[i]) for i, x in enumerate(first)], (scaled.table.names[0], "rank")
    labels = [
        f"principal axis {j + 1} ({100 * variances[j] / total:.0f} % of the variance)"
        for j in range(2)
    ]
    return list(zip(first, coordinates_along(rows, axes[1]), strict=True)), (labels[0], labels[1])
