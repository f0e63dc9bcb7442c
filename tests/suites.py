"""Which cases of a test are in the quick suite; all others are marked `long`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

import pytest

T = TypeVar("T")


def first_of_each(items: Iterable[T], key: Callable[[T], Hashable]) -> list[Any]:
    """The first case of each key is quick: an algorithm with its defaults, for example."""
    seen: set[Hashable] = set()
    cases = []
    for item in items:
        cases.append(_case(item, quick=key(item) not in seen))
        seen.add(key(item))
    return cases


def one_in(number: int, items: Iterable[T]) -> list[Any]:
    """Every so-many-th case is quick, the first one among them."""
    return [_case(item, quick=place % number == 0) for place, item in enumerate(items)]


def all_but(items: Iterable[T], slow: Iterable[T]) -> list[Any]:
    """All cases are quick but those that are named."""
    named = list(slow)
    return [_case(item, quick=item not in named) for item in items]


def only(items: Iterable[T], quick: Iterable[T]) -> list[Any]:
    """Of all cases, those that are named are quick."""
    named = list(quick)
    return [_case(item, quick=item in named) for item in items]


def _case(item: T, *, quick: bool) -> Any:
    return pytest.param(item, marks=() if quick else pytest.mark.long)
