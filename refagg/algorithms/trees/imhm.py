"""IMHM: a row along the groups is cut again and again.

The records are put in a row along their groups and cut again, as long as the SSE falls.

Source: R. Mortazavi, S. Jalili, H. Gohargazi, "Multivariate microaggregation by iterative
optimization", Applied Intelligence 39 (2013) 529-544. The paper was not available. It is
recollected that a path through the groups is cut again until the SSE no longer falls; the path is
that of `mhm`, which is ours.

Steps:
  1. MHM, with any of its paths, forms groups.
  2. The groups are chained as in MHM: first the one whose centroid is most distant from the
     centroid of all, then always the one with the nearest centroid; within a group always the
     nearest record.
  3. The shortest path of Hansen and Mukherjee cuts this path into groups of k to 2k-1 records.
  4. If the SSE is less than before, steps 2 and 3 are repeated with the new groups; otherwise the
     previous groups are the result.
Groups stay together on the path of step 2, so the SSE never rises.

Example, with paper and pencil: 0, 4, 5, 6, 7, 11 with k = 2 and the path `mdav`. The average is
5.5, and 0 and 11 are equally far: {0, 4} and {7, 11}, and {5, 6} is the rest. Chained they are in
the order of their values, for which {0, 4} {5, 6} {7, 11} costs 16.5 and {0, 4, 5} {6, 7, 11} 28.
The SSE cannot fall again.

>>> import refagg
>>> refagg.imhm([[0], [4], [5], [6], [7], [11]], k=2).groups
((0, 1), (2, 3), (4, 5))
"""

from __future__ import annotations

from refagg.algorithms.trees import mhm
from refagg.algorithms.trees.mhm import chained, cut_path, path_of
from refagg.cursors.groups import Groups
from refagg.cursors.sequence import RecordSequence, on_sequence
from refagg.language.partition import Partition
from refagg.language.specification import OpenChoice, Specification


def imhm(V: RecordSequence, k: int, path: str) -> None:
    found = Partition.of(cut_path(V, k, path_of(V, k, path)))  # 1.
    for _ in V.rounds():
        V.reached(found.groups)
        chain = chained(Groups.of_partition(V.space, V.choices, found))  # 2.
        after = Partition.of(cut_path(V, k, chain))  # 3.
        if not V.lowers_sse("falls", after, found):
            break  # 4.
        found = after
    for group in found.groups:
        V.close(group)


SPECIFICATION = Specification(
    name="imhm",
    title="IMHM (MHM along its own groups, while the SSE falls)",
    source="Mortazavi, Jalili and Gohargazi 2013, Applied Intelligence 39:529-544",
    run=on_sequence(imhm),
    guarantees="groups of k to 2k-1 records; the SSE is not greater than that of MHM",
    ties=(
        *mhm.SPECIFICATION.ties,
        OpenChoice("falls", "4", "whether the SSE is less than before", "test", "SSE"),
    ),
    decisions=(36, 37, 91, 92),
    cost="MHM, and for each round O(n^2 / k^2) distances and O(k^2 n) for SSEs",
    parameters=mhm.SPECIFICATION.parameters,
)
