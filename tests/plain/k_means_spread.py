"""k-means from records far from each other, every distance computed in every round."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from plain.geometry import Point, gap, middle, middle_of, most_central_group, most_distant
from plain.k_means_split import small_enough


def partition(points: Sequence[Point], k: int, repair: str, rounds: int) -> list[list[int]]:
    ids = list(range(len(points)))
    chosen = [most_distant(points, middle(points), ids)]
    while len(chosen) < len(points) // k:
        left = [i for i in ids if i not in chosen]
        chosen.append(max(left, key=lambda i: (min(gap(points[i], points[c]) for c in chosen), -i)))
    return from_records(points, k, chosen, repair, rounds)


def from_records(
    points: Sequence[Point], k: int, chosen: list[int], repair: str, rounds: int
) -> list[list[int]]:
    ids = list(range(len(points)))
    centres: list[Point | None] = [points[i] for i in chosen]
    home: dict[int, int] = {i: c for c, i in enumerate(chosen)}
    for _ in range(rounds):
        new = {i: home_of(points[i], centres, home.get(i)) for i in ids}
        if new == home:
            break
        home = new
        members = [[i for i in ids if home[i] == c] for c in range(len(centres))]
        centres = [middle_of(points, group) if group else None for group in members]

    groups = [[i for i in ids if home[i] == home[j]] for j in ids]
    groups = [group for j, group in enumerate(groups) if group[0] == j]
    return repaired(points, k, groups, repair, rounds)


def repaired(
    points: Sequence[Point], k: int, groups: list[list[int]], repair: str, rounds: int
) -> list[list[int]]:
    ids = range(len(points))
    if repair == "none":
        return groups
    large = [group for group in groups if len(group) >= k]
    middles = [middle_of(points, group) for group in large]
    joined = [list(group) for group in large]
    for i in ids:
        if not any(i in group for group in large):
            joined[most_central_group(points, points[i], middles)].append(i)
    return [part for group in joined for part in small_enough(points, k, rounds, sorted(group))]


def home_of(point: Point, centres: Sequence[Point | None], own: int | None) -> int:
    far: dict[int, Fraction] = {c: gap(point, p) for c, p in enumerate(centres) if p is not None}
    best = min(far.values())
    if own in far and far[own] == best:
        return own
    return min(c for c in far if far[c] == best)
