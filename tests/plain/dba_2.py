"""DBA-1, then the second phase, the last group first."""

from __future__ import annotations

from collections.abc import Sequence

from plain import dba_1
from plain.geometry import Point
from plain.second_phase import refined


def partition(points: Sequence[Point], k: int) -> list[list[int]]:
    groups = dba_1.partition(points, k)
    return refined(points, k, groups, range(len(groups) - 1, -1, -1))
