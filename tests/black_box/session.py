"""Commands run in this process, in a folder, as a person would type them."""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import oracle.commands.main
import refagg.commands.main
from refagg import terminal

terminal.PATIENCE = 1e6  # the same lines, however long a command takes

MAINS = {"refagg": refagg.commands.main.main, "oracle": oracle.commands.main.main}


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command left: its exit status, and what it printed."""

    line: str
    status: int
    out: str
    err: str


def run(line: str, folder: Path) -> Ran:
    """Run a command line, `refagg ...` or `oracle ...`, in a folder.

    An exception that reaches its caller has the status -1.
    """
    try:
        return run_words(shlex.split(line), folder, line)
    except Exception as error:
        return Ran(line, -1, "", f"Traceback: {type(error).__name__}: {error}")


def run_words(words: list[str], folder: Path, line: str = "") -> Ran:
    """Run a command of which the words are given; an exception is the caller's to see."""
    out, err = io.StringIO(), io.StringIO()
    with _inside(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = MAINS[words[0]](words[1:])
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    return Ran(line or shlex.join(words), status, out.getvalue(), err.getvalue())


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
        for path in folder.glob("*.py"):  # another folder has another program of this name
            sys.modules.pop(path.stem, None)
