"""MDAV as mu-Argus runs it: records in a row change places.

This is how the code of mu-Argus works.

Source: the code of mu-Argus (Statistics Netherlands, `CMicroAggregation`), which sdcMicro includes
as `argus_microaggregation`; not a publication. It differs from `mdav` in which of the two groups is
formed first, in the last step too, and its result depends on the order of the records in the file.

The records stand in a row, at first in the order of the file. While at least 3k records remain:
  1. x_r is the record most distant from the average of the remaining records.
  2. x_s is the record most distant from x_r.
  3. Of x_r and x_s, the one that stands before the other in the row changes places with the first
     record of the row, then the other one with the record k places further on.
  4. It and its k-1 nearest records (not the other one) form a group, the nearest first: each
     changes places with the record after those of the group. The group leaves the row, whose first
     record is now the other one; that forms a group in the same way.
Then:
  5. of 2k to 3k-1 records, the one of x_r and x_s that stands before the other and its k-1 nearest
     form a group, the others another one;
  6. fewer than 2k records form one group.

>>> import refagg
>>> refagg.mdav_argus([[1], [2], [3], [10], [11], [12], [30]], k=2).groups
((0, 1), (2, 3, 4), (5, 6))
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from refagg.algorithms.mdav_family.steps import X_R
from refagg.cursors.remaining import Cursor, on_cursor
from refagg.language.partition import Record
from refagg.language.specification import OpenChoice, Specification


class Row:
    """The records that remain, in a row; `index` gives places to compare."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._records, self._start = list(records), 0
        self._places = {record: place for place, record in enumerate(records)}
        self.index = self._places.__getitem__

    @property
    def first(self) -> Record:
        """Return the first record of the row."""
        return self._records[self._start]

    def kept(self, R: Cursor) -> tuple[Record, ...]:
        """Return the row for a judge; no one else needs a copy."""
        return tuple(self._records[self._start :]) if R.choices.marked else ()

    def change_places(self, place: int, record: Record) -> None:
        """Exchange the record with the one at this place."""
        here, there = self._start + place, self._places[record]
        other = self._records[here]
        self._records[here], self._records[there] = record, other
        self._places[record], self._places[other] = here, there

    def leave(self, count: int) -> None:
        """Let the first records leave the row."""
        self._start += count


def mdav_argus(R: Cursor, k: int) -> None:
    row = Row(R.records)
    while R.at_least(3 * k, row.kept(R)):
        x_r = R.farthest("x_r", R.average())  # 1.
        x_s = R.farthest("x_s", x_r, without={x_r})  # 2. another record, also where all are equal
        ends = tuple(sorted((x_r, x_s), key=row.index))
        first, second = R.choices.settled("first end", ends, (ends[::-1],))  # 3.
        row.change_places(0, first)
        row.change_places(k, second)
        leading_group(R, "near first", row, k, without={second})  # 4.
        leading_group(R, "near second", row, k)
    if R.at_least(2 * k, row.kept(R)):  # 5.
        x_r = R.farthest("last x_r", R.average())
        x_s = R.farthest("last x_s", x_r, without={x_r})
        ends = tuple(sorted((x_r, x_s), key=row.index))
        row.change_places(0, R.choices.settled("last end", ends[0], ends))
        leading_group(R, "near last", row, k)
    R.rest()  # 6.


def leading_group(R: Cursor, name: str, row: Row, k: int, without: Collection[Record] = ()) -> None:
    """Form a group of the first record and its k-1 nearest.

    The records leave the row. Of records that are equally distant, the one that stands first
    changes places first.
    """
    seed, *others = R.group(name, row.first, k, without)
    for place, record in enumerate(R.space.distances(seed, others).in_turn(row.index), 1):
        row.change_places(place, record)
    row.leave(k)


SPECIFICATION = Specification(
    name="mdav-argus",
    title="MDAV as in mu-Argus (the record that stands first goes first)",
    source="the code of mu-Argus (CMicroAggregation); unpublished",
    run=on_cursor(mdav_argus),
    guarantees="all groups have k records but the last, which has k to 2k-1; "
    "depends on the order of the records",
    ties=(
        X_R,
        OpenChoice("x_s", "2", "the record most distant from x_r"),
        OpenChoice("near first", "4", "the k-1 nearest records to the end that goes first"),
        OpenChoice("near second", "4", "the k-1 nearest records to the other end"),
        OpenChoice(
            "last x_r", "5", "the record most distant from the average of the remaining records"
        ),
        OpenChoice("last x_s", "5", "the record most distant from the last x_r"),
        OpenChoice("near last", "5", "the k-1 nearest records to the end that goes first"),
    ),
    decisions=(2, 11),
    cost="O(n^2 / k) distances, O(n) memory",
)
