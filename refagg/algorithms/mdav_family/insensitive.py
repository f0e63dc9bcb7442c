"""Insensitive microaggregation: changing one record changes each group by at most one record.

Source: J. Soria-Comas, J. Domingo-Ferrer, D. Sanchez, S. Martinez, "Enhancing data utility in
differential privacy via microaggregation-based k-anonymity", The VLDB Journal 23 (2014) 771-794.
The paper was not available; the reading is recollected, with the help of another implementation.

The domain of every attribute goes from `lower` to `lower` + `width`, which are known beforehand and
not taken from the file; attributes on different scales are first brought to one scale by their
domains. The reference points are the corners of this box.

Steps, while at least 2k records remain:
  1. The reference point is at first the corner of the lower ends, and then always, of the corners
     not used yet, the one that differs from the last one in the most attributes; of several, from
     the one before that, and so on; of several, the first in the order of their values. When all
     are used, all become available again.
  2. The k records that are nearest to the reference point are a group.
Then:
  3. the last k to 2k-1 records are a group.

A group depends on other records only through the order of distances from fixed points. So if one
record of the file is replaced, no group loses or gains more than one record, and a centroid moves
by at most 1/k of the domain: that much less noise makes it differentially private. This does not
hold for scales taken from the file, such as z-scores: use `standardise` "none". No noise is added
here.

Example, with paper and pencil: 1, 2, 3, 10, 11, 12, 30 with k = 2 in the domain from 0 to 30. {1,
2} is nearest to 0, then {12, 30} to 30; {3, 10, 11} is the rest.

>>> import refagg
>>> rows = [[1], [2], [3], [10], [11], [12], [30]]
>>> refagg.insensitive(rows, k=2, lower=0, width=30, standardise="none").groups
((0, 1), (2, 3, 4), (5, 6))
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import sqrt
from typing import Any

from refagg.cursors.remaining import Cursor, on_cursor
from refagg.language.specification import OpenChoice, Specification, non_negative, positive
from refagg.linear_algebra.binary64 import within_floats


@within_floats
def insensitive(R: Cursor, k: int, lower: Fraction, width: Fraction) -> None:
    space: Any = R.space
    reference_points = corners(space.width)
    while R.at_least(2 * k):
        upper_ends = next(reference_points)  # 1.
        point = _point(space, [lower + width * at_upper for at_upper in upper_ends])
        R.close(R.outermost("near", point, k))  # 2.
    R.rest()  # 3.


def corners(attributes: int) -> Iterator[tuple[int, ...]]:
    """Step 1: for each attribute 1 for its upper end, again and again."""
    while True:
        used = [(0,) * attributes]
        yield used[0]
        while len(used) < 2**attributes:
            used.append(_following(used))
            yield used[-1]


def _following(used: list[tuple[int, ...]]) -> tuple[int, ...]:
    last, taken = used[-1], set(used)
    for same in range(len(last)):
        different = [
            tuple(x if j in kept else 1 - x for j, x in enumerate(last))
            for kept in combinations(range(len(last)), same)
        ]
        if free := [corner for corner in different if corner not in taken]:
            return min(free, key=lambda corner: [*_likeness(corner, used), corner])
    raise AssertionError("all corners are used")


def _likeness(corner: tuple[int, ...], used: list[tuple[int, ...]]) -> list[Any]:
    """In how many attributes a corner equals each corner used so far, beginning with the last."""
    return [sum(map(int.__eq__, corner, other)) for other in reversed(used)]


def _point(space: Any, values: list[Fraction]) -> Any:
    """The point of the space where attributes have these values."""
    deviations = [value - origin for value, origin in zip(values, space.origin, strict=True)]
    return space.point(
        [float(x) * sqrt(weight) for x, weight in zip(deviations, space.weights, strict=True)]
    )


SPECIFICATION = Specification(
    name="insensitive",
    title="insensitive microaggregation (around fixed corners of the domain)",
    source="Soria-Comas, Domingo-Ferrer, Sanchez and Martinez 2014, VLDB Journal 23:771-794",
    run=on_cursor(insensitive),
    guarantees="groups of k records, the last of k to 2k-1; where one record is replaced, no group "
    "loses and gains more than one, unless values are standardised by those of the file",
    ties=(OpenChoice("near", "2", "the k remaining records nearest to the reference point"),),
    decisions=(94,),
    cost="O(n^2 / k) distances, O(n) memory",
    parameters=(
        non_negative("lower", Fraction(0), "the lower end of the domain of every attribute"),
        positive("width", Fraction(1), "from the lower end of the domain to the upper one"),
    ),
    needs="Real",
    arithmetic=("float",),
)
