"""Released values of groups whose means are moved to constraints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from oracle.auditing.rendering import Cell, Rendering, half_unit
from refagg.constraints.equations import Constraint
from refagg.constraints.rounding import rounding_of, solved
from refagg.constraints.system import Point, Projector, system_of
from refagg.data.aggregate import admissible, mean
from refagg.data.standardise import Scaled, span
from refagg.data.tables import Column, Table
from refagg.language.partition import Group
from refagg.linear_algebra.matrices import dot, pseudo_inverse, root


@dataclass(frozen=True, slots=True)
class Centres:
    """Group means, moved to the nearest point that meets the constraints."""

    constraints: tuple[Constraint, ...]
    project: Projector
    reach: tuple[Point, ...]
    """By how much each attribute moves, at most, for each attribute's magnitude; at last, for 1."""
    units: Point
    """Those in which attributes are measured; 0 for one that is constant."""
    related: tuple[frozenset[int], ...]
    """Of each attribute those that its equations connect it with, itself included."""
    conditions: Point
    """Of each attribute the condition of these equations."""
    norm: Fraction
    """The greatest norm of an equation in these units; 0 if there is only one equation."""
    estimated: bool
    """Are the units computed from the values?"""
    known: dict[Group, Point] = field(default_factory=dict)
    sizes: list[Fraction] = field(default_factory=list)
    """The largest absolute value of each attribute, once it was asked for."""

    def of(self, table: Table, group: Group) -> Point:
        """Return the point that stands for a group."""
        if group not in self.known:
            means = [admissible(column, group, mean)[0] for column in table.columns]
            self.known[group] = self.project(means)
        return self.known[group]

    def magnitude(self, table: Table, group: Group, position: int) -> Fraction:
        """Return the size of the numbers that determine an attribute's value."""
        column = table.columns[position]
        largest = Fraction(max(abs(column.numerators[r]) for r in group), column.denominator)
        # a constant has no unit, and may move far
        largest += 0 if self.units[position] else abs(self.of(table, group)[position])
        return largest + self._moved(table, position) + self._turned(table, group, position)

    def width(self, table: Table, position: int) -> Fraction:
        """Return the greatest difference of these numbers in the whole column."""
        return span(table.columns[position]) + self._moved(table, position)

    def _moved(self, table: Table, position: int) -> Fraction:
        """Return the size of the numbers that move an attribute.

        It is multiplied by the condition of the equations: by so much solving them enlarges what
        rounding does to them.
        """
        reach = self.reach[position]
        if not any(reach):
            return Fraction(0)
        size = sum(self._in_units(table, self.related[position]), ZERO)
        return self.conditions[position] * (self.units[position] * size + reach[-1])

    def solved_together(self, table: Table) -> Fraction:
        """Return the size of the numbers of all equations together.

        What solves them by singular values has errors of that size in each.
        """
        constrained = frozenset(j for j, reach in enumerate(self.reach) if any(reach))
        return self.norm * max(self._in_units(table, constrained), default=ZERO)

    def _in_units(self, table: Table, positions: frozenset[int]) -> list[Fraction]:
        """Return the largest values of some attributes in their units."""
        if not self.sizes:
            self.sizes.extend(largest_of(column) for column in table.columns)
        units = [(self.sizes[i], self.units[i]) for i in sorted(positions)]
        return [most / unit for most, unit in units if unit]

    def _turned(self, table: Table, group: Group, position: int) -> Fraction:
        """Return the error that an estimated unit causes in a move.

        It is the move of a group, times the largest value beside the unit of its attribute: a unit
        that is a standard deviation is off by that share, and so is the direction.
        """
        if not self.estimated:
            return Fraction(0)
        means = [admissible(column, group, mean)[0] for column in table.columns]
        moves = [abs(a - b) for a, b in zip(self.of(table, group), means, strict=True)]
        related = self.related[position]
        steps = sum((moves[i] / self.units[i] for i in related if self.units[i]), ZERO)
        far = max(self._in_units(table, related), default=ZERO)
        return self.units[position] * steps * far


ZERO = Fraction(0)


def parts_of(
    rows: Sequence[Point], matrix: Sequence[Point]
) -> list[tuple[frozenset[int], list[Point]]]:
    """Return the attributes that equations connect, with their rows of a matrix.

    Equations of different parts share no attribute, and are solved apart.
    """
    parts: list[tuple[frozenset[int], list[Point]]] = []
    for row, scaled in zip(rows, matrix, strict=True):
        own, together = frozenset(j for j, a in enumerate(row) if a), [scaled]
        for part in [part for part in parts if part[0] & own]:
            parts.remove(part)
            own, together = own | part[0], [*part[1], *together]
        parts.append((own, together))
    return parts


def norms_of(matrix: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    """Return the Euclidean norm of each row."""
    return [root(dot(row, row)) for row in matrix]


def condition_of(matrix: Sequence[Sequence[Fraction]]) -> Fraction:
    """Return a bound on the condition of equations.

    Each is divided by its norm, as elimination does not depend on how equations are multiplied. It
    is the product of the Frobenius norms of the matrix and of its pseudo-inverse.
    """
    norms = zip(matrix, norms_of(matrix), strict=True)
    scaled = [[x / norm for x in row] for row, norm in norms if norm]
    if not scaled:
        return Fraction(1)
    both = scaled, pseudo_inverse(scaled)
    squares = [sum((dot(row, row) for row in one), ZERO) for one in both]
    return max(Fraction(1), root(squares[0] * squares[1]))


def largest_of(column: Column) -> Fraction:
    """Return the greatest size of a column's numbers."""
    return Fraction(max(map(abs, column.numerators)), column.denominator)


def computed_renderings(
    constraints: Sequence[Constraint], released: Table, found: Sequence[Rendering | None]
) -> list[Rendering | None]:
    """Return the renderings, also of computed attributes.

    These are computed from the others, which are rounded.

    What is not recognised must be determined by the constraints; whether these are met is judged
    on another check. Where no decimals meet them, each value is rounded by itself.
    """
    off = [j for j, one in enumerate(found) if one is None or not one.faithful]
    system = system_of(constraints, released.numbers.names)
    known = solved(system, off) if off and rounding_of(system, 0) else None
    halves = [half_unit(column) for column in released.columns]
    renderings = list(found)
    for one in known or ():
        bound = sum((abs(factor) * halves[j] for j, factor in one.factors), Fraction(0))
        renderings[one.position] = Rendering("computed from rounded ones", True, _within(bound))
    return renderings


def _within(bound: Fraction) -> Callable[[Cell], bool]:
    return lambda cell: cell.error <= bound


def centres_of(constraints: Sequence[Constraint], scaled: Scaled) -> Centres | None:
    """Return the centres in a scaled table's metric; None without constraints.

    Raises UnknownColumn, InconsistentConstraints.
    """
    if not constraints:
        return None
    p = len(scaled.weights)
    system = system_of(constraints, scaled.table.numbers.names)
    project = system.projector(scaled.weights)
    offset = project([Fraction(0)] * p)
    images = [project([Fraction(i == j) for j in range(p)]) for i in range(p)]
    reach = tuple(
        (*(abs((i == j) - images[i][j] + offset[j]) for i in range(p)), abs(offset[j]))
        for j in range(p)
    )
    units = tuple(1 / root(weight) if weight else Fraction(0) for weight in scaled.weights)
    matrix = [tuple(a * u for a, u in zip(row, units, strict=True)) for row in system.rows]
    related, conditions = [frozenset([j]) for j in range(p)], [Fraction(1)] * p
    for own, rows in parts_of(system.rows, matrix):
        condition = condition_of(rows)
        for j in own:
            related[j], conditions[j] = own, condition
    return Centres(
        tuple(constraints),
        project,
        reach,
        units,
        tuple(related),
        tuple(conditions),
        max(norms_of(matrix)) if matrix[1:] else ZERO,
        scaled.how != "none",
    )
