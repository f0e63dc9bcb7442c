"""Groups around the records far from the one overall centre, extended by what is near."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from plain.geometry import Point, gap, middle, most_distant, nearest_first


def partition(
    points: Sequence[Point], k: int, gamma: Fraction, test: str, cap: str
) -> list[list[int]]:
    centre = middle(points)
    left = list(range(len(points)))
    done: list[list[int]] = []
    while len(left) >= k:
        e = most_distant(points, centre, left)
        left.remove(e)
        in_order = nearest_first(points, points[e], left)
        group, left = [e, *in_order[: k - 1]], sorted(in_order[k - 1 :])
        while left and len(group) < 2 * k - 1:
            if cap == "2k-1" and not _all_would_fit([*done, group], len(left) - 1, k):
                break
            d_in, e_min = min(min((gap(points[i], points[g]), i) for g in group) for i in left)
            around = [gap(points[i], points[e_min]) for i in left if i != e_min]
            if around and not _near(d_in, min(around), gamma, test):
                break
            group.append(e_min)
            left.remove(e_min)
        done.append(group)

    anchors = [i for group in done for i in group]
    for i in left:
        neighbours = nearest_first(points, points[i], anchors)
        homes = [next(group for group in done if j in group) for j in neighbours]
        if cap == "2k-1":
            homes = [group for group in homes if len(group) < 2 * k - 1]
        homes[0].append(i)
    return done


def _all_would_fit(groups: list[list[int]], leftovers: int, k: int) -> bool:
    """With the last group larger by one, is there a group or a place for all that are left?"""
    places = sum(2 * k - 1 - len(group) for group in groups) - 1
    return leftovers >= k or leftovers <= places


def _near(d_in: Fraction, d_out: Fraction, gamma: Fraction, test: str) -> bool:
    """Of squared distances: is d_in < gamma d_out, of these or of their roots?"""
    if test == "squared":
        return d_in < gamma * d_out
    if test == "plain":
        return d_in < gamma * gamma * d_out
    raise ValueError(test)
