"""Whether the optional compiler is installed: one question, asked by what can be compiled."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

COMPILED = 80
"""With fewer records, loading what is compiled takes longer than the work that it saves."""


@cache
def numba_installed() -> bool:
    """Return True if searches can be compiled."""
    return find_spec("numba") is not None
