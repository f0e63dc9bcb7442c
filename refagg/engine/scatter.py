"""Centres and scatters of some of the records, and the distances of all records from them.

The squared Mahalanobis distance of a record from a centre is by the covariance matrix of the
records that the centre is the average of. It does not depend on the scale of the attributes, nor on
attributes that are constant or linear combinations of others: those are left out.

Covariances are computed in integers; of coordinates in binary64 they are those of the rounded
ones. So are distances, where coordinates are no floats; which records are near is found in
binary64, and computed exactly where its rounding leaves that open.

Source of the minimum covariance determinant (MCD) and of concentration steps: P. J. Rousseeuw,
K. Van Driessen, "A fast algorithm for the minimum covariance determinant estimator", Technometrics
41 (1999) 212-223. How many starts there are, ties, and what happens to singular sets are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod, sqrt
from operator import mul, sub
from typing import Any

from refagg.engine.mahalanobis import LEFT, Residual, inverse_form, residuals, whole_numbers
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
    """The average of some records, and the directions around it that are uncorrelated.

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
        """Of the covariance matrix."""
        return prod((r.variance for r in self.directions), start=Fraction(1))


class Cloud:
    """The records as rows of integers, without the attributes that tell nothing more."""

    def __init__(self, space: Numeric[Any], records: Sequence[Record]) -> None:
        """The records are numbered anew, from 0 in the order in which they are given."""
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
        """Return all distances in binary64, with the effect of rounding as their tolerance.

        If it can do e to a difference, it can do 2 d e + e^2 to d^2, which is at most
        r d^2 + e^2 / r + e^2 for any r.
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
        """The h nearest records, and all that are as near as the last of them.

        What binary64 leaves open is computed in rational numbers, unless coordinates are floats.
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


def classical_distances(space: Numeric[Any]) -> Ranking[Record]:
    """The squared Mahalanobis distances from the average of all records, by their covariance."""
    cloud = Cloud(space, space.records())
    everything = cloud.scatter(range(space.n))
    assert everything is not None  # of the attributes that are kept none is a combination
    return cloud.distances(everything)


def robust_distances(space: Numeric[Any], choices: Choices, starts: int) -> Ranking[Record]:
    """The squared Mahalanobis distances from the centre of the MCD, by its covariance."""
    cloud = Cloud(space, space.records())
    return cloud.distances(minimum_determinant(cloud, choices, starts))


def minimum_determinant(cloud: Cloud, choices: Choices, starts: int) -> Scatter:
    """The scatter of about half of the records whose determinant is the least that is found.

    From each of so many starts: p+1 records are drawn, p being the number of attributes that are
    not left out; then again and again the h = (n+p+1)/2 records, rounded down, that are nearest
    to the centre of the records before (and all that are as near as the last of them), while the
    determinant falls. A start or a step to records whose covariance is singular is not
    taken. The first of the least determinants counts; without any, all records do.
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
    """The scatter to which concentration steps from the drawn records lead; None if none exists."""
    found, step = None, cloud.scatter(drawn)
    if step is not None:
        step = cloud.scatter(cloud.nearest(step, h))
    while step and (found is None or cloud.less(step.determinant, found.determinant)):
        found, step = step, cloud.scatter(cloud.nearest(step, h))
    return found
