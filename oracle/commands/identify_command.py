"""`oracle identify`: which algorithms could have made a released file?"""

from __future__ import annotations

import argparse
from typing import Any

from oracle.commands.terminating import terminable
from oracle.functions.identification import OPTIONS, Identifying, identify
from refagg.commands import options
from refagg.data.csvfiles import Sheet, check_outputs, read_sheet, write_json
from refagg.data.missing import APART, missing_line, patterns_of
from refagg.errors import InvalidParameter
from refagg.options.fields import Option, only, options_of, values_of
from refagg.options.readers import number
from refagg.terminal import one_line

COMMAND = (
    options.argument("original", "ORIGINAL.csv"),
    options.argument("released", "RELEASED.csv"),
    options.METHOD["k"].of(default=None, required=True),
    *(
        one
        for name, one in OPTIONS.items()
        if name not in ("quasi_identifiers", "kinds", "missing")
    ),
    Option("print what is ruled out or not judged, too", False, name="all"),
    options.output("json", "OUT.json", "write the results as JSON"),
    *options.FILES,
    options.MISSING,
)

DESCRIPTION = (
    "The exit status is 0 if some algorithm could have made the groups, 1 if all that were "
    "tried are ruled out, 2 if none is possible and some could not be judged."
)


def run(given: argparse.Namespace) -> int:
    """Carry out the command."""
    inputs = [path for path in (given.original, given.released, given.partition) if path]
    check_outputs([given.json], inputs)
    if given.tolerance is not None:
        number(given.tolerance, "tolerance")
    for option in ("weight", "dissimilarity", "similarity", "aggregate_kind"):
        if getattr(given, option, None):
            raise InvalidParameter(f"--{option.replace('_', '-')} is not tried by identify")
    if given.missing == APART:
        options.refuse_whole(given, COMMAND)
    original, released, names = options.both_data(given)
    kinds = options.declared(given, original, names)
    how: dict[str, Any] = {}
    if isinstance(original, Sheet):
        parts = patterns_of(original, names, kinds)[1]
        print(one_line(missing_line(len(original.rows), APART, parts)))
        how["missing"] = APART
    elif given.strata:
        how["strata"] = read_sheet(given.original, options.format_of(given)).column(given.strata)
    how |= values_of(vars(given), only(OPTIONS, *options_of(Identifying), "partition", "tolerance"))
    with terminable(), options.other_columns(given):
        made = identify(original, released, given.k, quasi_identifiers=names, kinds=kinds, **how)
    with options.lines_beside(given.json):
        print(made.text(given.all))
    if given.json:
        write_json(given.json, made.as_data())
    return made.exit_status
