"""Exploration of all runs of an algorithm, in a memoising space.

The runs come one after the other; the space remembers what they share.

An algorithm is an ordinary function that asks its tie-breaker for every choice. To walk
through all choices, it is run again and again: each time the tie-breaker repeats a script of
earlier choices and then takes the first option at every new one; the next script
changes the last choice that has an option left.

The runs repeat each other up to the choice that is changed, and so do the questions that they ask
of the space. `MemoisedSpace` keeps the answers in order and gives them again after a rewind.
Distances are many numbers, so they are not kept: what was chosen among them is, and they are
computed again for callers that look at them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from hashlib import blake2b
from itertools import combinations, islice
from math import comb, inf
from typing import Any, TypeVar

from refagg.language.choices import Choices
from refagg.language.partition import Group, Partition, Record
from refagg.language.space import Numeric
from refagg.language.ties import Comparison, LaterRanking, Nearest, Number, TiedCandidates

T = TypeVar("T")
A = TypeVar("A", TiedCandidates[Record], Nearest[Record])


NOT_KEPT = {"n", "records", "measured", "less", "raw", "shown", "ranked", "sse"}
NOT_KEPT |= {"width", "attribute", "factor", "without"}
"""What a space answers again each time, as that takes no longer than to remember it."""


class MemoisedSpace:
    """Space that remembers its answers.

    It implements `Numeric` for the space that it is given.
    """

    def __init__(self, space: Numeric[Any]) -> None:
        self._space = space
        self._answers: list[Any] = []
        self.asked = 0
        """The number of questions that this run has asked."""

    def __getattr__(self, name: str) -> Any:
        """Return what the space itself has, of NOT_KEPT."""
        if name in NOT_KEPT:
            return getattr(self._space, name)
        raise AttributeError(name)

    def rewind(self, asked: int) -> None:
        """Start a new run that begins like the last one.

        It will ask the first `asked` questions of the last one again.
        """
        del self._answers[asked:]
        self.asked = 0

    def centroid(self, records: Sequence[Record]) -> Any:
        return self._answer(lambda: self._space.centroid(records))

    def point_at(self, values: Sequence[Fraction]) -> Any:
        return self._answer(lambda: self._space.point_at(values))

    def distances(self, origin: object, records: Sequence[Record]) -> Any:
        there = list(records)  # a text may change its list before these are computed
        return LaterRanking(lambda: self._space.distances(origin, there))

    def distances_to_any(self, origins: Sequence[Record], records: Sequence[Record]) -> Any:
        now, there = tuple(origins), list(records)  # a group that grows, records that leave
        return LaterRanking(lambda: self._space.distances_to_any(now, there))

    def farthest(self, distances: Any, without: Collection[Record] = ()) -> TiedCandidates[Record]:
        return self._lean(distances, lambda: self._space.farthest(distances, without))

    def nearest(self, m: int, distances: Any, without: Collection[Record] = ()) -> Nearest[Record]:
        return self._lean(distances, lambda: self._space.nearest(m, distances, without))

    def closest(self, distances: Any, without: Collection[Record] = ()) -> TiedCandidates[Record]:
        return self._lean(distances, lambda: self._space.closest(distances, without))

    def squared(self, a: object, b: object) -> Number:
        return self._answer(lambda: self._space.squared(a, b))

    def between(self, a: Record, b: Record) -> Number:
        return self._answer(lambda: self._space.between(a, b))

    def _answer(self, compute: Callable[[], T]) -> T:
        if self.asked == len(self._answers):
            self._answers.append(compute())
        self.asked += 1
        answer: T = self._answers[self.asked - 1]
        return answer

    def _lean(self, distances: Any, choose: Callable[[], A]) -> A:
        """Return an answer without the distances that it was derived from."""
        new = self.asked == len(self._answers)
        answer = self._answer(choose)
        if new:
            again: Any = LaterRanking(distances.make)
            self._answers[-1] = replace(answer, measured=again)
        return answer


Result = TypeVar("Result")

LONG = 100
"""A tuple of more items than this is not kept, only a number that stands for it."""

SHORT = 25
"""A run marks so many states; beyond them, those after choices of several options."""


class Pruned(Exception):
    """A run was given up.

    Nothing new or nothing right can come of it.
    """


class Undecided(Exception):
    """The limit on runs or time was reached."""


class Script:
    """Tie-breaker that repeats a script of choices.

    Then it takes the first option.

    `taken` and `options` describe the choices of the run so far: which option was
    taken, of how many; `asked` how much the space had been asked before each. `formed`
    are the groups that the run has promised.
    """

    def __init__(
        self,
        script: Sequence[int],
        finished: Collection[Hashable],
        memory: MemoisedSpace | None = None,
    ) -> None:
        self.taken: list[int] = []
        self.options: list[int] = []
        self.asked: list[int] = []
        self.formed: dict[Record, Group] = {}
        self._digest = 0
        self.states: list[tuple[int, Hashable]] = []
        self._met: dict[Hashable, int] = {}
        self._script = script
        self._finished = finished
        self._memory = memory
        self.marks = True
        """Is the next state marked?"""

    def branch(self, options: int) -> int:
        """Return the number of the option to take."""
        position = len(self.taken)
        chosen = self._script[position] if position < len(self._script) else 0
        self.taken.append(chosen)
        self.options.append(options)
        self.marks |= options > 1
        self.asked.append(self._memory.asked if self._memory else 0)
        return chosen

    def choose(self, name: str, tie: TiedCandidates[T]) -> T:
        return tie.candidates[self.branch(len(tie.candidates))]

    def choose_nearest(
        self, name: str, near: Nearest[Record], same_group_as: Record | None
    ) -> tuple[Record, ...]:
        return self.combination(near.tied, near.places)

    def decide(self, name: str, comparison: Comparison) -> bool:
        return comparison.answers[self.branch(len(comparison.answers))]

    def combination(self, items: Sequence[T], m: int) -> tuple[T, ...]:
        """Return one of the ways to take m of the items."""
        number = self.branch(comb(len(items), m))
        [found] = islice(combinations(items, m), number, number + 1)  # ValueError: there is none
        return found

    def iteration(self, remaining: Collection[Record], kept: Hashable) -> None:
        """Mark a checkpoint of the run.

        The rest of the run depends only on the groups formed and on what is kept.
        """
        self.reached((self._digest, _brief(kept)) if self.marks else ())

    def reached(self, state: Hashable) -> None:
        """Mark a state of the run; leave if it is known.

        The rest of the run depends only on the state, which may be () where it needs no mark.

        It is also known if this run was in the state before, fewer choices ago: ties have led it
        in a circle, and the runs that begin in the state are examined from there.
        """
        if not self.marks:
            return
        depth = len(self.taken)
        circle = self._met.setdefault(state, depth) < depth
        if depth >= len(self._script) and (circle or state in self._finished):
            raise Pruned
        self.states.append((depth, state))
        self.marks = len(self.states) < SHORT

    def together(self, records: Sequence[Record]) -> None:
        group = tuple(sorted(records))
        before = [one for one in map(self.formed.get, group) if one != group]
        self._digest += len(before) * _digest(group) - sum(map(_digest, filter(None, before)))
        self.formed |= dict.fromkeys(group, group)

    closed = together


def _brief(kept: Hashable) -> Hashable:
    """Return a state with a number for each long tuple.

    Such a tuple is one of all records.
    """
    if not isinstance(kept, tuple):
        return kept
    return _digest(kept) if len(kept) > LONG else tuple(map(_brief, kept))


@lru_cache(maxsize=8)
def _digest(group: tuple[Hashable, ...]) -> int:
    """Return a number of 512 bits that stands for a group.

    So a sum of such numbers stands for many groups.

    No feasible search could find two sets of groups with equal sums.
    """
    return int.from_bytes(blake2b(repr(group).encode()).digest())


Algorithm = Callable[[Choices], Partition]
"""An algorithm with everything given but the run."""


def explored_runs(
    algorithm: Callable[[Choices], Result],
    limit: int,
    tie_breaker: Callable[..., Script] = Script,
    memory: MemoisedSpace | None = None,
    seconds: float = inf,
) -> Iterator[tuple[Result, Script]]:
    """Yield the result and the tie-breaker of every unpruned run.

    Runs that reach a state whose continuations are all known are left out; their results are among
    the others. `tie_breaker(script, finished, memory)` makes the tie-breaker of a run. Raises
    Undecided when the limit on started runs is passed, or when another one is to be started after
    `seconds` CPU seconds.
    """
    finished: set[Hashable] = set()
    script: list[int] = []
    began = time.process_time()
    for _ in range(limit):
        path = tie_breaker(script, finished, memory)
        try:
            result = algorithm(Choices(path))
        except Pruned:
            pass
        else:
            yield result, path
        following = _following(path)
        if following is None:
            return
        script = following
        finished.update(state for depth, state in path.states if depth >= len(script))
        if memory:
            memory.rewind(path.asked[len(script) - 1])
        if time.process_time() - began > seconds:
            raise Undecided(f"not all runs in {seconds:g} seconds")
    raise Undecided(f"more than {limit} runs")


def _following(path: Script) -> list[int] | None:
    """Return the choices of the next run.

    The last choice that has an option left takes it; None if none has.
    """
    for last in reversed(range(len(path.taken))):
        if path.taken[last] + 1 < path.options[last]:
            return [*path.taken[:last], path.taken[last] + 1]
    return None


def all_partitions(algorithm: Algorithm, limit: int = 100_000) -> set[Partition]:
    """Return every partition that the algorithm can give.

    Each is given by some way of breaking the ties. Raises Undecided.

    >>> from refagg import exact_space, specification
    >>> space = exact_space([[0], [1], [1], [2]])
    >>> mdav = specification("mdav").run
    >>> for partition in sorted(all_partitions(lambda choices: mdav(space, 2, choices)), key=str):
    ...     print(partition.groups)
    ((0, 1), (2, 3))
    ((0, 2), (1, 3))
    """
    return {partition for partition, _ in explored_runs(algorithm, limit)}
