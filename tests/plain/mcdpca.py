"""Scores along the longest axis of the most compact half, with NumPy, rounded to 9 digits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from plain.geometry import Point
from plain.individual_ranking import cut
from plain.rmd import compact_half, independent
from plain.stream import Stream


def partition(points: Sequence[Point], k: int, starts: int, seed: int = 7) -> list[list[int]]:
    return cut(scores(points, Stream(seed), starts), k, "either")


def scores(points: Sequence[Point], stream: Stream, starts: int) -> list[float]:
    ids = compact_half(independent(points), stream, starts)
    table = numpy.array([[float(x) for x in point] for point in points])
    half = table[ids] - table[ids].mean(axis=0)
    half[:, numpy.ptp(table[ids], axis=0) == 0] = 0
    return rounded((table - table.mean(axis=0)) @ longest(half))


def longest(table: numpy.ndarray) -> numpy.ndarray:
    variances, vectors = numpy.linalg.eigh(table.T @ table)
    first = vectors[:, variances >= variances[-1] * (1 - 1e-9)]
    if first.shape[1] == 1:
        return first[:, 0]
    onto = first @ first.T
    return onto[:, int(numpy.round(numpy.diag(onto), 9).argmax())]


def rounded(along: numpy.ndarray) -> list[float]:
    size = float(abs(along).max()) or 1.0
    return [round(float(x) / size, 9) for x in along]
