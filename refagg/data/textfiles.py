"""Files of text that are read as a whole."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from refagg.errors import FileUnreadable


def read_text(path: Path, encoding: str = "utf-8") -> str:
    """What is written in a file. Raises FileUnreadable."""
    check_input(path)
    try:
        return path.read_text(encoding=encoding)
    except OSError as error:
        raise FileUnreadable(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise FileUnreadable(f"{path} is not UTF-8 text (byte {error.start})") from None


def check_input(path: Path) -> None:
    """Raise FileUnreadable if there is no such file, or a device, which may have no end."""
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        raise FileUnreadable(f"{path} cannot be read: {error.strerror}") from None
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise FileUnreadable(f"{path} cannot be read: it is a device, not a file")
