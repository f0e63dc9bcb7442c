"""What rounding can do to a right program, which judges of files and of programs grant alike.

A centroid of n values of magnitude M is off by up to n u M where it is computed in the simplest
way, u being half a unit of the last binary digit of 1. Beside the smallest difference of two values
of an attribute this says how far squared distances can be off relatively: little for most tables,
much for one whose values are large beside their differences. Squares of the values themselves
cancel much worse, and that is not granted.

Where the values of an attribute are not far from 0 beside their range, but range over many
decades, this would grant all: nothing there is lost but what is small beside the range. So such
attributes do not count in binary64; instead the run is looked for in binary64, too, where
distances that differ by rounding beside the largest coordinate are tied
(`refagg.spaces.binary64`).
"""

from __future__ import annotations

from fractions import Fraction
from operator import sub

from refagg.data.tables import Table

TOLERANCE = Fraction(1, 10**9)
"""What is always granted in the comparison of squared distances, and of released values."""

COARSEST = Fraction(1, 4)
"""More than this is granted in no case."""

BINARY64 = Fraction(1, 2**53)

ROUNDING = {"binary64": BINARY64, "binary32": Fraction(1, 2**24)}

FAR = 4
"""How many times the range of its values an attribute must be from 0 to be far from it."""


def of_distances(table: Table, standardise: str, roundoff: Fraction = BINARY64) -> Fraction:
    """The relative difference of squared distances that may count as tied."""
    slack = 8 * table.n * roundoff * _magnitude(table, standardise, roundoff)
    return min(max(TOLERANCE, slack), COARSEST)


def of_values(n: int, roundoff: Fraction = BINARY64) -> Fraction:
    """The error of a released value that is granted among n records, relative to the values of its
    group."""
    return max(TOLERANCE, 8 * n * roundoff)


def _magnitude(table: Table, standardise: str, roundoff: Fraction) -> Fraction:
    """The largest value beside the smallest difference, of all attributes on their common scale.

    Where no values differ, rounding counts beside the values themselves, and this is 1.
    """
    magnitudes, gaps = [Fraction(0)], []
    for column in table.columns:
        values = sorted(set(column.numerators))
        spread, largest = values[-1] - values[0], max(map(abs, values))
        unit = column.denominator if standardise == "none" else spread
        if unit:
            if largest > FAR * spread or roundoff > BINARY64:
                magnitudes.append(Fraction(largest, unit))
            if spread:
                gaps.append(Fraction(min(map(sub, values[1:], values)), unit))
    return max(magnitudes) / min(gaps) if gaps else Fraction(1)
