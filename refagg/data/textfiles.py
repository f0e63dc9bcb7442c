"""Files as bytes and as text.

They are compressed or not, from a name or from standard input (`-`).
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import json
import lzma
import os
import stat
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import file_digest
from pathlib import Path
from typing import Any, BinaryIO, TextIO, cast

from refagg.errors import FileUnreadable, InvalidParameter, RefaggError
from refagg.language.number_texts import bytes_text

STANDARD = Path("-")
"""The name of standard input, where a file is read, and of standard output, where one is written"""


@dataclass(frozen=True, slots=True)
class Format:
    """The format of a table in a file.

    It is given as far as a reader cannot find it out. Without an encoding, text is UTF-8, or UTF-16
    where its first bytes say so. `sheet` is one of a workbook's. A compressed file may hold
    `max_decompressed` bytes, by default a multiple of its own.
    """

    delimiter: str = ","
    decimal: str = "."
    encoding: str | None = None
    sheet: str | None = None
    max_decompressed: int | None = None

    def check(self) -> None:
        """Raise InvalidParameter for what no file can have."""
        if len(self.delimiter) != 1 or self.delimiter in '"\r\n':
            raise InvalidParameter(
                f"the delimiter is {self.delimiter!r}; it must be one character, but no quote "
                "and no line end"
            )
        if self.decimal not in (".", ","):
            raise InvalidParameter(
                f"the decimal sign is {self.decimal!r}; it can be '.' or ',' (--decimal)"
            )
        if self.decimal == self.delimiter:
            raise InvalidParameter(
                f"the delimiter and the decimal sign are both {self.decimal!r}; R's write.csv2 "
                "writes --delimiter=';' --decimal=','"
            )
        if self.encoding is not None and not _is_encoding(self.encoding):
            raise InvalidParameter(
                f"the encoding is {self.encoding!r}, which is not known; utf-8, utf-16, latin-1 "
                "and cp1252 are frequent"
            )


def _is_encoding(name: str) -> bool:
    """Return True for the name of an encoding of text."""
    try:
        codecs.lookup(name)
        "".encode(name)
    except (LookupError, ValueError):
        return False
    return True


CSV = Format()
"""Commas, decimal points, UTF-8."""


def read_text(path: Path, encoding: str = "utf-8") -> str:
    """Return the text of a file, decompressed. Raises FileUnreadable."""
    with opened(path) as stream, text_of(path, stream, encoding) as file:
        return file.read()


def read_json(path: Path, error: type[RefaggError] = FileUnreadable) -> Any:
    """Read a JSON file.

    Raises FileUnreadable, and this error if it is not JSON.
    """
    try:
        return json.loads(read_text(path))
    except (ValueError, RecursionError) as wrong:
        raise error(f"{path} is not JSON: {wrong}") from None


def check_input(path: Path) -> None:
    """Raise FileUnreadable if a file is missing or a device.

    A device may have no end.
    """
    if path == STANDARD:
        return
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        raise FileUnreadable(f"{path} cannot be read: {error.strerror}") from None
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise FileUnreadable(f"{path} cannot be read: it is a device, not a file")


@contextmanager
def text_of(
    path: Path, stream: io.BufferedReader, encoding: str | None, newline: str | None = None
) -> Iterator[TextIO]:
    """The text of a stream. Raises FileUnreadable."""
    wanted = encoding or ("utf-16" if begins_as_utf16(stream) else "utf-8-sig")
    if wanted == "utf-8-sig":
        _check_text(path, stream)
    try:
        with io.TextIOWrapper(stream, wanted, newline=newline) as file:
            yield file
    except UnicodeError as error:
        what = "UTF-8" if wanted.lower().startswith("utf-8") else wanted
        at = f" (byte {error.start})" if isinstance(error, UnicodeDecodeError) else ""
        why = "" if encoding else "; name its --encoding (latin-1, cp1252, utf-16-le, ...)"
        raise FileUnreadable(f"{path} is not {what} text{at}{why}") from None


def begins_as_utf16(stream: io.BufferedReader) -> bool:
    """Return True if there is a byte order mark of UTF-16."""
    return stream.peek(2)[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def holds_nul(stream: io.BufferedReader, within: int = 64) -> bool:
    """Return True if a NUL is among the first bytes.

    There is none in UTF-8 text.
    """
    return b"\0" in stream.peek(within)[:within]


def _check_text(path: Path, stream: io.BufferedReader) -> None:
    """Raise FileUnreadable for a beginning with NUL characters.

    UTF-8 text has none.
    """
    if holds_nul(stream):
        raise FileUnreadable(
            f"{path} is not UTF-8 text; UTF-16 without a byte order mark needs "
            "--encoding=utf-16-le or utf-16-be; save a table in another format as CSV"
        )


@contextmanager
def opened(path: Path, max_decompressed: int | None = None) -> Iterator[io.BufferedReader]:
    """Open a file as decompressed bytes.

    `peek` has the first of them. Raises FileUnreadable.
    """
    check_input(path)
    try:
        with _raw(path) as raw:
            _check_decompressed(path, raw, max_decompressed)
            with _decompressed(path, raw) as stream:
                yield stream
    except (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise FileUnreadable(f"{path} cannot be read: {why}") from None


def _raw(path: Path) -> io.BufferedReader:
    if path == STANDARD:
        return _buffered(io.BytesIO(_standard_input(sys.stdin.buffer)))
    status = os.stat(path)
    if stat.S_ISREG(status.st_mode):
        return open(path, "rb")
    return _buffered(io.BytesIO(_pipe(path, (status.st_dev, status.st_ino))))


MOST_PIPED = 250_000_000
"""Bytes that are read from a pipe, which may have no end."""


def _piped(stream: BinaryIO, name: str) -> bytes:
    """All that comes through a pipe. Raises FileUnreadable."""
    content = stream.read(MOST_PIPED + 1)
    if len(content) > MOST_PIPED:
        raise FileUnreadable(f"{name} gives more than {bytes_text(MOST_PIPED)}; give it as a file")
    return content


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file.

    The file is taken as it is, compressed or not. Raises FileUnreadable.
    """
    check_input(path)
    try:
        with _raw(path) as raw:
            return file_digest(raw, "sha256").hexdigest()
    except OSError as error:
        raise FileUnreadable(f"{path} cannot be read: {error.strerror}") from None


@lru_cache(maxsize=4)
def _pipe(path: Path, place: tuple[int, int]) -> bytes:
    """Return all that comes through the pipe at this place, likewise."""
    with open(path, "rb") as pipe:
        return _piped(pipe, str(path))


@lru_cache(maxsize=1)
def _standard_input(stream: BinaryIO) -> bytes:
    """Return all of standard input.

    It can be read only once, so the content is kept for later calls.
    """
    return _piped(stream, "standard input")


def _buffered(stream: BinaryIO) -> io.BufferedReader:
    return io.BufferedReader(cast(io.RawIOBase, stream))


GZIP, BZIP2, XZ, ZIP = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"PK\x03\x04"


USUAL_RATIO = 100
"""Text is compressed to more than a hundredth, but for what is made to fill the memory."""

FLOOR = 10_000_000
"""Bytes that any compressed file may hold."""


def _check_decompressed(path: Path, raw: io.BufferedReader, limit: int | None) -> None:
    """Raise FileUnreadable if a file decompresses beyond the limit.

    This is found before the content is kept.
    """
    if not raw.peek(8).startswith((GZIP, BZIP2, XZ, ZIP)):
        return
    size = raw.seek(0, io.SEEK_END)
    raw.seek(0)
    most = max(FLOOR, USUAL_RATIO * size) if limit is None else limit
    held = _declared(raw)
    with _decompressed(path, _buffered(cast(BinaryIO, _Lent(raw)))) as stream:
        while held <= most and (part := stream.read(1 << 20)):
            held += len(part)
    raw.seek(0)
    if held > most:
        raise FileUnreadable(
            f"{path} has {bytes_text(size)} and holds more than {bytes_text(most)} when it is "
            "decompressed, which is the limit; --max-decompressed=2GB, or another size, allows more"
        )


def compressed_size(path: Path, stream: io.BufferedReader) -> int:
    """Return the size of the compressed file behind a stream.

    It is 0 if the file is not compressed.
    """
    if type(stream.raw) in (io.FileIO, io.BytesIO):
        return 0
    if path == STANDARD:
        return len(_standard_input(sys.stdin.buffer))
    return max(1, os.stat(path).st_size)


def _declared(raw: io.BufferedReader) -> int:
    """Return the size that a zip file declares.

    A workbook is such a file whose parts are read elsewhere.
    """
    if not raw.peek(8).startswith(ZIP):
        return 0
    sizes = [member.file_size for member in zipfile.ZipFile(_Lent(raw)).infolist()]
    raw.seek(0)
    return sum(sizes) if len(sizes) > 1 else 0


class _Lent(io.RawIOBase):
    """A stream that its owner closes."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, place: int, whence: int = io.SEEK_SET) -> int:
        return self._stream.seek(place, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def readinto(self, buffer: Any) -> int:
        return self._stream.readinto(buffer)


def about_lines(path: Path) -> int:
    """Return about how many lines a file has, by its beginning.

    The number is 0 if there are none to count in a regular file.
    """
    if not path.is_file():
        return 0
    with path.open("rb") as file:
        head = file.read(1 << 16)
    return file_size(path) * head.count(b"\n") // max(1, len(head))


def file_size(path: Path) -> int:
    """Return the size of a file in bytes.

    It is 0 if there is no file, which is refused when it is read.
    """
    try:
        return path.stat().st_size
    except (OSError, ValueError):
        return 0


def _decompressed(path: Path, raw: io.BufferedReader) -> io.BufferedReader:
    """Return the stream, decompressed if it is compressed.

    The first bytes say how, not the name.
    """
    first = raw.peek(8)
    if first.startswith(GZIP):
        return _buffered(cast(BinaryIO, gzip.GzipFile(fileobj=raw)))
    if first.startswith(BZIP2):
        return _buffered(cast(BinaryIO, bz2.BZ2File(raw)))
    if first.startswith(XZ):
        return _buffered(cast(BinaryIO, lzma.LZMAFile(raw)))
    if first.startswith(ZIP):
        return _member(path, raw)
    return raw


def _member(path: Path, raw: io.BufferedReader) -> io.BufferedReader:
    """Return the single file in a zip file.

    A workbook, which is a zip file too, is returned as it is.
    """
    packed = zipfile.ZipFile(raw)
    names = [name for name in packed.namelist() if not name.endswith("/")]
    if WORKBOOK in names or "mimetype" in names:
        raw.seek(0)
        return _buffered(io.BytesIO(raw.read()))
    if len(names) != 1:
        raise FileUnreadable(
            f"{path} is a zip file of {len(names)} files ({', '.join(names[:5])}"
            f"{', ...' if len(names) > 5 else ''}); it must hold one: unzip it"
        )
    try:
        return _buffered(cast(BinaryIO, packed.open(names[0])))
    except (RuntimeError, NotImplementedError) as error:  # it is encrypted, for example
        raise FileUnreadable(f"{path} cannot be read: {error}") from None


WORKBOOK = "xl/workbook.xml"
"""What every .xlsx file has in it."""


def compressed(content: bytes, name: str) -> bytes:
    """Return the content as a file of this name holds it.

    It is compressed if the ending of the name says so.
    """
    ending = Path(name).suffix.lower()
    if ending == ".gz":
        return gzip.compress(content, mtime=0)
    if ending == ".bz2":
        return bz2.compress(content)
    if ending == ".xz":
        return lzma.compress(content)
    if ending == ".zip":
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr(zipfile.ZipInfo(Path(name).stem), content, zipfile.ZIP_DEFLATED)
        return made.getvalue()
    return content


COMPRESSED = (".gz", ".bz2", ".xz", ".zip")
"""Endings of files that are written compressed."""


def schema_file(name: str) -> Path:
    """Return the schema of the format "refagg NAME VERSION" of JSON.

    >>> schema_file("audit").name
    'audit.schema.json'
    """
    return Path(__file__).parents[1] / "schemas" / f"{name}.schema.json"
