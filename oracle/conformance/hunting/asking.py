"""Questions of a hunt: asked twice, and judged strictly but fairly."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace

from oracle.conformance.hunting.coverage import Coverage
from oracle.conformance.hunting.strategies import Wanted
from oracle.conformance.judge.judging import Strictness, judge
from oracle.conformance.judge.model import WRONG, Adapter, Answer, Case, Judgement
from oracle.conformance.judge.senseless import senseless
from oracle.conformance.running import REPEATABLE, repeated
from refagg.terminal import NOW

LIMIT, REPLAY_SECONDS = 300, 1.0
"""How many runs are examined for one answer, and for how long."""

SAMPLE = 30
"""Wrong answers, and right ones, that are kept to look for another reading of the questions."""

STRICT = Strictness(limit=LIMIT, replay_seconds=REPLAY_SECONDS)


@dataclass(slots=True)
class Budget:
    """The time limits of a hunt, on one clock."""

    seconds: float
    clock: Callable[[], float] = time.monotonic
    start: float = field(init=False)

    def __post_init__(self) -> None:
        self.start = self.clock()

    def passed(self) -> float:
        return self.clock() - self.start

    def over(self) -> bool:
        return self.passed() > self.seconds


@dataclass(slots=True)
class Hunter:
    """Questioner of a program, which judges and remembers the answers.

    No question is asked twice.
    """

    adapter: Adapter
    asked: Wanted
    budget: Budget
    may_vary: bool
    timeout: float
    shrinking: float
    by_cause: bool = False
    """Does the search go on after a wrong run, for others with another cause?"""
    until: float = 0.0
    tries: int = 0
    after: tuple[int, float] = 0, 0.0
    """Questions and seconds until the last finding, before it was made smaller."""
    statuses: Counter[str] = field(default_factory=Counter)
    _known: dict[Hashable, Judgement] = field(default_factory=dict)

    def shrunk(self) -> bool:
        """Return True if the time for shrinking the last finding is over."""
        return self.budget.passed() > self.until

    def found(self) -> None:
        """Start the time of shrinking, which may exceed the budget."""
        self.after = self.tries, self.budget.passed()
        self.until = min(self.after[1], self.budget.seconds) + self.shrinking

    def searched(self, case: Case, covered: Coverage) -> Judgement | None:
        """Return the verdict on the answer to a topic's case.

        A new question counts for the topic.

        None for a new question when the topic has had its share, or the time is over.
        """
        if _key(case) in self._known:
            return self.judged(case)
        if covered.full or self.budget.over():
            return None
        judgement = self.judged(case)
        covered.statuses[judgement.status] += 1
        NOW.step()
        return judgement

    def shrunken(self, case: Case) -> Judgement | None:
        """Return the verdict on a case that shrinking tries.

        None when its time is over.
        """
        return None if self.shrunk() else self.judged(case)

    def judged(self, case: Case) -> Judgement:
        """Return the verdict on the answer to a case."""
        key = _key(case)
        if key not in self._known:
            self.tries += 1
            self._known[key] = self._asked(replace(case, id=f"hunt-{self.tries}"))
            self.statuses[self._known[key].status] += 1
        return self._known[key]

    def sample(self, findings: Iterable[Judgement]) -> tuple[Judgement, ...]:
        """Return findings, other wrong answers, and some right ones.

        The right ones are those of the largest tables.
        """
        largest = sorted(self._known.values(), key=lambda one: -len(one.case.records))
        wrong = [one for one in self._known.values() if one.status in WRONG]
        right = [one for one in largest if (one.status, one.check) == ("passed", "run")]
        chosen = (*wrong[:: len(wrong) // SAMPLE + 1], *right[:SAMPLE], *findings)
        return tuple({one.case.id: one for one in chosen}.values())

    def _asked(self, case: Case) -> Judgement:
        answer = self.adapter(case, self.timeout)
        judgement = self._verdict(case, answer, explain=False, blame=self.by_cause)
        if self.may_vary or judgement.status in ("errored", "unsupported"):
            return judgement
        return repeated(judgement, self.adapter(case, self.timeout))

    def explained(self, case: Case) -> Judgement:
        """Return the remembered verdict, with the correct answers and the witness."""
        known = self._known[_key(case)]
        if known.check == REPEATABLE:
            return known
        return self._verdict(known.case, known.answer, explain=True, blame=True)

    def _verdict(self, case: Case, answer: Answer, *, explain: bool, blame: bool) -> Judgement:
        """Return the verdict of the judge.

        For invalid input it has the reason why it is invalid.
        """
        precision = self.asked.precision
        strict = replace(STRICT, explain=explain, blame=blame, precision=precision)
        return judge(case, answer, senseless(case), strict)


def _key(case: Case) -> Hashable:
    """Return the key of a question in this hunt."""
    return case.k, case.records, case.kinds, tuple(case.shape.items())
