"""Driver of checks: all applicable checks run, in their order.

Those are applicable that have what they need.

A function of a module of this package with `@check_at(place)` is a check of every road that has
what it needs: files, frames, stores, parts, releases alone, draws, identify, conform, hunt. Nothing
else lists it. Its parameters are the names of facts:

- on all roads `k`, and `classes`, the groups of records that are judged, counted;
- `shape`, what the tables hold; `promise`, what a release promises of k-anonymity;
- of a release beside its original `case` and `groups`, and of tables in memory `granted`, `losses`,
  `scaled`, and where there are any `constraints`, `methods`, `deviating`; `several` blocks;
- of cells that are compared by equality `cells`, `alike`, `frequencies`, `gappy`, `equality`;
- of confidential columns `confidential`, `promises`, `kinds`, `diverse`; of others `columns`;
- of centres to which records were drawn `drawn`, `observed`, `published`, `seen`, `again`;
- of answers of programs `question`, `reading`, `part`, `parts`, `strict`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, TypeVar

import oracle.auditing as package

Facts = Mapping[str, object]
"""What is available, by name."""

JUDGE = "oracle."
"""Copies of modules under other names, as tests make them, define no checks."""


@dataclass(frozen=True, slots=True)
class Check:
    """Check in the list of checks, with its result.

    `status` is "holds", "fails", "not judged" or "reported".

    Reported is what was found out about something that the release does not promise.
    """

    name: str
    status: str
    summary: str
    witness: tuple[str, ...] = field(default=(), repr=False)
    details: dict[str, Any] = field(default_factory=dict, repr=False)


Found = Check | Iterable[Check] | None

F = TypeVar("F", bound=Callable[..., Found])


@dataclass(frozen=True, slots=True)
class Definition:
    """Definition of a check: its place, needs and function.

    The place is where it stands among others; the function makes it.
    """

    place: int
    name: str
    needs: tuple[str, ...]
    function: Callable[..., Found]

    def stands(self, there: Collection[str], inside: str) -> bool:
        """Return True if its module is given, or elsewhere in the judge."""
        module = self.name.rpartition(".")[0]
        return module in there or (module.startswith(JUDGE) and not module.startswith(inside))

    def lacks(self, facts: Facts) -> list[str]:
        """Return what is not available."""
        return [name for name in self.needs if name not in facts]

    def found(self, facts: Facts) -> Iterator[Check]:
        """Yield what the check finds."""
        found = self.function(**{name: facts[name] for name in self.needs})
        if isinstance(found, Check):
            yield found
        elif found is not None:
            yield from found


DEFINED: dict[str, Definition] = {}
"""The checks of the modules that were imported, by module and function."""


def check_at(place: int) -> Callable[[F], F]:
    """Define a check by its function.

    The function returns one check, several, or None where there is nothing to say.
    """

    def defined(function: F) -> F:
        name = f"{function.__module__}.{function.__name__}"
        needs = tuple(inspect.signature(function).parameters)
        DEFINED[name] = Definition(place, name, needs, function)
        return function

    return defined


def definitions() -> list[Definition]:
    """Return all checks of modules that are there, in their order."""
    inside = f"{package.__name__}."
    there = {module.name for module in iter_modules(package.__path__, inside)}
    for name in there:
        import_module(name)
    found = [one for one in DEFINED.values() if one.stands(there, inside)]
    return sorted(found, key=lambda one: (one.place, one.name))


def driven(*parts: Facts) -> Iterator[Check]:
    """Yield the findings of all checks that have what they need.

    Each check runs in one part after the other.
    """
    for one in definitions():
        for facts in parts:
            if not one.lacks(facts):
                yield from one.found(facts)


def not_driven(facts: Facts) -> dict[str, str]:
    """Return for each check that does not apply what it needs."""
    return {
        one.name: f"needs {', '.join(lacking)}"
        for one in definitions()
        if (lacking := one.lacks(facts))
    }
