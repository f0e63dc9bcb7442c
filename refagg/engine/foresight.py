"""Answers foreseen before the questions.

Most iterations of a run ask the same questions as the last one.

A cursor tells what it asks in each iteration, and what was chosen. Where two iterations asked the
same, an engine answers the questions of the following ones at once, as far as no two records are
tied for an answer. An answer is handed out only if exactly its question is asked; after any other
one the engine begins again with the records that remain.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from refagg.engine.filtered_pool import FilteredPool
from refagg.language.choices import Choices
from refagg.language.partition import Record

FAR, NEAR = 0, 1
"""The kinds of questions: the farthest record, and a group of the nearest, which leaves."""

AVERAGE, FIXED, NOTHING = -1, -2, -1
"""The origin of a question that is no earlier answer; no hidden answer."""

MOST_HIDDEN = 2

FEWEST, MOST = 16, 4096
"""So many iterations are answered at once: more each time that all of them came."""


class ForeseenQuestion(NamedTuple):
    """A question of an iteration.

    Answers are named by the numbers of their questions.
    """

    kind: int
    m: int
    origin: int
    hidden: tuple[int, ...]


class Foresight:
    """Questions of the last iteration, and answers for the next ones."""

    def __init__(self, pool: FilteredPool) -> None:
        self.pool = pool
        self._steps: list[ForeseenQuestion | None] = []
        """Of this iteration; None for what cannot be foreseen."""
        self._chosen: list[Record] = []
        """The records that were chosen in it, NOTHING for a group."""
        self._usual: list[ForeseenQuestion | None] = []
        """Of the last iteration."""
        self._fixed: Any = None
        self._answers: list[int] = []
        self._at = self._changes = 0
        self._came = False
        self._most = FEWEST

    def iteration(self) -> None:
        """Begin an iteration."""
        usual = self._steps == self._usual and bool(self._steps) and None not in self._steps
        self._usual, self._steps, self._chosen = self._steps, [], []
        if self._at == len(self._answers) and usual and self.pool.foresees:
            self._look_ahead()

    def _look_ahead(self) -> None:
        steps = [step for step in self._usual if step is not None]
        hidden = [[*step.hidden, NOTHING, NOTHING][:MOST_HIDDEN] for step in steps]
        rows = [[s.kind, s.m, s.origin, *h] for s, h in zip(steps, hidden, strict=True)]
        self._answers = self.pool.foresee(rows, self._fixed, self._most)
        self._changes, self._at = self.pool.changes, 0
        self._most = min(2 * self._most, MOST) if self._answers else FEWEST

    def farthest(self, origin: Any, without: Collection[Record]) -> Record | None:
        """Return the farthest record if it is certain.

        It is certain if it was foreseen, or if floats leave no other one.
        """
        if not self._foreseen(FAR, 0, origin, without):
            only = self.pool.surely_farthest(origin, without)
            if only is not None:
                self.learn(origin, without, only)
            return only
        found = self._answers[self._at]
        self._at += 1
        self._chosen.append(found)
        return found

    def nearest(self, m: int, seed: Record, without: Collection[Record]) -> list[Record] | None:
        """Return the m nearest records if they are certain.

        They are to leave with the seed.
        """
        self._came = self._foreseen(NEAR, m, seed, without)
        if not self._came:
            near = self.pool.surely_nearest(m, seed, {seed, *without})
            if near is not None:
                self.learn_group(m, seed, without)
            return near
        found = sorted(self._answers[self._at : self._at + m])
        self._at += m
        self._chosen.append(NOTHING)
        return found

    def leave(self, group: Sequence[Record]) -> None:
        """Let a seed and its nearest records leave the pool."""
        if self._came:
            self.pool.remove_foreseen(group)
        else:
            self.pool.remove(group)

    def _foreseen(self, kind: int, m: int, origin: object, without: Collection[Record]) -> bool:
        """Return True if this is the next foreseen question.

        If it is another one, all answers are forgotten.
        """
        if self._at == len(self._answers):
            return False
        place, chosen = len(self._steps), self._chosen
        step = self._usual[place] if place < len(self._usual) else None
        if (
            step is not None
            and step.kind == kind
            and step.m == m
            and self._origin(step.origin) == origin
            and len(step.hidden) == len(without)
            and (not without or all(chosen[number] in without for number in step.hidden))
            and self.pool.changes == self._changes
        ):
            self._steps.append(step)
            return True
        self._answers, self._at, self._most = [], 0, 1
        return False

    def _origin(self, number: int) -> Any:
        if number >= 0:
            return self._chosen[number]
        return self.pool.centroid() if number == AVERAGE else self._fixed

    def learn(self, origin: object, without: Collection[Record], chosen: Record) -> None:
        """Note the farthest record, which was not foreseen."""
        if self.pool.foresees:
            self._steps.append(self._step(FAR, 0, origin, without))
            self._chosen.append(chosen)

    def learn_group(self, m: int, seed: Record, without: Collection[Record]) -> None:
        """Note a group that was not foreseen."""
        if self.pool.foresees:
            self._steps.append(self._step(NEAR, m, seed, without))
            self._chosen.append(NOTHING)

    def _step(
        self, kind: int, m: int, origin: object, without: Collection[Record]
    ) -> ForeseenQuestion | None:
        chosen = self._chosen
        if len(without) > MOST_HIDDEN or not set(without).issubset(chosen):
            return None
        hidden = tuple([chosen.index(record) for record in without])
        if isinstance(origin, int):
            return (
                ForeseenQuestion(kind, m, chosen.index(origin), hidden)
                if origin in chosen
                else None
            )
        if origin == self.pool.centroid():
            return ForeseenQuestion(kind, m, AVERAGE, hidden)
        if origin != self._fixed:
            self._fixed, self._usual = origin, []
        return ForeseenQuestion(kind, m, FIXED, hidden)


def foresight_of(pool: object, choices: Choices) -> Foresight | None:
    """Return the foresight of a run without a trace.

    None if a trace is kept, or if the engine has no foresight.
    """
    if choices.trace is not None or not isinstance(pool, FilteredPool) or pool.has_equal:
        return None
    return Foresight(pool)
