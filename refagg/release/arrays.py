"""Risks of disclosure of many records, in arrays; needs the extra `[big]`.

What is found here is what `refagg.release.nearest` and `refagg.release.risk` find without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from refagg.errors import MissingExtra

try:
    import numpy as np
    from scipy.spatial import cKDTree
except ImportError:
    raise MissingExtra("scipy is not installed: pip install '.[big]' in the checkout") from None

TOGETHER = 50_000
"""Points that are sought at once."""

MORE = 4
"""By how much more neighbours are asked for where those found may not be all."""


def near(
    columns: Sequence[Sequence[float]], n: int, relative: float, absolute: float
) -> Iterator[list[int]]:
    """Yield for each later point the possibly nearest first points.

    The first n points are candidates; points are later after them. Distances are granted an error:
    see `refagg.release.nearest`. The coordinates are given column by column.
    """
    points = np.array(columns).T
    tree = cKDTree(points[:n])
    for first in range(n, len(points), TOGETHER):
        some = points[first : first + TOGETHER]
        most = np.sqrt((some * some).sum(axis=1)) * relative + absolute
        yield from _near(tree, some, relative, most)


def _near(tree: Any, targets: Any, relative: float, most: Any) -> list[list[int]]:
    """Return the possibly nearest points of each target.

    Two neighbours of each are requested, and more for those that have two as near.
    """
    found: list[list[int]] = [[] for _ in range(len(targets))]
    waiting, count = np.arange(len(targets)), min(2, tree.n)
    while len(waiting):
        distances, numbers = tree.query(targets[waiting], k=np.arange(1, count + 1))
        limits = distances[:, 0] * (1 + relative) + most[waiting]
        inside = distances <= limits[:, None]
        complete = ~inside[:, -1] | (count == tree.n)
        sizes = inside.sum(axis=1)[complete].tolist()
        rows = numbers[complete]
        if max(sizes, default=0) == 1:
            rows = rows[:, :1]
        for place, size, row in zip(waiting[complete].tolist(), sizes, rows.tolist(), strict=True):
            found[place] = row[:size]
        waiting, count = waiting[~complete], min(MORE * count, tree.n)
    return found


def near_by_rank(
    originals: Sequence[int],
    releases: Sequence[int],
    factors: tuple[int, int],
    limits: Sequence[int],
) -> int | None:
    """Count pairs of a record and a limit by rank differences.

    A pair counts if twice the difference of the record's two ranks, among the originals, does not
    exceed the limit. None if the integers, times their factors, have 63 bits or more.
    """
    arrays = []
    for numbers, factor in zip((originals, releases), factors, strict=True):
        if (max(max(numbers), -min(numbers)) * factor).bit_length() >= 63:
            return None
        arrays.append(np.array(numbers, dtype=np.int64) * factor)
    ordered = np.sort(arrays[0])

    def twice_rank(values: Any) -> Any:
        order = np.argsort(values)
        rising = values[order]
        ranks = np.empty_like(order)
        ranks[order] = np.searchsorted(ordered, rising) + np.searchsorted(ordered, rising, "right")
        return ranks

    distances = np.abs(twice_rank(arrays[0]) - twice_rank(arrays[1]))
    return sum(int(np.count_nonzero(distances <= limit)) for limit in limits)
