"""Explanations of groups that are no run: the wrong choice.

Groups that are no run may be one where some choices are free.

A group that is formed around a seed, the most distant record, fails where its nearest records are
looked for, although the mistake may be the seed. So groups that are no run are examined once more
with one kind of choice free at a time, all else being as the algorithm says: the seeds, their
neighbours, the groups of leftovers. A kind of choice that gives the groups explains them, and the
first choice that differs is named, with its numbers.

Groups may look by chance as if a seed were wrong, mostly where they are few and small. An
explanation therefore has a price in bits: a record that should be another one, out of m, costs log2
m; wrong neighbours cost the binary logarithm of the number of ways to take them. A leftover that
goes where the wrong one before it went costs 1 bit. Which of the choices of a name are wrong costs
bits, too: none if all are, as in a mistake that is always made. The cheapest explanation is
reported, and with it all that cost up to `MARGIN` bits more: of these any may be the true one. Of
equal prices wrong seeds come first, then the names in alphabetical order. If a choice could not be
examined in full, what was found of it is reported. What costs more than to tell the group of each
record explains nothing. No seed is blamed where the groups of all seeds are there, and only
leftovers are in another one; where the first wrong group is a seed with too many of the records
nearest to it, that is reported, too. `python -m tests.benchmarks.witnesses` and `causes` count how
often an explanation is true of planted mistakes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb, inf, log2
from time import process_time

from oracle.replay import guided
from oracle.replay.explore import Algorithm, MemoisedSpace, Undecided
from refagg.language.specification import Specification

FEWEST_RUNS = 25
"""Where fewer runs of n choices can be tried, nothing is explained."""

SHARES_OF_HABITS = 10
"""So many shares of the work are kept for habits, of which each takes one of what is left."""


def choices_for(n: int) -> int:
    """Return the limit on choices of all runs that are tried.

    The cost of one choice grows with n.

    It is a number, not a time, so that causes are the same for all.

    >>> choices_for(9), choices_for(100), choices_for(1000)
    (20000, 20000, 2000)
    """
    return min(20_000, 2_000_000 // n)


MARGIN = 4.0
"""An explanation of so many more bits is sixteen times less probable; it is still reported."""

Names = frozenset[str]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Departures that explain why groups are no run.

    Except for these departures, in these choices, the groups are a run.
    """

    names: Names
    departures: Sequence[guided.Departure]
    made: int
    """How often choices of these names were made, right or wrong."""
    habit: str = ""
    """The way in which all of them are made, if there is one."""
    price: float = 0.0
    """The bits of a habit."""

    @property
    def told(self) -> guided.Divergence:
        """Return the first departure."""
        told = self.departures[0].told(len(self.departures) - 1)
        return replace(told, claim=f"{told.claim}, {self.habit}") if self.habit else told

    @property
    def bits(self) -> float:
        chosen = log2(comb(self.made, len(self.departures)))
        return self.price if self.habit else guided.bits_of(self.departures) + chosen


def seeds_of(specification: Specification) -> list[str]:
    """Return the names of the choices of seeds.

    A seed is a record, chosen by distance, around which a group is formed.

    >>> from refagg.catalogue import specification
    >>> seeds_of(specification("mdav"))
    ['x_r', 'x_s', 'last x_r']
    """
    names = {tied.name for tied in specification.ties}
    records = [
        tied.name
        for tied in specification.ties
        if tied.what == "record" and tied.measure.startswith("distance")
    ]
    return [name for name in records if f"near {name}" in names]


def wrong_choice(
    specification: Specification,
    algorithm: Algorithm,
    claim: guided.ClaimedGroups,
    farthest: guided.Divergence,
    memory: MemoisedSpace | None = None,
    seconds: float = inf,
) -> guided.Divergence | None:
    """Return the wrong choices that explain the groups.

    They explain them if only they are wrong; None if there are none.

    `farthest` is where the replay ended, which then has to say enough. After `seconds` CPU seconds
    no other run is started.
    """
    seeds = seeds_of(specification)
    work = guided.Work(choices_for(len(claim.labels)), ends=process_time() + seconds)
    grown = farthest.grown and farthest.choice in {f"near {seed}" for seed in seeds}
    if work.left < FEWEST_RUNS * len(claim.labels):
        return None
    found = dict[Names, Explanation]()
    most = len(claim.labels) * log2(len(claim.labels)) - MARGIN
    right = {*seeds, *(f"near {seed}" for seed in seeds)} if grown else set[str]()
    sets = [free for free in _sets(specification, seeds) if not free & right]
    plain = [(free, "", 0.0) for free in sets]
    for number, (free, habit, price) in enumerate([*plain, *_habits(specification, sets)]):
        if process_time() > work.ends:
            break
        if habit and not free & work.met:
            continue
        best = min((one.bits for one in found.values()), default=most)
        share = work.left // (SHARES_OF_HABITS if habit else len(plain) - number + SHARES_OF_HABITS)
        with suppress(Undecided):
            for departures, made in guided.departing(
                specification, algorithm, claim, free, work, share, memory, best + MARGIN, habit
            ):
                if not departures:  # these groups are a run
                    return None
                names = frozenset(one.name for one in departures)
                times = sum(made[name] for name in names)
                one = Explanation(names, departures, times, habit, price)
                if names not in found or one.bits < found[names].bits:
                    found[names] = one
    if not found:
        return None
    first, *others = _told(found.values(), frozenset(seeds))
    also = (*(one.told for one in others), *([farthest] if farthest.too_large else []))
    return replace(first.told, also=also)


def _sets(specification: Specification, seeds: Sequence[str]) -> Iterator[Names]:
    """Yield the sets of choices that are free.

    They are each choice, those of one meaning, all neighbours, more seeds.
    """
    ties = specification.ties
    alike = (frozenset(t.name for t in ties if t.meaning == one.meaning) for one in ties)
    neighbours = frozenset(f"near {seed}" for seed in seeds)
    several = (frozenset(pair) for pair in combinations(seeds, 2))
    singly = (frozenset((tied.name,)) for tied in (*guided.fixed_in(specification), *ties))
    return iter(dict.fromkeys((*singly, *alike, neighbours, *several, frozenset(seeds))))


def _habits(
    specification: Specification, sets: Sequence[Names]
) -> Iterator[tuple[Names, str, float]]:
    """Yield the sets of choices with the habits that may rule them.

    The choices of a set are of one kind; a habit is a way in which all of them may be wrong.

    The price is that of one of the ways, and of a habit at all. Whoever takes the wrong end of all
    that is ranked mostly sees it, so that this has the highest price. One record more, or less, may
    also be taken around the seeds of one name only.
    """
    named = {
        tied.name: guided.HABITS.get(tied.what, guided.HABITS["record"])
        for tied in specification.ties
    }
    named |= {fixed.name: guided.HABITS[fixed.what] for fixed in guided.fixed_in(specification)}
    for free in sets:
        ways = {named[name] for name in free if name in named}
        if len(ways) == 1:
            [kind] = ways
            price = MARGIN if kind is guided.HABITS["record"] else 1 + log2(len(kind) or 1)
            yield from ((free, habit, price) for habit in kind)
    around = (frozenset((name,)) for name in named if name.startswith("near "))
    yield from ((free, habit, MARGIN - 1) for free in around for habit in guided.COUNTED)


def _told(explanations: Collection[Explanation], seeds: Names) -> list[Explanation]:
    """Return the cheapest explanation, and the others that are nearly as probable.

    Of equal prices, which are sums of logarithms, wrong seeds come first.
    """

    def order(one: Explanation) -> tuple[float, int, bool, list[str]]:
        within = max(name.count(": ") for name in one.names)
        return round(one.bits, 6), within, not one.names <= seeds, sorted(one.names)

    ordered = sorted(explanations, key=order)
    return [one for one in ordered if one.bits <= ordered[0].bits + MARGIN]
