"""Numbers in text form: integers, decimals and fractions.

Texts come from anywhere: one is measured before it is read, so that none can ask for a number
of a billion digits.
"""

from __future__ import annotations

import re
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from operator import index
from typing import Any, TypeVar

from refagg.errors import InvalidParameter, NotANumber, NotFinite

T = TypeVar("T")

MOST_DIGITS = 1000
"""The most characters of a number, and the greatest power of ten, either way."""

MOST_BITS = 20_000
"""Of the numerator and the denominator of a number that is not text."""

_NUMBER = re.compile(
    r"[+-]?(?:[0-9]+/[0-9]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE]([+-]?[0-9]+))?)", re.ASCII
)
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.ASCII | re.IGNORECASE)


def number_of(text: str, where: str) -> Fraction:
    """The number that a text says, exactly. Raises NotANumber, NotFinite.

    >>> number_of("-2.50", "record 0"), number_of("7/3", "record 1")
    (Fraction(-5, 2), Fraction(7, 3))
    """
    if not isinstance(text, str):
        raise NotANumber(f"{where}: {shortened(text)} is not the text of a number")
    cell = text.strip()
    if reason := too_long(cell):
        raise NotANumber(f"{where}: {reason}")
    if _NOT_FINITE.fullmatch(cell):
        raise NotFinite(f"{where}: {cell} is not a finite number")
    if not _NUMBER.fullmatch(cell):
        raise NotANumber(f"{where}: {shortened(text)} is not a number")
    try:
        return Fraction(cell)
    except ZeroDivisionError:
        raise NotANumber(f"{where}: {cell} has the denominator 0") from None


def rational(given: object, where: str) -> Fraction:
    """Convert a number of any type, or its text, to a fraction.

    A float stands for the decimal as which it is printed. Raises NotANumber, NotFinite.
    """
    if isinstance(given, str):
        return number_of(given, where)
    if isinstance(given, float):
        return number_of(repr(float(given)), where)
    if isinstance(given, Decimal):
        return number_of(str(given), where)
    return exactly(given, where)


def positive(given: object, where: str) -> Fraction:
    """Convert a number as `rational` does; raise InvalidParameter if not positive."""
    try:
        number = rational(given, where)
    except (NotANumber, NotFinite) as error:
        raise InvalidParameter(f"{error}; it must be greater than 0") from None
    if number <= 0:
        raise InvalidParameter(f"{where} is {given}; it must be greater than 0")
    return number


def exactly(value: Any, where: str) -> Fraction:
    """Convert a number of any type, NumPy's too, by its binary value.

    Raises NotANumber, NotFinite.

    >>> exactly(0.5, "record 0"), exactly(Decimal("1e-3"), "record 1")
    (Fraction(1, 2), Fraction(1, 1000))
    """
    try:
        if isinstance(value, Decimal) and (reason := too_long(str(value))):
            raise NotANumber(f"{where}: {reason}")
        if isinstance(value, bool):
            raise TypeError
        whole = isinstance(value, Rational)  # an integer is one
        ratio = (value.numerator, value.denominator) if whole else value.as_integer_ratio()
        numerator, denominator = map(int, ratio)
    except (AttributeError, TypeError):
        raise NotANumber(f"{where}: {shortened(value)} is not a number") from None
    except (ValueError, OverflowError):
        raise NotFinite(f"{where}: {value} is not a finite number") from None
    bits = max(numerator.bit_length(), denominator.bit_length())
    if bits > MOST_BITS:
        raise NotANumber(f"{where}: a number of {bits} bits; {MOST_BITS} are allowed")
    return value if type(value) is Fraction else Fraction(numerator, denominator)


def too_long(text: str) -> str:
    """Return the reason why a number's text is too long to read.

    The reason is empty if the text is not too long.

    >>> too_long("1e999999999"), too_long("1e3")
    ("'1e999999999' has a power of ten beyond 1000", '')
    """
    if len(text) > MOST_DIGITS:
        return f"a number of {len(text)} characters; {MOST_DIGITS} are allowed"
    match = _NUMBER.fullmatch(text)
    if match and match[1] and abs(int(match[1])) > MOST_DIGITS:
        return f"{shortened(text)} has a power of ten beyond {MOST_DIGITS}"
    return ""


def text_of(value: object, where: str = "a cell") -> str:
    """Return the text of any value.

    Raises NotANumber for an integer with more digits than Python writes.
    """
    try:
        return str(value)
    except ValueError:
        raise NotANumber(f"{where}: {shortened(value)}") from None


def index_of(value: object) -> int | None:
    """An integer of any library; None for what is none."""
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def shortened(value: object) -> str:
    """A value for a message, cut short, in one line.

    Of a table only its type is shown.
    """
    if hasattr(value, "columns"):
        return f"a table ({type(value).__name__})"
    try:
        text = repr(value).replace("\n", " ")
    except (ValueError, RecursionError):  # an integer of more digits than Python writes
        text = f"<{type(value).__name__} too long to be shown>"
    except ArithmeticError:  # a frame that holds a signaling NaN
        text = f"<{type(value).__name__} that cannot be shown>"
    return text if len(text) <= 60 else f"{text[:60]}..."


def number_text(value: int | float | Fraction) -> str:
    """Format a number for a reader.

    The number is written in full if that is short, otherwise with 12 significant digits.
    """
    if isinstance(value, float):
        return f"{value:.12g}"
    fraction = Fraction(value)
    if max(fraction.numerator.bit_length(), fraction.denominator.bit_length()) < 64:
        text = str(fraction)
        if len(text) <= 17:
            return text
    return digits_of(fraction, 12)


def bytes_text(size: float, digits: int = 3) -> str:
    """So many bytes, for a reader.

    >>> bytes_text(123_456_789), bytes_text(1e9), bytes_text(1_594_000_000, 2)
    ('123 MB', '1 GB', '1.6 GB')
    """
    number, unit = (size / 1e9, "GB") if size >= 1e9 else (size / 1e6, "MB")
    return f"{float(f'{number:.{digits}g}'):g} {unit}"


def digits_of(value: Fraction, digits: int) -> str:
    """Format a number with `digits` significant digits.

    Outside the range of binary64 the text gives the order of magnitude.
    """
    with suppress(OverflowError):
        nearest = float(value)
        if nearest or not value:
            return f"{nearest:.{digits}g}"
    sign = "-" if value < 0 else ""
    return f"about {sign}2^{value.numerator.bit_length() - value.denominator.bit_length()}"


def float_or(beyond: T, value: Fraction | float) -> float | T:
    """Return the nearest float, or `beyond` outside the range of binary64."""
    try:
        return float(value)
    except OverflowError:
        return beyond


def as_json(value: Fraction | int | float) -> dict[str, str | float | None]:
    """A number for a report: its nearest float and its exact value.

    The float is None outside the range of binary64, the exact value where Python refuses to write
    it (more than some thousand digits).
    """
    try:
        exact: str | None = str(value)
    except ValueError:
        exact = None
    return {"decimal": float_or(None, value), "exact": exact}
