"""The nearest point that meets linear equations, as steps that are computed once.

An equation is a row of coefficients with its right side at the end. The distance is a sum of
squares, each times a weight of its attribute.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from refagg.linear_algebra.matrices import (
    Matrix,
    Vector,
    dot,
    inverse,
    product,
    reduced,
    transposed,
)


@dataclass(frozen=True, slots=True)
class ProjectionStep:
    """Some independent equations, and how far each attribute moves for a residual of 1."""

    rows: list[list[Fraction]]
    right: list[Fraction]
    moves: list[list[Fraction]]

    def moved(self, point: Sequence[Fraction]) -> list[Fraction]:
        """The point that meets the equations, moved from this one; itself if it meets them."""
        off = [dot(row, point) - b for row, b in zip(self.rows, self.right, strict=True)]
        if not any(off):
            return list(point)
        return [x - dot(move, off) for x, move in zip(point, self.moves, strict=True)]


def nearest_steps(equations: Matrix, weights: Vector) -> list[ProjectionStep]:
    """The steps that take a point to the nearest one that meets equations without contradiction.

    Attributes of weight 0 are moved only where the equations cannot be met without, which is the
    first step: each by as little as possible. The second moves the others.
    """
    width = len(weights)
    free = [j for j, weight in enumerate(weights) if weight]
    order = free + [j for j, weight in enumerate(weights) if not weight]
    # With the free attributes in front, the last rows of the echelon form are without them.
    rows, pivots = reduced([[*(row[j] for j in order), row[width]] for row in equations])
    back = [order.index(j) for j in range(width)]
    restored = [[*(row[i] for i in back), row[width]] for row in rows]
    count = sum(pivot < len(free) for pivot in pivots)
    spreads = [1 / weight if weight else Fraction(0) for weight in weights]
    still = [Fraction(not weight) for weight in weights]
    parts = ((restored[count:], still), (restored[:count], spreads))
    return [_step(part, by) for part, by in parts if part]


def _step(equations: Matrix, spreads: Vector) -> ProjectionStep:
    """The step that moves attributes by their spreads; those of spread 0 stay."""
    rows = [list(equation[:-1]) for equation in equations]
    turned = [
        [x * spread for x in column]
        for column, spread in zip(transposed(rows), spreads, strict=True)
    ]
    moves = product(turned, inverse(product(rows, turned)))
    return ProjectionStep(rows, [equation[-1] for equation in equations], moves)
