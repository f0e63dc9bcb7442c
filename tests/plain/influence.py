"""Clusters sorted by the attribute in which their medoids are greatest."""

from __future__ import annotations

from collections.abc import Sequence

from plain.clusters import cut_in_a_row
from plain.geometry import Point
from plain.stream import Stream


def partition(points: Sequence[Point], k: int, clusters: int, seed: int = 7) -> list[list[int]]:
    def order(medoid: int, members: list[int]) -> list[float]:
        values = [float(x) for x in points[medoid]]
        greatest = values.index(max(values))
        return [float(points[i][greatest]) for i in members]

    return cut_in_a_row(points, k, clusters, Stream(seed), order)
