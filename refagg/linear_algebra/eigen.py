"""Eigenvalues and eigenvectors of a symmetric matrix, by Jacobi's rotations."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import fsum, hypot, sqrt

Vector = list[float]

NEGLIGIBLE = 2.0**-52
"""An entry off the diagonal is taken for 0 when it is less than this part of the matrix, whose
size is the root of the sum of the squares of its entries.
"""

SWEEPS = 60
"""Each sweep treats every entry off the diagonal once; they vanish quadratically, and fewer
than ten sweeps are usual."""


def eigenpairs(matrix: Sequence[Sequence[float]]) -> list[tuple[float, Vector]]:
    """Eigenvalues, the greatest first, each with an eigenvector of length 1.

    C. G. J. Jacobi 1846, in the cyclic order: each rotation makes one entry off the diagonal 0,
    and the sum of their squares falls by at least twice its square.

    >>> [(value, vector)] = eigenpairs([[4.0]])
    >>> value, vector
    (4.0, [1.0])
    >>> [round(value, 12) for value, _ in eigenpairs([[2.0, 1.0], [1.0, 2.0]])]
    [3.0, 1.0]
    """
    a = [list(row) for row in matrix]
    p = len(a)
    vectors = [[float(i == j) for j in range(p)] for i in range(p)]
    bound = NEGLIGIBLE * sqrt(fsum(x * x for row in a for x in row))
    for _ in range(SWEEPS):
        large = [(i, j) for i, j in combinations(range(p), 2) if abs(a[i][j]) > bound]
        if not large:
            break
        for i, j in large:
            _rotate(a, vectors, i, j)
    pairs = [(a[i][i], vectors[i]) for i in range(p)]
    return sorted(pairs, key=lambda pair: pair[0], reverse=True)


def _rotate(a: list[Vector], vectors: list[Vector], i: int, j: int) -> None:
    """Rotate axes i and j so that entry (i, j) becomes 0.

    Of the two angles, the smaller one is taken.
    """
    if a[i][j] == 0:
        return
    half = (a[j][j] - a[i][i]) / 2
    tangent = a[i][j] / (abs(half) + hypot(half, a[i][j]))
    if half < 0:
        tangent = -tangent
    cosine = 1 / hypot(1.0, tangent)
    sine = tangent * cosine
    a[i][i] -= tangent * a[i][j]
    a[j][j] += tangent * a[i][j]
    a[i][j] = a[j][i] = 0.0
    for m in range(len(a)):
        if m not in (i, j):
            x, y = a[i][m], a[j][m]
            a[i][m] = a[m][i] = cosine * x - sine * y
            a[j][m] = a[m][j] = sine * x + cosine * y
    rows = zip(vectors[i], vectors[j], strict=True)
    turned = [(cosine * x - sine * y, sine * x + cosine * y) for x, y in rows]
    vectors[i], vectors[j] = [x for x, _ in turned], [y for _, y in turned]
