"""OSS, ordering-based sequence similarity; the number here is the dissimilarity.

Source: C. Gomez-Alonso, A. Valls, "A similarity measure for sequences of categorical data based
on the ordering of common elements", MDAI 2008; used by A. Valls and C. Gomez-Alonso in KSHC.
The formula as it is known from there, not from the paper itself (decision 51).

    d(A, B) = (f + g) / (|A| + |B|)

The p-th occurrence of a symbol in A and its p-th occurrence in B are a common event.

- g is the number of events of A and of B that are not common.
- f is the sum over common events of how far apart their positions in A and B are, divided by
  max(|A|, |B|). Positions are those in the whole sequences.

Two sequences without events are 0 apart. d is rational, symmetric and between 0 and 1, 1 where
nothing is common, and 0 for equal sequences only. It is no metric:
of A = a, B = a b, C = b the way from A to C by B is shorter.

By hand, A = a b c and B = b a: c is not common, so g = 1; a and b are each one place off, so
f = 2/3; d = (2/3 + 1) / 5.

>>> OSS(("a", "b", "c"), ("b", "a"))
Fraction(1, 3)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from refagg.data.kinds import Events
from refagg.spaces.dissimilarities.dissimilarity import pair_by_pair


@dataclass(frozen=True, slots=True)
class Positions:
    """A sequence by its symbols, each with its ascending positions."""

    length: int
    of: dict[str, list[int]]


def positions_of_symbols(events: Events) -> Positions:
    where: dict[str, list[int]] = {}
    for position, symbol in enumerate(events):
        where.setdefault(symbol, []).append(position)
    return Positions(len(events), where)


def between(a: Positions, b: Positions) -> Fraction:
    total, longer = a.length + b.length, max(a.length, b.length)
    if total == 0:
        return Fraction(0)
    apart = common = 0
    for symbol in a.of.keys() & b.of.keys():
        for p, q in zip(a.of[symbol], b.of[symbol], strict=False):  # the surplus is not common
            apart += abs(p - q)
            common += 1
    g = total - 2 * common
    return Fraction(apart + g * longer, longer * total)


OSS = pair_by_pair(
    "oss", "positions of common events, and events not common", between, positions_of_symbols
)
