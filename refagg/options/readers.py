"""Readers of the texts of options."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from refagg.data.kinds import DECLARED
from refagg.errors import InvalidParameter, NotANumber, NotFinite
from refagg.language.number_texts import number_of, rational, shortened, too_long

if TYPE_CHECKING:
    from refagg.constraints.equations import Constraint


def number(text: str, name: str) -> Fraction:
    """A decimal or a fraction. Raises InvalidParameter."""
    try:
        return number_of(text, name)
    except (NotANumber, NotFinite):
        why = too_long(text.strip())
        raise InvalidParameter(
            f"{name} is {shortened(text)}, which is not a number"
            + f" that can be read: {why}" * bool(why)
        ) from None


def exact(given: object, name: str) -> Fraction:
    """The exact number that is given. Raises InvalidParameter."""
    try:
        return rational(given, name)
    except (NotANumber, NotFinite):
        raise InvalidParameter(f"{name} is {shortened(given)}, which is not a number") from None


def trim(text: str) -> Fraction:
    """The share of a trimmed mean. Raises InvalidParameter."""
    return number(text, "trim")


def names(text: str) -> list[str]:
    """The names in "A,B,..."."""
    return [name.strip() for name in text.split(",")]


def times(text: str) -> list[Fraction]:
    """The times in "0,1,3.5". Raises InvalidParameter."""
    return [number(part.strip(), "a time") for part in text.split(",")]


def weights(texts: Sequence[str]) -> dict[str, Fraction]:
    """The weights of attributes, by name. Raises InvalidParameter."""
    named = pairs(texts, "--weight", "[^=]*")
    return {name: number(text, f"the weight of {name}") for name, text in named.items()}


def kinds(texts: Sequence[str]) -> dict[str, str]:
    """The kinds of attributes, by name. Raises InvalidParameter."""
    return pairs(texts, "--kind", f"({'|'.join(DECLARED)})(:.*)?")


def constraints(texts: Sequence[str]) -> list[Constraint]:
    """The constraints in equations. Raises InvalidConstraintText."""
    from refagg.constraints.equations import parse_constraint

    return [parse_constraint(text) for text in texts]


def measures(text: str) -> str | list[str]:
    """The names of measures, or "all"."""
    return names(text) if text != "all" else text


def parameters(texts: Sequence[str]) -> dict[str, str]:
    """The parameters of an algorithm, by name. Raises InvalidParameter."""
    return pairs(texts, "parameter")


def aggregates(texts: Sequence[str]) -> dict[str, str]:
    """The operators of kinds, by kind. Raises InvalidParameter."""
    return pairs(texts, "--aggregate-kind")


def pairs(texts: Sequence[str], flag: str, value: str = ".*") -> dict[str, str]:
    """Return the values in "NAME=VALUE" texts, by name.

    A name can hold "=" if the rest is no value then. Raises InvalidParameter.

    >>> pairs(["a=b=1/2"], "--weight", "[^=]*")
    {'a=b': '1/2'}
    """
    found: dict[str, str] = {}
    for text in texts:
        signs = [place for place, sign in enumerate(text) if sign == "="]
        fit = [place for place in signs if re.fullmatch(value, text[place + 1 :], re.DOTALL)]
        [place, *_] = [*fit, *signs, 0]
        name = text[:place]
        if not name:
            raise InvalidParameter(f"{flag} {text!r} is not of the form NAME=VALUE")
        if name in found:
            raise InvalidParameter(f"{flag} is given twice for {name!r}")
        found[name] = text[place + 1 :]
    return found


def least_and_greatest(text: str) -> tuple[int, int]:
    """Both ends of "2-5", or of "3". Raises InvalidParameter.

    >>> least_and_greatest("2-5"), least_and_greatest("3")
    ((2, 5), (3, 3))
    """
    first, _, last = text.partition("-")
    try:
        return int(first), int(last or first)
    except ValueError:
        raise InvalidParameter(f"k is {text!r}; it can be 3, or 2-5") from None


def several(texts: Sequence[str]) -> dict[str, list[str]]:
    """The values in "NAME=V,W", by name. Raises InvalidParameter."""
    found: dict[str, list[str]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        if not (name and equals and values):
            raise InvalidParameter(f"--param is {text!r}; write NAME=V,W,...")
        found.setdefault(name, []).extend(values.split(","))
    return found


_PAIR = re.compile(r"\s*(\d{1,15})\s*-\s*(\d{1,15})\s*", re.ASCII)


def record_pairs(text: str, flag: str) -> list[tuple[int, int]]:
    """The pairs in "0-5,7-8". Raises InvalidParameter."""
    found = []
    for part in text.split(","):
        match = _PAIR.fullmatch(part)
        if match is None:
            raise InvalidParameter(
                f"{flag} has {shortened(part)}; pairs are written A-B,C-D with records from 0"
            )
        found.append((int(match[1]), int(match[2])))
    return found
