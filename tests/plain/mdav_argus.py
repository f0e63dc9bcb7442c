"""As the code of mu-Argus: all records in one list, in which groups are gathered from the front."""

from __future__ import annotations

from collections.abc import Sequence

from plain.geometry import Point, gap, middle_of, most_distant


def partition(points: Sequence[Point], k: int) -> list[list[int]]:
    order = list(range(len(points)))
    done = 0  # so many records at the front are in groups

    def ends() -> list[int]:
        """The places of the two ends, the lower one first."""
        left = sorted(order[done:])
        r = most_distant(points, middle_of(points, left), left)
        s = most_distant(points, points[r], [i for i in left if i != r])
        return sorted((order.index(r), order.index(s)))

    def swap(a: int, b: int) -> None:
        order[a], order[b] = order[b], order[a]

    def gather(start: int, kept: int | None) -> None:
        """The k-1 records nearest to the one at the start are brought next to it."""
        seed = points[order[start]]
        free = [i for i in order[start + 1 :] if i != kept]
        mates = set(sorted(free, key=lambda i: (gap(points[i], seed), i))[: k - 1])
        for place in range(start + 1, start + k):
            behind = [p for p in range(place, len(order)) if order[p] in mates]
            best = min(behind, key=lambda p: (gap(points[order[p]], seed), p))
            swap(place, best)

    while len(order) - done >= 3 * k:
        low, high = ends()
        second = order[high]
        swap(done, low)
        swap(done + k, order.index(second))
        gather(done, second)
        gather(done + k, None)
        done += 2 * k
    if len(order) - done >= 2 * k:
        swap(done, ends()[0])
        gather(done, None)
        done += k
    full = [order[start : start + k] for start in range(0, done, k)]
    return [*full, order[done:]]
