"""One group of k after the other, around the far end; the last ones join."""

from __future__ import annotations

from collections.abc import Sequence

from plain.geometry import Point, middle_of, most_distant, nearest_first
from plain.joining import joined


def partition(points: Sequence[Point], k: int) -> list[list[int]]:
    left = list(range(len(points)))
    done: list[list[int]] = []
    for _ in range(len(points) // k):
        end = most_distant(points, middle_of(points, left), left)
        rest = nearest_first(points, points[end], [i for i in left if i != end])
        done.append([end, *rest[: k - 1]])
        left = sorted(rest[k - 1 :])
    return joined(points, done, left)
