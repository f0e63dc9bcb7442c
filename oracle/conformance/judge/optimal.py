"""Is a partition optimal? Its SSE beside the least that any partition has."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from oracle.auditing.ladder import Groups, Rung
from oracle.conformance.judge.questions import Question
from oracle.conformance.judge.sums import rounding
from oracle.conformance.judge.texts import partition_text
from oracle.conformance.judge.values import table_of_texts
from refagg.data.standardise import standardise
from refagg.language.numerals import number_text
from refagg.release.measures import sse

if TYPE_CHECKING:
    from oracle.optima import Optimum

NEARLY = Fraction(1, 10**9)
"""Relative to the optimum: what a shortest path in binary64 may lose."""


def optimal_rung(question: Question, groups: Groups, seconds: float) -> Rung:
    """The rung of optimality; an optimum that is not proved in time can still show a better one."""
    case, partition = question.case, groups.partition
    scaled = question.scaled()
    found = optimum_of(case.records, case.k, case.standardise, seconds)
    ours, best = sse(scaled, partition), found.value
    if found.status == "optimal" and ours == best:
        return Rung("optimal", "holds", f"the least SSE, {number_text(best)}")
    if ours > best:
        if groups.inferred and partition.largest() >= 2 * case.k:
            reason = "rows released alike may be several groups; tell the groups"
            return Rung("optimal", "not judged", reason)
        if ours - best <= NEARLY * best + rounding(scaled):
            text = f"the least SSE but for {number_text(ours - best)}"
            return Rung("optimal", "holds", text, (), {"flags": ("numerical",)})
        text = f"SSE {number_text(ours)}, but {number_text(best)} is possible"
        return Rung("optimal", "fails", text, (partition_text(found.partition.groups),))
    return Rung("optimal", "not judged", f"the optimum is not known after {seconds:g} seconds")


@lru_cache(maxsize=512)
def optimum_of(records: tuple[tuple[str, ...], ...], k: int, how: str, seconds: float) -> Optimum:
    """What is known of the optimum after so long; the same question is answered once."""
    from oracle.optima import solve  # needs PuLP, which the other rungs do not

    return solve(standardise(table_of_texts(records), how), k, time_limit=seconds)
