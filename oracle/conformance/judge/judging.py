"""List of checks that judge an answer; the first failure decides.

1. answered: groups or released rows, and no refusal of a request that makes sense;
2. well formed: each record once, values that are numbers;
3. k-anonymous: no group is smaller than the algorithm allows;
4. aggregates: released rows are the aggregates of their groups;
5. SSE: if one is claimed, it is that of the groups;
6. run: the groups are a possible run of the algorithm, under some way of breaking its ties;
   or optimal: no partition has a smaller SSE.

All is judged in exact arithmetic. What only floating point explains passes and is flagged: squared
distances treated as tied that differ by no more than rounding can do (`strictness.py`), a right
answer on the records rounded to binary64. A program that draws its choices is judged up to the
fifth check, unless the case has the seed of a random stream: then it has to draw from that. The
checks of the values of a program that releases centres, or adds noise, are in `drawn` and `noise`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from oracle.auditing.cases import AuditedRelease, JudgedGroups, judged_groups
from oracle.auditing.centres import centres_of
from oracle.auditing.checks import crossing_check, size_check, sizes_check, unsettled, value_check
from oracle.auditing.drawn import Reading
from oracle.auditing.driver import Check, check_at, driven
from oracle.auditing.edits import edit_check
from oracle.auditing.rendering import Granted, hidden
from oracle.auditing.replay import replayed_algorithm, run_check, told_from_rounding
from oracle.conformance.judge.drawn import draw_check, row_check
from oracle.conformance.judge.model import ANY_PARTITION, OPTIMAL, Answer, Case, Judgement
from oracle.conformance.judge.noise import deviate_check, noise_check
from oracle.conformance.judge.parse_answer import Malformed, read_answer
from oracle.conformance.judge.questions import Question, question_of
from oracle.conformance.judge.senseless import CATEGORIES
from oracle.conformance.judge.strictness import TOLERANCE, Strictness
from oracle.conformance.judge.sums import optimal_check, optimum_of, sse_check
from oracle.conformance.judge.texts import partition_text
from oracle.conformance.judge.values import table_in_binary64
from oracle.replay.explore import Undecided, all_partitions
from refagg.data.standardise import standardise
from refagg.errors import BeyondFloats, NotFinite
from refagg.language.partition import Partition
from refagg.release.edits import within

CHECKS = ("answered", "well formed", "k-anonymous", "aggregates", "SSE", "run", "optimal")
"""The checks in their order; a judgement names one of them."""

BEYOND = "beyond 1e-9"
"""The flag of a run that is possible only with a tolerance above TOLERANCE."""


def judge(
    case: Case, answer: Answer, must_refuse: str = "", strict: Strictness | None = None
) -> Judgement:
    """Return the verdict on an answer.

    `must_refuse` says why the request is invalid (a name of CATEGORIES), if it is. Raises an error
    if a case is invalid although it is declared valid: UnknownAlgorithm, InvalidK, KTooLarge,
    NotANumber and others.

    >>> four = Case("doc", "mdav", 2, (("0",), ("1",), ("8",), ("9",)))
    >>> judge(four, Answer(groups=((0, 1), (2, 3)))).status
    'passed'
    >>> wrong = judge(four, Answer(groups=((0, 3), (1, 2))))
    >>> wrong.status, wrong.check, wrong.expected
    ('failed', 'run', ('0 1 | 2 3',))
    """
    if (first := _answered(case, answer, must_refuse)) is not None:
        found = Judgement(case, answer, first.status, "answered", first.summary)
        return replace(found, must_refuse=must_refuse)
    how = strict or Strictness()
    try:
        question = question_of(case)
        reading = read_answer(question, answer)
    except Malformed as reason:
        return Judgement(case, answer, "failed", "well formed", str(reason))
    judged = _judged(case, answer, _checks(question, reading, how))
    if judged.status == "failed" and how.explain:
        return replace(judged, expected=admissible_texts(question))
    return judged


def _answered(case: Case, answer: Answer, must_refuse: str) -> Check | None:
    """Return the check that decides without groups.

    None if groups have to be checked.
    """
    if answer.errored is not None:
        return Check("answered", "errored", answer.errored)
    if answer.unsupported is not None:
        return Check("answered", "unsupported", answer.unsupported)
    if must_refuse:
        if answer.refused is not None:
            return Check("answered", "passed", f"rejected, as expected: {answer.refused}")
        expected = f"an error was expected: {CATEGORIES[must_refuse]}"
        return Check("answered", "failed", f"invalid input was accepted; {expected}")
    if answer.refused is not None and case.kinds:
        return Check("answered", "unsupported", f"declared kinds were refused: {answer.refused}")
    if answer.refused is not None:
        return Check("answered", "failed", f"a valid request was refused: {answer.refused}")
    if answer.groups is None and answer.blocks is None and answer.released is None:
        return Check("answered", "errored", "the answer has neither groups nor released rows")
    return None


def _judged(case: Case, answer: Answer, checks: Iterator[Check]) -> Judgement:
    """Return the judgement of the first check that does not hold.

    If all hold, it is that of the last. Raises Malformed.
    """
    flags: list[str] = []
    reached = next(checks)
    for check in checks:
        flags += [flag for flag in check.details.get("flags", ()) if flag not in flags]
        if status := {"fails": "failed", "not judged": "not judged"}.get(check.status):
            return Judgement(
                case, answer, status, check.name, check.summary, check.witness, flags=tuple(flags)
            )
        reached = check
    return Judgement(case, answer, "passed", reached.name, reached.summary, flags=tuple(flags))


def _checks(question: Question, reading: Reading, strict: Strictness) -> Iterator[Check]:
    """Yield the checks from the second on, one at a time."""
    yield Check("well formed", "holds", f"{question.table.n} records")
    parts = list(_parts(question, reading, strict.granted))
    if not parts:
        yield _untold(question, reading)
        return
    answered: dict[str, object] = {"question": question, "reading": reading, "parts": parts}
    at_hand = [
        {"k": question.case.k, "classes": part.groups.partition, "part": part, "strict": strict}
        for part in parts
    ]
    yield from driven(answered | {"strict": strict}, *at_hand)


@check_at(20)
def sizes(part: AnswerPart) -> Check:
    """Check that no group is too small or crosses strata.

    None is smaller than the algorithm allows, and none has records of two strata.
    """
    return crossing_check(part.groups.partition, part.question.strata) or part.sizes()


@check_at(30)
def values(
    question: Question, reading: Reading, parts: Sequence[AnswerPart], strict: Strictness
) -> Iterator[Check]:
    """Check that released values and the claimed SSE are right.

    Where a run decides which groups have them, values are judged by it.
    """
    replayed = question.case.claim not in (OPTIMAL, ANY_PARTITION)
    if reading.released is not None or question.draws_values:
        for part in parts:
            found = part.values(strict)
            if not (replayed and unsettled(found)):
                yield found
            yield from part.edits(strict)
    elif question.constraints:
        reason = "constraints are checked on released values; the answer has only groups"
        yield Check("aggregates", "not judged", reason)
    if reading.sse is not None and not question.case.kinds:
        yield sse_check(question, reading, strict)


@check_at(50)
def optimal(question: Question, parts: Sequence[AnswerPart], strict: Strictness) -> Check | None:
    """Check a claim that no partition has a smaller SSE."""
    if question.case.claim != OPTIMAL:
        return None
    return optimal_check(question, parts[0].groups, strict.seconds)


@check_at(50)
def run(part: AnswerPart, strict: Strictness) -> Check | None:
    """Check that the groups are a possible run, where that is claimed."""
    return None if part.question.case.claim in (OPTIMAL, ANY_PARTITION) else part.run(strict)


def _untold(question: Question, reading: Reading) -> Check:
    """Return the check of an answer without groups of blocks.

    Groups of blocks, or of attributes, are asked for and not answered.
    """
    if question.case.blocks:
        found = "one partition" if reading.partition else "no groups"
        expected = f"each of {len(question.blocks)} blocks has its own: answer `blocks`"
        reason = f"the answer has {found}, but {expected}, or released values"
        return Check("well formed", "fails", reason)
    reason = "each attribute has its own groups; one partition cannot show them: release the values"
    return Check("k-anonymous", "not judged", reason)


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """Attributes that were grouped together: all of them, mostly."""

    question: Question
    audited: AuditedRelease
    groups: JudgedGroups
    reading: Reading

    @property
    def released(self) -> bool:
        """Return True if the answer has released values."""
        return self.reading.released is not None

    def sizes(self) -> Check:
        least = self.question.least
        if self.released:
            check = size_check(replace(self.audited, k=least), self.groups)
        else:
            check = sizes_check(self.groups.partition, least)
        large = large_groups(self.groups.partition, self.question.case.k)
        return flagged(replace(check, name="k-anonymous"), large)

    def values(self, strict: Strictness) -> Check:
        if self.question.centres:
            return row_check(self.question, self.reading, strict)
        if self.question.noise:
            return noise_check(self.question, self.reading.released, strict)
        check = value_check(self.audited, self.groups)
        written = [name for name in check.details.get("renderings", {}) if "rounded" in name]
        return flagged(replace(check, name="aggregates"), *written)

    def edits(self, strict: Strictness) -> Iterator[Check]:
        """Check that the released values meet the constraints."""
        if self.audited.centres:
            check = edit_check(self.audited, self.audited.centres.constraints, strict.granted)
            yield replace(check, name="aggregates")

    def run(self, strict: Strictness) -> Check:
        """Check that the groups are a possible run.

        It is a run of the records as they are or rounded to binary64.

        A tolerance above TOLERANCE is used only where nothing else explains the groups. What
        rounding hides is not judged, where no tolerance is asked for.
        """
        check = self._explained(strict)
        asked = strict.tolerance is not None or self.question.draws_values
        if asked or strict.of_distances(self.question) <= TOLERANCE:
            return check
        return told_from_rounding(check, hidden(self.question.table, strict.roundoff))

    def _explained(self, strict: Strictness) -> Check:
        rounded = self._rounded()
        most = strict.of_distances(self.question)
        least = most if self.question.draws_values else min(most, TOLERANCE)
        for tolerance in sorted({most, least}):
            check = self._run(self.audited, tolerance, strict)
            if check.status != "fails":
                return check
            again = rounded and self._run(rounded, tolerance, strict)
            if again and again.status == "holds":
                return flagged(again, *again.details["flags"], "records in binary64")
        return check

    def _rounded(self) -> AuditedRelease | None:
        """Return the case with records rounded to binary64.

        None where that does not change them.
        """
        try:
            original = table_in_binary64(self.audited.original)
        except NotFinite:
            return None
        if original == self.audited.original:
            return None
        return replace(self.audited, original=original)

    def _run(self, audited: AuditedRelease, tolerance: Fraction, strict: Strictness) -> Check:
        try:
            check = self._replayed(audited, tolerance, strict)
        except (OverflowError, BeyondFloats):
            return Check("run", "not judged", "the values are outside the range of binary64")
        numerical = str(check.details.get("verdict", "")).startswith("numerical")
        beyond = check.status == "holds" and check.details.get("tolerance_needed", 0) > TOLERANCE
        flags = ("numerical" if numerical else "", BEYOND if beyond else "")
        return flagged(replace(check, name="run"), *flags)

    def _replayed(self, audited: AuditedRelease, tolerance: Fraction, strict: Strictness) -> Check:
        question = self.question
        if question.centres:
            return draw_check(question, audited.original, self.reading, strict)
        if question.noise:
            return deviate_check(question, audited.original, audited.released, strict)
        bounds = strict.limit, strict.replay_seconds, strict.floats, strict.blame
        return run_check(audited, self.groups, question.stated_method, tolerance, *bounds)


def _parts(question: Question, reading: Reading, granted: Granted) -> Iterator[AnswerPart]:
    """Yield the parts of an answer.

    All attributes are one part, or each block that is grouped by itself is.
    """
    told = reading.blocks or [None if question.by_attribute else reading.partition]
    if question.by_attribute and reading.blocks is None:
        if reading.released is None:
            return
        told = [None] * len(question.blocks)
    for names, partition in zip(question.blocks, told, strict=True):
        table = question.table.select(names)
        released = reading.released.select(names) if reading.released else None
        bound = within(question.constraints, names) if question.constraints else ()
        audited = AuditedRelease(
            table,
            released or table,
            question.case.k,
            partition,
            question.strata,
            question.aggregates,
            centres_of(bound, standardise(table, question.scale)) if bound else None,
            question.method.publishing() if question.method else None,
        )
        if released:
            groups = judged_groups(audited, granted)
        else:
            assert partition is not None  # an answer has one of them
            groups = JudgedGroups(partition, False, ())
        yield AnswerPart(question, audited, groups, reading)


def flagged(check: Check, *flags: str) -> Check:
    """Return the check with the non-empty flags among these."""
    return replace(check, details=check.details | {"flags": tuple(filter(None, flags))})


def large_groups(partition: Partition, k: int) -> str:
    """Return the flag of groups of 2k records or more.

    It is empty if there are none.
    """
    return "large groups" if partition.largest() >= 2 * k else ""


MOST_LISTED, MOST_RUNS, MOST_RECORDS = 12, 200, 60


def admissible_texts(question: Question) -> tuple[str, ...]:
    """Return admissible partitions as texts "0 1 2 | 3 4 5".

    None are returned where they are many, or unknown.
    """
    case, method = question.case, question.method
    if case.claim == OPTIMAL:
        known = optimum_of(case, 1.0)
        return (partition_text(known.partition.groups),) if known.status == "optimal" else ()
    if method is None or question.draws_values or question.by_attribute:
        return ()
    unknown_draws = method.specification.random and method.seed is None
    if unknown_draws or question.table.n > MOST_RECORDS:
        return ()
    try:
        space = method.space(method.grouping(question.table))
        partitions = all_partitions(replayed_algorithm(method, space), MOST_RUNS)
    except (Undecided, OverflowError, BeyondFloats):
        return ()
    if len(partitions) > MOST_LISTED:
        return ()
    return tuple(sorted(partition_text(partition.groups) for partition in partitions))
