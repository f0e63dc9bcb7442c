"""What a dissimilarity of sequences is to this project: two steps, so that the first is done once.

An exact number of at least 0, the same in both orders, 0 for equal sequences. Nothing else is
asked: neither the triangle inequality nor that different sequences be apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from refagg.data.frames import Events
from refagg.errors import InvalidMatrix, InvalidParameter

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


Measure = Callable[[Any, Any], Any] | Sequence[Sequence[Any]]
"""What people give: a function of two items, or the matrix of all."""


def one_measure(dissimilarity: Any, similarity: Any) -> Any:
    """The dissimilarity that one of two keywords says; None if neither is given.

    Raises InvalidParameter, InvalidMatrix.
    """
    if similarity is None:
        return dissimilarity
    if dissimilarity is not None:
        raise InvalidParameter("dissimilarity and similarity are two ways to say the same")
    return from_similarity(similarity)


def from_similarity(similarity: Any) -> Any:
    """The dissimilarity 1 - s of a similarity s, which is a function or a matrix.

    Its values must be from 0 to 1. Raises InvalidMatrix, which names the pair.
    """
    if callable(similarity):
        return lambda a, b: _complement(similarity(a, b), f"{a!r} and {b!r}")
    return [
        [_complement(value, f"records {i} and {j}") for j, value in enumerate(row)]
        for i, row in enumerate(similarity)
    ]


def _complement(value: Any, pair: str) -> Fraction:
    try:
        exact = Fraction(value)
    except (TypeError, ValueError, OverflowError):
        raise InvalidMatrix(f"the similarity of {pair} is {value!r}, not a number") from None
    if not 0 <= exact <= 1:
        raise InvalidMatrix(f"the similarity of {pair} is {value}; it must be from 0 to 1")
    return 1 - exact
