"""Files as tables of integers in a store, DuckDB or Spark.

A number is a whole one of some unit, 10^-s, or a decimal with space for all digits: cells are read
as texts, because stores round where they make shorter decimals of them. What is not certain to be
read here as `refagg.data.csvfiles` reads it, and all that is wrong, is left to that (`NotStored`),
which says where it is. So are binary64 values of Parquet files, which are no such decimals.
"""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import log10
from pathlib import Path
from typing import Any, Protocol

from oracle.auditing.other_columns import ABSENT, MIDNIGHT
from refagg.data.csvfiles import read_header, sheets_of
from refagg.data.otherfiles import is_parquet
from refagg.data.textfiles import STANDARD, Format
from refagg.errors import RefaggError
from refagg.language.partition import Group

PLAIN = r"[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)"
WITH_EXPONENT = PLAIN + r"([eE][+-]?[0-9]{1,3})?"

KEYS = r"0|-?[1-9][0-9]*|0[0-9]+|[0-9]+-.*|.*[A-DF-Za-df-z].*"
"""Keys that are equal if their texts are: integers in their usual form, and texts that are no
numbers, as are codes and dates. Marks of missing values and midnights are none of them."""

OF_NUMBERS = b"0123456789.+-"
"""Of a text of these signs with a power of ten, stores tell whether it is a number."""

NARROW, NARROW_DIGITS, WIDE_DIGITS = "BIGINT", 18, 37

LONGEST_LINE = 131_072
"""Bytes; the reader of the standard library takes no longer cell."""


class NotStored(Exception):
    """Files that a store cannot be trusted with; says why."""


class Store(Protocol):
    """Interface of stores, which keep tables and answer SQL queries.

    The methods are what differs between stores. Integers have up to 37 digits, in the type `wide`,
    and come out as int.
    """

    wide: str
    record: str
    """In the table `o`: an integer that rises with the number of the record."""
    limb: int
    """Numbers are squared in limbs, to this base."""

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Return the answer to a query, at once."""

    def streamed(self, query: str) -> Iterator[tuple[Any, ...]]:
        """Yield the rows, one after the other."""

    def keep(self, table: str, query: str, view: bool = False) -> None:
        """Make a table, or a view, formed whenever it is used."""

    def keep_source(self, table: str, values: str, source: str) -> None:
        """Make a table of values of a file.

        The table is `o` for the original, `r` for the release.
        """

    def keep_groups(self, select: str, row: str, p: int) -> None:
        """Make the table `groups` by this query on `pair`.

        A group has the records with the same row of p values.
        """

    def drop(self, *tables: str) -> None: ...

    def types(self, path: Path) -> dict[str, str]:
        """Return the columns of a Parquet file with their types.

        The types have the names that DuckDB gives them.
        """

    def parquet(self, path: Path, wanted: Sequence[str]) -> tuple[str, list[str]]:
        """Return a Parquet file as a table to select from.

        Its columns of the wanted names are returned, too.
        """

    def csv(self, path: Path, width: int, delimiter: str) -> str:
        """Return a plain CSV file as a table to select from.

        Its columns are c0, c1, ..., texts.
        """

    def matches(self, text: str, pattern: str) -> str:
        """Return the condition that all of the text matches."""

    def limbs(self, number: str, count: int) -> list[str]:
        """Return the limbs of an integer's absolute value, the lowest first."""

    def numbered(self, records: Sequence[int]) -> Group:
        """Return the numbers of records.

        They are counted from 0 in the order of the original.
        """

    def check_order(self) -> None:
        """Raise NotStored unless `record` rises with the number of the record."""


def sum_of(number: str, wide: str) -> str:
    """Return the sum of integers, which are many.

    In DuckDB it is wide without a cast, which takes longer than the sum.
    """
    return f"sum({number})" if wide == "HUGEINT" else f"sum(CAST({number} AS {wide}))"


def absolute(number: str) -> str:
    """Return the absolute value of an integer.

    Not by `abs`, nor by a minus sign: both round in Spark what has more than 34 digits.
    """
    return f"greatest({number}, 0 - ({number}))"


def decimal(text: str, after: int, before: int) -> str:
    """Return a text's number, a decimal.

    It has so many digits after and before the point. It is an error if there is no such number.
    """
    return f"CAST({text} AS DECIMAL({after + before},{after}))"


def whole(number: str, kind: str) -> str:
    """Return a decimal in units of its last place, an integer."""
    return f"CAST(replace(CAST({number} AS STRING), '.', '') AS {kind})"


def in_units(store: Store, number: str, after: int, kind: str) -> str:
    """Return `whole` of a decimal with so many digits after the point.

    DuckDB takes the integer and the rest apart: binary64 tells which of 10^15 parts the rest has.
    """
    if store.wide != "HUGEINT" or after > 15:
        return whole(number, kind)
    rest = f"CAST({number} - trunc({number}) AS DOUBLE)"
    return f"CAST(trunc({number}) AS {kind}) * {10**after} + CAST({rest} * {10**after} AS {kind})"


def after_point(text: str) -> str:
    found = f"instr({text}, '.')"
    return f"CASE WHEN {found} > 0 THEN octet_length({text}) - {found} ELSE 0 END"


def before_point(text: str) -> str:
    found = f"instr({text}, '.')"
    return f"CASE WHEN {found} > 0 THEN {found} - 1 ELSE octet_length({text}) END"


def mantissa(text: str) -> str:
    return f"split_part(lower({text}), 'e', 1)"


def exponent(text: str) -> str:
    return (
        f"CASE WHEN contains(lower({text}), 'e') "
        f"THEN CAST(split_part(lower({text}), 'e', 2) AS INTEGER) ELSE 0 END"
    )


def header_of(store: Store, path: Path, how: Format) -> tuple[str, ...]:
    """Return the column names of a file. Raises what reading raises."""
    _check_ordinary(path)
    if not is_parquet(path):
        return read_header(path, how)
    return tuple(store.types(path))


def _check_ordinary(path: Path) -> None:
    """Raise NotStored unless the path names a regular file.

    So it does for a name that stores take for a pattern.
    """
    if path == STANDARD or not path.is_file() or set(str(path)) & set("*?["):
        raise NotStored(f"{path} is not a regular file")


EXACT_TYPES = frozenset(["TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "DECIMAL"])
EXACT_TYPES |= {"UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"}
"""Types of Parquet files whose values are the decimals that they are written as."""


@dataclass(frozen=True, slots=True)
class StoredSource:
    """File as a store reads it.

    It is a table, and the text of each column that is wanted. `others` are columns that are
    compared only. `of_numbers` tells that all its cells are written with the signs OF_NUMBERS; `n`
    is the number of its records, where that was counted.
    """

    table: str
    texts: tuple[str, ...]
    others: tuple[str, ...]
    key: str | None
    of_numbers: bool = False
    n: int | None = None


@dataclass(frozen=True, slots=True)
class WantedColumns:
    """The columns of a file to read.

    They are numbers, columns that are only compared, and a key.
    """

    names: tuple[str, ...]
    others: tuple[str, ...] = ()
    key: str | None = None

    @property
    def all(self) -> list[str]:
        return [*self.names, *self.others, *([self.key] if self.key else [])]


def stored_source(
    store: Store, path: Path, wanted: WantedColumns, how: Format, folder: Path
) -> StoredSource:
    """Return a file whose columns can be read as texts. Raises NotStored."""
    _check_ordinary(path)
    if how.decimal != ".":
        raise NotStored("numbers have decimal commas")
    if is_parquet(path):
        return _of_parquet(store, path, wanted)
    try:
        header = read_header(path, how)
        if not set(wanted.all) <= set(header):
            raise NotStored("a column is missing")
        lines, of_numbers = 0, False
        if how == Format(how.delimiter):
            lines, of_numbers = _plain_lines(path, len(header), how.delimiter, STRANGE)
        if not lines:
            path, lines, of_numbers = _rewritten(path, wanted, how, folder)
            header = tuple(wanted.all)
    except (RefaggError, OSError) as error:
        raise NotStored(str(error)) from None
    columns = [f"c{header.index(name)}" for name in wanted.all]
    numbers = columns if of_numbers else [f"trim({column})" for column in columns]
    plain = [f"coalesce({column}, '')" for column in columns]
    table = store.csv(path, len(header), how.delimiter)
    return _source(table, numbers, plain, wanted, of_numbers, lines - 1)


def _source(
    table: str,
    numbers: Sequence[str],
    texts: Sequence[str],
    wanted: WantedColumns,
    of_numbers: bool = False,
    n: int | None = None,
) -> StoredSource:
    """Return the source of the wanted columns.

    `numbers` and `texts` are in the order of those columns: numbers first, then those that are only
    compared, then the key.
    """
    width = len(wanted.names)
    others = tuple(texts[width : width + len(wanted.others)])
    key = texts[-1] if wanted.key else None
    return StoredSource(table, tuple(numbers[:width]), others, key, of_numbers, n)


def _of_parquet(store: Store, path: Path, wanted: WantedColumns) -> StoredSource:
    types = store.types(path)
    for name in wanted.names:
        if types.get(name, "").partition("(")[0] not in EXACT_TYPES:
            raise NotStored(f"column {name!r} of {path} has no decimal numbers")
    for name in wanted.others:
        if types.get(name, "").partition("(")[0] not in (*EXACT_TYPES, "VARCHAR"):
            raise NotStored(f"column {name!r} of {path} has neither decimal numbers nor texts")
    if wanted.key and types.get(wanted.key) not in ("VARCHAR", "BIGINT", "INTEGER"):
        raise NotStored("the key is neither a text nor an integer")
    table, columns = store.parquet(path, wanted.all)
    texts = [f"CAST({column} AS STRING)" for column in columns]
    plain = [f"coalesce({text}, '')" for text in texts]
    others = slice(len(wanted.names), len(wanted.names) + len(wanted.others))
    plain[others] = [f"replace({text}, chr(27), concat(chr(27), '0'))" for text in plain[others]]
    return _source(table, texts, plain, wanted)


_BLOCK = 1 << 22

STRANGE = b'"\r\0\x1b'
"""Signs of files that are not plain; the last begins those that stand for others."""


def _plain_lines(path: Path, width: int, delimiter: str, strange: bytes) -> tuple[int, bool]:
    """Count the lines of a file that all CSV readers read alike.

    The count is 0 if it is no such file. It is UTF-8, with no signs that are `strange`, lines that
    end with a line feed, none of them blank, and `width` cells in each. True comes with it if there
    are only numbers below the header: the signs OF_NUMBERS, delimiters and line feeds.
    """
    decoder, ends = codecs.getincrementaldecoder("utf-8")(), delimiter.encode() + b"\n"
    row, within = ends[:1] * (width - 1) + b"\n", bytes(set(range(256)).difference(ends))
    lines, others, before, left = 0, 0, b"", b""
    with open(path, "rb") as file:
        for block in chain([file.readline()], iter(lambda: file.read(_BLOCK), b"")):
            rest = block.translate(None, OF_NUMBERS + ends)
            if not rest.isascii() or decoder.getstate()[0]:
                try:
                    decoder.decode(block)
                except UnicodeDecodeError:
                    return 0, False
            blank = width == 1 and b"\n\n" in before[-1:] + block
            left += block.translate(None, within)
            rows = len(left) // width
            if blank or any(one in rest for one in strange) or not left.startswith(row * rows):
                return 0, False
            others += len(rest) * (lines > 0)
            lines, left, before = lines + rows, left[rows * width :], block
    left += b"" if before.endswith(b"\n") else b"\n"
    whole = left in (b"", row) and not decoder.getstate()[0]
    return (lines + (left == row) if whole else 0), not others


ESCAPES = {ord(sign): f"\x1b{number}" for number, sign in enumerate('\x1b"\r\n\0,;\t|')}
"""Signs of columns that are compared only, and how they are written plainly."""


def unescaped(text: str) -> str:
    """Return a text in which signs are written plainly, as it was."""
    if "\x1b" not in text:
        return text
    for sign, plain in reversed(ESCAPES.items()):
        text = text.replace(plain, chr(sign))
    return text


def _rewritten(
    path: Path, wanted: WantedColumns, how: Format, folder: Path
) -> tuple[Path, int, bool]:
    """Write some columns of a text file as a plain file.

    Returns its path and what `_plain_lines` returns. Raises NotStored, and what reading raises.
    """
    target = folder / f"plain-{len(list(folder.iterdir()))}.csv"
    with open(target, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=how.delimiter, lineterminator="\n")
        names = wanted.all
        writer.writerow([f"c{j}" for j in range(len(names))])
        with sheets_of(path, how) as sheets:
            for sheet in sheets:
                compared = [(sheet.header.index(name), name in wanted.others) for name in names]
                writer.writerows(
                    [row[j].translate(ESCAPES) if c else row[j] for j, c in compared]
                    for row in sheet.rows
                )
    lines, of_numbers = _plain_lines(target, len(names), how.delimiter, STRANGE[:-1])
    if not lines:
        raise NotStored("cells hold delimiters, quotes or line ends")
    return target, lines, of_numbers


@dataclass(frozen=True, slots=True)
class Scanned:
    """Result of a first look at a file.

    It has the number of records, and for each column the most decimals and the most characters
    before the point, at least one in all.
    """

    n: int
    decimals: list[int]
    before_point: list[int]


def scanned(store: Store, source: StoredSource) -> Scanned:
    """Take a first look at a file.

    Raises NotStored where a cell, or a key, is not a number.
    """

    def all_match(text: str, pattern: str) -> str:
        return f"bool_and(coalesce({store.matches(text, pattern)}, false))"

    def is_plain(text: str) -> str:
        return f"count({text}) = count(*)" if source.of_numbers else all_match(text, PLAIN)

    def look(*parts: str) -> tuple[Any, ...]:
        [row] = store.rows(f"SELECT {', '.join(parts)} FROM {source.table}")
        return row

    parts = [
        part
        for text in source.texts
        for part in (is_plain(text), f"max({after_point(text)})", f"max({before_point(text)})")
    ]
    n, different, texts, *found = look("count(*)", *_of_keys(store, source.key), *parts)
    if not n:
        raise NotStored("there is no record")
    if source.n not in (None, n):
        raise NotStored(f"{n} records are read, and there are {source.n}")
    if different != n:
        raise NotStored("a key stands for two records")
    if not texts:
        raise NotStored("a key may be a number that is written in several ways, or missing")
    if all(found[::3]):
        return Scanned(n, found[1::3], found[2::3])
    if not all(look(*(all_match(text, WITH_EXPONENT) for text in source.texts))):
        raise NotStored("a cell is not a plain number")
    after = [f"max({after_point(mantissa(text))} - {exponent(text)})" for text in source.texts]
    before = [
        f"max({before_point(mantissa(text))} + greatest({exponent(text)}, 0))"
        for text in source.texts
    ]
    most = [max(0, number) for number in look(*after, *before)]
    return Scanned(n, most[: len(after)], [max(1, number) for number in most[len(after) :]])


def _of_keys(store: Store, key: str | None) -> tuple[str, str]:
    """Return how many keys differ, and whether all are KEYS, as queries."""
    if key is None:
        return "count(*)", "true"
    marks = "|".join([*sorted(ABSENT), MIDNIGHT.pattern])
    several = store.matches(key, f"[^!-~]*({marks})[^!-~]*")
    usual = f"{store.matches(key, f'({KEYS})')} AND NOT {several}"
    return f"count(DISTINCT {key})", f"bool_and({usual})"


def store_files(
    store: Store,
    folder: Path,
    files: tuple[Path, Path],
    wanted: tuple[WantedColumns, WantedColumns],
    how: Format,
) -> tuple[int, list[tuple[int, int]]]:
    """Make the table `pair` of the records of both files.

    It has the number of each record, its values x0, x1, ... in units of their last decimal, and the
    released y0, y1, ..., decimals. The texts of other columns are s0, s1, ... in the table `o` and
    t0, t1, ... in `r`. Returns the number of records, and of each attribute the decimals that the
    original has, and both files have. Raises NotStored.
    """
    names = wanted[0].names
    sources = [
        stored_source(store, path, own, how, folder)
        for path, own in zip(files, wanted, strict=True)
    ]
    looks = _keep_original(store, sources[0], names), scanned(store, sources[1])
    n = looks[0].n
    if looks[1].n != n:
        raise NotStored("the files have different numbers of records")
    own, released = (look.decimals for look in looks)
    scales = [(x, max(x, y)) for x, y in zip(own, released, strict=True)]
    after = [scale for _, scale in scales]
    _check_digits(names, after, map(max, *(look.before_point for look in looks)), n)
    _keep(store, "r", sources[1], map(decimal, sources[1].texts, after, looks[1].before_point))
    _pair(store, n, wanted)
    return n, scales


def _check_digits(
    names: Sequence[str], decimals: Iterable[int], before_point: Iterable[int], n: int
) -> None:
    """Raise NotStored for numbers of too many digits."""
    for name, *both in zip(names, decimals, before_point, strict=True):
        if sum(both) + log10(n) > WIDE_DIGITS:
            raise NotStored(f"column {name!r} has numbers of {sum(both)} digits")


def _keep(store: Store, table: str, source: StoredSource, numbers: Iterable[str]) -> None:
    """Make the table of a file, of numbers, other columns and keys."""
    columns = zip({"o": "xs", "r": "yt"}[table], (numbers, source.others), strict=True)
    values = [f"{text} AS {letter}{j}" for letter, own in columns for j, text in enumerate(own)]
    values += [f"{source.key} AS key"] if source.key else []
    store.keep_source(table, ", ".join(values), source.table)


FIRST = 10_000
"""Records by which it is guessed how all numbers are written."""


def _keep_original(store: Store, source: StoredSource, names: Sequence[str]) -> Scanned:
    """Make the table `o`. Raises NotStored.

    What is guessed from the first records, with room for a digit more before the point, holds if no
    record is left out.
    """

    def keep(look: Scanned, which: str = "") -> None:
        _check_digits(names, look.decimals, look.before_point, look.n)
        wide = [store.wide] * len(source.texts)
        numbers = map(_units, source.texts, look.decimals, look.before_point, wide)
        _keep(store, "o", replace(source, table=source.table + which), numbers)

    if source.of_numbers and source.n and source.n > FIRST and not source.key:
        few = f"(SELECT * FROM {source.table} LIMIT {FIRST})"
        look = scanned(store, replace(source, table=few, n=None))
        longest = [2 + sum(both) for both in zip(look.decimals, look.before_point, strict=True)]
        look = Scanned(source.n, look.decimals, longest)
        if all(map(_narrow, look.decimals, longest)):
            short = map(_is_short, source.texts, look.decimals, longest)
            keep(look, f" WHERE {' AND '.join(short)}")
            if store.rows("SELECT count(*) FROM o") == [(source.n,)]:
                return look
            store.drop("o")
    look = scanned(store, source)
    keep(look)
    return look


def _is_short(text: str, after: int, longest: int) -> str:
    return f"octet_length({text}) <= {longest} AND {text} NOT LIKE '%.{'_' * (after + 1)}%'"


def _narrow(after: int, before: int) -> bool:
    return before + 2 * after < NARROW_DIGITS


def _units(text: str, after: int, before: int, wide: str) -> str:
    """Return `whole` of a text's number, if short in a faster way."""
    number = decimal(text, after, before)
    if _narrow(after, before):
        return f"CAST({number} * CAST({10**after} AS DECIMAL({after + 1},0)) AS {NARROW})"
    return whole(number, NARROW if before + after <= NARROW_DIGITS else wide)


def _pair(store: Store, n: int, wanted: tuple[WantedColumns, WantedColumns]) -> None:
    """Put the records of both files side by side.

    They are matched by position or by key. Raises NotStored.
    """
    p, key = len(wanted[0].names), wanted[0].key
    columns = ", ".join(f"{letter}{j}" for letter in "xy" for j in range(p))
    query = f"SELECT {store.record} AS record, {columns} FROM {joined_tables(key)}"
    store.keep("pair", query, not (key or any(own.others for own in wanted)))
    if store.rows("SELECT count(*) FROM pair") != [(n,)]:
        raise NotStored("a key of one file is not in the other")


def joined_tables(key: str | None) -> str:
    """Return the join of both files, by position or by key."""
    return "o JOIN r ON o.key = r.key" if key else "o POSITIONAL JOIN r"
