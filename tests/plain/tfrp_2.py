"""TFRP-1, then each group is given up if its records cost less with the others."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from plain.geometry import Point, gap, middle_of
from plain.tfrp_1 import among, corners


def partition(points: Sequence[Point], k: int) -> list[list[int]]:
    far_from = corners(points)
    first = among(points, k, list(range(len(points))), far_from)
    now: dict[int, list[int]] = dict(enumerate(first))
    for g in sorted(now, key=lambda g: (-spread(points, first[g]), g)):
        trial = {h: list(now[h]) for h in now if h != g}
        if not trial:
            break
        centres = {h: middle_of(points, now[h]) for h in trial}
        for i in now[g]:
            trial[min(trial, key=lambda h: (gap(points[i], centres[h]), h))].append(i)
        if total(points, trial) < total(points, now):
            now = trial
    done: list[list[int]] = []
    for group in now.values():
        done += [group] if len(group) < 2 * k else among(points, k, group, far_from)
    return done


def spread(points: Sequence[Point], group: list[int]) -> Fraction:
    centre = middle_of(points, group)
    return sum((gap(points[i], centre) for i in group), Fraction(0))


def total(points: Sequence[Point], groups: dict[int, list[int]]) -> Fraction:
    return sum((spread(points, group) for group in groups.values()), Fraction(0))
