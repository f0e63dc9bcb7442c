"""`refagg measure`: what a release loses and discloses, whatever made it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from refagg.commands.options import (
    add_constraint_options,
    add_kind_options,
    add_missing,
    add_scale_options,
    add_table_options,
    both_tables,
    check_no_kinds,
    constraints_of,
    lines_beside,
    measure_of,
    names_of,
    scale_of,
    weights_of,
)
from refagg.data.csvfiles import check_outputs, write_json
from refagg.data.missing import DROP
from refagg.release.edits import edit_lines
from refagg.release.measuring import measure
from refagg.release.named_measures import ALL, MEASURES, named_lines
from refagg.release.report import measure_lines
from refagg.terminal import in_lines


def add_options(parser: argparse.ArgumentParser) -> None:
    """What to compare."""
    parser.add_argument("original", type=Path, metavar="ORIGINAL.csv")
    parser.add_argument("released", type=Path, metavar="RELEASED.csv")
    parser.add_argument("--json", type=Path, metavar="REPORT")
    parser.add_argument("--all-risks", action="store_true", help="however long it takes")
    parser.add_argument(
        "--measures", type=names_of, metavar="A,B,...|all", help=f"others: {', '.join(MEASURES)}"
    )
    add_table_options(parser)
    add_missing(parser, DROP)
    add_scale_options(parser)
    add_constraint_options(parser)
    add_kind_options(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Carry out the command."""
    check_outputs([given.json], [given.original, given.released])
    check_no_kinds(given)
    constraints = constraints_of(given)
    original, released = both_tables(given)
    scale: Any = scale_of(given)
    report = measure(
        original,
        released,
        standardise=scale,
        constraints=constraints,
        kinds={} if given.kind else None,
        weights=weights_of(given),
        dissimilarity=measure_of(given),
        all_risks=given.all_risks,
        measures=ALL if given.measures == [ALL] else given.measures or (),
    )
    files = {"original": original, "released file": released}
    if given.json:
        write_json(given.json, report)
    named = named_lines(report.get("measures", {}))
    with lines_beside(given.json):
        print(in_lines([*measure_lines(report), *named, *edit_lines(constraints, files)]))
    return 0
