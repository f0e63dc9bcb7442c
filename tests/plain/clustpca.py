"""Clusters sorted by the first components of their own z-scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from plain.clusters import cut_in_a_row
from plain.geometry import Point
from plain.mcdpca import longest, rounded
from plain.stream import Stream


def partition(
    points: Sequence[Point], k: int, clusters: int, attribute: int, seed: int = 7
) -> list[list[int]]:
    def order(medoid: int, members: list[int]) -> list[float]:
        if len(members) < len(points[0]):
            return [float(points[i][attribute]) for i in members]
        table = numpy.array([[float(x) for x in points[i]] for i in members])
        spread = numpy.where(numpy.ptp(table, axis=0) == 0, 1.0, table.std(axis=0))
        table = numpy.where(numpy.ptp(table, axis=0) == 0, 0.0, (table - table.mean(axis=0)))
        table = table / spread
        return lowest_first(rounded(table @ longest(table)))

    return cut_in_a_row(points, k, clusters, Stream(seed), order)


def lowest_first(numbers: list[float]) -> list[float]:
    """Turned so that, of the two ends, that of the lower record number is first."""
    if numbers.index(max(numbers)) < numbers.index(min(numbers)):
        return [-x for x in numbers]
    return numbers
