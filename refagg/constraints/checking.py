"""How far the records of a table are from meeting constraints."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from refagg.constraints.system import system_of
from refagg.constraints.texts import Constraint
from refagg.linear import root
from refagg.tables import Table


@dataclass(frozen=True, slots=True)
class Violation:
    """How far the records of a table are from meeting a constraint, in its own units.

    The violation of a record is the absolute value of left side less right side. Violated is a
    constraint where it is more than the tolerance, which is 0 unless another is given.
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
    table: Table, constraints: Iterable[Constraint], tolerance: Fraction = Fraction(0)
) -> list[Violation]:
    """How far a table is from meeting each constraint, exactly. Raises UnknownColumn."""
    return [_violation(table, constraint, Fraction(tolerance)) for constraint in constraints]


def _violation(table: Table, constraint: Constraint, tolerance: Fraction) -> Violation:
    system_of([constraint], table.names)
    off, denominator = residuals_of(table, constraint)
    sizes = [abs(number) for number in off]
    n, largest = len(sizes), max(sizes)
    limit = tolerance * denominator
    return Violation(
        constraint,
        Fraction(largest, denominator),
        Fraction(sum(sizes), n * denominator),
        Fraction(sum(size * size for size in sizes), n * denominator**2),
        sum(size > limit for size in sizes),
        sizes.index(largest),
        tolerance,
    )


def residuals_of(table: Table, constraint: Constraint) -> tuple[list[int], int]:
    """Left side less right side of every record, as numerators over one denominator."""
    columns = dict(zip(table.names, table.columns, strict=True))
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
