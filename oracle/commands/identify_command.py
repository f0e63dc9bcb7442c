"""`oracle identify`: which algorithms could have made a released file?"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from oracle.commands.terminating import terminable
from oracle.functions.identification import (
    OPTIONS,
    Identification,
    Identifying,
    identify,
    of_all_parts,
)
from refagg.commands.options import (
    FILES,
    METHOD,
    MISSING,
    add,
    add_kind_options,
    argument,
    both_tables,
    format_of,
    lines_beside,
    of_part,
    output,
    refuse_whole,
    sheets_apart,
    shown,
    tables_of_part,
)
from refagg.data.csvfiles import Sheet, check_outputs, read_sheet, write_json
from refagg.data.missing import APART, Part, missing_line
from refagg.data.tables import Table
from refagg.errors import InvalidParameter
from refagg.options.fields import only, options_of, values_of
from refagg.options.readers import number
from refagg.release.partition_files import read_partition
from refagg.terminal import one_line

COMMAND = (
    argument("original", "ORIGINAL.csv"),
    argument("released", "RELEASED.csv"),
    shown(METHOD, "k", default=None, required=True),
    *(one for name, one in OPTIONS.items() if name not in ("quasi_identifiers", "kinds")),
    output("json", "OUT.json", "write the results as JSON"),
    *FILES,
    MISSING,
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options: the release and the algorithms to try."""
    parser.description = (
        "The exit status is 0 if some algorithm could have made the release, 1 if all that were "
        "tried are ruled out, 2 if none is possible and some could not be judged."
    )
    add(parser, COMMAND)
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
    """List what could have made a release in which no value is missing."""
    original, released = both_tables(given)
    strata = (
        read_sheet(given.original, format_of(given)).column(given.strata) if given.strata else None
    )
    partition = read_partition(given.partition, original.n) if given.partition else None
    return _identified(given, original, released, strata=strata, partition=partition)


def _identified(
    given: argparse.Namespace, original: Table, released: Table, **more: Any
) -> Identification:
    asked = values_of(vars(given), only(OPTIONS, *options_of(Identifying), "tolerance"))
    kinds: Any = {} if given.kind else None
    return identify(original, released, given.k, **asked, kinds=kinds, **more)


def _apart(given: argparse.Namespace) -> Identification:
    """List what could have made each pattern of missing values by itself.

    Raises ShapeMismatch, and MissingValue for a cell that is missing in one of both files only.
    """
    refuse_whole(given, COMMAND)
    sheets, ours = sheets_apart(given, given.original, given.released)
    print(one_line(missing_line(sheets[0], APART, ours)))
    return of_all_parts([(part, _of_part(given, sheets, part)) for part in ours if part.names])


def _of_part(given: argparse.Namespace, sheets: Sequence[Sheet], part: Part) -> Identification:
    original, released = tables_of_part(given, sheets, part)
    return _identified(of_part(given, part), original, released)
