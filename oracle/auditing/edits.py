"""The check of constraints: does every released row meet them?"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from oracle.auditing import rendering
from oracle.auditing.cases import AuditedRelease
from oracle.auditing.centres import largest_of
from oracle.auditing.driver import Check, check_at
from refagg.constraints.checking import missed, violations
from refagg.constraints.equations import Constraint
from refagg.constraints.rounding import rounding_of
from refagg.constraints.system import system_of
from refagg.language.number_texts import digits_of, number_text
from refagg.release.edits import edit_facts

AS_WRITTEN = 15
"""Programs that write so many significant digits of floats, or more, round each value by itself."""


@check_at(40)
def edit_check(
    case: AuditedRelease, constraints: Sequence[Constraint], granted: rendering.Granted
) -> Check:
    """Check that each released row meets the constraints.

    They are to be met exactly, or up to rounding in floats.

    Each value may be off by what rounding does to a value of its column, and by half a unit of the
    last significant digit if there are as many as programs write. A tolerance is relative to the
    sum of the absolute terms of an equation. Where no decimals meet the constraints, half a unit of
    the last decimal is granted, too.
    """
    texts, witness = [], []
    loose = rounding_of(system_of(constraints, case.released.numbers.names), 0) is None
    for constraint in constraints:
        off = missed(case.released, constraint, granted.tolerance)
        slack = _Slack(case, constraint, granted, loose) if off else None
        bad = {record: size for record, size in off.items() if slack and size > slack.of(record)}
        [found] = violations(case.released, [constraint])
        if bad:
            record = max(bad, key=lambda r: bad[r])
            texts.append(f"{constraint.text} violated by {len(bad)} of {case.released.n} records")
            witness.append(_witness(case, constraint, record))
        elif found.largest:
            size = digits_of(found.largest, 12)
            why = "no decimals meet it exactly" if loose else "by rounding"
            why = "within the tolerance" if granted.tolerance else why
            texts.append(f"{constraint.text} met up to a difference of {size} ({why})")
        else:
            texts.append(f"{constraint.text} met exactly")
    facts = edit_facts(constraints, {"original": case.original, "released": case.released})
    details: dict[str, Any] = {"constraints": facts}
    status = "fails" if witness else "holds"
    return Check("constraints", status, "; ".join(texts), tuple(witness), details)


class _Slack:
    """The effect of rounding on an equation."""

    def __init__(
        self, case: AuditedRelease, constraint: Constraint, granted: rendering.Granted, loose: bool
    ) -> None:
        self._labels = case.classes().labels()
        self._sizes = case.classes().groups
        self._terms, self._places = [], Fraction(0)
        for j, column in enumerate(case.released.columns):
            if factor := abs(constraint.coefficients.get(column.name, Fraction(0))):
                places = rendering.decimal_places(column)
                digits = 0 if places is None else rendering.written_digits(column, places)
                self._terms.append((factor, column, digits, _magnitude(case, j)))
                self._places += factor * rendering.half_unit(column) if loose else 0
        self._roundoff = granted.roundoff
        together = case.centres.solved_together(case.original) if case.centres else 0
        self._together = Fraction(together)

    def of(self, record: int) -> Fraction:
        """Return the slack for the row of a record."""
        size = len(self._sizes[self._labels[record]])
        found = self._places
        for factor, column, digits, most in self._terms:
            rounding = rendering.of_mean(size, most, Fraction(0), self._roundoff)
            if digits >= AS_WRITTEN:
                rounding += rendering.half_digit(column[record], digits)
            found += factor * rounding
        return found + rendering.of_mean(size, self._together, Fraction(0), self._roundoff)


def _magnitude(case: AuditedRelease, position: int) -> Fraction:
    """Return the greatest size of a column's numbers, enlarged by solving equations.

    Normal equations have the square of the condition.
    """
    columns = case.original.columns[position], case.released.columns[position]
    condition = case.centres.conditions[position] if case.centres else 1
    return max(map(largest_of, columns)) * condition**2


def _witness(case: AuditedRelease, constraint: Constraint, record: int) -> str:
    """Return the record that misses the constraint by most, before and after."""
    texts = []
    for table in (case.released, case.original):
        values = {column.name: column[record] for column in table.columns}
        left = sum(c * values[name] for name, c in constraint.coefficients.items())
        off = left - constraint.constant
        parts = ", ".join(f"{name} {number_text(values[name])}" for name in constraint.coefficients)
        texts.append(f"{parts}: left side minus right side {number_text(off)}")
    return f"record {record} is released with {texts[0]} (original {texts[1]})"
