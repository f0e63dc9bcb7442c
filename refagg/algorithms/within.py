"""Algorithms as steps of other ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from refagg.model import Record
from refagg.run import Run
from refagg.specification import Tied
from refagg.ties import Comparison, Nearest, Tie

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Within:
    """The door of an algorithm that is a step of another one.

    Its choices are choices of the outer run, under the name of the step. Its promises are not:
    its groups need not be groups of the result, and its records need not be records. So what is
    chosen among the nearest is chosen one by one, and not to share a group.
    """

    outer: Run
    step: str

    def one(self, name: str, tie: Tie[T]) -> T:
        return self.outer.one(_named(self.step, name), tie)

    def some(self, name: str, near: Nearest[Record], joining: Record) -> tuple[Record, ...]:
        left, picked = list(near.tied), list[Record]()
        while len(picked) < near.open < len(near.tied):
            without = {*near.without, *near.sure, *picked}
            tie = Tie(tuple(left), near.worst, near.measured, without)
            picked.append(self.one(name, tie))
            left.remove(picked[-1])
        return tuple(picked or near.tied)

    def holds(self, name: str, comparison: Comparison) -> bool:
        return self.outer.holds(_named(self.step, name), comparison)

    def iteration(self, remaining: Collection[Record]) -> None:
        pass

    def together(self, records: Sequence[Record]) -> None:
        pass

    def closed(self, records: Sequence[Record]) -> None:
        pass


def run_within(outer: Run, step: str) -> Run:
    """A run whose choices and draws are those of the outer run."""
    return Run(Within(outer, step), outer.tape)


def ties_within(step: str, number: str, ties: Iterable[Tied], what: str) -> tuple[Tied, ...]:
    """The ties of an algorithm that is the step of this name and number; `what` are its records."""
    return tuple(
        replace(
            tied,
            name=_named(step, tied.name),
            step=number,
            what=what if tied.what == "record" else tied.what,
        )
        for tied in ties
    )


def _named(step: str, name: str) -> str:
    return f"{step}: {name}"
