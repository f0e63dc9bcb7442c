"""Features that an implementation does not support: not asked, and reported as not covered."""

from __future__ import annotations

from collections.abc import Callable, Collection

from oracle.conformance.judge.model import Case
from oracle.conformance.judge.senseless import senseless
from refagg.spaces.absolute import GOWER

NOT_TAKEN: dict[str, tuple[str, Callable[[Case], bool]]] = {
    "small": ("fewer than 2k records", lambda case: len(case.records) < 2 * case.k),
    "constant": (
        "an attribute that has one value",
        lambda case: any(len(set(column)) == 1 for column in zip(*case.records, strict=False)),
    ),
    "one-attribute": (
        "one attribute",
        lambda case: any(len(row) == 1 for row in case.records),
    ),
    "several-attributes": (
        "several attributes",
        lambda case: any(len(row) > 1 for row in case.records),
    ),
    "kinds": ("attributes with kinds", lambda case: bool(case.kinds)),
    "sequences": (
        "sequences of events",
        lambda case: any(kind.startswith("sequence") for kind in case.kinds),
    ),
    "series": ("time series", lambda case: bool(case.series)),
    "constraints": ("constraints", lambda case: bool(case.constraints)),
    "strata": ("strata", lambda case: bool(case.strata)),
    "blocks": ("blocks of attributes", lambda case: bool(case.blocks)),
    "sampling_weights": ("sampling weights", lambda case: bool(case.sampling_weights)),
    "gower": ("Gower's distance", lambda case: case.dissimilarity == GOWER),
    "invalid": ("invalid input", lambda case: bool(senseless(case))),
    "seeds": ("the seed of a random stream", lambda case: case.seed is not None),
}
"""Each in words, and which cases have it."""


def left_out(case: Case, without: Collection[str]) -> str:
    """The first of these that a case has; empty if it has none."""
    return next((name for name in without if NOT_TAKEN[name][1](case)), "")
