"""A dissimilarity or similarity of the caller's own.

It is a function of two items, or the matrix of all of them.

What it gives is checked for all records before any work: finite numbers of at least 0, the same in
both orders, 0 for a record and itself. Of a similarity s, from 0 to 1 and 1 for a record and
itself, the dissimilarity is 1 - s.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from refagg.data.foreign import named_rows
from refagg.data.kinds import Events
from refagg.data.tables import Table
from refagg.errors import (
    InvalidMatrix,
    InvalidParameter,
    MeasureFailed,
    NotATable,
    UndefinedMeasure,
)
from refagg.language.number_texts import number_text, shortened
from refagg.spaces.dissimilarities.dissimilarity import Dissimilarity, pair_by_pair
from refagg.spaces.matrix import checked_matrix, exact_number

Measure = Callable[[Any, Any], Any] | Sequence[Sequence[Any]]
"""A function of two items, or the matrix of all."""


@dataclass(frozen=True, slots=True)
class Own:
    """A measure that the caller gives, with its name."""

    values: Measure
    similarity: bool = False
    name: str = "own"


def one_measure(dissimilarity: Any, similarity: Any) -> Any:
    """Return the measure that one of two keywords gives.

    None if neither is given. Raises InvalidParameter if both are given, or if a similarity is not a
    function or a matrix.
    """
    if similarity is None:
        known = dissimilarity is None or _is_known(dissimilarity)
        return dissimilarity if known else Own(dissimilarity)
    if dissimilarity is not None:
        raise InvalidParameter("dissimilarity and similarity are two ways to say the same")
    if _is_known(similarity):
        raise InvalidParameter(f"similarity is {similarity!r}; give a function or a matrix")
    return Own(similarity, similarity=True)


def _is_known(measure: object) -> bool:
    return isinstance(measure, (str, Dissimilarity, Own))


def own_rows(own: Own, items: Sequence[object]) -> list[list[Fraction]]:
    """The matrix of some records, checked. Raises InvalidMatrix, which names the records."""
    if callable(own.values):
        first: dict[Any, int] = {}
        for record, item in enumerate(items):
            first.setdefault(item, record)
        table = {i: {j: _asked(own, items, i, j) for j in first.values()} for i in first.values()}
        codes = [first[item] for item in items]
        rows = [[table[code][other] for other in codes] for code in codes]
    else:
        rows = _listed(own.values)
        if len(rows) != len(items):
            raise InvalidMatrix(f"the matrix has {len(rows)} rows for {len(items)} records")
    if own.similarity:
        rows = [
            [_complement(value, f"records {i} and {j}") for j, value in enumerate(row)]
            for i, row in enumerate(rows)
        ]
        for record, row in enumerate(rows):
            if row[record:] and row[record]:
                value = 1 - row[record]
                raise InvalidMatrix(
                    f"the similarity of record {record} with itself is {value}; it must be 1"
                )
    return checked_matrix(rows)


def _asked(own: Own, items: Sequence[object], i: int, j: int) -> Any:
    """Ask the caller's function about two records. Raises MeasureFailed, which names them."""
    assert callable(own.values)
    try:
        return own.values(items[i], items[j])
    except (Exception, SystemExit) as error:
        what = "similarity" if own.similarity else "dissimilarity"
        reason = f"{type(error).__name__}: {error}"
        raise MeasureFailed(f"the {what} of records {i} and {j} raised {reason}") from error


def _listed(values: object) -> list[list[Any]]:
    """The rows of a matrix. Raises InvalidMatrix for what has no rows."""
    try:
        return [list(row) for row in named_rows(values)[1]]
    except NotATable:
        raise InvalidMatrix(
            f"{shortened(values)} is not a matrix; give a function of two sequences, or a row for "
            "each record"
        ) from None


def measure_for(table: Table, measure: object) -> str | Dissimilarity:
    """Return a measure as the dissimilarity of a table's sequences.

    None stands for "oss". The caller's own one is checked for all records. Raises InvalidMatrix,
    which names the records, and InvalidParameter for a matrix where there is not one attribute of
    sequences.
    """
    if measure is None:
        return "oss"
    if not isinstance(measure, Own):
        return measure if isinstance(measure, str) else _named(measure)
    columns = [a.values(range(table.n)) for a in table.others if a.kind.name == "sequence"]
    if not columns or (len(columns) > 1 and not callable(measure.values)):
        raise InvalidParameter(
            f"the {'similarity' if measure.similarity else 'dissimilarity'} is one of sequences, "
            f"but {len(columns)} attributes hold sequences"
        )
    known: dict[tuple[Events, Events], Fraction] = {}
    for values in columns:
        _add(known, own_rows(measure, values), values)
    return pair_by_pair(measure.name, "", partial(_between, measure, known))


def _between(
    measure: Own, known: dict[tuple[Events, Events], Fraction], a: Events, b: Events
) -> Fraction:
    """Return the caller's measure of two sequences.

    One of them can be a sequence that no record has. Raises InvalidMatrix, and UndefinedMeasure if
    a matrix says nothing of it.
    """
    if (a, b) not in known:
        if not callable(measure.values):
            strange = a if (a, a) not in known else b
            raise UndefinedMeasure(f"the matrix says nothing of {strange!r}, which no record has")
        try:
            known[a, b] = known[b, a] = own_rows(measure, [a, b])[0][1]
        except InvalidMatrix as error:
            raise InvalidMatrix(f"of {a!r} (0) and {b!r} (1): {error}") from None
    return known[a, b]


def _named(measure: object) -> Dissimilarity:
    if not isinstance(measure, Dissimilarity):
        raise InvalidParameter(f"the dissimilarity is {measure!r}; give a name, or a function")
    return measure


def _add(
    known: dict[tuple[Events, Events], Fraction],
    rows: Sequence[Sequence[Fraction]],
    values: Sequence[Any],
) -> None:
    """Note what a matrix says of the sequences.

    Raises InvalidMatrix if equal sequences have different dissimilarities.
    """
    first: dict[Events, int] = {}
    for record, events in enumerate(values):
        other = first.setdefault(events, record)
        if rows[record] != rows[other]:
            raise InvalidMatrix(
                f"records {other} and {record} have the same sequence, but not the same "
                "dissimilarities"
            )
    for a, i in first.items():
        for b, j in first.items():
            known[a, b] = rows[i][j]


def _complement(value: object, pair: str) -> Fraction:
    exact = exact_number(value, f"the similarity of {pair}")
    if not 0 <= exact <= 1:
        raise InvalidMatrix(
            f"the similarity of {pair} is {number_text(exact)}; it must be from 0 to 1"
        )
    return 1 - exact
