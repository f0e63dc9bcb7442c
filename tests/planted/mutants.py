"""All changed lines, family by family: a module `lines_...` holds the MUTANTS of one."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from .mutant import Mutant

FAMILIES = sorted(path.stem for path in Path(__file__).parent.glob("lines_*.py"))

MUTANTS: tuple[Mutant, ...] = tuple(
    mutant for family in FAMILIES for mutant in import_module(f"{__package__}.{family}").MUTANTS
)
