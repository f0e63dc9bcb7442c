"""Mondrian: parts of the records are cut at medians, as long as both sides have k records.

Source: K. LeFevre, D. J. DeWitt, R. Ramakrishnan, "Mondrian multidimensional k-anonymity", ICDE
2006. The paper was not available, but its pseudo-code was, on the page of another implementation
(Mondrian-k-anonimity by Andrew0133): one side has the values up to the median, the other those
above it. It leaves open which median an even number of values has. The rest follows another
implementation (Mondrian by qiyuangong), which of an odd number of values takes the one below the
median. There the values of a group are released as ranges, here as their means.

Steps, beginning with one part of all records:
  1. The width of an attribute is its range in the part over its range in the file. Of the
     attributes at which the part can be cut, that of the greatest width is taken.
  2. The part is cut at the median of this attribute, of an even number of values the lower one:
     `cut` "strict": the records with at most this value are one side, those with more the other.
     An attribute at which a side would have fewer than k records is left out in step 1.
     `cut` "relaxed": the records with less are one side, those with more the other, and those with
     the median are divided between them, so that the first side has half of the records, or one
     more.
  3. A part that cannot be cut is a group; the sides are parts.

With "relaxed" groups have at most 2k-1 records. With "strict" equal values stay together, so there
is no limit, and the only open choice is among attributes of the same width.

Example, with paper and pencil: 1, 2, 3, 10, 11, 12, 30 with k = 2 are cut at 10, and the four up to
it at 2. Of 1, 5, 5, 5, 5, 5 all are at most the median: strict, they are one group; relaxed, 1, 5,
5 and 5, 5, 5.

>>> import refagg
>>> refagg.mondrian([[1], [2], [3], [10], [11], [12], [30]], k=2).groups
((0, 1), (2, 3), (4, 5, 6))
>>> refagg.mondrian([[1], [5], [5], [5], [5], [5]], k=2).groups
((0, 1, 2, 3, 4, 5),)
>>> refagg.mondrian([[1], [5], [5], [5], [5], [5]], k=2, cut="relaxed").groups
((0, 1, 2), (3, 4, 5))
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from refagg.algorithms.mdav_family.steps import difference
from refagg.language.choices import Choices
from refagg.language.partition import Partition, Record
from refagg.language.space import Numeric
from refagg.language.specification import Choice, OpenChoice, Specification
from refagg.language.ties import Magnitude, Nearest, Ranking, TiedCandidates, as_it_is, greatest

Space = Numeric[Any]


def mondrian(space: Space, k: int, choices: Choices, cut: str) -> Partition:
    file = {number: space.attribute(number) for number in range(space.width)}
    ranges = {number: max(values) - min(values) for number, values in file.items()}
    parts, groups = [space.records()], []
    while parts:
        part = parts.pop()
        ordered = {number: sorted([file[number][r] for r in part]) for number in file}
        widths = {
            number: _width(values, ranges[number])
            for number, values in ordered.items()
            if can_be_cut(values, k, cut)
        }
        if not widths:
            groups.append(choices.closed(part))  # 3.
            continue
        number = choices.choose("attribute", _widest(space, widths))  # 1.
        near = up_to_the_median(part, file[number], ordered[number])
        left = _left(choices, near, len(part), k, cut)  # 2.
        parts += [difference(part, left), left]
    return Partition.of(groups, space.n)


def can_be_cut(ordered: Sequence[Magnitude], k: int, cut: str) -> bool:
    """Do both sides have k records, if the part has these values of an attribute?"""
    if cut == "relaxed":
        return len(ordered) >= 2 * k
    return len(ordered) - bisect_right(ordered, _median(ordered)) >= k  # the other has no fewer


def up_to_the_median(
    part: Sequence[Record], values: Sequence[Magnitude], ordered: Sequence[Magnitude]
) -> Nearest[Record]:
    """The records with less than the median, and as many of those with it as make half of all."""
    median = _median(ordered)
    less = [record for record in part if values[record] < median]
    equal = [record for record in part if values[record] == median]
    measured = Ranking(part, [values[record] for record in part], as_it_is)
    return Nearest(tuple(less), tuple(equal), _half(ordered) - len(less), median, measured)


def _left(choices: Choices, near: Nearest[Record], size: int, k: int, cut: str) -> list[Record]:
    """The side of the lesser values."""
    if cut == "strict":
        return sorted(near.certain + near.tied)
    is_group = (size + 1) // 2 < 2 * k
    others = min(near.certain, default=None) if is_group else None
    return list(choices.choose_nearest("shared", near, same_group_as=others))


def _widest(space: Space, widths: dict[int, Fraction]) -> TiedCandidates[int]:
    """The attributes of the greatest width; where all records are equal, only the first."""
    different = [number for number, width in widths.items() if width] or [min(widths)]
    return greatest(space.measured(different, [widths[number] for number in different]))


def _half(values: Sequence[Magnitude]) -> int:
    return (len(values) + 1) // 2


def _median(ordered: Sequence[Magnitude]) -> Magnitude:
    return ordered[_half(ordered) - 1]


def _width(ordered: Sequence[Magnitude], whole: Magnitude) -> Fraction:
    """0 where the attribute has one value in the file."""
    return Fraction(ordered[-1] - ordered[0]) / Fraction(whole or 1)


SPECIFICATION = Specification(
    name="mondrian",
    title="Mondrian (parts are cut at the median of their widest attribute)",
    source="LeFevre, DeWitt and Ramakrishnan 2006, ICDE",
    run=mondrian,
    largest_group=lambda k, cut: 2 * k - 1 if cut == "relaxed" else None,
    guarantees="groups of at least k records; relaxed, of k to 2k-1",
    ties=(
        OpenChoice("attribute", "1", "the attribute of the greatest width", "attribute", "width"),
        OpenChoice("shared", "2", "the half of the part with the least values", measure="value"),
    ),
    decisions=(79,),
    cost="O(p n log n log(n/k)) for p attributes, O(p n) memory",
    parameters=(Choice("cut", ("strict", "relaxed"), "whether equal values stay together"),),
    needs="Numeric",
)
