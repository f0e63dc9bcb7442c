"""Clusters sorted along the longest axes of their most compact halves."""

from __future__ import annotations

from collections.abc import Sequence

from plain.clusters import cut_in_a_row
from plain.clustpca import lowest_first
from plain.geometry import Point
from plain.mcdpca import scores
from plain.stream import Stream


def partition(
    points: Sequence[Point], k: int, clusters: int, starts: int, attribute: int, seed: int = 7
) -> list[list[int]]:
    stream = Stream(seed)

    def order(medoid: int, members: list[int]) -> list[float]:
        if len(members) < len(points[0]):
            return [float(points[i][attribute]) for i in members]
        return lowest_first(scores([points[i] for i in members], stream, starts))

    return cut_in_a_row(points, k, clusters, stream, order)
