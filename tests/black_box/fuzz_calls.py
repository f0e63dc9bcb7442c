"""Calls of the public functions of Python that a fuzzer draws: any table, any value of an option.

A call is a number, from which everything that it is made of is drawn again. What it raises is a
named error, or a finding.
"""

from __future__ import annotations

import inspect
import itertools
import json
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial
from random import Random
from traceback import extract_tb
from typing import Any

import numpy
import pandas
import polars
import pyarrow

import oracle
import refagg
import refagg.functions
from refagg.errors import InvalidParameter, RefaggError
from refagg.sklearn import Microaggregation
from tests.black_box.fuzz_cases import ALGORITHMS, DRAWING
from tests.black_box.fuzz_inputs import (
    NAMES,
    NUMBERS,
    TEXTS,
    json_bytes,
    released_of,
    table,
)

HUGE = (10**5000, -(10**5000), Fraction(1, 3**13_000), Decimal("1e999999999"), Decimal("-1e-9999"))
ODD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 3, 10**30, 0.5, -0.0, 1e308, 5e-324, 1e-300, 1j, "", "x"),
    *(float("nan"), float("inf"), float("-inf"), Decimal("NaN"), Decimal("sNaN"), Decimal("Inf")),
    *(b"", b"\xff", "\ud800", "\0", "\x1b[31m", "a" * 10_000, "1e999999999", "9" * 5000, "1/0"),
    *(numpy.float64("nan"), numpy.float32(0.1), numpy.int8(3), numpy.uint64(2**63), numpy.bool_(1)),
    *(numpy.datetime64("NaT", "D"), numpy.datetime64("2020-01-01"), numpy.timedelta64(3, "s")),
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
    "constraints": (["x1 = x2"], ["x1 + x2 = 10"], []),
    "quasi_identifiers": (["x1"], ["x1", "x2"]),
    "drop": (["x2"], []),
    "blocks": ([["x1"]], [["x1"], ["x2"]], [[0], [1]]),
    "kinds": ({"x1": "numeric"}, {"x1": "nominal", "x2": "numeric"}, {"x1": "ordinal:p<q<r"}),
    "weights": ({"x1": 2}, {"x1": 1, "x2": "1/2"}),
    "dissimilarity": ("oss", "hamming", "lcs", lambda a, b: int(a != b), lambda a, b: None),
    "similarity": (lambda a, b: int(a == b), lambda a, b: 1 / 0, [[1, 0], [0, 1]]),
    "parameters": ({"gamma": "1/5"}, {"rounds": 2}, {}),
    "strata": ([0, 0, 0, 1, 1, 1],),
    "sampling_weights": ([1, 1, 1, 2, 2, 2],),
    "aggregates": ({"numeric": "mean"}, {"x1": "median"}),
    "tolerance": (0, "1e-9", 0.1),
    "algorithm": ("mdav", ["mdav", "md"], refagg.mdav),
    "algorithms": (["mdav", "cbfs"], []),
    "measures": (["il1"], "all", ["pmse"]),
    "groups": ([[0, 1, 2]], {"mine": [[0, 1], [2, 3]]}),
    "heuristics": ({"own": lambda rows, k: [0] * len(rows)}, [lambda rows, k: 1 / 0]),
    "references": ([],),
    "confidential": (["x2"],),
    "key": ("x1", ["x1"]),
    "decimals": (0, 2, 300),
    "time_limit": (0.5, 1e-9),
    "together": ([(0, 1)], []),
    "apart": ([(0, 2)], []),
    "largest": (3, 5),
    "method": ("auto", "exhaustive", "ilp", "columns", "univariate"),
    "cost": (lambda group: len(group), lambda group: 0.5, lambda group: 1 / 0),
    "max_runs": (10,),
    "all_risks": (True, False),
    "cases": (["mdav-001"], ["mdav-002", "mdav-005"]),
    "flags": (["tie"], []),
    "precision": ("binary64", "binary32"),
    "nondeterministic": (True, False),
    "l_diversity": ("distinct:2", ["entropy:1.5"]),
    "t_closeness": ("equal:0.5", ["ordered:0.3"]),
    "sets": ([["x1"], ["x2"]],),
    "names": (["a", "b"], ["x1", "x2"]),
    "how": ("none", "population", "sample", "range"),
    "c": (1, 2, 3),
    "m": (1.5, 2.0),
    "kind": ("fcm", "efcm", "nc"),
    "limit": (1, 50),
    "most": (0, 1, 2),
    "objective": ("sse", "absolute"),
    "start": ([[0, 1], [2, 3]],),
    "partition": ([[0, 1, 2]], [[0, 1], [2, 3]]),
    "max_replays": (1, 50),
}
"""Values that are right for many a table."""

BOUNDED = {"time_limit": 0.5, "answer_timeout": 0.5, "max_runs": 50}
"""Given always where they are known, so that no call is long because it was asked to be."""

ALLOWED = (RefaggError, oracle.Rejected, OSError)
"""Named errors, and that a file is not there."""


def called(words: list[str]) -> int:
    """Carry out the call of this number; 0, or 2 for a named error, as a command ends."""
    random = Random(ascii(words[-1]))
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
    call = _drawn(Random(ascii(number)))
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

DRAWING_FUNCTIONS = {name.replace("-", "_") for name in DRAWING}
OF_KINDS = {"weights", "dissimilarity", "similarity", "aggregates"}
"""Options of attributes that are not numbers."""


@dataclass(frozen=True)
class Drawn:
    """What a call is made of: chance, a table and its release, and by how much it is absurd."""

    random: Random
    names: list[str]
    kinds: dict[str, str]
    data: Any
    released: Any
    records: int
    k: Any
    wild: float

    def options(self, function: Callable[..., Any], **given: Any) -> dict[str, Any]:
        """Options of a function, and the kinds of the attributes where it has to be told."""
        declared = any(kind != "numeric" for kind in self.kinds.values())
        if declared and "kinds" in _keywords(function) and self.random.random() < 0.9:
            given["kinds"] = self.kinds
        return _options(self.random, function, self.names, self.wild) | given

    def named(self) -> dict[str, Any]:
        """An algorithm, with a seed if it draws."""
        name = self.random.choice(ALGORITHMS)
        return {"algorithm": name} | ({"seed": 1} if name in DRAWING else {})


def _drawn(random: Random) -> Callable[[], Any]:
    """A call. In half of them all is right, but one thing deep within, or nothing."""
    names, rows, kinds = table(random)
    wild = random.choice((0.0, 0.0, 0.0, 0.0, 0.02, 0.2, 0.6))
    if not wild and random.random() < 0.8:
        names = ["x1", "x2"]
        rows = [[str(random.randint(0, 30)) for _ in names] for _ in range(random.randint(3, 12))]
        kinds = dict.fromkeys(names, "numeric")
    released = released_of(random, rows, list(kinds.values()))
    data, other = _data(random, names, rows, wild), _data(random, names, released, wild)
    k = random.choice(ODD) if random.random() < wild / 2 else random.choice((1, 2, 2, 3))
    drawn = Drawn(random, names, kinds, data, other, len(rows), k, wild)
    call = _call_of(drawn)
    return _one_thing_wrong(random, call) if not wild and random.random() < 0.6 else call


def _call_of(t: Drawn) -> partial[Any]:
    which, random = t.random.randrange(100), t.random
    functions = (*refagg.functions.FUNCTIONS.values(),)
    if which < 35:
        function = random.choice(functions)
        first = (t.data, t.k) if "k" in inspect.signature(function).parameters else (t.data,)
        seed = {"seed": 1} if function.__name__ in DRAWING_FUNCTIONS else {}
        return partial(function, *first, **t.options(function, **seed))
    if which < 45:
        if random.random() < t.wild / 2:
            return partial(refagg.microaggregate, t.data, t.k, random.choice(ODD))
        given = t.options(refagg.microaggregate, **t.named())
        return partial(refagg.microaggregate, t.data, t.k, **given)
    if which < 70:
        named = t.named() if random.random() < 0.6 else {}
        return partial(oracle.audit, t.data, t.released, t.k, **t.options(oracle.audit, **named))
    function, first = random.choice(
        (
            (refagg.measure, (t.data, t.released)),
            (refagg.compare, (t.data, t.k)),
            (refagg.evaluate, (t.data, _groups(random, t.records, t.wild), t.k)),
            (refagg.table_of, (t.data,)),
            (refagg.standardise, (t.data,)),
            (refagg.exact_space, (t.data,)),
            (refagg.float_space, (t.data,)),
            (refagg.fuzzy_c_means, (t.data, t.k)),
            (refagg.with_suppression, (random.choice((t.data, [*"aabbbc"])), t.k)),
            (refagg.release_sse, (t.data, t.released)),
            (refagg.sst, (t.data,)),
            (refagg.correlated_blocks, (t.data, t.k)),
            (_estimated, (t.data, t.k)),
            (oracle.audit_release, (t.data, t.k)),
            (oracle.identify, (t.data, t.released, t.k)),
            (oracle.optimum, (t.data, t.k)),
            (oracle.verify, (_certificate(random), random.choice((t.data, CERTIFIED)))),
            (oracle.conform, (_target(random), random.choice(("mdav", "optimal", *ODD)))),
        )
    )
    return partial(function, *first, **t.options(function))


def _estimated(data: Any, k: Any) -> Any:
    """What scikit-learn itself refuses is its own error, as it has to be."""
    try:
        return Microaggregation(k).fit_transform(data)
    except (ValueError, OverflowError) as error:
        ours = any("refagg/release" in f.filename for f in extract_tb(error.__traceback__))
        if ours and not isinstance(error, RefaggError):
            raise
        raise InvalidParameter(str(error)) from error


CERTIFIED = [[0, 3], [1, 9], [2, 27], [10, 4], [11, 20], [12, 31]]
"""A table of which the optimum is proved."""


@cache
def _proved() -> bytes:
    return json.dumps(oracle.optimum(CERTIFIED, 2, method="columns").certificate).encode()


def _certificate(random: Random) -> Any:
    """A proof, spoilt or not, as a mapping."""
    if random.random() < 0.1:
        return random.choice((*ODD, "no/such/file"))
    with suppress(ValueError, RecursionError):
        return json.loads(json_bytes(random, _proved()))
    return {}


def _target(random: Random) -> Any:
    """A function under test: right at first, then odd."""
    right = random.choice((0, 1, 5, 10**9))
    asked = itertools.count()

    def labels(records: Any, k: int) -> Any:
        if next(asked) < right:
            return [min(place // k, max(0, len(records) // k - 1)) for place in range(len(records))]
        return random.choice(ODD)

    return labels


# One thing wrong, as deep as there is any depth


def _one_thing_wrong(random: Random, call: partial[Any]) -> partial[Any]:
    """The call with one leaf of what is given replaced."""
    given = dict(call.keywords)
    first = list(call.args)
    if given and random.random() < 0.8:
        name = random.choice(list(given))
        given[name] = _one_leaf_wrong(random, given[name])
    elif first:
        at = random.randrange(len(first))
        first[at] = _one_leaf_wrong(random, first[at])
    return partial(call.func, *first, **given)


def _one_leaf_wrong(random: Random, value: Any) -> Any:
    """A value with one leaf replaced, the last ones rather than the first."""
    if isinstance(value, dict) and value:
        name = random.choice(list(value))
        return value | {name: _one_leaf_wrong(random, value[name])}
    if isinstance(value, list) and value:
        at = max(random.randrange(len(value)), random.randrange(len(value)))
        return [*value[:at], _one_leaf_wrong(random, value[at]), *value[at + 1 :]]
    if callable(value) and not isinstance(value, type):
        return _later(random, value)
    return random.choice((*ODD, *NUMBERS, *TEXTS))


def _later(random: Random, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which answers something odd, or raises, after some calls."""
    right, calls = random.choice((0, 1, 3, 10)), itertools.count()
    odd = random.choice(ODD)

    def later(*given: Any, **options: Any) -> Any:
        if next(calls) < right:
            return function(*given, **options)
        if odd is None:
            raise ValueError("no more")
        return odd

    return later


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
    if not wild:
        known = [name for name in known if name not in OF_KINDS]
    for _ in range(random.choice((0, 0, 1, 1, 2, 3) if wild else (0, 1, 1, 2))):
        if not known:
            break
        name = random.choice(known)
        value = random.choice(ODD if random.random() < wild else OPTIONS.get(name, ODD))
        if random.random() < wild / 4 and isinstance(value, dict):
            value = {random.choice((*names, *NAMES)): random.choice(ODD)}
        if random.random() < wild / 4 and isinstance(value, list):
            value = [*value, random.choice((*names, *ODD))]
        given[name] = value
    return given


def _keywords(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of the options of a function."""
    with suppress(TypeError, ValueError):
        known = inspect.signature(function).parameters.values()
        return tuple(p.name for p in known if p.kind is p.KEYWORD_ONLY or p.name == "algorithm")
    return ()


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
