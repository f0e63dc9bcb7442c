"""V-MDAV: variable group size, each group extended while near records are left.

Source: A. Solanas, A. Martinez-Balleste, "V-MDAV: a multivariate microaggregation with
variable group size", COMPSTAT 2006.

Steps:
  1. c is the centroid of all records, computed once.
  2. While at least k records are unassigned, the seed e is the one most distant from c;
     e and its k-1 nearest unassigned records form a group.
  3. While the group has fewer than 2k-1 records: e_min is the unassigned record nearest to
     any record of the group, at the distance d_in; d_out is the distance from e_min to its
     nearest other unassigned record (infinite if there is none). If d_in < gamma d_out,
     e_min joins the group; else the extension ends.
  4. Fewer than k unassigned records join, in the order of the file, the group of the record
     nearest to them among those that were not left over.

`test` says whether distances or their squares are compared in step 3: the paper's numbers
need squares ("squared"), other publications that measure V-MDAV use "plain".
`cap` is the size that no group exceeds. With "2k-1", step 4 passes over the groups that are
full, and step 3 does not extend a group where that would leave fewer than k records unassigned
for which the groups have no room. With "none", step 4 is as printed, and groups can reach 3k-2.

>>> from refagg import exact_space
>>> space = exact_space([[0], [1], [2], [20], [21], [22], [23], [40], [41]])
>>> v_mdav(space, 2, Run(), gamma=Fraction(1, 2), test="plain", cap="2k-1").groups
((0, 1, 2), (3, 4), (5, 6), (7, 8))
"""

from __future__ import annotations

from fractions import Fraction
from math import inf

from refagg.algorithms.steps import (
    Space,
    minus,
    seed_and_nearest,
)
from refagg.model import Partition
from refagg.run import Run
from refagg.specification import Named, Positive, Specification, Tied


def v_mdav(space: Space, k: int, run: Run, gamma: Fraction, test: str, cap: str) -> Partition:
    unassigned = space.records()
    groups: list[list[int]] = []
    # 1.
    c = space.centroid(unassigned)
    while len(unassigned) >= k:
        run.iteration(unassigned)
        # 2.
        e = run.one("e", space.farthest(space.distances(c, unassigned)))
        from_e = space.distances(e, unassigned)
        group = run.together(seed_and_nearest(space, k, run, "near e", e, from_e))
        # 3. Squared distances are compared: d_in < gamma d_out where d_in^2 < gamma^2 d_out^2.
        factor = gamma**2 if test == "plain" else gamma
        room = sum(2 * k - 1 - len(g) for g in [*groups, group]) if cap == "2k-1" else inf
        group = _extended(space, k, run, group, minus(unassigned, group), factor, room)
        unassigned = minus(unassigned, group)
        groups.append(group)
    # 4.
    _add_leftovers(space, k, run, groups, unassigned, cap)
    return Partition.of([run.closed(group) for group in groups], space.n)


def _extended(
    space: Space,
    k: int,
    run: Run,
    group: list[int],
    unassigned: list[int],
    factor: Fraction,
    room: float,
) -> list[int]:
    while len(group) < 2 * k - 1 and unassigned:
        if room - 1 < len(unassigned) - 1 < k:
            break
        inward = space.closest(space.distances_to_any(group, unassigned))
        e_min = run.one("e_min", inward)
        others = minus(unassigned, [e_min])
        if others:
            outward = space.closest(space.distances(e_min, others))
            d_in, d_out = inward.value_of(e_min), outward.value
            if not run.holds("extend", space.less(d_in, factor * d_out)):
                break
        group = run.together([*group, e_min])
        unassigned, room = others, room - 1
    return group


def _add_leftovers(
    space: Space, k: int, run: Run, groups: list[list[int]], left: list[int], cap: str
) -> None:
    """Add each leftover to its group; the distances are to records that were not left over."""
    home = {record: number for number, group in enumerate(groups) for record in group}
    for record in left:
        there = [r for r in home if cap == "none" or len(groups[home[r]]) < 2 * k - 1]
        nearest = run.one("near leftover", space.closest(space.distances(record, there)))
        number = home[nearest]
        groups[number] = run.together([*groups[number], record])


SPECIFICATION = Specification(
    name="v-mdav",
    title="V-MDAV (variable group size)",
    source="Solanas and Martinez-Balleste 2006, COMPSTAT, V-MDAV",
    run=v_mdav,
    largest_group=lambda k, gamma, test, cap: 2 * k - 1 if cap == "2k-1" else 3 * k - 2,
    guarantees="groups of k to 2k-1 records; without the cap, of at most 3k-2; "
    "with it, the group that a leftover fills up depends on the order of the records",
    ties=(
        Tied("e", "2", "the record most distant from the centroid of all records"),
        Tied("near e", "2", "the k-1 nearest unassigned records to e"),
        Tied("e_min", "3", "the unassigned record nearest to a record of the group"),
        Tied("extend", "3", "whether d_in < gamma d_out", "test"),
        Tied("near leftover", "4", "the record nearest to a leftover record"),
    ),
    decisions=(5, 6, 7),
    cost="O(n^2) distances, O(n) memory",
    parameters=(
        Positive("gamma", Fraction(1, 5), "how much nearer a record must be to be taken in"),
        Named("test", ("squared", "plain"), "what is compared with gamma"),
        Named("cap", ("2k-1", "none"), "the size that no group exceeds"),
    ),
)
