"""Microaggregation as published: algorithms that can be read, checked and trusted.

>>> import refagg
>>> release = refagg.microaggregate([[1], [2], [3], [10], [11], [12]], k=3, algorithm="mdav")
>>> release.partition.groups
((0, 1, 2), (3, 4, 5))

Every algorithm of the catalogue is a function of this package: `refagg.mdav`, `refagg.fuzzy`.
Nothing is imported before it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from refagg import datasets
    from refagg.algorithms.mdav_family.second_phase import refined
    from refagg.catalogue import CATALOGUE, specification
    from refagg.comparison.comparing import compare
    from refagg.data.standardise import standardise
    from refagg.data.tables import Table, table_of
    from refagg.functions import *  # noqa: F403
    from refagg.language.partition import Partition
    from refagg.literature.reproducing import reproduce
    from refagg.release.attribute_groups import correlated_blocks
    from refagg.release.evaluation import Evaluation, evaluate
    from refagg.release.fuzzy_clustering import FuzzyClustering, fuzzy_c_means
    from refagg.release.masking import microaggregate
    from refagg.release.measures import information_loss, release_sse, sse, sst
    from refagg.release.measuring import measure
    from refagg.release.method import method_of
    from refagg.release.result import Release
    from refagg.release.suppression import Suppression, with_suppression
    from refagg.spaces.binary64 import FloatSpace, float_space
    from refagg.spaces.exact import ExactSpace, exact_space

__version__ = "1.0.0rc1"

__all__ = [
    "CATALOGUE",
    "Evaluation",
    "ExactSpace",
    "FloatSpace",
    "FuzzyClustering",
    "Partition",
    "Release",
    "Suppression",
    "Table",
    "compare",
    "correlated_blocks",
    "datasets",
    "evaluate",
    "exact_space",
    "float_space",
    "fuzzy_c_means",
    "information_loss",
    "measure",
    "method_of",
    "microaggregate",
    "refined",
    "release_sse",
    "reproduce",
    "specification",
    "sse",
    "sst",
    "standardise",
    "table_of",
    "with_suppression",
]

_NAMES = {
    "refagg.algorithms.mdav_family.second_phase": ("refined",),
    "refagg.release.suppression": ("Suppression", "with_suppression"),
    "refagg.catalogue": ("CATALOGUE", "specification"),
    "refagg.comparison.comparing": ("compare",),
    "refagg.literature.reproducing": ("reproduce",),
    "refagg.release.measuring": ("measure",),
    "refagg.data.standardise": ("standardise",),
    "refagg.data.tables": ("Table", "table_of"),
    "refagg.language.partition": ("Partition",),
    "refagg.release.attribute_groups": ("correlated_blocks",),
    "refagg.release.evaluation": ("Evaluation", "evaluate"),
    "refagg.release.fuzzy_clustering": ("FuzzyClustering", "fuzzy_c_means"),
    "refagg.release.masking": ("microaggregate",),
    "refagg.release.result": ("Release",),
    "refagg.release.method": ("method_of",),
    "refagg.release.measures": ("information_loss", "release_sse", "sse", "sst"),
    "refagg.spaces.binary64": ("FloatSpace", "float_space"),
    "refagg.spaces.exact": ("ExactSpace", "exact_space"),
}
"""The public names that are no algorithms, by their modules."""

_KINDS = ("fcm", "efcm", "c-means")
"""Names that others have for what `fuzzy_c_means` does."""

_MODULES = ("datasets", "errors", "sklearn")
"""Modules that are imported when they are asked for."""


if not TYPE_CHECKING:  # for type checkers there are only the names imported above

    def __getattr__(name: str) -> object:
        """A public name, or an algorithm of the catalogue, as `refagg.mdav`."""
        if name in _MODULES:
            return import_module(f"{__name__}.{name}")
        for module, names in _NAMES.items():
            if name in names:
                return getattr(import_module(module), name)
        if not name.startswith("_"):
            from refagg.functions.calling import algorithm_function

            if found := algorithm_function(name):
                globals()[name] = found
                return found
        why = f"module {__name__!r} has no attribute {name!r}{_meant(name)}"
        raise AttributeError(why, name=name)  # a name, so that Python adds no second guess

    def _meant(name: str) -> str:
        """Return a suggestion of another name.

        It is empty for names that Python itself asks for.
        """
        if name.startswith("_"):
            return ""
        from refagg.catalogue import meant_by

        own = {one.lower().replace("_", "-"): one for one in __all__}
        near = meant_by(name, own | dict.fromkeys(_KINDS, "fuzzy_c_means")).replace("-", "_")
        return f"; did you mean refagg.{near}?" if near else ""


def __dir__() -> list[str]:
    from refagg.functions import FUNCTIONS

    return sorted({"__version__", *__all__, *FUNCTIONS})
