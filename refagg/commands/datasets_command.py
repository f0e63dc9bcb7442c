"""`refagg datasets`: the data sets that are known, fetched or exported."""

from __future__ import annotations

import argparse
from pathlib import Path

from refagg import datasets
from refagg.commands.options import argument
from refagg.data.csvfiles import check_outputs, decimal_text, read_sheet, write_csv
from refagg.errors import InvalidParameter

_ONE: dict[str, object] = {"nargs": "?", "read": str}

COMMAND = (
    argument("action", "", "default: list the data sets", choices=["fetch", "export"], **_ONE),
    argument("name", "NAME", "a data set", **_ONE),
    argument("target", "URL|FILE", "where to fetch from, or the file to write", **_ONE),
)


def run(given: argparse.Namespace) -> int:
    """Carry out the command."""
    if given.action is None:
        for row in datasets.listing():
            known = row.dataset
            print(f"{known.name:<22} {row.shape:>9}  {_holds(known)}{row.where}")
            print(f"{'':<33}  {known.source}")
        return 0
    if given.name is None or given.target is None:
        raise InvalidParameter(f"datasets {given.action} needs a NAME and a URL or FILE")
    if given.action == "fetch":
        print(datasets.fetch(given.name, given.target))
        return 0
    target = Path(given.target)
    if datasets.dataset(given.name).holds != "numbers":
        sheet = read_sheet(datasets.path_of(given.name))
        names, rows = sheet.header, sheet.rows
    else:
        table = datasets.load(given.name)
        names = table.names
        rows = [[decimal_text(v) for v in table.row(record)] for record in range(table.n)]
    check_outputs([target], [])
    write_csv(target, names, rows)
    return 0


def _holds(known: datasets.Dataset) -> str:
    """Name a data set's other contents, and the option declaring them.

    Other contents are all but numbers.
    """
    if known.holds == "sequences" and known.attributes:
        kind = f"{known.attributes[-1]}=sequence:{known.separator or ' '}"
        return f"sequences (--kind '{kind}'), "
    return "" if known.holds == "numbers" else f"{known.holds}, "
