"""How many groups a variable-size MDAV forms, beside the 2n / (3k-1) of two sources.

Both divide n by (3k-1) / 2, the middle of the legal sizes k to 2k-1. Groups need not have that size
on average: where few are extended, there are nearly n/k.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from refagg.literature.claims import Recipe
from tests.literature.statements.looked_up import (
    Finding,
    Library,
)


@dataclass(frozen=True, slots=True)
class Count:
    """The groups of a run, and the iterations that it had at least."""

    recipe: Recipe
    n: int
    groups: int
    iterations: int

    @property
    def stated(self) -> Fraction:
        """2n / (3k-1)."""
        return Fraction(2 * self.n, 3 * self.recipe.k - 1)

    @property
    def where(self) -> str:
        return f"{self.recipe.dataset} k={self.recipe.k}"


def counts(library: Library, recipes: Iterable[Recipe], others: int) -> list[Count]:
    """For each recipe; at most so many of its groups are formed outside iterations."""
    found = [(recipe, library.partition(recipe).groups) for recipe in recipes]
    return [
        Count(recipe, sum(map(len, groups)), len(groups), len(groups) - others)
        for recipe, groups in found
    ]


def at_most(runs: Sequence[Count]) -> Finding:
    """Are there at most 2n / (3k-1) iterations?"""
    return _finding(runs, [run.iterations <= run.stated for run in runs])


def about(runs: Sequence[Count]) -> Finding:
    """Is the number of iterations within a tenth of 2n / (3k-1)?"""
    return _finding(runs, [abs(run.iterations / run.stated - 1) <= Fraction(1, 10) for run in runs])


def _finding(runs: Sequence[Count], holds: Sequence[bool]) -> Finding:
    each = [f"{run.where} {run.iterations} for {float(run.stated):.0f}" for run in runs]
    return Finding(all(holds), f"in {sum(holds)} of {len(runs)} runs", ", ".join(each))


def mean_size(runs: Sequence[Count]) -> Finding:
    """Do groups have (3k-1) / 2 records on average, to a tenth?"""
    means = [Fraction(run.n, run.groups) for run in runs]
    holds = [
        abs(mean / Fraction(3 * run.recipe.k - 1, 2) - 1) <= Fraction(1, 10)
        for mean, run in zip(means, runs, strict=True)
    ]
    each = [f"{run.where} {float(mean):.2f}" for mean, run in zip(means, runs, strict=True)]
    return Finding(all(holds), f"in {sum(holds)} of {len(runs)} runs", ", ".join(each))
