"""The files of an audit: records by position or by key, read by Python, DuckDB or Spark."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from oracle.auditing import duckdb_store, spark_store
from oracle.auditing.stored_files import NotStored, Store
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

ENGINES = ("python", "duckdb", "spark")
"""Behind the last, after a colon, can be the address of its master."""

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
    "sets",
    "sets_of",
    "violations",
)
"""Options of audits that only Python does."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """How the files are read."""
    parser.add_argument(
        "--key",
        metavar="COLUMN",
        help="match the records of both files by this column instead of by their order",
    )
    parser.add_argument(
        "--engine",
        type=engine_name,
        metavar="{python,duckdb,spark[:MASTER]}",
        help="engine of audits without --algorithm (default: duckdb for large files, if it is "
        "installed; the verdict is the same); spark needs --key",
    )
    parser.add_argument(
        "--memory",
        metavar="SIZE",
        help="memory limit of duckdb, or of the driver that is started for spark, such as 500MB or "
        f"2GB (default {MEMORY})",
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
    asked: str = ""
    reason: str = ""
    master: str = ""
    """The address of Spark; that of its settings, if there is none."""


def engine_name(text: str) -> str:
    """The name of an engine, as it is given. Raises ArgumentTypeError."""
    name, colon, master = text.partition(":")
    if name not in ENGINES or (colon and not (name == "spark" and master)):
        raise argparse.ArgumentTypeError(f"choose from {', '.join(ENGINES)}, spark:MASTER")
    return text


def engine_of(given: argparse.Namespace) -> Engine:
    """The engine that is asked for, or that suits the files.

    Raises InvalidParameter, MissingExtra.
    """
    memory_of(given.memory)
    unfit = [name for name in IN_PYTHON if getattr(given, name)]
    unfit += ["aggregate"] * (given.aggregate != "mean")
    unfit += ["missing"] * (given.missing != REJECT)
    unfit += ["anonymity"] * (given.anonymity not in ("joint", "none"))
    asked, _, master = (given.engine or "").partition(":")
    if asked in ("duckdb", "spark"):
        if unfit:
            option = unfit[0].replace("_", "-")
            raise InvalidParameter(f"--{option} needs --engine python; {asked} judges without it")
        if asked == "spark" and not given.key:
            raise InvalidParameter(
                "--engine spark needs --key: its machines do not share the order of the records"
            )
        {"duckdb": duckdb_store, "spark": spark_store}[asked].library()
        return Engine(asked, master=master)
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


def in_store(given: argparse.Namespace, engine: Engine) -> Audit:
    """The audit of both files by DuckDB or Spark. Raises NotStored where Python has to do it."""

    def names(header: Sequence[str]) -> list[str]:
        if "" in header:
            raise NotStored("a column has no name")
        return quasi_identifiers(given, header, given.original)

    files = given.original, given.released
    opened: AbstractContextManager[tuple[Store, Path]]
    if engine.name == "spark":
        memory = memory_of(given.memory) if given.memory else None
        opened = spark_store.cluster(files, engine.master, memory)
    else:
        opened = duckdb_store.database(int(_OWN * memory_of(given.memory)))
    return audit_stored(
        files,
        given.k,
        names,
        how=format_of(given),
        key=given.key,
        opened=opened,
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
    libraries = {"duckdb": ["duckdb"], "spark": ["pyspark"]}.get(engine.name, [])
    return {
        **made_now(given.k, given.algorithm, files, libraries),
        "engine": engine.name,
        **({f"not_{engine.asked}": engine.reason} if engine.reason else {}),
        **cost_since(began),
    }
