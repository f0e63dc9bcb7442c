"""Severity of failures, as published sets of vectors grade them.

It is graded by what a failure means for a release.
"""

from __future__ import annotations

from oracle.conformance.judge.model import WRONG, Judgement
from oracle.conformance.judge.senseless import senseless

SEVERITIES = (
    "not k-anonymous",
    "wrong",
    "another published variant",
    "documented difference",
    "refuses",
    "accepts invalid input",
)
"""How bad a finding is, the worst first: what it means for those who release, not for those who
wrote the program. A refusal of a valid request releases nothing, and is never called wrong."""


def severity_of(judgement: Judgement, known: str | None = None) -> str:
    """Return how bad a failure is.

    It is "" for an answer that does not fail.

    A failure that is `known` is a difference that the maintainers document.

    >>> from oracle.conformance.judge.model import Answer, Case
    >>> case, refusal = Case("x", "mdav", 1, (("0",),)), Answer(refused="k is 1")
    >>> severity_of(Judgement(case, refusal, "failed", "answered", "a valid request was refused"))
    'refuses'
    """
    if judgement.status not in WRONG:
        return ""
    if known is not None:
        return "documented difference"
    if must_refuse(judgement):
        return "accepts invalid input"
    if judgement.cause.startswith("other-variant/"):
        return "another published variant"
    answer = judgement.answer
    if answer.groups is None and answer.released is None and answer.blocks is None:
        return "refuses"
    return "not k-anonymous" if judgement.check == "k-anonymous" else "wrong"


def verdict_of(judgement: Judgement) -> str:
    """Return the severity of a failure in words.

    A refusal and no answer are distinguished.
    """
    severity = severity_of(judgement)
    silent = severity == "refuses" and judgement.answer.refused is None
    return "no answer" if silent else severity


def must_refuse(judgement: Judgement) -> bool:
    """Return True if the question was invalid input.

    The correct answer to it is a refusal.
    """
    return bool(judgement.must_refuse or senseless(judgement.case))
