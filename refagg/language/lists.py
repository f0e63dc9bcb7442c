"""Arguments that must be lists, or names of a list."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
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
            return plain_list(given)
        except TypeError:
            pass
    raise wrong(f"{what} {shortened(given)}; {expected}")


def plain_list(items: Any) -> list[Any]:
    """The items of an iterable, those of Arrow as Python's."""
    return list(items.to_pylist() if hasattr(items, "to_pylist") else items)


def question_for(name: object, known: Iterable[str]) -> str:
    """The question whether a known name is meant; empty where none is near.

    >>> question_for("mdva", ["mdav", "hac"]), question_for("x", ["mdav"])
    ('did you mean mdav? ', '')
    """
    return "".join(f"did you mean {one}? " for one in get_close_matches(str(name), known, 1))


def check_labels(labels: Iterable[object], what: str, wrong: type[RefaggError]) -> None:
    """Raise `wrong` if a label of a record cannot be told from others, as it has no hash."""
    for record, label in enumerate(labels):
        try:
            hash(label)
        except TypeError:
            raise wrong(f"the {what} of record {record} is {label!r}; give a text") from None
