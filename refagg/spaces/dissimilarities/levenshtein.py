"""The edit distance of V. I. Levenshtein (1965), and its share of the longer sequence's length.

The fewest insertions, deletions and substitutions of one event that turn one sequence into the
other. Divided by the length of the longer it is between 0 and 1, but no metric (decision 52).

By hand: from a b c d to b c e in two edits, without a and with e instead of d.

>>> levenshtein(tuple("abcd"), tuple("bce"))
Fraction(2, 1)
>>> normalised_levenshtein(tuple("abcd"), tuple("bce"))
Fraction(1, 2)
"""

from __future__ import annotations

from fractions import Fraction

from refagg.data.kinds import Events
from refagg.spaces.dissimilarities.dissimilarity import Dissimilarity, as_it_is


def edits(a: Events, b: Events) -> int:
    """The number of edits, by the table of all pairs of beginnings, row by row."""
    above = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        row = [i]
        for j, y in enumerate(b, start=1):
            if x == y:
                row.append(above[j - 1])
            else:
                row.append(1 + min(above[j - 1], above[j], row[-1]))
        above = row
    return above[-1]


def levenshtein(a: Events, b: Events) -> Fraction:
    """The edit distance."""
    return Fraction(edits(a, b))


def normalised_levenshtein(a: Events, b: Events) -> Fraction:
    """The edit distance divided by the length of the longer, 0 if neither has an event."""
    return Fraction(edits(a, b), max(len(a), len(b)) or 1)


LEVENSHTEIN = Dissimilarity("levenshtein", "edits of one event", as_it_is, levenshtein)
NORMALISED_LEVENSHTEIN = Dissimilarity(
    "normalised-levenshtein",
    "edits of one event, as a share of the longer length",
    as_it_is,
    normalised_levenshtein,
)
