"""Distance of a table's records from meeting constraints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from refagg.constraints.equations import Constraint
from refagg.constraints.system import system_of
from refagg.data.tables import Table
from refagg.linear_algebra.matrices import root

ROUNDED = Fraction(1, 2**49)
"""By how much values in binary64 may miss an equation, relative to the sum of its absolute terms.

Each value is off by half a unit of its last binary digit, 2^-53, where it is the nearest to an
exact one, and by a few times that where it was computed: of the largest values that went in, which
may have cancelled.
"""


@dataclass(frozen=True, slots=True)
class Violation:
    """Violation of a constraint by a table's records, in its own units.

    The violation of a record is the absolute value of left side less right side. Violated is a
    constraint where that is more than the tolerance times the sum of the absolute terms: those of
    the record, or, for what was computed from an original, the largest of its columns. The
    tolerance is 0 unless another is given.
    """

    constraint: Constraint
    largest: Fraction
    mean_abs: Fraction
    mean_square: Fraction
    count_violated: int
    worst: int
    """The first record of the largest violation."""
    tolerance: Fraction

    @property
    def root_mean_square(self) -> Fraction:
        """Nearly: it is irrational mostly."""
        return root(self.mean_square)


def violations(
    table: Table,
    constraints: Iterable[Constraint],
    tolerance: Fraction = Fraction(0),
    original: Table | None = None,
) -> list[Violation]:
    """Measure exactly the violation of each constraint by a table. Raises UnknownColumn.

    The tolerance is relative to the terms of the record, or, where the values were computed from
    an `original`, to the largest terms that its columns have.
    """
    exact = Fraction(tolerance)
    return [_violation(table, constraint, exact, original) for constraint in constraints]


def _violation(
    table: Table, constraint: Constraint, tolerance: Fraction, original: Table | None
) -> Violation:
    system_of([constraint], table.numbers.names)
    off, denominator = residuals_of(table, constraint)
    sizes = [abs(number) for number in off]
    n, largest = len(sizes), max(sizes)
    return Violation(
        constraint,
        Fraction(largest, denominator),
        Fraction(sum(sizes), n * denominator),
        Fraction(sum(size * size for size in sizes), n * denominator**2),
        len(missed(table, constraint, tolerance, original)),
        sizes.index(largest),
        tolerance,
    )


def missed(
    table: Table, constraint: Constraint, tolerance: Fraction, original: Table | None = None
) -> dict[int, Fraction]:
    """Return the records that miss a constraint, and by how much.

    A record misses it if its violation exceeds the tolerance. The tolerance is relative to the sum
    of the absolute terms, as in `violations`.
    """
    off, denominator = residuals_of(table, constraint)
    found = {record: Fraction(abs(x), denominator) for record, x in enumerate(off) if x}
    if original is not None:
        most = tolerance * _terms(constraint, _largest(original))
        return {record: size for record, size in found.items() if size > most}
    return {
        record: size
        for record, size in found.items()
        if size > tolerance * _terms(constraint, {c.name: c[record] for c in table.columns})
    }


def _largest(table: Table) -> dict[str, Fraction]:
    """The largest absolute value of each column."""
    return {c.name: Fraction(max(map(abs, c.numerators)), c.denominator) for c in table.columns}


def _terms(constraint: Constraint, values: Mapping[str, Fraction]) -> Fraction:
    """The sum of the absolute terms."""
    parts = (abs(c * values[name]) for name, c in constraint.coefficients.items())
    return abs(constraint.constant) + sum(parts, Fraction(0))


def residuals_of(table: Table, constraint: Constraint) -> tuple[list[int], int]:
    """Return left side less right side of every record.

    They are numerators over one denominator, which is returned too.
    """
    columns = {column.name: column for column in table.columns}
    used = [(columns[name], factor) for name, factor in constraint.coefficients.items()]
    denominator = lcm(
        constraint.constant.denominator,
        *(factor.denominator * column.denominator for column, factor in used),
    )
    total = [-int(constraint.constant * denominator)] * table.n
    for column, factor in used:
        times = int(factor * denominator / column.denominator)
        total = [t + times * x for t, x in zip(total, column.numerators, strict=True)]
    return total, denominator
