"""The space of sequences of events: the matrix of their dissimilarities.

>>> space = sequence_space([("a", "b"), ("b", "a"), ("a", "b")], "oss")
>>> space.between(0, 1), space.between(0, 2)
(Fraction(1, 4), Fraction(0, 1))
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

from refagg.data.kinds import Events
from refagg.spaces.dissimilarities.dissimilarity import Dissimilarity
from refagg.spaces.dissimilarities.own import Measure, Own, own_rows
from refagg.spaces.dissimilarities.similarities import dissimilarity
from refagg.spaces.matrix import MatrixSpace


def sequence_space(
    sequences: Sequence[Events],
    measure: str | Dissimilarity | Own | Measure,
    tolerance: Fraction | int = 0,
) -> MatrixSpace:
    """The space of some sequences, one for each record.

    A named dissimilarity is computed once for each pair of different sequences; a function of one's
    own is asked about both orders and about each sequence with itself.
    Raises InvalidParameter for an unknown name, and InvalidMatrix for a function or a matrix
    that is none: it names the records.
    """
    if isinstance(measure, (str, Dissimilarity)):
        rows = dissimilarity_rows(sequences, dissimilarity(measure))
    else:
        rows = own_rows(measure if isinstance(measure, Own) else Own(measure), sequences)
    return MatrixSpace(rows, Fraction(tolerance), checked=bool(rows))  # none are refused there


def dissimilarity_rows(sequences: Sequence[Events], measure: Dissimilarity) -> list[list[Any]]:
    """The matrix of a dissimilarity; equal sequences share what is computed."""
    different = list(dict.fromkeys(sequences))
    number = {events: i for i, events in enumerate(different)}
    values = _both_halves(different, measure)
    codes = [number[events] for events in sequences]
    rows = [[row[code] for code in codes] for row in values]
    return [rows[code] for code in codes]


def _both_halves(different: Sequence[Events], measure: Dissimilarity) -> list[list[Fraction]]:
    some, zero = measure.prepare(different), Fraction(0)
    rows = [[*islice(measure.to_each(some, a), i), zero] for i, a in enumerate(different)]
    for i, row in enumerate(rows):
        row += [below[i] for below in rows[i + 1 :]]
    return rows
