"""k-Ward: Ward's hierarchical clustering, stopped for each group when it has k records.

Source: J. Domingo-Ferrer, J. M. Mateo-Sanz, "Practical data-oriented microaggregation for
statistical disclosure control", IEEE TKDE 14 (2002) 189-201; for one attribute with the steps
that A. Valls and C. Gomez-Alonso give in their paper on KSHC. Recollected: no printed number
checks it.

Steps, for all records, and again for each group of 2k records or more:
  1. Two groups of k: with one attribute the k smallest values and the k largest; with several,
     as in MD, around the most distant pair of records (r, s): r and its k-1 nearest records
     (not s), then s and its k-1 nearest of the others. All other records are groups of one.
  2. Merge the two groups for which n_i n_j / (n_i + n_j) |m_i - m_j|^2 is least, m_i being the
     centroid of n_i records; never two that have k records or more each.
  3. Repeat 2 until all groups have k records.
  4. Fewer than 2k records are a group of the result.
Which end of the most distant pair is r is open, and matters.

Example, with paper and pencil: 1, 2, 3, 10, 11, 20, 30 with k = 2. {1, 2} and {20, 30} are
formed, 3, 10 and 11 are single. 10 and 11 merge at the cost 1/2, then {1, 2} and 3 at
2/3 * 1.5^2 = 3/2.

>>> from refagg import exact_space
>>> space = exact_space([[1], [2], [3], [10], [11], [20], [30]])
>>> k_ward_univariate(space, 2, Run()).groups
((0, 1, 2), (3, 4), (5, 6))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from refagg.algorithms.hierarchical.ward_steps import COST, MERGES, divided, final
from refagg.algorithms.mdav_family.steps import Space, minus
from refagg.engine.farthest_pairs import FarthestPairs
from refagg.language.partition import Partition
from refagg.language.run import Run
from refagg.language.space import Numeric
from refagg.language.specification import Specification, Tied


def k_ward(space: Space, k: int, run: Run) -> Partition:
    def first_two(records: list[int]) -> list[list[int]]:
        # 1.
        remain = final(k, records)
        r, s = run.one("pair", FarthestPairs(space, records).of(records))
        groups = []
        for seed, other, name in ((r, s, "near r"), (s, r, "near s")):
            distances = space.distances(seed, records)
            near = space.nearest(k - 1, distances, {seed, other})
            # They may be separated again where the group can become too large.
            chosen = run.some(name, near, joining=seed if remain else None)
            groups.append([seed, *chosen])
            records = minus(records, groups[-1])
        return groups

    return divided(space, k, run, first_two)


def k_ward_univariate(space: Numeric[Any], k: int, run: Run) -> Partition:
    values = space.attribute(0)
    # In one dimension, what is nearest to a smallest value is smallest.
    end_of: dict[str, Callable[[list[int]], int]] = {
        "smallest": lambda records: min(records, key=lambda r: (values[r], r)),
        "largest": lambda records: min(records, key=lambda r: (-values[r], r)),
    }

    def first_two(records: list[int]) -> list[list[int]]:
        # 1. The end of the lowest record comes first, for no better reason than that the two
        # ends change places where the values change their signs.
        groups = []
        for name in sorted(end_of, key=lambda name: end_of[name](records)):
            distances = space.distances(end_of[name](records), records)
            near = space.nearest(k, distances)
            # Again and again they are the k at this end: they are never separated.
            groups.append(list(run.some(name, near, joining=min(near.sure, default=None))))
            records = minus(records, groups[-1])
        return groups

    return divided(space, k, run, first_two)


SPECIFICATION = Specification(
    name="k-ward",
    title="k-Ward (Ward's clustering, until groups have k records)",
    source="Domingo-Ferrer and Mateo-Sanz 2002, IEEE TKDE 14:189-201, k-Ward",
    run=k_ward,
    largest_group=lambda k: 2 * k - 1,
    guarantees="groups of k to 2k-1 records",
    ties=(
        Tied("pair", "1", "the most distant pair of records, and which end is r", "pair"),
        Tied("near r", "1", "the k-1 nearest records to r"),
        Tied("near s", "1", "the k-1 nearest records to s"),
        *MERGES,
    ),
    decisions=(24, 25),
    cost=COST,
    heights="SSE added",
)

UNIVARIATE = Specification(
    name="k-ward-univariate",
    title="k-Ward for one attribute",
    source="Domingo-Ferrer and Mateo-Sanz 2002, IEEE TKDE 14:189-201, k-Ward; "
    "steps as Valls and Gomez-Alonso give them",
    run=k_ward_univariate,
    largest_group=lambda k: 2 * k - 1,
    guarantees="groups of k to 2k-1 records",
    ties=(
        Tied("smallest", "1", "the k smallest values", measure="distance^2 from the least"),
        Tied("largest", "1", "the k largest values", measure="distance^2 from the greatest"),
        *MERGES,
    ),
    decisions=(24,),
    cost=COST,
    heights="SSE added",
    needs="Numeric",
    attributes="one",
)
