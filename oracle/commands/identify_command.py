"""`oracle identify`: which algorithms could have made a released file?"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from oracle.commands.audited_files import add_known_options
from oracle.commands.terminating import terminable
from oracle.functions.identification import Identification, identify, of_all_parts
from refagg.commands.options import (
    add_kind_options,
    add_missing,
    add_table_options,
    both_tables,
    check_no_key,
    format_of,
    lines_beside,
    names_of,
    of_part,
    quasi_identifiers,
    refuse_whole,
    table_from,
    texts_of,
)
from refagg.data.csvfiles import Sheet, check_outputs, read_sheet, write_json
from refagg.data.missing import APART, DROP, Part, check_same_cells, missing_line, patterns
from refagg.data.tables import Table
from refagg.errors import InvalidParameter, ShapeMismatch
from refagg.options.readers import number
from refagg.release.partition_files import read_partition
from refagg.terminal import one_line


def add_options(parser: argparse.ArgumentParser) -> None:
    """What to look at, and which algorithms to try."""
    parser.description = (
        "The exit status is 0 if some algorithm could have made the release, 1 if all that were "
        "tried are ruled out, 2 if none is possible and some could not be judged."
    )
    parser.add_argument("original", type=Path, metavar="ORIGINAL.csv")
    parser.add_argument("released", type=Path, metavar="RELEASED.csv")
    parser.add_argument("-k", type=int, required=True, help="minimum group size")
    parser.add_argument(
        "--algorithm",
        metavar="A,B,...",
        help="algorithms to try (default: all that form groups)",
    )
    parser.add_argument(
        "--param",
        action="append",
        default=[],
        metavar="NAME=V,W,...",
        help="values of a parameter to try (default: all values of an enumerated parameter; 0.2, "
        "0.5, 1, 1.1 and 2 for gamma; else the default); can be repeated",
    )
    parser.add_argument(
        "--standardise", metavar="A,B", help="scales to try (default: population,none)"
    )
    add_known_options(parser)
    parser.add_argument(
        "--strata", metavar="COLUMN", help="column of the strata within which groups were formed"
    )
    parser.add_argument("--tolerance", help="as in oracle audit")
    parser.add_argument(
        "--max-replays",
        type=int,
        default=500,
        help="maximum number of runs to try for each candidate",
    )
    parser.add_argument(
        "--time-limit",
        type=float,
        default=60.0,
        metavar="S",
        help="CPU seconds for all candidates (default 60)",
    )
    parser.add_argument("--json", type=Path, metavar="OUT.json", help="write the results as JSON")
    add_table_options(parser)
    add_missing(parser, DROP, APART)
    add_kind_options(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Carry out the command."""
    inputs = [path for path in (given.original, given.released, given.partition) if path]
    check_outputs([given.json], inputs)
    if given.tolerance is not None:
        number(given.tolerance, "tolerance")
    for option in ("weight", "dissimilarity", "similarity", "aggregate_kind"):
        if getattr(given, option, None):
            raise InvalidParameter(f"--{option.replace('_', '-')} is not tried by identify")
    with terminable():
        made = _apart(given) if given.missing == APART else _of_all(given)
    with lines_beside(given.json):
        print(made)
    if given.json:
        write_json(given.json, made.as_data())
    return made.exit_status


def _of_all(given: argparse.Namespace) -> Identification:
    """What could have made a release in which no value is missing."""
    original, released = both_tables(given)
    strata = (
        read_sheet(given.original, format_of(given)).column(given.strata) if given.strata else None
    )
    partition = read_partition(given.partition, original.n) if given.partition else None
    return _identified(given, original, released, strata=strata, partition=partition)


def _identified(
    given: argparse.Namespace, original: Table, released: Table, **more: Any
) -> Identification:
    return identify(
        original,
        released,
        given.k,
        algorithm=names_of(given.algorithm) or (),
        parameters=_values(given.param),
        standardise=names_of(given.standardise),
        kinds={} if given.kind else None,
        seed=given.seed,
        tolerance=given.tolerance,
        max_replays=given.max_replays,
        time_limit=given.time_limit,
        **more,
    )


def _apart(given: argparse.Namespace) -> Identification:
    """What could have made each pattern of missing values by itself.

    Raises ShapeMismatch, and MissingValue for a cell that is missing in one of both files only.
    """
    refuse_whole(given, "strata", "partition")
    sheets = [read_sheet(path, format_of(given)) for path in (given.original, given.released)]
    names = quasi_identifiers(given, sheets[0].header, given.original)
    n, m = (len(sheet.rows) for sheet in sheets)
    if n != m:
        raise ShapeMismatch(f"the original has {n} records, the release has {m}")
    ours, theirs = (patterns(sheet, names, texts_of(given)) for sheet in sheets)
    check_same_cells(ours, theirs)
    print(one_line(missing_line(sheets[0], APART, ours)))
    return of_all_parts([(part, _of_part(given, sheets, part)) for part in ours if part.names])


def _of_part(given: argparse.Namespace, sheets: Sequence[Sheet], part: Part) -> Identification:
    tables = [table_from(sheet.take(part.records), part.names, given) for sheet in sheets]
    check_no_key(tables[0], tables[1], given)
    return _identified(of_part(given, part), tables[0], tables[1])


def _values(texts: list[str]) -> dict[str, list[str]]:
    """The values in "NAME=V,W". Raises InvalidParameter."""
    found: dict[str, list[str]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        if not (name and equals and values):
            raise InvalidParameter(f"--param is {text!r}; write NAME=V,W,...")
        found.setdefault(name, []).extend(values.split(","))
    return found
