"""k-means from records that are drawn."""

from __future__ import annotations

from collections.abc import Sequence

from plain.geometry import Point
from plain.k_means_spread import from_records
from plain.stream import Stream


def partition(
    points: Sequence[Point], k: int, repair: str, rounds: int, seed: int = 7
) -> list[list[int]]:
    chosen = Stream(seed).sample(len(points), len(points) // k)
    return from_records(points, k, chosen, repair, rounds)
