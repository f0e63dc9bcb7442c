"""MDAV-1: MDAV with groups of k; the rest join near groups.

Groups are formed as long as there are k records.

Source: J.-L. Lin, T.-H. Wen, J.-C. Hsieh, P.-C. Chang, "Density-based microaggregation for
statistical disclosure control", Expert Systems with Applications 37 (2010) 3256-3263, where MDAV-2
begins with it. The paper was not available; the reading gives the numbers that are known of it, and
two of MDAV that no other reading gives.

Steps, while at least 2k records remain:
  1. x_r is the record most distant from the average of the remaining records.
  2. x_s is the record most distant from x_r.
  3. x_r and its k-1 nearest records (not x_s) form a group; x_s and its k-1 nearest of the
     others too.
Then:
  4. if at least k records remain, x_r is the one most distant from their average; it and its k-1
     nearest form a group;
  5. each of the fewer than k that remain joins the group whose centroid is nearest; the centroids
     are those before the first of them is added.
`mdav-2k` makes the last k to 2k-1 records one group.

Example, with paper and pencil: 1, 2, 3, 10, 11, 12, 30 with k = 2 have the average 69/7. x_r is 30
and x_s is 1: {30, 12}, {1, 2}. Of 3, 10, 11 with the average 8 the farthest is 3, and 10 joins it.
11 is left; the centroids are 21, 1.5 and 6.5.

>>> import refagg
>>> refagg.mdav_1([[1], [2], [3], [10], [11], [12], [30]], k=2).groups
((0, 1), (2, 3, 4), (5, 6))
"""

from __future__ import annotations

from refagg.algorithms.mdav_family.steps import BOTH_ENDS, near_leftover
from refagg.cursors.remaining import Cursor, on_cursor
from refagg.language.specification import OpenChoice, Specification


def mdav_1(R: Cursor, k: int) -> None:
    leaves_over = len(R) % k > 0  # for step 5, which adds to the groups
    while R.at_least(2 * k):
        x_r = R.farthest("x_r", R.average())  # 1.
        x_s = R.farthest("x_s", x_r, without={x_r})  # 2.
        R.group("near x_r", x_r, k, without={x_s}, grows=leaves_over)  # 3.
        R.group("near x_s", x_s, k, grows=leaves_over)
    if R.at_least(k):
        x_r = R.farthest("last x_r", R.average())  # 4.
        R.group("near last x_r", x_r, k, grows=leaves_over)
    R.share_out("near leftover")  # 5.


SPECIFICATION = Specification(
    name="mdav-1",
    title="MDAV-1 (two groups while 2k records remain, then one of k)",
    source="Lin, Wen, Hsieh and Chang 2010, Expert Systems with Applications 37:3256-3263",
    run=on_cursor(mdav_1),
    guarantees="all groups have k records but those that take in leftovers, of at most 2k-1",
    ties=(
        *BOTH_ENDS,
        OpenChoice(
            "last x_r", "4", "the record most distant from the average of the remaining records"
        ),
        OpenChoice("near last x_r", "4", "the k-1 nearest records to the last x_r"),
        near_leftover("5"),
    ),
    decisions=(2, 73),
    cost="O(n^2 / k) distances, O(n) memory",
)
