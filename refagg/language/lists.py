"""Checks of arguments that must be lists."""

from __future__ import annotations

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
            return list(given)
        except TypeError:
            pass
    raise wrong(f"{what} {shortened(given)}; {expected}")
