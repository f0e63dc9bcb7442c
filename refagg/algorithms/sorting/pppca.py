"""PPPCA: records are sorted along their direction of widest spread and cut.

They are cut into groups.

Source: M. Templ, "Statistical disclosure control for microdata using the R-package sdcMicro",
Transactions on Data Privacy 1 (2008) 67-85, and the package itself; the direction is that of
projection pursuit (refagg/algorithms/sorting/pursuit.py). The steps are recollected; what the
package computes is known.

Steps:
  1. The centre is the median of each attribute. Each record that is not the centre itself gives
     the direction from the centre to it.
  2. The spread of the records along a direction is the median absolute deviation of their
     coordinates along it. The direction of the greatest spread is taken, with the sign that makes
     its first loading other than 0 positive.
  3. In the order of the coordinates along it, the first k records form a group, the next k form a
     group, and so on, while 2k are left. The last k to 2k-1 form the last group.

Everything is measured on the scale on which the table is standardised; the package works on values
as they are. Where all records equal the centre, their order is open.

Example, with paper and pencil: 0 0, 4 1, 8 0, 12 9, 16 0 with k = 2 have the centre 8 0. Along the
direction 1 0, to the first record and the last, coordinates deviate by 8, 4, 0, 4, 8, and their
median is 4. Along (-4, 1) the products with it are 32, 17, 0, -7, -32, and the median of their
deviations is 17, by the root of 17 about 4.1. Along (4, 9) they are -32, -7, 0, 97, 32: 32 by the
root of 97 is less. So the direction is (4, -1), along which the records are in the order of the
file.

>>> import refagg
>>> refagg.pppca([[0, 0], [4, 1], [8, 0], [12, 9], [16, 0]], k=2, standardise="none").groups
((0, 1), (2, 3, 4))
"""

from __future__ import annotations

from dataclasses import replace

from refagg.algorithms.sorting.order_steps import END, FIRST, NEXT, groups_of_k, order_parameter
from refagg.algorithms.sorting.pursuit import DIRECTION, pursued
from refagg.cursors.sorted import Sorted, on_sorted
from refagg.language.specification import Specification
from refagg.linear_algebra.binary64 import within_floats


def pppca(S: Sorted, k: int, order: str) -> None:
    S.sort("end", pursued(S, S.space.records()), order, k)  # 1. and 2.
    groups_of_k(S, k)  # 3.


SPECIFICATION = Specification(
    name="pppca",
    title="PPPCA (sorted by a robust principal component, by projection pursuit)",
    source="Templ 2008, Transactions on Data Privacy 1:67-85, and sdcMicro",
    run=within_floats(on_sorted(pppca)),
    guarantees="groups of k, the last of k to 2k-1",
    ties=(DIRECTION, *(replace(tied, step="3") for tied in (END, FIRST, NEXT))),
    decisions=(28, 82),
    cost="O(n^2 p + n^2 log n) for p attributes, O(n p) memory",
    parameters=(order_parameter("ascending"),),
    needs="Numeric",
)
