"""P: parts that wait to be divided, and the groups formed.

The cursor also holds the choices.

An algorithm that divides parts of the file until each is a group is written with these verbs.
Each verb that chooses is given the name of the choice in the algorithm's specification. The part
that came last is divided first.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Concatenate

from refagg.cursors.groups import Groups
from refagg.cursors.remaining import Cursor, Group, Others, Text, difference, groups_by
from refagg.cursors.subrun import subrun
from refagg.language import ties
from refagg.language.choices import Choices, OnSpace, on
from refagg.language.partition import Partition, Record
from refagg.language.space import Numeric
from refagg.terminal import NOW

Origin = object
"""A record or a centroid."""


class Parts:
    """The waiting parts, and the groups of the other records."""

    def __init__(
        self,
        space: Numeric[Any],
        choices: Choices,
        parts: Sequence[Sequence[Record]] | None = None,
        checkpoints: bool = False,
        wider: Sequence[Fraction] = (),
    ) -> None:
        """Initialise the waiting parts.

        At first all records are one part, or the records of each of `parts` are. With `checkpoints`
        a judge is told, for each part, which parts and groups there are. That costs as much as
        there are records, and pays where several ways lead to the same parts. If the records are
        some of a file, each attribute's range there is so many times as wide.
        """
        self.space = space
        self.choices = choices
        self._checkpoints = checkpoints and choices.followed
        self.groups: list[Group] = []
        self._waiting = [space.records()] if parts is None else list(map(list, parts))
        self._wider = wider
        self._columns: dict[int, Sequence[ties.Magnitude]] = {}
        self._ranges: dict[int, ties.Magnitude] = {}
        self._medians: dict[int, ties.Magnitude] = {}
        self._ordered: dict[int, list[ties.Magnitude]] = {}

    def __iter__(self) -> Iterator[Group]:
        """Return each part that waits, until none is left."""
        while self._waiting:
            NOW.remain(sum(map(len, self._waiting)), power=1)
            if self._checkpoints:
                self.choices.reached([*self.groups, *self._waiting])
            if len(self._waiting) > 1:
                self.choices.stand([*self.groups, *self._waiting])
            self._ordered.clear()
            self._medians.clear()
            yield self._waiting.pop()

    @classmethod
    def of(cls, groups: Groups) -> Parts:
        """Groups that wait to be divided, with checkpoints."""
        space: Any = groups.space
        return cls(space, groups.choices, list(groups.members.values()), checkpoints=True)

    def begin(self, name: str, text: PartsText, size: int, **parameters: object) -> None:
        """Let the groups wait that another algorithm forms of all records.

        The first group waits first. Its choices are named after `name`.
        """
        first = Parts(self.space, subrun(self.choices, name), wider=self._wider)
        size = self.choices.settled("least size", size, range(1, self.space.n + 1))
        text(first, size, **parameters)
        self._waiting = [list(group) for group in reversed(first.partition().groups)]

    # Dividing at a median

    @property
    def attributes(self) -> range:
        """The numbers of the attributes."""
        return range(self.space.width)

    def can_be_halved(self, part: Group, attribute: int, k: int, cut: str) -> bool:
        """Return True if both sides of the median have k records."""
        if cut == "relaxed":
            return len(part) > 1 and self.choices.enough("can be cut", len(part), 2 * k)
        values = self._values(part, attribute)
        median = self.choices.settled("cut", _median(values), values)
        self._medians[attribute] = median
        below = bisect_right(values, median)
        fewer = min(below, len(values) - below)
        return fewer > 0 and self.choices.enough("can be cut", fewer, k)

    def widest(self, name: str, part: Group, attributes: Sequence[int]) -> int:
        """Choose the attribute of greatest relative range in the part.

        The relative range is the range in the part over that in the file.
        """
        widths = {a: self._width(part, a) for a in attributes}
        different = [a for a in attributes if widths[a]] or attributes[:1]
        return self.choices.choose(
            name, ties.greatest(self.space.measured(different, [widths[a] for a in different]))
        )

    def halve(self, name: str, part: Group, attribute: int, k: int, cut: str) -> None:
        """Cut the part at the median of an attribute; both sides wait.

        Records with the median are on the lower side, or with the cut "relaxed" as many of them as
        make it half of the part.
        """
        column, values = self._column(attribute), self._values(part, attribute)
        half = (len(part) + 1) // 2
        if cut == "strict":
            median = self._medians[attribute]
        else:
            half = self.choices.settled("cut", half, range(1, len(part)))
            median = values[half - 1]
        less = tuple([record for record in part if column[record] < median])
        equal = tuple([record for record in part if column[record] == median])
        if cut == "strict":
            lower = sorted(less + equal)
        else:
            measured = ties.Ranking(part, [column[record] for record in part], ties.as_it_is)
            near = ties.Nearest(less, equal, half - len(less), median, measured)
            is_group = half < 2 * k
            stay = min(less, default=None) if is_group else None
            lower = list(self.choices.choose_nearest(name, near, same_group_as=stay))
        upper = difference(part, lower)
        self.choices.divided(lower, upper)
        self.divide(upper, lower)

    def _column(self, attribute: int) -> Sequence[ties.Magnitude]:
        if attribute not in self._columns:
            column = self._columns[attribute] = self.space.attribute(attribute)
            wider = self._wider[attribute] if self._wider else 1
            self._ranges[attribute] = (max(column) - min(column)) * wider
        return self._columns[attribute]

    def _values(self, part: Group, attribute: int) -> list[ties.Magnitude]:
        """The values of the part that was taken last, in their order."""
        if attribute not in self._ordered:
            column = self._column(attribute)
            self._ordered[attribute] = sorted([column[record] for record in part])
        return self._ordered[attribute]

    def _width(self, part: Group, attribute: int) -> Fraction:
        """0 where the attribute has one value in the file."""
        values = self._values(part, attribute)
        return Fraction(values[-1] - values[0]) / Fraction(self._ranges[attribute] or 1)

    # Dividing between two points

    def farthest_from_centroid(self, name: str, part: Group) -> Record:
        """Choose the part's record that is most distant from its centroid."""
        return self.farthest(name, self.space.centroid(part), part)

    def farthest(
        self, name: str, origin: Origin, part: Group, without: Collection[Record] = ()
    ) -> Record:
        """Choose the part's record most distant from a record or point."""
        distances = self.space.distances(origin, part)
        return self.choices.choose(name, self.space.farthest(distances, without))

    def how_many_nearer(self, name: str, part: Group, a: Origin, b: Origin) -> int:
        """Return the number of records nearer to a than to b.

        It is found by bisection.
        """
        to_a, to_b = self.space.raw(a, part), self.space.raw(b, part)
        pairs = sorted(zip(to_a, to_b, part, strict=True), key=lambda pair: pair[0] - pair[1])
        low, high = 0, len(pairs)
        while low < high:
            middle = (low + high) // 2
            from_a, from_b, record = pairs[middle]
            if self.choices.decide(name, self._less(from_a, from_b), record):
                low = middle + 1
            else:
                high = middle
        return low

    def nearest_side(self, name: str, part: Group, a: Origin, b: Origin, m: int) -> Group:
        """Choose the m records nearest to a in comparison with b.

        They have the least squared distance to a less that to b.
        """
        to_a, to_b = self.space.raw(a, part), self.space.raw(b, part)
        # A common amount is added to all differences, beside which their rounding is small.
        amount = 2 * max(*to_a, *to_b)
        d = [amount + (p - q) for p, q in zip(to_a, to_b, strict=True)]
        near = ties.nearest(self.space.ranked(part, d), m)
        return list(self.choices.choose_nearest(name, near, same_group_as=None))

    def centroids(self, sides: Sequence[Group]) -> list[Origin]:
        """Return the centroids of some parts."""
        return list(map(self.space.centroid, sides))

    def lowers_sse(self, name: str, after: Sequence[Group], before: Sequence[Group]) -> bool:
        """Return True if the SSE of these parts is less than before."""
        new, old = (sum(map(self.space.sse, parts)) for parts in (after, before))
        return self.choices.decide(name, self._less(new, old))

    def _less(self, left: ties.Magnitude, right: ties.Magnitude) -> ties.Comparison:
        return self.space.less(self.space.shown(left), self.space.shown(right))

    # What becomes of a part

    def divide(self, *sides: Sequence[Record]) -> None:
        """Let these parts wait in place of the last one taken."""
        self._waiting += map(list, sides)

    def apart(self, part: Sequence[Record], final: bool) -> Cursor:
        """Return a cursor on the records of a part.

        Its groups may change again unless they are final.
        """
        self.choices.apart(part)
        return Cursor(self.space, self.choices, part, tentative=True, stay=final)

    def others(self) -> list[Group]:
        """Return the parts that wait, and the groups formed."""
        return [*self._waiting, *self.groups]

    def close(self, part: Sequence[Record]) -> None:
        """The part is a group."""
        self.groups.append(self.choices.closed(part))

    def form(self, text: Text, part: Sequence[Record], k: int) -> None:
        """Add the groups that an algorithm forms of the part."""
        others: Others = range(sum(map(len, self._waiting))), ()
        if self.choices.watched:
            waiting = tuple(map(tuple, self._waiting))
            others = [record for other in waiting for record in other], waiting
        self.groups += groups_by(text, self.space, k, self.choices, part, others)

    def form_under(self, name: str, text: Text, part: Sequence[Record], k: int) -> None:
        """Form groups under the algorithm's name, without promises about them."""
        for group in groups_by(text, self.space, k, subrun(self.choices, name), part):
            self.close(group)

    def partition(self) -> Partition:
        """The groups, when no part waits."""
        return Partition.of(self.groups, self.space.n)


def _median(ordered: Sequence[ties.Magnitude]) -> ties.Magnitude:
    """Return the median.

    Of an even number of values it is the lower one in the middle.
    """
    return ordered[(len(ordered) + 1) // 2 - 1]


PartsText = Callable[Concatenate[Parts, int, ...], None]
"""An algorithm on parts: (P, k, **parameters)."""


def on_parts(text: PartsText, checkpoints: bool = False) -> OnSpace:
    """Make a specification's `run` from a text on parts.

    It leads from a space to a partition.
    """
    return on(partial(Parts, checkpoints=checkpoints), text)
