"""Arguments that must be lists, or names of a list."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import Any, TypeVar

from refagg.errors import InvalidParameter, RefaggError
from refagg.language.number_texts import shortened

K = TypeVar("K")
V = TypeVar("V")


def listed(
    given: object, what: str, expected: str, wrong: type[RefaggError] = InvalidParameter
) -> list[Any]:
    """Return the items of a list, tuple or array.

    Anything that can be listed is taken, except a text and a table, whose items would be its
    columns. Raises `wrong` otherwise. The message says that `what` ("blocks are") it is, and what
    was `expected`.

    >>> listed(("a", "b"), "a block is", "give a list of names")
    ['a', 'b']
    """
    if not isinstance(given, (str, bytes, Mapping)) and not hasattr(given, "columns"):
        try:
            return plain_list(given)
        except TypeError:
            pass
    raise wrong(f"{what} {shortened(given)}; {expected}")


def plain_list(items: Any) -> list[object]:
    """The items of an iterable, those of Arrow as Python's."""
    return list(items.to_pylist() if hasattr(items, "to_pylist") else items)


def by_key(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Return the values of each key, in the order of the keys.

    >>> by_key([("a", 1), ("b", 2), ("a", 3)])
    {'a': [1, 3], 'b': [2]}
    """
    found: dict[K, list[V]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def nearest(name: str, known: Iterable[str], least: float = 0.6) -> str:
    """Return the known name most similar to this one, or "".

    It begins with this one, of which at least four letters are given, or the similarity is a share
    of at least `least`.
    """
    by_letters = {one.casefold(): one for one in known}
    begun = [one for one in by_letters if name[3:] and one.startswith(name.casefold())]
    found = begun or get_close_matches(name.casefold(), by_letters, 1, least)
    return by_letters[found[0]] if found else ""


def question_for(name: object, known: Iterable[str]) -> str:
    """Return the question whether a known name is meant.

    The text is empty if no known name is near.

    >>> question_for("mdva", ["mdav", "hac"]), question_for("x", ["mdav"])
    ('did you mean mdav? ', '')
    """
    near = nearest(name, known) if isinstance(name, str) else ""
    return f"did you mean {near}? " if near else ""


def check_one_of(
    name: object,
    known: Collection[str],
    said: str,
    wrong: type[RefaggError] = InvalidParameter,
    others: str = "it can be",
) -> None:
    """Raise `wrong` unless a name is one of those known.

    The message suggests the nearest known name. `said` begins the message, such as "the order is".
    """
    if not isinstance(name, str) or name not in known:
        meant = question_for(name, known)
        raise wrong(f"{said} {shortened(name)}; {meant}{others} {', '.join(known) or 'none'}")


def check_labels(labels: Iterable[object], what: str, wrong: type[RefaggError]) -> None:
    """Raise `wrong` if a label of a record is not hashable.

    Without a hash a label cannot be distinguished from others.
    """
    for record, label in enumerate(labels):
        try:
            hash(label)
        except TypeError:
            raise wrong(
                f"the {what} of record {record} is {shortened(label)}; give a text"
            ) from None
