"""Commands that are ended by SIGTERM, Ctrl-C, or a time limit.

They end by SIGTERM as by Ctrl-C, so that they clean up.
"""

from __future__ import annotations

import signal
import threading
from _thread import interrupt_main
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from refagg.errors import InvalidParameter, TimeOver

LONGEST = 10**8
"""Seconds, some three years: as long as any clock of a platform can wait."""


@contextmanager
def terminable() -> Iterator[None]:
    """Raise KeyboardInterrupt on SIGTERM, and on SIGHUP, in the block.

    That is done where it can be, and for no signal that something else is done with.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    signals = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    taken = [one for one in signals if signal.getsignal(one) == signal.SIG_DFL]
    for one in taken:
        signal.signal(one, interrupt)
    try:
        yield
    finally:
        for one in taken:
            signal.signal(one, signal.SIG_DFL)


@contextmanager
def ended_after(seconds: float | None, what: str) -> Iterator[None]:
    """Raise TimeOver in the block after `seconds`.

    Raises InvalidParameter for none at all.
    """
    if seconds is None:
        yield
        return
    if not seconds > 0:
        raise InvalidParameter(f"the time limit is {seconds}; it must be more than 0 seconds")
    over = threading.Event()
    timer = threading.Timer(min(seconds, LONGEST), _interrupt, [over])
    timer.daemon = True
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN  # as in the background of a shell
    if ignored:
        signal.signal(signal.SIGINT, partial(_end_if, over))
    try:
        try:
            timer.start()
            yield
        finally:
            timer.cancel()
    except KeyboardInterrupt:
        if not over.is_set():
            raise
        raise TimeOver(f"{what} within {seconds:g} s (--time-limit)") from None
    finally:
        if ignored:
            signal.signal(signal.SIGINT, signal.SIG_IGN)


def _end_if(over: threading.Event, *_: object) -> None:
    """Raise KeyboardInterrupt if the time is over.

    It is for a process that Ctrl-C does not end: the end of the time does.
    """
    if over.is_set():
        raise KeyboardInterrupt


def _interrupt(over: threading.Event) -> None:
    """Interrupt the main thread as Ctrl-C does.

    It is interrupted also where it waits for others.
    """
    over.set()
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:  # on Windows
        interrupt_main()
