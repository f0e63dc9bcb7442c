"""MD: groups around the two most distant records, again and again.

Source: J. Domingo-Ferrer, J. M. Mateo-Sanz, "Practical data-oriented microaggregation for
statistical disclosure control", IEEE TKDE 14 (2002) 189-201.

Steps, while at least 2k records remain:
  1. (r, s) is the pair of remaining records that are most distant from each other.
  2. r and its k-1 nearest records (not s) form a group; s and its k-1 nearest of the others too.
Then:
  3. k to 2k-1 records form a group;
  4. each of the fewer than k that remain joins the group whose centroid is nearest; the centroids
     are those before the first of them is added.
Which end of the pair is r is open, and matters.

>>> import refagg
>>> refagg.md([[1], [2], [3], [10], [11], [12], [30]], k=2).groups
((0, 1), (2, 3, 4), (5, 6))
"""

from __future__ import annotations

from refagg.algorithms.mdav_family.steps import MOST_DISTANT_PAIR, near_leftover
from refagg.cursors.remaining import Cursor, on_cursor
from refagg.language.specification import OpenChoice, Specification


def md(R: Cursor, k: int) -> None:
    leaves_over = 0 < len(R) % (2 * k) < k  # for step 4, which adds to the groups
    while R.at_least(2 * k):
        r, s = R.most_distant_pair("pair")  # 1.
        R.group("near r", r, k, without={s}, grows=leaves_over)  # 2.
        R.group("near s", s, k, grows=leaves_over)
    if len(R) >= k:
        R.rest()  # 3.
    R.share_out("near leftover")  # 4.


SPECIFICATION = Specification(
    name="md",
    title="MD (maximum distance)",
    source="Domingo-Ferrer and Mateo-Sanz 2002, IEEE TKDE 14:189-201",
    run=on_cursor(md),
    guarantees="all groups have k records but those that take in leftovers, of at most 2k-1",
    ties=(
        MOST_DISTANT_PAIR,
        OpenChoice("near r", "2", "the k-1 nearest records to r"),
        OpenChoice("near s", "2", "the k-1 nearest records to s"),
        near_leftover("4"),
    ),
    decisions=(4, 10),
    cost="O(n^2) distances at least, O(n^2) memory for the first pair",
)
