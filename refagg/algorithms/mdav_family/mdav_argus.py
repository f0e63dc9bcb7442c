"""MDAV as the mu-Argus code runs: the end with the lower record number goes first.

Source: the code of mu-Argus (Statistics Netherlands), as its results show it; not a
publication. It differs from `mdav` in one step, and its result depends on the order of
the records in the file.

Steps, while at least 3k records remain:
  1. x_r is the record most distant from the average of the remaining records.
  2. x_s is the record most distant from x_r.
  3. Of x_r and x_s, the one with the lower number and its k-1 nearest records (not the other
     one) form a group, then the other one and its k-1 nearest of what is left.
Then:
  4. of 2k to 3k-1 records, x_r and its k-1 nearest form a group, the others one more;
  5. fewer than 2k records form one group.

>>> import refagg
>>> refagg.mdav_argus([[1], [2], [3], [10], [11], [12], [30]], k=2).groups
((0, 1), (2, 3, 4), (5, 6))
"""

from __future__ import annotations

from refagg.algorithms.mdav_family.steps import X_R, last_groups, last_ties
from refagg.cursors.remaining import Cursor, on_cursor
from refagg.language.specification import OpenChoice, Specification


def mdav_argus(R: Cursor, k: int) -> None:
    while R.at_least(3 * k):
        x_r = R.farthest("x_r", R.average())  # 1.
        x_s = R.farthest("x_s", x_r, without={x_r})  # 2. another record, also where all are equal
        first, second = sorted((x_r, x_s))  # 3.
        R.group("near first", first, k, without={second})
        R.group("near second", second, k)
    last_groups(R, k)  # 4. and 5.


SPECIFICATION = Specification(
    name="mdav-argus",
    title="MDAV as in mu-Argus (the lower record number first)",
    source="the code of mu-Argus as its results show it; unpublished",
    run=on_cursor(mdav_argus),
    largest_group=lambda k: 2 * k - 1,
    guarantees="all groups have k records but the last, which has k to 2k-1; "
    "depends on the order of the records",
    ties=(
        X_R,
        OpenChoice("x_s", "2", "the record most distant from x_r"),
        OpenChoice("near first", "3", "the k-1 nearest records to the end with the lower number"),
        OpenChoice("near second", "3", "the k-1 nearest records to the end with the higher number"),
        *last_ties("4"),
    ),
    decisions=(2, 11),
    cost="O(n^2 / k) distances, O(n) memory",
)
