"""Sort once, and cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from plain.geometry import Point


def partition(points: Sequence[Point], k: int, order: str) -> list[list[int]]:
    return cut([point[0] for point in points], k, order)


def cut(scores: Sequence[Any], k: int, order: str) -> list[list[int]]:
    up = sorted(range(len(scores)), key=lambda i: (scores[i], i))
    down = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
    line = {"ascending": up, "descending": down, "either": min(up, down, key=lambda o: o[0])}[order]
    pieces = [line[i : i + k] for i in range(0, len(line), k)]
    if len(pieces) > 1 and len(pieces[-1]) < k:
        pieces[-2:] = [pieces[-2] + pieces[-1]]
    return pieces
