"""What reaches a terminal: text, never commands to it.

Names and cells of files, and what foreign programs and servers say, can hold signs that a terminal
obeys: escape sequences, the bell, signs that turn the direction of writing. On standard output and
standard error they are shown as numbers (`\\x1b`), and a line feed in a name as `\\n`, so that no
name can look like lines of the program. Files are written as they are.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO, cast

_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def shown(text: str) -> str:
    r"""The text with a number in the place of each sign that a terminal would obey.

    >>> print(shown("\x1b[31mred"), shown("caf\u00e9"))
    \x1b[31mred café
    """
    return _COMMANDS.sub(lambda sign: ascii(sign[0])[1:-1], text)


def one_line(text: str) -> str:
    r"""The text in one line: names and cells of files can hold line feeds.

    >>> print(one_line("net\nSSE 0"))
    net\nSSE 0
    """
    return text.replace("\n", "\\n")


def in_lines(lines: Iterable[str]) -> str:
    """A line for each text, however many line feeds are in it."""
    return "\n".join(map(one_line, lines))


class Shown:
    """A stream of text that shows what is written to it, and is the stream itself in all else."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(shown(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def shown_streams() -> Iterator[None]:
    """Standard output and standard error show all that is written to them in the meantime."""
    output, errors = (cast(TextIO, Shown(stream)) for stream in (sys.stdout, sys.stderr))
    with redirect_stdout(output), redirect_stderr(errors):
        yield
