"""The groups are those of k-Ward, whatever is published."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from plain import k_ward_univariate
from plain.geometry import Point


def partition(
    points: Sequence[Point], k: int, eps: Fraction, rho: Fraction, tolerance: str
) -> list[list[int]]:
    return k_ward_univariate.partition(points, k)
