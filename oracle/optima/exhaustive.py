"""The optimum by looking at every partition. For some ten records.

The lowest record that is in no group yet is joined by every legal choice of others; nothing
is ever left out because it looks bad.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations

from oracle.optima.clock import Clock
from oracle.optima.problem import Problem
from refagg.language.partition import Group, Partition, Record


def every_partition(problem: Problem, clock: Clock) -> Iterator[list[Group]]:
    """All partitions into groups that the problem allows, each once. Raises OutOfTime."""
    yield from _completed(problem, clock, tuple(range(problem.n)), [])


def _completed(
    problem: Problem, clock: Clock, waiting: tuple[Record, ...], groups: list[Group]
) -> Iterator[list[Group]]:
    clock.check()
    if not waiting:
        yield groups
        return
    first, *others = waiting
    for size in problem.sizes:
        for company in combinations(others, size - 1):
            group = (first, *company)
            if problem.allows(group):
                rest = tuple(record for record in others if record not in company)
                yield from _completed(problem, clock, rest, [*groups, group])


def exhaustive(problem: Problem, clock: Clock) -> Partition | None:
    """The cheapest partition, the first of equals; None if there is none. Raises OutOfTime."""
    cost = cache(problem.cost)
    best, least = None, None
    for groups in every_partition(problem, clock):
        value = sum(map(cost, groups))
        if least is None or value < least:
            best, least = groups, value
    return None if best is None else Partition.of(best, problem.n)
