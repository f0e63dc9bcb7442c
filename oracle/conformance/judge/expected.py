"""The answers that would have been right, where they are few enough to be listed."""

from __future__ import annotations

from oracle.auditing.replay import replayed_algorithm
from oracle.conformance.judge.model import OPTIMAL
from oracle.conformance.judge.optimal import optimum_of
from oracle.conformance.judge.questions import Question
from oracle.conformance.judge.texts import partition_text
from oracle.replay.explore import Undecided, all_partitions
from refagg.errors import BeyondFloats

MOST_LISTED, MOST_RUNS, MOST_RECORDS = 12, 200, 60


def admissible_texts(question: Question) -> tuple[str, ...]:
    """The admissible partitions as texts "0 1 2 | 3 4 5"; none where they are many, or unknown."""
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
