"""Vectors of a claim on another scale, or with other parameters.

The right answers are enumerated again.

Where a vector comes from, what it shows and what confirms it holds for its own scale, and not
claimed on another one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from oracle.conformance.judge.model import Case
from oracle.conformance.vectors.files import vectors_of
from oracle.conformance.vectors.flags import EFFECTS, FAULTS
from oracle.conformance.vectors.generate import topics_of, vector_made
from oracle.conformance.vectors.vector import Vector
from refagg.catalogue import CATALOGUE, specification
from refagg.errors import RefaggError, UnknownParameter

SCALES = {
    "none": "as they are",
    "population": "divided by their standard deviations (divisor n)",
    "sample": "divided by their standard deviations (divisor n - 1)",
    "range": "divided by their ranges",
}

OF_A_SCALE = {"tie", "z-scores", "bug", *FAULTS, *EFFECTS}
"""Flags of what a vector shows on its own scale."""


def vectors_on(
    claim: str,
    how: str | None,
    ids: Sequence[str] | None = None,
    fixed: Mapping[str, str] | None = None,
) -> tuple[list[Vector], list[Vector]]:
    """Return the vectors on a scale with parameters, and the rest.

    The scale is `how` (None: each on its own), the parameters are `fixed`.

    The rest have no scale of numbers, kinds and series, or cannot have the parameters. With `ids`,
    only those vectors. A question that is asked already is not asked again. Raises
    UnknownAlgorithm, UnknownParameter, InvalidParameter.
    """
    vectors, chosen = vectors_of(claim), _settings(claim, fixed or {})
    moved = [_moved(vector.case, how, chosen) for vector in vectors]
    own = {_question(v.case) for v, case in zip(vectors, moved, strict=True) if v.case == case}
    asked, without = [], []
    for vector, case, topic in zip(vectors, moved, topics_of(claim), strict=True):
        if vector.case == case:
            asked.append(vector)
        elif case.standardise != "none" and (case.kinds or case.series):
            without.append(vector)
        elif _question(case) not in own and (ids is None or case.id in ids):
            # The tie that the case shows, and an answer by hand, belong to its own scale.
            parameters = tuple(case.parameters.items())
            anew = replace(topic, standardise=case.standardise, parameters=parameters)
            anew = replace(anew, tie="", step="", expect=(), origin="", link="")
            try:
                asked.append(_retold(vector, vector_made(claim, anew), case))
            except RefaggError:
                without.append(vector)
    return asked, without


def _settings(claim: str, fixed: Mapping[str, str]) -> dict[str, str | None]:
    """Return the parameters that are fixed, as texts.

    None for one that is at its default.

    Raises UnknownParameter, InvalidParameter.
    """
    if not fixed:
        return {}
    if claim not in CATALOGUE:
        raise UnknownParameter(f"{claim!r} has no parameters")
    spec = specification(claim)
    given, usual = spec.settings(fixed), spec.settings({})
    return {name: None if given[name] == usual[name] else fixed[name] for name in fixed}


def _moved(case: Case, how: str | None, fixed: Mapping[str, str | None]) -> Case:
    """Return the question on another scale and with other parameters.

    It is the question itself where nothing is other.
    """
    scale = how or case.standardise
    spec = CATALOGUE.get(case.claim)
    parameters = {n: v for n, v in {**case.parameters, **fixed}.items() if v is not None}
    if spec is None or spec.settings(parameters) == spec.settings(case.parameters):
        parameters = dict(case.parameters)
    told = [case.id] + ([scale] if scale != case.standardise else [])
    if parameters != case.parameters:
        told += [f"{name}={value}" for name, value in parameters.items() if name in fixed]
        told += [name for name, value in fixed.items() if value is None]
    return replace(case, id="-".join(told), standardise=scale, parameters=parameters)


def _retold(vector: Vector, made: Vector, case: Case) -> Vector:
    """Return the vector on the other scale.

    It lacks statements about its own scale.
    """
    if made.expectation.kind == "reject":
        return replace(vector, case=replace(made.case, id=case.id))
    how = case.standardise
    flags = [flag for flag in vector.flags if flag not in OF_A_SCALE]
    flags += ["tie"] if made.expectation.kind == "choice" else []
    flags += ["z-scores"] if how in ("population", "sample") else []
    with_ = "".join(f", {name} = {value}" for name, value in case.parameters.items())
    return replace(
        made,
        case=replace(made.case, id=case.id),
        reason=f"The records of {vector.id}, with values {SCALES[how]}{with_}.",
        flags=tuple(flags),
        origin=replace(made.origin, confirmed=""),
    )


def _question(case: Case) -> tuple[Collection[object] | int | str | None, ...]:
    parameters = tuple(sorted(case.parameters.items()))
    shape = tuple(case.shape.items())
    scale = case.standardise
    return case.claim, case.k, case.records, parameters, scale, case.seed, case.kinds, shape
