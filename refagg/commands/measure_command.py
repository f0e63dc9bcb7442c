"""`refagg measure`: what a release loses and discloses, whatever made it."""

from __future__ import annotations

import argparse
from pathlib import Path

from refagg.commands.frame_command import add_kind_options, check_no_kinds, measure_frame
from refagg.commands.options import (
    add_constraint_options,
    add_scale_options,
    add_table_options,
    check_no_constraints,
    constraints_of,
    quasi_identifiers,
)
from refagg.data.csvfiles import check_outputs, read_header, read_table, write_json
from refagg.data.standardise import standardise
from refagg.release.edits import edit_facts, edit_lines
from refagg.release.facts import class_facts, loss_facts, measure_lines, risk_facts


def add_options(parser: argparse.ArgumentParser) -> None:
    """What to compare."""
    parser.add_argument("original", type=Path, metavar="ORIGINAL.csv")
    parser.add_argument("released", type=Path, metavar="RELEASED.csv")
    parser.add_argument("--json", type=Path, metavar="REPORT")
    parser.add_argument("--all-risks", action="store_true", help="however long it takes")
    add_table_options(parser)
    add_scale_options(parser)
    add_constraint_options(parser)
    add_kind_options(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Carry out the command."""
    check_outputs([given.json], [given.original, given.released])
    if given.kind:
        check_no_constraints(given)
        return measure_frame(given)
    check_no_kinds(given)
    constraints = constraints_of(given)
    names = quasi_identifiers(given, read_header(given.original, given.delimiter), given.original)
    original = read_table(given.original, names, given.missing, given.delimiter)
    released = read_table(given.released, names, given.missing, given.delimiter)
    scaled = standardise(original, given.standardise)
    report = loss_facts(scaled, released)
    report |= class_facts(released) | risk_facts(scaled, released, given.all_risks)
    files = {"original": original, "released file": released}
    report["constraints"] = edit_facts(constraints, files)
    if given.json:
        write_json(given.json, report)
    print("\n".join([*measure_lines(report), *edit_lines(constraints, files)]))
    return 0
