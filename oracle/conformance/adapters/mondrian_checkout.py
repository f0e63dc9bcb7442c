"""qiyuangong/Mondrian of GitHub, from a checkout that the variable MONDRIAN_CHECKOUT names.

MONDRIAN_CHECKOUT=~/Mondrian oracle hunt --algorithm mondrian \
    --python oracle.conformance.adapters.mondrian_checkout:strict

It is a program of modules with global variables, not a package; its groups are left in one of
them. Values are passed as floats, and the number of a record as its last one, which is not read.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from oracle.conformance.adapters.tables import check_table
from refagg.errors import MissingExtra

VARIABLE = "MONDRIAN_CHECKOUT"


def _program() -> Any:
    folder = Path(os.environ.get(VARIABLE, "")).expanduser()
    if not (folder / "mondrian.py").is_file():
        raise MissingExtra(f"{VARIABLE} names no checkout of github.com/qiyuangong/Mondrian")
    sys.path.insert(0, str(folder))
    try:
        program: Any = importlib.import_module("mondrian")
    finally:
        sys.path.remove(str(folder))
    program.pdb = SimpleNamespace(set_trace=_stopped)
    return program


def _stopped() -> None:
    """Raises RuntimeError where the program would start its debugger and wait for input."""
    raise RuntimeError("it stops in its debugger")


def strict(records: Sequence[Sequence[float]], k: int) -> list[list[int]]:
    """Its groups, cut strictly."""
    return _groups(records, k, relax=False)


def relaxed(records: Sequence[Sequence[float]], k: int, cut: str) -> Any:
    """Its groups, where records with the median are shared out."""
    if cut != "relaxed":
        return {"unsupported": f"cut={cut}; this is relaxed"}
    return _groups(records, k, relax=True)


def _groups(records: Sequence[Sequence[float]], k: int, relax: bool) -> list[list[int]]:
    check_table(records)
    program = _program()
    rows = [[*map(float, row), number] for number, row in enumerate(records)]
    numbers = {id(row): number for number, row in enumerate(rows)}
    program.mondrian(rows, k, relax)
    return [[numbers[id(row)] for row in part.member] for part in program.RESULT]
