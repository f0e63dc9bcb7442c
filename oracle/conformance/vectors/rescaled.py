"""The vectors of a claim on another scale: their records, with what is right enumerated anew.

Where a vector comes from, what it shows and what confirms it holds for its own scale, and not
claimed on another one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from oracle.conformance.vectors.files import vectors_of
from oracle.conformance.vectors.flags import EFFECTS, FAULTS
from oracle.conformance.vectors.generate import topics_of, vector_made
from oracle.conformance.vectors.vector import Vector

SCALES = {
    "none": "as they are",
    "population": "divided by their standard deviations (divisor n)",
    "sample": "divided by their standard deviations (divisor n - 1)",
}

OF_A_SCALE = {"tie", "z-scores", "bug", *FAULTS, *EFFECTS}
"""Flags of what a vector shows on its own scale."""


def vectors_on(
    claim: str, how: str, ids: Sequence[str] | None = None
) -> tuple[list[Vector], list[Vector]]:
    """The vectors on this scale, and those that have none: kinds and series.

    With `ids`, only those vectors. A question that is asked already is not asked again. Raises
    UnknownAlgorithm.
    """
    vectors = vectors_of(claim)
    own = {_question(vector) for vector in vectors if vector.case.standardise == how}
    asked, without = [], []
    for vector, topic in zip(vectors, topics_of(claim), strict=True):
        if vector.case.standardise == how:
            asked.append(vector)
        elif vector.case.kinds or vector.case.series:
            without.append(vector)
        elif _question(vector) not in own and (ids is None or rescaled_id(vector, how) in ids):
            # The tie that the case shows, and an answer by hand, belong to its own scale.
            moved = replace(topic, standardise=how, tie="", step="", expect=(), origin="", link="")
            asked.append(_retold(vector, vector_made(claim, moved), how))
    return asked, without


def rescaled_id(vector: Vector, how: str) -> str:
    """The name of a vector on another scale."""
    return f"{vector.id}-{how}"


def _retold(vector: Vector, made: Vector, how: str) -> Vector:
    """The vector on the other scale, without what is said of its own."""
    case = replace(made.case, id=rescaled_id(vector, how))
    if made.expectation.kind == "reject":
        return replace(vector, case=case)
    flags = [flag for flag in vector.flags if flag not in OF_A_SCALE]
    flags += ["tie"] if made.expectation.kind == "choice" else []
    flags += ["z-scores"] if how != "none" else []
    return replace(
        made,
        case=case,
        reason=f"The records of {vector.id}, with values {SCALES[how]}.",
        flags=tuple(flags),
        origin=replace(made.origin, confirmed=""),
    )


def _question(vector: Vector) -> tuple[Collection[object] | int | str | None, ...]:
    case = vector.case
    parameters = tuple(sorted(case.parameters.items()))
    shape = tuple(case.shape.items())
    return case.claim, case.k, case.records, parameters, case.seed, case.kinds, shape
