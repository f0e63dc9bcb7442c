"""Exhaustive search for the cheapest partition into groups of a list.

Each group comes with a reduced cost of at least 0. A partition whose reduced costs add up to
more than the budget is of no interest. Groups that share no record with others, directly or
through others, are searched apart from them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from refagg.language.partition import Group

Priced = tuple[int, Group]
"""A reduced cost and its group."""

LARGEST_PART = 400
"""Where groups connect more records than this, no search is begun."""

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
    n: int, groups: Sequence[Priced], budget: int, cost: Callable[[Group], Fraction], steps: int
) -> Cover | None:
    """Return the cheapest partition into these groups within the budget.

    The records are 0 .. n-1. None if there is no such partition. The budget is for each part that
    no group connects with others. Raises TooLong after `steps` steps. To choose a group is a step,
    and so it is to look at LOOKS groups.
    """
    search = _Search(groups, cost, steps * LOOKS)
    total = Cover(Fraction(0), ())
    for records in connected_parts(n, groups):
        if len(records) > LARGEST_PART:
            raise TooLong
        best = search.cheapest(records, budget)
        if best is None:
            return None
        total = Cover(total.cost + best.cost, total.groups + best.groups)
    return total


def connected_parts(n: int, groups: Sequence[Priced]) -> Iterable[list[int]]:
    """Return the records, in parts that no group connects."""
    part_of = [[record] for record in range(n)]
    for _, group in groups:
        part = part_of[group[0]]
        for joined in (part_of[record] for record in group[1:]):
            if joined is not part:
                part.extend(joined)
                for record in joined:
                    part_of[record] = part
    return {id(part): part for part in part_of}.values()


class _Search:
    """Groups that hold each record, and the number of looks left."""

    def __init__(
        self, groups: Sequence[Priced], cost: Callable[[Group], Fraction], looks: int
    ) -> None:
        self.cost, self.looks = cost, looks
        self.holding = defaultdict[int, list[Priced]](list)
        for priced in sorted(groups):
            for record in priced[1]:
                self.holding[record].append(priced)

    def cheapest(self, records: Sequence[int], budget: int) -> Cover | None:
        """Return the cheapest cover of the records.

        One of the records is covered in every possible way.
        """
        self.looks -= LOOKS
        if self.looks < 0:
            raise TooLong
        if not records:
            return Cover(Fraction(0), ())
        covers = []
        for reduced, group in self.fewest_options(records, budget):
            others = [record for record in records if record not in group]
            rest = self.cheapest(others, budget - reduced)
            if rest is not None:
                covers.append(Cover(self.cost(group) + rest.cost, (group, *rest.groups)))
        return min(covers, key=lambda cover: cover.cost, default=None)

    def fewest_options(self, records: Sequence[int], budget: int) -> list[Priced]:
        """Return the groups that can cover the most constrained record.

        That is the record with the fewest groups to choose from.
        """
        left, choices = set(records), list[list[Priced]]()
        for record in records:
            holding = self.holding[record]
            self.looks -= len(holding)
            choices.append([p for p in holding if p[0] <= budget and left.issuperset(p[1])])
            if len(choices[-1]) <= 1:
                return choices[-1]
        return min(choices, key=len)
