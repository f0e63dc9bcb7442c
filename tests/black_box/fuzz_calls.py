"""Calls of the public functions of Python that a fuzzer draws: any table, any value of an option.

A call is a number, from which everything that it is made of is drawn again. What it raises is a
named error, or a finding.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import numpy
import pandas
import polars
import pyarrow

import oracle
import refagg
from refagg.errors import RefaggError
from tests.black_box.fuzz_inputs import NAMES, NUMBERS, TEXTS, released_of, table

HUGE = (10**5000, -(10**5000), Fraction(1, 3**13_000), Decimal("1e999999999"), Decimal("-1e-9999"))
ODD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 3, 10**30, 0.5, -0.0, 1e308, 5e-324, 1e-300, 1j, "", "x"),
    *(float("nan"), float("inf"), float("-inf"), Decimal("NaN"), Decimal("sNaN"), Decimal("Inf")),
    *(b"", b"\xff", "\ud800", "\0", "\x1b[31m", "a" * 10_000, "1e999999999", "9" * 5000, "1/0"),
    *(numpy.float64("nan"), numpy.float32(0.1), numpy.int8(3), numpy.uint64(2**63), numpy.bool_(1)),
    *(numpy.datetime64("NaT"), numpy.datetime64("2020-01-01"), numpy.timedelta64(3, "s")),
    *(date(2020, 1, 31), datetime(1, 1, 1), datetime(9999, 12, 31, tzinfo=UTC)),
    *([], {}, (), set(), [[]], [None], {"a": 1}, {"a": []}, [0], [1, 2], range(3), object(), len),
    *(Ellipsis, NotImplemented, type, Exception(), numpy.array(3.0), numpy.array([[1.0]]), *HUGE),
    *(pandas.NA, pandas.NaT, pandas.Timestamp("2020-01-01"), pandas.Series([1, 2])),
)
OPTIONS: dict[str, tuple[Any, ...]] = {
    "standardise": ("population", "sample", "none", "range"),
    "arithmetic": ("exact", "float"),
    "ties": ("lowest", "highest", "random"),
    "seed": (0, 1, 7),
    "trace": (False, True),
    "series": ("euclidean", "sts"),
    "times": ([0, 1], [0, 1, 3], [0]),
    "significant_digits": (1, 3, 15),
    "missing": ("reject", "drop", "group-apart"),
    "aggregate": ("mean", "median", "trimmed-mean", "mode"),
    "trim": ("1/4", 0.1, 0),
    "constraints": (["x0 = x1"], ["x0 + x1 = 10"], []),
    "quasi_identifiers": (["x0"], ["x0", "x1"]),
    "drop": (["x1"], []),
    "blocks": ([["x0"]], [["x0"], ["x1"]], [[0], [1]]),
    "kinds": ({"x0": "numeric"}, {"x0": "nominal", "x1": "numeric"}, {"x0": "ordinal:p<q<r"}),
    "weights": ({"x0": 2}, {"x0": 1, "x1": "1/2"}),
    "dissimilarity": ("oss", "hamming", "lcs", lambda a, b: int(a != b), lambda a, b: None),
    "similarity": (lambda a, b: int(a == b), lambda a, b: 1 / 0, [[1, 0], [0, 1]]),
    "parameters": ({"gamma": "1/5"}, {"rounds": 2}, {}),
    "strata": ([0, 0, 0, 1, 1, 1],),
    "sampling_weights": ([1, 1, 1, 2, 2, 2],),
    "aggregates": ({"numeric": "mean"}, {"x0": "median"}),
    "tolerance": (0, "1e-9", 0.1),
    "algorithm": ("mdav", ["mdav", "md"], refagg.mdav),
    "algorithms": (["mdav", "cbfs"], []),
    "measures": (["il1"], "all", ["pmse"]),
    "groups": ([[0, 1, 2]], {"mine": [[0, 1], [2, 3]]}),
    "heuristics": ({"own": lambda rows, k: [0] * len(rows)}, [lambda rows, k: 1 / 0]),
    "references": ([],),
    "confidential": (["x1"],),
    "key": ("x0", ["x0"]),
    "decimals": (0, 2, 300),
    "time_limit": (0.5, 1e-9),
    "together": ([(0, 1)], []),
    "apart": ([(0, 2)], []),
    "largest": (3, 5),
    "method": ("auto", "exhaustive", "ilp", "columns", "univariate"),
    "cost": (lambda group: len(group), lambda group: 0.5, lambda group: 1 / 0),
    "l_diversity": (2,),
    "max_runs": (10,),
    "all_risks": (True, False),
}
"""Values that are right for many a table."""

BOUNDED = {"time_limit": 0.5, "seed": 1}
"""Given always where they are known, so that no call is long because it was asked to be."""

ALLOWED = (RefaggError, oracle.Rejected, OSError)
"""Named errors, and that a file is not there."""


def called(words: list[str]) -> int:
    """Carry out the call of this number; 0, or 2 for a named error, as a command ends."""
    random = Random(words[-1])
    call = _drawn(random)
    try:
        result = call()
        _looked_at(result)
    except TypeError as error:
        if not _binds(error):
            raise
        return 2
    except ALLOWED as error:
        text = str(error)
        if len(text) > 20_000:
            raise AssertionError(f"a message of {len(text)} characters") from error
        return 2
    return 0


def _binds(error: TypeError) -> bool:
    """Return True for arguments that the signature of a function does not take."""
    return "argument" in str(error) and "()" in str(error)


def shown(number: str) -> str:
    """What the call of a number is, for a reader."""
    call = _drawn(Random(number))
    return repr(call)[:3000]


def _looked_at(result: Any) -> None:
    """What a notebook does with a result. Its text is short."""
    text = repr(result)
    if type(result).__module__.startswith(("refagg", "oracle")) and len(text) > 300:
        raise AssertionError(f"repr of {len(text)} characters: {text[:100]}")
    for name in ("to_json", "to_frame", "_repr_html_"):
        if hasattr(result, name):
            with suppress(RefaggError):
                getattr(result, name)()


# What is called


def _drawn(random: Random) -> Callable[[], Any]:
    names, rows, kinds = table(random)
    wild = random.choice((0.0, 0.0, 0.0, 0.02, 0.02, 0.2, 0.6))
    if not wild:
        names = ["x0", "x1"]
        rows = [[str(random.randint(0, 30)) for _ in names] for _ in range(random.randint(3, 12))]
        kinds = dict.fromkeys(names, "numeric")
    released = released_of(random, rows, list(kinds.values()))
    data, other = _data(random, names, rows, wild), _data(random, names, released, wild)
    k = random.choice(ODD) if random.random() < wild / 2 else random.choice((1, 2, 2, 3))
    which = random.randrange(100)
    functions = (*refagg.functions.FUNCTIONS.values(),)
    if which < 40:
        function = random.choice(functions)
        return partial(function, data, k, **_options(random, function, names, wild))
    if which < 55:
        algorithm = random.choice(ODD if random.random() < wild / 2 else functions)
        more = _options(random, refagg.microaggregate, names, wild)
        return partial(refagg.microaggregate, data, k, algorithm, **more)
    if which < 75:
        return partial(oracle.audit, data, other, k, **_options(random, oracle.audit, names, wild))
    function, given = random.choice(
        (
            (refagg.measure, (data, other)),
            (refagg.compare, (data, k)),
            (refagg.evaluate, (data, _groups(random, len(rows), wild), k)),
            (oracle.audit_release, (data, k)),
            (oracle.identify, (data, other, k)),
            (oracle.optimum, (data, k)),
            (oracle.verify, (random.choice((*ODD, "no/such/file")), data)),
            (refagg.table_of, (data,)),
            (refagg.fuzzy_c_means, (data, k)),
            (refagg.with_suppression, (data, k)),
        )
    )
    return partial(function, *given, **_options(random, function, names, wild))


def _groups(random: Random, n: int, wild: float) -> Any:
    if random.random() < wild:
        return random.choice(ODD)
    return [sorted(range(n)[i::2]) for i in range(2)]


def _options(
    random: Random, function: Callable[..., Any], names: list[str], wild: float
) -> dict[str, Any]:
    """Some options, right ones mostly; of another function's, too."""
    known = [name for name in _keywords(function) if name in OPTIONS]
    given = {name: value for name, value in BOUNDED.items() if name in known}
    for _ in range(random.choice((0, 0, 1, 1, 2, 3) if wild else (0, 0, 0, 0, 1))):
        name = random.choice(known or ["k"])
        value = random.choice(ODD if random.random() < wild else OPTIONS.get(name, ODD))
        if random.random() < wild / 4 and isinstance(value, dict):
            value = {random.choice((*names, *NAMES)): random.choice(ODD)}
        if random.random() < wild / 4 and isinstance(value, list):
            value = [*value, random.choice((*names, *ODD))]
        given[name] = value
    return given


def _keywords(function: Callable[..., Any]) -> Iterator[str]:
    """The names of the options of a function."""
    import inspect

    with suppress(TypeError, ValueError):
        for name, parameter in inspect.signature(function).parameters.items():
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY or name == "algorithm":
                yield name


# Tables


def _data(random: Random, names: list[str], rows: list[list[str]], wild: float) -> Any:
    """The rows as a table of any form, some of its cells odd."""
    if random.random() < wild / 6:
        return random.choice(ODD)
    cells = [[_cell(random, text, wild) for text in row] for row in rows]
    columns = dict(zip(names, map(list, zip(*cells, strict=True)), strict=False))
    form = random.randrange(12)
    if form < 5:
        return cells
    makers: dict[int, Callable[[], Any]] = {
        5: lambda: columns,
        6: lambda: [dict(zip(names, row, strict=True)) for row in cells],
        7: lambda: pandas.DataFrame(columns),
        8: lambda: _polars(columns),
        9: lambda: pyarrow.table(columns),
        10: lambda: numpy.array(cells),
        11: lambda: iter(cells),
    }
    try:
        return makers[form]()
    except Exception:  # a library's own: it cannot hold such cells
        return columns


def _polars(columns: dict[str, list[Any]]) -> Any:
    """A frame of plain cells; at others the library panics."""
    for cell in (cell for column in columns.values() for cell in column):
        small = isinstance(cell, int) and abs(cell) < 2**31
        if not (small or isinstance(cell, (float, str, date, type(None)))):
            raise ValueError
    return polars.DataFrame(columns, strict=False)


def _cell(random: Random, text: str, wild: float) -> Any:
    if random.random() < wild / 8:
        return random.choice((*ODD, *NUMBERS, *TEXTS))
    with suppress(ValueError, ArithmeticError):
        kind = random.choice((int, float, float, float, Fraction, Decimal))
        if len(text) < 30 and "e" not in text.lower():
            return kind(text)
    return text


if __name__ == "__main__":
    print(shown(sys.argv[1]))
    sys.exit(called(sys.argv[1:]))
