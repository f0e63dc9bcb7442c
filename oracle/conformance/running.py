"""Run of the vectors of a claim, and judgement of the answers.

Each answer is judged on the list of checks, and compared with the partitions that the vector
lists, if it lists any: these two ways to a verdict share no code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from oracle.conformance.judge.causes import reason_of
from oracle.conformance.judge.judging import judge
from oracle.conformance.judge.model import BY_STATUS, OPTIMAL, Adapter, Answer, Judgement
from oracle.conformance.judge.severity import must_refuse
from oracle.conformance.judge.strictness import Strictness
from oracle.conformance.judge.texts import partition_text
from oracle.conformance.vectors import Vector, meets, meets_blocks
from refagg.catalogue import CATALOGUE
from refagg.errors import NotANumber, NotFinite
from refagg.language.number_texts import number_of
from refagg.terminal import NOW, kept

EXPLAINED = ("numerical", "records in binary64")
"""Flags of answers that are right only in floating point: no vector lists these."""

REPEATABLE = "repeatable"
"""The check that the same question has the same answer twice."""

PATIENCE = 3
"""Answers that are awaited in vain before no more is asked."""

FORMAL = 5
"""Answers to valid requests that fail for one formal reason before no more is asked."""

SPREAD = 16
"""Questions of all sizes that are asked first, so that a formal reason shows on each."""

NOT_ASKED = "not asked"
"""The beginning of the reason of a judgement that is none."""


@dataclass(frozen=True, slots=True)
class Asking:
    """The way in which an implementation is asked.

    `seconds` is the time for one answer. A program that `may_vary` may answer the same question
    differently the second time; every other is asked twice.
    """

    seconds: float = 10.0
    strict: Strictness | None = None
    may_vary: bool = False


def run_cases(
    adapter: Adapter, vectors: Iterable[Vector], asking: Asking | None = None
) -> Iterator[Judgement]:
    """Yield the verdicts on the answers to some vectors.

    Some of all sizes come first.

    Where not one of the first PATIENCE answers comes in time, or the first FORMAL answers to valid
    requests fail for one formal reason, the other vectors are not asked. A refusal is no such
    reason, but one exit status for the first SPREAD is: it does not tell a refusal from a crash.
    """
    how = asking or Asking()
    questions = _spread(list(vectors))
    first: list[Judgement] = []
    NOW.counts(len(questions), "vectors")
    for number, vector in enumerate(questions):
        NOW.step(number)
        if stop := hopeless(first, how.seconds):
            yield Judgement(vector.case, Answer(), "not judged", "answered", f"{NOT_ASKED}: {stop}")
            continue
        NOW.starts(f"asking {vector.case.id}")
        judgement = None
        with kept():
            judgement = judge_vector(vector, adapter(vector.case, how.seconds), how.strict)
            spec = CATALOGUE.get(vector.case.claim)
            draws = vector.case.seed is None and spec is not None and spec.random
            if judgement.status in ("passed", "not judged") and not (how.may_vary or draws):
                judgement = repeated(judgement, adapter(vector.case, how.seconds))
        if judgement is None or NOW.interrupted:
            return
        if len(first) < SPREAD and judgement.status != "unsupported":
            first += [] if must_refuse(judgement) else [judgement]
        yield judgement
    NOW.step(len(questions))


def _spread(questions: Sequence[Vector]) -> list[Vector]:
    """Return the questions, with some of all sizes first.

    About SPREAD of all of them are first, as far apart as they can be.
    """
    step = max(1, len(questions) // SPREAD)
    return [*questions[::step], *(q for i, q in enumerate(questions) if i % step)]


def hopeless(first: Sequence[Judgement], seconds: float) -> str:
    """Return why nothing more need be asked.

    It is decided after the first answers; empty if there is no reason.

    >>> from oracle.conformance.judge.model import Case
    >>> crash = Judgement(Case("x", "md", 1, ()), Answer(), "errored", "answered", "crash 7")
    >>> hopeless([crash] * 4, 1.0), hopeless([crash] * 5, 1.0)
    ('', 'all of the first 5 answers fail for one reason: crash 7')
    """
    late = [bool(one.answer.errored) and one.answer.seconds >= seconds for one in first]
    if len(late) >= PATIENCE and all(late):
        return f"none of the first {PATIENCE} answers came in time"
    if len(first) < FORMAL or len(set(map(reason_of, first))) > 1:
        return ""
    reason = f"all of the first {len(first)} answers fail for one reason: {first[0].reason}"
    if all(one.status == "errored" or one.check == "well formed" for one in first):
        return reason
    refusals = [one.answer.refused or "" for one in first]
    if len(first) == SPREAD and all(text.startswith(BY_STATUS) for text in refusals):
        return f"{reason}; run the command by hand: does it start?"
    return ""


def judge_vector(vector: Vector, answer: Answer, strict: Strictness | None = None) -> Judgement:
    """Return the verdict on the answer to a vector.

    It is reached by the list of checks and by what the vector lists.
    """
    expected = vector.expectation
    if expected.kind == "reject":
        judged = judge(vector.case, answer, expected.category, strict)
        category = (f"input to be rejected: {expected.category}",)
        return judged if judged.status == "passed" else replace(judged, expected=category)
    judged = judge(vector.case, answer, strict=strict)
    if judged.status in ("passed", "not judged"):
        judged = _compared(vector, judged)
    if judged.status == "failed" and not judged.expected:
        judged = replace(judged, expected=tuple(map(partition_text, expected.partitions)))
    return judged


def repeated(judgement: Judgement, again: Answer) -> Judgement:
    """Return the verdict on a program that was asked twice.

    Both times it was asked the same question.
    """
    if _essence(judgement.answer) == _essence(again):
        return judgement
    told = again if again.errored is not None or again.refused is not None else judgement.answer
    return replace(
        judgement,
        answer=told,
        status="failed",
        check=REPEATABLE,
        reason="the same question was answered differently the second time",
        witness=(f"first: {answer_text(judgement.answer)}", f"then: {answer_text(again)}"),
    )


def answer_text(answer: Answer) -> str:
    """Return an answer in a line."""
    parts = []
    if answer.groups is not None:
        parts.append(_groups_text(answer.groups))
    if answer.blocks is not None:
        parts += [f"block {j}: {_groups_text(b)}" for j, b in enumerate(answer.blocks)]
    if answer.released is not None:
        parts.append("released " + "; ".join(" ".join(row) for row in answer.released))
    if answer.sse is not None:
        parts.append(f"SSE {answer.sse}")
    for name in ("refused", "unsupported", "errored"):
        if getattr(answer, name) is not None:
            parts.append(f"{name}: {getattr(answer, name)}")
    text = ", ".join(parts) or "nothing"
    return text if len(text) <= 2000 else f"{text[:2000]}..."


def _groups_text(groups: Sequence[Sequence[int]]) -> str:
    """Return the groups on one line.

    Empty ones, which are not allowed, are counted.

    >>> _groups_text([(0, 2), (), (1,), ()])
    '0 2 | 1 | 2 empty groups'
    """
    empty = sum(not group for group in groups)
    text = partition_text(group for group in groups if group)
    count = f"{empty} empty group{'s' if empty > 1 else ''}" if empty else ""
    return " | ".join(filter(None, (text, count)))


def _compared(vector: Vector, judged: Judgement) -> Judgement:
    """Return the verdict, after a look at what the vector expects."""
    expected, groups = vector.expectation, judged.answer.groups
    if expected.released and not _stays(expected.released, judged.answer):
        reason = "a value that must not change was changed"
        return replace(judged, status="failed", check="aggregates", reason=reason)
    if any(flag in EXPLAINED for flag in judged.flags):
        return judged
    if judged.answer.blocks is not None and expected.blocks:
        if meets_blocks(vector, judged.answer.blocks):
            return judged
        reason = "none of the partitions of the blocks that the vector expects"
        return replace(judged, status="failed", check="run", reason=reason)
    if groups is None or expected.blocks or (expected.least is None and not expected.partitions):
        return judged
    if meets(vector, groups):
        if judged.status == "not judged" and judged.check == "run" and expected.partitions:
            reason = "one of the possible partitions"
            return replace(judged, status="passed", check="run", reason=reason, witness=())
        return judged
    reason = "none of the partitions that the vector expects"
    check = "optimal" if vector.case.claim == OPTIMAL else "run"
    return replace(judged, status="failed", check=check, reason=reason)


def _stays(rows: tuple[tuple[str | None, ...], ...], answer: Answer) -> bool:
    """Return True if the release has the expected values.

    None stands for any value.
    """
    if answer.released is None:
        return True
    try:
        return all(
            told is None or number_of(told, "") == number_of(value, "")
            for row, released in zip(rows, answer.released, strict=True)
            for told, value in zip(row, released, strict=True)
        )
    except (NotANumber, NotFinite, ValueError):
        return False


def _essence(answer: Answer) -> tuple[object, ...]:
    """Return an answer without group order and time.

    The order is that of its groups, the time is what it took.
    """
    groups = answer.groups and sorted(tuple(sorted(group)) for group in answer.groups)
    blocks = answer.blocks and [sorted(map(sorted, groups)) for groups in answer.blocks]
    refused = answer.refused is not None
    return groups, blocks, answer.released, answer.sse, refused, answer.unsupported, answer.errored
