"""Conversion to binary64 in algorithms, and values out of its range.

These are algorithms that leave exact numbers on the way, and the values that they cannot take.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from refagg.errors import BeyondFloats

P = ParamSpec("P")
R = TypeVar("R")


def within_floats(algorithm: Callable[P, R]) -> Callable[P, R]:
    """Wrap an algorithm so that it raises BeyondFloats for extreme values.

    These are values that are too large or small for it.
    """

    @wraps(algorithm)
    def run(*given: P.args, **settings: P.kwargs) -> R:
        try:
            return algorithm(*given, **settings)
        except (OverflowError, ZeroDivisionError):
            raise BeyondFloats(
                "values are too large, too small or too far apart for what is computed with them "
                "in binary64; divide them by a common factor, or leave out the most extreme"
            ) from None

    return run
