"""What the records of a group should be released with, where means are moved to constraints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from oracle.auditing.rendering import Cell, Rendering, half_unit
from refagg.constraints import Constraint, Point, Projector, solved, system_of
from refagg.data.aggregate import admissible, mean
from refagg.data.standardise import Scaled
from refagg.data.tables import Table
from refagg.language.partition import Group


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


def computed_renderings(
    constraints: Sequence[Constraint], released: Table, found: Sequence[Rendering | None]
) -> list[Rendering | None]:
    """The renderings, also of attributes that are computed from the others, which are rounded.

    What is not recognised must be determined by the constraints; whether these are met is judged
    on another check.
    """
    off = [j for j, one in enumerate(found) if one is None or not one.faithful]
    known = solved(system_of(constraints, released.numbers.names), off) if off else None
    if not known:
        return list(found)
    halves = [half_unit(column) for column in released.columns]
    renderings = list(found)
    for one in known:
        bound = sum((abs(factor) * halves[j] for j, factor in one.factors), Fraction(0))
        renderings[one.position] = Rendering("computed from rounded ones", True, _within(bound))
    return renderings


def _within(bound: Fraction) -> Callable[[Cell], bool]:
    return lambda cell: cell.error <= bound


def centres_of(constraints: Sequence[Constraint], scaled: Scaled) -> Centres | None:
    """The centres in the metric of a scaled table; None without constraints.

    Raises UnknownColumn, InconsistentConstraints.
    """
    if not constraints:
        return None
    p = len(scaled.weights)
    project = system_of(constraints, scaled.table.numbers.names).projector(scaled.weights)
    offset = project([Fraction(0)] * p)
    images = [project([Fraction(i == j) for j in range(p)]) for i in range(p)]
    reach = tuple(
        (*(abs((i == j) - images[i][j] + offset[j]) for i in range(p)), abs(offset[j]))
        for j in range(p)
    )
    return Centres(tuple(constraints), project, reach)
