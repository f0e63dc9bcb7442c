"""Groups of k consecutive records of the file: a baseline without measurement.

Source: ours.

Steps, for the records in the order of the file:
  1. While 2k records are left, the next k of them form a group.
  2. The last k to 2k-1 form the last group.
The result depends only on the order of the records: what an algorithm gains by using the data is
what it gains over this. In a sorted file it is not a baseline.

>>> import refagg
>>> refagg.blocks_in_file_order([[5], [1], [9], [2], [7]], k=2).groups
((0, 1), (2, 3, 4))
"""

from __future__ import annotations

from refagg.cursors.sorted import Sorted, on_sorted
from refagg.language.specification import Specification


def blocks_in_file_order(S: Sorted, k: int) -> None:
    while len(S) >= 2 * k:
        S.take(k)  # 1.
    S.rest()  # 2.


SPECIFICATION = Specification(
    name="blocks-in-file-order",
    title="blocks of k in the order of the file (a baseline)",
    source="ours",
    run=on_sorted(blocks_in_file_order),
    guarantees="groups of k, the last of k to 2k-1; they depend on the order of the records only",
    ties=(),
    decisions=(28,),
    cost="O(n)",
    needs="Dissimilarities",
    variants={"simple": {}},
)
