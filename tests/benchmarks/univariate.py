"""The univariate optimum, measured: a part of `python -m tests.benchmarks.optimum`.

A million values; and where microagg1d 0.4.0, if it is installed,
is not optimal.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement

from oracle.optima.univariate import optimal_univariate
from refagg.language.partition import Partition
from refagg.language.random_stream import seeded

MILLION = 1_000_000
OFFSET = 10**12
K = 3

Found = tuple[tuple[int, ...], Fraction, Fraction]
"""Values, the SSE of the groups that another program gives them, and the least SSE."""


def sse_of(values: Sequence[int], partition: Partition) -> Fraction:
    """The SSE of a partition of integers, exactly."""
    total = Fraction(0)
    for group in partition.groups:
        members = [values[record] for record in group]
        total += sum(x * x for x in members) - Fraction(sum(members) ** 2, len(members))
    return total


def by_microagg1d(values: Sequence[int], k: int) -> Partition:
    """The partition that microagg1d gives with its default arguments."""
    from microagg1d import univariate_microaggregation  # type: ignore[import-untyped]

    return Partition.from_labels(univariate_microaggregation(values, k).tolist())


def counterexamples(n: int, k: int, greatest: int) -> Iterator[Found]:
    """All n integers from 0 to `greatest`, both included, that it does not group optimally.

    Values come sorted, so that the order of its labels does not matter.
    """
    for others in combinations_with_replacement(range(greatest + 1), n - 2):
        values = (0, *others, greatest)
        theirs = sse_of(values, by_microagg1d(values, k))
        least = sse_of(values, optimal_univariate(values, k))
        if theirs != least:
            yield values, theirs, least


def timed(name: str, work: Callable[[], Partition]) -> Partition:
    start = time.perf_counter()
    partition = work()
    took = time.perf_counter() - start
    print(f"{name}: {took:.2f} s, {len(partition.groups)} groups")
    return partition


def a_million_values() -> None:
    """Sorting and the partition included."""
    draw = seeded(1).randbelow
    values = [draw(MILLION) for _ in range(MILLION)]
    far = [value + OFFSET for value in values]
    exact = timed(f"exact, 10^6 values, k={K} (bound 7.2)", lambda: optimal_univariate(values, K))
    moved = timed("exact, offset 10^12 (bound 7.2)", lambda: optimal_univariate(far, K))
    print(f"the offset changes the partition: {exact != moved}")
    print(f"SSE {float(sse_of(values, exact))}")


def where_microagg1d_is_not_optimal() -> None:
    """The fewest values, and the smallest of these; n = 2k; an offset."""
    try:
        smallest = next(
            found
            for n in range(2 * K + 1, 3 * K + 2)
            for greatest in range(1, 5)
            for found in counterexamples(n, K, greatest)
        )
    except ImportError:
        print("microagg1d is not installed")
        return
    values, theirs, least = smallest
    print(f"microagg1d, smallest counterexample, k={K}: {values}: SSE {theirs}, optimum {least}")
    judge("k=3", [0, 8, 8, 11, 11, 20, 21, 25, 26, 27], 3)
    judge("n=2k", [1, 10, 2, 11], 2)
    judge("no offset", [0, 0, 0, 11, 12], 2)
    judge("offset 10^12", [x + OFFSET for x in (0, 0, 0, 11, 12)], 2)


def judge(name: str, values: Sequence[int], k: int) -> None:
    theirs = by_microagg1d(values, k)
    least = sse_of(values, optimal_univariate(values, k))
    print(f"microagg1d, {name}: {theirs.groups}, SSE {sse_of(values, theirs)}, optimum {least}")
