"""Start of a command: parsing, errors as a line, exit status.

A subcommand is a module with its options in `COMMAND` and the function `run`, or, where there are
parts, with `add_options(parser)`, which sets the default `run`. It is imported when it is called,
so that `--help` and small commands do not wait for the others.
"""

from __future__ import annotations

import argparse
import errno
import gc
import os
import re
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from io import TextIOWrapper
from itertools import takewhile
from pathlib import Path
from types import MappingProxyType
from typing import NoReturn

from refagg import __version__
from refagg.data.memory import bound_memory
from refagg.errors import InvalidParameter, RefaggError, on_a_command
from refagg.language.lists import nearest
from refagg.terminal import NOW, one_line, shown_streams, watched

Commands = Mapping[str, tuple[str, str]]
"""The package of each subcommand, and what it does."""


class Parser(argparse.ArgumentParser):
    """A parser that reports wrong words in one line.

    It does not show the whole usage.
    """

    called: argparse.ArgumentParser | None = None
    """The parser of the subcommand that the words call."""

    words: Sequence[str] = ()
    """Those that were given."""
    commands: Commands = MappingProxyType({})
    """The commands of the program, for those that tell of all."""

    def error(self, message: str) -> NoReturn:
        about = self.called or self
        meant = "".join(f"did you mean {word}? " for word in self._meant(message, about))
        told = one_line(f"{message}; {meant}`{about.prog} --help` has the options")
        self.exit(2, f"error: {told}\n")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Exit as after any other output if no one reads it.

        argparse would hide that.
        """
        sys.stdout.flush()
        if NOW.unread:
            raise BrokenPipeError
        super().exit(status, message)

    def _meant(self, message: str, about: argparse.ArgumentParser) -> list[str]:
        """Return what was probably meant by wrong words.

        These are a choice, or options that do not exist.
        """
        if wrong := re.search(r"invalid choice: '(.*)' \(choose from (.*)\)", message):
            return list(filter(None, [nearest(wrong[1], re.findall(r"[^\s',]+", wrong[2]))]))
        options = [*_long_options(about)]
        written = [word.partition("=")[0] for word in takewhile("--".__ne__, self.words)]
        wrong_words = [
            word
            for word in written
            if word.startswith("--") and not any(option.startswith(word) for option in options)
        ]
        return [
            near if word in message else f"{near} instead of {word}"
            for word in dict.fromkeys(wrong_words)
            if (near := nearest(word, options))
        ]


def _long_options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the options of a command, and of its parts."""
    for action in parser._actions:
        yield from (word for word in action.option_strings if word.startswith("--"))
        if isinstance(action, argparse._SubParsersAction):
            for part in action.choices.values():
                yield from _long_options(part)


def parser_for(
    words: Sequence[str], program: str, description: str, commands: Commands
) -> argparse.ArgumentParser:
    """Return a parser of all subcommands, with one command's options.

    This is the command that these words call.
    """
    from refagg.commands.options import declare

    called = next((word for word in words if not word.startswith("-")), "")
    parser = Parser(prog=program, description=description)
    parser.words = words
    parser.add_argument("--version", action="version", version=f"{program} {__version__}")
    parts = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, (package, meaning) in commands.items():
        part = parts.add_parser(name, help=meaning)
        if name == called:
            part.words, part.commands = words, commands
            declare(part, package, name)
            parser.called = part
            part.add_argument("--quiet", action="store_true", help="show no progress")
            part.add_argument(
                "--max-memory",
                metavar="SIZE",
                help="end with an error instead of taking more memory, such as 2GB (Linux)",
            )
            part.add_argument("--stats", action="store_true", help="print the time and memory used")
    return parser


UNCOLLECTED = 200_000
"""Objects that a command makes before Python looks for circles of them, which are few."""


def started(program: str, about: str, commands: Commands, given: Sequence[str] | None) -> int:
    """Run the command of these words and return its exit status.

    Without words, those of this process are taken.
    """
    words = sys.argv[1:] if given is None else given

    gc.set_threshold(UNCOLLECTED)

    def command() -> int:
        line = argparse.Namespace(line=shlex.join([program, *words]))
        return carried_out(parser_for(words, program, about, commands).parse_args(words, line))

    return guarded(command)


def carried_out(given: argparse.Namespace) -> int:
    """Run the parsed command with progress, and return its exit status."""
    if given.max_memory is not None:
        _bound(given.max_memory)
    NOW.has_files = any(isinstance(value, Path) for value in vars(given).values())
    module = str(given.run.__module__).rpartition(".")[2]
    with watched(module.removesuffix("_command"), given.quiet):
        status = int(given.run(given))
    if NOW.interrupted:
        NOW.interrupted = False  # what the same process does next is not
        print("interrupted; this is the result so far", file=sys.stderr)
        status = 130
    if given.stats:
        print(stats_line(), file=sys.stderr)
    return status


def _bound(size: str) -> None:
    """Limit the memory of this process and its child processes.

    Raises InvalidParameter.
    """
    from refagg.commands.options import bytes_of

    most = bytes_of(size)
    if most < LEAST_MEMORY:
        raise InvalidParameter(f"--max-memory is {size}; it must be at least 100MB")
    if not bound_memory(most):
        raise InvalidParameter("--max-memory needs Linux; elsewhere a container can bound memory")


LEAST_MEMORY = 100_000_000
"""Bytes that any command needs."""


def stats_line() -> str:
    """Return a line on CPU time and peak memory of a command."""
    seconds, peak = spent()
    memory = "peak memory unknown" if peak is None else f"{peak / 1e6:.0f} MB at most"
    return f"{seconds:.2f} CPU seconds, {memory}"


def cost_since(began: float) -> dict[str, float | None]:
    """Return the cost of a command since a moment, for JSON.

    The moment is one of `time.monotonic`.
    """
    seconds, peak = spent()
    return {
        "processor_seconds": round(seconds, 3),
        "seconds": round(time.monotonic() - began, 3),
        "peak_memory_bytes": peak,
    }


def spent() -> tuple[float, int | None]:
    """Return CPU seconds and peak memory, child processes included.

    The memory is in bytes. Those that still run count where Linux is the system; None where no
    system tells the memory.
    """
    try:
        import resource
    except ImportError:  # as on Windows
        return time.process_time(), None
    own, ended = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    running = list(map(_spent_by, _started_by("self")))
    seconds = time.process_time() + ended.ru_utime + ended.ru_stime + sum(s for s, _ in running)
    unit = 1 if sys.platform == "darwin" else 1024
    together = own.ru_maxrss * unit + sum(peak for _, peak in running)
    return seconds, max(together, ended.ru_maxrss * unit)


def _started_by(process: str) -> Iterator[Path]:
    """Yield the running child processes of a process, on Linux.

    Their children follow in their turn.
    """
    for path in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):  # a thread or a process may just have ended
            for number in path.read_text("ascii").split():
                yield Path("/proc", number)
                yield from _started_by(number)


def _spent_by(process: Path) -> tuple[float, int]:
    """The processor seconds and the most bytes of a process that runs."""
    with suppress(OSError, ValueError):  # it may just have ended
        times = (process / "stat").read_text("ascii").rpartition(")")[2].split()[11:15]
        [peak] = re.findall(r"VmHWM:\s+(\d+) kB", (process / "status").read_text("ascii"))
        return sum(map(int, times)) / os.sysconf("SC_CLK_TCK"), 1024 * int(peak)
    return 0.0, 0


def guarded(command: Callable[[], int]) -> int:
    """Run a command with handled errors, and return its exit status.

    It is 2, with the message, if the command raises an error of ours. So too if standard output
    takes no more, or is closed. Signs that it cannot encode, and those that a terminal would obey,
    are written as numbers.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: SIM115
    if sys.stderr is None:  # its number would go to the next file that is opened
        sys.stderr = open(os.open(os.devnull, os.O_WRONLY), "w")  # noqa: SIM115
    if sys.stdout is None:
        return _refused("standard output is closed; send it to a file, or to /dev/null")
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    with shown_streams(), on_a_command():
        return _guarded(command)


def _guarded(command: Callable[[], int]) -> int:
    NOW.has_files = NOW.unread = False
    try:
        status = command()
        sys.stdout.flush()
        if NOW.unread:
            raise BrokenPipeError
        return status
    except RefaggError as error:
        return _refused(str(error))
    except MemoryError:
        return _refused("this needs more memory than there is, or than --max-memory allows")
    except BrokenPipeError:  # the reader of the output has gone away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EBADF):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _refused(f"the output cannot be written: {error.strerror}")
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


def _refused(why: str) -> int:
    """Print in one line why a request failed, and return 2."""
    print("error:", one_line(why), file=sys.stderr)
    return 2
