"""Projection pursuit: the direction along which the records spread most.

The candidates are the directions to the records.

Source: C. Croux, A. Ruiz-Gazen, "High breakdown estimators for principal components: the
projection-pursuit approach revisited", Journal of Multivariate Analysis 95 (2005) 206-226, for
the candidates; the first component only. Recollected.

Scores are compared without their norms: the score of a direction c is the squared median absolute
deviation of the products with c, divided by the squared length of c, which is rational for rational
records.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, sqrt
from operator import mul
from typing import Any

from refagg.cursors.sorted import Scores, Sorted
from refagg.language.partition import Record
from refagg.language.space import Numeric
from refagg.language.specification import OpenChoice
from refagg.language.ties import EXACT, Magnitude, Ranking, Tolerance, as_it_is, greatest

EQUAL = 2.0**-40
"""Products that differ by no more than this part of the greatest are equal in binary64."""

DIRECTION = OpenChoice(
    "direction",
    "2",
    "the record in whose direction from the median the records spread most",
    measure="spread^2",
)

Row = tuple[Magnitude, ...]


def pursued(S: Sorted, records: Sequence[Record]) -> Scores:
    """The products of some records with the direction."""
    space = S.space
    floats = isinstance(space.attribute(0)[0], float)
    columns = [
        _from_the_median([space.attribute(j)[i] for i in records]) for j in range(space.width)
    ]
    factors = [space.factor(j) for j in range(space.width)]
    rows: list[Row] = list(zip(*columns, strict=True))
    weighted = [tuple(map(mul, factors, row)) for row in rows]
    candidates = _different(rows, weighted)
    if not candidates:
        return Scores([0] * len(rows), chosen=True)
    values = []
    for c in S.choices.each(candidates, "directions"):
        squared = sum(map(mul, weighted[c], rows[c]))
        deviation = _deviation(_products(weighted[c], rows))
        values.append(deviation**2 / (squared if floats else Fraction(squared)))
    spreads = Ranking([records[c] for c in candidates], values, as_it_is, _near(space, rows))
    chosen = records.index(S.choices.choose("direction", greatest(spreads)))
    scores = _products(_pointing(weighted[chosen]), rows)
    near = Tolerance(absolute=EQUAL * max(map(abs, scores))) if floats else EXACT
    return Scores(scores, near, chosen=True)


def _from_the_median(values: Sequence[Magnitude]) -> list[Magnitude]:
    """Twice the values less twice their median."""
    middle = _twice_the_median(values)
    return [2 * x - middle for x in values]


def _twice_the_median(values: Sequence[Magnitude]) -> Magnitude:
    ordered = sorted(values)
    return ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]


def _deviation(values: Sequence[Magnitude]) -> Magnitude:
    """Four times the median of the distances from the median."""
    return _twice_the_median(list(map(abs, _from_the_median(values))))


def _products(direction: Row, rows: Sequence[Row]) -> list[Magnitude]:
    return [sum(map(mul, direction, row)) for row in rows]


def _different(rows: Sequence[Row], weighted: Sequence[Row]) -> list[int]:
    """Return one record for each direction from the median.

    There is none for the median itself.
    """
    seen: dict[Row, int] = {}
    for i, (row, other) in enumerate(zip(rows, weighted, strict=True)):
        if any(other):
            seen.setdefault(_in_lowest_terms(_pointing(row)), i)
    return list(seen.values())


def _in_lowest_terms(row: Row) -> Row:
    if isinstance(row[0], float):
        return row
    shared = gcd(*row)
    return tuple([x // shared for x in row])


def _pointing(row: Row) -> Row:
    """Return the direction or its opposite, with positive first loading.

    It is the first loading of those that are not 0.
    """
    return tuple([-x for x in row]) if next(filter(None, row)) < 0 else row


def _near(space: Numeric[Any], rows: Sequence[Row]) -> Tolerance:
    """The tolerance within which squared spreads are tied.

    If rounding can do e to a spread s, it can do 2 s e + e^2 to s^2, at most r s^2 + e^2 / r + e^2.
    """
    own = space.measured((), ()).tolerance
    if not isinstance(rows[0][0], float):
        return own
    largest = 4 * max(sqrt(sum(map(mul, row, row))) for row in rows)
    off = 2.0**-50 * largest
    return Tolerance(EQUAL, 2 * off * off / EQUAL)
