"""Files that are not trusted: their content, of bounded length, and the values of a table."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import re
import zlib
from collections.abc import Sequence
from fractions import Fraction
from io import BytesIO, StringIO
from pathlib import Path

from oracle.certificate.errors import Rejected

MOST_PACKED, MOST_BYTES = 200_000_000, 500_000_000
"""No file is longer than this, as it is stored and unpacked."""

MOST_TIMES, ALLOWED = 110, 1 << 20
"""Beyond so many bytes, no file is so many times as long when it is unpacked. The largest
certificate that ships has 17 MB, and none is more than eleven times as long unpacked."""

MOST_DIGITS = 1000
"""A cell has no more characters than this, nor a power of ten beyond it."""

_DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE]([+-]?\d{1,4}))?", re.ASCII)

Row = tuple[Fraction, ...]


def content_of(path: Path) -> str:
    """The text of a file; one that gzip has compressed is unpacked. Raises Rejected, OSError."""
    with path.open("rb") as file:
        content = file.read(MOST_PACKED + 1)
    most = MOST_PACKED
    if len(content) > most:
        raise Rejected(f"{path} has more than {most} bytes, which is the limit")
    try:
        if content.startswith(b"\x1f\x8b"):
            most = min(MOST_BYTES, MOST_TIMES * len(content) + ALLOWED)
            content = gzip.GzipFile(fileobj=BytesIO(content)).read(most + 1)
            if len(content) > most:
                raise Rejected(f"{path} has more than {most} bytes unpacked, which is the limit")
        return content.decode("utf-8-sig")
    except (EOFError, OSError, zlib.error, UnicodeDecodeError) as error:
        raise Rejected(f"{path} cannot be unpacked, or is not UTF-8: {error}") from None


def read_rows(path: Path, attributes: Sequence[str], delimiter: str = ",") -> tuple[Row, ...]:
    """The values of these attributes. Raises Rejected if the file has others, OSError."""
    try:
        text = StringIO(content_of(path), newline="")
        header, *lines = [line for line in csv.reader(text, delimiter=delimiter) if line] or [[]]
    except csv.Error as error:
        raise Rejected(f"{path} cannot be read: {error}") from None
    header = [name.strip() for name in header]
    if any(header.count(name) != 1 for name in attributes):
        names = ", ".join(map(shown, attributes))
        raise Rejected(f"{path} does not have each of the attributes {names} once")
    places = [header.index(name) for name in attributes]
    try:
        return tuple(tuple(_value(line[place].strip()) for place in places) for line in lines)
    except (ValueError, IndexError):
        raise Rejected(f"{path} has a row without a number for each attribute") from None


def _value(cell: str) -> Fraction:
    """The number in a cell. Raises ValueError for what is none, or is long."""
    match = _DECIMAL.fullmatch(cell)
    if match is None or len(cell) > MOST_DIGITS or abs(int(match[1] or 0)) > MOST_DIGITS:
        raise ValueError(cell)
    return Fraction(cell)


def digest(attributes: Sequence[str], rows: Sequence[Row]) -> str:
    """SHA-256 of the names as JSON and, each in a line, the values as fractions in lowest terms.

    >>> digest(["a"], [(Fraction(1, 2),), (Fraction(3),)])[:12]
    'bafae5389fde'
    """
    lines = [json.dumps(list(attributes)), *(",".join(map(str, row)) for row in rows)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def shown(name: str) -> str:
    """A name for a reader: as it is if it is a plain word, else quoted, in ASCII."""
    return name if re.fullmatch(r"[\w.-]+", name) else json.dumps(name)
