"""MDAV-single: one group after another around the record farthest from the average.

Source: G. S. Rawat, B. Borah, "An improved variable-sized microaggregation algorithm
(IV-MDAV)", where it is measured but its pseudo-code is not given; this reading gives the
printed values.

Steps, while at least 3k records remain:
  1. x_r is the record most distant from the average of the remaining records;
     x_r and its k-1 nearest records form a group.
Then:
  2. of 2k to 3k-1 records, x_r and its k-1 nearest form a group, the others another one;
  3. fewer than 2k records form one group.

>>> import refagg
>>> refagg.mdav_single([[1], [2], [3], [10], [11], [12], [30]], k=2).groups
((0, 1, 2), (3, 4), (5, 6))
"""

from __future__ import annotations

from refagg.algorithms.mdav_family.steps import NEAR_X_R, X_R, last_groups, last_ties
from refagg.cursors.remaining import Cursor, on_cursor
from refagg.language.specification import Specification


def mdav_single(R: Cursor, k: int) -> None:
    while R.at_least(3 * k):
        x_r = R.farthest("x_r", R.average())  # 1.
        R.group("near x_r", x_r, k)
    last_groups(R, k)  # 2. and 3.


SPECIFICATION = Specification(
    name="mdav-single",
    title="MDAV-single (one group per step)",
    source="Rawat and Borah, IV-MDAV, Table 1",
    run=on_cursor(mdav_single),
    guarantees="all groups have k records but the last, which has k to 2k-1",
    ties=(X_R, NEAR_X_R, *last_ties("2")),
    decisions=(3,),
    cost="O(n^2 / k) distances, O(n) memory",
)
