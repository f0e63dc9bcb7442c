"""A space that does not compute twice what two runs have in common.

The runs of an exploration repeat each other up to the choice that is changed, and so do the
questions that they ask of the space. `MemoisedSpace` keeps the answers in order and gives them
again after a rewind. Distances are many numbers, so they are not kept: what was chosen
among them is, and they are computed again for callers that look at them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

from refagg.language.partition import Record
from refagg.language.space import Numeric
from refagg.language.ties import (
    Comparison,
    Magnitude,
    Nearest,
    Number,
    Ranking,
    TiedCandidates,
    Tolerance,
)

T = TypeVar("T")
A = TypeVar("A", TiedCandidates[Record], Nearest[Record])


@dataclass(frozen=True)
class Distances:
    """A `Ranking` whose values are computed when they are asked for."""

    compute: Callable[[], Ranking[Record]]
    items: Sequence[Record]

    @cached_property
    def _measured(self) -> Ranking[Record]:
        return self.compute()

    @property
    def values(self) -> Sequence[Magnitude]:
        return self._measured.values

    @property
    def tolerance(self) -> Tolerance:
        return self._measured.tolerance

    @property
    def shown(self) -> Callable[[Magnitude], Number]:
        return self._measured.shown

    def of(self, item: Record) -> Number:
        return self._measured.of(item)

    def left(self, without: Collection[Record]) -> Sequence[Magnitude]:
        return self._measured.left(without)

    def pairs(self, without: Collection[Record] = ()) -> list[tuple[Magnitude, Record]]:
        return self._measured.pairs(without)


class MemoisedSpace:
    """A space that remembers its answers; implements `Numeric` for the space that it is given."""

    def __init__(self, space: Numeric[Any]) -> None:
        self._space = space
        self._answers: list[Any] = []
        self._asked = 0

    @property
    def asked(self) -> int:
        """Return the number of questions that this run has asked."""
        return self._asked

    def rewind(self, asked: int) -> None:
        """Start a new run that will ask the first `asked` questions of the last one again."""
        del self._answers[asked:]
        self._asked = 0

    @property
    def n(self) -> int:
        return self._space.n

    def records(self) -> list[Record]:
        return self._space.records()

    def centroid(self, records: Sequence[Record]) -> Any:
        return self._answer(lambda: self._space.centroid(records))

    def distances(self, origin: Any, records: Sequence[Record]) -> Any:
        there = list(records)  # a text may change its list before these are computed
        return Distances(lambda: self._space.distances(origin, there), there)

    def distances_to_any(self, origins: Sequence[Record], records: Sequence[Record]) -> Any:
        now, there = tuple(origins), list(records)  # a group that grows, records that leave
        return Distances(lambda: self._space.distances_to_any(now, there), there)

    def farthest(self, distances: Any, without: Collection[Record] = ()) -> TiedCandidates[Record]:
        return self._lean(distances, lambda: self._space.farthest(distances, without))

    def nearest(self, m: int, distances: Any, without: Collection[Record] = ()) -> Nearest[Record]:
        return self._lean(distances, lambda: self._space.nearest(m, distances, without))

    def closest(self, distances: Any, without: Collection[Record] = ()) -> TiedCandidates[Record]:
        return self._lean(distances, lambda: self._space.closest(distances, without))

    def squared(self, a: Any, b: Any) -> Number:
        return self._answer(lambda: self._space.squared(a, b))

    def between(self, a: Record, b: Record) -> Number:
        return self._answer(lambda: self._space.between(a, b))

    def measured(self, items: Sequence[T], values: Sequence[Number]) -> Ranking[T]:
        return self._space.measured(items, values)

    def less(self, left: Number, right: Number) -> Comparison:
        return self._space.less(left, right)

    def raw(self, a: Any, others: Sequence[Any]) -> list[Magnitude]:
        return self._space.raw(a, others)

    def shown(self, raw: Magnitude) -> Number:
        return self._space.shown(raw)

    def ranked(self, items: Sequence[T], raw: Sequence[Magnitude]) -> Ranking[T]:
        return self._space.ranked(items, raw)

    def sse(self, records: Sequence[Record]) -> Magnitude:
        return self._space.sse(records)

    @property
    def width(self) -> int:
        return self._space.width

    def attribute(self, number: int) -> Sequence[Magnitude]:
        return self._space.attribute(number)

    def factor(self, number: int) -> Magnitude:
        return self._space.factor(number)

    def without(self, number: int) -> Numeric[Any]:
        return self._space.without(number)

    def _answer(self, compute: Callable[[], T]) -> T:
        if self._asked == len(self._answers):
            self._answers.append(compute())
        self._asked += 1
        answer: T = self._answers[self._asked - 1]
        return answer

    def _lean(self, distances: Any, choose: Callable[[], A]) -> A:
        """An answer without the distances that it was derived from."""
        new = self._asked == len(self._answers)
        answer = self._answer(choose)
        if new:
            again: Any = Distances(distances.compute, distances.items)
            self._answers[-1] = replace(answer, measured=again)
        return answer
