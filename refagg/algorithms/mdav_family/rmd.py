"""RMD: groups around the records most distant by a Mahalanobis distance.

Source: M. Templ, B. Meindl, "Robustification of microdata masking methods and the comparison with
existing methods", PSD 2008, LNCS 5262, 113-126, and the package sdcMicro, whose pages recommend it.
The steps are what is known of the package; the paper was not available.

Steps:
  1. Each record has a squared Mahalanobis distance D, computed once. `rmd`: from the centre of the
     minimum covariance determinant (MCD) by its covariance matrix, found from `starts` starts by
     concentration steps (refagg/engine/scatter.py); `rmd-classical`: from the average of all
     records by their covariance matrix.
  2. While at least 2k records remain: s is the remaining record of the greatest D; it and its k-1
     nearest remaining records form a group. Nearness is measured as in every algorithm, on the
     scale of the release (in sdcMicro: z-scores).
  3. The last k to 2k-1 records are a group.

`rmd-classical` differs from MDAV-single only in step 2's s: MDAV-single takes the record most
distant from the average of the records that remain, on the scale of the release.

Example, with paper and pencil: 0, 1, 2, 3, 10, 11 with k = 2 have the average 9/2. D is greatest
for 11, then for 10, which 11 has taken; of 0, 1, 2 and 3 it is 0, with 1.

>>> import refagg
>>> refagg.rmd_classical([[0], [1], [2], [3], [10], [11]], k=2).groups
((0, 1), (2, 3), (4, 5))
"""

from __future__ import annotations

from functools import partial
from typing import Any

from refagg.cursors.remaining import Cursor, on_cursor
from refagg.engine.scatter import classical_distances, robust_distances
from refagg.language.partition import Record
from refagg.language.specification import OpenChoice, Specification, integer
from refagg.language.ties import Ranking
from refagg.linear_algebra.binary64 import within_floats


def rmd(R: Cursor, k: int, starts: int) -> None:
    space: Any = R.space
    from_outside(R, k, robust_distances(space, R.choices, starts))  # 1.


def rmd_classical(R: Cursor, k: int) -> None:
    space: Any = R.space
    from_outside(R, k, classical_distances(space))  # 1.


def from_outside(R: Cursor, k: int, D: Ranking[Record]) -> None:
    while R.at_least(2 * k):
        R.group("near s", R.greatest("s", D), k)  # 2.
    R.rest()  # 3.


_specification = partial(
    Specification,
    guarantees="all groups have k records but the last, which has k to 2k-1",
    ties=(
        OpenChoice("s", "2", "the remaining record of the greatest D", measure="D"),
        OpenChoice("near s", "2", "the k-1 nearest records to s"),
    ),
    needs="Numeric",
)

SPECIFICATION = _specification(
    name="rmd",
    title="RMD (around the farthest by a robust Mahalanobis distance)",
    source="Templ and Meindl 2008, PSD 2008, LNCS 5262:113-126, and sdcMicro",
    run=within_floats(on_cursor(rmd)),
    decisions=(80, 81),
    cost="O(n^2 / k) distances, O(n p^2) for each concentration step, O(n) memory",
    parameters=(integer("starts", 10, 1, "how many sets of records concentration begins with"),),
    random=True,
)

SPECIFICATION_CLASSICAL = _specification(
    name="rmd-classical",
    title="RMD by the classical Mahalanobis distance",
    source="Templ and Meindl 2008, PSD 2008, LNCS 5262:113-126, for RMD; this one is ours",
    run=within_floats(on_cursor(rmd_classical)),
    decisions=(80,),
    cost="O(n^2 / k) distances, O(n p^2) for D, O(n) memory",
)
