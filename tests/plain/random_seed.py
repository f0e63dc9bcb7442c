"""Groups around records that are drawn; all distances are computed anew for each question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from plain.geometry import Point, gap, nearest_first
from plain.tape import Tape

FAR: dict[str, Callable[[list[Fraction]], Fraction]] = {
    "minimum": min,
    "mean": lambda gaps: sum(gaps) / Fraction(len(gaps)),
    "min-max": max,
}


def partition(points: Sequence[Point], k: int, size: str, seed: int = 7) -> list[list[int]]:
    tape, left, done = Tape(seed), list(range(len(points))), []
    while len(left) >= 2 * k:
        first = left[tape.below(len(left))]
        wanted = k + tape.below(k) if size == "random" else k
        others = nearest_first(points, points[first], [i for i in left if i != first])
        group = [first, *others[: min(wanted, len(left) - k) - 1]]
        left = [i for i in left if i not in group]
        while size in FAR and len(group) < 2 * k - 1 and len(left) > k:
            far = {i: FAR[size]([gap(points[i], points[j]) for j in group]) for i in left}
            e = min(left, key=lambda i: (far[i], i))
            rest = [i for i in left if i != e]
            mates = nearest_first(points, points[e], rest)[: k - 1]
            if not mates or far[e] >= FAR[size]([gap(points[e], points[j]) for j in mates]):
                break
            group.append(e)
            left = rest
        done.append(group)
    return [*done, left]
