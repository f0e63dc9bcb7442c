"""Least SSE, and every partition that has it.

All partitions are examined, in integers.

Nothing of the library is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import lcm
from typing import Any

from oracle.conformance.vectors.vector import Groups, groups_of, sse_of


def optima(
    rows: Sequence[Sequence[Fraction]], k: int, how: str = "none"
) -> tuple[Fraction, list[Groups]]:
    """Return the least SSE and every partition that has it.

    The partitions are those into groups of at least k.

    >>> optima([[Fraction(x)] for x in (1, 10, 2, 11)], 2)
    (Fraction(1, 1), [((0, 2), (1, 3))])
    """
    cost = _costs(rows, how)
    best: list[Any] = [None, []]
    for total, groups in partitions_within(tuple(range(len(rows))), k, cost, 0, best):
        if best[0] is None or total < best[0]:
            best[:] = [total, []]
        best[1].append(groups_of(groups))
    found = sorted(best[1])
    return sse_of(rows, found[0]), found


def _costs(rows: Sequence[Sequence[Fraction]], how: str) -> Callable[[tuple[int, ...]], int]:
    """Return the SSE of a group as an integer.

    It is multiplied by one factor for all, and computed from the distances of its pairs.
    """
    columns = [_spread_out(column, how) for column in zip(*rows, strict=True)]
    distances = {
        (a, b): sum((weight * (c[a] - c[b]) ** 2 for c, weight in columns), Fraction(0))
        for a, b in combinations(range(len(rows)), 2)
    }
    factor = lcm(1, *(distance.denominator for distance in distances.values()))
    whole = {pair: int(distance * factor) for pair, distance in distances.items()}
    sizes = lcm(*range(1, len(rows) + 1))

    @cache
    def cost(group: tuple[int, ...]) -> int:
        return sum(whole[pair] for pair in combinations(group, 2)) * (sizes // len(group))

    return cost


def _spread_out(column: Sequence[Fraction], how: str) -> tuple[Sequence[Fraction], Fraction]:
    """Return a column and the weight of its squared differences.

    The weight is 1, or 1 by its variance or range^2.
    """
    if how == "range":
        span = max(column) - min(column)
        return column, 1 / span**2 if span else Fraction(0)
    mean = sum(column, Fraction(0)) / len(column)
    variance = sum(((x - mean) ** 2 for x in column), Fraction(0)) / len(column)
    return column, Fraction(1) if how == "none" else 1 / variance if variance else Fraction(0)


def partitions_within(
    left: tuple[int, ...],
    k: int,
    cost: Callable[[tuple[int, ...]], int],
    spent: int,
    best: list[Any],
) -> Iterator[tuple[int, list[tuple[int, ...]]]]:
    """Yield costs and partitions that can be the best.

    Those that have cost more than the best already are left out.
    """
    if not left:
        yield spent, []
        return
    for size in range(k, len(left) + 1):
        if 0 < len(left) - size < k:
            continue
        for others in combinations(left[1:], size - 1):
            group = (left[0], *others)
            total = spent + cost(group)
            if best[0] is None or total <= best[0]:
                rest = tuple(record for record in left if record not in group)
                for final, groups in partitions_within(rest, k, cost, total, best):
                    yield final, [group, *groups]
