"""Files of an audit, read by Python, DuckDB or Spark.

Records belong together by position or by key.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from shutil import disk_usage
from tempfile import gettempdir

from oracle.auditing.other_columns import checked_may_change
from oracle.functions.arguments import ordered_by_key
from oracle.functions.audits import BY_EQUALITY, OPTIONS, STORED, Audit, audit_stored
from oracle.report.pages import made_now
from oracle.stores import duckdb_store, spark_store
from oracle.stores.files import NotStored, Store
from refagg.commands import options
from refagg.commands.starting import cost_since
from refagg.data.csvfiles import Sheet, read_header, read_sheet, read_table, write_csv
from refagg.data.missing import DROP, REJECT, complete_records
from refagg.data.tables import check_columns
from refagg.data.textfiles import about_lines, file_size
from refagg.errors import InvalidParameter, NotANumber
from refagg.language.number_texts import bytes_text
from refagg.options.fields import Option, refuse_others
from refagg.options.readers import names as names_of_words

ENGINES = ("python", "duckdb", "spark")
"""Behind the last, after a colon, can be the address of its master."""

LARGE = 20_000_000
"""Bytes of both files from which DuckDB is chosen where nothing is said."""

MEMORY = "1GB"

_OWN = 0.6
"""The share of the memory that is left to DuckDB; the rest is Python's and its own beside that."""

LEAST = 200_000_000


@dataclass(frozen=True, slots=True)
class Engine:
    """Engine that judges.

    It also has the reason why it is not the one that was asked for.
    """

    name: str
    asked: str = ""
    reason: str = ""
    master: str = ""
    """The address of Spark; that of its settings, if there is none."""


def engine_name(text: str) -> str:
    """Return the name of an engine, as it is given. Raises ArgumentTypeError."""
    name, colon, master = text.partition(":")
    if name not in ENGINES or (colon and not (name == "spark" and master)):
        raise argparse.ArgumentTypeError(f"choose from {', '.join(ENGINES)}, spark:MASTER")
    return text


AUDITED = {
    **OPTIONS,
    "algorithm": Option(
        "algorithms to check; the release should be a possible run of each",
        [],
        name="algorithm",
        read=names_of_words,
        metavar="A,B,...",
    ),
    "constraints_file": options.CONSTRAINTS[1],
    "sets_of": Option(
        "judge k-anonymity in all sets of M key variables", name="sets_of", read=int, metavar="M"
    ),
    "violations": options.output(
        "violations", "FILE", "write the records with fewer than k alike to this CSV file"
    ),
    "report": options.output(
        "report",
        "DIR",
        "write a page for a browser into this folder; several releases share one page, which "
        "compares them",
    ),
    "engine": Option(
        "engine of audits without --algorithm (default: duckdb for large files, if it is "
        "installed; the verdict is the same); spark needs --key",
        name="engine",
        read=engine_name,
        metavar="{python,duckdb,spark[:MASTER]}",
    ),
    "memory": Option(
        "memory limit of duckdb, or of the driver that is started for spark, such as 500MB or "
        f"2GB (default {MEMORY})",
        name="memory",
        metavar="SIZE",
    ),
}
"""All options that say what an audit is about: those of `audit`, and those of the command."""

OF_FILES = ("quasi_identifiers", "confidential", "key", "may_change", "engine", "memory")
"""Those that every engine has."""

EQUAL = (*BY_EQUALITY, *OF_FILES, "sets_of", "violations", "report")
"""What applies to cells that are compared by equality."""

BY_ENGINES = (*STORED, *OF_FILES, "max_replays", "time_limit")


def refuse_in(given: argparse.Namespace, taken: Collection[str], what: str) -> None:
    """Raise InvalidParameter for an option that does not apply.

    It is given and not among those in `taken`.
    """
    read = {name: vars(given).get(one.dest) for name, one in AUDITED.items()}
    refuse_others(read, AUDITED, taken, what, lambda one: one.flag)


def engine_of(given: argparse.Namespace) -> Engine:
    """Return the engine that is asked for, or that suits the files.

    Raises InvalidParameter, MissingExtra.
    """
    memory_of(given.memory)
    unfit = _unfit(given)
    asked, _, master = (given.engine or "").partition(":")
    if asked in ("duckdb", "spark"):
        if unfit:
            raise InvalidParameter(f"{unfit} with --engine {asked}; it needs --engine python")
        if asked == "spark" and not given.key:
            raise InvalidParameter(
                "--engine spark needs --key: its machines do not share the order of the records"
            )
        {"duckdb": duckdb_store.duckdb_library, "spark": spark_store.spark_library}[asked]()
        return Engine(asked, master=master)
    large = sum(map(file_size, (given.original, given.released))) >= LARGE
    if given.engine is None and large and not unfit and find_spec("duckdb"):
        return Engine("duckdb")
    return Engine("python")


def _unfit(given: argparse.Namespace) -> str:
    """Say which option only Python has; empty if none is given."""
    if given.missing != REJECT:
        return f"the option --missing {given.missing} does not apply"
    if given.anonymity not in ("joint", "none"):
        return f"the option --anonymity {given.anonymity} does not apply"
    try:
        refuse_in(given, BY_ENGINES, "")
    except InvalidParameter as error:
        return str(error).rstrip()
    return ""


def memory_of(text: str | None) -> int:
    """Return a size of memory in bytes. Raises InvalidParameter."""
    size = options.bytes_of(text or MEMORY)
    if size < LEAST:
        raise InvalidParameter(f"the memory is {text}; at least {LEAST // 10**6}MB are needed")
    return size


def in_store(given: argparse.Namespace, engine: Engine) -> Audit:
    """Audit both files by DuckDB or Spark.

    Raises NotStored where Python has to do it.
    """

    def names(ours: Sequence[str], theirs: Sequence[str]) -> list[str]:
        if "" in (*ours, *theirs):
            raise NotStored("a column has no name")
        check_columns(options.names_of(given.confidential) or [], theirs, str(given.released))
        return options.quasi_identifiers(given, ours, given.original, theirs)

    files = given.original, given.released
    opened: AbstractContextManager[tuple[Store, Path]]
    if engine.name == "spark":
        memory = memory_of(given.memory) if given.memory else None
        opened = spark_store.cluster(files, engine.master, memory)
    else:
        tell_of_disk(given.original, sum(map(file_size, files)))
        opened = duckdb_store.database(int(_OWN * memory_of(given.memory)))
    return audit_stored(
        files,
        given.k,
        names,
        how=options.format_of(given),
        key=given.key,
        may_change=options.names_of(given.may_change) or [],
        opened=opened,
        standardise=options.scale_of(given),
        anonymity=given.anonymity,
        tolerance=given.tolerance,
        all_risks=given.all_risks,
        chosen=bool(given.columns),
    )


MANY = 100_000_000
"""Rows of a file whose audit fills a disk."""


def tell_of_disk(path: Path, size: int) -> None:
    """Say how much disk DuckDB will need.

    The files have `size` bytes. It says so only if there are MANY rows.
    """
    if (rows := about_lines(path)) >= MANY:
        place = gettempdir()
        with path.open("rb") as file:
            width = 1 + max(map(file.readline().count, (b",", b";", b"\t", b"|")))
        needed = bytes_text(max(2 * size, 16 * rows * width), 2)  # both files, 8 bytes a value
        free = bytes_text(disk_usage(place).free, 2)
        options.tell(
            f"about {rows:.2g} rows: DuckDB needs up to {needed} for temporary files in {place}, "
            f"where {free} are free; TMPDIR names another folder, and --engine spark:MASTER "
            "--key COLUMN divides the work among machines"
        )


def files_of(given: argparse.Namespace) -> tuple[options.Data, options.Data, list[str]]:
    """Return the original, the release and the quasi-identifiers.

    Files of any length that hold nothing but numbers are read as tables. Raises DuplicateKey,
    UnmatchedKey, and what reading files raises.
    """
    how = options.format_of(given)
    headers = [read_header(path, how) for path in (given.original, given.released)]
    names = options.quasi_identifiers(given, headers[0], given.original, headers[1])
    if given.may_change:
        checked_may_change(options.names_of(given.may_change), headers[0], names)
    plain = given.missing == REJECT and not given.kind and not given.key
    if plain and all(set(header) <= set(names) for header in headers):
        with suppress(NotANumber):  # the cells are compared as texts
            ours = read_table(given.original, names, how)
            return ours, read_table(given.released, names, how), names
    original, released = read_sheet(given.original, how), read_sheet(given.released, how)
    if given.key and given.missing != DROP:
        released = ordered_by_key(original, released, given.key)
    return original, released, names


def released_sheet(given: argparse.Namespace) -> Sheet:
    """Return the released file.

    It is in the order of the original, without what is dropped, if there is a key.
    """
    how = options.format_of(given)
    sheet = read_sheet(given.released, how)
    if not given.key:
        return sheet
    original = read_sheet(given.original, how)
    if given.missing == DROP:
        names = options.quasi_identifiers(given, original.header, given.original, sheet.header)
        kept = complete_records(original, names, options.kind_texts(given) or None)
        original = original.take(kept)
    ordered: Sheet = ordered_by_key(original, sheet, given.key)
    return ordered


def sets_in(given: argparse.Namespace) -> int | list[list[str]] | None:
    """Return the sets of key variables that are asked for. Raises InvalidParameter."""
    if given.sets is not None and given.sets_of is not None:
        raise InvalidParameter("--sets and --sets-of both name sets of key variables; choose one")
    return given.sets_of if given.sets is None else options.blocks_of(given.sets, ())


HEADER = ("record", "line", "key_variables", "frequency")
"""The columns of the list of records that violate k-anonymity."""


def write_violations(path: Path, made: Audit, sheet: Sheet) -> None:
    """Write the records with fewer than k alike. Raises OutputUnwritable."""
    rows = [
        (str(record), str(sheet.lines[record]), ";".join(names), str(frequency))
        for record, names, frequency in made.violations
    ]
    write_csv(path, HEADER, rows)


def run_facts(given: argparse.Namespace, engine: Engine, began: float) -> dict[str, object]:
    """Return the provenance of an audit.

    It says when, by what, of what and how the audit was made.
    """
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
