"""Utility measures of other programs, under the names given there.

Sources: M. Templ, B. Meindl and others, sdcMicro, for IL1, IL1s and the eigenvalues; A. Mlodak 2020
for the loss of variables and of correlation, as sdcMicro has them; J. Snoke, G. Raab, B. Nowok, C.
Dibben, A. Slavkovic 2018 for pMSE. Numbers are exact where no root is needed; roots are exact to
more digits than a float has. Eigenvalues and logistic regression are computed in binary64.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import atan, exp, fsum, pi
from operator import mul

from refagg.data.aggregate_kinds import positions
from refagg.data.standardise import variance
from refagg.data.tables import Attribute, Column, Table, differences
from refagg.errors import NotConverged, UndefinedMeasure
from refagg.linear_algebra.eigen import eigenpairs
from refagg.linear_algebra.matrices import dot, inverse, rank, root
from refagg.release.measures import Findings


def _sizes_of_differences(ours: Column, theirs: Column) -> list[Fraction]:
    """The absolute differences of the values of each record."""
    apart, unit = differences(ours, theirs)
    return [Fraction(abs(difference), unit) for difference in apart]


def il1(original: Table, released: Table) -> Findings:
    """Return IL1, the sum of 100 |x - y| / |x|.

    The sum is over cells; cells with x = 0 are left out. The mean is returned too.
    """
    shares = [
        100 * difference / abs(column[record])
        for column, other in _columns(original, released)
        for record, difference in enumerate(_sizes_of_differences(column, other))
        if column.numerators[record]
    ]
    cells = original.n * len(original.columns)
    if not shares:
        raise UndefinedMeasure("IL1 divides by the original values, and all of them are 0")
    total = sum(shares, Fraction(0))
    left_out = cells - len(shares)
    return {"value": total, "mean": total / len(shares), "cells_left_out": left_out}


def il1s(original: Table, released: Table) -> Findings:
    """Return IL1s: the sum of |x - y| / (root(2) s).

    The sum is over cells, with s by n - 1. The mean is returned too.
    """
    total = Fraction(0)
    for column, other in _columns(original, released):
        spread = _spread(column, "IL1s divides by standard deviations")
        total += sum(_sizes_of_differences(column, other)) / root(2 * spread)
    mean = total / (original.n * len(original.columns))
    return {"value": float(total), "mean": float(mean)}


def eigenvalues(original: Table, released: Table) -> Findings:
    """Return the relative change of the correlation matrix's eigenvalues, summed.

    It is the sum of |l - l'| / l over the eigenvalues of both correlation matrices, by size.
    """
    what = "the eigenvalues of correlations divide by those of the original"
    for columns in (original.columns, released.columns):
        for column in columns:
            _spread(column, what)
    if rank(covariances(original)) < len(original.columns):
        raise UndefinedMeasure(f"{what}, of which one is 0: attributes determine each other")
    ours, theirs = (
        [value for value, _ in eigenpairs(rounded_correlations(table))]
        for table in (original, released)
    )
    return {"value": fsum(abs(x - y) / x for x, y in zip(ours, theirs, strict=True))}


def correlation_loss(original: Table, released: Table) -> Findings:
    """Return IL_correl, the loss of correlation.

    It is the distance of both diagonals of inverse correlations, as directions, divided by root(2).
    It is root(1 - c), where c is the cosine of their angle: from 0 to 1.
    """
    ours, theirs = (_inverse_diagonal(table) for table in (original, released))
    square = dot(ours, theirs) ** 2 / (dot(ours, ours) * dot(theirs, theirs))
    return {"value": float(root(1 - root(square)))}


def il_variables(original: Table, released: Table) -> Findings:
    """Return the mean difference of values over cells.

    It is from 0 to 1. Of numbers (2/pi) atan |x - y|, on the scale of the data; of ordered
    categories the difference of places over the greatest; of nominal ones 0 or 1.
    """
    total: Fraction | float = Fraction(0)
    for ours, theirs in zip(original.attributes, released.attributes, strict=True):
        if isinstance(ours, Column):
            assert isinstance(theirs, Column)
            total += fsum(2 / pi * atan(_float(d)) for d in _sizes_of_differences(ours, theirs))
        else:
            assert isinstance(theirs, Attribute)
            total += sum(category_differences(ours, theirs), Fraction(0))
    return {"value": total / (original.n * len(original.attributes))}


def category_differences(ours: Attribute, theirs: Attribute) -> list[Fraction]:
    """Return the differences of each record's categories, from 0 to 1.

    Raises UndefinedMeasure.
    """
    if ours.kind.name == "sequence":
        raise UndefinedMeasure(f"{ours.name} holds sequences, of which this measure says nothing")
    if ours.kind.name == "nominal":
        return [Fraction(x != y) for x, y in zip(ours.cells, theirs.cells, strict=True)]
    most = max(len(ours.kind.categories) - 1, 1)
    places = zip(positions(ours.cells, ours.kind), positions(theirs.cells, ours.kind), strict=True)
    return [Fraction(abs(x - y), most) for x, y in places]


def pmse(original: Table, released: Table, squares: bool = False) -> Findings:
    """Return pMSE, the mean of (p - 1/2)^2.

    p is the fitted probability that a record is a released one. Logistic regression on the
    attributes, and with `squares` on their squares, too. Of a release that keeps all means the
    plain one is 0, whatever else it loses.
    """
    columns = [_from_mean(ours, theirs) for ours, theirs in _columns(original, released)]
    rows = [[_float(x**p) for x in column] for p in range(1, 2 + squares) for column in columns]
    labels = [0] * original.n + [1] * original.n
    try:
        found = fitted(rows, labels)
    except NotConverged as error:
        raise UndefinedMeasure(f"pMSE needs a logistic regression: {error}") from None
    return {"value": fsum((p - 0.5) ** 2 for p in found) / len(found)}


def _from_mean(ours: Column, theirs: Column) -> list[Fraction]:
    """The values less the mean of the original."""
    records = range(len(ours.numerators))
    mean = sum(ours.values(records), Fraction(0)) / len(records)
    return [x - mean for x in (*ours.values(records), *theirs.values(records))]


def _columns(original: Table, released: Table) -> list[tuple[Column, Column]]:
    """The numeric attributes of both. Raises UndefinedMeasure where there are none."""
    if not original.columns:
        raise UndefinedMeasure("this measure needs numbers, and no attribute is numeric")
    return list(zip(original.columns, released.columns, strict=True))


def covariances(table: Table) -> list[list[Fraction]]:
    """The covariances of the numeric attributes, with the divisor n."""
    n = table.n
    sums = [sum(column.numerators) for column in table.columns]
    return [
        [
            Fraction(
                n * sum(map(mul, a.numerators, b.numerators)) - x * y,
                n * n * a.denominator * b.denominator,
            )
            for b, y in zip(table.columns, sums, strict=True)
        ]
        for a, x in zip(table.columns, sums, strict=True)
    ]


def rounded_correlations(table: Table) -> list[list[float]]:
    """Pearson's correlations, each the nearest float or one beside it."""
    matrix = covariances(table)
    spread = [matrix[i][i] for i in range(len(matrix))]
    return [
        [float(x / root(spread[i] * spread[j])) for j, x in enumerate(row)]
        for i, row in enumerate(matrix)
    ]


def _inverse_diagonal(table: Table) -> list[Fraction]:
    """Return the diagonal of the inverse correlation matrix.

    It needs no root.
    """
    matrix = covariances(table)
    if not matrix or rank(matrix) < len(matrix):
        raise UndefinedMeasure(
            "the loss of correlation needs inverses of the correlation matrices, and one has "
            "none: attributes are constant or determine each other, or there are too few groups"
        )
    turned = inverse(matrix)
    return [matrix[i][i] * turned[i][i] for i in range(len(matrix))]


def _spread(column: Column, what: str) -> Fraction:
    """Return the variance with the divisor n - 1.

    Raises UndefinedMeasure if it is 0.
    """
    found = variance(column, "sample")
    if not found:
        raise UndefinedMeasure(f"{what}, and {column.name} is constant")
    return found


def _float(value: Fraction | int) -> float:
    try:
        return float(value)
    except OverflowError:
        raise UndefinedMeasure(
            "values are outside the range of binary64, in which this is computed"
        ) from None


# Logistic regression of a label on attributes, in binary64

STEPS = 50
"""Newton's steps; fewer than ten are usual."""

SMALL = 1e-10
"""Probabilities that a step changes by no more are final; a pivot that is left with no more of its
variance belongs to an attribute that the others determine."""


def fitted(attributes: Sequence[Sequence[float]], labels: Sequence[int]) -> list[float]:
    """Return each record's probability of label 1, by logistic regression.

    It is found by maximum likelihood with a constant. Attributes that others determine linearly are
    left out, which changes no probability. Where attributes tell labels apart, no likelihood is
    greatest, and probabilities are those that it tends to: 0 and 1. Raises NotConverged.

    >>> [round(p, 9) for p in fitted([[0, 0, 0, 1, 1, 1]], [0, 0, 1, 0, 1, 1])][2:4]
    [0.333333333, 0.666666667]
    """
    scaled = [column for column in map(_scaled, attributes) if column]
    columns = [[1.0] * len(labels), *_independent(scaled)]
    beta = [0.0] * len(columns)
    probabilities = [0.5] * len(labels)
    for _ in range(STEPS):
        slopes = [p * (1 - p) for p in probabilities]
        off = [y - p for y, p in zip(labels, probabilities, strict=True)]
        gram = [[fsum(map(mul, map(mul, a, slopes), b)) for b in columns] for a in columns]
        step = _solved(gram, [fsum(map(mul, a, off)) for a in columns])
        beta = [b + s for b, s in zip(beta, step, strict=True)]
        before = probabilities
        sums = [fsum(map(mul, beta, row)) for row in zip(*columns, strict=True)]
        probabilities = [_probability(x) for x in sums]
        if max(map(abs, map(float.__sub__, probabilities, before))) <= SMALL:
            return probabilities
    raise NotConverged(_OPEN)


_OPEN = f"no probabilities are final after {STEPS} steps"


def _probability(x: float) -> float:
    return 1 / (1 + exp(-x)) if x >= 0 else exp(x) / (1 + exp(x)) if x > -700 else 0.0


def _scaled(column: Sequence[float]) -> list[float]:
    """Return the values less their mean, scaled.

    Their squares sum to their number.
    """
    mean = fsum(column) / len(column)
    centred = [x - mean for x in column]
    most = max(map(abs, centred))
    if most <= SMALL * max(map(abs, column)):
        return []
    shares = [x / most for x in centred]
    size = (fsum(map(mul, shares, shares)) / len(shares)) ** 0.5
    return [x / size for x in shares]


def _independent(columns: Sequence[list[float]]) -> list[list[float]]:
    """The columns without those that are linear combinations of those before them."""
    kept: list[list[float]] = []
    directions: list[list[float]] = []
    for column in columns:
        rest = list(column)
        for direction in (*directions, *directions):  # twice, against rounding
            share = fsum(map(mul, rest, direction))
            rest = [x - share * d for x, d in zip(rest, direction, strict=True)]
        size = fsum(map(mul, rest, rest)) ** 0.5
        if size**2 > SMALL * len(column):
            kept.append(column)
            directions.append([x / size for x in rest])
    return kept


def _solved(matrix: list[list[float]], right: Sequence[float]) -> list[float]:
    """The solution of equations with a positive definite matrix, by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for i in range(size):
        best = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[best] = rows[best], rows[i]
        if abs(rows[i][i]) < 1e-200:
            raise NotConverged(_OPEN)
        for r in range(i + 1, size):
            if factor := rows[r][i] / rows[i][i]:
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i], strict=True)]
    solution = [0.0] * size
    for i in reversed(range(size)):
        known = fsum(rows[i][j] * solution[j] for j in range(i + 1, size))
        solution[i] = (rows[i][size] - known) / rows[i][i]
    return solution
