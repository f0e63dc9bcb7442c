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
    check_no_key,
    check_no_kinds,
    constraints_of,
    format_of,
    lines_beside,
    measure_of,
    of_part,
    quasi_identifiers,
    refuse_whole,
    scale_of,
    table_from,
    texts_of,
    weights_of,
)
from refagg.constraints import Constraint
from refagg.data.csvfiles import check_outputs, read_sheet, write_json
from refagg.data.missing import APART, Part, missing_line, patterns
from refagg.data.tables import Table
from refagg.errors import ShapeMismatch
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
    """What to compare."""
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
    """What records that lack the same values lose and disclose, by themselves."""
    refuse_whole(given, "constraint", "constraints_file")
    sheets = [read_sheet(path, format_of(given)) for path in (given.original, given.released)]
    names = quasi_identifiers(given, sheets[0].header, given.original)
    ours, theirs = (patterns(sheet, names, texts_of(given)) for sheet in sheets)
    if len(sheets[0].rows) != len(sheets[1].rows):
        n, m = (len(sheet.rows) for sheet in sheets)
        raise ShapeMismatch(f"the original has {n} records, the release has {m}")

    def of_records(part: Part) -> dict[str, Any]:
        tables = [table_from(sheet.take(part.records), part.names, given) for sheet in sheets]
        check_no_key(tables[0], tables[1], given)
        return _measured(of_part(given, part), tables[0], tables[1])

    report = measured_apart(ours, theirs, of_records)
    if given.json:
        write_json(given.json, report)
    with lines_beside(given.json):
        print(one_line(missing_line(sheets[0], APART, ours)))
        for part, found in zip(ours, report["parts"], strict=True):
            print(
                in_lines(
                    [part.title, *(_lines(found) if part.names else ["all values are missing"])]
                )
            )
    return 0
