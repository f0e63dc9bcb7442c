"""R: the records not assigned yet, and the groups so far.

The cursor also holds the choices.

An algorithm that takes group after group from the file is written with these verbs. Each verb
that chooses is given the name of the choice in the algorithm's specification: where the paper
leaves it open, the run decides. What a judge must be told on the way (which records end in one
group, when the rest depends on nothing but R) is told here, so that no algorithm has to.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Concatenate, TypeVar

from refagg.engine.foresight import ANY, CLOSE, FAR, NEAR, Foresight, foresight_of
from refagg.engine.metrics import ClosestCentroids
from refagg.engine.neighbourhoods import Best, DistancesFrom, Neighbourhood, Neighbourhoods
from refagg.engine.quadratic import pool_of
from refagg.language.choices import Choices, OnSpace, on
from refagg.language.number_texts import number_text
from refagg.language.partition import Partition, Record
from refagg.language.space import Centroids
from refagg.language.ties import (
    Comparison,
    Later,
    Magnitude,
    Number,
    Ranking,
    TiedCandidates,
    as_it_is,
    greatest,
    least,
    nearest,
)

if TYPE_CHECKING:
    from refagg.engine.neighbourhoods import FarthestPairs

Group = list[Record]
T = TypeVar("T")

Others = tuple[Sequence[Record], Hashable]
"""Records that are grouped later, and what their groups depend on beside them."""

NO_OTHERS: Others = ((), ())


class Cursor:
    """The records that remain, and the groups formed of the others."""

    def __init__(
        self,
        space: Centroids[Any],
        choices: Choices,
        records: Sequence[Record] | None = None,
        tentative: bool = False,
        stay: bool | None = None,
        others: Others = NO_OTHERS,
    ) -> None:
        """Initialise the cursor with the remaining records.

        `tentative`: groups may still change, so the judge is told nothing about them. `stay`:
        members stay with the seed near which they are. Of the `records` not given here some
        `others` may be grouped later.
        """
        self.space = space
        self.groups: list[Group] = []
        self.choices = choices
        self._tentative = tentative
        self._stay = not tentative if stay is None else stay
        self._others = others
        self._pool = pool_of(space, space.records() if records is None else records)
        self._pairs: FarthestPairs | None = None
        self._near: Neighbourhoods[Any] | None = None
        self._away: dict[Record, Callable[[], Number]] = {}
        """The squared distances with which records were found since a group was formed."""
        self._followed, self._watched = choices.followed, choices.watched
        self._foresight = foresight_of(self._pool, choices)

    # What there is

    @cached_property
    def _closest(self) -> ClosestCentroids:
        return ClosestCentroids(self.space)

    @property
    def records(self) -> list[Record]:
        """The records that remain."""
        return self._pool.records

    def __len__(self) -> int:
        return len(self._pool)

    def at_least(self, count: int, kept: Hashable = ()) -> bool:
        """Begin an iteration and return True if enough records remain.

        At least `count` records have to remain. `kept` are points used in all iterations.
        """
        if not self.has("loop", count):
            return False
        self.iteration(kept)
        return True

    def has(self, name: str, count: int) -> bool:
        """Return True if that many records remain: a condition of FIXED."""
        return self.choices.enough(name, len(self), count) if len(self) else count <= 0

    def iteration(self, kept: Hashable = ()) -> None:
        """Mark a checkpoint of the run, with the remaining records.

        The rest of the run depends only on the groups, the remaining records and `kept`.
        """
        if self._foresight:
            self._foresight.iteration()
        others, for_others = self._others
        remaining: Collection[Record] = range(len(self) + len(others))  # only their number counts
        if self._watched:
            remaining = [*self.records, *others] if others else self._pool
        self.choices.iteration(remaining, (for_others, kept))

    def average(self) -> Any:
        """The centroid of the records that remain."""
        return self._pool.centroid()

    # Choosing records

    def farthest(self, name: str, origin: Any, without: Collection[Record] = ()) -> Record:
        """Choose the remaining record most distant from a record or point."""
        ahead = self._foresight
        found = ahead.farthest(origin, without) if ahead else None
        if found is not None:
            return self._alone(name, found, (origin,), without)
        chosen = self.choices.choose(name, self._pool.farthest(origin, without))
        if ahead:
            ahead.learn(FAR, origin, without, chosen)
        return chosen

    def _alone(
        self, name: str, found: Record, origins: tuple[Any, ...], without: Collection[Record] = ()
    ) -> Record:
        """Choose a record that was foreseen; a judge is asked, too."""
        if not self._followed or not self._foresight:
            return found
        return self.choices.choose(name, self._foresight.pool.alone(found, origins, without))

    def _foresight_of(self, name: str) -> Foresight | None:
        """Return the foresight of a choice, unless a judge may take anything."""
        return None if name in self.choices.free else self._foresight

    def closest(self, name: str, origin: object, without: Collection[Record] = ()) -> Record:
        """The remaining record that is nearest to a record or a point."""
        ahead = self._foresight
        found = ahead.foreseen(CLOSE, origin, without) if ahead else None
        if found is not None:
            found = self._alone(name, found, (origin,), without)
        else:
            found = self.choices.choose(name, self._pool.closest(origin, without))
            if ahead:
                ahead.learn(CLOSE, origin, without, found)
        self._away[found] = partial(self.space.squared, found, origin)
        return found

    def drawn(self, what: str) -> Record:
        """Draw a remaining record from the random stream, each being equally likely."""
        return self.choices.sample(what, self.records, 1)[0]

    def greatest(self, name: str, measured: Ranking[Record]) -> Record:
        """Choose the remaining record with the greatest value.

        All records have values, not only the remaining ones.
        """
        values = [measured.values[record] for record in self.records]
        among = replace(measured, items=self.records, values=values)
        return self.choices.choose(name, greatest(among))

    def closest_to_any(self, name: str, records: Sequence[Record]) -> Record:
        """Choose the remaining record nearest to any of these."""
        ahead = self._foresight
        found = ahead.foreseen(ANY, records) if ahead else None
        if found is None:
            found = self._with_distance(name, self._pool.closest_to_any(records), noted=True)
            if ahead:
                ahead.learn(ANY, records, chosen=found)
        else:
            found = self._alone(name, found, tuple(records))
            to = partial(self.space.squared, found)
            self._away[found] = lambda: min(map(to, records))
        return found

    def closest_to_mean(self, name: str, records: Sequence[Record]) -> Record:
        """Choose the remaining record nearest to the centroid of these."""
        return self._with_distance(name, self._pool.closest(self.space.centroid(records)))

    def farthest_of_closest(self, name: str, records: Sequence[Record]) -> Record:
        """Choose the farthest of the remaining records nearest to each of these."""
        to_nearest: dict[Record, Magnitude] = {}
        for record in records:
            near = least(self.space.ranked(self.records, self.space.raw(record, self.records)))
            for other in near.candidates:
                to_nearest[other] = max(near.best, to_nearest.get(other, near.best))
        others = sorted(to_nearest)
        ranked = self.space.ranked(others, [to_nearest[other] for other in others])
        return self._with_distance(name, greatest(ranked))

    def _with_distance(self, name: str, tie: TiedCandidates[Record], noted: bool = False) -> Record:
        if self._foresight and not noted:  # no step has this distance
            self._foresight.forget()
        chosen = self.choices.choose(name, tie)
        self._away[chosen] = partial(tie.value_of, chosen)
        return chosen

    def found_nearer(
        self, name: str, record: Record, m: int, factor: Number = 1, other: Number = 1
    ) -> bool:
        """Return True if a record was found nearer than its m-th nearest.

        The squared distance with which it was found is multiplied by `factor`, that of the nearest
        one by `other`. Rounding may leave the answer open.
        """
        ahead, factors = self._foresight_of(name), (factor, other)
        outcome = ahead.nearer(m, record, factors) if ahead else None
        if outcome is None:
            near = self._pool.nearest(m, record, {record})
            compared = self.space.less(factor * self._away[record](), other * near.value)
            outcome = self.choices.decide(name, compared)
            if ahead:
                ahead.learn_nearer(m, record, factors, outcome)
        elif self._followed:  # distances are asked for only where two answers are right
            outcome = self.choices.decide(name, Comparison(0, 0, (outcome,)))
        return outcome

    def nearest(self, name: str, seed: Record, m: int) -> tuple[Record, ...]:
        """Choose the m remaining records nearest to one of them.

        They may be separated again.
        """
        near = self._pool.nearest(m, seed, {seed})
        return self.choices.choose_nearest(name, near, same_group_as=None)

    def nearest_for(
        self, name: str, seed: Record, m: int, among: Sequence[Record]
    ) -> tuple[Record, ...]:
        """Choose, of these records, the m nearest to a seed.

        They join its group.
        """
        near = self.space.nearest(m, self.space.distances(seed, among), {seed})
        return self.choices.choose_nearest(name, near, same_group_as=seed)

    def least(self, name: str, records: Sequence[Record], values: Sequence[Magnitude]) -> Record:
        """Choose the record with the least value.

        There is one value for each of these records.
        """
        return self.choices.choose(name, least(Ranking(tuple(records), values, as_it_is)))

    def least_of(
        self, name: str, records: Sequence[Record], values: Sequence[Magnitude], m: int
    ) -> list[Record]:
        """The m records of the least values; they may be separated again."""
        near = nearest(Ranking(records, values, as_it_is), m)
        return list(self.choices.choose_nearest(name, near, same_group_as=None))

    def most_distant_pair(self, name: str) -> tuple[Record, Record]:
        """Choose the two remaining records most distant from each other.

        The pair may be in either order.
        """
        ahead = self._foresight_of(name)
        if ahead and (found := ahead.pair()):
            both, apart = (found, found[::-1]), partial(self.space.raw, found[0], found[1:])
            ranked = self.space.ranked(both, Later(lambda: [*apart()] * 2))
            return self.choices.choose(name, TiedCandidates(both, None, ranked))
        if self._pairs is None:
            from refagg.engine.neighbourhoods import FarthestPairs  # which few texts ask

            self._pairs = FarthestPairs(self._pool)
        chosen = self.choices.choose(name, self._pairs.of(name in self.choices.free))
        if ahead:
            ahead.learn_pair(chosen)
        return chosen

    # Forming groups

    def group(
        self,
        name: str,
        seed: Record,
        size: int,
        without: Collection[Record] = (),
        grows: bool = False,
    ) -> Group:
        """Form a group of the seed and its size-1 nearest records.

        These records leave R. A group that `grows` may take in more records until it is closed.
        """
        ahead = self._foresight
        found = ahead.nearest(size - 1, seed, without) if ahead else None
        chosen: Sequence[Record]
        if found is not None and not self._followed:
            chosen = found
        else:
            if found is None or ahead is None:
                near = self._pool.nearest(size - 1, seed, {seed, *without})
            else:
                near = ahead.pool.alone_nearest(found, seed, {seed, *without})
            chosen = self.choices.choose_nearest(name, near, same_group_as=self._staying(seed))
        if ahead is None:
            return self._form([seed, *chosen], grows)
        if found is None:
            ahead.learn(NEAR, seed, without, m=size - 1)
        group = [seed, *chosen]
        ahead.leave(group, chosen is found or (found is not None and set(chosen) == set(found)))
        return self._formed(group, grows)

    def form(self, records: Sequence[Record]) -> Group:
        """A group of these records, which leave R; it grows."""
        first, *others = records
        group = self.begin(first)
        for record in others:
            self.add(record, group)
        return group

    def begin(self, seed: Record) -> Group:
        """A group of one record, which leaves R; it grows."""
        return self._form([seed], grows=True)

    def neighbourhoods(
        self, size: int, measure: Callable[[Sequence[Record]], T]
    ) -> list[Neighbourhood[T]]:
        """Return each remaining record's groups with its size-1 nearest, measured.

        Those of a record are several where the last places are tied. Of records with the same
        groups only one is asked. The measure of a group must not change.
        """
        if self._near is None:
            self._near = Neighbourhoods(self.space, self._pool, size, measure)
        return self._near.now()

    def away(self, point: Any, near: Sequence[Neighbourhood[Any]]) -> Sequence[Sequence[Magnitude]]:
        """The squared distances of the centroids of neighbourhoods from a point."""
        return DistancesFrom(self.space, point, near)

    def best_group(
        self,
        name: str,
        near_name: str,
        neighbourhoods: Sequence[Neighbourhood[object]],
        values: Sequence[Sequence[Magnitude]],
        greatest: bool = False,
        grows: bool = False,
    ) -> Group:
        """Form the group with the least or greatest value of these.

        Its records leave R. Where ties leave a record several groups of different values, that is a
        choice too.
        """
        best = Best(self.space, neighbourhoods, values, greatest)
        record = self.choices.choose(name, best.records())
        near = best.nearest(record)
        if near is None:
            tie = best.groups(record)
            return self._form([*self.choices.choose(f"{near_name}, the best", tie)], grows)
        others = self.choices.choose_nearest(near_name, near, same_group_as=self._staying(record))
        return self._form([record, *others], grows)

    def _staying(self, seed: Record) -> Record | None:
        return seed if self._stay else None

    def _form(self, group: Group, grows: bool) -> Group:
        self._pool.remove(group)
        return self._formed(group, grows)

    def _formed(self, group: Group, grows: bool) -> Group:
        self._away = {}
        if self._watched and not self._tentative:
            group = self.choices.together(group) if grows else self.choices.closed(group)
        self.groups.append(group)
        return group

    def end(self, which: str) -> Record:
        """Return the first remaining record at an end of the attribute.

        It has the "smallest" or "largest" value of the only attribute.
        """
        space: Any = self.space
        values, sign = space.attribute(0), 1 if which == "smallest" else -1
        return min(self.records, key=lambda record: (sign * values[record], record))

    def corner(self, values: Sequence[Fraction]) -> Any:
        """Return the point where attributes have these values; it is told."""
        space: Any = self.space
        self.choices.note(f"the reference point is ({', '.join(map(number_text, values))})", ())
        return space.point_at(values)

    def outermost(self, name: str, end: object, size: int) -> Group:
        """Form a tentative group of the records nearest to an end.

        No remaining record is farther out than the record at this end. Again and again they are the
        records at this end: they are never separated.
        """
        near = self._pool.nearest(size, end)
        group = list(
            self.choices.choose_nearest(name, near, same_group_as=min(near.certain, default=None))
        )
        self._pool.remove(group)
        self.groups.append(group)
        return group

    def rest(self) -> Group:
        """All that remains is a group."""
        group = list(self.records)
        self._pool.remove(group)
        self.groups.append(self.choices.closed(group))
        return group

    def add(self, record: Record, group: Group) -> None:
        """A record of R joins a group that grows."""
        group.append(record)
        if ahead := self._foresight:
            ahead.join(record)
        else:
            self._pool.remove([record])
        self.choices.together(group)

    def close(self, group: Group) -> None:
        """A group that grows has all its records."""
        self.choices.closed(group)

    def close_all(self) -> None:
        """All groups have all their records."""
        for group in self.groups:
            self.close(group)

    # Choosing groups

    def share_out(self, name: str) -> None:
        """Each record that remains joins the group whose centroid is nearest.

        The centroids are those before the first of them is added; all groups are closed then.
        """
        if not len(self):
            return
        centroids = self.centroids()
        for record in list(self.records):
            self.add(record, self.nearest_group(name, record, centroids))
        self.close_all()

    def centroids(self) -> dict[int, Any]:
        """The centroids of the groups, numbered in the order of formation."""
        return dict(enumerate(map(self.space.centroid, self.groups)))

    def members(self) -> dict[Record, Group]:
        """Each record that is in a group, with the group."""
        return {record: group for group in self.groups for record in group}

    def nearest_group(self, name: str, point: object, centroids: dict[int, Any]) -> Group:
        """The group whose centroid is nearest to a point."""
        tie = self._closest.of(point, centroids)
        return self.groups[self.choices.choose(name, tie, self._group, point)]

    def _group(self, number: int) -> list[Group]:
        return [self.groups[number]]

    def group_of_least_increase(self, name: str, record: Record) -> Group:
        """The group whose SSE grows least where a record joins it."""
        tie = self._closest.of(record, self.centroids(), dict(enumerate(map(len, self.groups))))
        return self.groups[self.choices.choose(name, tie, self._group, record)]

    def group_of_nearest(self, name: str, record: Record, members: dict[Record, Group]) -> Group:
        """Choose the group whose member is nearest to a record.

        The candidates are these members of groups.
        """
        distances = self.space.distances(record, list(members))
        return members[self.choices.choose(name, self.space.closest(distances), of=record)]

    def partition(self) -> Partition:
        """The groups, when all records are assigned."""
        return Partition.of(self.groups, self.space.n)


def difference(records: Sequence[Record], taken: Collection[Record]) -> list[Record]:
    """The records that are not taken, in their order."""
    gone = set(taken)
    return [record for record in records if record not in gone]


def any_of(space: Centroids[object], candidates: Sequence[Record]) -> TiedCandidates[Record]:
    """The tie of all candidates, which nothing ranks."""
    return least(space.measured(tuple(candidates), [0] * len(candidates)))


def groups_by(
    algorithm: Callable[..., None],
    space: Centroids[object],
    k: int,
    choices: Choices,
    records: Sequence[Record],
    others: Others = NO_OTHERS,
) -> list[Group]:
    """The groups that a text on a cursor forms of some records."""
    cursor = Cursor(space, choices, records, others=others)
    algorithm(cursor, k)
    return cursor.groups


Text = Callable[Concatenate[Cursor, int, ...], None]
"""An algorithm on a cursor: (R, k, **parameters)."""


def on_cursor(algorithm: Text) -> OnSpace:
    """Make a specification's `run` from a text on a cursor.

    It leads from a space to a partition.
    """
    return on(Cursor, algorithm)
