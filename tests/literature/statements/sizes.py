"""The sizes of groups in optimal partitions of small tables, of which two sources speak.

A group of 2k records or more can be divided in two without loss, so that some optimum has groups of
k to 2k-1 records. Others can be larger only where dividing them changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from random import Random

from tests.literature.statements.looked_up import Finding

Groups = list[tuple[int, ...]]
TABLES = 60
N, K = 8, 2


def partitions(records: Sequence[int], k: int) -> Iterator[Groups]:
    """Every partition into groups of k records or more, of any size."""
    if not records:
        yield []
        return
    first, *others = records
    for size in range(k - 1, len(others) + 1):
        for chosen in combinations(others, size):
            rest = [record for record in others if record not in chosen]
            if not rest or len(rest) >= k:
                for groups in partitions(rest, k):
                    yield [(first, *chosen), *groups]


def loss(rows: Sequence[Sequence[int]], groups: Groups) -> Fraction:
    """The SSE."""
    total = Fraction(0)
    for group in groups:
        for column in zip(*(rows[record] for record in group), strict=True):
            total += sum(x * x for x in column) - Fraction(sum(column) ** 2, len(column))
    return total


def optima() -> list[list[Groups]]:
    """All optimal partitions of each table of N random records of two values, k = K."""
    random, found = Random(1), []
    every = list(partitions(range(N), K))
    for _ in range(TABLES):
        rows = [[random.randrange(100), random.randrange(100)] for _ in range(N)]
        losses = [loss(rows, groups) for groups in every]
        least = min(losses)
        found.append([g for g, value in zip(every, losses, strict=True) if value == least])
    return found


def k_to_2k_less_1() -> Finding:
    """Do all groups of some optimum have k to 2k-1 records?"""
    holds = [
        any(all(K <= len(group) < 2 * K for group in groups) for groups in best)
        for best in optima()
    ]
    return Finding(
        all(holds),
        f"in {sum(holds)} of {len(holds)} tables of {N} random records, k = {K}",
        "of all partitions into groups of k or more; of equal records larger ones cost as little",
    )


def less_than_2k_less_1() -> Finding:
    """Is less than 2k-1 enough for an optimum?"""
    needed = [
        all(any(len(group) == 2 * K - 1 for group in groups) for groups in best)
        for best in optima()
    ]
    return Finding(
        not any(needed),
        f"every optimum has a group of 2k-1 in {sum(needed)} of {len(needed)} tables of {N} random "
        f"records, k = {K}",
        "at most 2k-1 is meant",
    )
