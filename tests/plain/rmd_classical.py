"""Groups around the record that is farthest by the covariance of all records."""

from __future__ import annotations

from collections.abc import Sequence

from plain.geometry import Point
from plain.rmd import far_from, independent, outside_in


def partition(points: Sequence[Point], k: int) -> list[list[int]]:
    return outside_in(points, k, far_from(independent(points), range(len(points))))
