"""Strictness of judgements: only rounding is granted.

What rounding can do is granted, and nothing else.

The rule is that of audits, `oracle.auditing.rendering`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf

from oracle.auditing import rendering as rule
from oracle.auditing.rendering import COARSEST, ROUNDING, TOLERANCE, Granted
from oracle.conformance.judge.model import OPTIMAL
from oracle.conformance.judge.questions import Question

__all__ = ["COARSEST", "ROUNDING", "TOLERANCE", "Strictness"]


@dataclass(frozen=True, slots=True)
class Strictness:
    """The strictness with which answers are judged.

    `tolerance` is the relative difference up to which squared distances may count as tied and
    released values as right; None stands for what rounding can do in each case, in a program that
    calculates in `precision`. `limit` bounds the runs that are examined in number,
    `replay_seconds` in time, for each tolerance; `seconds` bounds the search for an optimum.
    `explain` asks for the partitions that would have been right, `blame` for the choice that is
    wrong, not only the first that cannot be right.
    """

    tolerance: Fraction | None = None
    limit: int = 2000
    seconds: float = 10.0
    replay_seconds: float = inf
    explain: bool = True
    blame: bool = True
    precision: str = "binary64"

    def of_distances(self, question: Question) -> Fraction:
        """Return the relative difference of squared distances that may count as tied."""
        if self.tolerance is not None:
            return self.tolerance
        if question.case.claim == OPTIMAL:
            return TOLERANCE
        return rule.of_distances(question.table, question.scale, self.roundoff)

    def of_sums(self, question: Question) -> Fraction:
        """Return the tolerated relative error of a sum of squares."""
        if self.tolerance is not None:
            return self.tolerance
        return rule.of_sums(question.table.n, self.roundoff)

    @property
    def granted(self) -> Granted:
        """Return the error granted to a released value."""
        return rule.granted(self.tolerance, self.roundoff)

    @property
    def floats(self) -> bool:
        """Return True if a run in binary64 is accepted.

        It has the ties that rounding creates.
        """
        return self.tolerance is None

    @property
    def roundoff(self) -> Fraction:
        return ROUNDING[self.precision]
