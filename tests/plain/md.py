"""Two groups, around the most distant pair, while 2k records remain."""

from __future__ import annotations

from collections.abc import Sequence

from plain.geometry import Point, gap, middle_of, most_central_group, nearest_first


def partition(points: Sequence[Point], k: int) -> list[list[int]]:
    left = list(range(len(points)))
    done: list[list[int]] = []
    while len(left) >= 2 * k:
        ends = (left[0], left[1])
        for r in left:
            for s in left:
                if r < s and gap(points[r], points[s]) > gap(points[ends[0]], points[ends[1]]):
                    ends = (r, s)
        left = [i for i in left if i not in ends]
        for end in ends:
            mates = nearest_first(points, points[end], left)[: k - 1]
            done.append([end, *mates])
            left = [i for i in left if i not in mates]
    if len(left) >= k:
        return [*done, left]
    centres = [middle_of(points, group) for group in done]
    for i in left:
        done[most_central_group(points, points[i], centres)].append(i)
    return done
