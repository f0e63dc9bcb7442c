"""The hunt: adversarial questions until an implementation is wrong, then the smallest of them.

Each topic (a number of records beside k, and a kind of values) is searched in turn, in
batches that grow. The first answer that violates a rung of the ladder is shrunk: by Hypothesis, and
then record by record and cell by cell, to a case that is wrong in the same way. After a crash the
search goes on for an answer that is wrong. A search for everything goes on until the time is over,
for a counterexample of each kind in each topic; there, a topic of special values counts only where
the same table without them is answered rightly.

Every question is asked twice, so that a program that answers differently each time is found.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from random import Random

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis.errors import NoSuchExample

from oracle.conformance.judging import TOLERANCE, Strictness, judge
from oracle.conformance.model import OPTIMAL, Answer, Case, Door, Judgement
from oracle.conformance.smaller import calmed, rows_of, smallest
from oracle.conformance.strategies import Topic, Wanted, cases_of

REPEATABLE = "repeatable"
"""The rung of a program that gives the same answer to the same question."""

Kind = tuple[str, str]

_NUMBER = re.compile(r"-?[0-9][0-9./e+-]*")

FIRST_BATCH = 20
LARGEST_BATCH = 320


class _Over(BaseException):
    """The budget is used up; Hypothesis lets this pass."""


ROUNDING = {"binary64": Fraction(1, 2**53), "binary32": Fraction(1, 2**24)}
COARSEST = Fraction(1, 4)


@dataclass(frozen=True, slots=True)
class Finding:
    """A smallest counterexample: its judgement, and that of the case it was shrunk from."""

    topic: Topic
    judgement: Judgement
    first: Judgement
    tries: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Hunt:
    """What a search came to: findings, and how often which status was given."""

    asked: Wanted
    findings: tuple[Finding, ...]
    tries: int
    statuses: dict[str, int]
    seconds: float

    @property
    def exit_status(self) -> int:
        """1 if something was found, 2 if no answer could be judged, else 0."""
        if self.findings:
            return 1
        return 0 if self.statuses.get("passed") else 2


@dataclass(slots=True)
class Budget:
    """How long, and how many different questions."""

    seconds: float
    tries: int | None = None
    start: float = field(default_factory=time.monotonic)

    def passed(self) -> float:
        return time.monotonic() - self.start

    def over(self, tries: int, share: float = 1.0) -> bool:
        enough = self.tries is not None and tries >= self.tries
        return enough or self.passed() > share * self.seconds


def hunt(
    door: Door,
    asked: Wanted,
    *,
    budget: float = 60.0,
    tries: int | None = None,
    seed: int = 0,
    every: bool = False,
    may_vary: bool | None = None,
    timeout: float = 10.0,
) -> Hunt:
    """Search for counterexamples for so many seconds; the same seed asks the same questions.

    `tries` bounds the number of questions, `every` looks for a counterexample in each topic,
    `may_vary` lets a program answer differently each time (by default one that draws at random, or
    claims no more than a k-partition), `timeout` is for one answer. Shrinking may take half as long
    again as the budget.
    """
    varies = asked.varies if may_vary is None else may_vary
    hunter = _Hunter(door, asked, Budget(budget, tries), varies, timeout)
    findings = list(_findings(hunter, seed, every))
    return Hunt(asked, tuple(findings), hunter.tries, dict(hunter.statuses), hunter.budget.passed())


def _findings(hunter: _Hunter, seed: int, every: bool) -> Iterator[Finding]:
    """Topic after topic, in growing batches, until the budget is used up."""
    found: list[Finding] = []
    batch, turn = FIRST_BATCH, 0
    while not hunter.over():
        for topic in hunter.asked.topics():
            random = Random(f"{seed} {turn} {topic}")
            known = [kind_of(f.judgement) for f in found if not every or f.topic == topic]
            one = _search(hunter, hunter.asked, _Aim(topic, every, known), batch, random)
            if one is None:
                continue
            found.append(one if every else _with_fewer_records(hunter, one, seed))
            yield found[-1]
            if not every and (one.judgement.status == "failed" or not hunter.statuses["passed"]):
                return
        batch, turn = min(2 * batch, LARGEST_BATCH), turn + 1


def _with_fewer_records(hunter: _Hunter, found: Finding, seed: int) -> Finding:
    """The finding, or one of the same kind with fewer records in any other topic."""
    end = hunter.budget.passed() + hunter.budget.seconds / 4
    for topic in hunter.asked.topics():
        fewer = replace(hunter.asked, most=len(found.judgement.case.records) - 1)
        if topic in fewer.topics() and hunter.budget.passed() < end:
            aim = _Aim(topic, False, [], kind_of(found.judgement))
            one = _search(hunter, fewer, aim, 2 * FIRST_BATCH, Random(f"{seed} {topic}"))
            found = found if one is None else replace(one, first=found.first)
    return found


@dataclass(frozen=True, slots=True)
class _Aim:
    """What a search is for: in one topic, any kind of finding but those known, or one that is."""

    topic: Topic
    within: bool
    """Must the counterexample stay in the topic, and be wrong only because of its values?"""
    known: Sequence[Kind]
    kind: Kind | None = None

    def meets(self, judgement: Judgement, first: Judgement | None) -> bool:
        """Is it wrong in the way that is looked for, and as the first one was?"""
        kind = kind_of(judgement)
        wrong = judgement.status in ("failed", "errored") and kind not in self.known
        return wrong and (self.kind if first is None else kind_of(first)) in (None, kind)


def _search(
    hunter: _Hunter, asked: Wanted, aim: _Aim, batch: int, random: Random
) -> Finding | None:
    """One batch of one topic."""
    target: list[Judgement] = []

    def wrong(case: Case) -> bool:
        judgement = hunter.judged(case, shrinking=bool(target))
        if judgement is None and not target:
            raise _Over
        if judgement is None or not aim.meets(judgement, target[0] if target else None):
            return False
        if aim.within and aim.topic.values != "small" and not _calm(hunter, case):
            return False
        target[:] = target or [judgement]
        return True

    def smaller_and_wrong(case: Case) -> bool:
        if not asked.allows(case) or (aim.within and not aim.topic.holds(case)):
            return False
        return wrong(case)

    plan = settings(
        max_examples=batch,
        database=None,
        deadline=None,
        derandomize=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    try:
        case = find(cases_of(asked, aim.topic), wrong, settings=plan, random=random)
    except (NoSuchExample, _Over):
        return None
    last = hunter.explained(smallest(case, smaller_and_wrong))
    return Finding(aim.topic, last, target[0], hunter.tries, hunter.budget.passed())


def _calm(hunter: _Hunter, case: Case) -> bool:
    """Is the same table near 0 answered rightly?"""
    judgement = hunter.judged(calmed(case), shrinking=True)
    return judgement is not None and judgement.status == "passed"


@dataclass(slots=True)
class _Hunter:
    """Asks, judges and remembers; nothing is asked again."""

    door: Door
    asked: Wanted
    budget: Budget
    may_vary: bool
    timeout: float
    tries: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    _known: dict[tuple[int, tuple[tuple[str, ...], ...]], Judgement] = field(default_factory=dict)

    def over(self) -> bool:
        return self.budget.over(self.tries)

    def judged(self, case: Case, shrinking: bool) -> Judgement | None:
        """The verdict on the answer to a case; None for a new question when the time is over."""
        key = case.k, case.records
        if key not in self._known:
            over = self.budget.passed() > 1.5 * self.budget.seconds if shrinking else self.over()
            if over:
                return None
            self.tries += 1
            self._known[key] = self._asked(replace(case, id=f"hunt-{self.tries}"))
            self.statuses[self._known[key].status] += 1
        return self._known[key]

    def _asked(self, case: Case) -> Judgement:
        answer = self.door(case, self.timeout)
        judgement = judge(case, answer, strict=strictness(case, self.asked.precision))
        if self.may_vary or judgement.status in ("errored", "unsupported"):
            return judgement
        again = self.door(case, self.timeout)
        return judgement if same(answer, again) else varying(judgement, again)

    def explained(self, case: Case) -> Judgement:
        """The remembered verdict with the partitions that would have been right."""
        known = self._known[case.k, case.records]
        if known.rung == REPEATABLE:
            return known
        strict = replace(strictness(case, self.asked.precision), explain=True)
        return judge(known.case, known.answer, strict=strict)


def kind_of(judgement: Judgement) -> Kind:
    """The rung and the reason without its numbers: what is alike in counterexamples of one kind.

    >>> nothing = Case("x", "mdav", 2, ()), Answer()
    >>> kind_of(Judgement(*nothing, "failed", "SSE", "SSE 0.5 is claimed; it is 1/3"))
    ('SSE', 'SSE # is claimed; it is #')
    """
    return judgement.rung, _NUMBER.sub("#", judgement.reason)


def same(one: Answer, other: Answer) -> bool:
    """Do two answers say the same? The order of groups, and the time taken, say nothing."""
    return _said(one) == _said(other)


def _said(answer: Answer) -> tuple[object, ...]:
    groups = None if answer.groups is None else sorted(sorted(group) for group in answer.groups)
    return groups, answer.released, answer.sse, answer.refused, answer.unsupported, answer.errored


def varying(judgement: Judgement, again: Answer) -> Judgement:
    """The verdict on a program that answered the same question in two ways."""
    lines = tuple(
        f"{when}: {answer_text(answer)}"
        for when, answer in (("first", judgement.answer), ("then", again))
    )
    reason = "the same question was answered differently the second time"
    return replace(judgement, status="failed", rung=REPEATABLE, reason=reason, witness=lines)


def answer_text(answer: Answer) -> str:
    """An answer in a line."""
    if answer.groups is not None:
        text = " | ".join(" ".join(map(str, group)) for group in answer.groups)
        return text if answer.sse is None else f"{text}, SSE {answer.sse}"
    if answer.released is not None:
        return "released " + "; ".join(" ".join(row) for row in answer.released)
    return answer.errored or answer.refused or answer.unsupported or f"SSE {answer.sse}"


def strictness(case: Case, precision: str) -> Strictness:
    """How an answer is judged: with what rounding can do to distances in this case, not more.

    A centroid of n values of magnitude M is off by up to n u M where it is computed in the simplest
    way; beside the smallest difference of two values of an attribute this says how far squared
    distances can be off relatively. Squares of the values themselves cancel much worse, and
    that is not granted.
    """
    if case.claim == OPTIMAL:
        return Strictness(explain=False)
    magnitudes, gaps = [Fraction(0)], []
    for column in zip(*rows_of(case), strict=True):
        values = sorted(set(column))
        spread = Fraction(1) if case.standardise == "none" else values[-1] - values[0]
        if spread:
            magnitudes.append(max(map(abs, values)) / spread)
            gaps += [(after - before) / spread for before, after in pairwise(values)]
    slack = (
        8
        * len(case.records)
        * ROUNDING[precision]
        * max(magnitudes)
        / min(gaps, default=Fraction(1))
    )
    return Strictness(tolerance=min(max(TOLERANCE, slack), COARSEST), limit=300, explain=False)
