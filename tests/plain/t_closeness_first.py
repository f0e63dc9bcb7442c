"""A record of every band of confidential values in each group."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from plain.emd import parted
from plain.geometry import Point, middle_of, most_distant, nearest_first


def partition(points: Sequence[Point], k: int, confidential: int, t: Fraction) -> list[list[int]]:
    quasi, secret = parted(points, confidential)
    n = len(points)
    size = k
    while size * (2 * (n - 1) * Fraction(t) + 1) < n:
        size += 1
    size += (n % size) // (n // size)
    height, spare = divmod(n, size)
    order = sorted(range(n), key=lambda i: (secret[i], i))
    bands = []
    for b in range(size):
        cut = height + (spare if b + 1 == (size + 1) // 2 else 0)
        bands.append(order[:cut])
        order = order[cut:]
    groups: list[list[int]] = []
    last = None
    for _ in range(height):
        left = [i for band in bands for i in band]
        origin = middle_of(quasi, left) if last is None else quasi[last]
        seed = most_distant(quasi, origin, left)
        group = [seed]
        for band in bands:
            takes = 2 if len(band) > height - len(groups) else 1
            near = nearest_first(quasi, quasi[seed], [i for i in band if i != seed])
            group += near[: takes - (seed in band)]
        groups.append(group)
        bands = [[i for i in band if i not in group] for band in bands]
        last = seed if last is None else None
    return groups
