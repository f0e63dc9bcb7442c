"""Groups that grow by the record of the least SSE, computed anew for each candidate."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from plain.geometry import Point, gap, middle_of, most_distant
from plain.stream import Stream


def sse(points: Sequence[Point], group: list[int]) -> Fraction:
    middle = middle_of(points, group)
    return sum((gap(points[i], middle) for i in group), Fraction(0))


def partition(points: Sequence[Point], k: int, seed: int = 7) -> list[list[int]]:
    left = list(range(len(points)))
    last = Stream(seed).below(len(points))
    done: list[list[int]] = []
    while len(left) >= k:
        last = most_distant(points, points[last], left)
        left.remove(last)
        group = [last]
        while len(group) < k:
            last = min(left, key=lambda i: (sse(points, [*group, i]), i))
            left.remove(last)
            group.append(last)
        done.append(group)
    for i in left:
        increases = [sse(points, [*group, i]) - sse(points, group) for group in done]
        done[increases.index(min(increases))].append(i)
    return done
