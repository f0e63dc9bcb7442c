"""Findings of hunts by their causes.

Those of one cause share a name; the smallest input comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from oracle.conformance.judge.causes import VALUES, cause_of, led_by, shared_names
from oracle.conformance.judge.model import Judgement
from oracle.conformance.judge.sizes import size_of
from refagg.language.lists import by_key
from refagg.notebook import brief

if TYPE_CHECKING:
    from oracle.conformance.hunting.strategies import Topic


@brief
class Finding:
    """Smallest counterexample, with its judgement.

    It also has the judgement of the case it was shrunk from.
    """

    topic: Topic
    judgement: Judgement
    first: Judgement
    tries: int
    """Questions until it was found, those that made earlier findings smaller included."""
    seconds: float
    by_values: bool = False
    """Is the same table near 0 answered rightly, so that it is the values that matter?"""
    proof: str = ""
    """Of which smaller tables all were asked; empty: it is not proved to be the smallest."""


@brief
class Cause:
    """The cause that some findings share; the first finding is the smallest."""

    name: str
    findings: tuple[Finding, ...]

    @property
    def smallest(self) -> Finding:
        return self.findings[0]

    @property
    def ids(self) -> set[str]:
        """The ids of all questions that it was found in."""
        return {one.case.id for f in self.findings for one in (f.judgement, f.first)}


def cause_name(finding: Finding) -> str:
    """Return the name of the cause of a finding.

    It includes the kind of values if they cause it.
    """
    name = cause_of(finding.judgement)
    return f"{name}/{finding.topic.values}{VALUES}" if finding.by_values else name


def causes(findings: Sequence[Finding]) -> list[Cause]:
    """Return the findings by causes, smallest input first."""
    ordered = sorted(findings, key=lambda one: tuple(size_of(one.judgement.case)[:4]))
    plain = [finding for finding in ordered if not finding.by_values]
    shared = iter(shared_names([finding.judgement for finding in plain]))
    named = by_key((cause_name(f) if f.by_values else next(shared), f) for f in ordered)
    return [
        Cause(name, tuple(replace(f, judgement=led_by(f.judgement, name)) for f in ones))
        for name, ones in named.items()
    ]
