"""Clusters sorted on the lines along which their median deviations are greatest."""

from __future__ import annotations

from collections.abc import Sequence

from plain.clusters import cut_in_a_row
from plain.geometry import Point
from plain.pppca import coordinates
from plain.stream import Stream


def partition(
    points: Sequence[Point], k: int, clusters: int, attribute: int, seed: int = 7
) -> list[list[int]]:
    def order(medoid: int, members: list[int]) -> list[float]:
        if len(members) < len(points[0]):
            return [float(points[i][attribute]) for i in members]
        along = coordinates([points[i] for i in members])
        return [float(x) for x in along]

    return cut_in_a_row(points, k, clusters, Stream(seed), order)
