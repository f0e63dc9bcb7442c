"""CSV files: numbers read exactly, everything else passed through, output whole or not at all.

Files are UTF-8 with a header line. A numeric cell is an integer, a decimal, or either with
a power of ten ("-1.25e3"). Lines in messages are counted from 1, the header included.
"""

from __future__ import annotations

import csv
import json
import os
import re
import stat
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from itertools import chain, islice
from pathlib import Path
from typing import TextIO

from refagg.data.tables import (
    Column,
    Table,
    check_columns,
    check_missing_policy,
    check_names,
    reduced,
)
from refagg.data.textfiles import check_input, read_text
from refagg.errors import (
    EmptyTable,
    FileUnreadable,
    InvalidParameter,
    NotANumber,
    NotFinite,
    OutputUnwritable,
    RaggedRow,
    UnknownColumn,
    missing_value,
)
from refagg.language.number_texts import MOST_DIGITS, number_of, too_long

MISSING = frozenset({"", "NA", "N/A", "<NA>", "NULL", "null", "None", ".", "?"})
"""Cells that say that a value is missing."""

MOST_DECIMALS = 300
"""The most decimals to which released values are rounded."""

_NUMBER = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?", re.ASCII)
_NOT_FINITE = re.compile(r"[+-]?(inf|infinity)", re.IGNORECASE)
_SEVENTEEN = Context(prec=17)
_CHUNK = 50_000


@dataclass(frozen=True, slots=True)
class Sheet:
    """A CSV file as text: its column names and its rows, with the line that each row ends on."""

    path: Path
    header: tuple[str, ...]
    rows: list[list[str]]
    lines: list[int]

    def numeric(self, names: Sequence[str], missing: str = "reject") -> Table:
        """The exact table of some columns.

        Raises UnknownColumn, DuplicateColumn, NotANumber, NotFinite, MissingValue.
        """
        check_missing_policy(missing)
        with other_delimiter(self.header):
            check_columns(names, self.header, str(self.path))
            return _table(self.path, self.header, names, iter([(self.rows, self.lines)]))

    def column(self, name: str) -> list[str]:
        """The text of one column. Raises UnknownColumn."""
        check_columns([name], self.header, str(self.path))
        position = self.header.index(name)
        return [row[position] for row in self.rows]


def read_header(path: Path, delimiter: str = ",") -> tuple[str, ...]:
    """The column names of a CSV file. Raises FileUnreadable, EmptyTable, DuplicateColumn."""
    with _opened(path, delimiter) as (header, _):
        return header


def read_sheet(path: Path, delimiter: str = ",") -> Sheet:
    """A whole CSV file as text.

    Raises FileUnreadable, EmptyTable, RaggedRow, DuplicateColumn.
    """
    with _opened(path, delimiter) as (header, chunks):
        rows: list[list[str]] = []
        lines: list[int] = []
        for more_rows, more_lines in chunks:
            rows += more_rows
            lines += more_lines
    return Sheet(path, header, rows, lines)


def read_table(
    path: Path,
    names: Sequence[str] | None = None,
    missing: str = "reject",
    delimiter: str = ",",
) -> Table:
    """The exact table of some columns (all, by default) of a CSV file, of any length.

    Raises what `read_sheet` and `Sheet.numeric` raise.
    """
    check_missing_policy(missing)
    with _opened(path, delimiter) as (header, chunks):
        wanted = header if names is None else names
        check_columns(wanted, header, str(path))
        return _table(path, header, wanted, chunks)


def read_matrix(path: Path, delimiter: str = ",") -> list[list[Fraction]]:
    """The numbers in a file without a header, line by line.

    Raises FileUnreadable, NotANumber, NotFinite; the message names the line.
    """
    check_delimiter(delimiter)
    lines = csv.reader(read_text(path).splitlines(), delimiter=delimiter)
    return [
        [
            number_of(cell, f"{path}, line {lines.line_num}, value {j + 1}")
            for j, cell in enumerate(line)
        ]
        for line in lines
        if line
    ]


def decimal_text(value: Fraction, decimals: int | None = None) -> str:
    """A number as text for a file.

    With `decimals`, rounded half to even to so many decimals. Without, exact if it
    is a decimal of at most 15 significant digits or an integer, otherwise the shortest
    text of the nearest binary64 number; where that is infinite or 0, 17 digits.
    Raises OutputUnwritable for a text that could not be read again.
    """
    text = _decimal_text(value, decimals)
    if reason := too_long(text):
        raise OutputUnwritable(f"a released value cannot be written: {reason}")
    return text


def _decimal_text(value: Fraction, decimals: int | None) -> str:
    if decimals is not None:
        return _fixed(round(value * 10**decimals), decimals)
    if value.denominator == 1:
        return str(value.numerator)
    for places in range(1, 16):
        scaled = value * 10**places
        if scaled.denominator == 1 and abs(scaled) < 10**15:
            return _fixed(scaled.numerator, places)
    try:
        nearest = float(value)
    except OverflowError:
        nearest = 0.0
    return (
        repr(nearest)
        if nearest
        else str(_SEVENTEEN.divide(*map(Decimal, value.as_integer_ratio())))
    )


def json_number(value: Fraction) -> int | float | str:
    """A number for JSON: the nearest binary64 number.

    A whole number that binary64 cannot hold is itself, what is beyond binary64 a text.
    """
    whole = value.denominator == 1
    size = value.numerator.bit_length() - value.denominator.bit_length()
    if abs(size) > MOST_EXPONENT:
        return decimal_text(value)
    nearest = float(value)
    return value.numerator if whole and nearest != value else nearest


def write_csv(
    path: Path, header: Sequence[str], rows: Iterable[Sequence[str]], delimiter: str = ","
) -> None:
    """Write a CSV file; on any error no file is left. Raises OutputUnwritable."""
    with whole_file(path) as file:
        plain = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        quoting = csv.writer(file, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
        for row in chain([header], rows):
            # The plain writer leaves a lone carriage return unquoted, which ends a line.
            (quoting if any("\r" in cell for cell in row) else plain).writerow(row)


def write_json(path: Path, data: object) -> None:
    """Write a JSON file; on any error no file is left. Raises OutputUnwritable."""
    with whole_file(path) as file:
        json.dump(data, file, indent=2)
        file.write("\n")


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file of bytes; on any error no file is left. Raises OutputUnwritable."""
    with whole_file(path) as file:
        file.buffer.write(content)


def check_outputs(outputs: Sequence[Path | None], inputs: Sequence[Path]) -> None:
    """Raise OutputUnwritable if two files of a command are the same, or one cannot be made."""
    seen = [_place(path) for path in inputs]
    for output in outputs:
        if output is None:
            continue
        place = _place(output)
        if place in seen:
            raise OutputUnwritable(f"{output} is an input or another output of the same command")
        if os.path.isdir(output):
            raise OutputUnwritable(f"{output} cannot be written: it is a folder")
        if not os.path.isdir(place.parent):
            raise OutputUnwritable(f"{output} cannot be written: no folder {output.parent}")
        check_name(output)
        check_folder(place.parent, output)
        seen.append(place)


def _place(path: Path) -> Path:
    """Where a file is or would be, behind all links; one in a circle is where it stands."""
    return Path(os.path.realpath(path))


def check_name(output: Path) -> None:
    """Raise OutputUnwritable for a name that no file can have, and for links in a circle."""
    try:
        os.stat(output)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise OutputUnwritable(f"{output} cannot be written: {error.strerror}") from None


def check_folder(folder: Path, output: Path) -> None:
    """Raise OutputUnwritable if nothing can be written into a folder, before any work is done."""
    if not os.access(folder, os.W_OK | os.X_OK) and _stream(output) is None:
        raise OutputUnwritable(f"{output} cannot be written: no permission in {folder}")


@contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """A text file that appears under its name when it is complete, or never.

    What is no ordinary file, as /dev/null and pipes, is never replaced, but written to; where
    a name is a link, what it leads to is replaced, not the link. A file that was there keeps
    its permissions. Raises OutputUnwritable.
    """
    if (stream := _stream(path)) is not None:
        with _streamed(stream, path) as file:
            yield file
        return
    target, mode = _place(path), _permissions(path)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".refagg-", text=True)
    except OSError as error:
        raise OutputUnwritable(f"{path} cannot be written: {error.strerror}") from None
    try:
        with open(handle, "w", encoding="utf-8", newline="") as file:
            yield file
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException as error:
        os.unlink(name)
        if isinstance(error, OSError):
            raise OutputUnwritable(f"{path} cannot be written: {error.strerror}") from None
        raise


def _stream(path: Path) -> Path | int | None:
    """The device or pipe of this name, or the standard stream that goes there; else None."""
    try:
        there = os.stat(path)
    except OSError:
        return None
    for standard in (1, 2):
        with suppress(OSError):
            if os.path.samestat(there, os.fstat(standard)):
                return standard
    return None if stat.S_ISREG(there.st_mode) else path


@contextmanager
def _streamed(stream: Path | int, path: Path) -> Iterator[TextIO]:
    try:
        opened = os.dup(stream) if isinstance(stream, int) else stream
        with open(opened, "w", encoding="utf-8", newline="") as file:
            yield file
    except OSError as error:
        raise OutputUnwritable(f"{path} cannot be written: {error.strerror}") from None


def _permissions(path: Path) -> int:
    """Those of the file that is there, or of a new one."""
    with suppress(OSError):
        return stat.S_IMODE(os.stat(path).st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


MOST_EXPONENT = 1000
"""Numbers from 2^-1000 to 2^1000 or so are binary64 numbers in JSON."""

Chunk = tuple[list[list[str]], list[int]]


def check_delimiter(delimiter: str) -> None:
    """Raise InvalidParameter for what cannot stand between cells."""
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise InvalidParameter(
            f"the delimiter is {delimiter!r}; it must be one character, no quote and no line end"
        )


@contextmanager
def _opened(path: Path, delimiter: str) -> Iterator[tuple[tuple[str, ...], Iterator[Chunk]]]:
    """The header of a file and its rows in chunks, each row checked for its length."""
    check_delimiter(delimiter)
    check_input(path)
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, delimiter=delimiter, strict=True)
            header = tuple(next(reader, ()))
            check_names(header, str(path))
            with other_delimiter(header):
                yield header, _chunks(path, header, reader)
    except OSError as error:
        raise FileUnreadable(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise FileUnreadable(f"{path} is not UTF-8 text (byte {error.start})") from None
    except csv.Error as error:
        raise FileUnreadable(f"{path}, line {reader.line_num}: {error}") from None


@contextmanager
def other_delimiter(header: Sequence[str]) -> Iterator[None]:
    """Ask for the delimiter where what is wrong may come from a header that is one cell."""
    try:
        yield
    except (NotANumber, RaggedRow, UnknownColumn) as error:
        for name, sign in (("';'", ";"), ("tab", "\t"), ("'|'", "|")):
            if len(header) == 1 and sign in header[0]:
                raise type(error)(f"{error} (is {name} the --delimiter?)") from None
        raise


def _chunks(path: Path, header: Sequence[str], reader: Iterator[list[str]]) -> Iterator[Chunk]:
    width, some = len(header), False
    line: int
    numbered = ((row, reader.line_num) for row in reader)  # type: ignore[attr-defined]
    while chunk := list(islice(numbered, _CHUNK)):
        some = True
        for row, line in chunk:
            if len(row) != width:
                raise RaggedRow(
                    f"{path}, line {line}: {len(row)} cells, but the header has {width} columns"
                )
        yield [row for row, _ in chunk], [line for _, line in chunk]
    if not some:
        raise EmptyTable(f"{path} has a header but no record")


def _table(
    path: Path, header: Sequence[str], names: Sequence[str], chunks: Iterator[Chunk]
) -> Table:
    if not names:
        raise EmptyTable(f"no column of {path} is chosen")
    positions = [header.index(name) for name in names]
    parts: list[list[_Part]] = [[] for _ in names]
    for rows, lines in chunks:
        columns = list(zip(*rows, strict=True))
        for name, position, part in zip(names, positions, parts, strict=True):
            part.append(_parsed(columns[position], lines, path, name))
    return Table(tuple(_joined(n, part) for n, part in zip(names, parts, strict=True)))


@dataclass(frozen=True, slots=True)
class _Part:
    """Values numerators[i] / 10^places."""

    numerators: list[int]
    places: int


def _parsed(cells: Sequence[str], lines: Sequence[int], path: Path, name: str) -> _Part:
    text = "".join(cells)
    if text.isascii() and "_" not in text and max(map(len, cells)) <= MOST_DIGITS:
        try:
            return _Part(list(map(int, cells)), 0)
        except ValueError:
            pass
    numbers = [
        _number(cell, f"{path}, line {line}, column {name!r}")
        for cell, line in zip(cells, lines, strict=True)
    ]
    places = max(places for _, places in numbers)
    return _Part([number * 10 ** (places - p) for number, p in numbers], places)


def _number(cell: str, where: str) -> tuple[int, int]:
    """(number, places) of a cell whose value is number / 10^places."""
    cell = cell.strip()
    if cell in MISSING or cell.lower() == "nan":
        raise missing_value(where, cell)
    match = _NUMBER.fullmatch(cell)
    if match is None or not (match[2] or match[3]):
        if _NOT_FINITE.fullmatch(cell):
            raise NotFinite(f"{where}: {cell} is not a finite number")
        raise NotANumber(f"{where}: {cell!r} is not a number")
    if reason := too_long(cell):
        raise NotANumber(f"{where}: {reason}")
    sign, whole, fraction, exponent = match[1], match[2] or "", match[3] or "", match[4] or "0"
    number, places = int(sign + whole + fraction), len(fraction) - int(exponent)
    return (number * 10**-places, 0) if places < 0 else (number, places)


def _joined(name: str, parts: list[_Part]) -> Column:
    places = max(part.places for part in parts)
    numerators: list[int] = []
    for part in parts:
        factor = 10 ** (places - part.places)
        numerators += part.numerators if factor == 1 else [x * factor for x in part.numerators]
    return reduced(name, numerators, 10**places)


def _fixed(scaled: int, places: int) -> str:
    """scaled / 10^places with all its places."""
    if places == 0:
        return str(scaled)
    digits = str(abs(scaled)).rjust(places + 1, "0")
    return f"{'-' if scaled < 0 else ''}{digits[:-places]}.{digits[-places:]}"
