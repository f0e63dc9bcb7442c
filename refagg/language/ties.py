"""Ties, and the one tie-breaker through which every open choice passes.

A source says "the farthest record" where several may be equally far. Spaces
return all of them, and a `TieBreaker` picks: the tie rules below take the lowest
or the highest candidate, or draw one; a judge puts its own tie-breaker in, which
follows a release that it examines or walks through every possible choice.
Nothing else in the project chooses among equals.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from heapq import nsmallest
from operator import itemgetter
from typing import Any, Generic, Protocol, TypeVar

from refagg.language.event import Number as Number
from refagg.language.partition import Record
from refagg.language.random_stream import RandomStream, seeded

T = TypeVar("T")
Magnitude = Any
"""A number on the scale that is cheapest to compare; `Ranking.shown` translates it."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """The difference up to which two numbers count as equal.

    (0, 0) is exact equality. Two values a <= b are tied when b - a <= relative * b + absolute, on
    the raw scale.
    """

    relative: Number = 0
    absolute: Number = 0

    def least_tied(self, value: Magnitude) -> Magnitude:
        """The least number that is tied with `value` from below."""
        if not self.relative:
            return value - self.absolute if self.absolute else value
        return _times(value, 1 - self.relative) - self.absolute

    def greatest_tied(self, value: Magnitude) -> Magnitude:
        """The greatest number that is tied with `value` from above."""
        if not self.relative:
            return value + self.absolute if self.absolute else value
        return _times(value + self.absolute, 1 / (1 - self.relative))


EXACT = Tolerance()


def _times(value: Magnitude, factor: Number) -> Magnitude:
    """value * factor, rounded outwards to an integer for a whole value."""
    if not isinstance(value, int):
        return value * factor
    exact = Fraction(factor) * value
    return -(-exact.numerator // exact.denominator) if factor < 1 else exact.__floor__()


@dataclass(eq=False)
class Later(Sequence[T]):
    """A lazily evaluated list, whose lowest item may be known before."""

    make: Callable[[], list[T]]
    lowest: T | None = None
    several: bool = True

    @cached_property
    def _list(self) -> list[T]:
        return self.make()

    def __getitem__(self, place: Any) -> Any:
        return self._list[place]

    def __iter__(self) -> Iterator[T]:
        return iter(self._list)

    def __len__(self) -> int:
        return len(self._list)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(other) == self._list

    def __hash__(self) -> int:
        return hash(tuple(self._list))


@dataclass(frozen=True, slots=True)
class Ranking(Generic[T]):
    """Items with one comparable value each: a distance, a merging cost, ...

    `shown` turns a raw value into the number that a reader expects: for
    distances, the squared distance.
    """

    items: Sequence[T]
    values: Sequence[Magnitude]
    shown: Callable[[Magnitude], Number]
    tolerance: Tolerance = EXACT

    def of(self, item: T) -> Number:
        """The shown value of one item."""
        return self.shown(self.values[self.items.index(item)])

    def left(self, without: Collection[T]) -> Sequence[Magnitude]:
        """The values, those of `without` left out."""
        if not without:
            return self.values
        return [v for v, i in zip(self.values, self.items, strict=True) if i not in without]

    def pairs(self, without: Collection[T] = ()) -> list[tuple[Magnitude, T]]:
        """Values and items, `without` left out."""
        pairs = zip(self.values, self.items, strict=True)
        return [(v, i) for v, i in pairs if i not in without] if without else list(pairs)

    def in_turn(self, place: Callable[[T], int]) -> Iterator[T]:
        """Yield the items in order, tied ones by their place now."""
        pairs = sorted(self.pairs(), key=itemgetter(0))
        while pairs:
            limit, tied = self.tolerance.greatest_tied(pairs[0][0]), 1
            while tied < len(pairs) and pairs[tied][0] <= limit:
                tied += 1
            yield pairs.pop(min(range(tied), key=lambda at: place(pairs[at][1])))[1]


@dataclass(eq=False)
class LaterRanking:
    """A `Ranking` that is made when it is asked for something."""

    make: Callable[[], Ranking[Any]]

    @cached_property
    def _made(self) -> Ranking[Any]:
        return self.make()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._made, name)


@dataclass(frozen=True, slots=True)
class TiedCandidates(Generic[T]):
    """All candidates for "the farthest", "the nearest" or "the best".

    One of them is to be taken.
    """

    candidates: Sequence[T]
    known: Magnitude | None
    measured: Ranking[T]
    without: Collection[T] = ()

    @property
    def best(self) -> Magnitude:
        """The raw extreme value, computed if unknown."""
        return self.raw_of_all()[self.candidates[0]] if self.known is None else self.known

    @property
    def value(self) -> Number:
        """The extreme value that the candidates share."""
        return self.measured.shown(self.best)

    @property
    def several(self) -> bool:
        """Return True if there is more than one candidate."""
        known = self.candidates
        return known.several if isinstance(known, Later) else len(known) > 1

    def value_of(self, candidate: T) -> Number:
        """The value of one candidate: `value`, but for the tolerance."""
        alike = len(self.candidates) == 1 or self.measured.tolerance == EXACT
        alike = alike and candidate in self.candidates  # a judge may take another one
        return self.value if alike else self.measured.of(candidate)

    def raw(self) -> dict[T, Magnitude]:
        """The raw values of the candidates."""
        if self.measured.tolerance == EXACT:
            return dict.fromkeys(self.candidates, self.best)
        tied = set(self.candidates)
        return {item: value for item, value in self.raw_of_all().items() if item in tied}

    def raw_of_all(self) -> dict[T, Magnitude]:
        """The raw values of all that was measured."""
        return {item: value for value, item in self.measured.pairs(self.without)}

    def next_value(self) -> Number | None:
        """Return the value of the best item that is not a candidate.

        None if there is no other item.
        """
        tied = set(self.candidates)
        rest = [v for v, item in self.measured.pairs(self.without) if item not in tied]
        if not rest:
            return None
        return self.measured.shown(min(rest, key=lambda v: abs(v - self.best)))


@dataclass(frozen=True, slots=True)
class Nearest(Generic[T]):
    """The m nearest items, with ties at the last place.

    All of `certain` belong to them, and as many of `tied` as there are `places` left.
    """

    certain: tuple[T, ...]
    tied: tuple[T, ...]
    places: int
    known: Magnitude | None
    measured: Ranking[T]
    without: Collection[T] = ()

    @property
    def boundary(self) -> Magnitude:
        """The raw value of the m-th nearest item, computed if unknown."""
        if self.known is not None:
            return self.known
        return max(value for value, item in self.measured.pairs() if item in self.tied)

    @property
    def value(self) -> Number:
        """The value of the m-th nearest item."""
        return self.measured.shown(self.boundary)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A threshold test `left < right` with its admissible answers.

    Every answer that can be defended is one of them. The first answer is the reference's own. Exact
    arithmetic has only one.
    """

    left: Number
    right: Number
    answers: tuple[bool, ...]


def comparison(left: Number, right: Number, tolerance: Tolerance) -> Comparison:
    """Compare left < right within a tolerance.

    Both answers are given if the tolerance takes the two numbers to be equal.
    """
    near = tolerance.least_tied(max(left, right)) <= min(left, right)
    exact = left < right
    both = near and bool(tolerance.relative)
    return Comparison(left, right, (exact, not exact) if both else (exact,))


def as_it_is(value: Magnitude) -> Magnitude:
    """The `shown` of numbers that are on the scale of the reader."""
    return value


def to_the_nearest(each: Sequence[Ranking[T]]) -> Ranking[T]:
    """Rank items by the least of their values from several origins."""
    values = [min(column) for column in zip(*(m.values for m in each), strict=True)]
    return replace(each[0], values=values)


def greatest(measured: Ranking[T], without: Collection[T] = ()) -> TiedCandidates[T]:
    """The items of the greatest value, `without` left out."""
    best = max(measured.left(without))
    bound = measured.tolerance.least_tied(best)
    pairs = zip(measured.values, measured.items, strict=True)
    found = tuple([i for v, i in pairs if v >= bound and i not in without])
    return TiedCandidates(found, best, measured, without)


def least(measured: Ranking[T], without: Collection[T] = ()) -> TiedCandidates[T]:
    """The items of the least value, `without` left out."""
    best = min(measured.left(without))
    bound = measured.tolerance.greatest_tied(best)
    pairs = zip(measured.values, measured.items, strict=True)
    found = tuple([i for v, i in pairs if v <= bound and i not in without])
    return TiedCandidates(found, best, measured, without)


def nearest(measured: Ranking[T], m: int, without: Collection[T] = ()) -> Nearest[T]:
    """Find the m items of least value, except those in `without`.

    Ties at the m-th place stay open.
    """
    if m == 0:
        return Nearest((), (), 0, 0, measured, without)
    boundary = nsmallest(m, measured.left(without))[-1]
    low = measured.tolerance.least_tied(boundary)
    high = measured.tolerance.greatest_tied(boundary)
    pairs = zip(measured.values, measured.items, strict=True)
    near = [(v, i) for v, i in pairs if v <= high and i not in without]
    certain = tuple([i for v, i in near if v < low])
    tied = tuple([i for v, i in near if v >= low])
    return Nearest(certain, tied, m - len(certain), boundary, measured, without)


class TieBreaker(Protocol):
    """The maker of a run's choices, which is told of its progress.

    `choose`, `choose_nearest` and `decide` choose. The others are promises that the
    algorithm makes, so that a judge can stop early: `iteration` says that the
    rest of the run depends on nothing but the groups formed so far, the
    records that remain and what is kept beside them; `reached` that it depends
    on nothing but this state; `together` that these records end in one group;
    `closed` that they are a whole group of the result. A rule heeds none of them.
    """

    def choose(self, name: str, tie: TiedCandidates[T]) -> T:
        """One of `tie.candidates`."""

    def choose_nearest(
        self, name: str, near: Nearest[Record], same_group_as: Record | None
    ) -> tuple[Record, ...]:
        """Choose `near.places` of the records in `near.tied`.

        They will share the group of `same_group_as`, if that is given.
        """

    def decide(self, name: str, comparison: Comparison) -> bool:
        """One of `comparison.answers`."""

    def iteration(self, remaining: Collection[Record], kept: Hashable) -> None:
        return

    def reached(self, state: Hashable) -> None:
        return

    def together(self, records: Sequence[Record]) -> None:
        return

    def closed(self, records: Sequence[Record]) -> None:
        return


@dataclass(frozen=True, slots=True)
class TieRule(TieBreaker):
    """A tie-breaker with a fixed rule.

    `pick(m, candidates)` gives m of the candidates.
    """

    name: str
    pick: Callable[[int, Sequence[Any]], Sequence[Any]]

    def choose(self, name: str, tie: TiedCandidates[T]) -> T:
        chosen: T = self.pick(1, tie.candidates)[0]
        return chosen

    def choose_nearest(
        self, name: str, near: Nearest[Record], same_group_as: Record | None
    ) -> tuple[Record, ...]:
        return tuple(self.pick(near.places, near.tied))

    def decide(self, name: str, comparison: Comparison) -> bool:
        return comparison.answers[0]


def _lowest(m: int, candidates: Sequence[Any]) -> Sequence[Any]:
    if m == 1 and isinstance(candidates, Later) and candidates.lowest is not None:
        return [candidates.lowest]
    return sorted(candidates)[:m]


LOWEST = TieRule("lowest", _lowest)
HIGHEST = TieRule("highest", lambda m, candidates: sorted(candidates, reverse=True)[:m])


def random_ties(stream: RandomStream) -> TieRule:
    """The tie rule that draws each choice from the random stream."""

    def pick(m: int, candidates: Sequence[object]) -> Sequence[Any]:
        return stream.sample(sorted(candidates), m) if m < len(candidates) else candidates

    return TieRule("random", pick)


TIE_RULES = ("lowest", "highest", "random")


def tie_rule(name: str, seed: int | None = None) -> TieRule:
    """Return the tie rule of this name.

    The random rule draws from the random stream of the seed.
    """
    if name == "random":
        return random_ties(seeded(seed or 0))
    return {"lowest": LOWEST, "highest": HIGHEST}[name]
