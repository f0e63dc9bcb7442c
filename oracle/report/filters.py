"""Filters of a page: which of the things that it lists are shown, by their status, claim or check.

They are radio buttons and rules of CSS, as a page runs nothing. A browser without `:has` shows all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Filter:
    """A property by which things can be chosen, and how many have each of its values."""

    name: str
    counts: Mapping[str, int]

    @property
    def options(self) -> list[tuple[int, str, int]]:
        """For each value its number, which the page has for it, and how many have the value."""
        return [(number, *pair) for number, pair in enumerate(self.counts.items())]


def filters_of(things: Sequence[Mapping[str, str]]) -> list[Filter]:
    """A filter for each property in which the things differ.

    >>> things = [{"status": "failed", "claim": "md"}, {"status": "passed", "claim": "md"}]
    >>> [(one.name, one.options) for one in filters_of(things)]
    [('status', [(0, 'failed', 1), (1, 'passed', 1)])]
    """
    names = dict.fromkeys(name for thing in things for name in thing)
    found = [Filter(name, Counter(thing[name] for thing in things)) for name in names]
    return [one for one in found if len(one.counts) > 1]


def marks(filters: Sequence[Filter], thing: Mapping[str, str]) -> str:
    """The attributes by which the page chooses a thing; they hold numbers only."""
    return "".join(
        f' data-{one.name}="{list(one.counts).index(thing[one.name])}"'
        for one in filters
        if one.name in thing
    )
