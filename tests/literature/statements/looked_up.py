"""Printed numbers by their places, and what is computed of statements about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from refagg.data.standardise import Scaled
from refagg.language.partition import Partition
from refagg.literature import measuring
from refagg.literature.claims import Recipe, Sample, sources

KS = (3, 4, 5, 10)
"""The values of k for which most tables of the literature have a column."""


def printed(key: str, place: str) -> str:
    """The digits or the statement at a place of a source; where several are, the first."""
    return next(claim.printed for claim in sources()[key].claims if claim.place == place)


def by_k(key: str, place: str) -> list[str]:
    """The digits at a place with {} for k, for each of KS."""
    return [printed(key, place.replace("{}", str(k))) for k in KS]


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether the numbers confirm a statement in words, and what they are."""

    holds: bool
    found: str
    note: str = ""


Value = Fraction | float | str | Finding


@dataclass(frozen=True, slots=True)
class Library:
    """The results of recipes."""

    inner: measuring.Library

    def partition(self, recipe: Recipe) -> Partition:
        return self.inner.partition(recipe)

    def sse(self, recipe: Recipe) -> Fraction:
        return self.inner.sse(recipe)

    def loss(self, recipe: Recipe) -> Fraction:
        return self.inner.loss(recipe, recipe)

    def scale(self, recipe: Recipe) -> Scaled:
        return self.inner.scaled(recipe)

    def sample(self, recipe: Recipe, measure: str) -> Sample:
        return self.inner.sample(recipe, measure)


Compute = Callable[[Library], Mapping[str, Value]]
