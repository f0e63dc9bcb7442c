"""The rung of constraints: does every released row meet them?"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from oracle.audit.ladder import Case, Rung
from refagg.constraints import Constraint, residuals_of, violations
from refagg.edits import edit_facts
from refagg.tables import Table
from refagg.trace import number_text


def edit_rung(case: Case, constraints: Sequence[Constraint], tolerance: Fraction) -> Rung:
    """Does each released row meet the constraints, exactly or but for rounding in floats?

    The tolerance is relative to the sum of the absolute terms of an equation.
    """
    texts, witness = [], []
    for constraint in constraints:
        [found] = violations(case.released, [constraint])
        bad = _beyond(case.released, constraint, tolerance)
        if bad:
            record = max(bad, key=lambda r: bad[r])
            texts.append(f"{constraint.text} violated by {len(bad)} of {case.released.n} records")
            witness.append(_witness(case, constraint, record))
        elif found.count_violated:
            off = number_text(float(found.largest))
            texts.append(f"{constraint.text} met but for {off} at most, within the tolerance")
        else:
            texts.append(f"{constraint.text} met exactly")
    facts = edit_facts(constraints, {"original": case.original, "released": case.released})
    details: dict[str, Any] = {"constraints": facts}
    status = "fails" if witness else "holds"
    return Rung("constraints", status, "; ".join(texts), tuple(witness), details)


def _beyond(table: Table, constraint: Constraint, tolerance: Fraction) -> dict[int, Fraction]:
    """The records that miss the constraint by more than the tolerance, and by how much."""
    off, denominator = residuals_of(table, constraint)
    missed = {record: Fraction(abs(x), denominator) for record, x in enumerate(off) if x}
    return {
        record: size
        for record, size in missed.items()
        if size > tolerance * _terms(table, constraint, record)
    }


def _terms(table: Table, constraint: Constraint, record: int) -> Fraction:
    values = dict(zip(table.names, table.row(record), strict=True))
    parts = (abs(c * values[name]) for name, c in constraint.coefficients.items())
    return abs(constraint.constant) + sum(parts, Fraction(0))


def _witness(case: Case, constraint: Constraint, record: int) -> str:
    """The record that misses the constraint by most, before and after."""
    shown = []
    for table in (case.released, case.original):
        values = dict(zip(table.names, table.row(record), strict=True))
        off = sum((c * values[name] for name, c in constraint.coefficients.items()), Fraction(0))
        parts = ", ".join(f"{name} {number_text(values[name])}" for name in constraint.coefficients)
        shown.append(f"{parts}: left less right {number_text(off - constraint.constant)}")
    return f"record {record} is released with {shown[0]} (original {shown[1]})"
