"""How strictly answers are judged: what rounding can do is granted, and nothing else.

A centroid of n values of magnitude M is off by up to n u M where it is computed in the simplest
way, u being half a unit of the last binary digit of 1. Beside the smallest difference of two values
of an attribute this says how far squared distances can be off relatively: little for most tables,
much for one whose values are large beside their differences. Squares of the values themselves
cancel much worse, and that is not granted.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import inf

from oracle.conformance.model import OPTIMAL
from oracle.conformance.questions import Question

TOLERANCE = Fraction(1, 10**9)
"""What is always granted in the comparison of squared distances, and of released values."""

COARSEST = Fraction(1, 4)
"""More than this is granted in no case."""

ROUNDING = {"binary64": Fraction(1, 2**53), "binary32": Fraction(1, 2**24)}


@dataclass(frozen=True, slots=True)
class Strictness:
    """How answers are judged.

    `tolerance` is the relative difference up to which squared distances may count as tied and
    released values as right; None stands for what rounding can do in each case, in a program that
    calculates in `precision`. `limit` bounds the runs that are looked at in number,
    `replay_seconds` in time, for each tolerance; `seconds` bounds the search for an optimum.
    `explain` asks for the partitions that would have been right.
    """

    tolerance: Fraction | None = None
    limit: int = 2000
    seconds: float = 10.0
    replay_seconds: float = inf
    explain: bool = True
    precision: str = "binary64"

    def of_distances(self, question: Question) -> Fraction:
        """The relative difference of squared distances that may count as tied."""
        if self.tolerance is not None:
            return self.tolerance
        if question.case.claim == OPTIMAL:
            return TOLERANCE
        slack = 8 * question.table.n * self.roundoff * _magnitude(question)
        return min(max(TOLERANCE, slack), COARSEST)

    def of_values(self, question: Question) -> Fraction:
        """The error of a released value that is granted, relative to the values of its group."""
        if self.tolerance is not None:
            return self.tolerance
        return max(TOLERANCE, 8 * question.table.n * self.roundoff)

    @property
    def roundoff(self) -> Fraction:
        return ROUNDING[self.precision]


def _magnitude(question: Question) -> Fraction:
    """The largest value beside the smallest difference, of all attributes on their common scale."""
    magnitudes, gaps = [Fraction(0)], []
    for column in question.table.columns:
        values = sorted(set(column.numerators))
        spread = values[-1] - values[0]
        unit = column.denominator if question.case.standardise == "none" else spread
        if unit:
            magnitudes.append(Fraction(max(map(abs, values)), unit))
            gaps += [Fraction(after - before, unit) for before, after in pairwise(values)]
    return max(magnitudes) / min(gaps, default=Fraction(1))
