"""What rounding can do to a right program, which judges of files and of programs grant alike.

A centroid of n values of magnitude M is off by up to n u M where it is computed in the simplest
way, u being half a unit of the last binary digit of 1 (`of_mean`). Beside the smallest difference
of two values of an attribute this says how far squared distances can be off relatively: little for
most tables, much for one whose values are large beside their differences. Squares of the values
themselves cancel much worse, and that is not granted. Where rounding could explain groups only by
errors of more than `ACCEPTED`, nothing can be said about them.

Where the values of an attribute are not far from 0 beside their range, but range over many
decades, this would grant all: nothing there is lost but what is small beside the range. So such
attributes do not count in binary64; instead the run is looked for in binary64, too, where
distances that differ by rounding beside the largest coordinate are tied
(`refagg.spaces.binary64`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from operator import sub

from refagg.data.tables import Table

TOLERANCE = Fraction(1, 10**9)
"""What is always granted in the comparison of squared distances."""

COARSEST = Fraction(1, 4)
"""With more than this no run is looked for."""

ACCEPTED = Fraction(1, 20)
"""A run that needs more than this, where nothing was asked for, is not judged."""

BINARY64 = Fraction(1, 2**53)

ROUNDING = {"binary64": BINARY64, "binary32": Fraction(1, 2**24)}

FAR = 4
"""How many times the range of its values an attribute must be from 0 to be far from it."""


@dataclass(frozen=True, slots=True)
class Granted:
    """The error granted to released values: rounding, and a relative tolerance if one is asked for.

    The tolerance is relative to the largest value of a group, `roundoff` is that of the precision
    in which a program calculates.
    """

    tolerance: Fraction = Fraction(0)
    roundoff: Fraction = BINARY64

    def mean(self, size: int, magnitude: Fraction, width: Fraction) -> Fraction:
        """The error of a mean in all, for a group whose largest value has this magnitude."""
        rounding = of_mean(size, magnitude, width, self.roundoff)
        return max(rounding, self.tolerance * magnitude)


def granted(tolerance: Fraction | None, roundoff: Fraction = BINARY64) -> Granted:
    """Return what a tolerance grants; None stands for rounding alone."""
    return Granted(tolerance or Fraction(0), roundoff)


def of_mean(
    size: int, magnitude: Fraction, width: Fraction, roundoff: Fraction = BINARY64
) -> Fraction:
    """The greatest error of a mean of so many values that rounding leaves.

    The values are at most `magnitude` in the group, and `width` apart in the whole column.

    Conversion, scaling there and back, weights, one sum and a quotient are fewer than 2 size + 8
    operations, each of which is off by u of its result. The results are as large as the values; or,
    where a constant from the range of the column was subtracted first, as the column is wide, but
    for the last ones. So a group of zeros need not be released as zeros.
    """
    return operations(size) * roundoff * (magnitude + width)


def operations(size: int) -> int:
    """Return the most roundings in the mean of so many values."""
    return 2 * size + 8


def of_distances(table: Table, standardise: str, roundoff: Fraction = BINARY64) -> Fraction:
    """The relative difference of squared distances that may count as tied."""
    slack = 8 * table.n * roundoff * _magnitude(table, standardise, roundoff)
    return min(max(TOLERANCE, slack), COARSEST)


def hidden(table: Table, roundoff: Fraction = BINARY64) -> bool:
    """Return True if rounding can move a centroid by a good part of the range of an attribute."""
    return any(
        table.n * roundoff * max(map(abs, column.numerators)) > COARSEST * spread
        for column in table.columns
        if (spread := max(column.numerators) - min(column.numerators))
    )


def of_sums(n: int, roundoff: Fraction = BINARY64) -> Fraction:
    """The relative error of a sum of n squares that is granted."""
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
