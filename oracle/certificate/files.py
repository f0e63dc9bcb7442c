"""The content of a file that somebody else wrote, of bounded length."""

from __future__ import annotations

import gzip
import zlib
from io import BytesIO
from pathlib import Path

from oracle.certificate.errors import Rejected

MOST_BYTES = 1 << 28
"""No file is longer than this, compressed or not."""


def content_of(path: Path) -> str:
    """The text of a file; one that gzip has compressed is unpacked. Raises Rejected, OSError."""
    with path.open("rb") as file:
        content = _bounded(file.read(MOST_BYTES + 1), path)
    if content.startswith(b"\x1f\x8b"):
        try:
            with gzip.GzipFile(fileobj=BytesIO(content)) as unpacked:
                content = _bounded(unpacked.read(MOST_BYTES + 1), path)
        except (EOFError, OSError, zlib.error) as error:
            raise Rejected(f"{path} cannot be unpacked: {error}") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Rejected(f"{path} is not UTF-8: {error}") from None


def _bounded(content: bytes, path: Path) -> bytes:
    if len(content) > MOST_BYTES:
        raise Rejected(f"{path} has more than {MOST_BYTES} bytes")
    return content
