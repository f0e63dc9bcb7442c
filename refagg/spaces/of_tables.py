"""Choice of the space for a table, by the kinds of attributes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from refagg.data.standardise import Scaled
from refagg.spaces.absolute import GOWER
from refagg.spaces.binary64 import FloatSpace
from refagg.spaces.dissimilarities.dissimilarity import Dissimilarity, Function, weighted
from refagg.spaces.dissimilarities.similarities import dissimilarity as named
from refagg.spaces.exact import ExactSpace
from refagg.spaces.mixed import MixedSpace, events_of
from refagg.spaces.sequences import sequence_space

ARITHMETICS: dict[str, Callable[[Scaled], Any]] = {"exact": ExactSpace, "float": FloatSpace}
"""Those in which numbers are compared; other kinds are compared exactly."""


def space_of(
    scaled: Scaled,
    dissimilarity: str | Function = "oss",
    tolerance: Fraction = Fraction(0),
    arithmetic: str = "exact",
) -> Any:
    """Return the space in which the records of a table are compared.

    It is the numeric space for numbers, that of sequences for a single attribute of them, and
    otherwise a mixed one. Gower's distance has the mixed space always.

    The weight of sequences by themselves is a factor of their dissimilarity. Raises
    InvalidParameter, InvalidMatrix.
    """
    table = scaled.table
    if dissimilarity == GOWER:
        return MixedSpace(scaled, dissimilarity, tolerance)
    if not table.others:
        return FloatSpace(scaled) if arithmetic == "float" else ExactSpace(scaled, tolerance)
    if len(table.attributes) == 1 and table.others[0].kind.name == "sequence":
        measure = _times(dissimilarity, scaled.others[0])
        return sequence_space(events_of(table.others[0]), measure, tolerance)
    return MixedSpace(scaled, dissimilarity, tolerance)


def name_of(dissimilarity: str | Dissimilarity) -> str:
    """Return the name of a dissimilarity for reports.

    Raises InvalidParameter for an unknown one.
    """
    return GOWER if dissimilarity == GOWER else named(dissimilarity).name


def _times(dissimilarity: str | Function, weight: Fraction) -> Function:
    measure = named(dissimilarity) if isinstance(dissimilarity, str) else dissimilarity
    if weight == 1:
        return measure
    if isinstance(measure, Dissimilarity):
        return weighted(measure, weight)
    return lambda a, b: weight * measure(a, b)
