"""LCS dissimilarity of sequences.

1 - (length of a longest common subsequence) / (length of the longer sequence).

A subsequence keeps the order of events and may leave events out. Divided by the longer length,
not by the sum or the shorter one (decision 52): so it is a metric (D. Bakkelund, An LCS-based
string metric, 2009), and 0 for equal sequences only.

With L(i, j) for the first i events of A and the first j of B, L(i, j) = L(i-1, j-1) + 1 if
a_i = b_j, else the greater of L(i-1, j) and L(i, j-1). Neighbours in this table differ by 0 or 1. A
column is kept as a row of bits, 0 where it rises, and B's next event turns it into the next column
(H. Hyyrö 2004, Bit-parallel LCS-length computation revisited).

By hand: the longest common subsequences of a b c d and b d c a have two events, b d and b c.

>>> LCS(tuple("abcd"), tuple("bdca"))
Fraction(1, 2)
"""

from __future__ import annotations

from fractions import Fraction

from refagg.data.kinds import Events
from refagg.spaces.dissimilarities.dissimilarity import Dissimilarity, quotients
from refagg.spaces.dissimilarities.side_by_side import SideBySide, bits_of_each, side_by_side


def common_lengths(some: SideBySide, b: Events) -> list[int]:
    """Measure the longest common subsequences of several sequences with B.

    The table is computed column by column.
    """
    events, level = some.events, some.events
    for symbol in b:
        equal = level & some.masks.get(symbol, 0)
        level = (level + equal | level - equal) & events
    return bits_of_each(events ^ level, some)


def _shares(some: SideBySide, b: Events) -> list[Fraction]:
    longer = [max(m, len(b)) for m in some.lengths]
    missing = [m - common for m, common in zip(longer, common_lengths(some, b), strict=True)]
    return quotients(missing, [m or 1 for m in longer])


LCS = Dissimilarity("lcs", "1 - longest common subsequence / longer length", side_by_side, _shares)
