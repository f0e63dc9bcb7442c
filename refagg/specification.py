"""What is known about an algorithm, as data.

The command line, the documentation, the property tests and the judges read these;
an algorithm that has a specification is thereby listed, checked and judged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refagg.errors import InvalidParameter, UnknownParameter
from refagg.model import Partition


@dataclass(frozen=True, slots=True)
class Named:
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
class Positive:
    """A parameter that is a rational number greater than 0."""

    name: str
    default: Fraction
    meaning: str

    @property
    def allowed(self) -> str:
        return "a number greater than 0"

    def read(self, given: Any) -> Fraction:
        try:
            value = Fraction(str(given)) if isinstance(given, float) else Fraction(given)
        except (ValueError, TypeError, OverflowError, ZeroDivisionError):
            value = Fraction(0)
        if value <= 0 or isinstance(given, bool):
            raise InvalidParameter(f"{self.name} is {given!r}; it must be {self.allowed}")
        return value


Parameter = Named | Positive


@dataclass(frozen=True, slots=True)
class Tied:
    """A choice that a source leaves open: its name, the step it belongs to, what it is."""

    name: str
    step: str
    meaning: str
    what: str = "record"
    """What the candidates are: records, or groups by their number in order of formation."""


@dataclass(frozen=True, slots=True)
class Specification:
    """One algorithm of the catalogue.

    `needs` names the protocol of `refagg.spaces.protocol` that the algorithm is
    written against, `yields` what it returns: a partition into groups, whose
    aggregates are released.
    """

    name: str
    title: str
    source: str
    run: Callable[..., Partition]
    largest_group: Callable[..., int]
    """(k, **parameters) -> the size that no group exceeds when n >= k; none is smaller than k."""
    guarantees: str
    ties: tuple[Tied, ...]
    decisions: tuple[int, ...]
    cost: str
    parameters: tuple[Parameter, ...] = ()
    needs: str = "Centroids"
    arithmetic: tuple[str, ...] = ("exact", "float")
    yields: str = "partition"

    def settings(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All parameters with their values: those given, checked, and the other defaults.

        Raises UnknownParameter, InvalidParameter.
        """
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in given:
            if name not in known:
                has = f"its parameters are {', '.join(known)}" if known else "it has none"
                raise UnknownParameter(f"{self.name} has no parameter {name!r}; {has}")
        return {
            name: parameter.read(given[name]) if name in given else parameter.default
            for name, parameter in known.items()
        }
