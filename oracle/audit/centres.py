"""What the records of a group should be released with, where means are moved to constraints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from refagg.aggregate import admissible, mean
from refagg.constraints import Constraint, Point, Projector, system_of
from refagg.model import Group
from refagg.standardise import Scaled
from refagg.tables import Table


@dataclass(frozen=True, slots=True)
class Centres:
    """The means of groups, moved to the nearest point that meets the constraints."""

    constraints: tuple[Constraint, ...]
    project: Projector
    reach: tuple[Point, ...]
    """By how much each attribute moves, at most, for each attribute's magnitude; at last, for 1."""
    known: dict[Group, Point] = field(default_factory=dict)

    def of(self, table: Table, group: Group) -> Point:
        """The point that stands for a group."""
        if group not in self.known:
            means = [admissible(column, group, mean)[0] for column in table.columns]
            self.known[group] = self.project(means)
        return self.known[group]

    def magnitude(self, table: Table, group: Group, position: int) -> Fraction:
        """How large the numbers are of which one attribute's value is computed."""
        largest = [
            Fraction(max(abs(column.numerators[r]) for r in group), column.denominator)
            for column in table.columns
        ]
        moved = zip(self.reach[position], [*largest, Fraction(1)], strict=True)
        return largest[position] + sum((part * size for part, size in moved), Fraction(0))


def centres_of(constraints: Sequence[Constraint], scaled: Scaled) -> Centres | None:
    """The centres in the metric of a scaled table; None without constraints.

    Raises UnknownColumn, InconsistentConstraints.
    """
    if not constraints:
        return None
    p = len(scaled.weights)
    project = system_of(constraints, scaled.table.names).projector(scaled.weights)
    offset = project([Fraction(0)] * p)
    images = [project([Fraction(i == j) for j in range(p)]) for i in range(p)]
    reach = tuple(
        (*(abs((i == j) - images[i][j] + offset[j]) for i in range(p)), abs(offset[j]))
        for j in range(p)
    )
    return Centres(tuple(constraints), project, reach)
