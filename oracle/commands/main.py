"""The command `oracle`."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from oracle.auditing.anonymity import PROMISES
from oracle.certificate.check import verify
from oracle.certificate.errors import Rejected
from oracle.commands import audit_command
from oracle.commands.conform_command import add_conform
from oracle.commands.hunt_command import add_hunt
from oracle.commands.vectors_command import add_vectors
from oracle.executors import executor_of
from refagg.commands.frame_command import add_kind_options
from refagg.commands.options import (
    add_constraint_options,
    add_delimiter,
    add_method_options,
    add_scale_options,
    add_table_options,
    guarded,
)
from refagg.data.csvfiles import check_delimiter
from refagg.data.textfiles import check_input
from refagg.errors import FileUnreadable

METHODS = ("auto", "exhaustive", "subsets", "ilp", "columns", "univariate")
SOLVERS = ("cbc", "highs")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    The exit status of an audit is 0 if every rung asked for holds, 1 if one does not,
    2 if the release could not be judged.
    """
    return guarded(lambda: _run(sys.argv[1:] if arguments is None else arguments))


def _run(words: Sequence[str]) -> int:
    line = argparse.Namespace(line=shlex.join(["oracle", *words]))
    given = _parser().parse_args(words, line)
    return int(given.run(given))


@cache
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
        help="the relative difference up to which squared distances count as tied, and released "
        "values as right, where exact arithmetic says otherwise (default: what rounding can do to "
        "these data, 1e-9 for most)",
    )
    audit.add_argument(
        "--anonymity",
        choices=PROMISES,
        default="joint",
        help="what the release promises: k records alike over all quasi-identifiers (joint, the "
        "default), within each block of attributes only, on average over the draws (fuzzy), or "
        "nothing (noise)",
    )
    audit.add_argument(
        "--partition", type=Path, metavar="FILE", help="the groups (JSON or CSV), if known"
    )
    audit.add_argument("--seed", type=int, help="of the tape of algorithms that draw from one")
    audit.add_argument("--limit", type=int, default=2000, help="runs to look at where ties abound")
    audit.add_argument(
        "--seconds",
        type=float,
        default=20.0,
        metavar="S",
        help="of the processor for these runs, for each algorithm and block (default 20)",
    )
    audit.add_argument(
        "--optimum",
        type=float,
        metavar="SECONDS",
        help="say how far the groups are from the optimum, or from the best bound found in so long",
    )
    audit.add_argument(
        "--certificate", type=Path, metavar="FILE", help="the proof of the optimum, if it is known"
    )
    audit.add_argument(
        "--centres", type=Path, metavar="FILE", help="of fuzzy, if published (CSV, or its report)"
    )
    audit.add_argument("--all-risks", action="store_true", help="however long it takes")
    audit.add_argument("--json", type=Path, metavar="REPORT")
    audit.add_argument(
        "--report", type=Path, metavar="DIR", help="write a page for a browser into this folder"
    )
    audit.add_argument("--demo", action="store_true", help="audit releases of shipped data")
    add_table_options(audit)
    add_method_options(audit)
    add_constraint_options(audit)
    add_kind_options(audit)
    audit.set_defaults(run=audit_command.audit)
    _add_optimum(commands)
    _add_verify(commands)
    add_conform(commands)
    add_vectors(commands)
    add_hunt(commands)
    return parser


def _add_optimum(commands: Any) -> None:
    optimum = commands.add_parser("optimum", help="the least SSE that any partition has, proved")
    optimum.add_argument("input", type=Path, metavar="IN.csv")
    optimum.add_argument("-k", type=int, required=True, help="the least size of a group")
    optimum.add_argument(
        "--method",
        choices=METHODS,
        default="auto",
        help="exhaustive and subsets for some ten and twenty records, univariate for one "
        "attribute, ilp for some tens, columns for more",
    )
    optimum.add_argument("--largest", type=int, metavar="SIZE", help="the greatest size of a group")
    optimum.add_argument("--together", metavar="A-B,...", help="records that must share a group")
    optimum.add_argument("--apart", metavar="A-B,...", help="records that must not")
    optimum.add_argument("--time-limit", type=float, metavar="SECONDS")
    optimum.add_argument("--solver", choices=SOLVERS, help="default: highs if it is installed")
    optimum.add_argument("--executor", default="local", metavar="local|processes|dask://HOST:PORT")
    optimum.add_argument("--certificate", type=Path, metavar="OUT.json", help="write the proof")
    optimum.add_argument("--json", type=Path, metavar="OUT.json", help="write the result")
    optimum.add_argument(
        "--state", type=Path, metavar="FILE", help="go on from this file, and keep it up to date"
    )
    optimum.add_argument("--quiet", action="store_true", help="show no progress")
    add_table_options(optimum)
    add_scale_options(optimum)
    optimum.set_defaults(run=_optimum)


def _add_verify(commands: Any) -> None:
    verify = commands.add_parser("verify", help="check the certificate of an optimum or a bound")
    verify.add_argument("certificate", type=Path, metavar="CERTIFICATE.json")
    verify.add_argument("input", type=Path, metavar="IN.csv")
    add_delimiter(verify)
    verify.add_argument("--executor", default="local", metavar="local|processes|dask://HOST:PORT")
    verify.set_defaults(run=_verify)


def _optimum(given: argparse.Namespace) -> int:
    from oracle.commands.optimum_command import find  # needs PuLP, which other commands do not

    return find(given)


def _verify(given: argparse.Namespace) -> int:
    """0 if the certificate is accepted, 1 if it is rejected. Raises FileUnreadable."""
    check_delimiter(given.delimiter)
    for path in (given.certificate, given.input):
        check_input(path)
    with executor_of(given.executor) as executor:
        try:
            verdict = verify(given.certificate, given.input, given.delimiter, executor)
        except Rejected as reason:
            print(f"rejected: {reason}")
            return 1
        except OSError as error:
            raise FileUnreadable(f"{error.filename} cannot be read: {error.strerror}") from None
    print("\n".join(verdict.lines()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
