"""MDAV-2: the groups of MDAV-1, dissolved where that lowers the SSE.

They are dissolved one by one.

Source: J.-L. Lin, T.-H. Wen, J.-C. Hsieh, P.-C. Chang, "Density-based microaggregation for
statistical disclosure control", Expert Systems with Applications 37 (2010) 3256-3263. The paper was
not available; the reading gives 11 of the 12 numbers that are known of it.

Steps:
  1. MDAV-1 forms groups.
  2. They are visited in the order of their SSE, the greatest first. A visited group is dissolved,
     each of its records joining the group with the nearest centroid, if that makes the total SSE
     less.
  3. Each group of 2k records or more is divided by MDAV-1.

Example, with paper and pencil: 0, 1, 3, 8, 10, 11 with k = 2 have the average 5.5, from which 0 and
11 are equally far: {0, 1} and {10, 11}, and {3, 8} with the SSE 12.5, the greatest. {0, 1, 3} and
{8, 10, 11} have 14/3 each, less than 13.5 together. Dissolving either of these would cost more.

>>> import refagg
>>> refagg.mdav_2([[0], [1], [3], [8], [10], [11]], k=2).groups
((0, 1, 2), (3, 4, 5))
"""

from __future__ import annotations

from refagg.algorithms.mdav_family import mdav_1
from refagg.algorithms.mdav_family.second_phase import (
    dissolved,
    divided,
    division_ties,
    ties,
    visited,
)
from refagg.cursors.groups import Groups, on_groups
from refagg.cursors.remaining import Cursor
from refagg.cursors.subrun import ties_of_subrun
from refagg.language.specification import Specification


def mdav_2(R: Cursor, k: int) -> Groups:
    G = Groups.by(mdav_1.mdav_1, R, k, "mdav-1")  # 1.
    dissolved(G, G.by_decreasing_sse("visited"))  # 2.
    return divided(G, k)  # 3.


SPECIFICATION = Specification(
    name="mdav-2",
    title="MDAV-2 (MDAV-1, then groups dissolved where that lowers the SSE)",
    source="Lin, Wen, Hsieh and Chang 2010, Expert Systems with Applications 37:3256-3263",
    run=on_groups(mdav_2),
    guarantees="groups of k to 2k-1 records; the SSE is at most that of MDAV-1",
    ties=(
        *ties_of_subrun("mdav-1", "1", mdav_1.SPECIFICATION.ties),
        visited("2"),
        *ties("2"),
        *division_ties("3"),
    ),
    decisions=(31, 73, 75),
    cost="O(n^2 / k) distances, O(n) memory",
    needs="Numeric",
)
