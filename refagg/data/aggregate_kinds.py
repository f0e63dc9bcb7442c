"""Aggregates that replace a group's values of any declared kind.

Source: J. Domingo-Ferrer, V. Torra, "Ordinal, continuous and heterogeneous k-anonymity through
microaggregation", Data Mining and Knowledge Discovery 11 (2005) 195-212, for the median and the
convex median of ordered categories and for the most frequent of categories without order.

An operator is given the values of a group's records, in the order of the records, and the kind
of the attribute. It returns every admissible value; the first is the one that is released, and
where several are equally frequent it is that of the earliest record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from refagg.data import aggregate
from refagg.data.kinds import Kind, Value
from refagg.errors import UnknownCategory

KindOperator = Callable[[Sequence[Any], Kind], tuple[Any, ...]]
"""From a group's values, in the order of its records, and their kind to the admissible results."""

Combination = tuple[Value, ...]
"""The values of one record in several attributes."""


def positions(values: Sequence[Value], kind: Kind) -> list[int]:
    """Return the places of values among their kind's categories.

    Raises UnknownCategory.
    """
    place = {category: number for number, category in enumerate(kind.categories)}
    for value in values:
        if value not in place:
            known = ", ".join(kind.categories)
            raise UnknownCategory(f"{value!r} is not one of the categories {known}")
    return [place[str(value)] for value in values]


def ordinal_median(values: Sequence[str], kind: Kind) -> tuple[str, ...]:
    """Return the median category, or both middle ones.

    Of an even number of values there are both middle ones, the lower first.

    >>> from refagg.data.kinds import kind_of
    >>> ordinal_median(["high", "low", "mid", "high"], kind_of("ordinal:low<mid<high"))
    ('mid', 'high')
    """
    places = middle_places(positions(values, kind))
    return tuple(dict.fromkeys(kind.categories[place] for place in places))


def middle_places(places: Sequence[int]) -> tuple[int, int]:
    """The lower and the upper median of some places."""
    ordered, m = sorted(places), len(places)
    return ordered[(m - 1) // 2], ordered[m // 2]


def convex_median(values: Sequence[str], kind: Kind) -> tuple[str, ...]:
    """The median after the frequencies are made convex.

    The frequency f of a category becomes f' = min(the greatest f of the lower categories and
    itself, the greatest f of itself and the higher ones), which fills gaps between frequent
    categories. The result is the first category at which the sum of f' so far is at least half
    of the whole sum. It need not be a category that the group has.

    With the frequencies 3, 0, 1, 0, 2, f' is 3, 2, 2, 2, 2 with the sum 11; 3 + 2 is less than
    5.5, and 3 + 2 + 2 is not.

    >>> from refagg.data.kinds import kind_of
    >>> convex_median("aaacee", kind_of("ordinal:a<b<c<d<e"))
    ('c',)
    """
    counts = Counter(positions(values, kind))
    f = [counts[place] for place in range(len(kind.categories))]
    lower, higher = accumulate(f, max), list(accumulate(reversed(f), max))[::-1]
    filled = list(map(min, lower, higher))
    whole = sum(filled)
    reached = (place for place, part in enumerate(accumulate(filled)) if 2 * part >= whole)
    return (kind.categories[next(reached)],)


def kind_mode(values: Sequence[str], kind: Kind) -> tuple[str, ...]:
    """The most frequent categories, in the order of their first records."""
    if kind.categories:
        positions(values, kind)
    return aggregate.mode(values)


def joint_mode(combinations: Sequence[Combination]) -> tuple[Combination, ...]:
    """Return the most frequent combinations of several attributes.

    They are in the order of their first records. Only combinations that occur in the group are
    considered, so that none is invented, as it can be where each attribute has its own mode.

    >>> joint_mode([("a", "x"), ("a", "y"), ("b", "y"), ("c", "y"), ("a", "x")])
    (('a', 'x'),)
    """
    return aggregate.mode(combinations)


def _for_numbers(combine: Callable[[Sequence[Any]], tuple[object, ...]]) -> KindOperator:
    return lambda values, kind: combine(values)


KIND_AGGREGATES: Mapping[str, Mapping[str, KindOperator]] = {
    "numeric": {
        name: _for_numbers(aggregate.operator(name))
        for name in aggregate.AGGREGATIONS
        if name != "trimmed-mean"
    },
    "ordinal": {"median": ordinal_median, "convex-median": convex_median, "mode": kind_mode},
    "nominal": {"mode": kind_mode},
}
"""The operators of each kind by name; the first is the default. The trimmed mean of numbers
needs a share, and sequences have prototypes instead."""

JOINT_AGGREGATES: Mapping[str, Callable[[Sequence[Combination]], tuple[Combination, ...]]] = {
    "joint-mode": joint_mode
}
"""The operators for all nominal attributes together, from the combinations that a group has."""
