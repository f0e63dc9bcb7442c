"""Tables in files, with exact numbers and whole outputs.

Numbers are read exactly, all else is passed through, and an output is written whole or not at all.

CSV files have a header line. A numeric cell is an integer, a decimal, or either with a power of
ten ("-1.25e3"). Files of other kinds are read by `refagg.data.otherfiles`; their rows count as
lines do, and lines in messages are counted from 1, the header included.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import stat
import tempfile
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from decimal import Context, Decimal
from fractions import Fraction
from itertools import chain, islice, repeat
from operator import attrgetter, mul, sub
from pathlib import Path
from typing import Any, TextIO

from refagg.data import otherfiles, tables
from refagg.data.kinds import (
    AMBIGUOUS,
    MISSING,
    NUMERIC,
    Kind,
    declaration,
    is_mark,
    is_missing,
    kind_of,
)
from refagg.data.memory import reading
from refagg.data.rows import check_names
from refagg.data.textfiles import (
    COMPRESSED,
    CSV,
    STANDARD,
    Format,
    compressed,
    compressed_size,
    opened,
    read_text,
    text_of,
)
from refagg.errors import (
    EmptyTable,
    FileUnreadable,
    NotANumber,
    NotFinite,
    OutputUnwritable,
    RaggedRow,
    UnknownColumn,
    missing_value,
)
from refagg.language.number_texts import MOST_DIGITS, float_or, number_of, shortened, too_long
from refagg.terminal import NOW

MOST_DECIMALS = 300
"""The most decimals to which released values are rounded."""

DECIMAL = 10**15
"""Decimals of as many digits as are surely distinguished by binary64 are less than this."""

_NUMBER = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?", re.ASCII)
_COMMA = re.compile(r"[+-]?\d+,\d+", re.ASCII)
_NOT_FINITE = re.compile(r"[+-]?(inf|infinity)", re.IGNORECASE)
_SEVENTEEN = Context(prec=17)
_SURE = MISSING - AMBIGUOUS
"""Marks of missing values in columns that need not hold numbers."""
_CHUNK = 1_000
"""Rows that are read at once. Of many more, cells leave the cache before they become columns."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table as text: column names and rows.

    The line that each row ends on is kept too. `values` are those of the columns of a file that is
    not text, as the file has them.
    """

    path: Path
    header: tuple[str, ...]
    rows: list[list[str]]
    lines: Sequence[int]
    how: Format = CSV
    values: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    def numeric(self, names: Sequence[str]) -> tables.Table:
        """The exact table of some columns.

        Raises UnknownColumn, DuplicateColumn, NotANumber, NotFinite, MissingValue.
        """
        with other_delimiter(self.header):
            tables.check_columns(names, self.header, str(self.path))
            if not self.values:
                chunks = iter([(self.rows, self.lines)])
                return _table(self.path, self.header, names, chunks, self.how)
        return tables.Table(tuple(self._column(name) for name in names))

    def _column(self, name: str) -> tables.Column:
        """Return the exact values of one column.

        The file is one that is not text.
        """
        places = ((line, f"{self.path}, line {line}, column {name!r}") for line in self.lines)
        cells = zip(self.values[name], places, strict=True)
        return tables.column_of(name, [tables.number_in(cell, where) for cell, (_, where) in cells])

    def column(self, name: str) -> list[str]:
        """The text of one column. Raises UnknownColumn."""
        tables.check_columns([name], self.header, str(self.path))
        position = self.header.index(name)
        return [row[position] for row in self.rows]

    def cells(self, name: str, kind: Kind) -> Sequence[Any]:
        """Return the cells of a column of this kind.

        They are values, or texts with decimal points.
        """
        number = kind.name == "numeric"
        if name in self.values and number:
            return self.values[name]
        cells = self.column(name)
        if self.how.decimal == "." or kind.timed or not number:
            return cells
        return [_pointed(cell, ",", f"{self.path}, column {name!r}") for cell in cells]

    def lacks(self, name: str, kind: Kind | None) -> list[bool]:
        """Return for each record whether its cell is missing.

        The column is of this kind. For numbers, dates and booleans the empty cell and those of
        MISSING are missing, for categories the empty one; the empty sequence is a value.
        """
        empty = kind is None or kind.name != "sequence"
        number = kind is None or kind.name == "numeric" or kind.type != ""

        def lacking(cell: object) -> bool:
            return isinstance(cell, str) and (is_mark(cell) if number else empty and not cell)

        if name in self.values:
            return [is_missing(value) or lacking(value) for value in self.values[name]]
        return list(map(lacking, map(str.strip, self.column(name))))

    def table(self, names: Sequence[str], kinds: Mapping[str, str] | None) -> tables.Table:
        """Return the exact table of some columns.

        Columns of no declared kind are numbers. Raises what `numeric` raises, and with kinds what
        `table_of_kinds` raises; messages name the file and its lines.
        """
        if not kinds:
            return self.numeric(names)
        tables.check_columns(names, self.header, str(self.path))
        declared = {name: kind_of(text) for name, text in kinds.items()}
        there = {name: declared.get(name, NUMERIC) for name in names}
        columns = [self.cells(name, kind) for name, kind in there.items()]
        others = {n: kind for n, kind in declared.items() if n not in self.header}
        rows = list(zip(*columns, strict=True))
        return tables.table_of_kinds(rows, names, there | others, self.place)

    def place(self, record: int, name: str) -> str:
        """Return the place of a cell, for messages."""
        return f"{self.path}, line {self.lines[record]}, column {name!r}"

    @property
    def stored(self) -> Sequence[Sequence[Any]]:
        """The rows as the file has them: texts or values."""
        return [*zip(*self.values.values(), strict=True)] if self.values else self.rows

    def of(self, stored: Sequence[Sequence[Any]]) -> Sheet:
        """Return the sheet of some stored rows, with lines of its own."""
        if self.values:
            columns = map(list, zip(*stored, strict=True))
            return _sheet_of(self.path, dict(zip(self.header, columns, strict=True)), self.how)
        return replace(self, rows=[*map(list, stored)], lines=range(len(stored)))

    def without(self, names: Sequence[str]) -> Sheet:
        """The sheet without these columns."""
        if not names:
            return self
        kept = [place for place, name in enumerate(self.header) if name not in names]
        header = tuple(self.header[place] for place in kept)
        rows = [[row[place] for place in kept] for row in self.rows]
        values = {name: column for name, column in self.values.items() if name not in names}
        return Sheet(self.path, header, rows, self.lines, self.how, values)

    def take(self, records: Sequence[int]) -> Sheet:
        """Return the sheet of these records.

        Their lines stay what they are in the file.
        """
        values = {name: [column[r] for r in records] for name, column in self.values.items()}
        rows, lines = [self.rows[r] for r in records], [self.lines[r] for r in records]
        return Sheet(self.path, self.header, rows, lines, self.how, values)


def read_header(path: Path, how: Format = CSV) -> tuple[str, ...]:
    """The column names of a file. Raises FileUnreadable, EmptyTable, DuplicateColumn."""
    with _opened(path, how) as source:
        return source.header


def read_sheet(path: Path, how: Format = CSV) -> Sheet:
    """A whole file as text.

    Raises FileUnreadable, EmptyTable, RaggedRow, DuplicateColumn.
    """
    with _opened(path, how) as source, source.bounded(path, how):
        if source.columns is not None:
            return _sheet_of(path, source.columns, how)
        rows: list[list[str]] = []
        lines: list[int] = []
        for more_rows, more_lines in source.chunks:
            rows += more_rows
            lines += more_lines
    return Sheet(path, source.header, rows, lines, how)


def _sheet_of(path: Path, columns: otherfiles.Columns, how: Format) -> Sheet:
    """The columns of a file that is not text, with their texts."""
    lengths = {len(column) for column in columns.values()}
    if lengths == {0}:
        raise EmptyTable(f"{path} has a header but no record")
    texts = [
        [otherfiles.cell_text(value, decimal_text) for value in column]
        for column in columns.values()
    ]
    rows = [list(row) for row in zip(*texts, strict=True)]
    return Sheet(path, tuple(columns), rows, range(2, len(rows) + 2), how, columns)


def read_table(path: Path, names: Sequence[str] | None = None, how: Format = CSV) -> tables.Table:
    """Read the exact table of some columns of a file.

    By default all columns are read. The file may be of any length. Raises what `read_sheet` and
    `Sheet.numeric` raise.
    """
    with _opened(path, how) as source, source.bounded(path, how):
        wanted = source.header if names is None else names
        tables.check_columns(wanted, source.header, str(path))
        if source.columns is None:
            return _table(path, source.header, wanted, source.chunks, how)
        return _sheet_of(path, source.columns, how).numeric(wanted)


def read_matrix(path: Path, how: Format = CSV) -> list[list[Fraction]]:
    """The numbers in a file without a header, line by line.

    Raises FileUnreadable, NotANumber, NotFinite; the message names the line.
    """
    how.check()
    text = read_text(path, how.encoding or "utf-8")
    lines = csv.reader(text.splitlines(), delimiter=how.delimiter)
    found = []
    for line in filter(None, lines):
        where = f"{path}, line {lines.line_num}, value"
        cells = [(cell, f"{where} {j + 1}") for j, cell in enumerate(line)]
        found.append([number_of(_pointed(cell, how.decimal, at), at) for cell, at in cells])
    return found


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


def decimal_texts(column: tables.Column, decimals: int | None = None) -> list[str]:
    """Return the `decimal_text` of each value of a column.

    It is made once for values that are equal.
    """
    numbers = column.numerators
    unique = dict.fromkeys(numbers)
    text_of = {x: decimal_text(Fraction(x, column.denominator), decimals) for x in unique}
    return [text_of[number] for number in numbers]


def _decimal_text(value: Fraction, decimals: int | None) -> str:
    if decimals is not None:
        return _fixed(round(value * 10**decimals), decimals)
    if value.denominator == 1:
        return str(value.numerator)
    if DECIMAL % value.denominator == 0:
        places = tables.decimal_places_of(value.denominator) or 0
        scaled = value.numerator * 10**places // value.denominator
        if abs(scaled) < DECIMAL:
            return _fixed(scaled, places)
    if nearest := float_or(0.0, value):
        return repr(nearest)
    return str(_SEVENTEEN.divide(*map(Decimal, value.as_integer_ratio())))


def json_number(value: Fraction) -> int | float | str:
    """A number for JSON: the nearest binary64 number.

    An integer that binary64 cannot hold is itself, what is beyond binary64 a text.
    """
    whole = value.denominator == 1
    size = value.numerator.bit_length() - value.denominator.bit_length()
    if abs(size) > MOST_EXPONENT:
        return decimal_text(value)
    nearest = float(value)
    return value.numerator if whole and nearest != value else nearest


def write_csv(
    path: Path, header: Sequence[str], rows: Iterable[Sequence[str]], how: Format = CSV
) -> None:
    """Write a CSV file.

    On any error no file is left. Raises OutputUnwritable. It is compressed if its name ends as such
    files do.
    """
    if path.suffix.lower() in COMPRESSED:
        text = io.StringIO(newline="")
        _write_rows(text, header, rows, how.delimiter)
        with _encodable(path, how):
            content = text.getvalue().encode(how.encoding or "utf-8")
        write_bytes(path, compressed(content, path.name))
        return
    with _encodable(path, how), whole_file(path, how.encoding or "utf-8") as file:
        _write_rows(file, header, rows, how.delimiter)


def _write_rows(
    file: TextIO, header: Sequence[str], rows: Iterable[Sequence[str]], delimiter: str
) -> None:
    plain = csv.writer(file, delimiter=delimiter, lineterminator="\n")
    quoting = csv.writer(file, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in chain([header], rows):
        # The plain writer leaves a lone carriage return unquoted, which ends a line.
        (quoting if any("\r" in cell for cell in row) else plain).writerow(row)


@contextmanager
def _encodable(path: Path, how: Format) -> Iterator[None]:
    try:
        yield
    except UnicodeEncodeError as error:
        sign = error.object[error.start]
        raise OutputUnwritable(
            f"{path} cannot be written: {sign!r} is not in the encoding {how.encoding or 'utf-8'}"
        ) from None


def write_sheet(path: Path, sheet: Sheet, names: Sequence[str], kept: Container[str] = ()) -> None:
    """Write a sheet as the file type that its name gives.

    The columns `names` of the sheet have new texts; those `kept` are no numbers. Raises
    OutputUnwritable, MissingExtra.
    """
    if path.suffix.lower() not in otherfiles.WRITERS:
        write_csv(path, sheet.header, sheet.rows, sheet.how)
        return
    columns = columns_to_write(sheet, names, kept)
    write_bytes(path, otherfiles.content_of(path, columns, sheet.how.sheet))


def columns_to_write(
    sheet: Sheet, names: Sequence[str], kept: Container[str] = ()
) -> dict[str, Sequence[Any]]:
    """Return the columns for a file that is not text.

    For the arguments see `write_sheet`.
    """
    columns: dict[str, Sequence[Any]] = {}
    for position, name in enumerate(sheet.header):
        if name in sheet.values and name not in names:
            columns[name] = sheet.values[name]
        else:
            texts = [row[position] for row in sheet.rows]
            pointed = [_pointed(text, sheet.how.decimal) for text in texts]
            marks = MISSING if name in names else _SURE
            old = sheet.values.get(name, texts if name in kept else ())
            number = name not in kept and all(_NUMBER.fullmatch(x) or x in marks for x in pointed)
            columns[name] = as_before(old, pointed if number else texts, marks)
    return columns


def cell_shape(text: str, how: Format, new: bool) -> object:
    """Return the shape of a cell, by which `columns_to_write` decides.

    `new` are those of the columns `names`.
    """
    pointed = _pointed(text, how.decimal)
    if pointed in (MISSING if new else _SURE):
        return "missing" if pointed else "empty"
    return otherfiles.shape(pointed) if _NUMBER.fullmatch(pointed) else "text"


def as_before(
    old: Sequence[object], texts: Sequence[str], marks: Container[str] = MISSING
) -> Sequence[object]:
    """Return a column of texts as values of the old type.

    They are dates, booleans or other values if the old ones are such. The marks are those of
    missing values.
    """
    known = {otherfiles.cell_text(value, decimal_text): value for value in old}
    types = {type(value) for value in old if not is_missing(value)}
    if not types or any(issubclass(one, (int, float, Decimal)) for one in types - {bool}):
        return otherfiles.typed(texts, marks)
    parse = getattr(next(iter(types)), "fromisoformat", str) if len(types) == 1 else str
    return [known[text] if text in known else parse(text) for text in texts]


def check_ending(path: Path | None) -> None:
    """Raise OutputUnwritable, MissingExtra for a kind of table that cannot be written."""
    if path is not None and path.suffix.lower() in otherfiles.NOT_WRITTEN:
        raise OutputUnwritable(
            f"{path} cannot be written: {path.suffix} files are not; name it .csv, .csv.gz, "
            f"{', '.join(otherfiles.WRITERS)}"
        )
    if path is not None:
        otherfiles.check_writer(path)


def write_json(path: Path, data: object) -> None:
    """Write a JSON file.

    On any error no file is left. Raises OutputUnwritable.
    """
    with whole_file(path) as file:
        json.dump(data, file, indent=2)
        file.write("\n")


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file of bytes.

    On any error no file is left. Raises OutputUnwritable.
    """
    with whole_file(path) as file:
        file.buffer.write(content)


def check_outputs(outputs: Sequence[Path | None], inputs: Sequence[Path]) -> None:
    """Raise OutputUnwritable for outputs that coincide or cannot be made.

    Two files of a command coincide if they are the same file, inputs included.
    """
    if [*inputs].count(STANDARD) > 1:
        raise FileUnreadable("- is standard input, which can be one file only")
    seen = [_place(path) for path in inputs if path != STANDARD]
    for output in outputs:
        if output is None:
            continue
        place = _place(output)
        if place in seen:
            raise OutputUnwritable(f"{output} is an input or another output of the same command")
        seen.append(place)
        if output == STANDARD:
            continue
        if os.path.isdir(output):
            raise OutputUnwritable(f"{output} cannot be written: it is a folder")
        if not os.path.isdir(place.parent):
            raise OutputUnwritable(f"{output} cannot be written: no folder {output.parent}")
        check_name(output)
        check_folder(place.parent, output)


def _place(path: Path) -> Path:
    """Return the place of a file behind all links.

    A link in a circle is where it stands.
    """
    return Path(os.path.realpath(path))


def check_name(output: Path) -> None:
    """Raise OutputUnwritable for an impossible file name.

    Links in a circle are refused too.
    """
    try:
        os.stat(output)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise OutputUnwritable(f"{output} cannot be written: {error.strerror}") from None


def check_folder(folder: Path, output: Path) -> None:
    """Raise OutputUnwritable if a folder cannot be written to.

    This is checked before any work is done.
    """
    if not os.access(folder, os.W_OK | os.X_OK) and _stream(output) is None:
        raise OutputUnwritable(f"{output} cannot be written: no permission in {folder}")


@contextmanager
def whole_file(path: Path, encoding: str = "utf-8") -> Iterator[TextIO]:
    """Open a text file that appears complete or not at all.

    The file appears under its name when it is complete. What is not a regular file, as /dev/null
    and pipes, is never replaced, but written to; where a name is a link, what it leads to is
    replaced, not the link. A file that was there keeps its permissions. Raises OutputUnwritable.
    """
    if (stream := _stream(path)) is not None:
        with _streamed(stream, path, encoding) as file:
            yield file
        return
    target, mode = _place(path), _permissions(path)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".refagg-", text=True)
    except OSError as error:
        raise OutputUnwritable(f"{path} cannot be written: {error.strerror}") from None
    try:
        with open(handle, "w", encoding=encoding, newline="") as file:
            yield file
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException as error:
        os.unlink(name)
        if isinstance(error, OSError):
            raise OutputUnwritable(f"{path} cannot be written: {error.strerror}") from None
        raise


def _stream(path: Path) -> Path | int | None:
    """Return the device, pipe or standard stream of this name.

    None if the name is that of neither.
    """
    if path == STANDARD:
        return 1
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
def _streamed(stream: Path | int, path: Path, encoding: str) -> Iterator[TextIO]:
    try:
        target = os.dup(stream) if isinstance(stream, int) else stream
        with open(target, "w", encoding=encoding, newline="") as file:
            yield file
    except OSError as error:
        if stream != 1 or not isinstance(error, BrokenPipeError):
            raise OutputUnwritable(f"{path} cannot be written: {error.strerror}") from None
        NOW.unread = True  # as what is printed: other files are written all the same


def _permissions(path: Path) -> int:
    """Return the permissions of a file, or of a new one."""
    with suppress(OSError):
        return stat.S_IMODE(os.stat(path).st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


MOST_EXPONENT = 1000
"""Numbers from 2^-1000 to 2^1000 or so are binary64 numbers in JSON."""

Chunk = tuple[list[list[str]], Sequence[int]]


@dataclass(frozen=True, slots=True)
class _Source:
    """An open file: column names, and rows or columns.

    The rows come in chunks; columns are there if the file is not text.
    """

    header: tuple[str, ...]
    chunks: Iterator[Chunk]
    columns: otherfiles.Columns | None = None
    compressed: int = 0
    """The bytes of a file that is compressed."""

    def bounded(self, path: Path, how: Format) -> AbstractContextManager[None]:
        """Keep what is compressed in no more memory than it may take."""
        if not self.compressed:
            return nullcontext()
        return reading(path, "a compressed file", self.compressed, how.max_decompressed)


@contextmanager
def _opened(path: Path, how: Format) -> Iterator[_Source]:
    """A file whose rows are each checked for their length."""
    how.check()
    NOW.starts(f"reading {path}")
    with _source(path, how) as source:
        yield source
    NOW.ends()


@contextmanager
def _source(path: Path, how: Format) -> Iterator[_Source]:
    with opened(path, how.max_decompressed) as stream:
        if kind := otherfiles.kind_of_file(stream):
            columns = otherfiles.columns_in(path, stream, kind, how)
            check_names(tuple(columns), str(path))
            yield _Source(tuple(columns), iter(()), columns)
            return
        if how.encoding is None:
            otherfiles.check_named(path, stream)
        first = stream.peek(200)[:200].partition(b"\n")[0].replace(b"\0", b"")
        with text_of(path, stream, how.encoding, newline="") as file:
            reader = csv.reader(file, delimiter=how.delimiter, strict=True)
            try:
                header = tuple(next(reader, ()))
                if not header:
                    what = "its first line is empty" if first or reader.line_num else "it is empty"
                    raise EmptyTable(f"{path} has no column: {what}; the first line names columns")
                check_names(header, str(path))
                with other_delimiter(header):
                    header, rows = _with_row_names(path, header, reader)
                    chunks = _told(stream, _chunks(path, header, rows))
                    yield _Source(header, chunks, compressed=compressed_size(path, stream))
            except csv.Error as error:
                hint = (
                    " (is ';' the --delimiter?)" if b";" in first and how.delimiter == "," else ""
                )
                raise FileUnreadable(f"{path}, line {reader.line_num}: {error}{hint}") from None


Numbered = Iterator[tuple[list[str], int]]
"""Rows, with the line that each ends on."""


def _with_row_names(
    path: Path, header: tuple[str, ...], reader: Iterator[list[str]]
) -> tuple[tuple[str, ...], Numbered]:
    """Return header and rows, with an unnamed column for row names.

    R's write.table has one name fewer in the header, none for the row names. As in R, row names are
    different. A file of one record, or whose lines end with a delimiter, is taken for none of R's.
    """
    rows: Numbered = zip(reader, map(attrgetter("line_num"), repeat(reader)))  # noqa: B905
    first = list(islice(rows, 2))
    rows, wider = chain(first, rows), len(header) + 1
    named = len(first) == 2 and all(len(row) == wider and row[-1] for row, _ in first)
    if not named or (len(header) == 1 and set(";\t|") & set(header[0])):
        return header, rows
    return ("", *header), _different(path, rows)


def _different(path: Path, rows: Numbered) -> Numbered:
    """Yield the rows.

    Raises RaggedRow if first cells, the names of R's rows, are equal.
    """
    seen: dict[str, int] = {}
    for row, line in rows:
        if row and seen.setdefault(row[0], line) != line:
            raise RaggedRow(
                f"{path}: the header has a name fewer than there are cells, as R's write.table "
                f"writes it for row names, but lines {seen[row[0]]} and {line} both have the row "
                f"name {row[0]!r}: give each column a name"
            )
        yield row, line


@contextmanager
def sheets_of(path: Path, how: Format) -> Iterator[Iterator[Sheet]]:
    """Open a file as sheets of some rows each.

    It is text or a Parquet file. Raises what `read_sheet` raises.
    """
    if otherfiles.is_parquet(path):
        how.check()
        NOW.starts(f"reading {path}")
        yield _numbered(_sheet_of(path, columns, how) for columns in otherfiles.batches_in(path))
        NOW.ends()
        return
    with _opened(path, how) as source:
        if source.columns is not None:
            raise FileUnreadable(f"{path} is not text")
        yield (Sheet(path, source.header, rows, lines, how) for rows, lines in source.chunks)


def _numbered(sheets: Iterable[Sheet]) -> Iterator[Sheet]:
    """Yield the sheets of a file, with their lines in it."""
    first = 2
    for sheet in sheets:
        yield replace(sheet, lines=range(first, first + len(sheet.rows)))
        first += len(sheet.rows)


@contextmanager
def other_delimiter(header: Sequence[str]) -> Iterator[None]:
    """Suggest another delimiter in errors if the header is one cell.

    The error may come from such a header.
    """
    try:
        yield
    except (NotANumber, RaggedRow, UnknownColumn) as error:
        for name, sign in (("';'", ";"), ("tab", "\t"), ("'|'", "|")):
            if len(header) == 1 and sign in header[0] and "--delimiter?" not in str(error):
                raise type(error)(f"{error} (is {name} the --delimiter?)") from None
        raise


def _told(stream: io.BufferedReader, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
    """Yield the chunks of a file and report progress.

    The rest of the file is reported if it is neither compressed nor a pipe.
    """
    size = os.fstat(stream.fileno()).st_size if isinstance(stream.raw, io.FileIO) else 0
    NOW.remain(size // 1000, "kB", 1)
    for chunk in chunks:
        if size:
            NOW.remain(max(0, size - stream.tell()) // 1000, "kB", 1)
        yield chunk


def _chunks(path: Path, header: Sequence[str], numbered: Numbered) -> Iterator[Chunk]:
    width, some = len(header), False
    line: int
    while chunk := list(islice(numbered, _CHUNK)):
        some = True
        rows, lines = map(list, zip(*chunk, strict=True))
        for row, line in zip(rows, lines, strict=True) if set(map(len, rows)) != {width} else ():
            if len(row) != width:
                cells = f"{len(row)} cells" if row else "an empty line"
                raise RaggedRow(f"{path}, line {line}: {cells}, but the header has {width} columns")
        yield rows, lines
    if not some:
        raise EmptyTable(f"{path} has a header but no record")


def _table(
    path: Path, header: Sequence[str], names: Sequence[str], chunks: Iterator[Chunk], how: Format
) -> tables.Table:
    if not names:
        raise EmptyTable(f"no column of {path} is chosen")
    place_of = {name: place for place, name in enumerate(header)}
    parts: list[list[tables.Column]] = [[] for _ in names]
    for rows, lines in chunks:
        columns = list(zip(*rows, strict=True))
        for name, part in zip(names, parts, strict=True):
            part.append(_parsed(columns[place_of[name]], lines, f"{path}, line", name, how.decimal))
    return tables.Table(tuple(map(tables.joined_column, parts)))


PLAIN = "+-0123456789"
"""What numbers are written of, beside decimal signs and exponents."""


def _parsed(
    cells: Sequence[str], lines: Sequence[int], path: str, name: str, decimal: str
) -> tables.Column:
    text = "".join(cells)
    if text.isascii() and "_" not in text and max(map(len, cells)) <= MOST_DIGITS:
        try:
            return tables.Column(name, list(map(int, cells)), 1)
        except ValueError:
            pass
    if (part := _decimals(name, text, cells, decimal)) is not None:
        return part
    numbers: dict[str, tuple[int, int]] = {}
    for cell, line in zip(cells, lines, strict=True):
        if cell not in numbers:
            numbers[cell] = _number(cell, f"{path} {line}, column {name!r}", decimal)
    most = max(places for _, places in numbers.values())
    numerators = {cell: number * 10 ** (most - p) for cell, (number, p) in numbers.items()}
    return tables.Column(name, list(map(numerators.__getitem__, cells)), 10**most)


def _decimals(name: str, text: str, cells: Sequence[str], decimal: str) -> tables.Column | None:
    """Return the decimal values of cells, or None.

    The cells of this text are all digits, signs and decimal signs; None if some are not, or are not
    numbers.
    """
    strange = not text.isascii() or text.encode().translate(None, (PLAIN + decimal).encode())
    if strange or max(map(len, cells)) > MOST_DIGITS:
        return None
    joined = "\n".join(cells)
    if decimal + "-" in joined or decimal + "+" in joined:
        return None
    before = list(map(str.find, cells, repeat(decimal)))
    lengths = list(map(sub, map(len, cells), before))  # with the decimal sign
    if whole := before.count(-1):
        lengths = [1 if at < 0 else length for at, length in zip(before, lengths, strict=True)]
    if text.count(decimal) != len(cells) - whole:  # some have two
        return None
    try:
        numbers = list(map(int, joined.replace(decimal, "").split("\n")))
    except ValueError:
        return None
    most = max(lengths)
    if most > min(lengths):
        factors = [10 ** (most - length) for length in range(most + 1)]
        numbers = list(map(mul, numbers, map(factors.__getitem__, lengths)))
    return tables.Column(name, numbers, 10 ** (most - 1))


def _pointed(cell: str, decimal: str, where: str = "") -> str:
    """Return a number's text with a decimal point.

    Raises NotANumber for a number that has a point already.
    """
    if decimal == ".":
        return cell
    if "." in cell and where and not is_mark(cell.strip()):
        raise NotANumber(f"{where}: {shortened(cell)} has a point, but the decimal sign is ','")
    return cell.replace(",", ".")


def _number(cell: str, where: str, decimal: str = ".") -> tuple[int, int]:
    """(number, places) of a cell whose value is number / 10^places."""
    cell = cell.strip()
    if is_mark(cell):
        raise missing_value(where, cell)
    cell = _pointed(cell, decimal, where)
    match = _NUMBER.fullmatch(cell)
    if match is None or not (match[2] or match[3]):
        if _NOT_FINITE.fullmatch(cell):
            raise NotFinite(f"{where}: {cell} is not a finite number")
        comma = " (is ',' the --decimal sign?)" * bool(_COMMA.fullmatch(cell))
        raise NotANumber(f"{where}: {cell!r} is not a number{comma or declaration(cell, where)}")
    if reason := too_long(cell):
        raise NotANumber(f"{where}: {reason}")
    sign, whole, fraction, exponent = match[1], match[2] or "", match[3] or "", match[4] or "0"
    number, places = int(sign + whole + fraction), len(fraction) - int(exponent)
    return (number * 10**-places, 0) if places < 0 else (number, places)


def _fixed(scaled: int, places: int) -> str:
    """scaled / 10^places with all its places."""
    if places == 0:
        return str(scaled)
    digits = str(abs(scaled)).rjust(places + 1, "0")
    return f"{'-' if scaled < 0 else ''}{digits[:-places]}.{digits[-places:]}"
