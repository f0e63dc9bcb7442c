"""MDAV-1, then the second phase, the dearest group first."""

from __future__ import annotations

from collections.abc import Sequence

from plain import mdav_1
from plain.geometry import Point
from plain.second_phase import dearest_first, refined


def partition(points: Sequence[Point], k: int) -> list[list[int]]:
    groups = mdav_1.partition(points, k)
    return refined(points, k, groups, dearest_first(points, groups))
