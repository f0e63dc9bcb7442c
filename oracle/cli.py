"""The command `oracle`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from oracle.audit import command
from refagg.options import add_method_options, add_table_options, guarded


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    The exit status of an audit is 0 if every rung asked for holds, 1 if one does not,
    2 if the release could not be judged.
    """
    given = _parser().parse_args(arguments)
    return guarded(lambda: given.run(given), lambda text: print(text, file=sys.stderr))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="oracle", description="Judges of microaggregated files and implementations."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    audit = commands.add_parser("audit", help="judge a released file against its original")
    audit.add_argument("original", type=Path, nargs="?", metavar="ORIGINAL.csv")
    audit.add_argument("released", type=Path, nargs="?", metavar="RELEASED.csv")
    audit.add_argument("-k", type=int, help="the least size of a group that is claimed")
    audit.add_argument(
        "--algorithm",
        nargs="+",
        default=[],
        metavar="NAME",
        help="algorithms of which the release should be a possible run, each its own rung",
    )
    audit.add_argument(
        "--tolerance",
        default="1e-9",
        help="the relative difference up to which squared distances count as tied, and released "
        "values as right, where exact arithmetic says otherwise (default 1e-9)",
    )
    audit.add_argument(
        "--partition", type=Path, metavar="FILE", help="the groups (JSON or CSV), if known"
    )
    audit.add_argument("--limit", type=int, default=2000, help="runs to look at where ties abound")
    audit.add_argument("--all-risks", action="store_true", help="however long it takes")
    audit.add_argument("--json", type=Path, metavar="REPORT")
    audit.add_argument("--demo", action="store_true", help="audit releases of shipped data")
    add_table_options(audit)
    add_method_options(audit)
    audit.set_defaults(run=command.audit)
    return parser


if __name__ == "__main__":
    sys.exit(main())
