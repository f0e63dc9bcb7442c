"""Risks of disclosure of many records, in arrays; needs the extra `[big]`.

What is found here is what `refagg.release.nearest` and `refagg.release.risk` find without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from refagg.errors import needed

with needed("pip install '.[big]' in the checkout"):
    import numpy as np

COMPARED = 100_000_000
"""Pairs of points that are compared in less time than compiled code takes to load."""

AT_ONCE = 100_000
"""Points that are sought at once, or pairs that are compared. Products are those of `einsum`: the
threads of other ones take longer to begin and to end than such products do."""


def near(
    columns: Sequence[Sequence[float]], n: int, relative: float, absolute: float
) -> Iterator[list[int]]:
    """Yield for each later point the possibly nearest first points.

    The first n points are candidates; points are later after them. Distances are granted an error:
    see `refagg.release.nearest`. The coordinates are given column by column.
    """
    points = np.array(columns).T
    firsts, together = points[:n], 1 + AT_ONCE // n
    find: Any = partial(_compared, (-2 * firsts).T, np.square(firsts).sum(axis=1))
    if n * (len(points) - n) > COMPARED:
        from refagg.engine.compiled import Compiled  # which takes a third of a second

        tree = Compiled(range(n), [(column[:n], 1.0) for column in columns])
        find, together = tree.close, AT_ONCE
    for first in range(n, len(points), together):
        some = points[first : first + together]
        most = np.sqrt((some * some).sum(axis=1)) * relative + absolute
        yield from find(some, relative, most)


def _compared(
    factors: Any, norms: Any, targets: Any, relative: float, most: Any
) -> list[list[int]]:
    """Return the possibly nearest points of each target by comparing all.

    Squared distances less those of the target from 0 are |x|^2 - 2 t x; `norms` are |x|^2 and
    `factors` -2 x. In binary64 they are off by less than (p + 4) u (|t| + |x|)^2, of which 16 times
    as much is granted.
    """
    own = np.square(targets).sum(axis=1)
    squares = np.einsum("ij,jk->ik", targets, factors)
    squares += norms
    error = (len(factors) + 4) * 2.0**-49 * np.square(np.sqrt(own) + np.sqrt(norms.max()))
    least = np.sqrt(np.maximum(squares.min(axis=1) + own + error, 0))
    limits = np.square(least * (1 + relative) + most) - own + error
    near: list[list[int]] = [[] for _ in targets]
    for place in np.flatnonzero(squares <= limits[:, None]).tolist():
        near[place // len(norms)].append(place % len(norms))
    return near


def near_by_rank(numbers: Sequence[Sequence[int]], limits: Sequence[int]) -> int:
    """Count pairs of a record and a limit by rank differences.

    A pair counts if twice the difference of the record's two ranks, among the originals, does not
    exceed the limit. `numbers` are the originals, and the integers below and above each released
    value, in units of the originals.
    """
    try:
        ours, low, high = (np.array(column, dtype=np.int64) for column in numbers)
    except OverflowError:  # of 64 bits
        ours, low, high = (np.array(column, dtype=object) for column in numbers)
    ordered = np.sort(ours)

    def twice_rank(low: Any, high: Any) -> Any:
        order = np.argsort(low)
        ranks = np.empty_like(order)
        ranks[order] = np.searchsorted(ordered, high[order])
        ranks[order] += np.searchsorted(ordered, low[order], "right")
        return ranks

    distances = np.abs(twice_rank(ours, ours) - twice_rank(low, high))
    return sum(int(np.count_nonzero(distances <= limit)) for limit in limits)
