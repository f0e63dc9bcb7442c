"""Foreign process: its pipes, its output, and its end. POSIX only."""

from __future__ import annotations

import os
import re
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

from oracle.conformance.transport.protocol import shown_value

LINE = 1 << 20
"""A reply may have so many bytes, or LONGER times those of its request."""
LONGER = 20

KEPT = 4096
"""Bytes of standard error that are kept."""

_CHUNK = 1 << 16
_GRACE = 0.5
"""Seconds that a program has to end after it closed its output."""


_TICK = 0.05
"""Seconds between two looks at a program that says nothing."""

_PAUSE = 0.5
"""Between two looks no more seconds than these count: longer is no program's time, as when the
machine or this process is suspended."""

_NAMES_AN_ERROR = re.compile(r"error|exception|panicked|what\(\)|caused by", re.IGNORECASE)
_WHERE = re.compile(r"\s*(at |\.\.\. \d+ more|note: )")


class Misbehaved(Exception):
    """The program did something else than to write a line in time."""


class Gone(Misbehaved):
    """The program ended, or closed its output, without a word."""


class Process:
    """Running program with a process group of its own.

    Raises OSError, ValueError.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        self._pipes = [self._process.stdin, self._process.stdout, self._process.stderr]
        self._in, self._out, self._err = (pipe.fileno() for pipe in self._pipes if pipe)
        for handle in (self._in, self._out, self._err):
            os.set_blocking(handle, False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._out, selectors.EVENT_READ)
        self._selector.register(self._err, selectors.EVENT_READ)
        self._line = bytearray()
        self._words = b""
        self._answered = False

    def silent(self) -> bool:
        """Return True if the output is open, and free of unrequested answers."""
        if self._line:
            return False
        try:
            os.read(self._out, 1)
        except BlockingIOError:
            return True
        return False

    def ask(self, request: bytes, deadline: float, last: bool = False) -> bytes:
        """Send a request; return the line that follows.

        `last` closes the input. Raises Misbehaved.
        """
        longest = max(LINE, LONGER * len(request))
        waiting = memoryview(request)
        self._selector.register(self._in, selectors.EVENT_WRITE)
        for left in _left(deadline):
            ready = self._ready(min(left, _TICK))
            if self._in in ready:
                waiting = self._send(waiting, last)
            if self._out in ready and (line := self._read(longest)) is not None:
                if waiting:
                    raise Misbehaved(f"an answer before the request was read: {shown_value(line)}")
                self._answered = True
                return line
        read = "" if not waiting else "; it did not read the request"
        raise Misbehaved(f"no answer in time{self._half()}{read or self._only_at_the_end()}")

    def finish(self, deadline: float, look: Callable[[], None]) -> int:
        """Close its input and wait for its end; its exit status.

        What it writes on standard output is thrown away. `look` is called now and then, and may
        raise. Raises Misbehaved if it does not end, or is killed by a signal.
        """
        if self._process.stdin:
            self._process.stdin.close()
        for left in _left(deadline):
            if self._ended_by(min(left, _TICK)):
                status = self._process.wait()
                if status < 0:
                    raise Misbehaved(f"the program {self._status()}")
                return status
            look()
        raise Misbehaved("no answer in time")

    def _ended_by(self, seconds: float) -> bool:
        """Return True if the program has ended.

        Its output is read first, for at most `seconds`.
        """
        if not self._selector.get_map():  # it closed all that it could write to
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(seconds)
            return self._process.returncode is not None
        ready = self._ready(seconds)
        if self._out in ready:
            with suppress(BlockingIOError):
                if not os.read(self._out, _CHUNK):
                    self._selector.unregister(self._out)
        return not ready and self._process.poll() is not None

    def _only_at_the_end(self) -> str:
        """Return a remark if the program answers when its input ends.

        Then its lines may have been held back. One that has answered before is late.
        """
        stdin = self._process.stdin
        if self._line or self._answered or not stdin or stdin.closed:
            return ""
        stdin.close()
        deadline = time.monotonic() + _GRACE
        while (left := deadline - time.monotonic()) > 0:
            if self._out in self._ready(left):
                told = "; it answered when its input ended: does it flush each line?"
                return told if os.read(self._out, _CHUNK) else ""
        return ""

    def _send(self, waiting: memoryview, last: bool) -> memoryview:
        """Write what can be written; the rest."""
        try:
            waiting = waiting[os.write(self._in, waiting[:_CHUNK]) :]
        except BlockingIOError:
            return waiting
        except BrokenPipeError:
            # It does not listen any more; what it says, if anything, is read as usual.
            self._selector.unregister(self._in)
            return waiting
        if not waiting:
            self._selector.unregister(self._in)
            if last and self._process.stdin:
                self._process.stdin.close()
        return waiting

    def _read(self, longest: int) -> bytes | None:
        """Return the line, if it is complete. Raises Misbehaved."""
        try:
            chunk = os.read(self._out, _CHUNK)
        except BlockingIOError:
            return None
        if not chunk:
            return self._ended()
        line, newline, rest = chunk.partition(b"\n")
        self._line += line
        if len(self._line) > longest:
            raise Misbehaved(
                f"a line of more than {longest} bytes: {shown_value(bytes(self._line[:80]))}"
            )
        if not newline:
            return None
        whole, self._line = bytes(self._line), bytearray(rest)
        return whole

    def _ended(self) -> bytes:
        """Return the last line if it is complete.

        It lacks an end of line. Raises Misbehaved, Gone.
        """
        how = self._status()
        self._hear()
        if self._line.rstrip().endswith(b"}"):
            whole, self._line = bytes(self._line), bytearray()
            return whole
        if self._line:
            raise Misbehaved(f"the program {how}{self._half()}")
        raise Gone(f"the program {how} without an answer")

    def _status(self) -> str:
        try:
            status = self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            return "closed its output"
        if status >= 0:
            return f"ended with exit status {status}"
        with suppress(ValueError):
            return f"was killed by {signal.Signals(-status).name}"
        return f"was killed by signal {-status}"

    def _half(self) -> str:
        return (
            f" in the middle of a line: {shown_value(bytes(self._line[:80]))}" if self._line else ""
        )

    def _ready(self, seconds: float) -> set[int]:
        """Return the pipes that are ready within some seconds.

        What is on standard error is read at once.
        """
        ready = {key.fd for key, _ in self._selector.select(seconds)}
        if self._err in ready:
            self._hear()
        return ready

    def _hear(self) -> None:
        """Read standard error, and keep the end of it."""
        try:
            chunk = os.read(self._err, _CHUNK)
        except BlockingIOError:
            return
        if not chunk:
            with suppress(KeyError):
                self._selector.unregister(self._err)
        self._words = (self._words + chunk)[-KEPT:]

    def last_words(self) -> str:
        """Return the end of standard error, for a message.

        Empty where there is nothing.
        """
        lines = self._words.decode("utf-8", "replace").strip().splitlines()
        return repr(telling_line(lines)[-200:]) if lines else ""

    def kill(self) -> None:
        """End the process and all of its group, and close the pipes."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._selector.close()
        for pipe in self._pipes:
            if pipe:
                with suppress(OSError):
                    pipe.close()
        self._process.wait()


def started(command: Sequence[str]) -> Process:
    """Return the program, running. Raises Misbehaved."""
    try:
        return Process(command)
    except (OSError, ValueError) as error:
        raise Misbehaved(f"{command[0]!r} cannot be started: {error}") from None


@contextmanager
def interruptions_wait() -> Iterator[None]:
    """Handle SIGINT and SIGTERM at the end of the block.

    What the block starts is known by then.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting: list[tuple[int, FrameType | None]] = []
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    handled = {number: handler for number, handler in handlers.items() if callable(handler)}
    for number in handled:
        signal.signal(number, lambda *come: waiting.append(come))
    try:
        yield
    finally:
        for number, handler in handled.items():
            signal.signal(number, handler)
        for come in waiting:
            handled[signal.Signals(come[0])](*come)


def _left(deadline: float) -> Iterator[float]:
    """Yield the seconds left, look after look, while there are any."""
    left = deadline - time.monotonic()
    while left > 0:
        began = time.monotonic()
        yield left
        left -= min(time.monotonic() - began, _PAUSE)


def telling_line(lines: Sequence[str]) -> str:
    """Return the last line that names an error.

    Where it ends in a colon, the next line is added.

    Some languages put more below it: where it was called from, or that they stop. If no line
    names an error, or Python wrote them, it is the last line.

    >>> telling_line(["Error in f(x) : ", "  object 'y' not found", "Execution halted"])
    "Error in f(x) : object 'y' not found"
    """
    if not any(line.startswith("Traceback ") for line in lines):
        for i in reversed(range(len(lines))):
            if _NAMES_AN_ERROR.search(lines[i]) and not _WHERE.match(lines[i]):
                more = lines[i + 1 : i + 2] if lines[i].rstrip().endswith(":") else []
                return " ".join([lines[i].rstrip(), *(line.strip() for line in more)]).strip()
    return lines[-1]
