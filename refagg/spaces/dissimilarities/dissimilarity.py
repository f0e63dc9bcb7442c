"""What a dissimilarity of sequences is to this project: two steps, so that the first is done once.

An exact number of at least 0, the same in both orders, 0 for equal sequences. Nothing else is
asked: neither the triangle inequality nor that different sequences be apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from refagg.data.kinds import Events

Prepared = Any
"""A sequence as its dissimilarity reads it most easily."""


@dataclass(frozen=True, slots=True)
class Dissimilarity:
    """A named dissimilarity; called with two sequences, it compares them.

    `prepare` is given each sequence once, `between` compares two that are prepared.
    """

    name: str
    meaning: str
    prepare: Callable[[Events], Prepared]
    between: Callable[[Prepared, Prepared], Fraction]

    def __call__(self, a: Events, b: Events) -> Fraction:
        return self.between(self.prepare(a), self.prepare(b))


Function = Callable[[Events, Events], Any]
"""A dissimilarity, or a user's own function that gives a number."""


def as_it_is(events: Events) -> Events:
    """For dissimilarities that read sequences as they are."""
    return events


def weighted(measure: Dissimilarity, weight: Fraction) -> Dissimilarity:
    """A dissimilarity times a weight."""
    if weight == 1:
        return measure
    return replace(measure, between=lambda a, b: weight * measure.between(a, b))


def prepared(function: Function) -> Dissimilarity:
    """Any function as a dissimilarity; what it gives is taken for exactly that number."""
    if isinstance(function, Dissimilarity):
        return function
    return Dissimilarity("own", "", as_it_is, lambda a, b: Fraction(function(a, b)))
