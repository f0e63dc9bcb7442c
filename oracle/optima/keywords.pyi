"""Generated from options by `python -m oracle.functions.stubs`."""

from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, TypedDict

from oracle.optima.clock import Report
from refagg.language.partition import Partition

class SearchOptions(TypedDict, total=False):
    objective: str
    cost: Callable[[Any], Any] | None
    largest: int | None
    together: Iterable[tuple[int, int]]
    apart: Iterable[tuple[int, int]]
    time_limit: float | None
    solver: str | None
    executor: Executor | None
    report: Report | None
    state: str | Path | None
    start: Partition | None
