"""Groups of any partition are given up, one after the other, where that costs less."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from plain import mdav_1
from plain.geometry import Point, gap, middle_of
from plain.tfrp_2 import spread, total


def partition(points: Sequence[Point], k: int, start: str) -> list[list[int]]:
    module: Any = import_module("plain." + start.replace("-", "_"))
    # Groups are numbered in the order of their first records.
    groups = sorted(map(sorted, module.partition(points, k)))
    return refined(points, k, groups, dearest_first(points, groups))


def dearest_first(points: Sequence[Point], groups: list[list[int]]) -> list[int]:
    costs = [spread(points, group) for group in groups]
    return sorted(range(len(groups)), key=lambda g: (-costs[g], g))


def refined(
    points: Sequence[Point], k: int, groups: list[list[int]], order: Sequence[int]
) -> list[list[int]]:
    now = dict(enumerate(groups))
    for g in order:
        if len(now) == 1:
            break
        centres = {h: middle_of(points, now[h]) for h in sorted(now) if h != g}
        trial = {h: list(now[h]) for h in centres}
        for i in now[g]:
            trial[min(centres, key=lambda h: (gap(points[i], centres[h]), h))].append(i)
        if total(points, trial) < total(points, now):
            now = trial
    return [
        part
        for group in now.values()
        for part in (mdav_1.among(points, k, group) if len(group) >= 2 * k else [group])
    ]
