"""One pass over the records, then groups are cut to k and filled up."""

from __future__ import annotations

from collections.abc import Sequence

from plain.geometry import Point, middle_of, most_central_group, nearest_first
from plain.stream import Stream


def partition(points: Sequence[Point], k: int, seed: int = 7) -> list[list[int]]:
    n = len(points)
    groups = [[i] for i in Stream(seed).sample(n, n // k)]
    seeds = [group[0] for group in groups]
    for i in range(n):
        if i not in seeds:
            centres = [middle_of(points, group) for group in groups]
            groups[most_central_group(points, points[i], centres)].append(i)
    given_up: list[int] = []
    for place, group in enumerate(groups):
        order = nearest_first(points, middle_of(points, group), group)
        groups[place] = order[:k]
        given_up += order[k:]
    for i in sorted(given_up):
        small = [group for group in groups if len(group) < k] or groups
        centres = [middle_of(points, group) for group in small]
        small[most_central_group(points, points[i], centres)].append(i)
    return groups
