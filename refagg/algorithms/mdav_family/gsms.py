"""GSMS: the next group always leaves the least SSE behind.

Source: C. Panagiotakis, G. Tziritas, "Successive group selection for microaggregation", IEEE TKDE
25 (2013) 1191-1195. The paper was not available; the reading of GSMS is that of another
implementation (GSMS.m of Mdav-Matlab), and GSMS-T2 is recollected.

G(x) is an unassigned record x and its k-1 nearest unassigned records.

GSMS, while at least k records are unassigned:
  1. x is the unassigned record for which the sum of the SSE of G(x) and the SSE of the other
     unassigned records, as one group, is least; G(x) is a group.
Then:
  2. each of the fewer than k that remain joins the group whose centroid is nearest; the centroids
     are those before the first of them is added.
GSMS-T2 begins with GSMS, and then:
  3. The groups are visited in the order of their SSE, the greatest first. A visited group is
     dissolved, each of its records joining the group with the nearest centroid, if that makes the
     total SSE less.
  4. Each group of 2k records or more is divided by MDAV-1.

The SSE of u records is the sum of those of k and of the u-k others, and k u / (u-k) times the
squared distance between the centroid of the k and that of all. So the sum of step 1 is least where
the centroid of G(x) is the most distant from the average of the unassigned records, and that is how
x is sought here. Where exactly k are unassigned there is only one group.

Where several records are equally far from x, it has several such groups, and which of them is G(x)
is open.

Example, with paper and pencil: 0, 1, 5, 6, 20 with k = 2. G(20) = {6, 20} has the centroid 13, and
is 6.6 from the average 6.4; G(0) = {0, 1} is 5.9 from it: the SSEs 98 and 14 are less than 1/2
and 140.67 together. Of 0, 1, 5 with the average 2 G(0) is 1.5 away and G(5) = {1, 5} 1. 5 is left;
the centroids are 13 and 0.5.

>>> import refagg
>>> refagg.gsms([[0], [1], [5], [6], [20]], k=2).groups
((0, 1, 2), (3, 4))
>>> refagg.gsms_t2([[0], [1], [5], [6], [20]], k=2).groups
((0, 1, 2), (3, 4))
"""

from __future__ import annotations

from dataclasses import replace

from refagg.algorithms.mdav_family.second_phase import (
    dissolved,
    divided,
    division_ties,
    ties,
    visited,
)
from refagg.algorithms.mdav_family.steps import near_leftover
from refagg.cursors.groups import Groups, on_groups
from refagg.cursors.remaining import Cursor, on_cursor
from refagg.cursors.subrun import ties_of_subrun
from refagg.language.specification import OpenChoice, Specification


def gsms(R: Cursor, k: int) -> None:
    leaves_over = len(R) % k > 0  # for step 2, which adds to the groups
    while R.at_least(k):
        G = R.neighbourhoods(k, R.space.centroid)
        away = R.away(R.average(), G)
        R.best_group("x", "near x", G, away, greatest=True, grows=leaves_over)  # 1.
    R.share_out("near leftover")  # 2.


def gsms_t2(R: Cursor, k: int) -> Groups:
    G = Groups.by(gsms, R, k, "gsms")  # 1. and 2.
    dissolved(G, G.by_decreasing_sse("visited"))  # 3.
    return divided(G, k)  # 4.


_AWAY = "distance^2 of centroids"

SPECIFICATION = Specification(
    name="gsms",
    title="GSMS (the group that leaves the least SSE behind)",
    source="Panagiotakis and Tziritas 2013, IEEE TKDE 25:1191-1195",
    run=on_cursor(gsms),
    guarantees="all groups have k records but those that take in leftovers, of at most 2k-1",
    ties=(
        OpenChoice("x", "1", "the record whose group leaves the least SSE", measure=_AWAY),
        OpenChoice("near x", "1", "the k-1 nearest unassigned records to x"),
        OpenChoice(
            "near x, the best",
            "1",
            "the group of x, where only some can leave the least SSE",
            "neighbourhood",
            _AWAY,
        ),
        near_leftover("2"),
    ),
    decisions=(77, 78),
    cost="O(n^2 / k) distances at least, O(k n) memory",
    needs="Numeric",
)

SPECIFICATION_T2 = replace(
    SPECIFICATION,
    name="gsms-t2",
    title="GSMS-T2 (GSMS, then groups dissolved where that lowers the SSE)",
    run=on_groups(gsms_t2),
    guarantees="groups of k to 2k-1 records; the SSE is at most that of GSMS",
    ties=(
        *ties_of_subrun("gsms", "1 and 2", SPECIFICATION.ties),
        visited("3"),
        *ties("3"),
        *division_ties("4"),
    ),
    decisions=(31, 73, 75, 77, 78),
)
