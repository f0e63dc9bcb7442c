"""Constraints as equations of a table's attributes, and projections on them.

The nearest point that meets linear equations, as steps that are computed once.

An equation is a row of coefficients with its right side at the end. The distance is a sum of
squares, each times a weight of its attribute.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import mul

from refagg.constraints.equations import Constraint
from refagg.errors import BeyondFloats, InconsistentConstraints, InvalidParameter, UnknownColumn
from refagg.language.lists import check_one_of
from refagg.language.number_texts import digits_of, number_text
from refagg.linear_algebra import matrices

Point = tuple[Fraction, ...]
Projector = Callable[[Sequence[Fraction | float]], Point]
FloatProjector = Callable[[Sequence[float]], list[float]]


@dataclass(frozen=True, slots=True)
class System:
    """Constraints A x = b on the attributes of a table.

    Rows may follow from each other. Raises InconsistentConstraints where no x meets all of them.
    """

    rows: tuple[Point, ...]
    right: Point
    texts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.rows:
            raise InvalidParameter("there is no constraint")
        _check_consistent(self)

    @property
    def width(self) -> int:
        """The number of attributes."""
        return len(self.rows[0])

    def equations(self) -> list[list[Fraction]]:
        """The rows, each with its right side at the end."""
        return [[*row, b] for row, b in zip(self.rows, self.right, strict=True)]

    def projector(self, weights: Sequence[Fraction] | None = None) -> Projector:
        """Return the projection of points onto the constraints.

        It is the function from a point to the nearest one that meets the constraints. `weights` are
        those of the squared distance, 1 each if none are given. An attribute of weight 0 is
        constant in the table: it is moved only where the constraints cannot be met without, and
        then as little as possible. This is the limit of ever smaller variances.
        """
        chosen = [Fraction(1)] * self.width if weights is None else list(weights)
        if len(chosen) != self.width or min(chosen) < 0:
            raise InvalidParameter(f"{self.width} attributes need as many weights of at least 0")
        steps = nearest_steps(self.equations(), chosen)

        def project(point: Sequence[Fraction | float]) -> Point:
            nearest = [Fraction(x) for x in point]
            for step in steps:
                nearest = step.moved(nearest)
            return tuple(nearest)

        return project

    def orthonormal(
        self, origin: Sequence[Fraction | float], scale: Sequence[Fraction | float]
    ) -> tuple[list[list[float]], list[float]]:
        """Return the constraints q u = c with orthonormal rows q.

        The result is the rows q and the numbers c.

        u are the coordinates u_j = (x_j - origin_j) scale_j. An attribute of scale 0 has no
        coordinate, it is at its origin. Raises InconsistentConstraints if it cannot be there, and
        BeyondFloats.
        """
        origins, scales = [Fraction(o) for o in origin], [Fraction(s) for s in scale]
        extended = [
            [a / s if s else Fraction(0) for a, s in zip(row, scales, strict=True)]
            + [b - matrices.dot(row, origins)]
            for row, b in zip(self.rows, self.right, strict=True)
        ]
        rows, pivots = matrices.reduced(extended)
        if self.width in pivots:
            raise InconsistentConstraints(
                "the constraints cannot be met while attributes that are constant stay as they are"
            )
        directions, right = [], []
        for row in matrices.orthogonalised(rows, self.width):
            length = matrices.root(matrices.dot(row[:-1], row[:-1]))
            directions.append([float(x / length) for x in row[:-1]])
            try:
                right.append(float(row[-1] / length))
            except OverflowError:
                raise BeyondFloats(
                    "the constraints ask for values beyond binary64, in which they are met here"
                ) from None
        return directions, right

    def float_projector(
        self, origin: Sequence[Fraction | float], scale: Sequence[Fraction | float]
    ) -> FloatProjector:
        """Return the float projection in the Euclidean metric of scaled coordinates.

        The coordinates are u_j = (x_j - origin_j) scale_j. See `orthonormal`. It is that of
        `projector` with the weights scale_j^2.
        """
        rows, right = self.orthonormal(origin, scale)

        def project(point: Sequence[float]) -> list[float]:
            nearest = list(point)
            for row, c in zip(rows, right, strict=True):
                off = sum(map(mul, row, nearest)) - c
                nearest = [x - off * q for x, q in zip(nearest, row, strict=True)]
            return nearest

        return project


def system_of(constraints: Sequence[Constraint], names: Sequence[str]) -> System:
    """The constraints as equations of these attributes, in their order.

    Raises UnknownColumn, InconsistentConstraints, and InvalidParameter if there is none.
    """
    for constraint in constraints:
        for name in constraint.coefficients:
            said = f"constraint {constraint.text!r} names"
            check_one_of(name, names, said, UnknownColumn, "the attributes are")
    zero = Fraction(0)
    return System(
        tuple(tuple(c.coefficients.get(name, zero) for name in names) for c in constraints),
        tuple(c.constant for c in constraints),
        tuple(c.text for c in constraints),
    )


def check_consistent(constraints: Sequence[Constraint]) -> None:
    """Raise InconsistentConstraints if no values at all meet these constraints."""
    names = list(dict.fromkeys(name for c in constraints for name in c.coefficients))
    if constraints:
        system_of(constraints, names)


def _check_consistent(system: System) -> None:
    _, pivots = matrices.reduced(system.equations())
    if system.width not in pivots:
        return
    best = matrices.product(
        matrices.product(system.rows, matrices.pseudo_inverse(system.rows)),
        [[b] for b in system.right],
    )
    residuals = [nearest - b for [nearest], b in zip(best, system.right, strict=True)]
    texts = system.texts or [f"row {number}" for number in range(len(residuals))]
    parts = [f"{t!r} by {number_text(r)}" for t, r in zip(texts, residuals, strict=True) if r]
    size = digits_of(matrices.root(matrices.dot(residuals, residuals)), 12)
    raise InconsistentConstraints(
        f"no values meet all constraints; the nearest miss {'; '.join(parts)} (residual {size})"
    )


@dataclass(frozen=True, slots=True)
class ProjectionStep:
    """Independent equations, and how far each attribute moves for residual 1."""

    rows: list[list[Fraction]]
    right: list[Fraction]
    moves: list[list[Fraction]]

    def moved(self, point: Sequence[Fraction]) -> list[Fraction]:
        """Move a point so that it meets the equations.

        A point that meets them already is returned unchanged.
        """
        off = [matrices.dot(row, point) - b for row, b in zip(self.rows, self.right, strict=True)]
        if not any(off):
            return list(point)
        return [x - matrices.dot(move, off) for x, move in zip(point, self.moves, strict=True)]


def nearest_steps(equations: matrices.Matrix, weights: matrices.Vector) -> list[ProjectionStep]:
    """Return the steps to the nearest point that meets the equations.

    The equations have no contradiction. Attributes of weight 0 are moved only where the equations
    cannot be met without, which is the first step: each by as little as possible. The second moves
    the others.
    """
    width = len(weights)
    free = [j for j, weight in enumerate(weights) if weight]
    order = free + [j for j, weight in enumerate(weights) if not weight]
    # With the free attributes in front, the last rows of the echelon form are without them.
    rows, pivots = matrices.reduced([[*(row[j] for j in order), row[width]] for row in equations])
    back = [order.index(j) for j in range(width)]
    restored = [[*(row[i] for i in back), row[width]] for row in rows]
    count = sum(pivot < len(free) for pivot in pivots)
    spreads = [1 / weight if weight else Fraction(0) for weight in weights]
    still = [Fraction(not weight) for weight in weights]
    parts = ((restored[count:], still), (restored[:count], spreads))
    return [_step(part, by) for part, by in parts if part]


def _step(equations: matrices.Matrix, spreads: matrices.Vector) -> ProjectionStep:
    """Return the step that moves attributes by their spreads.

    Those of spread 0 stay.
    """
    rows = [list(equation[:-1]) for equation in equations]
    turned = [
        [x * spread for x in column]
        for column, spread in zip(matrices.transposed(rows), spreads, strict=True)
    ]
    moves = matrices.product(turned, matrices.inverse(matrices.product(rows, turned)))
    return ProjectionStep(rows, [equation[-1] for equation in equations], moves)
