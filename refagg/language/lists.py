"""Checks of arguments that must be lists."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from refagg.errors import InvalidParameter, RefaggError
from refagg.language.number_texts import shortened


def listed(
    given: Any, what: str, expected: str, wrong: type[RefaggError] = InvalidParameter
) -> list[Any]:
    """The items of a list, a tuple, an array: of anything but a text. Raises `wrong`.

    The message says that `what` ("blocks are") it is, and what was `expected`.

    >>> listed(("a", "b"), "a block is", "give a list of names")
    ['a', 'b']
    """
    if not isinstance(given, (str, bytes)):
        try:
            return list(given.to_pylist() if hasattr(given, "to_pylist") else given)
        except TypeError:
            pass
    raise wrong(f"{what} {shortened(given)}; {expected}")


def check_labels(labels: Iterable[object], what: str, wrong: type[RefaggError]) -> None:
    """Raise `wrong` if a label of a record cannot be told from others, as it has no hash."""
    for record, label in enumerate(labels):
        try:
            hash(label)
        except TypeError:
            raise wrong(f"the {what} of record {record} is {label!r}; give a text") from None
