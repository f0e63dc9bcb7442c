"""Checks of a claimed SSE, and of optimality.

A claimed SSE is checked against that of its groups, the SSE of a partition beside the least of any.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import inf, sqrt
from typing import TYPE_CHECKING

from oracle.auditing.cases import JudgedGroups
from oracle.auditing.centres import largest_of
from oracle.auditing.drawn import Reading
from oracle.auditing.driver import Check
from oracle.conformance.judge.model import Case
from oracle.conformance.judge.parse_answer import number_claimed
from oracle.conformance.judge.questions import Question, case_scale
from oracle.conformance.judge.strictness import Strictness
from oracle.conformance.judge.texts import partition_text
from oracle.conformance.judge.values import table_of_case_texts
from refagg.data.standardise import Scaled, standardise
from refagg.data.tables import Column
from refagg.errors import NotANumber, NotFinite
from refagg.language.number_texts import number_text
from refagg.language.partition import Partition
from refagg.release.measures import loss_within, release_sse, sse, sst
from refagg.release.report import loss_names

if TYPE_CHECKING:
    from oracle.optima import Optimum

OF_SSE = Fraction(5, 10**6)
"""Half a unit of the last of six significant digits, at most: what a program may print."""

OF_SST = Fraction(1, 10**9)


def sse_check(question: Question, reading: Reading, strict: Strictness) -> Check:
    """Return the check of the claimed SSE.

    It may be off by 5e-6 of the SSE, which is six significant digits, by 1e-9 of the SST, and by
    what rounding the records, and centroids that are simple sums, may change. It is never negative
    and never NaN.
    """
    tolerance = strict.of_sums(question)
    assert reading.sse is not None
    try:
        claimed = number_claimed(reading.sse)
    except (NotANumber, NotFinite) as reason:
        return Check("SSE", "fails", str(reason))
    if claimed < 0:
        return Check("SSE", "fails", f"a negative SSE is claimed: {number_text(claimed)}")
    scaled = question.scaled()
    if reading.partition is not None and question.releases_means:
        exact = sse(scaled, reading.partition)
    elif reading.blocks is not None and question.releases_means:
        exact = _of_blocks(question, reading.blocks)
    elif reading.released is None:
        return Check("SSE", "not judged", "the answer has no values for its SSE")
    else:
        exact = release_sse(scaled, reading.released)
    allowed = max(OF_SSE, tolerance) * exact + max(OF_SST, tolerance) * sst(scaled)
    if abs(claimed - exact) <= allowed + rounding(scaled) + _centroids(scaled, strict.roundoff):
        return Check("SSE", "holds", f"the SSE is {number_text(exact)}")
    text = f"SSE {number_text(claimed)} is claimed; that of the groups is {number_text(exact)}"
    return Check("SSE", "fails", text)


def _of_blocks(question: Question, partitions: Sequence[Partition]) -> Fraction:
    """Return the SSE of attributes that have groups of their own."""
    how = question.case.standardise
    tables = [question.table.select(names) for names in question.blocks]
    parts = zip(tables, partitions, strict=True)
    return sum((sse(standardise(table, how), part) for table, part in parts), Fraction(0))


def rounding(scaled: Scaled) -> Fraction:
    """Return the change of an SSE by rounding records to binary64.

    It is 0 if they are floats.
    """
    errors = sum(
        (w * _error(c) ** 2 for c, w in zip(scaled.table.columns, scaled.weights, strict=True)),
        Fraction(0),
    )
    if not errors:
        return Fraction(0)
    return 2 * _root(scaled.n * sst(scaled) * errors) + scaled.n * errors


def _centroids(scaled: Scaled, roundoff: Fraction) -> Fraction:
    """Return the growth of an SSE by rounded centroids.

    Each centroid is a rounded sum of its values, divided.
    """
    pairs = zip(scaled.table.columns, scaled.weights, strict=True)
    squares = sum((weight * largest_of(column) ** 2 for column, weight in pairs), Fraction(0))
    return scaled.n * squares * ((scaled.n + 1) * roundoff) ** 2


def _error(column: Column) -> Fraction:
    """Return the greatest distance of a value to its nearest float."""
    try:
        return max(
            abs(v - Fraction(float(v))) for v in column.values(range(len(column.numerators)))
        )
    except OverflowError:
        return Fraction(0)


def _root(value: Fraction) -> Fraction:
    """Return the square root of a number, or a little more."""
    try:
        found = sqrt(value)
    except OverflowError:
        found = inf
    return Fraction(found) * 2 if 0 < found < inf else value + Fraction(1, 10**150)


# Optimality

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
