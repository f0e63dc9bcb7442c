"""One implementation that is hunted, and the right programs that others are made from.

A program is a function of records (rows of floats) and k, with the parameters of the claimed
algorithm as keywords. It returns groups, labels, or a dictionary with more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from typing import Any

from refagg import exact_space, float_space
from refagg.catalogue import CATALOGUE, specification
from refagg.language.choices import Choices
from refagg.language.random_stream import RandomStream, seeded
from refagg.language.ties import LOWEST, TieBreaker

Rows = Sequence[Sequence[float]]
Groups = list[list[int]]
Program = Callable[..., Any]

SEED = 7
"""Of the random stream that random algorithms are asked to draw from."""

QUICK: Mapping[str, Mapping[str, str]] = {
    "genetic": {"population": "4", "iterations": "10"},
    "one-step": {"macrogroup": "2", "population": "4", "iterations": "10"},
    "two-step": {"macrogroup": "2", "population": "4", "iterations": "10"},
    "local-search": {"rounds": "3"},
}
"""Parameters with which an algorithm is quick enough to be asked many times."""


@dataclass(frozen=True, slots=True)
class Implementation:
    """A program, what it claims to be, and what is wrong with it; `flaw` is empty for a right one.

    It is asked with these parameters, on this scale, and with this seed. One that breaks ties
    anew with every call `varies`; `precision` is that of its arithmetic.
    One with a `command` is a program of its own, in another language.
    """

    name: str
    claim: str
    flaw: str
    program: Program
    parameters: Mapping[str, str] = field(default_factory=dict)
    standardise: str = "none"
    seed: int | None = None
    varies: bool = False
    precision: str = "binary64"
    command: tuple[str, ...] = ()

    @property
    def style(self) -> str:
        """How it is written, whatever it claims."""
        return self.name.partition(": ")[2]


def implementation(
    name: str,
    claim: str,
    flaw: str,
    program: Program,
    parameters: Mapping[str, str] | None = None,
    standardise: str = "none",
) -> Implementation:
    """An implementation with the quick parameters of its algorithm, and a seed if that draws."""
    known = CATALOGUE.get(claim)
    seed = SEED if known and known.random else None
    asked = {**QUICK.get(claim, {}), **(parameters or {})}
    return Implementation(name, claim, flaw, program, asked, standardise, seed)


def settings_of(claim: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of the algorithm among the keywords that a program is given."""
    spec = specification(claim)
    names = {parameter.name for parameter in spec.parameters}
    return spec.settings({name: value for name, value in given.items() if name in names})


def stream_for(given: Mapping[str, Any]) -> RandomStream:
    """The random stream of the seed that a program is given."""
    seed = given.get("seed")
    return seeded(SEED if seed is None else int(seed))


def library(
    claim: str,
    tie_breaker: Callable[[], TieBreaker] = lambda: LOWEST,
    arithmetic: str = "",
    how: str = "none",
) -> Program:
    """The algorithm of the library, exact where it can be, with another rule for ties."""
    spec = specification(claim)

    def program(records: Rows, k: int, **given: Any) -> Groups:
        settings = settings_of(claim, given)
        kind = arithmetic or spec.arithmetics(settings)[0]
        space = (exact_space if kind == "exact" else float_space)([list(r) for r in records], how)
        partition = spec.run(space, k, Choices(tie_breaker(), stream_for(given)), **settings)
        return [list(group) for group in partition.groups]

    return program


def plain(claim: str) -> Program:
    """The program for this algorithm that is written straight from the paper's words."""
    module: Any = import_module("plain." + claim.replace("-", "_"))

    def program(records: Rows, k: int, **given: Any) -> Groups:
        rows = [tuple(map(Fraction, row)) for row in records]
        groups: Groups = module.partition(rows, k, **settings_of(claim, given))
        return groups

    return program
