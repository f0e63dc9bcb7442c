"""A dissimilarity of sequences: many are prepared, then compared with one.

It is an exact number of at least 0, the same in both orders, 0 for equal sequences. Nothing else is
required: neither the triangle inequality nor that different sequences have a positive
dissimilarity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

from refagg.data.kinds import Events

Prepared = Any
"""Some sequences as their dissimilarity reads them most easily."""


@dataclass(frozen=True, slots=True)
class Dissimilarity:
    """A named dissimilarity; called with two sequences, it compares them.

    `prepare` is given some sequences, `to_each` compares them with another one, in their order.
    """

    name: str
    meaning: str
    prepare: Callable[[Sequence[Events]], Prepared] = field(repr=False)
    to_each: Callable[[Prepared, Events], Iterable[Fraction]] = field(repr=False)

    def __call__(self, a: Events, b: Events) -> Fraction:
        (found,) = self.to_each(self.prepare([a]), b)
        return found


Preparation = Callable[[Events], Prepared]
Pairwise = Callable[[Prepared, Prepared], Fraction]

Function = Callable[[Events, Events], Any]
"""A dissimilarity, or a user's own function that gives a number."""


def pair_by_pair(
    name: str, meaning: str, between: Pairwise, prepare: Preparation = tuple
) -> Dissimilarity:
    """Make a dissimilarity from a function of two sequences.

    Each sequence is prepared once.
    """
    all_prepared = partial(_all_prepared, prepare)
    return Dissimilarity(name, meaning, all_prepared, partial(_to_each, between, prepare))


def _all_prepared(prepare: Preparation, some: Sequence[Events]) -> Prepared:
    return list(map(prepare, some))


def _to_each(
    between: Pairwise, prepare: Preparation, some: Prepared, b: Events
) -> Iterator[Fraction]:
    own = prepare(b)
    return (between(own, other) for other in some)


def weighted(measure: Dissimilarity, weight: Fraction) -> Dissimilarity:
    """Multiply a dissimilarity by a weight."""
    if weight == 1:
        return measure
    return replace(measure, to_each=lambda some, b: (weight * d for d in measure.to_each(some, b)))


def prepared(function: Function) -> Dissimilarity:
    """Convert any function to a dissimilarity.

    A number that it returns is taken for exactly that number.
    """
    if isinstance(function, Dissimilarity):
        return function
    return pair_by_pair("own", "", lambda a, b: Fraction(function(a, b)))


_fraction = lru_cache(maxsize=1 << 16)(Fraction)
"""Few different quotients of lengths occur again and again."""


def quotients(numerators: Iterable[int], denominators: Iterable[int]) -> list[Fraction]:
    """Divide integers."""
    return list(map(_fraction, numerators, denominators))
