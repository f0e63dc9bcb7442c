"""DBFS: groups of fixed size around one end of the diameter.

Source: M. Laszlo, S. Mukherjee, "Minimum spanning tree partitioning algorithm for
microaggregation", IEEE TKDE 17 (2005) 902-911, where it is one of two heuristics of fixed size. The
paper was not available.

Steps, while at least k records remain:
  1. (r, s) is the pair of remaining records that are most distant from each other; r and its k-1
     nearest records form a group. s is treated like the others. A single record, with k = 1, is r.
Then:
  2. each of the fewer than k that remain joins the group whose centroid is nearest; the centroids
     are those before the first of them is added.
Which end of the pair is r is open, and matters.

Example, with paper and pencil: 1, 2, 3, 10, 11, 12, 30 with k = 2. 1 and 30 are most distant; 1 has
the lower number, and 2 joins it. Of 3 and 30 r is 3, and 10 joins it; of 11 and 30 it is 11, and 12
joins it. 30 is left; the centroids are 1.5, 6.5 and 11.5.

>>> import refagg
>>> refagg.dbfs([[1], [2], [3], [10], [11], [12], [30]], k=2).groups
((0, 1), (2, 3), (4, 5, 6))
"""

from __future__ import annotations

from refagg.algorithms.mdav_family.steps import MOST_DISTANT_PAIR, near_leftover
from refagg.cursors.remaining import Cursor, on_cursor
from refagg.language.specification import OpenChoice, Specification


def dbfs(R: Cursor, k: int) -> None:
    leaves_over = len(R) % k > 0  # for step 2, which adds to the groups
    while R.at_least(k):
        r = R.most_distant_pair("pair")[0] if len(R) > 1 else R.records[0]  # 1.
        R.group("near r", r, k, grows=leaves_over)
    R.share_out("near leftover")  # 2.


SPECIFICATION = Specification(
    name="dbfs",
    title="DBFS (diameter-based, fixed size)",
    source="Laszlo and Mukherjee 2005, IEEE TKDE 17:902-911",
    run=on_cursor(dbfs),
    guarantees="all groups have k records but those that take in leftovers, of at most 2k-1",
    ties=(
        MOST_DISTANT_PAIR,
        OpenChoice("near r", "1", "the k-1 nearest records to r"),
        near_leftover("2"),
    ),
    decisions=(10, 74),
    cost="O(n^2) distances at least, O(n^2) memory for the first pair",
)
