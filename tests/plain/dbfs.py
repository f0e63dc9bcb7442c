"""One group of k after the other, around one end of the longest line; the last ones join."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from plain.geometry import Point, gap, nearest_first
from plain.joining import joined


def partition(points: Sequence[Point], k: int) -> list[list[int]]:
    left = list(range(len(points)))
    done: list[list[int]] = []
    for _ in range(len(points) // k):
        lines = [(-gap(points[i], points[j]), i, j) for i, j in combinations(left, 2)]
        end = min(lines)[1] if lines else left[0]
        rest = nearest_first(points, points[end], [i for i in left if i != end])
        done.append([end, *rest[: k - 1]])
        left = sorted(rest[k - 1 :])
    return joined(points, done, left)
