"""Groups around the record that is farthest by the covariance of the most compact half."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from plain.geometry import Point, nearest_first
from plain.stream import Stream

Matrix = list[list[Fraction]]


def partition(points: Sequence[Point], k: int, starts: int, seed: int = 7) -> list[list[int]]:
    rows = independent(points)
    return outside_in(points, k, far_from(rows, compact_half(rows, Stream(seed), starts)))


def outside_in(points: Sequence[Point], k: int, far: list[Fraction]) -> list[list[int]]:
    left, done = list(range(len(points))), []
    while len(left) >= 2 * k:
        s = max(left, key=lambda i: (far[i], -i))
        left.remove(s)
        in_order = nearest_first(points, points[s], left)
        done.append([s, *in_order[: k - 1]])
        left = sorted(in_order[k - 1 :])
    return [*done, left]


def independent(points: Sequence[Point]) -> Matrix:
    """The columns that are no combination of a constant and the columns kept before them."""
    kept: Matrix = []
    for column in zip(*points, strict=True):
        new = [Fraction(x) for x in column]
        if determinant(covariance(list(zip(*kept, new, strict=True)))):
            kept.append(new)
    return [list(row) for row in zip(*kept, strict=True)] if kept else [[] for _ in points]


def covariance(rows: Sequence[Sequence[Fraction]]) -> Matrix:
    means = centre(rows)
    moved = [[x - m for x, m in zip(row, means, strict=True)] for row in rows]
    columns = list(zip(*moved, strict=True))
    return [
        [sum(x * y for x, y in zip(a, b, strict=True)) / len(rows) for b in columns]
        for a in columns
    ]


def centre(rows: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    return [sum(column, Fraction(0)) / len(rows) for column in zip(*rows, strict=True)]


def determinant(matrix: Matrix) -> Fraction:
    """By the first row that can be a pivot, and the determinant of what is left."""
    if not matrix:
        return Fraction(1)
    for i, row in enumerate(matrix):
        if row[0]:
            others = matrix[:i] + matrix[i + 1 :]
            smaller = [
                [x - other[0] / row[0] * y for x, y in zip(other[1:], row[1:], strict=True)]
                for other in others
            ]
            return (-1) ** i * row[0] * determinant(smaller)
    return Fraction(0)


def far_from(rows: Matrix, ids: Sequence[int]) -> list[Fraction]:
    """Squared Mahalanobis distances: what a border takes away from the determinant."""
    some = [rows[i] for i in ids]
    shape, middle = covariance(some), centre(some)
    whole = determinant(shape)
    found = []
    for row in rows:
        gap = [x - m for x, m in zip(row, middle, strict=True)]
        bordered = [[*line, g] for line, g in zip(shape, gap, strict=True)] + [[*gap, Fraction(0)]]
        found.append(-determinant(bordered) / whole)
    return found


def compact_half(rows: Matrix, stream: Stream, starts: int) -> list[int]:
    n, p = len(rows), len(rows[0])
    best: tuple[Fraction, list[int]] | None = None
    for _ in range(starts):
        ids, volume, first = stream.sample(n, p + 1), Fraction(0), True
        while determinant(covariance([rows[i] for i in ids])):
            far = far_from(rows, ids)
            limit = sorted(far)[(n + p + 1) // 2 - 1]
            ids = [i for i in range(n) if far[i] <= limit]
            new = determinant(covariance([rows[i] for i in ids]))
            if not new or not (first or new < volume):
                break
            volume, first = new, False
            if best is None or volume < best[0]:
                best = volume, ids
    return best[1] if best else list(range(n))
