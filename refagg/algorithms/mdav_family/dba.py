"""DBA: groups around the records whose neighbours are nearest, the densest first.

Source: J.-L. Lin, T.-H. Wen, J.-C. Hsieh, P.-C. Chang, "Density-based microaggregation for
statistical disclosure control", Expert Systems with Applications 37 (2010) 3256-3263. The paper was
not available; the reading gives all 24 numbers that are known of it.

N(x), the k-neighbourhood of an unassigned record x, is x and its k-1 nearest unassigned records.
The k-density of x is 1 over the sum of the squared distances of N(x) from their mean: the greatest
density is the least SSE, even where that is 0.

DBA-1, while at least k records are unassigned:
  1. x is the unassigned record of the greatest k-density; N(x) is a group.
Then:
  2. each of the fewer than k that remain joins the group whose centroid is nearest; the centroids
     are those before the first of them is added.
DBA-2 begins with DBA-1, and then:
  3. The groups are visited from the last formed to the first. A visited group is dissolved, each
     of its records joining the group with the nearest centroid, if that makes the total SSE less.
  4. Each group of 2k records or more is divided by MDAV-1.

Where several records are equally far from x, it has several neighbourhoods, and which of them gives
its density is open.

Example, with paper and pencil: 0, 2, 3, 7, 8, 9, 20 with k = 2. 2 and 3 are 1 apart, and so are 7
and 8, 8 and 9; the pair of 2 has the lowest number. Of 0, 7, 8, 9, 20 it is 7 and 8, and then 0
and 9 have 81/2, 9 and 20 121/2. 20 is left; the centroids are 2.5, 7.5 and 4.5.

>>> import refagg
>>> refagg.dba_1([[0], [2], [3], [7], [8], [9], [20]], k=2).groups
((0, 5), (1, 2), (3, 4, 6))

The second phase visits {0, 9} first: 0 joins {2, 3} and 9 joins {7, 8, 20}, for the SSEs 14/3 and
110, less than 40.5, 1/2 and 104.67 together. Then neither {7, 8, 9, 20} nor {0, 2, 3} can join the
other at less cost. The first is divided: 20 is the farthest from 11, 7 from 20; {9, 20} and {7, 8}.

>>> refagg.dba_2([[0], [2], [3], [7], [8], [9], [20]], k=2).groups
((0, 1, 2), (3, 4), (5, 6))
"""

from __future__ import annotations

from dataclasses import replace

from refagg.algorithms.mdav_family.second_phase import dissolved, divided, division_ties, ties
from refagg.algorithms.mdav_family.steps import near_leftover
from refagg.cursors.groups import Groups, on_groups
from refagg.cursors.remaining import Cursor, on_cursor
from refagg.cursors.subrun import ties_of_subrun
from refagg.language.specification import OpenChoice, Specification


def dba_1(R: Cursor, k: int) -> None:
    leaves_over = len(R) % k > 0  # for step 2, which adds to the groups
    while R.at_least(k):
        N = R.neighbourhoods(k, R.space.sse)
        R.best_group("x", "near x", N, [N_x.measures for N_x in N], grows=leaves_over)  # 1.
    R.share_out("near leftover")  # 2.


def dba_2(R: Cursor, k: int) -> Groups:
    return second(Groups.by(dba_1, R, k, "dba-1"), k)  # 1. and 2.


def second(G: Groups, k: int) -> Groups:
    """The steps of DBA-2 after those of DBA-1."""
    dissolved(G, G.numbers()[::-1])  # 3.
    return divided(G, k)  # 4.


SPECIFICATION_1 = Specification(
    name="dba-1",
    title="DBA-1 (the densest neighbourhood is a group)",
    source="Lin, Wen, Hsieh and Chang 2010, Expert Systems with Applications 37:3256-3263",
    run=on_cursor(dba_1),
    guarantees="all groups have k records but those that take in leftovers, of at most 2k-1",
    ties=(
        OpenChoice("x", "1", "the record of the neighbourhood of least SSE", measure="SSE"),
        OpenChoice("near x", "1", "the k-1 nearest unassigned records to x"),
        OpenChoice(
            "near x, the best",
            "1",
            "the neighbourhood of x, where only some can be of the least SSE",
            "neighbourhood",
            "SSE",
        ),
        near_leftover("2"),
    ),
    decisions=(76, 77),
    cost="O(n^2 / k) distances at least, O(k n) memory",
    needs="Numeric",
)

SPECIFICATION_2 = replace(
    SPECIFICATION_1,
    name="dba-2",
    title="DBA-2 (DBA-1, then groups dissolved where that lowers the SSE)",
    run=on_groups(dba_2),
    guarantees="groups of k to 2k-1 records; the SSE is at most that of DBA-1",
    ties=(
        *ties_of_subrun("dba-1", "1 and 2", SPECIFICATION_1.ties),
        *ties("3"),
        *division_ties("4"),
    ),
    decisions=(31, 73, 75, 76, 77),
)
