"""G: groups that cover all records and may still change.

The cursor also holds the choices about them.

An algorithm that forms groups and then dissolves, fills or divides some of them is written with
these verbs, the second part on the groups that the first has formed. Groups are named by their
numbers, in the order of formation. Nothing is promised to a judge about a group before a record
joins it for good, or all are closed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any, Concatenate, TypeVar

from refagg.cursors.remaining import Cursor, Group, Text, any_of, groups_by
from refagg.cursors.subrun import subrun
from refagg.engine.metrics import ClosestCentroids, increase
from refagg.language.choices import Choices, OnSpace, on
from refagg.language.partition import Partition, Record
from refagg.language.space import Centroids, Dissimilarities
from refagg.language.ties import Comparison, Later, Magnitude, Ranking, as_it_is, greatest, least

Number = int
T = TypeVar("T")


class Groups:
    """The groups that there are at some time."""

    def __init__(
        self, space: Centroids[Any], choices: Choices, members: Mapping[Number, Sequence[Record]]
    ) -> None:
        self.space = space
        self.members = {number: list(group) for number, group in members.items()}
        self.choices = choices
        self._following = max(members, default=-1) + 1
        self._centroids: dict[Number, Any] = {}
        self._closest = ClosestCentroids(space)
        self._sse: dict[tuple[Record, ...], Magnitude] = {}
        self._summed: tuple[set[Record], dict[Record, Magnitude]] = set(), {}
        """The members of a group, and the sum of the distances of other records to them."""

    @classmethod
    def formed(cls, cursor: Cursor) -> Groups:
        """The groups formed of records that remained."""
        return cls.of(cursor, cursor.groups)

    @classmethod
    def of(cls, R: Cursor, groups: Sequence[Sequence[Record]]) -> Groups:
        """Groups of the records that remain."""
        return cls(R.space, R.choices, dict(enumerate(groups)))

    @classmethod
    def of_partition(cls, space: Centroids[Any], choices: Choices, partition: Partition) -> Groups:
        """The groups of a partition, in the order of their first records."""
        return cls(space, choices, dict(enumerate(partition.groups)))

    @classmethod
    def by(cls, text: Text, R: Cursor, k: int, name: str) -> Groups:
        """Return the groups that an algorithm forms of the remaining records.

        The groups are in their order. Its choices are named after `name`.
        """
        return cls.of(R, groups_by(text, R.space, k, subrun(R.choices, name), R.records))

    # What there is

    def __getitem__(self, number: Number) -> Group:
        return self.members[number]

    def numbers(self, without: Number | None = None) -> list[Number]:
        """The numbers of all groups, or of all others."""
        return [number for number in self.members if number != without]

    def as_sets(self) -> frozenset[frozenset[Record]]:
        """The groups, whatever their numbers."""
        return frozenset(map(frozenset, self.members.values()))

    def of_at_least(self, size: int) -> list[Number]:
        """The groups of so many records."""
        return [number for number, group in self.members.items() if len(group) >= size]

    def below(self, size: int) -> list[Number]:
        """The groups of fewer records."""
        return [number for number, group in self.members.items() if len(group) < size]

    def free_capacity(self, size: int, among: Sequence[Number]) -> int:
        """Return how many records these groups can take in.

        Each may have `size` records in the end.
        """
        return sum(size - len(self.members[number]) for number in among)

    def centroids(self, among: Sequence[Number]) -> dict[Number, Any]:
        """The centroids of these groups as they are now."""
        known = self._centroids
        for number in among:
            if number not in known:
                known[number] = self.space.centroid(self.members[number])
        return {number: known[number] for number in among}

    def centroid_of_all(self) -> Any:
        """The centroid of all records of the file."""
        return self.space.centroid(self.space.records())

    # Choosing groups

    def _own(self, number: Number) -> list[Group]:
        return [self.members[number]]

    def farthest(self, name: str, point: object, centroids: Mapping[Number, object]) -> Number:
        """The group whose centroid, of these, is most distant from a point."""
        numbers, raw = list(centroids), self.space.raw(point, list(centroids.values()))
        return self.choices.choose(name, greatest(self.space.ranked(numbers, raw)), self._own)

    def nearest(self, name: str, point: object, centroids: Mapping[Number, object]) -> Number:
        """Choose the group, of these, whose centroid is nearest.

        The distance is from a record or a point.
        """
        return self.choices.choose(name, self._closest.of(point, centroids), self._own, point)

    def nearest_group(self, name: str, number: Number) -> Number:
        """The group whose centroid is nearest to that of a group."""
        others = self.centroids(self.numbers(without=number))
        centroid = self.centroids([number])[number]
        return self.choices.choose(name, self._closest.of(centroid, others), self._own)

    def home(self, record: Record) -> Number:
        """The group of a record."""
        return next(number for number, group in self.members.items() if record in group)

    def least_increase(self, name: str, record: Record, among: Sequence[Number]) -> Number:
        """Choose the group, of these, whose SSE grows least.

        The growth is that of the SSE where a record joins it.
        """
        sizes = {number: len(self.members[number]) for number in among}
        tie = self._closest.of(record, self.centroids(among), sizes)
        return self.choices.choose(name, tie, self._own, record)

    def cheapest_move(
        self, name: str, saved: Mapping[Record, Magnitude], among: Sequence[Number]
    ) -> tuple[Record, Number]:
        """Choose the record and target group whose move gives least SSE.

        `saved` is the decrease of the SSE where a record leaves its group.
        """
        centroids = self.centroids(among)
        sizes = {number: len(self.members[number]) for number in among}
        most = max(saved.values())  # so that no number is less than 0

        def values(pairs: Sequence[tuple[Record, Number]]) -> list[Magnitude]:
            squared = ((x, n, self.space.raw(x, [centroids[n]])[0]) for x, n in pairs)
            return [increase(d, sizes[n]) + most - saved[x] for x, n, d in squared]

        near = pairs = [(record, number) for number in among for record in saved]
        if not self.space.ranked((), ()).tolerance.relative:  # else ties need not be of one record
            best = {x: self._closest.of(x, centroids, sizes).candidates for x in saved}
            near = [(record, number) for record, number in pairs if number in best[record]]
        tie = least(self.space.ranked(near, values(near)))
        every = self.space.ranked(pairs, Later(lambda: values(pairs)))
        return self.choices.choose(name, replace(tie, measured=every))

    def nearest_pair(
        self, name: str, records: Sequence[Record], among: Sequence[Number]
    ) -> tuple[Record, Number]:
        """Choose the nearest pair of a record and a centroid.

        They are among these records and groups.
        """
        pairs: list[tuple[Record, Number]] = []
        raw: list[Magnitude] = []
        for number, centroid in self.centroids(among).items():
            pairs += [(record, number) for record in records]
            raw += self.space.raw(centroid, records)
        return self.choices.choose(name, least(self.space.ranked(pairs, raw)))

    def smallest(self, name: str, among: Sequence[Number]) -> Number:
        """The group of the fewest records."""
        return self.choices.choose(name, least(self._sizes(among)), self._own)

    def largest(self, name: str, among: Sequence[Number]) -> Number:
        """The group of the most records."""
        return self.choices.choose(name, greatest(self._sizes(among)), self._own)

    def greatest(self, name: str, values: Mapping[Number, Magnitude]) -> Number:
        """The group of the greatest of some values, one for each group."""
        ranked = Ranking(list(values), list(values.values()), as_it_is)
        return self.choices.choose(name, greatest(ranked), self._own)

    def by_decreasing_sse(self, name: str) -> list[Number]:
        """All groups, that of the greatest SSE first."""
        order: list[Number] = []
        left = {number: self._sse_of(group) for number, group in self.members.items()}
        while left:
            tie = greatest(self.space.ranked(list(left), list(left.values())))
            order.append(self.choices.choose(name, tie, self._own))
            del left[order[-1]]
        return order

    def reached(self, to_visit: Sequence[Number] = (), kept: Hashable = ()) -> None:
        """Mark a checkpoint of the run, with the groups.

        The rest of the run depends only on the groups, the order of those to visit, and `kept`.
        """
        marked = to_visit if self.choices.marked else ()
        order = tuple(tuple(sorted(self.members[number])) for number in marked)
        self.choices.reached(self.members.values(), (order, kept))
        self.choices.stand(self.members.values())

    def sse(self) -> Magnitude:
        """The SSE of all groups."""
        return sum(map(self._sse_of, self.members.values()))

    def has_fallen(self, name: str, before: Magnitude) -> bool:
        """Return True if the SSE of all groups is less than before."""
        return self.choices.decide(name, falls(self.space, self.sse(), before))

    # Choosing records

    def any_of(self, name: str, records: Sequence[Record]) -> Record:
        """One of the records, which nothing ranks."""
        return self.choices.choose(name, any_of(self.space, records))

    def farthest_member(self, name: str, point: object, number: Number) -> Record:
        """The record of a group that is most distant from a point."""
        distances = self.space.distances(point, self.members[number])
        return self.choices.choose(name, self.space.farthest(distances))

    def nearest_record(self, name: str, origin: object, among: Sequence[Record]) -> Record:
        """Choose the record, of these, nearest to a record or point."""
        return self.choices.choose(name, self.space.closest(self.space.distances(origin, among)))

    def nearest_to_all(self, name: str, among: Sequence[Record], group: Sequence[Record]) -> Record:
        """Choose the record with the least sum of distances to a group.

        It is the nearest to their centroid, where there is one.
        """
        members, sums = self._summed
        if not (members <= {*group} and sums.keys() >= {*among}):  # else the group has grown
            members, sums = set(), dict.fromkeys(among, 0)
        for member in (record for record in group if record not in members):
            raw = self.space.raw(member, among)
            sums = {r: sums[r] + distance for r, distance in zip(among, raw, strict=True)}
        self._summed = {*group}, sums
        ranked = self.space.ranked(among, [sums[record] for record in among])
        return self.choices.choose(name, least(ranked))

    def nearest_of(self, name: str, number: Number, size: int) -> Group:
        """Choose the records of a group nearest to its centroid.

        There are `size` of them, and they stay together.
        """
        group = self.members[number]
        distances = self.space.distances(self.space.centroid(group), list(group))
        near = self.space.nearest(size, distances)
        stay = min(near.certain, default=None)
        return list(self.choices.choose_nearest(name, near, same_group_as=stay))

    # Changing groups

    def join(self, record: Record, number: Number) -> None:
        """A record that is in no group joins one for good."""
        self.members[number] = self.choices.together(sorted([*self.members[number], record]))
        self._centroids.pop(number, None)

    def merge(self, number: Number, other: Number) -> None:
        """The records of a group join another one for good."""
        both = [*self.members.pop(number), *self.members[other]]
        self.members[other] = self.choices.together(sorted(both))
        self._centroids.pop(other, None)

    def take(self, number: Number) -> Group:
        """Remove a group and return its records.

        These records are in no group then.
        """
        self._centroids.pop(number, None)
        return self.members.pop(number)

    def replace(self, number: Number, records: Sequence[Record]) -> Number:
        """Replace the records of a group, which gets the next number.

        If there are no new records, the group is gone.
        """
        self.take(number)
        if records:
            self.members[self._following] = sorted(records)
            self._following += 1
        return self._following - 1

    def add(self, record: Record, number: Number) -> None:
        """A record that is in no group joins one."""
        self.members[number].append(record)
        self._centroids.pop(number, None)

    def would_save(self, name: str, number: Number, joined: Mapping[Record, Number]) -> bool:
        """Return True if dissolving a group lowers the SSE.

        Its records then join others.
        """
        grown = self._grown(joined)
        after = sum(map(self._sse_of, grown.values()))
        # Only the groups that change are compared.
        before = self._sse_of(self.members[number])
        before += sum(self._sse_of(self.members[other]) for other in grown)
        return self.choices.decide(name, falls(self.space, after, before))

    def dissolve(self, number: Number, joined: Mapping[Record, Number]) -> None:
        """Dissolve a group: each of its records joins the group given."""
        grown = self._grown(joined)
        self.members |= grown
        del self.members[number]
        for changed in (number, *grown):
            self._centroids.pop(changed, None)

    def would_lower(self, name: str, after: Mapping[Number, Sequence[Record]]) -> bool:
        """Return True if the SSE falls with these records in groups.

        The groups have these records instead of their own.
        """
        before = sum(self._sse_of(self.members[number]) for number in after)
        now = sum(map(self._sse_of, after.values()))
        return self.choices.decide(name, falls(self.space, now, before))

    def change(self, after: Mapping[Number, Sequence[Record]]) -> None:
        """Give groups these records instead of their own."""
        for number, group in after.items():
            self.members[number] = list(group)
            self._centroids.pop(number, None)

    def divide(self, number: Number, parts: Groups) -> None:
        """Replace a group by these groups, with new numbers.

        They hold its records.
        """
        self.take(number)
        for part in parts.members.values():
            self.members[self._following] = sorted(part)
            self._following += 1

    def by_first_record(self, grow: bool = False) -> Groups:
        """Number the groups from 0 in the order of their first records.

        Groups that only `grow` never lose a record.
        """
        groups = sorted(map(sorted, self.members.values()))
        if grow:
            groups = [self.choices.together(group) for group in groups]
        return Groups(self.space, self.choices, dict(enumerate(groups)))

    def without(self, name: str, numbers: Sequence[Number]) -> Groups:
        """Return the other groups after records of these join the nearest.

        The other groups are numbered from 0 on. The centroids are those before the first of them is
        added.
        """
        homeless = [record for number in numbers for record in self.take(number)]
        others = Groups(self.space, self.choices, dict(enumerate(self.members.values())))
        centroids = others.centroids(others.numbers())
        for record in homeless:
            others.add(record, others.nearest(name, record, centroids))
        return others

    def divide_by(self, text: Text, number: Number, k: int, name: str) -> None:
        """Replace a group by those an algorithm forms of its records."""
        self.divide(number, Groups.by(text, self._of_members(number), k, name))

    def _of_members(self, number: Number) -> Cursor:
        return Cursor(self.space, self.choices, self.members[number], tentative=True)

    def each(self, items: Iterable[T], units: str) -> Iterator[T]:
        """Iterate over the items and report progress."""
        return self.choices.each(items, units)

    def rounds(self, most: int | None = None) -> Iterator[int]:
        """Count rounds, at most so many if that is given."""
        numbers: Iterable[int] = count() if most is None else range(most)
        return self.choices.each(numbers, "rounds", at_most=most is not None)

    def divided(
        self, numbers: Sequence[Number], text: Callable[..., Groups], *given: object
    ) -> Groups:
        """Return the groups, some of them replaced by subgroups.

        The groups with these numbers are replaced by those that a text forms of their records.
        """
        result: list[Group] = []
        for number, group in self.members.items():
            if self.choices.goes_on(number in numbers, "division"):
                result += text(self._of_members(number), *given).members.values()
            else:
                result.append(group)
        return Groups(self.space, self.choices, dict(enumerate(result)))

    def partition(self) -> Partition:
        """The groups, none of which will change any more."""
        return Partition.of(self.closed(), self.space.n)

    def closed(self) -> list[Group]:
        """Return the groups as a list; some records may be in none."""
        return [self.choices.closed(group) for group in self.members.values()]

    def _grown(self, joined: Mapping[Record, Number]) -> dict[Number, Group]:
        grown: dict[Number, Group] = {}
        for record, other in joined.items():
            grown.setdefault(other, list(self.members[other])).append(record)
        return grown

    def _sizes(self, among: Sequence[Number]) -> Ranking[Number]:
        return Ranking(among, [len(self.members[number]) for number in among], int)

    def _sse_of(self, group: Sequence[Record]) -> Magnitude:
        key = tuple(group)
        if key not in self._sse:
            self._sse[key] = self.space.sse(group)
        return self._sse[key]


def falls(space: Dissimilarities, after: Magnitude, before: Magnitude) -> Comparison:
    """Compare two costs; a difference within rounding of 0 is no decrease."""
    less = space.less(space.shown(after), space.shown(before))
    apart = len(least(space.ranked((0, 1), (after, before))).candidates) == 1
    return less if apart or len(less.answers) > 1 else replace(less, answers=(False,))


def on_groups(text: Callable[Concatenate[Cursor, int, ...], Groups]) -> OnSpace:
    """Make a specification's `run` from a text that ends with groups.

    It leads from a space to a partition.
    """
    return on(partial(Cursor, tentative=True), text)
