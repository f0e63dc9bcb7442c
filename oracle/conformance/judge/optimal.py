"""Check of optimality: a partition's SSE beside the least of any."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from oracle.auditing.cases import JudgedGroups
from oracle.auditing.driver import Check
from oracle.conformance.judge.model import Case
from oracle.conformance.judge.questions import Question, case_scale
from oracle.conformance.judge.sums import rounding
from oracle.conformance.judge.texts import partition_text
from oracle.conformance.judge.values import table_of_case_texts
from refagg.data.standardise import standardise
from refagg.language.number_texts import number_text
from refagg.release.measures import loss_within
from refagg.release.report import loss_names

if TYPE_CHECKING:
    from oracle.optima import Optimum

NEARLY = Fraction(1, 10**9)
"""Relative to the optimum: what a shortest path in binary64 may lose."""


def optimal_check(question: Question, groups: JudgedGroups, seconds: float) -> Check:
    """Check that a partition is optimal.

    An optimum that is not proved in time can still show a better one.
    """
    case, partition = question.case, groups.partition
    scaled = question.scaled()
    found = optimum_of(case, seconds)
    ours, best = loss_within(scaled, partition.groups), found.value
    name = loss_names(scaled.table)[2]
    if found.status == "optimal" and ours == best:
        return Check("optimal", "holds", f"the {name} is the least possible, {number_text(best)}")
    if ours > best:
        if groups.inferred and partition.largest() >= 2 * case.k:
            reason = "equal released rows may be several groups; answer with the groups"
            return Check("optimal", "not judged", reason)
        if ours - best <= NEARLY * best + rounding(scaled):
            text = f"the {name} exceeds the least by only {number_text(ours - best)}"
            return Check("optimal", "holds", text, (), {"flags": ("numerical",)})
        text = f"{name} {number_text(ours)}, but {number_text(best)} is possible"
        return Check("optimal", "fails", text, (partition_text(found.partition.groups),))
    return Check("optimal", "not judged", f"the optimum is not known after {seconds:g} seconds")


def optimum_of(case: Case, seconds: float) -> Optimum:
    """Return the optimum, or its bounds after `seconds`.

    Results are cached.
    """
    return _optimum_of(case.records, case.kinds, case.k, case_scale(case), seconds)


@lru_cache(maxsize=512)
def _optimum_of(
    records: tuple[tuple[str, ...], ...], kinds: tuple[str, ...], k: int, how: str, seconds: float
) -> Optimum:
    from oracle.optima import solve  # needs PuLP, which the other checks do not

    scaled = standardise(table_of_case_texts(records, kinds), how)
    return solve(scaled, k, time_limit=seconds)
