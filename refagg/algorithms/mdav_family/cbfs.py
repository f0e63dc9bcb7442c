"""CBFS: fixed-size groups around the record most distant from the centroid.

Source: M. Laszlo, S. Mukherjee, "Minimum spanning tree partitioning algorithm for
microaggregation", IEEE TKDE 17 (2005) 902-911, where it is one of two heuristics of fixed size. The
paper was not available.

Steps, while at least k records remain:
  1. r is the record most distant from the centroid of the remaining records; r and its k-1
     nearest records form a group.
Then:
  2. each of the fewer than k that remain joins the group whose centroid is nearest; the centroids
     are those before the first of them is added.
`mdav-single` begins in the same way, and makes the last k to 2k-1 records a group.

Example, with paper and pencil: 1, 2, 3, 10, 11, 12, 30 with k = 2 have the centroid 69/7; 30 is the
farthest, and 12 joins it. Of the others the centroid is 5.4: 11, the farthest, is with 10. Of 1, 2
and 3 both ends are equally far from 2, and the lower number is 1, with 2. 3 is left; the centroids
are 21, 10.5 and 1.5.

>>> import refagg
>>> refagg.cbfs([[1], [2], [3], [10], [11], [12], [30]], k=2).groups
((0, 1, 2), (3, 4), (5, 6))
"""

from __future__ import annotations

from refagg.algorithms.mdav_family.steps import near_leftover
from refagg.cursors.remaining import Cursor, on_cursor
from refagg.language.specification import OpenChoice, Specification


def cbfs(R: Cursor, k: int) -> None:
    leaves_over = len(R) % k > 0  # for step 2, which adds to the groups
    while R.at_least(k):
        r = R.farthest("r", R.average())  # 1.
        R.group("near r", r, k, grows=leaves_over)
    R.share_out("near leftover")  # 2.


SPECIFICATION = Specification(
    name="cbfs",
    title="CBFS (centroid-based, fixed size)",
    source="Laszlo and Mukherjee 2005, IEEE TKDE 17:902-911",
    run=on_cursor(cbfs),
    guarantees="all groups have k records but those that take in leftovers, of at most 2k-1",
    ties=(
        OpenChoice("r", "1", "the record most distant from the centroid of the remaining records"),
        OpenChoice("near r", "1", "the k-1 nearest records to r"),
        near_leftover("2"),
    ),
    decisions=(74,),
    cost="O(n^2 / k) distances, O(n) memory",
)
