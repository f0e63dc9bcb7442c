"""One group, around the far end, while 3k records remain."""

from __future__ import annotations

from collections.abc import Sequence

from plain.geometry import Point, last_records, middle_of, most_distant, nearest_first


def partition(points: Sequence[Point], k: int) -> list[list[int]]:
    left = list(range(len(points)))
    done: list[list[int]] = []
    while len(left) >= 3 * k:
        r = most_distant(points, middle_of(points, left), left)
        left.remove(r)
        in_order = nearest_first(points, points[r], left)
        done.append([r, *in_order[: k - 1]])
        left = sorted(in_order[k - 1 :])
    return done + last_records(points, k, left)
