"""k-modes from records that are drawn, the smallest groups dissolved, the largest divided by MDAV.

Distances and centres are given, so that records can be of any kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from plain import geometry
from plain.stream import Stream

Gap = Callable[[Any, Any], Fraction]
Centre = Callable[[list[Any]], Any]


def partition(
    points: Sequence[Any],
    k: int,
    rounds: int,
    seed: int = 7,
    gap: Gap = geometry.gap,
    centre: Centre = geometry.middle,
) -> list[list[int]]:
    drawn = Stream(seed).sample(len(points), len(points) // k)
    homes = dict(zip(drawn, range(len(drawn)), strict=True))
    centres: dict[int, Any] = {home: points[i] for i, home in homes.items()}
    for _ in range(rounds):
        new = {i: home_of(point, centres, homes.get(i), gap) for i, point in enumerate(points)}
        if new == homes:
            break
        homes = new
        centres = {
            home: centre([points[i] for i in homes if homes[i] == home])
            for home in centres
            if home in homes.values()
        }
    groups = [[i for i in sorted(homes) if homes[i] == home] for home in centres]
    groups = sorted(filter(None, groups))
    while min(map(len, groups)) < k:
        small = min(groups, key=len)
        groups.remove(small)
        middles = {g: centre([points[i] for i in group]) for g, group in enumerate(groups)}
        for i in small:
            groups[home_of(points[i], middles, None, gap)].append(i)
    return [part for group in groups for part in mdav(points, k, sorted(group), gap, centre)]


def home_of(point: Any, centres: dict[int, Any], own: int | None, gap: Gap) -> int:
    best = min(gap(point, middle) for middle in centres.values())
    if own in centres and gap(point, centres[own]) == best:
        return own
    return min(home for home in centres if gap(point, centres[home]) == best)


def mdav(
    points: Sequence[Any], k: int, ids: list[int], gap: Gap, centre: Centre
) -> list[list[int]]:
    left, done = list(ids), []

    def farthest(origin: Any, among: list[int]) -> int:
        return min(among, key=lambda i: (-gap(points[i], origin), i))

    def close(end: int, without: int | None = None) -> None:
        others = [i for i in left if i not in (end, without)]
        others.sort(key=lambda i: (gap(points[i], points[end]), i))
        done.append([end, *others[: k - 1]])
        left[:] = [i for i in left if i not in done[-1]]

    while len(left) >= 2 * k:
        both = len(left) >= 3 * k
        r = farthest(centre([points[i] for i in left]), left)
        s = farthest(points[r], [i for i in left if i != r]) if both else None
        close(r, s)
        if s is not None:
            close(s)
    return [*done, left]
