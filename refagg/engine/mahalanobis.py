"""The Mahalanobis metric.

It measures by the inverse of the covariance matrix of all records (divisor n). Attributes that
are constant, or that are linear combinations of attributes before them, are left out of that
matrix: the differences of records lie in its range, so every generalised inverse, the
Moore-Penrose one too, gives the same distances.

In exact arithmetic the squared distances are integers over a common denominator. In
binary64 the records get coordinates in which the Mahalanobis distance is the Euclidean one;
they are rounded once, from exact numbers. Rounding of the attributes matters more, the nearer
an attribute is to a combination of others, and the tolerance for ties is wider accordingly; an
attribute with no more than 2^-40 of its standard deviation left counts as such a combination.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import dist, lcm, sqrt
from operator import mul, sub
from typing import Any

from refagg.engine.metrics import Metric, MetricRows, Row
from refagg.language.partition import Record
from refagg.language.ties import Magnitude, Tolerance, as_it_is

LEFT = Fraction(1, 2**80)
"""The share of its variance that an attribute in binary64 must keep beside those before it."""


@dataclass(frozen=True, slots=True)
class QuadraticForm:
    """Records as rows of integers x; the squared distance is (x-y)' P (x-y) / unit."""

    rows: Sequence[tuple[int, ...]]
    weighted: Sequence[tuple[int, ...]]
    """For each record P x."""
    norms: Sequence[int]
    """For each record x' P x."""
    unit: Fraction
    tolerance: Tolerance

    def raw(self, a: Record, others: Sequence[Record]) -> list[int]:
        weighted, norm = self.weighted[a], self.norms[a]
        rows, norms = self.rows, self.norms
        return [norm + norms[b] - 2 * sum(map(mul, weighted, rows[b])) for b in others]

    def shown(self, raw: int | Fraction) -> Fraction:
        return raw / self.unit

    def centroid(self, records: Sequence[Record]) -> Any:
        raise NotImplementedError("in exact arithmetic, sums of distances do without centroids")


@dataclass(frozen=True, slots=True)
class Residual:
    """The residual of an attribute on those before it: a combination of attributes that is
    uncorrelated with them, its variance, and its share of the attribute's variance."""

    combination: tuple[Fraction, ...]
    variance: Fraction
    share: Fraction


def mahalanobis(columns: Sequence[Sequence[Magnitude]], tolerance: Tolerance) -> Metric:
    """The metric on the records that these attributes describe."""
    floats = isinstance(columns[0][0], float)
    whole = [whole_numbers(column) for column in columns] if floats else columns
    found = residuals(whole, LEFT if floats else Fraction(0))
    rows = list(zip(*whole, strict=True))
    if floats:
        return MetricRows([_whitened(row, found) for row in rows], dist, as_it_is, _wider(found))
    form, unit = inverse_form(found, len(whole))
    weighted = [tuple([sum(map(mul, line, row)) for line in form]) for row in rows]
    norms = [sum(map(mul, wx, x)) for wx, x in zip(weighted, rows, strict=True)]
    return QuadraticForm(rows, weighted, norms, Fraction(unit), tolerance)


def inverse_form(found: Sequence[Residual], width: int) -> tuple[list[list[int]], int]:
    """The inverse of a covariance matrix from its residuals: integers, and their unit."""
    inverse = [
        [
            sum((r.combination[i] * r.combination[j] / r.variance for r in found), Fraction(0))
            for j in range(width)
        ]
        for i in range(width)
    ]
    unit = lcm(*(entry.denominator for line in inverse for entry in line))
    return [[int(entry * unit) for entry in line] for line in inverse], unit


def residuals(columns: Sequence[Sequence[int]], least_share: Fraction) -> list[Residual]:
    """The residuals of the attributes that keep more than this share of their variance.

    >>> for r in residuals([[0, 0, 2, 2], [1, 1, 5, 5], [3, 3, 3, 3], [0, 2, 0, 2]], Fraction(0)):
    ...     print(*r.combination, "variance", r.variance)
    1 0 0 0 variance 1
    0 0 0 1 variance 1
    """
    n, p = len(columns[0]), len(columns)
    sums = [(column, sum(column)) for column in columns]
    covariance = [
        [Fraction(n * sum(map(mul, x, y)) - sx * sy, n * n) for y, sy in sums] for x, sx in sums
    ]
    found: list[Residual] = []
    for j in range(p):
        combination = [Fraction(int(i == j)) for i in range(p)]
        for before in found:
            # The covariance of attribute j with a residual that is there.
            shared = sum(map(mul, before.combination, covariance[j]), Fraction(0))
            factor = shared / before.variance
            taken = [factor * b for b in before.combination]
            combination = list(map(sub, combination, taken))
        variance = sum(map(mul, combination, covariance[j]), Fraction(0))
        if variance > least_share * covariance[j][j]:
            share = variance / covariance[j][j]
            found.append(Residual(tuple(combination), variance, share))
    return found


def whole_numbers(column: Sequence[float]) -> list[int]:
    """Multiply numbers by a common power of two that makes them whole."""
    ratios = [x.as_integer_ratio() for x in column]
    common = max(denominator for _, denominator in ratios)
    return [numerator * (common // denominator) for numerator, denominator in ratios]


def _whitened(row: Sequence[int], found: Sequence[Residual]) -> Row:
    """Coordinates with the variance 1 and no covariance."""
    values = [sum(map(mul, r.combination, row), Fraction(0)) for r in found]
    roots = [sqrt(v * v / r.variance) for v, r in zip(values, found, strict=True)]
    return tuple([-x if v < 0 else x for v, x in zip(values, roots, strict=True)])


def _wider(found: Sequence[Residual]) -> Tolerance:
    """The tolerance of squared distances when attributes are rounded and then whitened."""
    least = min((float(r.share) for r in found), default=1.0)
    return Tolerance(relative=min(2.0**-40 / sqrt(least), 2.0**-9), absolute=2.0**-97 / least)
