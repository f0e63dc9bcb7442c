"""Optimum by a dynamic program over subsets, or by every partition.

The dynamic program over subsets of the records is for some twenty records. The cheapest partition
of a set of records is that of what remains without the group of its lowest record, for the best
choice of that group. Sets are integers, a bit for each record.

To look at every partition is for some ten records. The lowest record that is in no group yet is
joined by every legal choice of others; nothing is ever left out because it looks bad.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import lcm

from oracle.optima.clock import Clock
from oracle.optima.problem import Problem
from refagg.language.partition import Group, Partition, Record

Choice = tuple[int, int, Group]
"""A group as a set, its cost as an integer, and its records."""


def by_subsets(problem: Problem, clock: Clock) -> Partition | None:
    """Return the cheapest partition; None if there is none. Raises OutOfTime."""
    choices = _choices(problem, clock)
    best: dict[int, tuple[int, Group] | None] = {0: (0, ())}

    def least(remaining: int) -> tuple[int, Group] | None:
        """Return the cost and first group of a set's cheapest partition."""
        if remaining not in best:
            clock.check()
            first = (remaining & -remaining).bit_length() - 1
            found = None
            for members, cost, group in choices[first]:
                if members & remaining == members:
                    rest = least(remaining ^ members)
                    if rest is not None and (found is None or rest[0] + cost < found[0]):
                        found = (rest[0] + cost, group)
            best[remaining] = found
        return best[remaining]

    everything = (1 << problem.n) - 1
    if least(everything) is None:
        return None
    groups, remaining = [], everything
    while remaining:
        chosen = best[remaining]
        assert chosen is not None
        groups.append(chosen[1])
        remaining ^= sum(1 << record for record in chosen[1])
    return Partition.of(groups, problem.n)


def priced_groups(problem: Problem, clock: Clock) -> tuple[list[Group], list[Fraction]]:
    """Return the groups that the problem allows, and their costs.

    Raises OutOfTime.
    """
    groups, costs = [], []
    for group in problem.groups():
        clock.check()
        groups.append(group)
        costs.append(problem.cost(group))
    return groups, costs


def _choices(problem: Problem, clock: Clock) -> list[list[Choice]]:
    """Return the groups by their lowest record; costs are brought to integers."""
    groups, costs = priced_groups(problem, clock)
    unit = lcm(*(Fraction(cost).denominator for cost in costs))
    choices: list[list[Choice]] = [[] for _ in range(problem.n)]
    for group, cost in zip(groups, costs, strict=True):
        members = sum(1 << record for record in group)
        choices[group[0]].append((members, int(cost * unit), group))
    return choices


def every_partition(problem: Problem, clock: Clock) -> Iterator[list[Group]]:
    """Yield each partition into groups that the problem allows, once.

    Raises OutOfTime.
    """
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
    """Return the cheapest partition, the first of equals.

    None if there is none. Raises OutOfTime.
    """
    cost = cache(problem.cost)
    best, least = None, None
    for groups in every_partition(problem, clock):
        value = sum(map(cost, groups))
        if least is None or value < least:
            best, least = groups, value
    return None if best is None else Partition.of(best, problem.n)
