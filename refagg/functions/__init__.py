"""Every algorithm of the catalogue as a function of rows.

>>> from refagg.functions import FUNCTIONS
>>> FUNCTIONS["mdav"]([[1], [2], [3], [10], [11], [12]], k=3).groups
((0, 1, 2), (3, 4, 5))

The stub beside it says the same to type checkers; `python -m tests.stubs` renews it.
"""

from __future__ import annotations

from collections.abc import Callable

from refagg.functions.calling import algorithm_function, known_function
from refagg.functions.describing import python_name


def _all() -> dict[str, Callable[..., object]]:
    """The functions of all algorithms, by name."""
    from refagg.catalogue import CATALOGUE

    return {python_name(one): known_function(one) for one in CATALOGUE.values()}


def __getattr__(name: str) -> object:
    """Return the function of one algorithm, or all of them.

    For one algorithm only its own file is read.
    """
    if name == "FUNCTIONS":
        globals()[name] = _all()
        return globals()[name]
    if name == "__all__":
        return sorted(_all())
    found = None if name.startswith("_") else algorithm_function(name)
    if found is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return found
