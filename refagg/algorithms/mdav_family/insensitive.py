"""Insensitive microaggregation: changing one record changes each group by at most one.

A group changes by at most one record.

Source: J. Soria-Comas, J. Domingo-Ferrer, D. Sanchez, S. Martinez, "Enhancing data utility in
differential privacy via microaggregation-based k-anonymity", The VLDB Journal 23 (2014) 771-794.
The paper was not available; the reading is recollected, with the help of another implementation.

The domain of an attribute goes from `lower` to `lower` + `width`, which are known beforehand and
not taken from the file. They are the same for all attributes, or each has its own: `lower` is then
a list, or has the values by name. The reference points are the corners of this box.

Steps, while at least 2k records remain:
  1. The reference point is at first the corner of the lower ends, and then always, of the corners
     not used yet, the one that differs from the last one in the most attributes; of several, from
     the one before that, and so on; of several, the first in the order of their values. When all
     are used, all are used again in the same order, from the corner of the lower ends on.
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
>>> frame = {"age": [-4, -3, 3, 4, 0], "pay": [1, 2, 98, 99, 50]}
>>> domain = {"lower": {"age": -5, "pay": 0}, "width": {"age": 10, "pay": 100}}
>>> refagg.insensitive(frame, k=2, **domain, standardise="none").groups
((0, 1), (2, 3, 4))
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from refagg.cursors.remaining import Cursor, on_cursor
from refagg.errors import InvalidParameter
from refagg.language.specification import OpenChoice, Specification, of_each
from refagg.linear_algebra.binary64 import within_floats

Numbers = Fraction | tuple[Fraction, ...]
"""One for all attributes, or one for each."""


@within_floats
def insensitive(R: Cursor, k: int, lower: Numbers, width: Numbers) -> None:
    space: Any = R.space
    lowest = for_each(space.width, "lower", lower)
    widths = for_each(space.width, "width", width)
    reference_points = corners(space.width)
    while R.at_least(2 * k):
        upper_ends = next(reference_points)  # 1.
        point = [
            x + w * at_upper for x, w, at_upper in zip(lowest, widths, upper_ends, strict=True)
        ]
        R.close(R.outermost("near", R.corner(point), k))  # 2.
    R.rest()  # 3.


def for_each(attributes: int, name: str, given: Numbers) -> tuple[Fraction, ...]:
    """Return the number of each attribute. Raises InvalidParameter."""
    numbers = given if isinstance(given, tuple) else (given,) * attributes
    if len(numbers) != attributes:
        raise InvalidParameter(
            f"{name} has {len(numbers)} values, and there are {attributes} attributes"
        )
    return numbers


def corners(attributes: int) -> Iterator[tuple[int, ...]]:
    """Step 1: yield corners, with 1 for an attribute's upper end.

    They are yielded again and again.
    """
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


def _likeness(corner: tuple[int, ...], used: list[tuple[int, ...]]) -> list[int]:
    """Return a corner's agreements with each corner used so far.

    An agreement is an attribute in which both are equal. The last corner used comes first.
    """
    return [sum(map(int.__eq__, corner, other)) for other in reversed(used)]


SPECIFICATION = Specification(
    name="insensitive",
    title="insensitive microaggregation (around fixed corners of the domain)",
    source="Soria-Comas, Domingo-Ferrer, Sanchez and Martinez 2014, VLDB Journal 23:771-794",
    run=on_cursor(insensitive),
    guarantees="groups of k records, the last of k to 2k-1; where one record is replaced, no group "
    "loses and gains more than one, unless values are standardised by those of the file",
    ties=(OpenChoice("near", "2", "the k nearest remaining records to the reference point"),),
    decisions=(94,),
    cost="O(n^2 / k) distances, O(n) memory",
    parameters=(
        of_each("lower", Fraction(0), "the lower end of the domain of an attribute"),
        of_each("width", Fraction(1), "from there to the upper end of the domain", positive=True),
    ),
    needs="Numeric",
)
