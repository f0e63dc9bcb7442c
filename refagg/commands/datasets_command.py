"""`refagg datasets`: the data sets that are known, fetched or exported."""

from __future__ import annotations

import argparse
from pathlib import Path

from refagg.data import datasets
from refagg.data.csvfiles import check_outputs, decimal_text, write_csv
from refagg.errors import InvalidParameter


def add_options(parser: argparse.ArgumentParser) -> None:
    """What to do with which data set."""
    parser.add_argument(
        "action", nargs="?", choices=["fetch", "export"], help="default: list the data sets"
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="a data set")
    parser.add_argument(
        "target", nargs="?", metavar="URL|FILE", help="where to fetch from, or the file to write"
    )
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Carry out the command."""
    if given.action is None:
        for row in datasets.listing():
            known = row.dataset
            print(f"{known.name:<22} {row.shape:>9}  {row.where}\n{'':<33}  {known.source}")
        return 0
    if given.name is None or given.target is None:
        raise InvalidParameter(f"datasets {given.action} needs a NAME and a URL or FILE")
    if given.action == "fetch":
        print(datasets.fetch(given.name, given.target))
        return 0
    table = datasets.load(given.name)
    check_outputs([Path(given.target)], [])
    rows = ([decimal_text(v) for v in table.row(record)] for record in range(table.n))
    write_csv(Path(given.target), table.names, rows)
    return 0
