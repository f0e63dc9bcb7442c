"""Executors for divisible work: this process, its workers, or a cluster.

The workers are processes of this machine. Each is a `concurrent.futures.Executor`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children
from typing import Any

from refagg.errors import InvalidParameter, optional_library

_ADDRESS = re.compile(r"([^\s/:\[\]]+|\[[0-9a-fA-F:.]+\]):\d{1,5}", re.ASCII)

EXECUTORS = ("local", "processes", "dask://ADDRESS")


class Here(Executor):
    """Executor that works at once, in the process that asks."""

    def submit(self, fn: Callable[..., object], /, *args: object, **kwargs: object) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # raised when the result is taken
            future.set_exception(error)
        return future


@contextmanager
def executor_of(text: str) -> Iterator[Executor]:
    """Provide the executor that is named "local", "processes" or "dask://HOST:PORT".

    Raises InvalidParameter, and MissingExtra without the extra for Dask.
    """
    if text == "local":
        yield Here()
    elif text == "processes":
        with ProcessPoolExecutor() as processes, _ended_with_this():
            yield processes
    elif text.startswith("dask://") and len(text) > len("dask://"):
        with _dask(text.removeprefix("dask://")) as executor:
            yield executor
    else:
        raise InvalidParameter(f"executor is {text!r}; it can be {', '.join(EXECUTORS)}")


@contextmanager
def _ended_with_this() -> Iterator[None]:
    """End the worker processes if the block is interrupted.

    Their work is dropped.
    """
    try:
        yield
    except KeyboardInterrupt:
        for process in active_children():
            process.terminate()
        raise


@contextmanager
def _dask(address: str) -> Iterator[Executor]:
    if not _ADDRESS.fullmatch(address):
        raise InvalidParameter(f"{address!r} is not the HOST:PORT of a Dask scheduler")
    connected = optional_library("distributed", "this executor", "big").Client
    try:
        client = connected(f"tcp://{address}", timeout="10s")
    except OSError as error:
        raise InvalidParameter(f"no Dask scheduler answers at {address}: {error}") from None
    with client:
        yield client.get_executor()
