"""Of all groups of a record and its neighbours the one that leaves the least SSE, by definition."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from plain.dba_1 import neighbourhoods
from plain.geometry import Point
from plain.joining import joined
from plain.tfrp_2 import spread


def partition(points: Sequence[Point], k: int) -> list[list[int]]:
    left = list(range(len(points)))
    done: list[list[int]] = []
    while len(left) >= k:
        found = {
            i: [(cost(points, left, group), group) for group in neighbourhoods(points, k, i, left)]
            for i in left
        }
        most = min(max(cost for cost, _ in groups) for groups in found.values())
        i = min(i for i, groups in found.items() if min(groups)[0] <= most)
        group = min(group for cost, group in found[i] if cost <= most)
        done.append(group)
        left = [j for j in left if j not in group]
    return joined(points, done, left)


def cost(points: Sequence[Point], left: list[int], group: list[int]) -> Fraction:
    rest = [j for j in left if j not in group]
    return spread(points, group) + (spread(points, rest) if rest else 0)
