"""An algorithm with one planted mistake, that somebody could make.

A mutant is made from the text of the real module, so that it is wrong in that place only.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

from refagg.catalogue import specification
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.language.random_stream import seeded
from refagg.language.specification import Specification

from .planting import Change, NotPlanted, changed_module

SEED = 7
"""Of the random stream that a mutant of a random algorithm draws from, and the right one beside
it."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A mistake: the change is made in `module` (of the package that the algorithm's own is in,
    and the own one if it has no name; or of the full name that it has).
    """

    mistake: str
    algorithm: str
    change: Change
    module: str = ""
    parameters: tuple[tuple[str, Any], ...] = ()
    steps: tuple[str, ...] = ()
    """The names of the choices or conditions that are wrong; none if the place has no name."""

    @property
    def settings(self) -> dict[str, Any]:
        return specification(self.algorithm).settings(dict(self.parameters))

    def module_name(self) -> str:
        """The full name of the changed module."""
        return self._name(specification(self.algorithm).run.__module__)

    def function(self) -> Callable[..., Any]:
        """The mutated algorithm. Raises NotPlanted."""
        own = specification(self.algorithm).run.__module__
        name = self._name(own)
        module = changed_module(name, self.change)
        if name != own:
            module = _importing(own, name, module)
        return _specified(module, self.algorithm).run

    def _name(self, own: str) -> str:
        if not self.module:
            return own
        named_in_full = self.module.startswith("refagg.")
        return self.module if named_in_full else f"{_package(own)}.{self.module}"

    def result(self, space: Any, k: int, choices: Choices) -> Any:
        """What the mutated algorithm yields."""
        return self.function()(space, k, choices, **self.settings)

    def partition(self, space: Any, k: int) -> Partition:
        found: Partition = self.result(space, k, Choices(stream=seeded(SEED)))
        return found


def _specified(module: ModuleType, algorithm: str) -> Specification:
    """The specification of an algorithm that a module holds, alone or among several."""
    for value in vars(module).values():
        for spec in value if isinstance(value, tuple) else (value,):
            if isinstance(spec, Specification) and spec.name == algorithm:
                return spec
    raise NotPlanted(f"{module.__name__} has no specification of {algorithm!r}")


def _package(module: str) -> str:
    return module.rpartition(".")[0]


def _importing(own: str, name: str, changed: ModuleType) -> ModuleType:
    """The algorithm's own module, as if the module of this name were the changed one.

    The texts and cursors that it imports are loaded again with it.
    """
    again = [
        m for m in sys.modules if m.startswith(TEXTS) and not hasattr(sys.modules[m], "__path__")
    ]
    originals = {module: sys.modules[module] for module in {name, *again}}
    for module in again:
        _forget(module)
    _put(name, changed)
    try:
        return import_module(own)
    finally:
        for module, original in originals.items():
            _put(module, original)


TEXTS = ("refagg.algorithms.", "refagg.cursors.")


def _put(name: str, module: ModuleType) -> None:
    sys.modules[name] = module
    package, _, leaf = name.rpartition(".")
    setattr(sys.modules[package], leaf, module)


def _forget(name: str) -> None:
    del sys.modules[name]
    package, _, leaf = name.rpartition(".")
    delattr(sys.modules[package], leaf)
