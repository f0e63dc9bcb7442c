"""Edit distance of sequences, plain and normalised.

The edit distance is that of V. I. Levenshtein (1965); the normalised one is its share of the longer
sequence's length.

The fewest insertions, deletions and substitutions of one event that turn one sequence into the
other. Divided by the length of the longer it is between 0 and 1, but no metric (decision 52).

With D(i, j) for the first i events of A and the first j of B, D(i, 0) = i, D(0, j) = j, and

    D(i, j) = D(i-1, j-1) if a_i = b_j, else 1 + min(D(i-1, j-1), D(i-1, j), D(i, j-1)).

Neighbours in this table differ by -1, 0 or 1. A column is kept as two rows of bits that say where
it rises by 1 and where it falls, and B's next event turns them into those of the next column with
a few operations on integers (G. Myers 1999, Journal of the ACM 46:395-415; the form for whole
sequences of H. Hyyrö 2003).

By hand: from a b c d to b c e in two edits, without a and with e instead of d.

>>> LEVENSHTEIN(tuple("abcd"), tuple("bce"))
Fraction(2, 1)
>>> NORMALISED_LEVENSHTEIN(tuple("abcd"), tuple("bce"))
Fraction(1, 2)
"""

from __future__ import annotations

from fractions import Fraction
from itertools import repeat
from operator import sub

from refagg.data.kinds import Events
from refagg.spaces.dissimilarities.dissimilarity import Dissimilarity, quotients
from refagg.spaces.dissimilarities.side_by_side import SideBySide, bits_of_each, side_by_side


def edits(some: SideBySide, b: Events) -> list[int]:
    """Count the edits between each of several sequences and B.

    The table is computed column by column.
    """
    events, rises, falls = some.events, some.events, 0
    for symbol in b:
        equal = some.masks.get(symbol, 0)
        diagonal = (((equal & rises) + rises) ^ rises) | equal
        right_rises = falls | (events & ~(diagonal | rises))
        right_falls = rises & diagonal
        above_rises = (right_rises << 1 | some.ones) & events  # D(0, j) rises by 1
        above_falls = right_falls << 1 & events
        rises = (above_falls | ~(equal | falls | above_rises)) & events
        falls = above_rises & (equal | falls)
    up, down = bits_of_each(rises, some), bits_of_each(falls, some)
    return [len(b) + difference for difference in map(sub, up, down)]


def _counts(some: SideBySide, b: Events) -> list[Fraction]:
    return quotients(edits(some, b), repeat(1))


def _shares(some: SideBySide, b: Events) -> list[Fraction]:
    return quotients(edits(some, b), [max(m, len(b)) or 1 for m in some.lengths])


LEVENSHTEIN = Dissimilarity("levenshtein", "edits of one event", side_by_side, _counts)
NORMALISED_LEVENSHTEIN = Dissimilarity(
    "normalised-levenshtein",
    "edits of one event, as a share of the longer length",
    side_by_side,
    _shares,
)
