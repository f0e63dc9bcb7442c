"""Exact space of records known only by their dissimilarities."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any, TypeVar

from refagg.errors import InvalidMatrix, NotANumber, NotFinite
from refagg.language.number_texts import exactly, number_text
from refagg.language.partition import Record
from refagg.language.space import Dissimilarities
from refagg.language.ties import Tolerance

T = TypeVar("T")
Rows = Sequence[Sequence[Any]]
ZERO = Fraction(0)


class MatrixSpace(Dissimilarities):
    """Records with a matrix of rational dissimilarities; implements `Dissimilarities`.

    Raw dissimilarities are integers: the rational ones times a common denominator.
    `tolerance` widens ties, as in the exact numeric space.
    """

    def __init__(self, rows: Rows, tolerance: Fraction = ZERO, checked: bool = False) -> None:
        """Initialise the space from a square matrix.

        `rows` is checked already or not. Raises InvalidMatrix, which names the pair.
        """
        exact = rows if checked else checked_matrix(rows)
        ratios = {v.as_integer_ratio() for row in exact for v in objects(row).values()}
        denominator = lcm(*(below for _, below in ratios))
        whole = {(above, below): above * (denominator // below) for above, below in ratios}
        divisor = gcd(*whole.values()) or 1
        raw = {ratio: value // divisor for ratio, value in whole.items()}
        self._rows: list[list[int]] = []
        for row in exact:
            own = {number: raw[v.as_integer_ratio()] for number, v in objects(row).items()}
            self._rows.append(list(map(own.__getitem__, map(id, row))))
        self._unit = Fraction(denominator, divisor)
        self.tolerance = Tolerance(tolerance)

    @property
    def n(self) -> int:
        return len(self._rows)

    def between(self, a: Record, b: Record) -> Fraction:
        return self._rows[a][b] / self._unit

    def raw(self, a: Record, others: Sequence[Record]) -> list[int]:
        row = self._rows[a]
        return [row[b] for b in others]

    def pairs(self, records: Sequence[Record]) -> int:
        """The sum of the raw dissimilarities of all pairs of records."""
        return sum(sum(self.raw(a, records[at + 1 :])) for at, a in enumerate(records))

    def shown(self, raw: int | Fraction) -> Fraction:
        return raw / self._unit


def objects(row: Sequence[Fraction]) -> dict[int, Fraction]:
    """Return the different objects of a row, by their ids.

    Often they are few.
    """
    return dict(zip(map(id, row), row, strict=True))


def checked_matrix(rows: Rows) -> list[list[Fraction]]:
    """The matrix in exact numbers.

    Raises InvalidMatrix unless it is square and symmetric, with finite entries of at least 0
    and 0 on the diagonal; the message names the pair of records.
    """
    n = len(rows)
    if n == 0:
        raise InvalidMatrix("the matrix has no record")
    for number, row in enumerate(rows):
        if len(row) != n:
            raise InvalidMatrix(f"row {number} has {len(row)} entries, but there are {n} records")
    exact = [[_exact(value, i, j) for j, value in enumerate(row)] for i, row in enumerate(rows)]
    for i, line in enumerate(exact):
        if line[i] != 0:
            raise InvalidMatrix(
                f"the dissimilarity of record {i} from itself is {number_text(line[i])}, not 0"
            )
        for j in range(i):
            if line[j] is not exact[j][i] and line[j] != exact[j][i]:
                raise InvalidMatrix(
                    f"not symmetric: ({i}, {j}) is {number_text(line[j])}, "
                    f"({j}, {i}) is {number_text(exact[j][i])}"
                )
    return exact


def _exact(value: object, i: int, j: int) -> Fraction:
    exact = exact_number(value, f"the dissimilarity ({i}, {j})")
    if exact < 0:
        raise InvalidMatrix(f"the dissimilarity ({i}, {j}) is {number_text(exact)}, less than 0")
    return exact


def exact_number(value: object, what: str) -> Fraction:
    """Return a number of any type, NumPy's too, exactly. Raises InvalidMatrix."""
    try:
        return exactly(value, what)
    except (NotANumber, NotFinite) as error:
        raise InvalidMatrix(str(error)) from None
