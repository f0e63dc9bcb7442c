"""Optimal univariate microaggregation of all values but some that are suppressed.

Source: M. Laszlo, S. Mukherjee, "Optimal univariate microaggregation with data suppression",
Journal of Systems and Software 86 (2013) 677-682. The abstract and the opening were read: some
records are suppressed, the others are microaggregated, and a dynamic program finds the least loss.
The program is ours, and so is the bound: at most a given number of records are suppressed, at no
cost.

With the values v_1 <= ... <= v_n, the least SSE of the first i of which s are suppressed is
  f(i, s) = the least of f(i-1, s-1), and of f(i-m, s) + SSE(v_{i-m+1}, ..., v_i) for k <= m < 2k,
with f(0, s) = 0. Runs of the values that stay are enough: a suppressed value within the range of a
group can take the place of the group's greatest, if it is at least the mean of the others, or
otherwise of its least, and the SSE does not rise. Sums are exact. O(n k t) steps for t suppressed
records.

This is not an algorithm of the catalogue: it does not partition all records, and releases nothing
for those that are suppressed.

Example, with paper and pencil: 1, 2, 3, 10, 11, 50 with k = 2. Without 50 the groups 1, 2, 3 and
10, 11 cost 2 + 1/2.

>>> found = with_suppression([1, 2, 3, 10, 11, 50], k=2, most=1)
>>> found.groups, found.suppressed, str(found.sse)
(((0, 1, 2), (3, 4)), (5,), '5/2')
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from typing import SupportsIndex

from refagg.errors import InvalidParameter
from refagg.language.lists import listed
from refagg.language.number_texts import index_of, rational, shortened
from refagg.language.partition import Group, Record, check_k
from refagg.notebook import brief
from refagg.terminal import NOW, watchable

Found = tuple[Fraction, int]
"""An SSE, and how many values the last run has; 0 where the last value is suppressed."""


@brief
class Suppression:
    """The groups that stay, the suppressed records, and the SSE."""

    groups: tuple[Group, ...]
    suppressed: tuple[Record, ...]
    sse: Fraction


@watchable
def with_suppression(
    values: Sequence[object], k: SupportsIndex, most: SupportsIndex = 0, *, progress: bool = False
) -> Suppression:
    """Return the groups of least SSE with few records suppressed.

    The groups have k to 2k-1 records, and at most `most` records are suppressed. With `progress` it
    is shown how far the work is, after two seconds. Of several results it is the one of fewer
    suppressed records, and of larger groups at the end of the order. Raises InvalidK, KTooLarge,
    NotANumber, NotFinite, InvalidParameter.

    >>> import refagg
    >>> made = refagg.with_suppression([1, 2, 9, 8, 30], 2, most=1)
    >>> made.groups, made.suppressed
    (((0, 1), (2, 3)), (4,))
    """
    given = listed(values, "values are", "give a list of numbers")
    numbers = [rational(value, f"value {place}") for place, value in enumerate(given)]
    size, allowed = check_k(k, len(numbers)), index_of(most)
    if allowed is None or not 0 <= allowed <= len(numbers) - size:
        raise InvalidParameter(
            f"most is {shortened(most)}; it must be at least 0 and leave k records, at most "
            f"{len(numbers) - size}"
        )
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    table = _least([numbers[record] for record in order], size, allowed)
    ends = [(end[0], s) for s, row in enumerate(table) if (end := row[-1]) is not None]
    _, used = min(ends)
    return _followed(order, table, used)


def _least(values: Sequence[Fraction], k: int, most: int) -> list[list[Found | None]]:
    """Return f(i, s) for exactly s suppressed values.

    It is a table by s and i; None where there is no way.
    """
    sums = [Fraction(0), *accumulate(values)]
    squares = [Fraction(0), *accumulate(value * value for value in values)]

    def sse(i: int, m: int) -> Fraction:
        total = sums[i] - sums[i - m]
        return squares[i] - squares[i - m] - total * total / m

    table: list[list[Found | None]] = []
    for s in NOW.each(range(most + 1), "numbers of suppressed records"):
        row: list[Found | None] = [(Fraction(0), 0) if s == 0 else None]
        for i in range(1, len(values) + 1):
            ways = [
                (before[0] + sse(i, m), -m)
                for m in range(k, min(2 * k - 1, i) + 1)
                if (before := row[i - m]) is not None
            ]
            if s and (before := table[s - 1][i - 1]) is not None:
                ways.append((before[0], 0))
            row.append((min(ways)[0], -min(ways)[1]) if ways else None)
        table.append(row)
    return table


def _followed(order: Sequence[Record], table: list[list[Found | None]], s: int) -> Suppression:
    """Return the groups and suppressed records of the least SSE.

    They are found by following the table back.
    """
    groups, suppressed = [], []
    at, sse = len(order), _at(table, s, len(order))[0]
    while at:
        m = _at(table, s, at)[1]
        if m:
            groups.append(tuple(sorted(order[at - m : at])))
        else:
            suppressed.append(order[at - 1])
            s -= 1
        at -= m or 1
    return Suppression(tuple(sorted(groups)), tuple(sorted(suppressed)), sse)


def _at(table: list[list[Found | None]], s: int, i: int) -> Found:
    found = table[s][i]
    assert found is not None
    return found
