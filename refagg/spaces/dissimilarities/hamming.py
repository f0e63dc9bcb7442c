"""The share of positions at which two sequences differ.

R. W. Hamming (1950) counts the positions at which two words of one length differ. Here the count
is divided by the length; of sequences of different lengths the positions that only the longer
one has differ too, and the length is that of the longer (decision 52).

>>> hamming(tuple("abcd"), tuple("abd"))
Fraction(1, 2)
"""

from __future__ import annotations

from fractions import Fraction

from refagg.data.kinds import Events
from refagg.spaces.dissimilarities.dissimilarity import pair_by_pair


def hamming(a: Events, b: Events) -> Fraction:
    """Return the share of positions of the longer sequence that differ.

    It is 0 if neither sequence has an event.
    """
    longer = max(len(a), len(b))
    same = sum(x == y for x, y in zip(a, b, strict=False))
    return Fraction(longer - same, longer or 1)


HAMMING = pair_by_pair("hamming", "share of positions that differ", hamming)
