"""Options that several commands share."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from refagg.constraints import Constraint, parse_constraint, read_constraints
from refagg.data.aggregate import AGGREGATIONS
from refagg.data.csvfiles import other_delimiter
from refagg.data.standardise import STANDARDISATIONS
from refagg.data.tables import MISSING_POLICIES, check_columns
from refagg.errors import InvalidParameter, NotANumber, NotFinite
from refagg.language.numerals import number_of, shortened, too_long
from refagg.language.specification import parameters
from refagg.spaces.series import DISTANCES

LONG = 1000
"""Iterations of an algorithm that are announced."""


def add_table_options(parser: argparse.ArgumentParser) -> None:
    """Which columns of a CSV file are attributes, and how it is to be read."""
    parser.add_argument(
        "--columns", metavar="A,B,...", help="the quasi-identifiers (default: all columns)"
    )
    parser.add_argument(
        "--confidential", metavar="C,D,...", help="columns that are not, and pass through untouched"
    )
    add_delimiter(parser)
    parser.add_argument(
        "--missing",
        choices=MISSING_POLICIES,
        default="reject",
        help="the policy for missing values",
    )


def add_delimiter(parser: argparse.ArgumentParser) -> None:
    """The delimiter of CSV files; in a shell a tab is easier to name than to write."""
    parser.add_argument(
        "--delimiter",
        default=",",
        type=lambda text: "\t" if text in ("tab", r"\t") else text,
        help="between the cells of a row: a character, or tab",
    )


def add_scale_options(parser: argparse.ArgumentParser) -> None:
    """The scale on which distances and SSE are measured."""
    parser.add_argument(
        "--standardise",
        choices=STANDARDISATIONS,
        default="population",
        help="divide attributes by nothing, or by their population or sample standard deviation",
    )


def add_method_options(parser: argparse.ArgumentParser) -> None:
    """The options of an algorithm, beside its name and k."""
    add_scale_options(parser)
    parser.add_argument(
        "--significant-digits", type=int, metavar="D", help="round z-scores to D digits first"
    )
    parser.add_argument(
        "--param",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter of the algorithm; `refagg algorithms NAME` lists them",
    )
    parser.add_argument(
        "--series",
        choices=DISTANCES,
        help="rows are time series, grouped by their Euclidean distance or that of their slopes",
    )
    parser.add_argument("--times", metavar="T1,T2,...", help="of the columns, for --series sts")
    parser.add_argument("--aggregate", choices=AGGREGATIONS, default="mean")
    parser.add_argument("--trim", help="the share that trimmed-mean leaves out at each end")
    parser.add_argument(
        "--blocks",
        metavar="A,B;C|each",
        help="microaggregate blocks of attributes by themselves; `each` makes every attribute one",
    )
    parser.add_argument("--strata", metavar="COLUMN", help="form groups within strata only")


def add_constraint_options(parser: argparse.ArgumentParser) -> None:
    """Equations that released rows are to meet."""
    parser.add_argument(
        "--constraint",
        action="append",
        default=[],
        metavar="EQUATION",
        help="between attributes, as 'net + tax = gross'; can be repeated",
    )
    parser.add_argument(
        "--constraints-file", type=Path, metavar="FILE", help="of equations, one in a line"
    )


def constraints_of(given: argparse.Namespace) -> list[Constraint]:
    """The constraints of the options. Raises InvalidConstraintText, FileUnreadable."""
    found = [parse_constraint(text) for text in given.constraint]
    return found + (read_constraints(given.constraints_file) if given.constraints_file else [])


def check_no_constraints(given: argparse.Namespace) -> None:
    """Raise InvalidParameter for constraints, which apply to numbers only."""
    if given.constraint or given.constraints_file:
        raise InvalidParameter("--constraint applies to numbers only, but kinds are declared")


def method_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """The shared options as `method_of` takes them. Raises InvalidParameter."""
    return {
        "standardise": arguments.standardise,
        "significant_digits": arguments.significant_digits,
        "aggregate": arguments.aggregate,
        "trim": None if arguments.trim is None else number(arguments.trim, "trim"),
        "series": arguments.series,
        "times": times_of(arguments.times),
        "parameters": parameters(arguments.param),
    }


def times_of(text: str | None) -> list[Fraction] | None:
    """The times in "0,1,3.5"; None for no text. Raises InvalidParameter."""
    if text is None:
        return None
    return [number(part.strip(), "a time") for part in text.split(",")]


def number(text: str, name: str) -> Fraction:
    """A decimal or a fraction. Raises InvalidParameter."""
    try:
        return number_of(text, name)
    except (NotANumber, NotFinite):
        why = too_long(text.strip())
        raise InvalidParameter(
            f"{name} is {shortened(text)}, which is not a number"
            + f" that can be read: {why}" * bool(why)
        ) from None


def names_of(text: str | None) -> list[str] | None:
    """The names in "A,B,..."; None for no text."""
    return None if text is None else [name.strip() for name in text.split(",")]


def quasi_identifiers(given: argparse.Namespace, header: Sequence[str], where: Path) -> list[str]:
    """The columns named, or all but the confidential ones and the strata.

    Raises UnknownColumn, DuplicateColumn, InvalidParameter.
    """
    confidential = names_of(given.confidential) or []
    strata = [given.strata] if getattr(given, "strata", None) else []
    check_columns(confidential, header, str(where))
    check_columns(strata, header, str(where))
    names = names_of(given.columns)
    if names is None:
        return [name for name in header if name not in confidential and name not in strata]
    with other_delimiter(header):
        check_columns(names, header, str(where))
    for name in names:
        if name in confidential or name in strata:
            role = "confidential" if name in confidential else "the strata"
            raise InvalidParameter(f"column {name!r} is a quasi-identifier and {role} at once")
    return names


def announce(names: Sequence[str], advice: str) -> None:
    """Say on standard error that something takes long, before it begins."""
    text = f"{', '.join(names)}: each takes seconds or more; {advice}"
    print(text, file=sys.stderr, flush=True)


def blocks_of(text: str | None, names: Sequence[str]) -> list[list[str]] | None:
    """The blocks in "A,B;C"; of each of these names by itself for "each"; None for no text."""
    if text is None:
        return None
    if text.strip() == "each":
        return [[name] for name in names]
    return [[name.strip() for name in block.split(",")] for block in text.split(";")]
