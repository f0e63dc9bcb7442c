"""The files of an audit: records by position or by key, read by Python or by DuckDB."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from oracle.auditing.stored_files import NotStored, library
from oracle.functions.audits import Audit, audit_stored
from oracle.report.made import made_now
from refagg.commands.options import (
    both_tables,
    bytes_of,
    check_no_key,
    format_of,
    quasi_identifiers,
    scale_of,
    table_from,
)
from refagg.commands.starting import cost_since
from refagg.data.csvfiles import Sheet, read_sheet
from refagg.data.missing import REJECT
from refagg.data.tables import Table, check_columns
from refagg.errors import DuplicateKey, InvalidParameter, UnmatchedKey
from refagg.release.measures import check_same_shape

ENGINES = ("python", "duckdb")

LARGE = 20_000_000
"""Bytes of both files from which DuckDB is chosen where nothing is said."""

MEMORY = "1GB"

_OWN = 0.6
"""The share of the memory that is left to DuckDB; the rest is Python's and its own beside that."""

LEAST = 200_000_000

IN_PYTHON = (
    "algorithm",
    "partition",
    "optimum",
    "certificate",
    "centres",
    "report",
    "constraint",
    "constraints_file",
    "blocks",
    "strata",
    "seed",
    "kind",
    "param",
    "series",
    "times",
    "significant_digits",
    "trim",
    "l_diversity",
    "t_closeness",
    "sampling_weights",
)
"""Options of audits that DuckDB does not do."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """How the files are read."""
    parser.add_argument(
        "--key",
        metavar="COLUMN",
        help="match the records of both files by this column instead of by their order",
    )
    parser.add_argument(
        "--engine",
        choices=ENGINES,
        help="engine of audits without --algorithm (default: duckdb for large files, if it is "
        "installed; the verdict is the same)",
    )
    parser.add_argument(
        "--memory",
        metavar="SIZE",
        help=f"memory limit of duckdb, such as 500MB or 2GB (default {MEMORY})",
    )


def add_known_options(parser: argparse.ArgumentParser) -> None:
    """What is known of how a release was made."""
    parser.add_argument(
        "--partition", type=Path, metavar="FILE", help="groups (JSON or CSV), if known"
    )
    parser.add_argument(
        "--seed", type=int, help="seed of the random stream, for randomised algorithms"
    )


@dataclass(frozen=True, slots=True)
class Engine:
    """What judges, and why not the one that was asked for."""

    name: str
    reason: str = ""


def engine_of(given: argparse.Namespace) -> Engine:
    """The engine that is asked for, or that suits the files.

    Raises InvalidParameter, MissingExtra.
    """
    memory_of(given.memory)
    unfit = [name for name in IN_PYTHON if getattr(given, name)]
    unfit += ["aggregate"] * (given.aggregate != "mean")
    unfit += ["missing"] * (given.missing != REJECT)
    unfit += ["anonymity"] * (given.anonymity not in ("joint", "none"))
    if given.engine == "duckdb":
        if unfit:
            option = unfit[0].replace("_", "-")
            raise InvalidParameter(f"--{option} needs --engine python; duckdb judges without it")
        library()
        return Engine("duckdb")
    large = sum(map(_size, (given.original, given.released))) >= LARGE
    if given.engine is None and large and not unfit and find_spec("duckdb"):
        return Engine("duckdb")
    return Engine("python")


def _size(path: Path) -> int:
    """How many bytes a file has; 0 for what is none, which is refused when it is read."""
    try:
        return path.stat().st_size
    except (OSError, ValueError):
        return 0


def memory_of(text: str | None) -> int:
    """A size of memory in bytes. Raises InvalidParameter."""
    size = bytes_of(text or MEMORY)
    if size < LEAST:
        raise InvalidParameter(f"the memory is {text}; at least {LEAST // 10**6}MB are needed")
    return size


def in_duckdb(given: argparse.Namespace) -> Audit:
    """The audit of both files by DuckDB. Raises NotStored where Python has to do it."""

    def names(header: Sequence[str]) -> list[str]:
        if "" in header:
            raise NotStored("a column has no name")
        return quasi_identifiers(given, header, given.original)

    return audit_stored(
        (given.original, given.released),
        given.k,
        names,
        how=format_of(given),
        key=given.key,
        memory=int(_OWN * memory_of(given.memory)),
        standardise=scale_of(given),
        anonymity=given.anonymity,
        tolerance=given.tolerance,
        all_risks=given.all_risks,
        chosen=bool(given.columns),
    )


def tables_of(given: argparse.Namespace) -> tuple[Table, Table]:
    """The quasi-identifiers of both files, records of equal keys in the same place.

    Raises DuplicateKey, UnmatchedKey, and what reading files raises.
    """
    if not given.key:
        return both_tables(given)
    first = read_sheet(given.original, format_of(given))
    names = quasi_identifiers(given, first.header, first.path)
    second = released_sheet(given)
    original, released = (table_from(sheet, names, given) for sheet in (first, second))
    check_same_shape(original, released)
    check_no_key(original, released, given)
    return original, released


def released_sheet(given: argparse.Namespace) -> Sheet:
    """The released file, in the order of the original if there is a key."""
    how = format_of(given)
    sheet = read_sheet(given.released, how)
    return by_key(read_sheet(given.original, how), sheet, given.key) if given.key else sheet


def by_key(original: Sheet, released: Sheet, key: str) -> Sheet:
    """The release in the order of the original. Raises DuplicateKey, UnmatchedKey."""
    ours, theirs = _places(original, key), _places(released, key)
    for here, there, sheet, other in (
        (ours, theirs, original, released),
        (theirs, ours, released, original),
    ):
        for value, place in here.items():
            if value not in there:
                line = f"{sheet.path}, line {sheet.lines[place]}"
                raise UnmatchedKey(f"{line}: {key} is {value!r}, which {other.path} does not have")
    return released.take([theirs[value] for value in ours])


def _places(sheet: Sheet, key: str) -> Mapping[str, int]:
    """Where each key is."""
    check_columns([key], sheet.header, str(sheet.path))
    places: dict[str, int] = {}
    for place, value in enumerate(sheet.column(key)):
        if value in places:
            lines = f"lines {sheet.lines[places[value]]} and {sheet.lines[place]}"
            raise DuplicateKey(f"{sheet.path}, {lines}: {key} is {value!r} in both")
        places[value] = place
    return places


def run_facts(given: argparse.Namespace, engine: Engine, began: float) -> dict[str, Any]:
    """When, by what, of what and how an audit was made."""
    files = {"released": given.released or given.original}
    if given.released:
        files = {"original": given.original} | files
    libraries = ["duckdb"] if engine.name == "duckdb" else []
    return {
        **made_now(given.k, given.algorithm, files, libraries),
        "engine": engine.name,
        **({"not_duckdb": engine.reason} if engine.reason else {}),
        **cost_since(began),
    }
