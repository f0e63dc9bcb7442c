"""Runs of an algorithm whose groups are not those of the result.

An algorithm can begin with the groups of another and divide the records in a way of its own.
What the other chooses then says nothing about which records end together, so that none of its
promises may reach the door, and neither may its choice of records *for a group*.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from refagg.language.partition import Record
from refagg.language.run import Run
from refagg.language.specification import Tied
from refagg.language.ties import Comparison, Nearest, Tie

T = TypeVar("T")


def aside(run: Run, name: str) -> Run:
    """A run for an algorithm of this name, with the choices and the tape of another run."""
    return Run(_Aside(run, name), run.tape)


def ties_aside(
    name: str, step: str, ties: Iterable[Tied], what: str = "record"
) -> tuple[Tied, ...]:
    """The ties of an algorithm that runs aside under this name, as a part of a step of another.

    `what` are its records for the other one.
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
class _Aside:
    """The door of such a run: it asks the other run, and tells it nothing."""

    run: Run
    name: str

    def one(self, name: str, tie: Tie[T]) -> T:
        return self.run.one(_named(self.name, name), tie)

    def some(self, name: str, near: Nearest[Record], joining: Record | None) -> tuple[Record, ...]:
        chosen = self.run.some(_named(self.name, name), near, joining=None)
        return tuple(record for record in chosen if record in near.tied)

    def holds(self, name: str, comparison: Comparison) -> bool:
        return self.run.holds(_named(self.name, name), comparison)

    def iteration(self, remaining: Collection[Record], kept: Hashable) -> None:
        pass

    def reached(self, state: Hashable) -> None:
        pass

    def together(self, records: Sequence[Record]) -> None:
        pass

    def closed(self, records: Sequence[Record]) -> None:
        pass
