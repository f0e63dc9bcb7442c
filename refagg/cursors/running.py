"""A text on a cursor as the `run` of a specification: from a space to a partition."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, Protocol, TypeVar

from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.language.space import Centroids


class FinalGroups(Protocol):
    """A cursor when a text has ended."""

    def partition(self) -> Partition:
        """The groups."""


C = TypeVar("C", bound=FinalGroups)

OnSpace = Callable[Concatenate[Centroids[Any], int, Choices, ...], Partition]


def on(
    begun: Callable[[Any, Choices], C], text: Callable[Concatenate[C, int, ...], FinalGroups | None]
) -> OnSpace:
    """Run a text on a cursor that begins with all records; it ends with this or another one."""

    @wraps(text)
    def run_on(space: Any, k: int, choices: Choices, **parameters: Any) -> Partition:
        cursor = begun(space, choices)
        ended = text(cursor, k, **parameters)
        return (cursor if ended is None else ended).partition()

    return run_on
