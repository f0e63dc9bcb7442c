"""Centres and scatters of records, and Mahalanobis distances from them.

The squared Mahalanobis distance of a record from a centre is by the covariance matrix of the
records that the centre is the average of; the metric of a file takes that of all records (divisor
n). It does not depend on the scale of attributes. Those that are constant, or linear combinations
of attributes before them, are left out: the differences of records lie in the range of the matrix,
so every generalised inverse, the Moore-Penrose one too, gives the same distances.

Covariances are computed in integers, and so are exact distances, over a common denominator. In
binary64 the records get coordinates in which the Mahalanobis distance is the Euclidean one; they
are rounded once, from exact numbers. Rounding matters more, the nearer an attribute is to a
combination of others, and the tolerance for ties is wider accordingly; an attribute with no more
than 2^-40 of its standard deviation left counts as such a combination.

Source of the minimum covariance determinant (MCD) and of concentration steps: P. J. Rousseeuw,
K. Van Driessen, "A fast algorithm for the minimum covariance determinant estimator", Technometrics
41 (1999) 212-223. How many starts there are, ties, and what happens to singular sets are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import dist, lcm, prod, sqrt
from operator import mul, sub
from typing import Any

from refagg.engine.metrics import Metric, MetricRows, Row
from refagg.language.choices import Choices
from refagg.language.partition import Record
from refagg.language.space import Numeric
from refagg.language.ties import Magnitude, Ranking, Tolerance, as_it_is, nearest
from refagg.terminal import NOW

FALLS = Fraction(1, 2**30)
"""In binary64 a determinant is less than another if it is so by more than this part of it."""

ROUNDING = 2.0**-50
"""By so much of the largest value of its attribute a coordinate in binary64 may be off."""

RELATIVE = 2.0**-39
"""The relative part of the tolerance of squared distances in binary64."""


@dataclass(frozen=True, slots=True)
class Scatter:
    """The average of records, and the uncorrelated directions around it.

    `sums` are those of their values.
    """

    records: Sequence[Record]
    sums: tuple[int, ...]
    directions: list[Residual]

    @property
    def count(self) -> int:
        """Return the number of records."""
        return len(self.records)

    @property
    def determinant(self) -> Fraction:
        """Return the determinant of the covariance matrix."""
        return prod((r.variance for r in self.directions), start=Fraction(1))


class Cloud:
    """The records as rows of integers, without redundant attributes."""

    def __init__(self, space: Numeric[Any], records: Sequence[Record]) -> None:
        """Initialise the cloud.

        The records are numbered again, from 0 in the order in which they are given.
        """
        self.records = records
        columns: list[Sequence[Magnitude]] = [
            [values[i] for i in records] for values in map(space.attribute, range(space.width))
        ]
        self.floats = isinstance(columns[0][0], float)
        whole = [whole_numbers(column) if self.floats else column for column in columns]
        self._least_share = LEFT if self.floats else Fraction(0)
        found = residuals(whole, self._least_share)
        # A residual has its own attribute with the factor 1, and none after it.
        self.columns = [whole[max(j for j, c in enumerate(r.combination) if c)] for r in found]
        self.rows: list[tuple[int, ...]] = (
            list(zip(*self.columns, strict=True)) if found else [()] * len(records)
        )
        self._largest = [max(map(abs, column)) for column in self.columns]
        self._points = [
            [x / most for x, most in zip(row, self._largest, strict=True)] for row in self.rows
        ]
        self._exact = space.measured((), ()).tolerance

    def scatter(self, records: Sequence[Record]) -> Scatter | None:
        """Their centre and covariance; None where the covariance is singular."""
        columns = [[column[i] for i in records] for column in self.columns]
        found = residuals(columns, self._least_share) if columns else []
        if len(found) < len(self.columns):
            return None
        return Scatter(records, tuple(map(sum, columns)), found)

    def distances(self, scatter: Scatter) -> Ranking[Record]:
        """The squared Mahalanobis distances of all records."""
        if self.floats:
            return self.rounded_distances(scatter)
        everything = range(len(self.rows))
        values = self.exact_distances(scatter, everything)
        return Ranking(everything, values, as_it_is, self._exact)

    def exact_distances(self, scatter: Scatter, records: Sequence[Record]) -> list[Fraction]:
        """The squared Mahalanobis distances of some records."""
        form, unit = inverse_form(scatter.directions, len(self.columns))
        whole = unit * scatter.count**2
        values = []
        for record in records:
            pairs = zip(self.rows[record], scatter.sums, strict=True)
            y = [scatter.count * x - total for x, total in pairs]
            square = sum(map(mul, y, [sum(map(mul, line, y)) for line in form]))
            values.append(Fraction(square, whole))
        return values

    def rounded_distances(self, scatter: Scatter) -> Ranking[Record]:
        """Return all distances in binary64, with a tolerance for rounding.

        The tolerance covers the effect of rounding. If it can do e to a difference, it can do 2 d e
        + e^2 to d^2, which is at most r d^2 + e^2 / r + e^2 for any r.
        """
        axes = [
            [
                _root(c * most, r.variance)
                for c, most in zip(r.combination, self._largest, strict=True)
            ]
            for r in scatter.directions
        ]
        pairs = zip(scatter.sums, self._largest, strict=True)
        centre = [total / (scatter.count * most) for total, most in pairs]
        values = []
        for point in self._points:
            moved = list(map(sub, point, centre))
            along = [sum(map(mul, axis, moved)) for axis in axes]
            values.append(sum(map(mul, along, along)))
        off = max((sum(map(abs, axis)) for axis in axes), default=0.0) * ROUNDING
        tolerance = Tolerance(RELATIVE, 2 * len(axes) * off * off / RELATIVE)
        return Ranking(range(len(values)), values, as_it_is, tolerance)

    def nearest(self, scatter: Scatter, h: int) -> list[Record]:
        """Return the h nearest records, with ties.

        All records that are as near as the last of them are included. What binary64 leaves open is
        computed in rational numbers, unless coordinates are floats.
        """
        near = nearest(self.rounded_distances(scatter), h)
        if self.floats or len(near.tied) == 1:
            return sorted(near.certain + near.tied)
        exact = self.exact_distances(scatter, near.tied)
        bound = sorted(exact)[near.places - 1]
        pairs = zip(near.tied, exact, strict=True)
        return sorted([*near.certain, *(record for record, value in pairs if value <= bound)])

    def less(self, a: Fraction, b: Fraction) -> bool:
        """Return True if one determinant is less than the other."""
        return a < b * (1 - FALLS) if self.floats else a < b


def _root(numerator: Fraction, square: Fraction) -> float:
    """numerator / sqrt(square)."""
    size = sqrt(numerator**2 / square)
    return -size if numerator < 0 else size


def classical_distances(space: Numeric[object]) -> Ranking[Record]:
    """Return squared Mahalanobis distances from the average of all records.

    They are by the covariance of all records.
    """
    cloud = Cloud(space, space.records())
    everything = cloud.scatter(range(space.n))
    assert everything is not None  # of the attributes that are kept none is a combination
    return cloud.distances(everything)


def robust_distances(space: Numeric[object], choices: Choices, starts: int) -> Ranking[Record]:
    """Return squared Mahalanobis distances from the centre of the MCD.

    They are by the covariance of the MCD.
    """
    cloud = Cloud(space, space.records())
    return cloud.distances(minimum_determinant(cloud, choices, starts))


def minimum_determinant(cloud: Cloud, choices: Choices, starts: int) -> Scatter:
    """Return the scatter of least determinant that is found.

    It is one of about half of the records. From each of so many starts: p+1 records are drawn, p
    being the number of attributes that are not left out; then again and again the h = (n+p+1)/2
    records, rounded down, that are nearest to the centre of the records before (and all that are as
    near as the last of them), while the determinant falls. A start or a step to records whose
    covariance is singular is not taken. The first of the least determinants counts; without any,
    all records do.
    """
    n, p = len(cloud.rows), len(cloud.columns)
    best: Scatter | None = None
    for _ in NOW.each(range(starts), "starts"):
        drawn = choices.stream.sample(range(n), p + 1)
        choices.drew("first records of a start", [cloud.records[i] for i in drawn], n)
        found = _concentrated(cloud, drawn, (n + p + 1) // 2)
        if found and (best is None or cloud.less(found.determinant, best.determinant)):
            best = found
    if best is None:
        best = cloud.scatter(range(n))
    assert best is not None  # of the attributes that are kept none is a combination
    return best


def _concentrated(cloud: Cloud, drawn: Sequence[Record], h: int) -> Scatter | None:
    """Return the scatter that concentration steps reach from drawn records.

    None if none exists.
    """
    found, step = None, cloud.scatter(drawn)
    if step is not None:
        step = cloud.scatter(cloud.nearest(step, h))
    while step and (found is None or cloud.less(step.determinant, found.determinant)):
        found, step = step, cloud.scatter(cloud.nearest(step, h))
    return found


LEFT = Fraction(1, 2**80)
"""The share of its variance that an attribute in binary64 must keep beside those before it."""


@dataclass(frozen=True, slots=True)
class QuadraticForm:
    """Records as integer rows x with a quadratic form P.

    The squared distance of x and y is (x-y)' P (x-y) / unit.
    """

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
    """The residual of an attribute on those before it.

    It is a combination of attributes that is uncorrelated with them, its variance, and its share of
    the attribute's variance.
    """

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
    """Return the inverse of a covariance matrix from its residuals.

    It is returned as integers with their unit.
    """
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
    """Return the residuals of attributes that keep enough variance.

    They keep more than `least_share` of their variance.

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
