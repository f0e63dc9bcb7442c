"""Random seed and nearest: each group grows around a record drawn at random.

Source: section 4.1 of Analisis de conglomerados: un caso practico aplicado a la proteccion de
datos (UOC 2016) for groups of k, pinned by the means that its table 1 prints. The rules for
variable sizes are ours: that section names them after the distance between a record and a group
(minimum, mean, min-max), and they are reconstructed here after the model of V-MDAV.

Steps, while at least 2k records are unassigned:
  1. The seed is drawn from the tape, each unassigned record being equally likely; it and its k-1
     nearest unassigned records form a group.
  2. The group may grow to at most 2k-1 records, and at least k stay unassigned:
     `size` "fixed": it does not grow.
     `size` "random": a size from k to 2k-1 is drawn, each equally likely, and the nearest records
     to the seed are added up to it, as far as k stay unassigned.
     `size` "minimum", "mean", "min-max": e is the unassigned record nearest to the group. It
     joins if it is nearer to the group than to its own k-1 nearest other unassigned records,
     the group that it could form itself; then the next e is looked at, else the group is done.
     How near a record is to several others is the least of its squared distances to them, their
     mean, or the greatest (so that the nearest e has the minimum of maxima).
Then:
  3. k to 2k-1 records are one group.

Example, with paper and pencil: 0, 1, 2, 10, 11, 12 with k = 2, a tape that draws 0 and then the
sixth record of those left. 1 joins 0. With size "minimum", e is 2, at the squared distance 1 from
1, and 64 from 10: it joins, and the group is full. {10, 11, 12} are left.

>>> from refagg import exact_space
>>> from refagg.tape import scripted
>>> space = exact_space([[0], [1], [2], [10], [11], [12]])
>>> random_seed(space, 2, Run(tape=scripted([0])), size="minimum").groups
((0, 1, 2), (3, 4, 5))
>>> random_seed(space, 2, Run(tape=scripted([0, 3])), size="fixed").groups
((0, 1), (2, 3), (4, 5))
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from refagg.algorithms.steps import Space, minus, seed_and_nearest
from refagg.model import Partition, Record
from refagg.run import Run
from refagg.specification import Named, Specification, Tied
from refagg.ties import Raw, least

_COMBINED: dict[str, Callable[[Raw, Raw], Raw]] = {
    "minimum": min,
    "mean": lambda a, b: a + b,  # the sum, to be divided by the number
    "min-max": max,
}
"""How the squared distances of a record to several others become one, two at a time."""


def random_seed(space: Space, k: int, run: Run, size: str) -> Partition:
    unassigned = space.records()
    groups: list[list[Record]] = []
    while len(unassigned) >= 2 * k:
        # 1.
        seed = unassigned[run.tape.below(len(unassigned))]
        # 2.
        m = k + run.tape.below(k) if size == "random" else k
        m = min(m, len(unassigned) - k)
        from_seed = space.distances(seed, unassigned)
        group = run.together(seed_and_nearest(space, m, run, "near seed", seed, from_seed))
        unassigned = minus(unassigned, group)
        if size in _COMBINED:
            group = _grown(space, k, run, size, group, unassigned)
            unassigned = minus(unassigned, group)
        groups.append(run.closed(group))
    # 3.
    return Partition.of([*groups, run.closed(unassigned)], space.n)


def _grown(
    space: Space, k: int, run: Run, size: str, group: list[Record], unassigned: list[Record]
) -> list[Record]:
    """The group with the records that join it by one of the rules for the distance."""
    to_group = dict(zip(unassigned, space.raw(group[0], unassigned), strict=True))
    for record in group[1:]:
        _combine(space, size, to_group, record)
    while len(group) < 2 * k - 1 and len(to_group) > k:
        e = run.one("e", least(space.ranked(list(to_group), list(to_group.values()))))
        d_in = to_group.pop(e)
        others = list(to_group)
        d_out = reduce(_COMBINED[size], sorted(space.raw(e, others))[: k - 1])
        if size == "mean":  # sums of len(group) and of k-1 numbers
            d_in, d_out = d_in * (k - 1), d_out * len(group)
        if not run.holds("join", space.less(space.shown(d_in), space.shown(d_out))):
            break
        group = run.together([*group, e])
        _combine(space, size, to_group, e)
    return group


def _combine(space: Space, size: str, to_group: dict[Record, Raw], new: Record) -> None:
    """Let the distances to a group count a new record of it."""
    others = list(to_group)
    for other, value in zip(others, space.raw(new, others), strict=True):
        to_group[other] = _COMBINED[size](to_group[other], value)


SPECIFICATION = Specification(
    name="random-seed",
    title="Random seed and nearest",
    source="Analisis de conglomerados, UOC 2016, section 4.1; the variable sizes are ours",
    run=random_seed,
    largest_group=lambda k, size: 2 * k - 1,
    guarantees="groups of k to 2k-1 records; with fixed size all but the last have k",
    ties=(
        Tied("near seed", "1", "the nearest unassigned records to the seed"),
        Tied("e", "2", "the unassigned record nearest to the group"),
        Tied("join", "2", "whether e is nearer to the group than to other records", "test"),
    ),
    decisions=(34,),
    cost="O(n^2 / k) distances with fixed or random size, O(n^2) with others, O(n) memory",
    parameters=(
        Named(
            "size",
            ("fixed", "random", "minimum", "mean", "min-max"),
            "how many records a group takes in",
        ),
    ),
    random=True,
)
