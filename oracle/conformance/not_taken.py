"""Features that an implementation does not support.

They are not asked, and reported as not covered.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from decimal import Decimal, InvalidOperation
from struct import pack, unpack

from oracle.auditing.rendering import ROUNDING
from oracle.conformance.judge.model import Case
from oracle.conformance.judge.senseless import senseless
from refagg.language.lists import check_one_of
from refagg.spaces.absolute import GOWER

BEYOND_BINARY32 = "beyond-binary32"
"""Not asked of implementations that calculate in binary32."""

DIGITS = 6
"""So many digits of a decimal survive in binary32, whatever they are."""

NOT_TAKEN: dict[str, tuple[str, Callable[[Case], bool]]] = {
    "small": ("fewer than 2k records", lambda case: len(case.records) < 2 * case.k),
    "constant": (
        "an attribute that has one value",
        lambda case: any(len(set(column)) == 1 for column in zip(*case.records, strict=False)),
    ),
    "one-attribute": ("one attribute", lambda case: any(len(row) == 1 for row in case.records)),
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
    BEYOND_BINARY32: (
        "values that binary32 cannot hold",
        lambda case: not all(_held(cell) for row in case.records for cell in row),
    ),
    "seeds": ("the seed of a random stream", lambda case: case.seed is not None),
}
"""Each in words, and which cases have it."""


def without_of(precision: str, without: Collection[str]) -> tuple[str, ...]:
    """Return what is not asked.

    It includes what an arithmetic of this precision cannot hold.

    Raises InvalidParameter for an unknown precision, and for a name that is not in NOT_TAKEN.
    """
    check_one_of(precision, ROUNDING, "precision is")
    for name in without:
        check_one_of(name, NOT_TAKEN, "without is")
    return (*without, *((BEYOND_BINARY32,) if precision == "binary32" else ()))


def _held(cell: str) -> bool:
    """Return True if binary32 arithmetic can hold a value.

    It has few digits or is one of binary32, and its square is no infinity.
    """
    try:
        value = Decimal(cell)
    except InvalidOperation:  # a fraction, which binary64 rounds too, or no number
        return True
    if not value.is_finite():
        return True
    if abs(value) > 10**18:
        return False
    few = len(value.normalize().as_tuple().digits) <= DIGITS
    return few or Decimal(unpack("f", pack("f", value))[0]) == value


def left_out(case: Case, without: Collection[str]) -> str:
    """Return the first of these that a case has.

    Empty if it has none.
    """
    return next((name for name in without if NOT_TAKEN[name][1](case)), "")
