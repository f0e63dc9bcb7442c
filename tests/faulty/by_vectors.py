"""`oracle conform` on one implementation: the first vector of its claim that it answers wrongly.

It is asked on the scale that it takes. What is asked of programs only that say they take it, and
input that makes no sense, is left out: the programs of `tests/faulty` are bare algorithms, and all
of them would be found by that. Genetic algorithms are asked with seeds only: those vectors have
parameters with which an answer takes no second.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache

from oracle.conformance.hunting.hunt import LIMIT, REPLAY_SECONDS
from oracle.conformance.judge.model import WRONG, Judgement
from oracle.conformance.judge.strictness import Strictness
from oracle.conformance.not_taken import left_out
from oracle.conformance.running import Asking, run_cases
from oracle.conformance.vectors import Vector
from oracle.conformance.vectors.rescaled import vectors_on

from .asking import adapter_of
from .implementation import QUICK, Implementation

WITHOUT = (
    "invalid",
    "kinds",
    "sequences",
    "series",
    "constraints",
    "strata",
    "blocks",
    "sampling_weights",
    "gower",
)

SECONDS = 30.0
"""Time for one answer."""


@dataclass(frozen=True, slots=True)
class Conformed:
    """What the vectors came to, until the first wrong answer."""

    first: Judgement | None
    statuses: Counter[str]


@cache
def _vectors(claim: str, how: str) -> tuple[Vector, ...]:
    """Those that a bare algorithm can take. First come those with a seed, which are judged
    strictly, and those of few records, which are answered soon."""
    asked = [vector for vector in vectors_on(claim, how)[0] if not left_out(vector.case, WITHOUT)]
    return tuple(sorted(asked, key=_order))


def _order(vector: Vector) -> tuple[bool, int]:
    return vector.case.seed is None, len(vector.case.records)


def conformed(implementation: Implementation) -> Conformed:
    """The vectors of the claim, until one is answered wrongly."""
    seedless = implementation.seed is None
    asked = [
        vector
        for vector in _vectors(implementation.claim, implementation.standardise)
        if not (seedless and vector.case.seed is not None)
        if not (implementation.claim in QUICK and vector.case.seed is None)
    ]
    strict = Strictness(
        limit=LIMIT,
        replay_seconds=REPLAY_SECONDS,
        explain=False,
        precision=implementation.precision,
    )
    adapter, statuses = adapter_of(implementation), Counter[str]()
    try:
        for judgement in run_cases(adapter, asked, Asking(SECONDS, strict, implementation.varies)):
            statuses[judgement.status] += 1
            if judgement.status in WRONG:
                return Conformed(judgement, statuses)
    finally:
        adapter.close()
    return Conformed(None, statuses)
