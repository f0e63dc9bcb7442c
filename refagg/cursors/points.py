"""M: centres that move, the records of each, and the choices.

An algorithm that assigns records to centres, and moves these, is written with these verbs. Each
verb that chooses is given the name of the choice in the algorithm's specification. Centres are
named by their numbers; one that loses its last record is given up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Concatenate

from refagg.cursors.groups import Groups, falls
from refagg.cursors.remaining import Group, difference
from refagg.engine.metrics import ClosestCentroids
from refagg.engine.transportation import Transportation
from refagg.language.choices import Choices, FinalGroups, OnSpace, on
from refagg.language.partition import Partition, Record
from refagg.language.space import Centroids
from refagg.language.ties import Magnitude, TiedCandidates, greatest

Number = int

NONE = -1
"""The number of the centre of a record that has none yet."""


class Points:
    """The centres, and the centre of each record."""

    def __init__(self, space: Centroids[Any], choices: Choices) -> None:
        self.space = space
        self.choices = choices
        self.records = space.records()
        self._closest = ClosestCentroids(space)
        self._points: dict[Number, Any] = {}
        self.centre_of: list[Number] = [NONE] * space.n
        self._moved: set[Number] = set()
        """The centres that may have become the nearest, or may no longer be it."""
        self._to_nearest: list[Magnitude] = []
        self._groups: list[Group] = []

    def __len__(self) -> int:
        """The number of centres."""
        return len(self._points)

    def rounds(self, most: int) -> Iterator[int]:
        """Count rounds, of which there can be fewer."""
        for number in self.choices.each(range(most), "rounds", at_most=True):
            if number and not self.choices.goes_on(True, "round"):
                break
            yield number

    # Where centres begin

    def begin(self, records: Sequence[Record]) -> None:
        """Make these records centres; each is assigned to itself."""
        for record in records:
            self.centre_of[record] = len(self)
            self._moved.add(len(self))
            self._points[len(self)] = record

    def draw(self, c: int) -> list[Record]:
        """Draw c records from the random stream, all sets being equally likely."""
        return self.choices.sample("first centres", self.records, c)

    def draw_distinct(self, c: int) -> list[Record]:
        """Draw c records, no two of which are equal.

        There are fewer if there are no more such records. Those equal to a record drawn before are
        passed over.
        """
        drawn: list[Record] = []
        left = self.records
        while left and len(drawn) < c:
            drawn += self.choices.sample("centre", left, 1)
            apart = self.space.raw(drawn[-1], left)
            left = [record for record, distance in zip(left, apart, strict=True) if distance]
        return drawn

    def farthest_from_centroid(self, name: str) -> Record:
        """Choose the record most distant from the centroid of all records."""
        distances = self.space.distances(self.space.centroid(self.records), self.records)
        return self.choices.choose(name, self.space.farthest(distances))

    def farthest_from_centres(self, name: str) -> Record:
        """Choose the record whose nearest centre is farthest.

        The centres are still records.
        """
        centres = list(self._points.values())
        self.choices.reached([*([record] for record in centres), ()])
        last = self.space.raw(centres[-1], self.records)
        self._to_nearest = list(map(min, self._to_nearest, last)) if self._to_nearest else last
        others = difference(self.records, centres)
        far = self.space.ranked(others, [self._to_nearest[record] for record in others])
        return self.choices.choose(name, greatest(far))

    # Assigning records, moving centres

    def assign(self, name: str) -> bool:
        """Assign each record to the nearest centre.

        Return True if a record has changed its centre. A record that is as near to its own centre
        as to another stays.
        """
        before = self.centre_of
        everyone = self.choices.each(self.records, "records")
        self.centre_of = [self._nearest(name, record, before[record]) for record in everyone]
        pairs = zip(before, self.centre_of, strict=True)
        self._moved = {number for old, new in pairs if old != new for number in (old, new)} - {NONE}
        self.choices.stand(self.members().values())
        return bool(self._moved)

    def _nearest(self, name: str, record: Record, own: Number) -> Number:
        """The number of the nearest centre.

        If the own centre has not moved, no other that has not moved can be nearer.
        """
        every = own == NONE or own in self._moved
        numbers = list(self._points) if every else [own, *self._moved]
        tie = self._closest.of(record, {number: self._points[number] for number in numbers})
        return own if own in tie.candidates else self._chosen(name, tie, record)

    def second_nearest(self, name: str) -> list[Number]:
        """Choose for each record the second nearest centre.

        It is the nearest of the centres to which the record is not assigned.
        """
        found = []
        for record in self.records:
            own = self.centre_of[record]
            others = {number: point for number, point in self._points.items() if number != own}
            found.append(self._chosen(name, self._closest.of(record, others), record))
        return found

    def _chosen(self, name: str, tie: TiedCandidates[Number], record: Record) -> Number:
        return self.choices.choose(name, tie, lambda n: [self.members().get(n, ())], record)

    def move(self) -> None:
        """Move each centre to the centroid of its records.

        Centres without any record are given up.
        """
        members = self.members()
        self._moved &= set(members)
        points = {number: self._points[number] for number in members}
        moved = {number: self.space.centroid(members[number]) for number in self._moved}
        self._points = points | moved

    def members(self) -> dict[Number, Group]:
        """Return the records of each centre that has some."""
        members: dict[Number, Group] = {}
        for record, number in enumerate(self.centre_of):
            members.setdefault(number, []).append(record)
        return members

    def groups(self) -> Groups:
        """Return the records of each centre as groups.

        They are in the order of their first records.
        """
        return Groups(self.space, self.choices, dict(enumerate(self.members().values())))

    # Assigning records within limits

    def rounds_of_groups(self, most: int) -> Iterator[int]:
        """Count rounds that depend on the last groups and their number.

        These are the groups of the last round.
        """
        for number in self.rounds(most):
            centres = () if self._groups else tuple(self._points.values())
            self.choices.reached(self._groups, kept=(number, centres))
            yield number

    def cheapest(self, name: str, fewest: int, most: int) -> list[Group]:
        """Assign records within limits of sizes at least total cost.

        The cost is the sum of squared distances to the centres. Of several such assignments one is
        chosen, record by record in the order of the file.
        """
        columns = [self.space.raw(centre, self.records) for centre in self._points.values()]
        best = Transportation(list(zip(*columns, strict=True)), fewest, most)
        total = best.total()
        slack = self.space.ranked((), ()).tolerance.greatest_tied(total) - total
        for record in self.choices.each(self.records, "records"):
            paths = best.as_good(record, range(record), slack)
            if not paths:
                continue
            own, numbers = best.centre_of[record], range(len(self))
            values = [total + best.extra(record, number) for number in numbers]
            ranked = self.space.ranked(numbers, values)
            tie = TiedCandidates(tuple(sorted([own, *paths])), total, ranked)
            chosen = self.choices.choose(name, tie, of=record)
            if chosen != own:
                best.turn(record, paths[chosen], range(record))
        return [sorted(group) for group in best.members]

    def lowers_sse(self, name: str, after: Sequence[Group]) -> bool:
        """Return True if these groups are new and lower the SSE.

        The first groups always count as such.
        """
        if not self._groups:
            return True
        new, old = (sum(map(self.space.sse, groups)) for groups in (after, self._groups))
        less = self.choices.decide(name, falls(self.space, new, old))
        return less and sorted(after) != sorted(self._groups)

    def move_to(self, groups: Sequence[Group]) -> None:
        """Move each centre to the centroid of its group."""
        self._groups = list(groups)
        self.choices.stand(groups)
        self._points = dict(enumerate(map(self.space.centroid, groups)))

    def partition(self) -> Partition:
        """The groups to which centres have moved."""
        return Partition.of([self.choices.closed(group) for group in self._groups], self.space.n)


def on_points(text: Callable[Concatenate[Points, int, ...], FinalGroups]) -> OnSpace:
    """Make a specification's `run` from a text on centres.

    It leads from a space to a partition.
    """
    return on(Points, text)
