"""Two groups, around the two ends, while 2k records remain; one more if k do; the others join."""

from __future__ import annotations

from collections.abc import Sequence

from plain.geometry import Point, middle_of, most_distant, nearest_first
from plain.joining import joined


def partition(points: Sequence[Point], k: int) -> list[list[int]]:
    return among(points, k, list(range(len(points))))


def among(points: Sequence[Point], k: int, ids: list[int]) -> list[list[int]]:
    left = sorted(ids)
    done: list[list[int]] = []
    while len(left) >= k:
        ends = [most_distant(points, middle_of(points, left), left)]
        if len(left) >= 2 * k:
            ends.append(most_distant(points, points[ends[0]], [i for i in left if i != ends[0]]))
        left = [i for i in left if i not in ends]
        for end in ends:
            mates = nearest_first(points, points[end], left)[: k - 1]
            done.append([end, *mates])
            left = [i for i in left if i not in mates]
    return joined(points, done, left)
