"""An option of the wrong type is named, wherever Python's own error comes from."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy
import pandas
import polars
import pytest

import oracle
import refagg
from refagg.errors import InvalidK, InvalidParameter, MeasureFailed, NotATable
from refagg.options.types import explained, fits

ROWS = [[1, 4], [2, 9], [7, 7], [8, 1], [9, 3], [12, 0]]

FIT: list[tuple[Any, str]] = [
    (None, "str | None"),
    ("a", "str | None"),
    (numpy.int8(3), "int"),
    (numpy.float32(0.5), "float"),
    (["a", "b"], "Sequence[str] | None"),
    (numpy.array(["a"]), "Sequence[str]"),
    (iter([1]), "Sequence[str]"),  # which must not be read
    ({"a": ["b"]}, "Mapping[str, Sequence[str]] | Sequence[str]"),
    ({"a": Fraction(1, 3)}, "Mapping[str, Rational]"),
    ({"a": Decimal(1)}, "Mapping[str, Rational]"),
    (Path("x"), "str | Path | None"),
    (len, "Sequence[str | Callable[..., Any]] | Callable[[Any], Any]"),
    (object(), "Anything"),
]
MISFIT: list[tuple[Any, str]] = [
    (1, "str | None"),
    (None, "int"),
    (1.0, "int"),
    (numpy.array([3]), "int"),
    (True, "float"),
    ("a", "Sequence[str]"),
    ([1], "Sequence[str] | None"),
    ({"a": 1}, "Sequence[str]"),
    ({1: "a"}, "Mapping[str, str]"),
    ({"a": [1]}, "Mapping[str, Sequence[str]] | Sequence[str]"),
    ([[1]], "Sequence[Sequence[str]]"),
    ([1], "Sequence[str | Callable[..., Any]]"),
    (b"a", 'Literal["a", "b"]'),
]


@pytest.mark.parametrize(("value", "types"), FIT)
def test_a_value_of_its_type_fits(value: Any, types: str) -> None:
    assert fits(value, types)


@pytest.mark.parametrize(("value", "types"), MISFIT)
def test_a_value_of_another_type_does_not(value: Any, types: str) -> None:
    assert not fits(value, types)


def test_what_no_option_explains_is_raised_as_it_is() -> None:
    with pytest.raises(KeyError), explained({"a": "text"}, {"a": "str"}):
        raise KeyError
    with explained({"a": 1}, {"a": "str"}):
        pass


WRONG: dict[str, tuple[Any, type[Exception], str]] = {
    "ties": (lambda: refagg.mdav(ROWS, 2, ties=10**5000), InvalidParameter, "ties is <int too"),
    "weights": (lambda: refagg.compare(ROWS, 2, weights=1.5), InvalidParameter, "weights"),
    "heuristics": (
        lambda: refagg.compare(ROWS, 2, algorithms=Ellipsis),
        InvalidParameter,
        "algorithms is Ellipsis",
    ),
    "parameters": (
        lambda: oracle.identify(ROWS, ROWS, 2, parameters=5),
        InvalidParameter,
        "parameters is 5; its type is Mapping",
    ),
    "limit": (
        lambda: refagg.fuzzy_c_means(ROWS, 2, seed=1, limit=b"1"),
        InvalidParameter,
        "limit is b'1'; its type is int",
    ),
    "c": (lambda: refagg.fuzzy_c_means(ROWS, 1.5, seed=1), InvalidParameter, "c is 1.5"),
    "k": (lambda: refagg.mdav(ROWS, numpy.array([2])), InvalidK, "must be an integer"),
    "a cost": (
        lambda: oracle.optimum(ROWS, 2, cost=lambda group: 1 / 0),
        MeasureFailed,
        "raised ZeroDivisionError: division by zero",
    ),
    "no function": (
        lambda: oracle.optimum(ROWS, 2, cost=[3]),
        MeasureFailed,
        "not callable",
    ),
    "records that can change": (
        lambda: refagg.kshc([{"a": 1}] * 4, 2, dissimilarity=lambda a, b: 0),
        NotATable,
        "unhashable type: 'dict'",
    ),
    "a frame where records can be anything": (
        lambda: refagg.kshc(pandas.DataFrame(ROWS), 2, dissimilarity="oss"),
        NotATable,
        r"records are a table \(DataFrame\); give a list",
    ),
    "a mapping of columns there": (
        lambda: refagg.kshc({"a": ["x", "y"], "b": ["x", "y"]}, 2, dissimilarity="oss"),
        NotATable,
        "records are {",
    ),
    "a frame of records with a cost": (
        lambda: oracle.optimum(pandas.DataFrame(ROWS), 2, cost=len),
        InvalidParameter,
        r"records are a table \(DataFrame\); give a sequence",
    ),
    "a frame of values": (
        lambda: refagg.with_suppression(polars.DataFrame(ROWS), 2),
        InvalidParameter,
        r"values are a table \(DataFrame\); give a list of numbers",
    ),
    "a seed of centres": (
        lambda: refagg.fuzzy_c_means(ROWS, c=2, seed=1.5),
        InvalidParameter,
        "the seed is 1.5; it must be an integer",
    ),
    "an argument that is a frame": (
        lambda: refagg.fuzzy_c_means(ROWS, c=pandas.DataFrame(ROWS), seed=1),
        InvalidParameter,
        r"^c is a table \(DataFrame\)",
    ),
    "a certificate": (
        lambda: oracle.verify({"a": object()}, ROWS),
        oracle.Rejected,
        "the certificate is not JSON",
    ),
    "an implementation": (
        lambda: oracle.conform(5, "mdav"),
        InvalidParameter,
        "int is no function",
    ),
    "the words of a command": (
        lambda: oracle.conform(b"mdav", "mdav"),
        InvalidParameter,
        "bytes is no function",
    ),
    "bounds of k": (lambda: oracle.hunt(refagg.mdav, "mdav", k="3"), InvalidParameter, "k is '3'"),
    "no bounds of k": (
        lambda: oracle.hunt(refagg.mdav, "mdav", k=()),
        InvalidParameter,
        r"k is \(\)",
    ),
    "a path": (
        lambda: refagg.microaggregate("in.csv", 2),
        NotATable,
        r"pandas\.read_csv reads a file$",
    ),
    "a path of an audit": (
        lambda: oracle.audit(Path("in.csv"), Path("out.csv"), 2),
        NotATable,
        r"PosixPath is not a table; pandas\.read_csv reads a file$",
    ),
    "the name of one": (lambda: oracle.verify("\0", ROWS), oracle.Rejected, "not the name"),
}


@pytest.mark.parametrize("name", WRONG)
def test_it_is_named(name: str) -> None:
    call, error, text = WRONG[name]
    with pytest.raises(error, match=text):
        call()
