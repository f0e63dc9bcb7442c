"""Small dense linear algebra in rational arithmetic, with exact ranks.

A rank is a fact there and no judgement.

A matrix is a list of rows of Fractions. It is meant for a few rows: the numbers grow.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt

from refagg.errors import InvalidMatrix

Vector = Sequence[Fraction]
Matrix = Sequence[Vector]


def dot(a: Vector, b: Vector) -> Fraction:
    """The sum of the products."""
    return sum((x * y for x, y in zip(a, b, strict=True) if x and y), Fraction(0))


def transposed(matrix: Matrix) -> list[list[Fraction]]:
    """The matrix with its columns as rows."""
    return [list(column) for column in zip(*matrix, strict=True)]


def product(a: Matrix, b: Matrix) -> list[list[Fraction]]:
    """The matrix a b."""
    columns = transposed(b)
    return [[dot(row, column) for column in columns] for row in a]


def reduced(matrix: Matrix) -> tuple[list[list[Fraction]], list[int]]:
    """Return the reduced row echelon form, and the pivots' columns.

    Its rows of zeros are left out, and there is a pivot for each row. The rank is the number of
    rows. Every pivot is 1 and stands alone in its column.

    >>> rows, pivots = reduced([[Fraction(1), Fraction(2)], [Fraction(2), Fraction(4)]])
    >>> pivots, [[str(x) for x in row] for row in rows]
    ([0], [['1', '2']])
    """
    rows = [list(row) for row in matrix]
    pivots: list[int] = []
    for column in range(len(rows[0]) if rows else 0):
        done = len(pivots)
        chosen = next((i for i in range(done, len(rows)) if rows[i][column]), None)
        if chosen is None:
            continue
        rows[done], rows[chosen] = rows[chosen], rows[done]
        pivot = rows[done][column]
        rows[done] = [x / pivot for x in rows[done]]
        for i, row in enumerate(rows):
            if i != done and row[column]:
                factor = row[column]
                rows[i] = [x - factor * y for x, y in zip(row, rows[done], strict=True)]
        pivots.append(column)
    return rows[: len(pivots)], pivots


def rank(matrix: Matrix) -> int:
    """The number of independent rows."""
    return len(reduced(matrix)[1])


def inverse(matrix: Matrix) -> list[list[Fraction]]:
    """The inverse of a square matrix. Raises InvalidMatrix if it has none."""
    size = len(matrix)
    if any(len(row) != size for row in matrix):
        raise InvalidMatrix("only a square matrix has an inverse")
    unit = [[Fraction(i == j) for j in range(size)] for i in range(size)]
    rows, pivots = reduced([[*row, *one] for row, one in zip(matrix, unit, strict=True)])
    if pivots != list(range(size)):
        found = sum(pivot < size for pivot in pivots)
        raise InvalidMatrix(f"a {size} x {size} matrix of rank {found} has no inverse")
    return [row[size:] for row in rows]


def pseudo_inverse(matrix: Matrix) -> list[list[Fraction]]:
    """The Moore-Penrose inverse, of rows that may depend on each other.

    A = C F with the rows F of the echelon form and the columns C of A at its pivots, both of
    full rank; then A^+ = F' (F F')^-1 (C' C)^-1 C'.

    >>> one, two = Fraction(1), Fraction(2)
    >>> [[str(x) for x in row] for row in pseudo_inverse([[one, one], [two, two]])]
    [['1/10', '1/5'], ['1/10', '1/5']]
    """
    f, pivots = reduced(matrix)
    if not f:
        return [[Fraction(0)] * len(matrix) for _ in (matrix[0] if matrix else ())]
    c = [[row[pivot] for pivot in pivots] for row in matrix]
    f_turned, c_turned = transposed(f), transposed(c)
    right = product(inverse(product(c_turned, c)), c_turned)
    return product(product(f_turned, inverse(product(f, f_turned))), right)


def orthogonalised(matrix: Matrix, counted: int) -> list[list[Fraction]]:
    """Orthogonalise rows, each by its common part with those before.

    Only the first `counted` columns count; those after them, such as the right sides of equations,
    follow. The rows must be independent.
    """
    rows: list[list[Fraction]] = []
    for row in matrix:
        own = list(row)
        for other in rows:
            direction = other[:counted]
            share = dot(row[:counted], direction) / dot(direction, direction)
            own = [x - share * y for x, y in zip(own, other, strict=True)]
        rows.append(own)
    return rows


def root(value: Fraction) -> Fraction:
    """Return the square root of a nonnegative number, to a relative 2^-100.

    It may be better. It is no float, so that it can be as large and as small as the number is.
    """
    if value == 0:
        return Fraction(0)
    shift = max(0, 204 - value.numerator.bit_length() + value.denominator.bit_length())
    shift += shift % 2
    return Fraction(isqrt((value.numerator << shift) // value.denominator), 1 << (shift // 2))
