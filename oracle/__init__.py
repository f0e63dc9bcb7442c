"""Judges: what was done to a file, does it hold, and could this algorithm have done it?

Nothing is imported before it is used.
"""

from __future__ import annotations

from typing import Any

__all__: list[str] = []


def __getattr__(name: str) -> Any:
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
