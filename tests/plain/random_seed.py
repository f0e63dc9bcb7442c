"""Groups around records that are drawn; the rules for their sizes as the course text words them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from plain.geometry import Point, gap, middle_of, nearest_first
from plain.stream import Stream

Wish = tuple[Fraction, int]
"""How far a candidate is from the group, and which record it is."""


def partition(
    points: Sequence[Point], k: int, size: str, ratio: Fraction = Fraction(1), seed: int = 7
) -> list[list[int]]:
    stream, left, done = Stream(seed), list(range(len(points))), []
    while len(left) >= 2 * k:
        first = left[stream.below(len(left))]
        wanted = k + beyond(stream, k, ratio) if size == "random" else k
        others = nearest_first(points, points[first], [i for i in left if i != first])
        group = [first, *others[: min(wanted, len(left) - k) - 1]]
        left = [i for i in left if i not in group]
        while size not in ("fixed", "random") and len(group) < 2 * k - 1 and len(left) > k:
            d_in, e = candidate(points, size, group, left)
            outside = [gap(points[e], points[i]) for i in left if i != e]
            if any(d <= d_in for d in outside):
                break
            group.append(e)
            left.remove(e)
        done.append(group)
    return [*done, left]


def beyond(stream: Stream, k: int, ratio: Fraction) -> int:
    """The share of the whole below a number that is drawn, size after size."""
    if ratio == 1:
        return stream.below(k)
    shares = [ratio**i for i in range(k)]
    mark = ratio.denominator ** (k - 1) * sum(shares) * stream.below(2**53) / 2**53 // 1
    for i in range(k):
        if ratio.denominator ** (k - 1) * sum(shares[: i + 1]) > mark:
            return i
    raise AssertionError("the shares are all of the whole")


def candidate(points: Sequence[Point], size: str, group: list[int], left: list[int]) -> Wish:
    if size == "mean":
        centre = middle_of(points, group)
        return min((gap(centre, points[i]), i) for i in left)
    if size not in ("minimum", "min-max"):
        raise ValueError(size)
    wishes: list[Wish] = []
    for j in group:
        near = min(gap(points[i], points[j]) for i in left)
        wishes += [(near, i) for i in left if gap(points[i], points[j]) == near]
    chosen = (min if size == "minimum" else max)(d for d, _ in wishes)
    return chosen, min(i for d, i in wishes if d == chosen)
