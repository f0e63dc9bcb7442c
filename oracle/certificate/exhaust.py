"""The cheapest partition that a list of groups allows, searched to the end.

Each group comes with a reduced cost of at least 0. A partition whose reduced costs add up to
more than the budget is of no interest. Groups that share no record with others, directly or
through others, are searched apart from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

Group = tuple[int, ...]
Priced = tuple[int, Group]
"""A reduced cost and its group."""

DEEPEST = 400
"""No more groups than this are chosen one after the other within a part."""


LOOKS = 100
"""To look at so many groups takes as long as a step, or longer."""


class TooLong(Exception):
    """The search was not finished within its steps."""


@dataclass(frozen=True, slots=True)
class Cover:
    """Groups that cover some records once each, and their cost."""

    cost: Fraction
    groups: tuple[Group, ...]


def cheapest_partition(
    n: int,
    groups: Sequence[Priced],
    budget: int,
    cost: Callable[[Group], Fraction],
    steps: int,
) -> Cover | None:
    """The cheapest partition of 0 .. n-1 into these groups within the budget, or None.

    Raises TooLong after so many steps. To choose a group is a step, and so it is to look at LOOKS
    groups.
    """
    search = _Search(groups, cost, steps)
    total = Cover(Fraction(0), ())
    for records in parts(n, groups):
        best = search.cheapest(records, budget)
        if best is None:
            return None
        total = Cover(total.cost + best.cost, total.groups + best.groups)
    return total


def parts(n: int, groups: Sequence[Priced]) -> Iterator[list[int]]:
    """The records, in parts that no group connects."""
    parent = list(range(n))

    def root(record: int) -> int:
        while parent[record] != record:
            parent[record] = parent[parent[record]]
            record = parent[record]
        return record

    for _, group in groups:
        for record in group[1:]:
            parent[root(record)] = root(group[0])
    parts: dict[int, list[int]] = {}
    for record in range(n):
        parts.setdefault(root(record), []).append(record)
    yield from parts.values()


class _Search:
    """The state of a depth-first search: what is covered and chosen, and what was best."""

    def __init__(
        self, groups: Sequence[Priced], cost: Callable[[Group], Fraction], steps: int
    ) -> None:
        self._holding: dict[int, list[Priced]] = {}
        for priced in sorted(groups):
            for record in priced[1]:
                self._holding.setdefault(record, []).append(priced)
        self._cost = cost
        self._left = steps * LOOKS
        self._covered: set[int] = set()
        self._chosen: list[Group] = []
        self._best: Cover | None = None

    def cheapest(self, records: list[int], budget: int) -> Cover | None:
        self._best = None
        self._extend(records, budget)
        return self._best

    def _extend(self, waiting: list[int], budget: int) -> None:
        self._left -= LOOKS
        if self._left < 0 or len(self._chosen) > DEEPEST:
            raise TooLong
        waiting = [record for record in waiting if record not in self._covered]
        if not waiting:
            cost = sum(map(self._cost, self._chosen), Fraction(0))
            if self._best is None or cost < self._best.cost:
                self._best = Cover(cost, tuple(self._chosen))
            return
        for reduced, group in self._fewest_options(waiting, budget):
            self._covered.update(group)
            self._chosen.append(group)
            self._extend(waiting, budget - reduced)
            self._chosen.pop()
            self._covered.difference_update(group)

    def _fewest_options(self, waiting: list[int], budget: int) -> list[Priced]:
        """What can cover the record that has the fewest groups to choose from."""
        fewest: list[Priced] | None = None
        for record in waiting:
            holding = self._holding.get(record, ())
            self._left -= len(holding)
            options = [
                priced
                for priced in holding
                if priced[0] <= budget and self._covered.isdisjoint(priced[1])
            ]
            if fewest is None or len(options) < len(fewest):
                fewest = options
                if len(options) <= 1:
                    break
        return fewest or []
