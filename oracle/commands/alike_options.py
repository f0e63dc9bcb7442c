"""Which records of files count as alike in an audit, and the list of violations."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from oracle.auditing.alike import OWN, RULES
from oracle.auditing.cells import Cells, cells_of_sheets
from oracle.commands.audited_files import released_sheet
from oracle.functions.audits import Audit, audit_in_sets
from refagg.commands.options import blocks_of, kinds_of, names_of, quasi_identifiers
from refagg.data.csvfiles import Sheet, write_csv
from refagg.errors import InvalidParameter

HEADER = ("record", "line", "key_variables", "frequency")
"""The columns of the list of records that violate k-anonymity."""


def sets_in(given: argparse.Namespace) -> int | list[list[str]] | None:
    """The sets of key variables that are asked for. Raises InvalidParameter."""
    if given.sets is not None and given.sets_of is not None:
        raise InvalidParameter("--sets and --sets-of both name sets of key variables; choose one")
    return given.sets_of if given.sets is None else blocks_of(given.sets, ())


def released_cells(
    sheet: Sheet, given: argparse.Namespace, names: Sequence[str] | None = None
) -> Cells:
    """The quasi-identifiers of a released file, of any type. Raises UnknownColumn."""
    if names is None:
        names = quasi_identifiers(given, sheet.header, sheet.path)
    outside = names_of(given.confidential) or ()
    kinds = {name: kind for name, kind in kinds_of(given).items() if name not in outside}
    return cells_of_sheets([sheet], names, kinds)[0]


def in_sets(made: Audit, given: argparse.Namespace) -> Audit:
    """The audit of a release beside its original, in sets of key variables where they are named."""
    names = [*dict.fromkeys(name for block, _ in made.verdict.blocks for name in block)]
    rule = given.missing if given.missing in RULES else OWN
    cells = released_cells(released_sheet(given), given, names)
    return audit_in_sets(made, cells, given.k, rule, sets_in(given))


def write_violations(path: Path, made: Audit, sheet: Sheet) -> None:
    """Write the records with fewer than k alike. Raises OutputUnwritable."""
    rows = [
        (str(record), str(sheet.lines[record]), ";".join(names), str(frequency))
        for record, names, frequency in made.violations
    ]
    write_csv(path, HEADER, rows)
