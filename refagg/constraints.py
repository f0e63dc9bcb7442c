"""Linear constraints between attributes, net + tax = gross, and what is nearest to meeting them.

Everything is exact: whether constraints agree, which of them follow from others, and the
projection of a point onto them. A projection depends on the metric. With the weights w of
`refagg.standardise.Scaled` (1 for raw values, 1/variance for standardised ones) it is the point x
with A x = b that has the least sum of w_j (x_j - v_j)^2:

    x = v - W^-1 A' (A W^-1 A')^-1 (A v - b), with independent rows A.

In standardised coordinates the constraint has other numbers, but x is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from operator import mul
from pathlib import Path

from refagg.equations import equation
from refagg.errors import (
    FileUnreadable,
    InconsistentConstraints,
    InvalidConstraintText,
    InvalidParameter,
    UnknownColumn,
)
from refagg.linear import (
    dot,
    orthogonalised,
    product,
    pseudo_inverse,
    reduced,
    root,
)
from refagg.nearest import nearest_steps
from refagg.tables import Table
from refagg.trace import number_text

Point = tuple[Fraction, ...]
Projector = Callable[[Sequence[Fraction | float]], Point]
FloatProjector = Callable[[Sequence[float]], list[float]]


@dataclass(frozen=True, slots=True)
class Constraint:
    """The sum of coefficient times attribute is the constant."""

    coefficients: Mapping[str, Fraction]
    constant: Fraction
    text: str


def parse_constraint(text: str) -> Constraint:
    """The constraint that an equation states. Raises InvalidConstraintText.

    >>> parse_constraint("net + tax = gross - 1/2").constant
    Fraction(-1, 2)
    """
    found = equation(text)
    return Constraint(found.coefficients, -found.constant, text.strip())


def read_constraints(path: Path) -> list[Constraint]:
    """The constraints in a file, one in a line; what follows a # is left out.

    Raises FileUnreadable, InvalidConstraintText.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise FileUnreadable(f"{path} cannot be read: {error}") from None
    found = []
    for number, line in enumerate(lines, 1):
        text = _without_remark(line)
        if not text.strip():
            continue
        try:
            found.append(parse_constraint(text))
        except InvalidConstraintText as error:
            raise InvalidConstraintText(f"{path}, line {number}: {error}") from None
    if not found:
        raise InvalidConstraintText(f"{path} has no constraint")
    return found


def _without_remark(line: str) -> str:
    """The line up to a # that is in no quoted name."""
    quote = ""
    for position, sign in enumerate(line):
        if sign == "#" and not quote:
            return line[:position]
        if sign in "'\"" and quote in ("", sign):
            quote = "" if quote else sign
    return line


@dataclass(frozen=True, slots=True)
class System:
    """The constraints A x = b on the attributes of a table; rows may follow from each other.

    Raises InconsistentConstraints where no x meets all of them.
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

    def residuals(self, point: Sequence[Fraction | float]) -> list[Fraction]:
        """A x - b, exactly."""
        exact = [Fraction(x) for x in point]
        return [dot(row, exact) - b for row, b in zip(self.rows, self.right, strict=True)]

    def projector(self, weights: Sequence[Fraction] | None = None) -> Projector:
        """The function from a point to the nearest one that meets the constraints.

        `weights` are those of the squared distance, 1 each if none are given. An attribute of
        weight 0 is constant in the table: it is moved only where the constraints cannot be met
        without, and then as little as possible. This is the limit of ever smaller variances.
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
        """Rows q and numbers c such that the constraints are q u = c, with orthonormal q.

        u are the coordinates u_j = (x_j - origin_j) scale_j. An attribute of scale 0 has no
        coordinate, it is at its origin. Raises InconsistentConstraints if it cannot be there.
        """
        origins, scales = [Fraction(o) for o in origin], [Fraction(s) for s in scale]
        extended = [
            [a / s if s else Fraction(0) for a, s in zip(row, scales, strict=True)]
            + [b - dot(row, origins)]
            for row, b in zip(self.rows, self.right, strict=True)
        ]
        rows, pivots = reduced(extended)
        if self.width in pivots:
            raise InconsistentConstraints(
                "the constraints cannot be met while attributes that are constant stay as they are"
            )
        directions, right = [], []
        for row in orthogonalised(rows, self.width):
            length = root(dot(row[:-1], row[:-1]))
            directions.append([float(x / length) for x in row[:-1]])
            right.append(float(row[-1] / length))
        return directions, right

    def float_projector(
        self, origin: Sequence[Fraction | float], scale: Sequence[Fraction | float]
    ) -> FloatProjector:
        """The projection in the Euclidean metric of u_j = (x_j - origin_j) scale_j, in floats.

        See `orthonormal`. It is that of `projector` with the weights scale_j^2.
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
            if name not in names:
                raise UnknownColumn(
                    f"constraint {constraint.text!r} names {name!r}; "
                    f"the attributes are {', '.join(names)}"
                )
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
    _, pivots = reduced(system.equations())
    if system.width not in pivots:
        return
    best = product(product(system.rows, pseudo_inverse(system.rows)), [[b] for b in system.right])
    residuals = [nearest - b for [nearest], b in zip(best, system.right, strict=True)]
    texts = system.texts or [f"row {number}" for number in range(len(residuals))]
    parts = [f"{t!r} by {number_text(r)}" for t, r in zip(texts, residuals, strict=True) if r]
    size = number_text(float(root(dot(residuals, residuals))))
    raise InconsistentConstraints(
        f"no values meet all constraints; the nearest miss {'; '.join(parts)} (residual {size})"
    )


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
    def root_mean_square(self) -> float:
        return float(root(self.mean_square))


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
