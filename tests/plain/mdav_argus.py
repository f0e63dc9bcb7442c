"""As MDAV, but the end with the lower number takes its records first."""

from __future__ import annotations

from collections.abc import Sequence

from plain.geometry import Point, last_records, middle_of, most_distant, nearest_first


def partition(points: Sequence[Point], k: int) -> list[list[int]]:
    left = list(range(len(points)))
    done: list[list[int]] = []
    while len(left) >= 3 * k:
        r = most_distant(points, middle_of(points, left), left)
        left.remove(r)
        s = most_distant(points, points[r], left)
        left.remove(s)
        for end in (min(r, s), max(r, s)):
            mates = nearest_first(points, points[end], left)[: k - 1]
            done.append([end, *mates])
            left = [i for i in left if i not in mates]
    return done + last_records(points, k, left)
