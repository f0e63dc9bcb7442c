"""Records are counted off; those after the last whole group belong to it."""

from __future__ import annotations

from collections.abc import Sequence

from plain.geometry import Point


def partition(points: Sequence[Point], k: int) -> list[list[int]]:
    whole = len(points) // k
    groups: list[list[int]] = [[] for _ in range(whole)]
    for i in range(len(points)):
        groups[min(i // k, whole - 1)].append(i)
    return groups
