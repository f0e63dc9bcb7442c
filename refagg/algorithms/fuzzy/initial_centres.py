"""The records at which centres start."""

from __future__ import annotations

from collections.abc import Sequence

from refagg.errors import InvalidParameter
from refagg.language.number_texts import shortened
from refagg.language.partition import Record
from refagg.language.random_stream import RandomStream


def drawn_records(rows: Sequence[Sequence[float]], c: int, stream: RandomStream) -> list[Record]:
    """c records of different rows, drawn, each being equally likely to be the next one.

    If fewer rows are different, the others are drawn from all records: some centres coincide.
    Raises InvalidParameter.

    >>> from refagg.language.random_stream import scripted
    >>> drawn_records([(5.0,), (5.0,), (7.0,)], 2, scripted([1, 0]))
    [1, 2]
    """
    if not 1 <= c <= len(rows):
        most = f"at most the {len(rows)} rows"
        raise InvalidParameter(f"c is {shortened(c)}; it must be at least 1 and {most}")
    chosen: list[Record] = []
    left = list(range(len(rows)))
    while left and len(chosen) < c:
        chosen.append(left[stream.randbelow(len(left))])
        row = tuple(rows[chosen[-1]])
        left = [other for other in left if tuple(rows[other]) != row]
    return chosen + [stream.randbelow(len(rows)) for _ in range(c - len(chosen))]
