"""The parts of the tree; a large one is a table of its own for CBFS."""

from __future__ import annotations

from collections.abc import Sequence

from plain import cbfs, mstp
from plain.geometry import Point


def partition(points: Sequence[Point], k: int) -> list[list[int]]:
    done = []
    for part in mstp.partition(points, k):
        own = [list(range(len(part)))]
        if len(part) >= 2 * k:
            own = cbfs.partition([points[i] for i in part], k)
        done += [[part[i] for i in group] for group in own]
    return done
