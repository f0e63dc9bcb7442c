"""Neighbours of the two most distant records, exchanged for the sake of the confidential values."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from plain.emd import emd, merged, parted
from plain.geometry import Point, middle_of, most_distant, nearest_first


def partition(points: Sequence[Point], k: int, confidential: int, t: Fraction) -> list[list[int]]:
    quasi, secret = parted(points, confidential)
    left, done = list(range(len(points))), []
    seed = None
    while left:
        origin = middle_of(quasi, left) if seed is None else quasi[seed]
        new = most_distant(quasi, origin, left)
        group = around(quasi, secret, k, t, new, left)
        left = [i for i in left if i not in group]
        done.append(group)
        seed = new if seed is None else None
    return merged(quasi, secret, done, t)


def around(
    quasi: Sequence[Point],
    secret: Sequence[Fraction],
    k: int,
    t: Fraction,
    seed: int,
    left: list[int],
) -> list[int]:
    if len(left) < 2 * k:
        return left
    queue = nearest_first(quasi, quasi[seed], [i for i in left if i != seed])
    group, queue = [seed, *queue[: k - 1]], queue[k - 1 :]
    for y in queue:
        if emd(secret, group) <= t:
            break
        trials = [[y if i == gone else i for i in group] for gone in sorted(group)]
        best = min(trials, key=lambda trial: emd(secret, trial))
        if emd(secret, best) < emd(secret, group):
            group = best
    return group
