"""1 - (length of a longest common subsequence) / (length of the longer sequence).

A subsequence keeps the order of events and may leave events out. Divided by the longer length,
not by the sum or the shorter one (decision 52): so it is a metric (D. Bakkelund, An LCS-based
string metric, 2009), and 0 for equal sequences only.

By hand: the longest common subsequences of a b c d and b d c a have two events, b d and b c.

>>> lcs(tuple("abcd"), tuple("bdca"))
Fraction(1, 2)
"""

from __future__ import annotations

from fractions import Fraction

from refagg.data.kinds import Events
from refagg.spaces.dissimilarities.dissimilarity import Dissimilarity, as_it_is


def common_length(a: Events, b: Events) -> int:
    """The length of the longest common subsequences, by the table of all pairs of beginnings."""
    above = [0] * (len(b) + 1)
    for x in a:
        row = [0]
        for j, y in enumerate(b, start=1):
            row.append(above[j - 1] + 1 if x == y else max(above[j], row[-1]))
        above = row
    return above[-1]


def lcs(a: Events, b: Events) -> Fraction:
    """The share of the longer sequence that no common subsequence has."""
    longer = max(len(a), len(b))
    return Fraction(longer - common_length(a, b), longer or 1)


LCS = Dissimilarity("lcs", "1 - longest common subsequence / longer length", as_it_is, lcs)
