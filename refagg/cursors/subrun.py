"""Runs of an algorithm whose groups are not those of the result.

An algorithm can begin with the groups of another and then divide the records in its own way. The
choices of the other then say nothing about which records end together, so none of its promises may
reach the tie-breaker, and neither may its choice of records *for a group*.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from refagg.language.choices import Choices
from refagg.language.partition import Record
from refagg.language.specification import OpenChoice
from refagg.language.ties import Comparison, Nearest, TieBreaker, TiedCandidates

T = TypeVar("T")


def subrun(choices: Choices, name: str) -> Choices:
    """Return the choices for an algorithm that runs within another.

    They are those of the other run, with its random stream, under the name of the algorithm.
    """
    return _Within(_Subrun(choices, name), choices.stream)


def ties_of_subrun(
    name: str, step: str, ties: Iterable[OpenChoice], what: str = "record"
) -> tuple[OpenChoice, ...]:
    """Return the ties of an algorithm that runs within another's step.

    They are named after the inner algorithm. `what` are its records for the other one.
    """
    return tuple(
        replace(
            tied,
            name=_named(name, tied.name),
            step=f"{step} ({tied.step})",
            what=what if tied.what == "record" else tied.what,
        )
        for tied in ties
    )


def _named(algorithm: str, tie: str) -> str:
    return f"{algorithm}: {tie}"


@dataclass(frozen=True, slots=True)
class _Subrun(TieBreaker):
    """Tie-breaker of a run within another.

    It passes questions to the other run, but no promises.
    """

    choices: Choices
    name: str

    def choose(self, name: str, tie: TiedCandidates[T]) -> T:
        return self.choices.choose(_named(self.name, name), tie)

    def choose_nearest(
        self, name: str, near: Nearest[Record], same_group_as: Record | None
    ) -> tuple[Record, ...]:
        return self.choices.choose_nearest(_named(self.name, name), near, same_group_as=None)

    def settled(self, name: str, value: T, *others: Sequence[T]) -> T:
        return self.choices.settled(_named(self.name, name), value, *others)

    def decide(self, name: str, comparison: Comparison) -> bool:
        return self.choices.decide(_named(self.name, name), comparison)

    def closed(self, records: Sequence[Record]) -> None:
        self.choices.step(f"group of {self.name}", sorted(records))


class _Within(Choices):
    """Choices of a run within another.

    A choice that a judge frees is free in the other run.
    """

    tie_breaker: _Subrun

    def settled(self, name: str, value: T, others: Sequence[T] = (), beside: Sequence[T] = ()) -> T:
        return self.tie_breaker.settled(name, value, others, beside)

    def choose_nearest(
        self, name: str, near: Nearest[Record], same_group_as: Record | None
    ) -> tuple[Record, ...]:
        return self.tie_breaker.choose_nearest(name, near, None)
