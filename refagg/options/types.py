"""Run-time checks of options by types written as text.

The types are written once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from functools import wraps
from inspect import signature
from numbers import Number
from os import PathLike
from types import MappingProxyType
from typing import Any, TypeVar

from refagg.errors import InvalidParameter, RefaggError
from refagg.language.number_texts import index_of, shortened

F = TypeVar("F", bound=Callable[..., Any])

FOREIGN = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError)
"""What Python raises for a value of the wrong type, wherever it is used first."""


@contextmanager
def explained(given: Mapping[str, object], types: Mapping[str, str]) -> Iterator[None]:
    """Name the option whose wrong type caused an error.

    This happens only where Python itself raises an error. Raises InvalidParameter. Values that are
    used without an error are left alone.
    """
    try:
        yield
    except RefaggError:
        raise
    except FOREIGN as error:
        for name, value in given.items():
            if name in types and not (fits(value, types[name]) and _can_be_written(value)):
                raise InvalidParameter(
                    f"{name} is {shortened(value)}; its type is {types[name]}"
                ) from error
        raise


def explaining(function: F, types: Mapping[str, str] = MappingProxyType({})) -> F:
    """Return a function that names an option of wrong type.

    The wrong type made an error. `types` are those of its options; of other arguments, those that
    it is annotated with.
    """
    own = {name: str(p.annotation) for name, p in signature(function).parameters.items()}
    known = own | dict(types)

    @wraps(function)
    def call(*given: object, **named: object) -> Any:
        with explained(dict(zip(own, given, strict=False)) | named, known):
            return function(*given, **named)

    return call  # type: ignore[return-value]


def fits(value: object, types: str) -> bool:
    """Return True if a value is of one of the types.

    All values are of a type that is not known.

    >>> fits(["a"], "Sequence[str] | None"), fits([1], "Sequence[str] | None")
    (True, False)
    """
    return any(_is(value, one) for one in _split(types, "|"))


def _is(value: object, one: str) -> bool:
    name = one.partition("[")[0]
    inner = one[len(name) + 1 : -1]
    if name in ("Sequence", "Iterable"):
        return _listed(value) and all(fits(item, inner) for item in _items(value))
    if name == "tuple":
        parts, items = _split(inner, ","), _items(value)
        return _listed(value) and len(items) == len(parts) and all(map(fits, items, parts))
    if name == "Mapping":
        keys, values = _split(inner, ",")
        return isinstance(value, Mapping) and all(
            fits(key, keys) and fits(item, values) for key, item in value.items()
        )
    return _PLAIN[name](value) if name in _PLAIN else True


def _split(text: str, sign: str) -> list[str]:
    """Split at signs outside of brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "[") - (letter == "]")
        if letter == sign and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def _listed(value: object) -> bool:
    plain = isinstance(value, (str, bytes, Mapping)) or getattr(value, "shape", None) == ()
    return isinstance(value, Iterable) and not plain


def _items(value: object) -> Collection[Any]:
    """The items of what can be read again."""
    return value if isinstance(value, Collection) else ()


def _is_whole(value: object) -> bool:
    return index_of(value) is not None


def _is_number(value: object) -> bool:
    number = hasattr(value, "numerator") or hasattr(value, "as_integer_ratio")
    return number and not isinstance(value, bool)


def _can_be_written(value: object) -> bool:
    """Return False for a number with too many digits to write.

    The same holds for a list of such numbers. The limit is Python's.
    """
    written = isinstance(value, (Number, list, tuple, dict))
    return not written or not shortened(value).startswith("<")


_PLAIN: dict[str, Callable[[Any], bool]] = {
    "None": lambda value: value is None,
    "str": lambda value: isinstance(value, str),
    "Literal": lambda value: isinstance(value, str),
    "Path": lambda value: isinstance(value, PathLike),
    "bool": lambda value: isinstance(value, bool),
    "int": _is_whole,
    "SupportsIndex": _is_whole,
    "float": _is_number,
    "Rational": lambda value: isinstance(value, (str, Decimal)) or _is_number(value),
    "Fraction": _is_number,
    "Partition": lambda value: hasattr(value, "groups"),
    "Scaled": lambda value: hasattr(value, "table"),
    "Constraint": lambda value: hasattr(value, "coefficients"),
    "Callable": callable,
}
