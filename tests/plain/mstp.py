"""Edges by Kruskal, the shortest that close no circle; one pass over them from the longest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from plain.geometry import Point, gap

Edge = tuple[int, int]


def partition(points: Sequence[Point], k: int) -> list[list[int]]:
    kept = lightest(points)
    for edge in sorted(kept, key=lambda e: (-gap(points[e[0]], points[e[1]]), e)):
        without = [other for other in kept if other != edge]
        if all(len(linked(end, without)) >= k for end in edge):
            kept = without
    parts = {tuple(sorted(linked(i, kept))) for i in range(len(points))}
    return [list(part) for part in sorted(parts)]


def lightest(points: Sequence[Point]) -> list[Edge]:
    home = list(range(len(points)))
    chosen = []
    pairs = combinations(range(len(points)), 2)
    for a, b in sorted(pairs, key=lambda e: (gap(points[e[0]], points[e[1]]), e)):
        if home[a] != home[b]:
            chosen.append((a, b))
            home = [home[a] if h == home[b] else h for h in home]
    return chosen


def linked(start: int, edges: Iterable[Edge]) -> set[int]:
    """All that hangs together with one."""
    found, last = {start}, 0
    while len(found) > last:
        last = len(found)
        found |= {i for edge in edges if found & set(edge) for i in edge}
    return found
