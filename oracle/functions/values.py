"""The arguments of the public functions, in the form that the judges take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from refagg.data.standardise import weights_by_name
from refagg.errors import InvalidParameter
from refagg.options.fields import Rational
from refagg.options.readers import exact

__all__ = ["Algorithm", "Rational", "tolerance_of", "weights_of"]

Algorithm = str | Callable[..., Any]
"""A name of the catalogue, or its function, as `refagg.mdav`."""


def tolerance_of(given: Any) -> Fraction | None:
    """A tolerance, if there is one. Raises InvalidParameter."""
    if given is None:
        return None
    tolerance = exact(given, "tolerance")
    if not 0 <= tolerance < 1:
        raise InvalidParameter(f"tolerance is {given}; it must be at least 0 and less than 1")
    return tolerance


def weights_of(given: Mapping[str, Any] | None) -> dict[str, Fraction]:
    """The weights of attributes, by name. Raises InvalidParameter."""
    named = weights_by_name(given)
    return {name: exact(w, f"the weight of {name}") for name, w in named.items()}
