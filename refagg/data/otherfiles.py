"""Tables in binary files: Parquet, Feather, Excel, Stata, SPSS, SAS.

They are recognised by their first bytes, not by their names. Numbers are exactly what the file
holds, a binary64 number for most. The libraries that read them are imported when such a file comes:
`pip install '.[files]'`.
"""

from __future__ import annotations

import io
import math
import os
import re
import tempfile
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from refagg.data.memory import reading
from refagg.data.rows import check_names
from refagg.data.textfiles import Format, begins_as_utf16, holds_nul
from refagg.errors import FileUnreadable, OutputUnwritable, RefaggError, optional_library
from refagg.language.lists import check_one_of

Columns = dict[str, list[object]]

BATCH = 10_000
"""Rows of a large file that are read at once."""

MOST_COLUMNS = 5_000
"""Columns of a Parquet file; the library takes much memory for each."""

MOST_BYTES = 64
"""As many of the first bytes tell what a file is."""


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file: name, and function to read it.

    If there is no function, there is advice.
    """

    name: str
    read: Callable[[Path, bytes, Format], Columns] | None = None
    advice: str = ""


library = partial(optional_library, extra="files")
"""A library that reads or writes some files. Raises MissingExtra."""


def _parquet(path: Path, content: bytes, how: Format) -> Columns:
    # a thread may take more memory than the file may
    return _arrow_columns(_parquet_file(path, io.BytesIO(content)).read(use_threads=False))


def _parquet_file(path: Path, source: object) -> Any:
    file = library("pyarrow.parquet", "a Parquet file").ParquetFile(source, pre_buffer=False)
    if (width := len(file.schema_arrow)) > MOST_COLUMNS:
        raise FileUnreadable(
            f"{path} has {width} columns; of a Parquet file at most {MOST_COLUMNS} are read: "
            "choose columns, or save the table as CSV"
        )
    return file


def is_parquet(path: Path) -> bool:
    """Return True if a file begins as Parquet files do."""
    with suppress(OSError, ValueError), path.open("rb") as file:
        return file.read(4) == b"PAR1"
    return False


def batches_in(path: Path) -> Iterator[Columns]:
    """Yield the columns of a Parquet file, some rows at a time.

    Raises FileUnreadable, MissingExtra.
    """
    with _read_as(path, PARQUET):
        file = _parquet_file(path, path)
        rows = file.metadata.num_rows
        for batch in file.iter_batches(BATCH, use_threads=False) if rows else [file.read()]:
            yield _arrow_columns(batch)


def schema_of(path: Path) -> Any:
    """Return the schema of a Parquet file, in the types of Arrow."""
    return _parquet_file(path, path).schema_arrow


def _feather(path: Path, content: bytes, how: Format) -> Columns:
    reader = library("pyarrow.feather", "a Feather file")
    return _arrow_columns(reader.read_table(io.BytesIO(content), use_threads=False))


def _arrow_columns(table: Any) -> Columns:
    check_names(table.column_names, "the file")
    return {name: table.column(i).to_pylist() for i, name in enumerate(table.column_names)}


MOST_EMPTY, SPARSEST = 1_000_000, 20
"""A sheet of more cells than the first has a cell filled in so many, or is not read."""


def _filled(path: Path, rows: Iterable[Sequence[object]]) -> list[list[object]]:
    """Return the rows up to the last filled one.

    Each goes up to its last filled cell. Raises FileUnreadable.
    """
    found: list[list[Any]] = []
    width = filled = height = 0
    for number, row in enumerate(rows, 1):
        there = [place for place, cell in enumerate(row) if cell is not None]
        if there:
            height, width, filled = number, max(width, there[-1] + 1), filled + len(there)
        if height * width > max(MOST_EMPTY, SPARSEST * filled):
            raise FileUnreadable(
                f"{path} has {height} rows of {width} columns, but only {filled} cells are filled; "
                "delete the cells far from the others, or save the table as CSV"
            )
        found.append(list(row[: there[-1] + 1]) if there else [])
    return found[:height]


def _excel(path: Path, content: bytes, how: Format) -> Columns:
    openpyxl = library("openpyxl", "an Excel file")
    book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    try:
        names = [sheet.title for sheet in book.worksheets]
        if how.sheet is None and len(names) > 1:
            raise FileUnreadable(f"{path} has the sheets {', '.join(names)}; name one with --sheet")
        if how.sheet is not None:
            check_one_of(how.sheet, names, f"{path} has no sheet", FileUnreadable, "it has")
        sheet = book[how.sheet or names[0]]
        sheet.reset_dimensions()  # what a file says of its size need not be so
        rows = _filled(path, sheet.iter_rows(values_only=True))
    finally:
        book.close()
    width = max(map(len, rows), default=0)
    padded = [row + [None] * (width - len(row)) for row in rows]
    header = ["" if cell is None else str(cell) for cell in padded[0]] if padded else []
    check_names(header, "the file")
    return {name: [row[j] for row in padded[1:]] for j, name in enumerate(header)}


def _by_pyreadstat(function: str, what: str) -> Callable[[Path, bytes, Format], Columns]:
    def read(path: Path, content: bytes, how: Format) -> Columns:
        reader = getattr(library("pyreadstat", what), function)
        with _named_file(content) as name:
            columns, _ = reader(name, output_format="dict")
        return {str(name): list(column) for name, column in columns.items()}

    return read


@contextmanager
def _named_file(content: bytes) -> Iterator[str]:
    """Create a temporary file with this content and yield its name.

    It is for a library that reads no streams.
    """
    handle, name = tempfile.mkstemp(prefix="refagg-")
    try:
        with open(handle, "wb") as file:
            file.write(content)
        yield name
    finally:
        os.unlink(name)


PARQUET, FEATHER = FileKind("a Parquet file", _parquet), FileKind("a Feather file", _feather)
EXCEL = FileKind("an Excel file", _excel)
STATA = FileKind("a Stata file", _by_pyreadstat("read_dta", "a Stata file"))
SPSS = FileKind("an SPSS file", _by_pyreadstat("read_sav", "an SPSS file"))
PORTABLE = FileKind("a portable SPSS file", _by_pyreadstat("read_por", "an SPSS file"))
SAS = FileKind("a SAS file", _by_pyreadstat("read_sas7bdat", "a SAS file"))
TRANSPORT = FileKind("a SAS transport file", _by_pyreadstat("read_xport", "a SAS file"))

_SAVE_AS_CSV = "save the table as CSV or .xlsx"
_AS_CSV, _WRITE_OTHERWISE = "write the table as CSV", "write the table as CSV or Parquet"
_FROM_R = "in R: write.csv(readRDS(FILE), 'data.csv', row.names = FALSE)"

_FIRST_BYTES: tuple[tuple[bytes | tuple[bytes, ...], FileKind], ...] = (
    (b"PAR1", PARQUET),
    ((b"ARROW1", b"FEA1"), FEATHER),
    (b"<stata_dta>", STATA),
    ((b"$FL2", b"$FL3"), SPSS),
    (b"HEADER RECORD*******LIB", TRANSPORT),
    (bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011"), SAS),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", FileKind("an old Excel file (.xls)", None, _SAVE_AS_CSV)),
    ((b"RDX", b"RDA"), FileKind("an R workspace (.RData)", None, "in R: load it, then write.csv")),
    (b"X\n\x00\x00\x00", FileKind("an R data file (.rds)", None, _FROM_R)),
    (b"SQLite format 3", FileKind("an SQLite database", None, "export the table as CSV")),
    (b"\x89HDF", FileKind("an HDF5 file", None, _WRITE_OTHERWISE)),
    (b"ORC", FileKind("an ORC file", None, _WRITE_OTHERWISE)),
    (b"\x28\xb5\x2f\xfd", FileKind("compressed by zstd", None, "decompress it: unzstd FILE")),
    (b"7z\xbc\xaf\x27\x1c", FileKind("a 7z file", None, "unpack it first")),
    (b"%PDF", FileKind("a PDF file", None, "give the table as CSV")),
    ((b"\x80\x04\x95", b"\x80\x05\x95"), FileKind("a Python pickle", None, _WRITE_OTHERWISE)),
)

_FIRST_SIGNS: tuple[tuple[bytes, FileKind], ...] = (
    (
        rb"(?i)\s*<(!doctype|html|\?xml|table|svg)",
        FileKind("an HTML or XML file", None, _AS_CSV),
    ),
    (rb'\s*(\{\s*"|\[\s*[\[{])', FileKind("a JSON file", None, _AS_CSV)),
)
"""How files begin that are text, but no CSV."""


def kind_of_file(stream: io.BufferedReader) -> FileKind | None:
    """Return the kind of a file by its first bytes.

    None for a file that may be text.
    """
    first = stream.peek(MOST_BYTES)[:512]
    for start, kind in _FIRST_BYTES:
        if first.startswith(start):
            return kind
    for pattern, kind in _FIRST_SIGNS:
        if re.match(pattern, first):
            return kind
    if first.startswith(b"PK\x03\x04"):
        other = FileKind("a spreadsheet that is no .xlsx file", None, _SAVE_AS_CSV)
        return other if b"mimetypeapplication" in first else EXCEL
    if len(first) > 2 and 0x68 <= first[0] <= 0x73 and first[1] in (1, 2) and first[2] == 1:
        return STATA
    return PORTABLE if b"ASCII SPSS PORT FILE" in first else None


PARQUET_ENDINGS, FEATHER_ENDINGS = (".parquet", ".pq"), (".feather", ".arrow")

BY_ENDING = {
    **dict.fromkeys(PARQUET_ENDINGS, PARQUET),
    **dict.fromkeys(FEATHER_ENDINGS, FEATHER),
    ".xlsx": EXCEL,
    ".dta": STATA,
    ".sav": SPSS,
    ".por": PORTABLE,
    ".sas7bdat": SAS,
    ".xpt": TRANSPORT,
}
"""What files are by the endings of their names."""


def check_named(path: Path, stream: io.BufferedReader) -> None:
    """Raise FileUnreadable for bytes that contradict the name.

    The bytes are neither text nor what the name says.
    """
    kind = BY_ENDING.get(path.suffix.lower())
    if kind and holds_nul(stream, 512) and not begins_as_utf16(stream):
        raise FileUnreadable(
            f"{path} does not begin as {kind.name} does; it may be damaged: write it again"
        )


def columns_in(path: Path, stream: io.BufferedReader, kind: FileKind, how: Format) -> Columns:
    """The columns of a file that is not text. Raises FileUnreadable, MissingExtra."""
    if kind.read is None:
        raise FileUnreadable(f"{path} is {kind.name}, which is not read here; {kind.advice}")
    content = stream.read()
    with _read_as(path, kind), reading(path, kind.name, len(content), how.max_decompressed):
        return kind.read(path, content, how)


@contextmanager
def _read_as(path: Path, kind: FileKind) -> Iterator[None]:
    try:
        yield
    except RefaggError:
        raise
    except Exception as error:  # a library's own, of which it has many
        text = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise FileUnreadable(f"{path} is {kind.name}, but cannot be read as one: {text}") from None


def cell_text(value: object, number_text: Callable[[Fraction], str]) -> str:
    """Return a value as a CSV file has it.

    A missing value gives the empty text.
    """
    if value is None or value != value:
        return ""
    if isinstance(value, float) and math.isfinite(value):
        return number_text(Fraction(value))
    if isinstance(value, Decimal):
        return f"{value:f}"
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


# Writing


def _arrow_table(columns: Mapping[str, Sequence[object]]) -> Any:
    arrow = library("pyarrow", "a Parquet or Feather file")
    return arrow.table(
        {
            name: arrow.array(list(values), type=_arrow_type(arrow, values))
            for name, values in columns.items()
        }
    )


def _arrow_type(arrow: Any, values: Sequence[Any]) -> Any:
    """Return the type of a column, or None for the usual one.

    The usual type would cut or refuse some values.
    """
    if fine := next((value for value in values if hasattr(value, "nanosecond")), None):
        return arrow.timestamp("ns", tz=fine.tzinfo and str(fine.tzinfo))
    large = any(type(value) is int and value >= 2**63 for value in values)
    return arrow.uint64() if large else None


def _to_parquet(columns: Mapping[str, Sequence[object]]) -> bytes:
    made = io.BytesIO()
    library("pyarrow.parquet", "a Parquet file").write_table(_arrow_table(columns), made)
    return made.getvalue()


def _to_feather(columns: Mapping[str, Sequence[object]]) -> bytes:
    made = io.BytesIO()
    library("pyarrow.feather", "a Feather file").write_feather(_arrow_table(columns), made)
    return made.getvalue()


LONGEST_CELL = 32_767
"""Characters that a cell of a workbook holds."""


def _to_excel(columns: Mapping[str, Sequence[object]], title: str = "released") -> bytes:
    openpyxl = library("openpyxl", "an Excel file")
    for name, values in columns.items():
        longest = max((len(value) for value in values if isinstance(value, str)), default=0)
        if longest > LONGEST_CELL:
            raise OutputUnwritable(
                f"column {name!r} has a cell of {longest} characters; a workbook holds at most "
                f"{LONGEST_CELL} in one: write a CSV file"
            )
    book = openpyxl.Workbook(write_only=True)
    sheet, made = book.create_sheet(title), io.BytesIO()

    def cell(value: object) -> Any:
        if not (isinstance(value, str) and value.startswith("=")):
            return value
        text = openpyxl.cell.WriteOnlyCell(sheet, value)
        text.data_type = "s"  # a text that looks like a formula stays a text
        return text

    for row in [tuple(columns), *zip(*columns.values(), strict=True)]:
        sheet.append([cell(value) for value in row])
    book.save(made)
    return made.getvalue()


def _by_frame(function: str, what: str) -> Callable[[Mapping[str, Sequence[Any]]], bytes]:
    def write(columns: Mapping[str, Sequence[object]]) -> bytes:
        frame = library("pandas", what).DataFrame({n: list(c) for n, c in columns.items()})
        with _named_file(b"") as name:
            getattr(library("pyreadstat", what), function)(frame, name)
            return Path(name).read_bytes()

    return write


WRITERS: dict[str, Callable[[Mapping[str, Sequence[object]]], bytes]] = {
    **dict.fromkeys(PARQUET_ENDINGS, _to_parquet),
    **dict.fromkeys(FEATHER_ENDINGS, _to_feather),
    ".xlsx": _to_excel,
    ".dta": _by_frame("write_dta", "a Stata file"),
    ".sav": _by_frame("write_sav", "an SPSS file"),
}
"""By the ending of a name."""

_NEEDED = {".xlsx": ("openpyxl",), **dict.fromkeys((".dta", ".sav"), ("pyreadstat", "pandas"))}
"""The libraries that write a file; pyarrow writes the others."""


def check_writer(path: Path) -> None:
    """Raise MissingExtra if a file of this name could not be written."""
    ending = path.suffix.lower()
    for name in _NEEDED.get(ending, ("pyarrow",)) if ending in WRITERS else ():
        library(name, f"a {ending} file")


NOT_WRITTEN = (".xls", ".ods", ".por", ".xpt", ".sas7bdat", ".rds", ".rdata", ".zsav")
"""Endings of other tables; a CSV file of such a name would deceive its readers."""


def content_of(
    path: Path, columns: Mapping[str, Sequence[object]], sheet: str | None = None
) -> bytes:
    """Return the columns as the content of a file.

    The name of the file decides its type; a workbook has this sheet. Raises OutputUnwritable,
    MissingExtra.
    """
    ending = path.suffix.lower()
    if ending in _NEEDED:
        columns = {name: _in_binary64(values) for name, values in columns.items()}
    try:
        if ending == ".xlsx":
            return _to_excel(columns, sheet or "released")
        return WRITERS[ending](columns)
    except RefaggError:
        raise
    except Exception as error:  # a library's own, of which it has many
        raise OutputUnwritable(f"{path} cannot be written: {str(error)[:200]}") from None


def _in_binary64(values: Sequence[object]) -> Sequence[object]:
    """Return a column for a file whose numbers are binary64.

    Longer integers are texts there.
    """
    if not any(type(value) is int and abs(value) > 2**53 for value in values):
        return values
    return [None if value is None else str(value) for value in values]


_PLAIN = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?", re.ASCII)


def shape(text: str) -> object:
    """Return the shape of a text, by which `typed` decides."""
    if not _PLAIN.fullmatch(text):
        return "as it is"
    if not text.lstrip("-").isdecimal():
        return "decimal"
    return sum(abs(int(text)) >= 2**bits for bits in (53, 63))


def typed(texts: Sequence[str], missing: Container[str]) -> list[object]:
    """Return a column of texts as numbers if nothing is lost.

    If some texts are not such numbers, the column is returned as it is. A text as 007 or +1 is not
    a number, and an integer beyond 2^53 is none beside decimals.

    >>> typed(["1", "NA", "2.50"], {"NA"}), typed(["007", "8"], ())
    ([1.0, None, 2.5], ['007', '8'])
    """
    cells = [None if text in missing else text for text in texts]
    there = [cell for cell in cells if cell is not None]
    if not there or not all(map(_PLAIN.fullmatch, there)):
        return [text or None for text in texts]
    whole = all(cell.lstrip("-").isdecimal() for cell in there)
    if any(
        abs(int(cell)) >= 2 ** (63 if whole else 53)
        for cell in there
        if "." not in cell and "e" not in cell.lower()
    ):
        return [text or None for text in texts]
    number: Callable[[str], int | float] = int if whole else float
    return [None if cell is None else number(cell) for cell in cells]
