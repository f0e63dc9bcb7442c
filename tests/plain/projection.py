"""Scores with NumPy's eigenvectors, rounded to 9 digits, then sorted and cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from plain.geometry import Point
from plain.individual_ranking import cut


def partition(
    points: Sequence[Point], k: int, by: str, attribute: int, order: str
) -> list[list[int]]:
    if by == "attribute":
        return cut([point[attribute] for point in points], k, order)
    table = numpy.array([[float(x) for x in point] for point in points])
    table -= table.mean(axis=0)
    terms = component(table)[:, None] if by == "first-component" else z_scores(table)
    size = float(abs(terms).sum(axis=1).max()) or 1.0
    scores = terms.sum(axis=1)
    return cut([round(float(score) / size, 9) for score in scores], k, order)


def component(table: Any) -> Any:
    variances, vectors = numpy.linalg.eigh(table.T @ table)
    first = vectors[:, variances >= variances[-1] * (1 - 1e-9)]
    if first.shape[1] == 1:
        return table @ first[:, 0]
    onto = first @ first.T
    lengths = numpy.round(numpy.diag(onto), 9)
    return table @ onto[:, int(lengths.argmax())]


def z_scores(table: Any) -> Any:
    spread = table.std(axis=0)
    spread[spread < 1e-9] = 1.0
    return table / spread
