"""Hunt for wrong answers: adversarial questions, then the smallest of them.

It goes on until an implementation is wrong.

Each topic (a number of records beside k, and a kind of values) has its share of the questions, and
is searched in turn, in batches that grow. The first answer that violates a check is
shrunk: by Hypothesis, and then record by record and cell by cell, to a case that is wrong in the
same way. After a crash the search goes on for an answer that is wrong. A search for everything goes
on until all questions are asked, for a counterexample of each kind in each topic; there, a topic of
special values counts only where the same table without them is answered rightly. A search that
finds nothing but ends before all questions are asked, as the time is over, has covered too little.

Every question is asked twice, so that a program that answers differently each time is found, and
judged strictly but fairly.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis.errors import NoSuchExample

from oracle.conformance.hunting.coverage import SECONDS, TRIES, Coverage, shared
from oracle.conformance.hunting.findings import Cause, Finding, cause_name, causes
from oracle.conformance.hunting.shrink import Smaller, calmed, smallest
from oracle.conformance.hunting.strategies import MOVED, REFUSED, Topic, Wanted, cases_of
from oracle.conformance.judge.causes import cause_of, reason_of
from oracle.conformance.judge.judging import judge
from oracle.conformance.judge.model import WRONG, Adapter, Answer, Case, Judgement
from oracle.conformance.judge.senseless import senseless
from oracle.conformance.judge.sizes import of_texts, size_of
from oracle.conformance.judge.strictness import Strictness
from oracle.conformance.known import NOTHING, KnownFailures
from oracle.conformance.running import REPEATABLE, repeated
from refagg.notebook import Overview, Tabulated, bars
from refagg.terminal import NOW, kept

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
        strict = replace(STRICT, explain=explain, blame=blame, precision=self.asked.precision)
        return judge(case, answer, senseless(case), strict)


def _key(case: Case) -> Hashable:
    """Return the key of a question in this hunt."""
    return case.k, case.records, case.kinds, tuple(case.shape.items())


FIRST_BATCH = 20
LARGEST_BATCH = 320


class _Over(BaseException):
    """The time or the share is used up; Hypothesis lets this pass."""


@dataclass(frozen=True, slots=True, repr=False)
class Hunt(Tabulated):
    """Result of a search.

    It has findings, coverage, and the number of answers of each status.
    """

    asked: Wanted
    findings: tuple[Finding, ...]
    covered: tuple[Coverage, ...]
    tries: int
    statuses: dict[str, int]
    seconds: float
    known: KnownFailures = NOTHING
    """Causes that are known to fail, with the reasons."""
    answers: tuple[Judgement, ...] = ()
    """The findings, other wrong answers, and right ones of the largest tables."""

    def overview(self) -> Overview:
        """Return what notebooks show; the table has the causes of failures."""
        found = self.causes
        names = ", ".join(cause.name for cause in found) or "nothing"
        told = ", ".join(f"{count} {status}" for status, count in self.statuses.items())
        return Overview(
            f"Hunt for {self.asked.claim}: {names} found in {self.tries} questions ({told})",
            lambda: {
                "cause": [cause.name for cause in found],
                "findings": [len(cause.findings) for cause in found],
                "records": [len(cause.smallest.judgement.case.records) for cause in found],
                "reason": [cause.smallest.judgement.reason for cause in found],
            },
            bars(self.statuses, "answers"),
        )

    @property
    def causes(self) -> list[Cause]:
        """Return the findings by their causes, those of the smallest input first."""
        return causes(self.findings)

    def known_reason(self, cause: Cause) -> str | None:
        """Return the reason in the list of known failures.

        It is for a cause, or for all its findings.
        """
        reasons = [self.known.reason(cause.name, cause_name(one)) for one in cause.findings]
        return None if None in reasons else reasons[0]

    @property
    def ok(self) -> bool:
        """Return True if everything was asked without new findings.

        Then only known failures were found.
        """
        return self.exit_status == 0

    @property
    def exit_status(self) -> int:
        """Return the exit status of the hunt.

        It is 1 if something was found, 2 if no answer could be judged, 3 if too little, else 0.

        To refuse what must be refused is not enough to pass.
        """
        if any(self.known_reason(cause) is None for cause in self.causes):
            return 1
        if self.covered and not any(
            one.statuses["passed"] for one in self.covered if one.topic.sizes != REFUSED
        ):
            return 2
        return 0 if all(one.enough for one in self.covered) else 3


def run_hunt(
    adapter: Adapter,
    asked: Wanted,
    *,
    tries: int = TRIES,
    budget: float = SECONDS,
    seed: int = 0,
    every: bool = False,
    may_vary: bool | None = None,
    timeout: float = 10.0,
    shrinking: float = 30.0,
    clock: Callable[[], float] = time.monotonic,
    known: KnownFailures = NOTHING,
) -> Hunt:
    """Search for counterexamples with a number of questions.

    The same seed asks the same questions.

    Each topic has an equal share of the questions; shrinking asks more. `budget` bounds the search
    in seconds. `every` looks for a counterexample in each topic, `may_vary` lets a program answer
    differently each time (by default one that draws at random, or claims no more than a
    k-partition), `timeout` is for one answer. `shrinking` is for making one counterexample smaller,
    beyond the budget if necessary. Seconds are those of the `clock`. After a finding whose cause is
    `known` the search goes on. Raises InvalidParameter.
    """
    covered = shared(asked.topics(), tries)
    varies = asked.varies if may_vary is None else may_vary
    by_cause = every or known != NOTHING
    hunter = Hunter(adapter, asked, Budget(budget, clock), varies, timeout, shrinking, by_cause)
    findings: list[Finding] = []
    NOW.counts(tries, "questions")
    with kept():
        for finding in _findings(hunter, covered, seed, every, known):
            findings.append(finding)
    counts = hunter.tries, dict(hunter.statuses), hunter.budget.passed()
    answers = hunter.sample([one for f in findings for one in (f.judgement, f.first)])
    return Hunt(asked, tuple(findings), tuple(covered), *counts, known, answers)


def finding_kind(judgement: Judgement) -> tuple[str, str]:
    """Return the kind of a counterexample.

    It is the check and the reason without its numbers.

    For wrong values, whose reason names attributes, it is the check alone.

    >>> from oracle.conformance.judge.model import Answer
    >>> nothing = Case("x", "mdav", 2, ()), Answer()
    >>> finding_kind(Judgement(*nothing, "failed", "SSE", "SSE 0.5 is claimed; it is 1/3"))
    ('SSE', 'SSE # is claimed; it is #')
    """
    return judgement.check, reason_of(judgement)


def _findings(
    hunter: Hunter, covered: Sequence[Coverage], seed: int, every: bool, listed: KnownFailures
) -> Iterator[Finding]:
    """Yield findings, topic after topic, in growing batches.

    The search ends when all topics have had their share, or the time is over.
    """
    found: list[Finding] = []
    batch, turn = FIRST_BATCH, 0
    while not (hunter.budget.over() or all(one.full for one in covered)):
        for one in [one for one in covered if not one.full]:
            topic, before, NOW.purpose = one.topic, one.asked, ""
            NOW.starts("hunting", limit=hunter.budget.seconds - hunter.budget.passed())
            random = Random(f"{seed} {turn} {topic}")
            known = [cause_of(f.judgement) for f in found if not every or f.topic == topic]
            finding = _search(hunter, hunter.asked, _Aim(topic, every, known, one), batch, random)
            if finding is None:
                one.exhausted = one.asked == before and not hunter.budget.over()
                continue
            known_one = listed.reason(cause_of(finding.judgement)) is not None
            found.append(finding if every or known_one else _smaller(hunter, finding, seed))
            yield found[-1]
            wrong = finding.judgement.status == "failed"
            if not (known_one or every) and (wrong or not hunter.statuses["passed"]):
                return
        batch, turn = min(2 * batch, LARGEST_BATCH), turn + 1


def _smaller(hunter: Hunter, found: Finding, seed: int) -> Finding:
    """Return the finding, or a smaller one of the same kind.

    The latter is of a smaller shape. It comes with what is known of all other tables.
    """
    case, kind = found.judgement.case, finding_kind(found.judgement)
    if of_texts(case) or case.shape:
        return found
    hunter.until = hunter.budget.passed() + hunter.shrinking / 2

    def wrong(one: Case) -> bool:
        if not hunter.asked.allows(one) or case.k > 1 >= one.k:
            return False
        found = hunter.shrunken(one)
        return found is not None and found.status in WRONG and finding_kind(found) == kind

    search = Smaller(hunter.asked, wrong, hunter.shrunk)
    least = search.than(case, seed)
    return replace(found, judgement=hunter.explained(least), proof=search.proof(least))


@dataclass(frozen=True, slots=True)
class _Aim:
    """Aim of a search in one topic: a new kind of finding."""

    topic: Topic
    within: bool
    """Must the counterexample stay in the topic, and be wrong only because of its values?"""
    known: Collection[str]
    """The names of causes."""
    counted: Coverage
    """Where questions count."""

    def allows(self, case: Case, first: Case) -> bool:
        """Return True if a case serves the aim.

        It is in the topic, if it must be, and has k = 1 only if the first one had.
        """
        if first.k > 1 >= case.k:
            return False
        return not self.within or (self.topic.holds(case) and self.topic.special(case))

    def meets(self, judgement: Judgement, first: Judgement | None) -> bool:
        """Return True if a judgement fails as the search requires.

        It has to fail in the way that is searched for, and in that of the first one.
        """
        if judgement.status not in WRONG or cause_of(judgement) in self.known:
            return False
        return first is None or finding_kind(first) == finding_kind(judgement)


def _search(hunter: Hunter, asked: Wanted, aim: _Aim, batch: int, random: Random) -> Finding | None:
    """Search one batch of one topic."""
    target: list[Judgement] = []
    known: list[Case] = []
    moved = aim.within and aim.topic.values in MOVED

    def wrong(case: Case) -> bool:
        judgement = hunter.shrunken(case) if target else hunter.searched(case, aim.counted)
        if judgement is None:
            raise _Over
        if not aim.meets(judgement, target[0] if target else None):
            return False
        if moved and hunter.judged(calmed(case)).status != "passed":  # even after the time limit
            return False
        if not target:
            hunter.found()
            NOW.purpose = f"Found a failure after {hunter.tries} questions; making it smaller"
            target.append(judgement)
        known.append(case)
        return True

    def smaller_and_wrong(case: Case) -> bool:
        return asked.allows(case) and aim.allows(case, target[0].case) and wrong(case)

    plan = settings(
        max_examples=batch,
        database=None,
        deadline=None,
        derandomize=False,
        phases=(Phase.generate,),  # its shrinker takes minutes for a long table, whatever the time
        suppress_health_check=list(HealthCheck),
    )
    try:
        find(cases_of(asked, aim.topic), wrong, settings=plan, random=random)
        smallest(min(known, key=size_of), smaller_and_wrong, hunter.shrunk)
    except (NoSuchExample, _Over):
        if not target:
            return None
    last = hunter.explained(min(known, key=size_of))
    return Finding(aim.topic, last, target[0], *hunter.after, moved)
