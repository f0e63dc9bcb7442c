"""IV-MDAV: MDAV-single whose groups take in near candidates.

Source: G. S. Rawat, B. Borah, "An improved variable-sized microaggregation algorithm
(IV-MDAV)"; the paper uses gamma = 1.16.

Steps, while at least 3k records remain:
  1. x_r is the record most distant from the average of the remaining records;
     y_1 = x_r, ..., y_2k are the 2k nearest records to x_r in order, y_1 .. y_k form a group.
  2. For each candidate y_j, j = k+1 .. 2k: d1 is its distance to x_r, d2 its distance to the
     k-th of its nearest unassigned records, of which it is itself the first.
     If d2 > gamma d1, y_j joins the group. The candidates stay the same throughout.
Then:
  3. of 2k to 3k-1 records, x_r and its k-1 nearest form a group, the others one more;
  4. fewer than 2k records form one group.

`cap` is the size at which a group takes no more candidates: 2k-1 as the prose of the paper
has it, or none (that is, 2k), as its pseudo-code has it and its numbers need.

>>> from refagg import exact_space
>>> space = exact_space([[0], [1], [2], [20], [25], [30], [40], [41]])
>>> iv_mdav(space, 2, Run(), gamma=Fraction(29, 25), cap="2k-1").groups
((0, 1, 2), (3, 4, 5), (6, 7))
"""

from __future__ import annotations

from fractions import Fraction

from refagg.algorithms.steps import (
    NEAR_X_R,
    X_R,
    Space,
    last_ties,
    minus,
    most_distant_from_average,
    one_group_and_the_rest,
    seed_and_nearest,
)
from refagg.model import Partition
from refagg.run import Run
from refagg.specification import Named, Positive, Specification, Tied


def iv_mdav(space: Space, k: int, run: Run, gamma: Fraction, cap: str) -> Partition:
    largest = 2 * k - 1 if cap == "2k-1" else 2 * k
    remaining = space.records()
    groups: list[list[int]] = []
    while len(remaining) >= 3 * k:
        run.iteration(remaining)
        # 1.
        x_r = most_distant_from_average(space, remaining, run)
        from_x_r = space.distances(x_r, remaining)
        group = run.together(seed_and_nearest(space, k, run, "near x_r", x_r, from_x_r))
        candidates: list[int] = []
        for _ in range(k):
            next_nearest = space.closest(from_x_r, without={*group, *candidates})
            candidates.append(run.one("y_j", next_nearest))
        remaining = minus(remaining, group)
        # 2. Squared distances are compared.
        for y_j in candidates:
            if len(group) == largest:
                break
            d1 = space.squared(y_j, x_r)
            d2 = space.nearest(k - 1, space.distances(y_j, remaining), without={y_j}).value
            if run.holds("extend", space.less(gamma**2 * d1, d2)):
                group = run.together([*group, y_j])
                remaining = minus(remaining, [y_j])
        groups.append(run.closed(group))
    # 3. and 4.
    groups += one_group_and_the_rest(space, k, run, remaining)
    return Partition.of(groups, space.n)


SPECIFICATION = Specification(
    name="iv-mdav",
    title="IV-MDAV (MDAV-single with near candidates taken in)",
    source="Rawat and Borah, An improved variable-sized microaggregation algorithm (IV-MDAV)",
    run=iv_mdav,
    largest_group=lambda k, gamma, cap: 2 * k - 1 if cap == "2k-1" else 2 * k,
    guarantees="groups of k to 2k-1 records; without the cap, of at most 2k",
    ties=(
        X_R,
        NEAR_X_R,
        Tied("y_j", "1", "the next nearest record to x_r, a candidate"),
        Tied("extend", "2", "whether d2 > gamma d1", "test"),
        *last_ties("3"),
    ),
    decisions=(3, 8, 9),
    cost="O(n^2) distances, O(n) memory",
    parameters=(
        Positive("gamma", Fraction(29, 25), "how isolated a candidate must be to be taken in"),
        Named("cap", ("2k-1", "none"), "the size at which a group takes no more candidates"),
    ),
)
