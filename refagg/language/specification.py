"""Specification of an algorithm: the known facts about it, as data.

The command line, the documentation, the property tests and the judges read these;
an algorithm that has a specification is thereby listed, checked and judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import Any, Concatenate, Literal

from refagg.errors import InvalidParameter, NotANumber, NotFinite, UnknownColumn, UnknownParameter
from refagg.language.choices import Choices
from refagg.language.lists import check_one_of
from refagg.language.number_texts import rational, shortened, too_long

ParameterKind = Literal[
    "choice", "integer", "attribute", "positive", "proportion", "non-negative", "ends", "widths"
]
"""One of some named values, an integer, the number of an attribute, a rational number, or rational
numbers of attributes: any, or positive ones."""

OF_EACH = ("ends", "widths")
"""One number serves all attributes, or each has its own."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an algorithm: name, possible values, default, meaning."""

    name: str
    kind: ParameterKind
    default: Any
    meaning: str
    values: tuple[str, ...] = ()
    """Those of a choice."""
    least: int = 0
    """Of an integer."""
    stated: bool = False
    """Functions have no default for it."""

    @property
    def allowed(self) -> str:
        """Return the values that it can have, for a reader."""
        return {
            "choice": ", ".join(self.values),
            "integer": f"an integer of at least {self.least}",
            "attribute": "an attribute: its name, or its number, counted from 0",
            "positive": "a number greater than 0",
            "proportion": "a number from 0 to 1",
            "non-negative": "a number of at least 0",
            "ends": "a number, or one for each attribute: 0,-10",
            "widths": "a number greater than 0, or one for each attribute: 5,20",
        }[self.kind]

    def read(self, given: object) -> Any:
        """Return the value that is given, or its text. Raises InvalidParameter."""
        if self.kind == "choice":
            check_one_of(given, self.values, f"{self.name} is")
            return str(given)
        if self.kind in OF_EACH and (parts := _parts(given)):
            return tuple(map(self._number, parts))
        return self._number(given)

    def _number(self, given: object) -> int | Fraction:
        value = _rational(self.name, given)
        if value is None or not self._fits(value):
            raise InvalidParameter(f"{self.name} is {shortened(given)}; it must be {self.allowed}")
        return int(value) if self.whole else value

    @property
    def whole(self) -> bool:
        """Return True if its values are integers."""
        return self.kind in ("integer", "attribute")

    def _fits(self, value: Fraction) -> bool:
        if self.whole and value.denominator != 1:
            return False
        if self.kind in ("positive", "widths"):
            return value > 0
        if self.kind == "ends":
            return True
        return value >= self.least and (self.kind != "proportion" or value <= 1)


def choice(name: str, values: tuple[str, ...], meaning: str) -> Parameter:
    """One of some named values; the first is the default."""
    return Parameter(name, "choice", values[0], meaning, values)


def integer(name: str, default: int, least: int, meaning: str) -> Parameter:
    """An integer of at least `least`."""
    return Parameter(name, "integer", default, meaning, least=least)


def attribute(name: str, meaning: str, stated: bool = False) -> Parameter:
    """The number of an attribute, from 0; the first is the default."""
    return Parameter(name, "attribute", 0, meaning, stated=stated)


def positive(name: str, default: Fraction, meaning: str) -> Parameter:
    """A rational number greater than 0."""
    return Parameter(name, "positive", default, meaning)


def proportion(name: str, default: Fraction, meaning: str) -> Parameter:
    """A rational number from 0 to 1."""
    return Parameter(name, "proportion", default, meaning)


def non_negative(name: str, default: Fraction, meaning: str) -> Parameter:
    """A rational number of at least 0."""
    return Parameter(name, "non-negative", default, meaning)


def of_each(name: str, default: Fraction, meaning: str, positive: bool = False) -> Parameter:
    """Return a parameter with one rational number for each attribute.

    Its value is one number for all attributes, or a tuple with one number for each.
    """
    return Parameter(name, "widths" if positive else "ends", default, meaning)


def parameter_text(value: object) -> str:
    """Format a parameter's value as it is written on a command line.

    >>> parameter_text((Fraction(1, 2), Fraction(-3))), parameter_text("mdav")
    ('1/2,-3', 'mdav')
    """
    return ",".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)


def _parts(given: object) -> list[Any]:
    """Return the numbers given for several attributes.

    The list is empty if there is only one number.
    """
    if isinstance(given, str):
        return given.split(",") if "," in given else []
    return list(given) if isinstance(given, Iterable) else []


def _by_default(parameter: Parameter, value: Any) -> Parameter:
    """A parameter with another default."""
    others = tuple(other for other in parameter.values if other != value)
    values = (value, *others) if parameter.kind == "choice" else ()
    return replace(parameter, default=value, values=values)


def _rational(name: str, given: object) -> Fraction | None:
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
    """A choice that a source leaves open: name, step, meaning."""

    name: str
    step: str
    meaning: str
    what: str = "record"
    """What the candidates are: a "record", a "group" by its number in order of formation, a
    "pair" of either, a "size" of a group, or the answers of a "test"."""
    measure: str = "distance^2"
    """The number by which the candidates are ranked."""
    predicate: str = ""
    """What a trace says that the chosen one is, where the meaning does not follow "is"."""

    @property
    def place(self) -> str:
        """Return the place of the choice, for a reader.

        The place is "step 3", for example, or "centroid" outside all steps.
        """
        steps = "steps" if " and " in self.step else "step"
        return f"{steps} {self.step}" if self.step[:1].isdigit() else self.step


FIXED = (
    OpenChoice("loop", "condition", "whether enough records remain for another turn", "test"),
    OpenChoice("last division", "condition", "whether the last records are divided", "test"),
    OpenChoice("division", "condition", "whether a group is large enough to be divided", "test"),
    OpenChoice("order", "order", "by which numbers the records are sorted", "order"),
    OpenChoice("can be cut", "condition", "whether a part can be cut at an attribute", "test"),
    OpenChoice("cut", "cut", "where a part is cut", "cut"),
    OpenChoice("round", "condition", "whether there is another round", "test"),
    OpenChoice("merger", "condition", "whether two groups are merged", "test"),
    OpenChoice("exchange", "condition", "whether another exchange is tried", "test"),
    OpenChoice("rest", "rest", "which group takes in the last records", "number"),
    OpenChoice("first end", "order", "which of the two ends goes first", "first"),
    OpenChoice("last end", "order", "around which of the two ends the last group is", "first"),
    OpenChoice("least size", "number", "how many records a group or a part has at least", "size"),
    OpenChoice("cap", "number", "how many records a group has at most", "size"),
    OpenChoice("group size", "number", "how many records a group has", "size"),
)
"""Choices that no source leaves open, which have names so that a judge can say which is wrong."""

Needs = Literal["Dissimilarities", "Centroids", "Numeric", "Coordinates", "Real"]
"""A protocol of `refagg.language.space`."""

Enough = Needs | Literal[""]
"""A protocol that is enough, or none."""

Algorithm = Callable[Concatenate[Any, int, Choices, ...], Any]
"""(space, k, choices, **parameters) -> what the specification says that it yields."""


def _always(**settings: object) -> Literal[""]:
    return ""


def _no_larger_than_2k_less_1(k: int, **settings: object) -> int:
    return 2 * k - 1


def _no_smaller_than_k(k: int, **settings: object) -> int:
    return k


@dataclass(frozen=True, slots=True, repr=False)
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
    largest_group: Callable[..., int | None] = _no_larger_than_2k_less_1
    """(k, **parameters) -> the size that no group exceeds when n >= k; None if there is none."""
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

    def __repr__(self) -> str:
        return f"<Specification {self.name}: {self.title}>"

    def settings(self, given: Mapping[str, object]) -> dict[str, Any]:
        """All parameters with their values: those given, checked, and the other defaults.

        Raises UnknownParameter, InvalidParameter.
        """
        given = parameters_of(given)
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in given:
            said = f"{self.name} has no parameter"
            check_one_of(name, known, said, UnknownParameter, "its parameters are")
        settings = {
            name: parameter.read(given[name]) if name in given else parameter.default
            for name, parameter in known.items()
        }
        if reason := self.inapplicable(**settings):
            raise InvalidParameter(f"{self.name}: {reason}")
        return settings

    def numbered(self, given: Mapping[str, object], names: Sequence[str]) -> dict[str, Any]:
        """Return parameters with the numbers of attributes that are named; UnknownColumn."""
        attributes = self.of_attributes
        found = {n: v for n, v in given.items() if v is not None or n not in attributes}
        for name in attributes:
            value = found.get(name)
            if isinstance(value, str) and value in names:
                found[name] = list(names).index(value)
            elif isinstance(value, str) and not value.strip().isdecimal():
                raise UnknownColumn(f"{name} is {value!r}; the attributes are {', '.join(names)}")
        for name in self.of_each & found.keys():
            found[name] = _in_order(name, found[name], names)
        return found

    def stated(self, given: Mapping[str, object], names: Sequence[str]) -> dict[str, Any]:
        """Return the parameters as `numbered` does, and require the stated ones.

        Raises InvalidParameter for a parameter that has to be stated and is not, unless there is
        only one attribute.
        """
        found = self.numbered(given, names)
        for one in self.parameters:
            if one.stated and one.name not in found and len(names) > 1:
                raise InvalidParameter(
                    f"{self.name}: {one.name} is not given; name one of {', '.join(names)}"
                )
        return found

    def first_attributes(self) -> dict[str, str]:
        """Return the first attribute for each parameter that must be stated."""
        return {one.name: str(one.default) for one in self.parameters if one.stated}

    @property
    def of_attributes(self) -> list[str]:
        """The names of the parameters whose values are attributes."""
        return [one.name for one in self.parameters if one.kind == "attribute"]

    @property
    def of_each(self) -> set[str]:
        """The names of the parameters that have a value for each attribute."""
        return {one.name for one in self.parameters if one.kind in OF_EACH}

    def named(self, given: Mapping[str, object], names: Sequence[str]) -> dict[str, Any]:
        """Return parameters in which attributes that are numbered are named."""
        numbers = self.stated(given, names)
        for name in self.of_each & numbers.keys():
            if parts := _parts(numbers[name]):
                numbers[name] = dict(zip(names, parts, strict=True))
        return numbers | {
            name: names[int(number)]
            for name, number in numbers.items()
            if name in self.of_attributes and int(number) < len(names)
        }

    def variant(self, name: str) -> Specification:
        """Return this algorithm as one of its variants.

        The parameters that the other name stands for become defaults.
        """
        settings = self.settings(self.variants[name])
        return replace(
            self, parameters=tuple(_by_default(p, settings[p.name]) for p in self.parameters)
        )

    @property
    def takes_k(self) -> bool:
        """Return True if k means anything to it."""
        return self.yields != "deviations"

    def needed(self, settings: Mapping[str, object]) -> Needs:
        """The protocol that a space must offer for these settings."""
        return self.enough(**settings) or self.needs

    def without_averages(self) -> str:
        """Say with which parameters it needs dissimilarities only; empty if with none."""
        choices = [parameter for parameter in self.parameters if parameter.kind == "choice"]
        names = [choice.name for choice in choices]
        enough: list[tuple[str, ...]] = []
        for values in product(*(choice.values for choice in choices)):
            chosen = dict(zip(names, values, strict=True))
            settings = {p.name: p.default for p in self.parameters} | chosen
            possible = not self.inapplicable(**settings) and "exact" in self.arithmetics(settings)
            if possible and self.needed(settings) == "Dissimilarities":
                enough.append(values)
        allowed = [list(dict.fromkeys(column)) for column in zip(*enough, strict=True)]
        return ", ".join(
            f"{choice.name} {' or '.join(values)}"
            for choice, values in zip(choices, allowed, strict=bool(allowed))
            if len(values) < len(choice.values)
        )

    def arithmetics(self, settings: Mapping[str, object]) -> tuple[str, ...]:
        """The arithmetics in which these settings can be run."""
        return tuple(a for a in self.arithmetic if a != "exact" or not self.irrational(**settings))


def _in_order(name: str, given: object, names: Sequence[str]) -> Any:
    """Return one value, or that of each attribute. Raises UnknownColumn, InvalidParameter."""
    if isinstance(given, Mapping):
        if missing := [one for one in names if one not in given]:
            raise UnknownColumn(f"{name} has no value for {', '.join(missing)}; give one for each")
        return tuple(given[one] for one in names)
    if (parts := _parts(given)) and len(parts) != len(names):
        raise InvalidParameter(
            f"{name} has {len(parts)} values, and there are {len(names)} attributes: "
            f"{', '.join(names)}"
        )
    return given


def parameters_of(given: object) -> Mapping[str, object]:
    """Parameters by name; none for None. Raises InvalidParameter."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InvalidParameter(f"parameters are {given!r}; give each with its name, as a dict")
    return given
