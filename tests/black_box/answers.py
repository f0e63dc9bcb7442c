"""Functions that a fuzzer has judged: right, wrong, and out of their minds."""

from __future__ import annotations

import itertools
from typing import Any

_ODD = itertools.cycle(
    (None, 7, "\x1b[31mred", [[0]], [[]], float("nan"), {"a": 1}, [[10**5000]], b"")
)


def blocks(records: list[list[float]], k: int) -> list[list[int]]:
    """k by k in the order of the file, the last group with the rest."""
    n = len(records)
    return [list(range(i, n if i + 2 * k > n else i + k)) for i in range(0, max(1, n - k + 1), k)]


def fails(records: Any, k: Any) -> Any:
    """No answer."""
    raise ValueError("\x1b[2J\u202eno\x07")


def odd(records: Any, k: Any) -> Any:
    """Anything."""
    return next(_ODD)


def leaves(records: Any, k: Any) -> Any:
    """The end of the process, if nobody minds."""
    raise SystemExit(3)
