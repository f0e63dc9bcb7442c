"""Microaggregation as published: algorithms that can be read, checked and trusted."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from refagg.spaces.binary64 import FloatSpace
from refagg.spaces.exact import ExactSpace
from refagg.standardise import standardise
from refagg.tables import table_of

__version__ = "0.1.0"


def exact_space(data: Any, how: str = "none", tolerance: Fraction = Fraction(0)) -> ExactSpace:
    """The exact numeric space of some data; see `table_of` and `standardise`."""
    return ExactSpace(standardise(table_of(data), how), tolerance)


def float_space(data: Any, how: str = "none") -> FloatSpace:
    """The binary64 numeric space of some data; see `table_of` and `standardise`."""
    return FloatSpace(standardise(table_of(data), how))
