"""S: records sorted by a number, which are grouped in order.

The cursor also holds the choices.

An algorithm that sorts records and cuts the order is written with these verbs. Each verb that
chooses is given the name of the choice in the algorithm's specification.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Concatenate

from refagg.cursors.remaining import Group
from refagg.errors import InvalidParameter
from refagg.language import ties
from refagg.language.choices import Choices, OnSpace, on
from refagg.language.event import ORDERED
from refagg.language.partition import Partition, Record


@dataclass(frozen=True, slots=True)
class Scores:
    """The number by which each record is sorted.

    Numbers within the tolerance are tied. `chosen` says that they are themselves the outcome of a
    choice. If they are not, what follows depends on the groups formed only: these tell at which end
    the first was.
    """

    values: Sequence[ties.Magnitude]
    tolerance: ties.Tolerance = ties.EXACT
    chosen: bool = False


class Sorted:
    """The records that are in no group yet, in their order."""

    def __init__(self, space: Any, choices: Choices) -> None:
        """Initialise the records in the order of the file."""
        self.space = space
        self.choices = choices
        self.groups: list[Group] = []
        # The next records are at the end of the list, where they are taken in no time.
        self._waiting: list[Record] = space.records()[::-1]
        self._scores = Scores(range(space.n), chosen=True)

    def __len__(self) -> int:
        return len(self._waiting)

    def attribute(self, number: int) -> Scores:
        """Return the values of one attribute, counted from 0. Raises InvalidParameter."""
        if number >= self.space.width:
            raise InvalidParameter(f"attribute is {number}; there are {self.space.width}, from 0")
        return Scores(self.space.attribute(number))

    def sort(self, name: str, scores: Scores, order: str, k: int) -> None:
        """Sort the records in an order, "ascending" or "descending".

        For "either", one of the two is chosen. Where k divides n both orders can give the same
        groups, and no question is asked.
        """
        if not scores.chosen:
            self.choices.iteration(self.space.records())
        if order == "either":
            order = self._from_either_end(name, scores, k)
        if order == "descending":
            scores = Scores([-v for v in scores.values], scores.tolerance, scores.chosen)
        scores = replace(scores, values=self.choices.settled("order", scores.values))
        self._scores = scores
        self._waiting = sorted(self.space.records(), key=scores.values.__getitem__, reverse=True)
        self.choices.step(ORDERED, self._waiting[::-1])

    def _from_either_end(self, name: str, scores: Scores, k: int) -> str:
        """Return the order that begins at one of the two ends.

        Each end is named by its lowest record.
        """
        records, n = self.space.records(), self.space.n
        ends = ends_of(scores, records)
        matters = n % k and n >= 2 * k and ends[0] != ends[1]
        first = self.end(name, ends) if matters else min(ends)
        return "ascending" if first == ends[0] else "descending"

    def end(self, name: str, ends: Sequence[Record]) -> Record:
        """Choose one of two unranked ends, each named by a record."""
        return self.choices.choose(name, ties.least(ties.Ranking(ends, [0, 0], ties.as_it_is)))

    def group(self, first_name: str, next_name: str, k: int) -> None:
        """Make the next k records a group.

        Where only equal values come next and not all of them fit, a first member is chosen, and
        then the others.
        """
        if self.groups and not self._scores.chosen:
            self.choices.iteration(self._waiting)
        window = self._window(k)
        near = ties.nearest(window, k)
        if near.certain or len(near.tied) == near.places:
            stay = min(near.certain or near.tied)
            group = [*self.choices.choose_nearest(next_name, near, same_group_as=stay)]
        else:
            tie = ties.TiedCandidates(near.tied, near.boundary, window)
            first = self.choices.choose(first_name, tie)
            others = ties.nearest(window, k - 1, without={first})
            group = [first, *self.choices.choose_nearest(next_name, others, same_group_as=first)]
        taken = set(group)
        self._waiting += [record for record in reversed(window.items) if record not in taken]
        self.groups.append(self.choices.closed(group))

    def _window(self, k: int) -> ties.Ranking[Record]:
        """Take the next k records, and all tied with the k-th."""
        waiting, values = self._waiting, self._scores.values
        bound = self._scores.tolerance.greatest_tied(values[waiting[-k]])
        size = k
        while size < len(waiting) and values[waiting[-size - 1]] <= bound:
            size += 1
        records = waiting[: -size - 1 : -1]
        del waiting[-size:]
        ranked = [values[record] for record in records]
        return ties.Ranking(records, ranked, ties.as_it_is, self._scores.tolerance)

    def take(self, k: int) -> None:
        """Make the next k records a group; the order leaves nothing open."""
        taken = self._waiting[: -k - 1 : -1]
        del self._waiting[-k:]
        self.groups.append(self.choices.closed(taken))

    def rest(self) -> None:
        """Make all that remains a group."""
        self.groups.append(self.choices.closed(self._waiting))
        self._waiting = []

    def partition(self) -> Partition:
        """The groups, when all records are in one."""
        return Partition.of(self.groups, self.space.n)


def ends_of(scores: Scores, records: Sequence[Record]) -> list[Record]:
    """Return the first records with the least and the greatest score."""
    near, pairs = scores.tolerance, list(zip(records, scores.values, strict=True))
    low = near.greatest_tied(min(scores.values))
    high = near.least_tied(max(scores.values))
    return [
        next(record for record, value in pairs if value <= low),
        next(record for record, value in pairs if value >= high),
    ]


def on_sorted(text: Callable[Concatenate[Sorted, int, ...], None]) -> OnSpace:
    """Make a specification's `run` from a text on sorted records.

    It leads from a space to a partition.
    """
    return on(Sorted, text)
