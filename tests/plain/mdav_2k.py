"""Two groups, around the two ends, while 2k records remain; then four ways to end."""

from __future__ import annotations

from collections.abc import Sequence

from plain.geometry import (
    Point,
    middle_of,
    most_central_group,
    most_distant,
    nearest_first,
)


def partition(points: Sequence[Point], k: int, leftovers: str) -> list[list[int]]:
    left = list(range(len(points)))
    done: list[list[int]] = []
    while len(left) >= 2 * k:
        r = most_distant(points, middle_of(points, left), left)
        left.remove(r)
        s = most_distant(points, points[r], left)
        left.remove(s)
        for end in (r, s):
            mates = nearest_first(points, points[end], left)[: k - 1]
            done.append([end, *mates])
            left = [i for i in left if i not in mates]
    if len(left) >= k:
        return [*done, left]

    centres = [middle_of(points, group) for group in done]
    grouped = [i for group in done for i in group]
    additions = []
    for i in left:
        if leftovers == "block":
            target = most_central_group(points, middle_of(points, left), centres)
        elif leftovers == "nearest-centroid":
            target = most_central_group(points, points[i], centres)
        elif leftovers == "nearest-record":
            neighbour = nearest_first(points, points[i], grouped)[0]
            target = [neighbour in group for group in done].index(True)
        elif leftovers == "last-group":
            target = len(done) - 1
        else:
            raise ValueError(leftovers)
        additions.append((target, i))
    for target, i in additions:
        done[target].append(i)
    return done
