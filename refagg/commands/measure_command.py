"""`refagg measure`: what a release loses and discloses, whatever made it."""

from __future__ import annotations

import argparse
from pathlib import Path

from refagg.commands.options import (
    add_constraint_options,
    add_kind_options,
    add_scale_options,
    add_table_options,
    both_tables,
    check_no_kinds,
    constraints_of,
    measure_of,
    scale_of,
    weights_of,
)
from refagg.data.csvfiles import check_outputs, write_json
from refagg.data.standardise import standardise
from refagg.release.edits import edit_facts, edit_lines
from refagg.release.facts import class_facts, loss_facts, measure_lines, risk_facts
from refagg.spaces.dissimilarities.own import measure_for
from refagg.spaces.dissimilarities.similarities import dissimilarity


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
    check_no_kinds(given)
    constraints = constraints_of(given)
    original, released = both_tables(given)
    scaled = standardise(original, scale_of(given), weights=weights_of(given))
    measure = measure_for(original, measure_of(given))
    report = loss_facts(scaled, released, measure) | class_facts(released)
    report |= risk_facts(scaled, released, given.all_risks, measure)
    files = {"original": original, "released file": released}
    report["constraints"] = edit_facts(constraints, files)
    if original.others:
        kinds = {attribute.name: attribute.kind.name for attribute in original.attributes}
        report |= {"kinds": kinds, "dissimilarity": dissimilarity(measure).name}
    if given.json:
        write_json(given.json, report)
    print("\n".join([*measure_lines(report), *edit_lines(constraints, files)]))
    return 0
