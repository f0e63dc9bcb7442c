"""Mondrian in three packages from PyPI, on numeric attributes: anonypy, anonypyx and umbra-k.

oracle hunt --algorithm mondrian --python oracle.conformance.adapters.mondrian_packages:anonypy

Each forms groups of the rows of a data frame; what it would release, ranges, is not judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from oracle.conformance.adapters.tables import check_table
from refagg.errors import MissingExtra

try:
    import pandas  # type: ignore[import-untyped]
except ImportError:
    raise MissingExtra("pandas is not installed: pip install pandas") from None

Rows = Sequence[Sequence[float]]


def anonypy(records: Rows, k: int) -> list[list[int]]:
    """The parts of `Mondrian.partition`, which cuts strictly."""
    try:
        from anonypy.mondrian import Mondrian
    except ImportError:
        raise MissingExtra("anonypy is not installed: pip install anonypy==0.2.1") from None

    frame = _frame(records)
    return _groups(Mondrian(frame, list(frame)).partition(k))


def anonypyx(records: Rows, k: int) -> list[list[int]]:
    """The parts of `Mondrian.partition` for k-anonymity alone."""
    try:
        from anonypyx.models import kAnonymity
        from anonypyx.mondrian import Mondrian
    except ImportError:
        raise MissingExtra("anonypyx is not installed: pip install anonypyx==0.2.11") from None

    frame = _frame(records)
    return _groups(Mondrian(frame, list(frame)).partition([kAnonymity(k)]))


def umbra_k(records: Rows, k: int) -> list[list[int]]:
    """The parts that `MondrianAnonymizer` keeps; equal values are shared out, as if relaxed."""
    try:
        from umbra_k.anonymizer import MondrianAnonymizer
    except ImportError:
        raise MissingExtra("umbra-k is not installed: pip install umbra-k==0.1.0") from None

    frame = _frame(records)
    made = MondrianAnonymizer(k=k, quasi_id=list(frame))
    made.transform(frame)
    return _groups(made._partitions)


def umbra_k_relaxed(records: Rows, k: int, cut: str) -> Any:
    """The same, where relaxed cuts are asked for."""
    return umbra_k(records, k) if cut == "relaxed" else {"unsupported": f"cut={cut}"}


def _frame(records: Rows) -> Any:
    names = [f"x{number + 1}" for number in range(check_table(records))]
    return pandas.DataFrame([list(map(float, row)) for row in records], columns=names)


def _groups(parts: Iterable[Iterable[Any]]) -> list[list[int]]:
    return [[int(record) for record in part] for part in parts]
