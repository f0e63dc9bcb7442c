"""Answers foreseen before the questions.

Most iterations of a run ask what an earlier one asked.

A cursor tells what it asks in each iteration, and what was chosen. What follows a question is
always the same, but for a comparison, whose two outcomes are followed by questions of their own:
the questions are *steps*. Where an iteration brought no new step, an engine answers the questions
of the following ones at once, as far as no two records are tied for an answer. An answer is handed
out only if exactly its question is asked; after any other one the engine begins again with the
records that remain.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from refagg.engine.filtered_pool import FilteredPool
from refagg.language.choices import Choices
from refagg.language.partition import Record
from refagg.language.ties import Number

FAR, NEAR, CLOSE, ANY, PAIR, NEARER, JOIN, EITHER = range(8)
"""The kinds of questions: the farthest record; a group of the nearest, which leaves; the closest
record, and the closest to any of the group; the lower end of the most distant pair; a comparison
(`Cursor.found_nearer`); no question, a record that leaves and joins the group; and a group of the
nearest that is the same if the next group, that of the record it hides, leaves first."""

NEAREST = CLOSE, ANY
"""Those whose answers have a distance that can be compared."""

AVERAGE, FIXED, GROUP, NOWHERE, NOTHING = -1, -2, -3, -4, -1
"""The origin of a question that is no earlier answer; no hidden answer."""

BEGIN, UNKNOWN = 0, -1
"""What can follow a step: the next iteration, or what was not asked yet."""

FEWEST, MOST = 16, 4096
"""So many iterations are answered at once: more each time that all of them came."""

LIKELY = 2.0**60
"""No greater factors are compared in floats, and no less ones than 1 over it but 0."""

Question = list[int]
"""Its kind, for how many records it asks, its origin, and the records that it leaves out. Answers
are named by the numbers of their questions."""


class Foresight:
    """Questions of earlier iterations, and answers for the next ones."""

    def __init__(self, pool: FilteredPool) -> None:
        self.pool = pool
        self.forget()
        self._before = 0
        """How many steps there were when the iteration began."""
        self._asked: list[Question] = []
        self._chosen: list[Record] = []
        """The records that were chosen in it, NOTHING for a group or a comparison."""
        self._group: list[Record] = []
        self._fixed: Any = None
        self._factors: Sequence[Number] = (1, 1)
        self._answers: list[int] = []
        self._at = self._changes = 0
        self._came = False
        self._most = FEWEST

    def forget(self) -> None:
        """Forget the steps; what else this iteration asks is not noted."""
        self._steps: list[Question] = [[NOTHING, 0, NOWHERE]]
        """The first one is the beginning of an iteration."""
        self._then = [[UNKNOWN, UNKNOWN]]
        """The steps that follow each, where a comparison was false and where it was true."""
        self._either = set[int]()
        """The steps of groups of which now one was formed first, now the next one."""
        self._place = self._outcome = 0
        self._lost = True

    def iteration(self) -> None:
        """Begin an iteration."""
        then = self._then[self._place]
        if self._place and then[self._outcome] == UNKNOWN:
            then[self._outcome] = BEGIN
        if then[self._outcome] > BEGIN:
            self.forget()
        usual = self._place > 0 and len(self._steps) == self._before
        self._place, self._outcome, self._before, self._lost = 0, 0, len(self._steps), False
        self._asked, self._chosen = [], []
        if self._at == len(self._answers) and usual and self.pool.foresees:
            self._look_ahead()

    def _look_ahead(self) -> None:
        width = max(map(len, self._steps))
        rows = [
            [*then, *step, *[NOTHING] * (width - len(step))]
            for then, step in zip(self._then, self._steps, strict=True)
        ]
        for place in self._either:
            rows[place][len(self._then[place])] = EITHER
        self._answers = self.pool.foresee(rows, self._factors, self._fixed, self._most)
        self._changes, self._at = self.pool.changes, 0
        self._most = min(2 * self._most, MOST) if self._answers else FEWEST

    # Questions that may be foreseen

    def foreseen(
        self, kind: int, origin: object, without: Collection[Record] = ()
    ) -> Record | None:
        """Return the record that answers a question if it was foreseen."""
        if not self._is_next(kind, 1, origin, without):
            return None
        [self._chosen[-1]] = self._next(1)
        return self._chosen[-1]

    def farthest(self, origin: Any, without: Collection[Record]) -> Record | None:
        """Return the farthest record if it is certain.

        It is certain if it was foreseen, or if floats leave no other one.
        """
        found = self.foreseen(FAR, origin, without)
        if found is None:
            found = self.pool.surely_farthest(origin, without)
            if found is not None:
                self.learn(FAR, origin, without, found)
        return found

    def nearest(self, m: int, seed: Record, without: Collection[Record]) -> list[Record] | None:
        """Return the m nearest records if they are certain.

        They are to leave with the seed.
        """
        self._came = self._is_next(NEAR, m, seed, without)
        if self._came:
            return sorted(self._next(m))
        near = self.pool.surely_nearest(m, seed, {seed, *without})
        if near is not None:
            self.learn(NEAR, seed, without, m=m)
        return near

    def leave(self, group: Sequence[Record], as_found: bool) -> None:
        """Let a seed and its nearest records leave the pool."""
        self._group = list(group)
        if self._came and as_found:
            self.pool.remove_foreseen(group)
        else:
            self.pool.remove(group)

    def join(self, record: Record) -> None:
        """Let a record leave the pool and join the group."""
        if self.foreseen(JOIN, record) is None:
            self.pool.remove([record])
            self.learn(JOIN, record, chosen=record)
        else:
            self.pool.remove_foreseen([record])
        self._group.append(record)

    def pair(self) -> tuple[Record, Record] | None:
        """Return the most distant pair, the lower number first, if foreseen."""
        low = self.foreseen(PAIR, None)
        high = None if low is None else self.foreseen(FAR, low, {low})
        return None if low is None or high is None else (low, high)

    def learn_pair(self, pair: tuple[Record, Record]) -> None:
        """Note a pair that was not foreseen, one end after the other."""
        low, high = sorted(pair)
        self.learn(PAIR, None, chosen=low)
        self.learn(FAR, low, {low}, high)

    def nearer(self, m: int, found: Record, factors: Sequence[Number]) -> bool | None:
        """Return the outcome of a comparison if it was foreseen."""
        if factors != self._factors or not self._is_next(NEARER, m, found, {found}):
            return None
        [self._outcome] = self._next(1)
        return self._outcome == 1

    def learn_nearer(self, m: int, found: Record, factors: Sequence[Number], outcome: bool) -> None:
        """Note a comparison that was not foreseen."""
        likely = all(factor == 0 or 1 / LIKELY <= factor <= LIKELY for factor in factors)
        if not likely or factors != self._factors or m == 0:
            self.forget()
            self._factors = factors if likely else (1, 1)
        self.learn(NEARER, found, {found}, m=m)
        self._outcome = int(outcome)

    def _next(self, m: int) -> list[int]:
        self._at += m
        return self._answers[self._at - m : self._at]

    def _is_next(self, kind: int, m: int, origin: object, without: Collection[Record]) -> bool:
        """Return True if this is the next foreseen question.

        If it is another one, all answers are forgotten.
        """
        if self._at == len(self._answers):
            return False
        following, chosen = self._then[self._place][self._outcome], self._chosen
        step = self._steps[following]
        if kind == NEAR and following in self._either and self._at + 2 * m <= len(self._answers):
            self._lead(step, origin)
        if (
            step[0] == kind
            and step[1] == m
            and (chosen[step[2]] if step[2] >= 0 else self._origin(step[2])) == origin
            and len(step) == len(without) + 3
            and (not without or all(chosen[number] in without for number in step[3:]))
            and (kind != NEARER or self._finder(chosen[step[2]]) == step[2])
            and self.pool.changes == self._changes
        ):
            self._go(following, NOTHING)
            return True
        self._answers, self._at, self._most = [], 0, 1
        return False

    def _lead(self, step: Question, origin: object) -> None:
        """Exchange two groups if the second one is asked for first."""
        _, m, first, second = step
        chosen, answers, at = self._chosen, self._answers, self._at
        if chosen[second] == origin:
            chosen[first], chosen[second] = chosen[second], chosen[first]
            answers[at : at + 2 * m] = answers[at + m : at + 2 * m] + answers[at : at + m]

    def _go(self, following: int, chosen: Record) -> None:
        self._place, self._outcome = following, 0
        self._asked.append(self._steps[following])
        self._chosen.append(chosen)

    def _finder(self, record: Record) -> int:
        """Return the last question that found a record to be the nearest."""
        found = zip(self._asked, self._chosen, strict=True)
        numbers = [i for i, (step, one) in enumerate(found) if one == record and step[0] in NEAREST]
        return max(numbers, default=NOTHING)

    def _origin(self, number: int) -> Any:
        """Return the origin of a question that is no earlier answer."""
        if number == AVERAGE:
            return self.pool.centroid()
        return {FIXED: self._fixed, GROUP: self._group}.get(number)

    def learn(
        self,
        kind: int,
        origin: object,
        without: Collection[Record] = (),
        chosen: Record = NOTHING,
        m: int = 1,
    ) -> None:
        """Note a question that was not foreseen, and its answer."""
        if self._lost or not self.pool.foresees:
            return
        question, then = self._question(kind, m, origin, without), self._then[self._place]
        if question and then[self._outcome] == UNKNOWN:
            then[self._outcome] = len(self._steps)
            self._steps.append(question)
            self._then.append([UNKNOWN, UNKNOWN])
        following = then[self._outcome]
        step = self._steps[following]
        if question and kind == NEAR and self._leads_instead(question, following):
            self._either.add(following)
            self._lead(step, origin)
            question = step
        if question and step == question:
            self._go(following, chosen)
        else:
            self.forget()

    def _leads_instead(self, question: Question, following: int) -> bool:
        """Return True if this asks for the next group first."""
        step, after = self._steps[following], self._steps[self._then[following][0]]
        kind, m, seed, *hidden = step
        return [kind, m, *hidden, seed] == question and [kind, m, *hidden] == after

    def _question(
        self, kind: int, m: int, origin: object, without: Collection[Record]
    ) -> Question | None:
        """Return the question by numbers; None if it cannot be foreseen."""
        chosen, number = self._chosen, NOWHERE
        if not set(without).issubset(chosen):
            return None
        if isinstance(origin, int):
            if origin not in chosen or (kind == NEARER and self._finder(origin) == NOTHING):
                return None
            number = self._finder(origin) if kind == NEARER else chosen.index(origin)
        elif kind == ANY and origin == self._group:
            number = GROUP
        elif kind == FAR:
            number = AVERAGE if origin == self.pool.centroid() else FIXED
            if number == FIXED and origin != self._fixed:
                self.forget()
                self._fixed = origin
        elif kind != PAIR:
            return None
        return [kind, m, number, *[chosen.index(record) for record in without]]


def foresight_of(pool: object, choices: Choices) -> Foresight | None:
    """Return the foresight of a run without a trace.

    None if a trace is kept, or if the engine has no foresight.
    """
    if choices.trace is not None or not isinstance(pool, FilteredPool) or pool.has_equal:
        return None
    return Foresight(pool)
