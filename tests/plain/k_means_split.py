"""Two centres for each group that is too large, and its records by how they lie between them."""

from __future__ import annotations

from collections.abc import Sequence

from plain.geometry import Point, gap, middle_of, most_distant
from plain.tfrp_2 import spread


def partition(points: Sequence[Point], k: int, rounds: int) -> list[list[int]]:
    return small_enough(points, k, rounds, list(range(len(points))))


def small_enough(points: Sequence[Point], k: int, rounds: int, ids: list[int]) -> list[list[int]]:
    if len(ids) < 2 * k:
        return [ids]
    a = most_distant(points, middle_of(points, ids), ids)
    b = most_distant(points, points[a], [i for i in ids if i != a])
    history = [in_two(points, k, ids, points[a], points[b])]
    while len(history) < rounds:
        left, right = history[-1]
        history.append(in_two(points, k, ids, middle_of(points, left), middle_of(points, right)))
        costs = [spread(points, one) + spread(points, two) for one, two in history[-2:]]
        if costs[1] >= costs[0]:
            history.pop()
            break
    left, right = history[-1]
    return small_enough(points, k, rounds, left) + small_enough(points, k, rounds, right)


def in_two(
    points: Sequence[Point], k: int, ids: list[int], a: Point, b: Point
) -> tuple[list[int], list[int]]:
    lean = {i: gap(points[i], a) - gap(points[i], b) for i in ids}
    order = sorted(ids, key=lambda i: (lean[i], i))
    cut = sum(value < 0 for value in lean.values())
    while cut < k:
        cut += 1
    while len(ids) - cut < k:
        cut -= 1
    return order[:cut], sorted(order[cut:])
