"""Groups given up, and records, each loss computed anew, until nothing costs less."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from importlib import import_module
from typing import Any

from plain.geometry import Point, gap, middle_of, most_distant
from plain.k_member import sse

Groups = dict[int, list[int]]


def partition(points: Sequence[Point], k: int, start: str) -> list[list[int]]:
    module: Any = import_module("plain." + start)
    now: Groups = dict(enumerate(sorted(map(sorted, module.partition(points, k)))))
    known: dict[tuple[int, ...], Fraction] = {}

    def cost(groups: Groups) -> Fraction:
        total = Fraction(0)
        for group in filter(None, groups.values()):
            key = tuple(sorted(group))
            known.setdefault(key, sse(points, list(key)))
            total += known[key]
        return total

    while True:
        before = cost(now)
        for g in sorted(now, key=lambda g: (-cost({g: now[g]}), list(now).index(g))):
            others = given_up(points, now, g)
            now = others if others and cost(others) < cost(now) else now
        split(points, k, now)
        for g in list(now):
            while len(now[g]) > k and len(now) > 1:
                bills = {
                    (cost(moved(now, g, i, h)) - cost({g: now[g], h: now[h]}), i, h)
                    for i in now[g]
                    for h in now
                    if h != g
                }
                change, i, h = min(bills)
                if change >= 0:
                    break
                now |= moved(now, g, i, h)
        split(points, k, now)
        if cost(now) >= before:
            return list(now.values())


def given_up(points: Sequence[Point], groups: Groups, g: int) -> Groups:
    others = {h: list(group) for h, group in groups.items() if h != g}
    centres = {h: middle_of(points, group) for h, group in others.items()}
    for i in groups[g] if others else []:
        others[min(centres, key=lambda h: (gap(points[i], centres[h]), h))].append(i)
    return others


def moved(groups: Groups, g: int, i: int, h: int) -> Groups:
    return {g: [j for j in groups[g] if j != i], h: [*groups[h], i]}


def split(points: Sequence[Point], k: int, groups: Groups) -> None:
    for g in [g for g, group in groups.items() if len(group) >= 2 * k]:
        left = groups.pop(g)
        name = g
        while len(left) >= 2 * k:
            new = [most_distant(points, middle_of(points, left), sorted(left))]
            left = [i for i in left if i not in new]
            while len(new) < k:
                centre = middle_of(points, new)
                new.append(min(left, key=lambda i: (gap(points[i], centre), i)))
                left.remove(new[-1])
            name = max([*groups, name]) + 1
            groups[name] = new
        groups[max([*groups, name]) + 1] = left
