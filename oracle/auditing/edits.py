"""The check of constraints: does every released row meet them?"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from oracle.auditing.checks import AuditedRelease, Check
from oracle.auditing.rendering import half_unit
from refagg.constraints import (
    ROUNDED,
    Constraint,
    missed,
    rounding_of,
    system_of,
    violations,
)
from refagg.data.tables import Table
from refagg.language.number_texts import number_text
from refagg.release.edits import edit_facts


def edit_check(
    case: AuditedRelease, constraints: Sequence[Constraint], tolerance: Fraction
) -> Check:
    """Does each released row meet the constraints, exactly or but for rounding in floats?

    The tolerance is relative to the sum of the absolute terms of an equation, and at least what
    binary64 can do. Where no decimals meet the constraints, what rounding does is granted, too.
    """
    texts, witness = [], []
    loose = rounding_of(system_of(constraints, case.released.numbers.names), 0) is None
    for constraint in constraints:
        granted = _of_decimals(case.released, constraint) if loose else Fraction(0)
        bad = {
            record: size
            for record, size in missed(case.released, constraint, max(tolerance, ROUNDED)).items()
            if size > granted
        }
        [found] = violations(case.released, [constraint])
        if bad:
            record = max(bad, key=lambda r: bad[r])
            texts.append(f"{constraint.text} violated by {len(bad)} of {case.released.n} records")
            witness.append(_witness(case, constraint, record))
        elif found.largest:
            off = number_text(float(found.largest))
            why = "no decimals meet it exactly" if granted else "within the tolerance"
            texts.append(f"{constraint.text} met up to a difference of {off} ({why})")
        else:
            texts.append(f"{constraint.text} met exactly")
    facts = edit_facts(constraints, {"original": case.original, "released": case.released})
    details: dict[str, Any] = {"constraints": facts}
    status = "fails" if witness else "holds"
    return Check("constraints", status, "; ".join(texts), tuple(witness), details)


def _of_decimals(table: Table, constraint: Constraint) -> Fraction:
    """What rounding each value for itself can do to an equation."""
    columns = {column.name: column for column in table.columns}
    parts = (abs(c) * half_unit(columns[name]) for name, c in constraint.coefficients.items())
    return sum(parts, Fraction(0))


def _witness(case: AuditedRelease, constraint: Constraint, record: int) -> str:
    """The record that misses the constraint by most, before and after."""
    texts = []
    for table in (case.released, case.original):
        values = {column.name: column[record] for column in table.columns}
        off = sum((c * values[name] for name, c in constraint.coefficients.items()), Fraction(0))
        parts = ", ".join(f"{name} {number_text(values[name])}" for name in constraint.coefficients)
        texts.append(
            f"{parts}: left side minus right side {number_text(off - constraint.constant)}"
        )
    return f"record {record} is released with {texts[0]} (original {texts[1]})"
