"""Individual ranking: each attribute is sorted and cut into groups separately.

The groups have k values.

Source: D. Defays, P. Nanopoulos, "Panels of enterprises and confidentiality: the small
aggregates method", Proc. of Statistics Canada Symposium 92 (1993) 195-204; D. Defays,
M. N. Anwar, "Masking microdata using micro-aggregation", Journal of Official Statistics 14
(1998) 449-461. Recollected.

Steps, for one attribute:
  1. Sort its values.
  2. The first k form a group, the next k form a group, and so on, while 2k are left. The last
     k to 2k-1 form the last group.
`order` says at which end the first group is. Ties decide how equal values that do not fit into one
group are divided.

A table is masked attribute by attribute, so a record can be in a different group for each. Each
attribute is k-anonymous, but the whole release is not: a record need not equal any other.

>>> import refagg
>>> rows = [[5], [1], [9], [2], [7]]
>>> refagg.individual_ranking(rows, k=2, order="ascending")["x1"].groups
((0, 2, 4), (1, 3))
>>> refagg.individual_ranking(rows, k=2, order="descending")["x1"].groups
((0, 1, 3), (2, 4))
"""

from __future__ import annotations

from refagg.algorithms.sorting.order_steps import END, FIRST, NEXT, groups_of_k, order_parameter
from refagg.cursors.sorted import Sorted, on_sorted
from refagg.language.specification import Specification


def individual_ranking(S: Sorted, k: int, order: str) -> None:
    S.sort("end", S.attribute(0), order, k)  # 1.
    groups_of_k(S, k)  # 2.


SPECIFICATION = Specification(
    name="individual-ranking",
    title="individual ranking (each attribute sorted by itself)",
    source="Defays and Nanopoulos 1993; Defays and Anwar 1998, JOS 14:449-461",
    run=on_sorted(individual_ranking),
    guarantees="in each attribute groups of k, the last of k to 2k-1; "
    "with several attributes the release as a whole is not k-anonymous",
    ties=(END, FIRST, NEXT),
    decisions=(28,),
    cost="O(n log n) for each attribute, O(n) memory",
    parameters=(order_parameter("ascending"),),
    needs="Numeric",
    attributes="each",
    variants={"mafast": {}, "onedims": {}},
)
