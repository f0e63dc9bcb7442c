"""Work in a process of its own, which limits of the system may end."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing import get_context
from typing import TypeVar

T = TypeVar("T")

FORK = get_context("fork")


def forked(work: Callable[[], T]) -> tuple[T | None, int | None]:
    """Return the answer of work that a forked process does, and the exit code of the process.

    The answer is None if the process ended before it had one.
    """
    ours, theirs = FORK.Pipe(duplex=False)
    process = FORK.Process(target=lambda: theirs.send(work()))
    process.start()
    theirs.close()
    try:
        found: T | None = ours.recv()
    except EOFError:
        found = None
    process.join()
    return found, process.exitcode
