"""The driver of checks: all run that have what they need, in their order."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import oracle.checks as checks
from oracle.auditing.checks import Check

Facts = Mapping[str, object]
"""What is at hand, by name."""

Found = Check | Iterable[Check] | None


@dataclass(frozen=True, slots=True)
class Definition:
    """A check: where it stands among others, what it needs, and the function that makes it."""

    place: int
    name: str
    needs: tuple[str, ...]
    function: Callable[..., Found]

    def lacks(self, facts: Facts) -> list[str]:
        """Return what is not at hand."""
        return [name for name in self.needs if name not in facts]

    def found(self, facts: Facts) -> Iterator[Check]:
        """Yield what the check finds."""
        found = self.function(**{name: facts[name] for name in self.needs})
        if isinstance(found, Check):
            yield found
        elif found is not None:
            yield from found


def check(place: int) -> Callable[[Callable[..., Found]], Definition]:
    """Define a check by its function: one check, several, or None where there is nothing to say."""

    def defined(function: Callable[..., Found]) -> Definition:
        needs = tuple(inspect.signature(function).parameters)
        return Definition(place, function.__name__.replace("_", " "), needs, function)

    return defined


@cache
def definitions(package: str = checks.__name__) -> tuple[Definition, ...]:
    """Return the checks that the modules of a package hold, in their order."""
    modules = iter_modules(import_module(package).__path__, f"{package}.")
    values = (v for module in modules for v in vars(import_module(module.name)).values())
    return tuple(sorted((v for v in values if isinstance(v, Definition)), key=_order))


def _order(one: Definition) -> tuple[int, str]:
    return one.place, one.name


def driven(*parts: Facts, more: tuple[Definition, ...] = ()) -> Iterator[Check]:
    """Yield what all checks find that have what they need, each in one part after the other.

    `more` are checks of one road beside those of the package.
    """
    for one in sorted((*definitions(), *more), key=_order):
        for facts in parts:
            if not one.lacks(facts):
                yield from one.found(facts)


def not_driven(facts: Facts) -> dict[str, str]:
    """Return why each of the other checks does not apply: what it needs."""
    return {
        one.name: f"needs {', '.join(lacking)}"
        for one in definitions()
        if (lacking := one.lacks(facts))
    }
