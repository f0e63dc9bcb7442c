"""Microaggregation as published: algorithms that can be read, checked and trusted.

>>> import refagg
>>> release = refagg.microaggregate([[1], [2], [3], [10], [11], [12]], k=3, algorithm="mdav")
>>> release.partition.groups
((0, 1, 2), (3, 4, 5))
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from refagg.catalogue import CATALOGUE, specification
from refagg.data.standardise import standardise
from refagg.data.tables import Table, table_of
from refagg.language.partition import Partition
from refagg.release.evaluation import Evaluation, evaluate
from refagg.release.masking import Release, method_of, microaggregate
from refagg.release.measures import information_loss, release_sse, sse, sst
from refagg.spaces.binary64 import FloatSpace
from refagg.spaces.exact import ExactSpace

if TYPE_CHECKING:
    from refagg.functions import *  # noqa: F403

__version__ = "0.1.0"

__all__ = [
    "CATALOGUE",
    "Evaluation",
    "ExactSpace",
    "FloatSpace",
    "Partition",
    "Release",
    "Table",
    "evaluate",
    "exact_space",
    "float_space",
    "information_loss",
    "method_of",
    "microaggregate",
    "release_sse",
    "specification",
    "sse",
    "sst",
    "standardise",
    "table_of",
]


def exact_space(data: Any, how: str = "none", tolerance: Fraction = Fraction(0)) -> ExactSpace:
    """The exact numeric space of some data; see `table_of` and `standardise`."""
    return ExactSpace(standardise(table_of(data), how), tolerance)


def float_space(data: Any, how: str = "none") -> FloatSpace:
    """The binary64 numeric space of some data; see `table_of` and `standardise`."""
    return FloatSpace(standardise(table_of(data), how))


def __getattr__(name: str) -> Any:
    """An algorithm of the catalogue, as `refagg.mdav`."""
    from refagg.functions import FUNCTIONS

    if name not in FUNCTIONS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return FUNCTIONS[name]
