"""Groups around the records far from the lowest and from the highest corner, in turn."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import cycle

from plain.geometry import Point, middle, middle_of, most_central_group, most_distant, nearest_first


def partition(points: Sequence[Point], k: int) -> list[list[int]]:
    return among(points, k, list(range(len(points))), corners(points))


def corners(points: Sequence[Point]) -> list[list[Fraction]]:
    centre = middle(points)
    shifts = [x - m for point in points for x, m in zip(point, centre, strict=True)]
    return [[m + min(shifts) for m in centre], [m + max(shifts) for m in centre]]


def among(
    points: Sequence[Point], k: int, ids: list[int], far_from: list[list[Fraction]]
) -> list[list[int]]:
    left = sorted(ids)
    done: list[list[int]] = []
    for corner in cycle(far_from):
        if len(left) < k:
            break
        seed = most_distant(points, corner, left)
        left.remove(seed)
        mates = nearest_first(points, points[seed], left)[: k - 1]
        done.append([seed, *mates])
        left = [i for i in left if i not in mates]
    centres = [middle_of(points, group) for group in done]
    for i in left:
        done[most_central_group(points, points[i], centres)].append(i)
    return done
