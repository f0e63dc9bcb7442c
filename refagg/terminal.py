"""Safe output on a terminal: text, never commands to it.

Names and cells of files, and what foreign programs and servers say, can hold signs that a terminal
obeys: escape sequences, the bell, signs that turn the direction of writing. On standard output and
standard error they are shown as numbers (`\\x1b`), and a line feed in a name as `\\n`, so that no
name can look like lines of the program. Files are written as they are.
"""

from __future__ import annotations

import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import Any, TextIO, TypeVar, cast

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def shown(text: str) -> str:
    r"""Return the text with terminal control signs as numbers.

    A terminal would obey these signs.

    >>> print(shown("\x1b[31mred"), shown("caf\u00e9"))
    \x1b[31mred café
    """
    return _COMMANDS.sub(lambda sign: ascii(sign[0])[1:-1], text)


def one_line(text: str) -> str:
    r"""Return the text in one line.

    Names and cells of files can hold line feeds.

    >>> print(one_line("net\nSSE 0"))
    net\nSSE 0
    """
    return text.replace("\n", "\\n")


def in_lines(lines: Iterable[str]) -> str:
    """A line for each text, however many line feeds are in it."""
    return "\n".join(map(one_line, lines))


class Shown:
    """Wrap a stream of text and escape control characters.

    In all else it is the stream itself.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        NOW.spoken()
        with _still_there():
            self._stream.write(shown(text))
        return len(text)

    def flush(self) -> None:
        with _still_there():
            self._stream.flush()

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


@contextmanager
def _still_there() -> Iterator[None]:
    """Continue after the reader has gone, if files remain to write.

    The reader can go away as `head` does.
    """
    try:
        yield
    except BrokenPipeError:
        NOW.unread = True
        if not NOW.has_files:
            raise


@contextmanager
def shown_streams() -> Iterator[None]:
    """Escape control characters on standard output and error within the block."""
    output, errors = (cast(TextIO, Shown(stream)) for stream in (sys.stdout, sys.stderr))
    with redirect_stdout(output), redirect_stderr(errors):
        yield


# Progress of long work

PATIENCE = 2.0
"""Seconds of work before anything is shown of it."""

BETWEEN = 10.0
"""Seconds of silence after which a line is printed where the output is no terminal."""

_BLINK = 0.5
"""Seconds between two looks at a terminal's line."""


@dataclass(slots=True)
class Loop:
    """A loop of the work.

    Loops are one in the other.
    """

    units: str
    total: int | None
    """None where nothing bounds it beforehand."""
    at_most: bool
    done: int = 0
    began: float = field(default_factory=time.monotonic)

    def words(self) -> str:
        """Return the progress in words."""
        if self.total is None:
            return f"{self.units} done: {self.done} (how many there will be is not known)"
        of = "at most " if self.at_most else ""
        return f"{self.done} of {of}{self.total} {self.units} done"


@dataclass(slots=True)
class Activity:
    """The progress of the running command or function.

    It is for the user, where it is watched.
    """

    commanded: bool = False
    """Is it shown at all?"""
    keeps: bool = False
    """Does Ctrl-C end the work, and not the command, which tells what it knows?"""
    interrupted: bool = False
    has_files: bool = False
    """Does the command name files, which it writes though its output is not read?"""
    unread: bool = False
    """Has the reader of the output gone away?"""
    command: str = ""
    """What it is called, where nothing more is known of what it does."""
    purpose: str = ""
    """What all work is for at present: it is told, instead of each work and of the steps."""
    what: str = ""
    began: float = 0.0
    left: int = 0
    total: int = 0
    units: str = "records"
    power: int = 2
    told: float = 0.0
    """When it was last said how many are left."""
    groups: int = 0
    """About so many clusters are left at the end."""
    steps: int = 0
    """Of so many, each of which is told of as it is done: questions, runs."""
    of_steps: str = "steps"
    done: float = 0.0
    counting: float = 0.0
    """When the first of them began."""
    until: float | None = None
    """When the time ends that the work may take, if there is such a limit."""
    heard: float = 0.0
    """When something was last said, by whomever."""
    loops: list[Loop] = field(default_factory=list)
    """The outermost first."""
    shown: Any = field(default=None, repr=False)
    """Hides the line that is on a terminal, if there is one."""

    def starts(self, what: str, limit: float | None = None, groups: int = 0) -> None:
        """Begin another part of the work.

        It ends after `limit` seconds if not before.
        """
        self.groups, self.loops = groups, []
        self.what, self.began, self.left, self.total = what, time.monotonic(), 0, 0
        self.until = None if limit is None else self.began + limit

    def counts(self, steps: int, of_steps: str) -> None:
        """Set the number of steps of the work.

        Each step can have a name of its own.
        """
        self.steps, self.of_steps = steps, of_steps
        self.done, self.counting, self.purpose = 0.0, time.monotonic(), ""

    def step(self, done: float | None = None) -> None:
        """One more of them is done; or so many are."""
        self.done = self.done + 1 if done is None else done

    def each(self, items: Iterable[T], units: str, at_most: bool = False) -> Iterator[T]:
        """Iterate over the items, each of them a step of the work.

        With `at_most` the loop can end before. An iterable without a length, or with one that no
        run would reach, has no known end.
        """
        known = None
        if isinstance(items, Sized):
            with suppress(OverflowError):
                known = len(items)
        loop = Loop(units, known, at_most)
        self.loops.append(loop)
        try:
            for item in items:
                yield item
                loop.done += 1
        finally:
            self.loops = [other for other in self.loops if other is not loop]

    def ends(self) -> None:
        """End what was started; what follows has no name of its own."""
        self.starts(self.command)

    def remain(self, left: int, units: str = "records", power: int = 2) -> None:
        """So many are left; more than before in a new run.

        The time of a step is proportional to the records that remain, as in most algorithms, so
        that the time of all is proportional to the square of their number; `power` says otherwise.
        """
        self.told = time.monotonic()
        if left > self.left or units != self.units:
            self.total, self.began, self.units, self.power = left, self.told, units, power
        self.left = left

    def clusters(self, number: int) -> None:
        """Report the number of clusters that are to be merged.

        They are merged until about as many as `groups` are left.
        """
        if self.groups:
            self.remain(max(0, number - self.groups), "mergers", 1)

    def spoken(self) -> None:
        """Something is going to be said."""
        self.heard = time.monotonic()
        if self.shown:
            hide, self.shown = self.shown, None
            hide()

    def line(self, since: float) -> str:
        """Return the state in a line.

        It says how long the work takes, how far it is, and how long it may still be.
        """
        now = time.monotonic()
        if self.purpose:
            return shown(one_line(f"{self.purpose}: {now - since:.0f} s"))
        within = self._of_loops(now) if self.loops else self._of_records(now)
        parts = [f"{now - since:.0f} s", *within, *self._of_steps(now)]
        if self.until is not None and now < self.until:
            parts.append(f"at most {duration(self.until - now)} left")
        if len(parts) == 1:
            parts.append(UNKNOWN)
        return shown(one_line(f"{self.what or 'working'}: {', '.join(parts)}"))

    def share(self) -> float | None:
        """Return the share of work done, from 0 to 1.

        None where it is not known.
        """
        if self.purpose:
            return None
        if self.loops:
            return self._share_of_loops()[0] or None
        if 0 < self.left < self.total:
            return 1 - (self.left / self.total) ** self.power
        return self.done / self.steps if 0 < self.done < self.steps else None

    def _of_records(self, now: float) -> list[str]:
        """Return the estimate, unless it has proved to be wrong.

        It can do so since it was made.
        """
        if not 0 < self.left < self.total:
            return []
        share = 1 - (self.left / self.total) ** self.power
        estimate = (self.told - self.began) * (1 - share) / share
        left = estimate - (now - self.told)
        if left < -max(1.0, estimate):
            return []
        done = f"{self.total - self.left} of {self.total} {self.units} done"
        return [done, about(max(0.0, left))]

    def _of_loops(self, now: float) -> list[str]:
        """Return the progress of each loop, and an estimate.

        The estimate is for loops whose end is known.
        """
        told = [loop.words() for loop in self.loops]
        share, known = self._share_of_loops()
        if 0 < share < 1:
            left = (now - known[0].began) * (1 - share) / share
            early = any(loop.at_most for loop in known)
            told.append(f"at most {about(left)}" if early else about(left))
        return told

    def _share_of_loops(self) -> tuple[float, list[Loop]]:
        """Return the share of the loops that is done.

        It is that of the loops from the first one whose end is known.
        """
        loops = list(self.loops)
        while loops and loops[0].total is None:
            del loops[0]
        share, part = 0.0, 1.0
        for loop in loops:
            if not loop.total:
                break
            share, part = share + part * loop.done / loop.total, part / loop.total
        return share, loops

    def _of_steps(self, now: float) -> list[str]:
        if not self.done < self.steps:
            return []
        told = f"{self.done:.0f} of {self.steps} {self.of_steps} done"
        if not self.done:
            return [told]
        return [told, about((now - self.counting) * (self.steps - self.done) / self.done)]


UNKNOWN = "remaining time unknown"


def about(seconds: float) -> str:
    """An estimate of what is left, in words."""
    return f"about {duration(seconds)} left"


def duration(seconds: float) -> str:
    """Seconds, or minutes of many, or hours.

    >>> duration(14.2), duration(1234), duration(50_000)
    ('14 s', '21 min', '14 h')
    """
    if seconds < 600:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 36_000 else f"{seconds / 3600:.0f} h"


NOW = Activity()


@contextmanager
def watched(what: str, quiet: bool, command: bool = True) -> Iterator[None]:
    """Report progress on standard error while the block lasts.

    Only work of more than PATIENCE seconds is reported. A terminal has one line that changes, by
    rich where it is installed, a notebook a bar; elsewhere a line is printed after BETWEEN seconds
    of silence. What is no `command`, but a function, is ended by Ctrl-C; in a command it has no
    line of its own.
    """
    if NOW.commanded and not command:
        yield
        return
    NOW.command = what
    NOW.starts(what)
    NOW.counts(0, "steps")
    NOW.commanded, NOW.keeps, NOW.interrupted = True, command, False
    ended = threading.Event()
    # The stream itself takes what a terminal obeys.
    stream = sys.stderr._stream if isinstance(sys.stderr, Shown) else sys.stderr
    teller = threading.Thread(target=_tell, args=(ended, stream), daemon=True)
    if not quiet:
        teller.start()
    try:
        yield
    finally:
        NOW.commanded = NOW.keeps = False
        ended.set()
        if not quiet:
            teller.join()
        NOW.spoken()


def watchable(function: F) -> F:
    """Give a function the option `progress`, by which it is watched.

    Where it declares that option itself, for the sake of type checkers, it is not given it.
    """

    @wraps(function)
    def call(*given: object, progress: bool = False, **named: object) -> Any:
        if not progress:
            return function(*given, **named)
        with watched(function.__name__, quiet=False, command=False):
            return function(*given, **named)

    return cast(F, call)


@contextmanager
def kept() -> Iterator[None]:
    """Let Ctrl-C end the block instead of the command.

    This holds in a command, which then reports its result so far.
    """
    try:
        yield
    except KeyboardInterrupt:
        if not NOW.keeps:
            raise
        NOW.interrupted = True


def _tell(ended: threading.Event, stream: TextIO) -> None:
    """Tell of the work until it has ended."""
    since = NOW.heard = time.monotonic()
    if ended.wait(PATIENCE):
        return
    terminal = stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    notebook = None if terminal or NOW.keeps else _notebook_bar()
    show = notebook or (_terminal_line(stream) if terminal else _plain_line(stream))
    silence = PATIENCE
    while True:
        if terminal or notebook or time.monotonic() - NOW.heard >= silence:
            silence = BETWEEN
            show(NOW.line(since))
        if ended.wait(_BLINK):
            return


def _notebook_bar() -> Any:
    """Return a function that shows a text and bar in a notebook.

    None outside of a notebook.
    """
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if not hasattr(shell, "kernel"):
        return None
    from html import escape
    from importlib import import_module

    handle = import_module("IPython.display").display({"text/plain": ""}, raw=True, display_id=True)

    def show(text: str) -> None:
        share = NOW.share()
        value = "" if share is None else f' value="{share:.4f}"'
        bar = f"<progress{value}></progress> {escape(text)}" if text else ""
        handle.update({"text/plain": text, "text/html": bar}, raw=True)
        NOW.shown = partial(show, "") if text else None

    return show


def _plain_line(stream: TextIO) -> Any:
    def show(text: str) -> None:
        NOW.heard = time.monotonic()
        print(text, file=stream, flush=True)

    return show


def _terminal_line(stream: TextIO) -> Any:
    """Return a function that replaces the last text on a terminal.

    It works by rich, or by a carriage return.
    """
    try:
        from rich.console import Console
        from rich.status import Status
    except ImportError:
        return _returned(stream)

    def show(text: str) -> None:
        if NOW.shown is None:
            status = Status("", console=Console(file=stream))
            status.start()
            NOW.shown = status.stop
            show_again.update(now=status)
        show_again["now"].update(barred(text).replace("[", r"\["))

    show_again: dict[str, Any] = {}
    return show


def _returned(stream: TextIO) -> object:
    def clear() -> None:
        print("\r\x1b[K", end="", file=stream, flush=True)

    def show(text: str) -> None:
        print(f"\r\x1b[K{barred(text)[:MOST_WIDE]}", end="", file=stream, flush=True)
        NOW.shown = clear

    return show


def barred(text: str, width: int = 16) -> str:
    """Return a text after a bar of the share done.

    The bar is there if the share of the work that is done is known.
    """
    share = NOW.share()
    if share is None:
        return text
    done = int(share * width)
    return f"[{'#' * done}{'.' * (width - done)}] {text}"


MOST_WIDE = 79
"""As many characters fit into a line of every terminal."""
