"""Numbers in text form: what is one, what is too long, how one is shown."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from refagg.errors import NotANumber, NotFinite
from refagg.language.number_texts import (
    as_json,
    digits_of,
    exactly,
    float_or,
    index_of,
    number_of,
    number_text,
    rational,
    shortened,
    text_of,
    too_long,
)

LONG = 10**5000
"""More digits than Python writes."""


@pytest.mark.parametrize(
    ("given", "value"),
    [
        (" -2.50 ", Fraction(-5, 2)),
        ("+.5e1", 5),
        ("7/3", Fraction(7, 3)),
        ("1e1000", 10**1000),
        ("1e-1000", Fraction(1, 10**1000)),
        ("9" * 1000, 10**1000 - 1),
        (0.1, Fraction(1, 10)),
        (Decimal("0.10"), Fraction(1, 10)),
        (Fraction(1, 3), Fraction(1, 3)),
        (-4, -4),
    ],
)
def test_numbers_and_their_texts(given: Any, value: object) -> None:
    found = rational(given, "a cell")
    assert (found, type(found)) == (value, Fraction)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("", "a cell: '' is not a number"),
        ("1,5", "a cell: '1,5' is not a number"),
        ("1/0", "a cell: 1/0 has the denominator 0"),
        ("9" * 1001, "a cell: a number of 1001 characters; 1000 are allowed"),
        ("1e1001", "a cell: '1e1001' has a power of ten beyond 1000"),
        ("1e-1001", "a cell: '1e-1001' has a power of ten beyond 1000"),
        (Decimal("1e1001"), "power of ten beyond 1000"),
        (True, "a cell: True is not a number"),
        (None, "a cell: None is not a number"),
    ],
)
def test_what_is_no_number(given: Any, message: str) -> None:
    with pytest.raises(NotANumber, match=message):
        rational(given, "a cell")


def test_a_number_of_any_type_has_at_most_20_000_bits() -> None:
    longest = (1 << 20_000) - 1
    assert rational(longest, "a cell") == longest
    for given in (longest + 1, Fraction(1, longest + 1)):
        with pytest.raises(NotANumber, match="a cell: a number of 20001 bits; 20000 are allowed"):
            rational(given, "a cell")


@pytest.mark.parametrize("given", ["nan", "-INF", " infinity", float("nan"), Decimal("inf")])
def test_what_is_not_finite(given: Any) -> None:
    with pytest.raises(NotFinite, match=r"a cell: .* is not a finite number"):
        rational(given, "a cell")


def test_only_a_text_is_the_text_of_a_number() -> None:
    with pytest.raises(NotANumber, match="record 0: 5 is not the text of a number"):
        number_of(5, "record 0")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "value"),
    [
        (0.1, Fraction(3602879701896397, 36028797018963968)),  # IEEE 754 binary64
        (Decimal("0.1"), Fraction(1, 10)),
    ],
)
def test_numbers_as_they_are_in_binary(given: Any, value: object) -> None:
    assert exactly(given, "a cell") == value


def test_what_is_not_finite_in_binary() -> None:
    for given in (float("inf"), float("nan"), Decimal("inf")):
        with pytest.raises(NotFinite, match=r"a cell: .* is not a finite number"):
            exactly(given, "a cell")
    with pytest.raises(NotANumber, match=r"a cell: .* power of ten beyond 1000"):
        exactly(Decimal("1e1001"), "a cell")


def test_a_fraction_is_kept_and_not_made_again() -> None:
    value = Fraction(1, 3)
    assert exactly(value, "a cell") is value


@pytest.mark.parametrize("text", ["x" * 1001, "1e1001", "-1E-1001"])
def test_texts_that_are_too_long(text: str) -> None:
    assert too_long(text)


@pytest.mark.parametrize("text", ["x" * 1000, "1e1000", "1e-1000", "e1001", "12", "1/3"])
def test_texts_that_are_not_too_long(text: str) -> None:
    assert too_long(text) == ""


def test_the_text_of_any_value() -> None:
    assert text_of(1.5) == "1.5"
    with pytest.raises(NotANumber, match="row 1: <int too long to be shown>"):
        text_of(LONG, "row 1")


def test_integers_of_any_library() -> None:
    assert (index_of(3), index_of(True), index_of(3.0), index_of("3")) == (3, 1, None, None)


def test_values_are_cut_short_for_a_message() -> None:
    assert shortened("x" * 58) == f"'{'x' * 58}'"
    assert shortened("x" * 59) == f"'{'x' * 59}..."
    assert shortened(LONG) == "<int too long to be shown>"


def test_a_value_whose_text_cannot_be_made_is_named_by_its_type() -> None:
    cells = type("Cells", (), {"__repr__": lambda self: str(int(Decimal("sNaN")))})()
    assert shortened(cells) == "<Cells too long to be shown>"
    sums = type("Sums", (), {"__repr__": lambda self: str(Decimal("sNaN") + 1)})()
    assert shortened(sums) == "<Sums that cannot be shown>"


def test_values_of_several_lines_are_shown_in_one() -> None:
    matrix = type("Matrix", (), {"__repr__": lambda self: "[[1 2]\n [3 4]]"})()
    assert shortened(matrix) == "[[1 2]  [3 4]]"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1, "0.1"),
        (1 / 3, "0.333333333333"),
        (Fraction(-1, 3), "-1/3"),
        (12345678901234567, "12345678901234567"),
        (123456789012345678, "1.23456789012e+17"),
        (Fraction(10**8 - 1, 10**8), "0.99999999"),  # a text of 18 characters
        ((1 << 63) - 1, "9.22337203685e+18"),
        (Fraction(1, 1 << 64), "5.42101086243e-20"),
    ],
)
def test_a_number_for_a_reader(value: Any, text: str) -> None:
    assert number_text(value) == text


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (Fraction(2, 3), 3, "0.667"),
        (Fraction(0), 3, "0"),
        (Fraction(-(10**400)), 3, "about -2^1328"),
        (Fraction(10**400), 3, "about 2^1328"),
        (Fraction(1, 10**400), 3, "about 2^-1328"),
        (Fraction(-1, 10**400), 3, "about -2^-1328"),
    ],
)
def test_significant_digits(value: Fraction, digits: int, text: str) -> None:
    """400 lg 10 / lg 2 is 1328.8: 10^400 has 1329 bits, and 1 has one."""
    assert digits_of(value, digits) == text


def test_what_is_beyond_all_floats() -> None:
    assert float_or(None, Fraction(1, 4)) == 0.25
    assert float_or("beyond", Fraction(10**400)) == "beyond"


def test_a_number_for_a_report() -> None:
    assert as_json(Fraction(1, 4)) == {"decimal": 0.25, "exact": "1/4"}
    assert as_json(LONG) == {"decimal": None, "exact": None}
