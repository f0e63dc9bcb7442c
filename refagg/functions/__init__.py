"""Every algorithm of the catalogue as a function of rows.

>>> from refagg.functions import FUNCTIONS
>>> FUNCTIONS["mdav"]([[1], [2], [3], [10], [11], [12]], k=3).groups
((0, 1, 2), (3, 4, 5))

The stub beside it says the same to type checkers; `python -m refagg.functions.stubs` renews it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from refagg.catalogue import CATALOGUE
from refagg.functions.calling import function_of, python_name

FUNCTIONS: dict[str, Callable[..., Any]] = {
    python_name(specification): function_of(specification) for specification in CATALOGUE.values()
}

globals().update(FUNCTIONS)
__all__ = sorted(FUNCTIONS)
