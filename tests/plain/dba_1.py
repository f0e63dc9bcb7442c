"""The tightest neighbourhood of all is a group, then that of those that are left."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from plain.geometry import Point, gap
from plain.joining import joined
from plain.tfrp_2 import spread


def partition(points: Sequence[Point], k: int) -> list[list[int]]:
    left = list(range(len(points)))
    done: list[list[int]] = []
    while len(left) >= k:
        costs = {
            i: [(spread(points, group), group) for group in neighbourhoods(points, k, i, left)]
            for i in left
        }
        # Whichever neighbourhoods somebody looks at, none that is better than all others is dearer.
        most = min(max(cost for cost, _ in found) for found in costs.values())
        i = min(i for i, found in costs.items() if min(found)[0] <= most)
        group = min(group for cost, group in costs[i] if cost <= most)
        done.append(group)
        left = [j for j in left if j not in group]
    return joined(points, done, left)


def neighbourhoods(points: Sequence[Point], k: int, i: int, left: list[int]) -> list[list[int]]:
    """i and k-1 others that none of the others is nearer than; all ways where some are tied."""
    others = [j for j in left if j != i]
    gaps = {j: gap(points[i], points[j]) for j in others}
    far = sorted(gaps.values())[k - 2] if k > 1 else None
    inside = [j for j in others if far is not None and gaps[j] < far]
    edge = [j for j in others if gaps[j] == far]
    return [[i, *inside, *some] for some in combinations(edge, k - 1 - len(inside))]
