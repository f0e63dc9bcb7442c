"""The arguments of the public functions, in the form that the judges take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from refagg.data.standardise import weights_by_name
from refagg.errors import InvalidParameter, NotANumber, NotFinite
from refagg.language import number_texts as numerals

Rational = int | float | Fraction | Decimal | str
"""A number: of a float, the decimal that it is printed as; a text as "1/3"."""

Algorithm = str | Callable[..., Any]
"""A name of the catalogue, or its function, as `refagg.mdav`."""


def rational(given: Any, name: str) -> Fraction:
    """The exact number. Raises InvalidParameter."""
    try:
        return numerals.rational(given, name)
    except (NotANumber, NotFinite):
        raise InvalidParameter(f"{name} is {given!r}, which is not a number") from None


def tolerance_of(given: Any) -> Fraction | None:
    """A tolerance, if there is one. Raises InvalidParameter."""
    if given is None:
        return None
    tolerance = rational(given, "tolerance")
    if not 0 <= tolerance < 1:
        raise InvalidParameter(f"tolerance is {given}; it must be at least 0 and less than 1")
    return tolerance


def weights_of(given: Mapping[str, Any] | None) -> dict[str, Fraction]:
    """The weights of attributes, by name. Raises InvalidParameter."""
    named = weights_by_name(given)
    return {name: rational(w, f"the weight of {name}") for name, w in named.items()}
