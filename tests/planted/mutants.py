"""The list of planted mistakes, `mistakes.toml`, as three drivers take it.

`MUTANTS` are mistakes in algorithms, for the judges and the hunt (`catch`, `tests.faulty`);
`LINES` are mistakes in all other modules, for the suite in a copy of the project (`in_packages`);
`planted_by` gives those that a test file plants itself.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from refagg.catalogue import CATALOGUE

from .mutant import Mutant
from .planting import Change

LIST = Path(__file__).with_name("mistakes.toml")


@dataclass(frozen=True, slots=True)
class Line:
    """A mistake in a module: the tests of these names must fail, the `cases` of them if named."""

    module: str
    change: Change
    tests: str
    cases: str = ""


@dataclass(frozen=True, slots=True)
class Own:
    """A mistake that a test file plants itself, in the function that it names."""

    mistake: str
    module: str
    function: str
    change: Change

    def __str__(self) -> str:
        return self.mistake or str(self.change)


def _change(one: dict[str, Any]) -> Change:
    choice, number = one.get("choice", ""), one.get("number", 1)
    return Change(one.get("in", ""), one.get("at", ""), one["becomes"], choice, number)


def _mutant(algorithm: str, one: dict[str, Any]) -> Mutant:
    given = tuple(one.get("parameters", {}).items())
    change = _change(one)
    steps = tuple(one.get("step", [change.choice] if change.choice else []))
    return Mutant(one["mistake"], algorithm, change, one.get("module", ""), given, steps)


LISTED = [
    (place, one)
    for place, mistakes in tomllib.loads(LIST.read_text(encoding="utf-8")).items()
    for one in mistakes
]

MUTANTS: tuple[Mutant, ...] = tuple(
    _mutant(place, one) for place, one in LISTED if place in CATALOGUE and "planted_by" not in one
)

LINES: tuple[Line, ...] = tuple(
    Line(place, _change(one), one["seen_by"], one.get("cases", ""))
    for place, one in LISTED
    if "seen_by" in one
)


def mutants_planted_by(file: str) -> list[Mutant]:
    """Mistakes in algorithms that a test file plants itself."""
    chosen = [(p, one) for p, one in LISTED if one.get("planted_by") == file and p in CATALOGUE]
    return [_mutant(place, one) for place, one in chosen]


def planted_by(file: str) -> list[Own]:
    """Mistakes in other modules that a test file plants itself."""
    return [
        Own(one.get("mistake", ""), place, one["function"], _change(one))
        for place, one in LISTED
        if one.get("planted_by") == file and "function" in one
    ]
