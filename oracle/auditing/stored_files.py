"""Files as tables of DuckDB, with their numbers exactly.

A number is a whole one of some unit, 10^-s, for both files the same in each attribute: cells are
read as texts, because DuckDB rounds where it makes decimals of them. What is not certain to be
read here as `refagg.data.csvfiles` reads it, and all that is wrong, is left to that (`NotStored`),
which says where it is. So are binary64 values of Parquet files, which are no such decimals.
"""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import log10
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from refagg.data.csvfiles import read_chunks, read_header
from refagg.data.textfiles import STANDARD, Format
from refagg.errors import MissingExtra, RefaggError

PLAIN = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)"
WITH_EXPONENT = PLAIN + r"([eE][+-]?[0-9]{1,3})?"

OF_NUMBERS = b"0123456789.+-"
"""Of these signs HUGEINT takes what is a number, once a point is taken out, and nothing else."""

BIGINT_DIGITS, HUGEINT_DIGITS = 18, 37

LONGEST_LINE = 131_072
"""Bytes; the reader of the standard library takes no longer cell."""

POWERS = "[" + ", ".join("1" + "0" * power for power in range(HUGEINT_DIGITS + 1)) + "]::HUGEINT[]"

MACROS = (
    "CREATE MACRO after_point(t) AS CASE WHEN contains(t, '.') "
    "THEN length(t) - strpos(t, '.') ELSE 0 END",
    "CREATE MACRO before_point(t) AS CASE WHEN contains(t, '.') "
    "THEN strpos(t, '.') - 1 ELSE length(t) END",
    "CREATE MACRO points(t) AS length(t) - length(replace(t, '.', ''))",
    "CREATE MACRO units(t, decimals) AS CAST(replace(t, '.', '') AS HUGEINT) "
    f"* list_extract({POWERS}, CAST(1 + decimals AS INTEGER))",
    "CREATE MACRO mantissa(t) AS split_part(lower(t), 'e', 1)",
    "CREATE MACRO exponent(t) AS CASE WHEN contains(lower(t), 'e') "
    "THEN CAST(split_part(lower(t), 'e', 2) AS INTEGER) ELSE 0 END",
)


class NotStored(Exception):
    """Files that DuckDB cannot be trusted with; says why."""


def _is_parquet(path: Path) -> bool:
    with open(path, "rb") as file:
        return file.read(4) == b"PAR1"


@contextmanager
def database(memory: int) -> Iterator[tuple[Any, Path]]:
    """A connection to a new database in a folder, which both go away afterwards.

    DuckDB is given so many bytes, and uses the folder beyond. Raises MissingExtra.
    """
    duckdb = library()
    with TemporaryDirectory(prefix="refagg-") as folder:
        place = Path(folder)
        connection = duckdb.connect(str(place / "tables.duckdb"))
        try:
            connection.execute(f"SET memory_limit = '{memory}B'")
            connection.execute(f"SET temp_directory = {quoted(place / 'spilled')}")
            for macro in MACROS:
                connection.execute(macro)
            yield connection, place
        except duckdb.Error as error:
            reason = str(error).partition("\n")[0]
            raise NotStored(f"DuckDB: {reason}") from None
        finally:
            connection.close()


def library() -> Any:
    """DuckDB. Raises MissingExtra."""
    try:
        import duckdb
    except ImportError:
        raise MissingExtra(
            "duckdb is not installed: pip install '.[big]' in the checkout"
        ) from None
    return duckdb


def quoted(text: object) -> str:
    return "'" + str(text).replace("'", "''") + "'"


def header_of(connection: Any, path: Path, how: Format) -> tuple[str, ...]:
    """The column names of a file. Raises what reading raises."""
    _check_ordinary(path)
    if not _is_parquet(path):
        return read_header(path, how)
    return tuple(_types(connection, path))


def _check_ordinary(path: Path) -> None:
    """Raise NotStored for what is no file, or has a name that DuckDB takes for a pattern."""
    if path == STANDARD or not path.is_file() or set(str(path)) & set("*?["):
        raise NotStored(f"{path} is not a regular file")


EXACT_TYPES = frozenset(
    [
        "TINYINT",
        "SMALLINT",
        "INTEGER",
        "BIGINT",
        "HUGEINT",
        "UTINYINT",
        "USMALLINT",
        "UINTEGER",
        "UBIGINT",
        "DECIMAL",
    ]
)
"""Types of Parquet files whose values are the decimals that they are written as."""


def _types(connection: Any, path: Path) -> dict[str, str]:
    """The columns of a Parquet file, and their types."""
    rows = connection.execute(f"DESCRIBE SELECT * FROM read_parquet({quoted(path)})").fetchall()
    return {row[0]: row[1] for row in rows}


def identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@dataclass(frozen=True, slots=True)
class Source:
    """A file as DuckDB reads it: a table function, and the text of each column that is wanted.

    `of_numbers` tells that all its cells are written with the signs OF_NUMBERS.
    """

    function: str
    texts: tuple[str, ...]
    key: str | None
    of_numbers: bool = False


def source_of(
    connection: Any, path: Path, names: Sequence[str], key: str | None, how: Format, folder: Path
) -> Source:
    """A file whose columns can be read as texts. Raises NotStored."""
    wanted = [*names, key] if key else list(names)
    _check_ordinary(path)
    if _is_parquet(path):
        return _of_parquet(path, wanted, len(names), _types(connection, path))
    try:
        header = read_header(path, how)
        if not set(wanted) <= set(header):
            raise NotStored("a column is missing")
        if how != Format(how.delimiter) or not _is_plain(path, len(header), how.delimiter):
            path, header = _rewritten(path, wanted, how, folder), tuple(wanted)
    except RefaggError as error:
        raise NotStored(str(error)) from None
    of_numbers = _is_of_numbers(path, how.delimiter)
    columns = [f"c{header.index(name)}" for name in wanted]
    numbers = columns if of_numbers else [f"trim({column})" for column in columns]
    function = _read_csv(path, len(header), how.delimiter)
    apart = f"coalesce({columns[-1]}, '')" if key else None
    return Source(function, tuple(numbers[: len(names)]), apart, of_numbers)


def _of_parquet(path: Path, wanted: Sequence[str], width: int, types: dict[str, str]) -> Source:
    for name in wanted[:width]:
        if types.get(name, "").partition("(")[0] not in EXACT_TYPES:
            raise NotStored(f"column {name!r} of {path} has no decimal numbers")
    texts = [f"CAST({identifier(name)} AS VARCHAR)" for name in wanted]
    key = texts[-1] if len(wanted) > width else None
    if key and types.get(wanted[-1]) not in ("VARCHAR", "BIGINT", "INTEGER"):
        raise NotStored("the key is neither a text nor an integer")
    apart = f"coalesce({key}, '')" if key else None
    return Source(f"read_parquet({quoted(path)})", tuple(texts[:width]), apart)


def _read_csv(path: Path, width: int, delimiter: str) -> str:
    columns = ", ".join(f"'c{j}': 'VARCHAR'" for j in range(width))
    return (
        f"read_csv({quoted(path)}, auto_detect = false, header = false, skip = 1, "
        f"delim = {quoted(delimiter)}, quote = '', escape = '', columns = {{{columns}}}, "
        f"nullstr = '', strict_mode = true, max_line_size = {LONGEST_LINE})"
    )


_BLOCK = 1 << 22


def _is_plain(path: Path, width: int, delimiter: str) -> bool:
    """Is it a file that all readers of CSV read alike?

    UTF-8, no quotes, lines that end with a line feed, none of them blank, and so many cells in
    each, by their number in all.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    lines = signs = 0
    before = b""
    with open(path, "rb") as file:
        while block := file.read(_BLOCK):
            if not block.isascii():
                try:
                    decoder.decode(block)
                except UnicodeDecodeError:
                    return False
            if b'"' in block or b"\r" in block or b"\0" in block or b"\n\n" in before[-1:] + block:
                return False
            lines += block.count(b"\n")
            signs += block.count(delimiter.encode())
            before = block
    lines += not before.endswith(b"\n")
    return signs == lines * (width - 1)


def _is_of_numbers(path: Path, delimiter: str) -> bool:
    """Has a plain file, after its header, no sign that is not one of numbers?"""
    others = OF_NUMBERS + delimiter.encode() + b"\n"
    with open(path, "rb") as file:
        file.readline()
        return not any(b.translate(None, others) for b in iter(lambda: file.read(_BLOCK), b""))


def _rewritten(path: Path, wanted: Sequence[str], how: Format, folder: Path) -> Path:
    """Some columns of a file of text, written plainly.

    Raises NotStored, and what reading raises.
    """
    if how.decimal != ".":
        raise NotStored("numbers have decimal commas")
    target = folder / f"plain-{len(list(folder.iterdir()))}.csv"
    with open(target, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=how.delimiter, lineterminator="\n")
        with read_chunks(path, how) as (header, chunks):
            positions = [header.index(name) for name in wanted]
            writer.writerow(wanted)
            for rows, _ in chunks:
                writer.writerows([[row[j] for j in positions] for row in rows])
    if not _is_plain(target, len(wanted), how.delimiter):
        raise NotStored("cells hold delimiters, quotes or line ends")
    return target


@dataclass(frozen=True, slots=True)
class Scanned:
    """What a first look at a file tells: its records, and of each column whether it has powers of
    ten, the most decimals and the most characters before the point."""

    n: int
    powers: list[bool]
    decimals: list[int]
    before_point: list[int]


def scanned(connection: Any, source: Source) -> Scanned:
    """A first look at a file. Raises NotStored where a cell is no number."""

    def look(*of_each: str) -> Any:
        parts = ", ".join(part.format(text) for text in source.texts for part in of_each)
        return connection.execute(f"SELECT count(*), {parts} FROM {source.function}").fetchone()

    is_plain = f"bool_and(coalesce(regexp_full_match({{0}}, '{PLAIN}'), false))"
    if source.of_numbers:
        is_plain = "bool_and(coalesce(points({0}) < 2, false))"
    n, *found = look(is_plain, "max(after_point({0}))", "max(before_point({0}))")
    if not n:
        raise NotStored("there is no record")
    if all(found[::3]):
        return Scanned(n, [False] * len(source.texts), found[1::3], found[2::3])
    pattern = WITH_EXPONENT.replace("{", "{{").replace("}", "}}")
    _, *numbers = look(f"bool_and(coalesce(regexp_full_match({{0}}, '{pattern}'), false))")
    if not all(numbers):
        raise NotStored("a cell is not a plain number")
    _, *wide = look(
        "max(after_point(mantissa({0})) - exponent({0}))",
        "max(before_point(mantissa({0})) + exponent({0}))",
    )
    return Scanned(n, [not plain for plain in found[::3]], wide[::2], wide[1::2])


def _units(text: str, scale: int, powers: bool) -> str:
    """The number that a text says, in units of 10^-scale."""
    if powers:
        return (
            f"units(mantissa({text}), {scale} - after_point(mantissa({text})) + exponent({text}))"
        )
    return f"units({text}, {scale} - after_point({text}))"


def store(
    connection: Any,
    folder: Path,
    files: tuple[Path, Path],
    names: Sequence[str],
    how: Format,
    key: str | None,
) -> tuple[int, list[int]]:
    """Make the table `pair`: of each record its number, and its values x0, x1, ... and y0, y1, ...

    Returns the number of records, and of each attribute the decimals of its unit. Raises NotStored.
    """
    sources = [source_of(connection, path, names, key, how, folder) for path in files]
    looks = [scanned(connection, source) for source in sources]
    n = looks[0].n
    if looks[1].n != n:
        raise NotStored("the files have different numbers of records")
    scales, types = [], []
    for j in range(len(names)):
        scale = max(0, *(look.decimals[j] for look in looks))
        digits = scale + max(look.before_point[j] for look in looks)
        if digits + log10(n) > HUGEINT_DIGITS:
            raise NotStored(f"column {names[j]!r} has numbers of {digits} digits")
        scales.append(scale)
        types.append("BIGINT" if digits <= BIGINT_DIGITS else "HUGEINT")
    for table, letter, source, look in zip("or", "xy", sources, looks, strict=True):
        values = [
            f"CAST({_units(text, scales[j], look.powers[j])} AS {types[j]}) AS {letter}{j}"
            for j, text in enumerate(source.texts)
        ]
        values += [f"{source.key} AS key"] if source.key else []
        connection.execute(
            f"CREATE TABLE {table} AS SELECT {', '.join(values)} FROM {source.function}"
        )
    _pair(connection, n, len(names), key)
    return n, scales


def _pair(connection: Any, n: int, p: int, key: str | None) -> None:
    """The records of both files side by side, by position or by key. Raises NotStored."""
    columns = ", ".join(f"{letter}{j}" for letter in "xy" for j in range(p))
    joined = "o JOIN r ON o.key = r.key" if key else "o POSITIONAL JOIN r"
    if key:
        for table in "or":
            query = f"SELECT count(DISTINCT key) FROM {table}"
            if connection.execute(query).fetchone()[0] != n:
                raise NotStored("a key stands for two records")
    connection.execute(f"CREATE TABLE pair AS SELECT o.rowid AS record, {columns} FROM {joined}")
    if connection.execute("SELECT count(*) FROM pair").fetchone()[0] != n:
        raise NotStored("a key of one file is not in the other")
    connection.execute("DROP TABLE o")
    connection.execute("DROP TABLE r")
