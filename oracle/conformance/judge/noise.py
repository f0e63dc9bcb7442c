"""Checks of noise that is added to values.

They are what can be said of an answer.

Without the seed of a random stream: a value that nothing can change is released as it is, of a
constant attribute or without noise; and no deviate is as large as LARGEST. With a seed all
deviates are known. By how much rounding changes them is found out by trying (`disturbed`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt

from oracle.auditing.drawn import Allowed, allowed_for, margins_of, ranges_of
from oracle.auditing.driver import Check
from oracle.auditing.replay import without_seed
from oracle.conformance.judge.questions import Question
from oracle.conformance.judge.strictness import Strictness
from refagg.algorithms.noise.gaussian_noise import float_root
from refagg.data.standardise import variance
from refagg.data.tables import Column, Table
from refagg.language.number_texts import number_text
from refagg.release.method import Method
from refagg.spaces.binary64 import FloatSpace

LARGEST = 13
"""Of a uniform number with 53 bits the polar method makes no deviate of this size: s is at least
2^-104, and |u| at most the root of s, so that it is at most the root of 208 ln 2."""

SEEDS = (1, -1)
STABLE = Fraction(1, 1000)
"""Deviates that perturbations change by more than this share of a range are not determined."""

Deviations = Sequence[Sequence[float]]
"""For each record what is added to its values."""


def noise_check(question: Question, released: Table | None, strict: Strictness) -> Check:
    """Check that these values can be the records with noise.

    They may be so for any draws.
    """
    if released is None:
        return Check(
            "aggregates", "fails", "the answer has groups, but values with noise were expected"
        )
    share = LARGEST * sqrt(question.stated_method.parameters["amount"] * len(released.columns))
    allowed = allowed_for(question.table, released, strict.of_distances(question))
    columns = zip(question.table.columns, released.columns, strict=True)
    for j, (ours, theirs) in enumerate(columns):
        most = Fraction(share) * Fraction(spread_of(ours))
        for record in range(released.n):
            if abs(ours[record] - theirs[record]) > most + allowed.at(j, ours[record]):
                line = (
                    f"record {record}: {ours.name} is released with {number_text(theirs[record])}"
                )
                line += f", which was {number_text(ours[record])}"
                text = "a value is changed by more than the noise allows" if share else _UNCHANGED
                return Check("aggregates", "fails", text, (line,))
    return Check("aggregates", "holds", "no value is changed by more than the noise allows")


_UNCHANGED = "a value is changed where there is no noise"


def spread_of(column: Column) -> float:
    """Return the standard deviation of an attribute."""
    square = variance(column, "population")
    return float_root(square) if square else 0.0


def deviate_check(question: Question, table: Table, released: Table, strict: Strictness) -> Check:
    """Check that the deviates are those of the random stream.

    `table` are the records, perhaps rounded.
    """
    method = question.stated_method
    if unseeded := without_seed(method):
        return Check("run", "not judged", unseeded)
    tolerance = strict.of_distances(question)
    own, allowed = deviations(table, method), allowed_for(table, released, tolerance)
    stray = _stray(table, released, own, allowed)
    if stray is None:
        return Check("run", "holds", f"the seed {method.seed} gives this")
    margins, ranges = margins_of(table, tolerance), ranges_of(table)
    others = [deviations(margins.disturbed(table, seed), method) for seed in SEEDS]
    moved = [_apart(own, others, j) for j in range(len(ranges))]
    stray = _stray(table, released, own, allowed.wider([2 * m for m in moved]))
    if stray is None:
        return Check("run", "holds", f"the seed {method.seed} gives this, up to rounding")
    if any(m > STABLE * width for m, width in zip(moved, ranges, strict=True)):
        return Check("run", "not judged", "with these records, the noise depends on rounding")
    return Check("run", "fails", f"the seed {method.seed} gives a different answer", (stray,))


def _stray(table: Table, released: Table, own: Deviations, allowed: Allowed) -> str | None:
    """Return, in words, the first value that is wrong.

    It is not the record's with its deviation.
    """
    for j, (ours, theirs) in enumerate(zip(table.columns, released.columns, strict=True)):
        for record, deviation in enumerate(own):
            expected = ours[record] + Fraction(deviation[j])
            if abs(theirs[record] - expected) > allowed.at(j, expected):
                return (
                    f"record {record}: {ours.name} is released with "
                    f"{number_text(theirs[record])}; the seed gives {number_text(expected)}"
                )
    return None


def _apart(own: Deviations, others: Sequence[Deviations], j: int) -> Fraction:
    """Return the greatest change of the deviations of an attribute by perturbations."""
    pairs = [(a[j], b[j]) for other in others for a, b in zip(own, other, strict=True)]
    return max(abs(Fraction(a - b)) for a, b in pairs)


def deviations(table: Table, method: Method) -> Deviations:
    """Return for each record the deviations of its values.

    They are added to its values.
    """
    space, choices = FloatSpace(method.scaled(table)), method.new_choices()
    found: Deviations = method.specification.run(space, method.k, choices, **method.parameters)
    return found
