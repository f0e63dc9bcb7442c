"""V: a sequence of records that is divided into runs.

The cursor holds the records left of it and the choices.

An algorithm that finds groups as runs of a sequence, by a shortest path, is written with these
verbs. The sequence is that of the values, from either end, or a path through the records.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from importlib.util import find_spec
from itertools import count
from math import inf
from typing import TYPE_CHECKING, Any, Concatenate

from refagg.cursors.groups import falls
from refagg.cursors.remaining import Group, any_of, difference
from refagg.engine import runs
from refagg.language.choices import Choices, OnSpace, on
from refagg.language.event import ORDERED
from refagg.language.partition import Partition, Record
from refagg.language.ties import EXACT, HIGHEST, LOWEST, Later, Magnitude, Ranking, least, nearest

if TYPE_CHECKING:
    from refagg.engine.shortest import ShortestPaths

COMPILED = 50_000
"""From so many records on compiled code pays."""


class RecordSequence:
    """The records in a sequence, until they are in groups."""

    def __init__(self, space: Any, choices: Choices) -> None:
        self.space = space
        self.choices = choices
        self.groups: list[Group] = []
        self._left: Any = space.records()
        self._values: Sequence[Magnitude] | None = None
        self._ordered: Sequence[Magnitude] = ()
        self._keys: Any = None
        """The ordered values in an array, where compiled code serves."""
        self._taken: Partition | None = None
        """The groups, where compiled code has taken them."""
        self._paths: ShortestPaths | None = None
        """The shortest paths along the values, where they are compiled."""
        self._unwatched = space.ranked([], []).tolerance == EXACT and not choices.watched
        """No one asks for more than groups, and equal values alone are tied."""
        self._by_rule = self._unwatched and choices.tie_breaker in (LOWEST, HIGHEST)
        """Of equal records, too, it is known which is taken first."""

    def __len__(self) -> int:
        return len(self._left)

    # The sequence

    def sort(self, name: str) -> None:
        """Sort the records by the only attribute.

        The end from which the order begins is chosen. Of equal records, the one that a rule takes
        first comes last.
        """
        values = self.space.attribute(0)
        ends = min(values), max(values)
        outermost = [record for record in self._left if values[record] in ends]
        end = self.choices.choose(name, any_of(self.space, outermost))
        rising = values[end] == ends[1]
        self._values = values if rising else [-value for value in values]
        falling = self._by_rule and self.choices.tie_breaker is LOWEST
        order = None
        if len(self) >= COMPILED and isinstance(ends[0], int) and find_spec("numba"):
            from refagg.engine.shortest import in_order  # which takes some time to load

            order, self._keys = in_order(values, rising, falling)
        value = self._values.__getitem__
        if order is None:
            self._left.sort(reverse=falling)
            self._left.sort(key=value)
            self._ordered = list(map(value, self._left))
        else:
            self._left = order if self._by_rule else order.tolist()
            self._ordered = Later(lambda: list(map(value, order)))  # mostly nobody asks for them
        self.choices.step(ORDERED, self._left)

    def follow(self, path: Sequence[Record]) -> None:
        """Put the records in the order of a path.

        All of them are left again.
        """
        self._left = list(path)
        self.choices.step(ORDERED, path)

    def runs(self, sizes: range) -> runs.Runs:
        """Return the function from j to the runs that end there.

        For record j it gives the size m and the SSE of each run that ends at this record. An SSE is
        raw, or in the parts of a raw one that make it an integer.
        """
        self._unit: int | None = None
        self._paths = None
        if self._values is None:
            return runs.runs_along(self.space, list(self._left), sizes)
        if not isinstance(self._values[0], int):
            return runs.in_binary64(self._ordered, sizes)
        # The squares of differences of a single attribute are the raw distances of its space.
        self._runs, self._unit = runs.of_whole_numbers(self._ordered, sizes)
        if self._keys is not None:
            from refagg.engine.shortest import paths

            self._paths = paths(self._keys, sizes, self._unit, self.choices.tie_breaker is HIGHEST)
        return self._runs

    def known_lengths(self, sizes: range) -> list[Magnitude]:
        """Return the known lengths of paths.

        They are those to nodes before any run, or to all nodes if compiled code found them. If a
        rule settles all, that code has taken the runs, too, and none is left.
        """
        if self._paths and self._by_rule:
            self._taken, ties = self._paths.partition(self._left)
            self.choices.ties += ties
            self._left = []
        elif self._paths:
            return self._paths.lengths
        return [0] + [inf] * (sizes.start - 1)

    # Taking runs from the end

    def last_size(self, name: str, f: Sequence[Magnitude], sizes: range) -> int:
        """Choose the size of the last run, at the least SSE.

        The SSE is that of all records that are left. `f` has the least SSE of the first 0, 1, 2,
        ... records.
        """
        j, unit = len(self._left), self._unit
        if self._values is not None:
            self.choices.iteration(self._left)
        if self._paths and self._unwatched and (m := int(self._paths.sizes[j])) > 0:
            return m
        last = self._runs(j) if unit else runs.runs_along(self.space, self._left, sizes)(j)
        ranked = self.space.ranked([m for m, _ in last], [f[j - m] + sse for m, sse in last])
        if unit:
            shown = ranked.shown
            ranked = replace(ranked, shown=lambda cost: shown(Fraction(cost, unit)))
        size: int = self.choices.choose(name, least(ranked))
        return size

    def last(self, m: int) -> Group:
        """Return the last m records, which are no longer left."""
        taken: Group = self._left[-m:]
        del self._left[-m:]
        return taken

    def outermost(self, first_name: str, near_name: str, m: int) -> Group:
        """Choose the m records nearest to the end.

        Only the last of them can equal others.
        """
        if self._by_rule:
            return self._last_by_rule(m)
        values: Any = self._values
        start = bisect_left(self._left, values[self._left[-m]], key=values.__getitem__)
        window = self._left[start:]
        first = self.choices.choose(first_name, least(self._distances(window[-1], window)))
        near = nearest(self._distances(first, window), m - 1, {first})
        group = [first, *self.choices.choose_nearest(near_name, near, same_group_as=first)]
        self._left[start:] = difference(window, group)
        return group

    def _last_by_rule(self, m: int) -> Group:
        """Return the last m records, and count what a rule settled."""
        values, j = self._ordered, len(self._left)
        self.choices.ties += j > 1 and values[j - 2] == values[j - 1]
        self.choices.ties += j > m > 1 and values[j - m - 1] == values[j - m]
        return self.last(m)

    def _distances(self, origin: Record, window: Sequence[Record]) -> Ranking[Record]:
        """Rank records by their distances from one.

        Squares of differences are used if the values are integers.
        """
        values: Any = self._values
        squares = [(values[r] - values[origin]) ** 2 for r in window] if self._unit else None
        found: Ranking[Record] = (
            self.space.ranked(window, squares) if squares else self.space.distances(origin, window)
        )
        return found

    def close(self, group: Sequence[Record]) -> None:
        """The records are a group of the result."""
        self.groups.append(self.choices.closed(group))

    # Again and again

    def rounds(self) -> Iterator[int]:
        """Count rounds."""
        return self.choices.each(count(), "rounds")

    def reached(self, groups: Sequence[Sequence[Record]]) -> None:
        """Mark a checkpoint: the run then depends only on these groups."""
        self.choices.reached(groups)
        self.choices.stand(groups)

    def lowers_sse(self, name: str, after: Partition, before: Partition) -> bool:
        """Return True if the groups changed and lower the SSE."""
        new, old = (sum(map(self.space.sse, found.groups)) for found in (after, before))
        return self.choices.decide(name, falls(self.space, new, old)) and after != before

    def partition(self) -> Partition:
        """The groups, when they have all records."""
        return self._taken or Partition.of(self.groups, self.space.n)


def on_sequence(text: Callable[Concatenate[RecordSequence, int, ...], None]) -> OnSpace:
    """Make a specification's `run` from a text on a sequence.

    It leads from a space to a partition.
    """
    return on(RecordSequence, text)
