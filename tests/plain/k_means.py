"""k-means from records that are drawn."""

from __future__ import annotations

from collections.abc import Sequence

from plain.geometry import Point
from plain.hartigan_wong import clusters
from plain.k_means_spread import from_records, repaired
from plain.stream import Stream


def partition(
    points: Sequence[Point], k: int, method: str, repair: str, rounds: int, seed: int = 7
) -> list[list[int]]:
    c, stream = len(points) // k, Stream(seed)
    if method == "lloyd":
        return from_records(points, k, stream.sample(len(points), c), repair, rounds)
    chosen: list[int] = []
    while len(chosen) < c:
        seen = [points[i] for i in chosen]
        left = [i for i, point in enumerate(points) if point not in seen]
        if not left:
            break
        chosen.append(left[stream.below(len(left))])
    groups = sorted(clusters(points, chosen, rounds))
    return repaired(points, k, groups, repair, rounds)
