"""MCDPCA: records are sorted by a robust first component and cut.

It is the first component of a robust covariance; the cut is into groups.

Source: M. Templ, "Statistical disclosure control for microdata using the R-package sdcMicro",
Transactions on Data Privacy 1 (2008) 67-85, and the package itself. The steps are recollected; what
the package computes is known.

Steps:
  1. About half of the records are those of the minimum covariance determinant (MCD), found from
     `starts` starts by concentration steps (refagg/engine/scatter.py).
  2. Each record has a score, its coordinate along the direction in which these records vary most:
     the eigenvector of the greatest eigenvalue of their covariance matrix, on the scale on which
     the table is standardised (in sdcMicro: values as they are).
  3. In the order of the scores, the first k records form a group, the next k form a group, and so
     on, while 2k are left. The last k to 2k-1 form the last group.

The sign of a component is arbitrary, so either end can come first.

Example, without calculation: along the direction in which most of these records vary, the first
three are far from the others.

>>> import refagg
>>> rows = [[0, 0], [1, 1], [2, 2], [30, 0], [31, 1], [32, 2]]
>>> refagg.mcdpca(rows, k=3, seed=1).groups
((0, 1, 2), (3, 4, 5))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import fsum

from refagg.algorithms.sorting import components
from refagg.algorithms.sorting.order_steps import END, FIRST, NEXT, groups_of_k
from refagg.cursors.sorted import Scores, Sorted, on_sorted
from refagg.engine.scatter import Cloud, minimum_determinant
from refagg.language.partition import Record
from refagg.language.specification import Specification, integer
from refagg.linear_algebra.binary64 import within_floats

STARTS = integer("starts", 10, 1, "how many sets of records concentration begins with")


def robust_scores(S: Sorted, records: Sequence[Record], starts: int) -> Scores:
    """Return coordinates along the direction in which about half vary most.

    These are about half of the records.
    """
    columns = components.centred_columns([S.space.rows[i] for i in records])
    half = minimum_determinant(Cloud(S.space, records), S.choices, starts).records
    own = []
    for column in columns:
        values = [column[i] for i in half]
        mean = fsum(values) / len(values) if min(values) < max(values) else values[0]
        own.append([x - mean for x in values])
    return components.along(columns, components.first_component(own, S.choices))


def mcdpca(S: Sorted, k: int, starts: int) -> None:
    S.sort("end", robust_scores(S, S.space.records(), starts), "either", k)  # 1. and 2.
    groups_of_k(S, k)  # 3.


SPECIFICATION = Specification(
    name="mcdpca",
    title="MCDPCA (sorted by the first component of a robust covariance)",
    source="Templ 2008, Transactions on Data Privacy 1:67-85, and sdcMicro",
    run=within_floats(on_sorted(mcdpca)),
    guarantees="groups of k, the last of k to 2k-1",
    ties=(components.axis_choice("2"), *(replace(tie, step="3") for tie in (END, FIRST, NEXT))),
    decisions=(28, 29, 81, 85),
    cost="O(n log n), O(n p^2) for each concentration step with p attributes",
    parameters=(STARTS,),
    needs="Real",
    arithmetic=("float",),
    random=True,
)
