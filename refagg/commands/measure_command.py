"""`refagg measure`: what a release loses and discloses, whatever made it."""

from __future__ import annotations

import argparse
from typing import Any

from refagg.commands import options
from refagg.data.csvfiles import Sheet, check_outputs, write_json
from refagg.data.missing import APART, REJECT, missing_line, parts_in
from refagg.data.tables import Table
from refagg.options import readers
from refagg.options.fields import options_of
from refagg.options.readers import measures as measures_of
from refagg.release.edits import edit_lines
from refagg.release.measuring import Measuring, measure, named_lines
from refagg.release.report import measure_lines
from refagg.terminal import in_lines

FORMAT = "refagg measure 1"

COMMAND = (
    options.argument("original", "ORIGINAL.csv"),
    options.argument("released", "RELEASED.csv"),
    options.JSON,
    *options_of(Measuring).values(),
    *options.FILES,
    options.MISSING,
    *options.SCALE,
    *options.CONSTRAINTS,
)


def run(given: argparse.Namespace) -> int:
    """Carry out the command."""
    check_outputs([given.json], [given.original, given.released])
    options.check_no_kinds(given)
    if given.missing == APART:
        options.refuse_whole(given, COMMAND)
    constraints = options.given_constraints(given)
    original, released, names = options.both_data(given)
    policy: Any = given.missing if isinstance(original, Sheet) else REJECT
    with options.other_columns(given):
        report = measure(
            original,
            released,
            missing=policy,
            quasi_identifiers=names,
            standardise=options.scale_of(given),
            constraints=constraints,
            kinds=options.declared(given, original, names),
            weights=readers.weights(given.weight),
            dissimilarity=options.measure_of(given),
            all_risks=given.all_risks,
            measures=measures_of(given.measures) if given.measures else (),
        )
    if given.json:
        write_json(given.json, {"format": FORMAT} | report)
    files = {"original": original, "released file": released}
    tables = {name: data for name, data in files.items() if isinstance(data, Table)}
    lines = _lines_apart(report) if "parts" in report else _lines(report)
    with options.lines_beside(given.json):
        print(in_lines([*lines, *edit_lines(constraints, tables)]))
    return 0


def _lines(report: dict[str, Any]) -> list[str]:
    return [*measure_lines(report), *named_lines(report.get("measures", {}))]


def _lines_apart(report: dict[str, Any]) -> list[str]:
    """Return lines on loss and risks, by missing values.

    Each part has the records that lack the same values.
    """
    parts = parts_in(report["missing"])
    lines = [missing_line(0, APART, parts)]
    for part, found in zip(parts, report["parts"], strict=True):
        lines += [part.title, *(_lines(found) if "classes" in found else [NOTHING])]
    return lines


NOTHING = "all values are missing"
