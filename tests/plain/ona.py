"""Records change groups while the SSE falls, each SSE being computed anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

from plain.geometry import Point, middle_of, most_distant, nearest_first
from plain.k_member import sse
from plain.stream import Stream


def partition(points: Sequence[Point], k: int, rounds: int, seed: int = 7) -> list[list[int]]:
    n = len(points)
    order = Stream(seed).sample(n, n)

    @cache
    def loss(group: tuple[int, ...]) -> Fraction:
        return sse(points, list(group))

    def loss_of(group: Sequence[int]) -> Fraction:
        return loss(tuple(sorted(group))) if group else Fraction(0)

    groups: dict[int, list[int]] = {}
    for place, i in enumerate(order):
        groups.setdefault(place % (n // k), []).append(i)
    for _ in range(rounds):
        before = set(map(frozenset, groups.values()))
        for i in order:
            visit(points, loss_of, k, groups, i)
        if set(map(frozenset, groups.values())) == before:
            break
    return list(groups.values())


def visit(
    points: Sequence[Point],
    loss: Callable[[Sequence[int]], Fraction],
    k: int,
    groups: dict[int, list[int]],
    i: int,
) -> None:
    [home] = [name for name, group in groups.items() if i in group]
    leaving = [i] if len(groups[home]) > k else list(groups[home])
    others = {name: group for name, group in groups.items() if name != home}
    if not others:
        return
    result = {home: [j for j in groups[home] if j not in leaving]}
    for j in leaving:
        added = {name: loss([*group, j]) - loss(group) for name, group in others.items()}
        best = min(added, key=lambda name: (added[name], name))
        result.setdefault(best, list(others[best])).append(j)
    old = sum(loss(groups[name]) for name in result)
    new = sum(map(loss, result.values()))
    if new >= old:
        return
    groups.update(result)
    if not groups[home]:
        del groups[home]
    for name in sorted(result):
        if len(result[name]) >= 2 * k:
            group = sorted(groups.pop(name))
            far = most_distant(points, middle_of(points, group), group)
            near = nearest_first(points, points[far], [j for j in group if j != far])
            name = max([*groups, name]) + 1
            groups[name], groups[name + 1] = [far, *near[: k - 1]], near[k - 1 :]
