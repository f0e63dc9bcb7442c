"""What is known about an algorithm, as data.

The command line, the documentation, the property tests and the judges read these;
an algorithm that has a specification is thereby listed, checked and judged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import Any, Concatenate, Literal

from refagg.errors import InvalidParameter, NotANumber, NotFinite, UnknownParameter
from refagg.language.choices import Choices
from refagg.language.number_texts import rational, too_long


@dataclass(frozen=True, slots=True)
class Choice:
    """A parameter with named values; the first is the default."""

    name: str
    values: tuple[str, ...]
    meaning: str

    @property
    def default(self) -> str:
        return self.values[0]

    @property
    def allowed(self) -> str:
        return ", ".join(self.values)

    def read(self, given: Any) -> str:
        if given not in self.values:
            raise InvalidParameter(f"{self.name} is {given!r}; it can be {self.allowed}")
        return str(given)


@dataclass(frozen=True, slots=True)
class PositiveRational:
    """A parameter that is a rational number greater than 0."""

    name: str
    default: Fraction
    meaning: str

    @property
    def allowed(self) -> str:
        return "a number greater than 0"

    def read(self, given: Any) -> Fraction:
        value = _rational(self.name, given)
        if value is None or value <= 0:
            raise InvalidParameter(f"{self.name} is {given!r}; it must be {self.allowed}")
        return value


@dataclass(frozen=True, slots=True)
class Proportion:
    """A parameter that is a rational number from 0 to 1."""

    name: str
    default: Fraction
    meaning: str

    @property
    def allowed(self) -> str:
        return "a number from 0 to 1"

    def read(self, given: Any) -> Fraction:
        value = _rational(self.name, given)
        if value is None or not 0 <= value <= 1:
            raise InvalidParameter(f"{self.name} is {given!r}; it must be {self.allowed}")
        return value


@dataclass(frozen=True, slots=True)
class Integer:
    """A parameter that is an integer of at least `least`."""

    name: str
    default: int
    least: int
    meaning: str

    @property
    def allowed(self) -> str:
        return f"an integer of at least {self.least}"

    def read(self, given: Any) -> int:
        value = _rational(self.name, given)
        if value is None or value.denominator != 1 or value < self.least:
            raise InvalidParameter(f"{self.name} is {given!r}; it must be {self.allowed}")
        return int(value)


@dataclass(frozen=True, slots=True)
class NonNegative:
    """A parameter that is a rational number of at least 0."""

    name: str
    default: Fraction
    meaning: str

    @property
    def allowed(self) -> str:
        return "a number of at least 0"

    def read(self, given: Any) -> Fraction:
        value = _rational(self.name, given)
        if value is None or value < 0:
            raise InvalidParameter(f"{self.name} is {given!r}; it must be {self.allowed}")
        return value


@dataclass(frozen=True, slots=True)
class Attribute:
    """A parameter that is the number of an attribute, from 0; the first is the default."""

    name: str
    meaning: str
    default: int = 0

    @property
    def allowed(self) -> str:
        return "the number of an attribute, counted from 0"

    def read(self, given: Any) -> int:
        value = _rational(self.name, given)
        if value is None or value.denominator != 1 or value < 0:
            raise InvalidParameter(f"{self.name} is {given!r}; it must be {self.allowed}")
        return int(value)


Parameter = Choice | PositiveRational | Proportion | Integer | NonNegative | Attribute


def _by_default(parameter: Parameter, value: Any) -> Parameter:
    """A parameter with another default."""
    if isinstance(parameter, Choice):
        others = (other for other in parameter.values if other != value)
        return replace(parameter, values=(value, *others))
    return replace(parameter, default=value)


def _rational(name: str, given: Any) -> Fraction | None:
    """A number or its text as a fraction; None for anything else.

    Raises InvalidParameter for a text that is too long.
    """
    if isinstance(given, str) and (reason := too_long(given.strip())):
        raise InvalidParameter(f"{name}: {reason}")
    try:
        return rational(given, name)
    except (NotANumber, NotFinite):
        return None


@dataclass(frozen=True, slots=True)
class OpenChoice:
    """A choice that a source leaves open: its name, the step it belongs to, what it is."""

    name: str
    step: str
    meaning: str
    what: str = "record"
    """What the candidates are: a "record", a "group" by its number in order of formation, a
    "pair" of either, a "size" of a group, or the answers of a "test"."""
    measure: str = "distance^2"
    """The number by which the candidates are ranked."""

    @property
    def place(self) -> str:
        """Where the choice is made, for a reader: "step 3", or "centroid" outside all steps."""
        return f"step {self.step}" if self.step[:1].isdigit() else self.step


Needs = Literal["Dissimilarities", "Centroids", "Numeric", "Coordinates", "Real"]
"""A protocol of `refagg.language.space`."""

Enough = Needs | Literal[""]
"""A protocol that is enough, or none."""

Algorithm = Callable[Concatenate[Any, int, Choices, ...], Any]
"""(space, k, choices, **parameters) -> what the specification says that it yields."""


def _always(**settings: Any) -> Literal[""]:
    return ""


def _no_smaller_than_k(k: int, **settings: Any) -> int:
    return k


@dataclass(frozen=True, slots=True)
class Specification:
    """One algorithm of the catalogue.

    `needs` names the protocol of `refagg.language.space` that the algorithm is written
    against. `yields` says what it returns: a "partition" into groups, whose aggregates are
    released, or "deviations", for each record a row of floats to be added to its values, or
    "centres" that are released themselves, with the centre of each record (`FuzzyGroups`).

    `attributes` says how many it can work with: "any" number, exactly "one", or "each" by
    itself, as if each were a table of its own. `random` algorithms draw from the random stream.
    """

    name: str
    title: str
    source: str
    run: Algorithm
    largest_group: Callable[..., int | None]
    """(k, **parameters) -> the size that no group exceeds when n >= k; None if there is none."""
    guarantees: str
    ties: tuple[OpenChoice, ...]
    decisions: tuple[int, ...]
    cost: str
    parameters: tuple[Parameter, ...] = ()
    needs: Needs = "Centroids"
    arithmetic: tuple[Literal["exact", "float"], ...] = ("exact", "float")
    yields: Literal["partition", "deviations", "centres"] = "partition"
    attributes: Literal["any", "one", "each"] = "any"
    random: bool = False
    smallest_group: Callable[..., int] = _no_smaller_than_k
    """(k, **parameters) -> the size that every group has at least when n >= k."""
    inapplicable: Callable[..., str] = _always
    """(**parameters) -> why these values cannot be combined; empty where they can."""
    enough: Callable[..., Enough] = _always
    """(**parameters) -> a smaller protocol that is enough with them; empty if none is."""
    irrational: Callable[..., str] = _always
    """(**parameters) -> why exact arithmetic is not possible with them; empty where it is."""
    publish: Callable[..., Sequence[Fraction]] | None = None
    """(values, groups, **parameters) -> what is released for each group of the only attribute,
    where that is not an aggregate of the group; None where it is."""
    heights: str = ""
    """Of an algorithm that merges clusters: by what number two are chosen; else empty."""
    variants: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Names that other programs have for it, with the parameters that each name stands for."""

    def settings(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All parameters with their values: those given, checked, and the other defaults.

        Raises UnknownParameter, InvalidParameter.
        """
        if not isinstance(given, Mapping):
            raise InvalidParameter(f"parameters are {given!r}; give each with its name, as a dict")
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in given:
            if name not in known:
                has = f"its parameters are {', '.join(known)}" if known else "it has none"
                raise UnknownParameter(f"{self.name} has no parameter {name!r}; {has}")
        settings = {
            name: parameter.read(given[name]) if name in given else parameter.default
            for name, parameter in known.items()
        }
        if reason := self.inapplicable(**settings):
            raise InvalidParameter(f"{self.name}: {reason}")
        return settings

    def variant(self, name: str) -> Specification:
        """This algorithm with the parameters that one of its other names stands for as defaults."""
        settings = self.settings(self.variants[name])
        return replace(
            self, parameters=tuple(_by_default(p, settings[p.name]) for p in self.parameters)
        )

    @property
    def takes_k(self) -> bool:
        """Does k mean anything to it?"""
        return self.yields != "deviations"

    def needed(self, settings: Mapping[str, Any]) -> Needs:
        """The protocol that a space must offer for these settings."""
        return self.enough(**settings) or self.needs

    @property
    def takes_kinds(self) -> bool:
        """Return True if it can do without numbers, at least with some parameters."""
        return self.needs in ("Centroids", "Dissimilarities") or self.enough is not _always

    def without_averages(self) -> str:
        """Say with which parameters it needs dissimilarities only; empty if with none."""
        choices = [parameter for parameter in self.parameters if isinstance(parameter, Choice)]
        names = [choice.name for choice in choices]
        enough: list[tuple[str, ...]] = []
        for values in product(*(choice.values for choice in choices)):
            settings = {p.name: p.default for p in self.parameters} | dict(
                zip(names, values, strict=True)
            )
            possible = not self.inapplicable(**settings) and "exact" in self.arithmetics(settings)
            if possible and self.needed(settings) == "Dissimilarities":
                enough.append(values)
        allowed = [list(dict.fromkeys(column)) for column in zip(*enough, strict=True)]
        return ", ".join(
            f"{choice.name} {' or '.join(values)}"
            for choice, values in zip(choices, allowed, strict=bool(allowed))
            if len(values) < len(choice.values)
        )

    def arithmetics(self, settings: Mapping[str, Any]) -> tuple[str, ...]:
        """The arithmetics in which these settings can be run."""
        return tuple(a for a in self.arithmetic if a != "exact" or not self.irrational(**settings))


def parameters(given: Sequence[str]) -> dict[str, str]:
    """NAME=VALUE texts as a dictionary. Raises InvalidParameter."""
    pairs: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise InvalidParameter(f"parameter {text!r} is not of the form NAME=VALUE")
        if name in pairs:
            raise InvalidParameter(f"parameter {name!r} is given twice")
        pairs[name] = value
    return pairs
