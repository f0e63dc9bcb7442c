"""`refagg measure`: what a release loses and discloses, whatever made it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from refagg.commands.options import (
    CONSTRAINTS,
    FILES,
    JSON,
    MISSING,
    SCALE,
    add,
    add_kind_options,
    argument,
    both_tables,
    check_no_kinds,
    constraints_of,
    lines_beside,
    measure_of,
    of_part,
    refuse_whole,
    scale_of,
    sheets_apart,
    tables_of_part,
    weights_of,
)
from refagg.constraints import Constraint
from refagg.data.csvfiles import check_outputs, write_json
from refagg.data.missing import APART, Part, missing_line
from refagg.data.tables import Table
from refagg.options.fields import options_of
from refagg.options.readers import measures as measures_of
from refagg.release.apart import measured_apart
from refagg.release.edits import edit_lines
from refagg.release.measuring import Measuring, measure
from refagg.release.named_measures import named_lines
from refagg.release.report import measure_lines
from refagg.terminal import in_lines, one_line

OPTIONS = (
    argument("original", "ORIGINAL.csv"),
    argument("released", "RELEASED.csv"),
    JSON,
    *options_of(Measuring).values(),
    *FILES,
    MISSING,
    *SCALE,
    *CONSTRAINTS,
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options: the original and the release."""
    add(parser, OPTIONS)
    add_kind_options(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Carry out the command."""
    check_outputs([given.json], [given.original, given.released])
    check_no_kinds(given)
    if given.missing == APART:
        return _apart(given)
    constraints = constraints_of(given)
    original, released = both_tables(given)
    report = _measured(given, original, released, constraints)
    files = {"original": original, "released file": released}
    if given.json:
        write_json(given.json, report)
    with lines_beside(given.json):
        print(in_lines([*_lines(report), *edit_lines(constraints, files)]))
    return 0


def _measured(
    given: argparse.Namespace,
    original: Table,
    released: Table,
    constraints: Sequence[Constraint] = (),
) -> dict[str, Any]:
    scale: Any = scale_of(given)
    return measure(
        original,
        released,
        standardise=scale,
        constraints=constraints,
        kinds={} if given.kind else None,
        weights=weights_of(given),
        dissimilarity=measure_of(given),
        all_risks=given.all_risks,
        measures=measures_of(given.measures) if given.measures else (),
    )


def _lines(report: dict[str, Any]) -> list[str]:
    return [*measure_lines(report), *named_lines(report.get("measures", {}))]


def _apart(given: argparse.Namespace) -> int:
    """Return the loss and the risks of records that lack the same values."""
    refuse_whole(given, OPTIONS)
    sheets, parts = sheets_apart(given, given.original, given.released)

    def of_records(part: Part) -> dict[str, Any]:
        original, released = tables_of_part(given, sheets, part)
        return _measured(of_part(given, part), original, released)

    report = measured_apart(parts, of_records)
    if given.json:
        write_json(given.json, report)
    with lines_beside(given.json):
        print(one_line(missing_line(sheets[0], APART, parts)))
        for part, found in zip(parts, report["parts"], strict=True):
            print(
                in_lines(
                    [part.title, *(_lines(found) if part.names else ["all values are missing"])]
                )
            )
    return 0
