"""Random seed and nearest: each group grows around a record drawn at random.

Source: section 4.1 of Analisis de conglomerados: un caso practico aplicado a la proteccion de datos
(UOC 2016), whose code forms groups of k and whose prose has four rules for variable sizes. The last
records and the limits of growth are ours.

Steps, while at least 2k records are unassigned:
  1. The seed is drawn from the random stream, each unassigned record being equally likely; it and
     its k-1 nearest unassigned records form a group.
  2. The group may grow to at most 2k-1 records, and at least k stay unassigned:
     `size` "fixed": it does not grow.
     `size` "random": a size from k to 2k-1 is drawn, each equally likely, and the nearest records
     to the seed are added up to it, as far as k stay unassigned.
     With the other three a candidate e joins if its distance d_in to the group is less than d_out,
     that from e to its nearest other unassigned record, and the next e is examined; otherwise the
     group is complete. What e and d_in are depends on `size`:
     "minimum": e is the unassigned record nearest to any record of the group.
     "mean": e is the unassigned record nearest to the centroid of the group, and d_in its
     distance to that.
     "min-max": each record of the group has a nearest unassigned record; e is the one of these
     that is at the greatest distance.
Then:
  3. the last k to 2k-1 records are one group.

Example, with paper and pencil: 0, 1, 2, 10, 11, 12 with k = 2, a random stream that draws 0 and
then the sixth record of those left. 1 joins 0. With size "minimum", e is 2, at the squared
distance 1 from 1, and 64 from 10: it joins, and the group is full. {10, 11, 12} are left.

>>> from refagg import exact_space
>>> from refagg.language.random_stream import scripted
>>> space = exact_space([[0], [1], [2], [10], [11], [12]])
>>> random_seed(space, 2, Choices(stream=scripted([0])), size="minimum").groups
((0, 1, 2), (3, 4, 5))
>>> random_seed(space, 2, Choices(stream=scripted([0, 3])), size="fixed").groups
((0, 1), (2, 3), (4, 5))
"""

from __future__ import annotations

from collections.abc import Callable

from refagg.algorithms.mdav_family.steps import Space, seed_and_nearest
from refagg.cursors.remaining import difference
from refagg.language.choices import Choices
from refagg.language.partition import Partition, Record
from refagg.language.specification import Choice, OpenChoice, Specification
from refagg.language.ties import Magnitude, TiedCandidates, greatest, least


def random_seed(space: Space, k: int, choices: Choices, size: str) -> Partition:
    unassigned = space.records()
    groups: list[list[Record]] = []
    while len(unassigned) >= 2 * k:
        # 1.
        seed = unassigned[choices.stream.randbelow(len(unassigned))]
        # 2.
        m = k + choices.stream.randbelow(k) if size == "random" else k
        m = min(m, len(unassigned) - k)
        from_seed = space.distances(seed, unassigned)
        group = choices.together(seed_and_nearest(space, m, choices, "near seed", seed, from_seed))
        unassigned = difference(unassigned, group)
        if size in _CANDIDATES:
            group = _grown(space, k, choices, _CANDIDATES[size], group, unassigned)
            unassigned = difference(unassigned, group)
        groups.append(choices.closed(group))
    # 3.
    return Partition.of([*groups, choices.closed(unassigned)], space.n)


def _nearest_to_any(
    space: Space, group: list[Record], unassigned: list[Record]
) -> TiedCandidates[Record]:
    """The candidates of "minimum"."""
    return space.closest(space.distances_to_any(group, unassigned))


def _nearest_to_centroid(
    space: Space, group: list[Record], unassigned: list[Record]
) -> TiedCandidates[Record]:
    """The candidates of "mean"."""
    return space.closest(space.distances(space.centroid(group), unassigned))


def _farthest_of_nearest(
    space: Space, group: list[Record], unassigned: list[Record]
) -> TiedCandidates[Record]:
    """The candidates of "min-max"."""
    d_in: dict[Record, Magnitude] = {}
    for member in group:
        near = least(space.ranked(unassigned, space.raw(member, unassigned)))
        for record in near.candidates:
            d_in[record] = max(near.best, d_in.get(record, near.best))
    records = sorted(d_in)
    return greatest(space.ranked(records, [d_in[record] for record in records]))


_CANDIDATES: dict[str, Callable[[Space, list[Record], list[Record]], TiedCandidates[Record]]] = {
    "minimum": _nearest_to_any,
    "mean": _nearest_to_centroid,
    "min-max": _farthest_of_nearest,
}
"""For each rule, the unassigned records that can be e, with d_in."""


def _grown(
    space: Space,
    k: int,
    choices: Choices,
    candidates: Callable[[Space, list[Record], list[Record]], TiedCandidates[Record]],
    group: list[Record],
    unassigned: list[Record],
) -> list[Record]:
    """The group with the records that join it."""
    while len(group) < 2 * k - 1 and len(unassigned) > k:
        inward = candidates(space, group, unassigned)
        e = choices.choose("e", inward)
        unassigned = difference(unassigned, [e])
        d_out = space.closest(space.distances(e, unassigned)).value
        if not choices.decide("join", space.less(inward.value_of(e), d_out)):
            break
        group = choices.together([*group, e])
    return group


SPECIFICATION = Specification(
    name="random-seed",
    title="Random seed and nearest",
    source="Analisis de conglomerados, UOC 2016, section 4.1; the last records are ours",
    run=random_seed,
    largest_group=lambda k, size: 2 * k - 1,
    guarantees="groups of k to 2k-1 records; with fixed size all but the last have k",
    ties=(
        OpenChoice("near seed", "1", "the nearest unassigned records to the seed"),
        OpenChoice("e", "2", "the unassigned record that is the candidate to join the group"),
        OpenChoice(
            "join", "2", "whether e is nearer to the group than to any other record", "test"
        ),
    ),
    decisions=(34,),
    cost="O(n^2 / k) distances with fixed or random size, O(k n^2) with others, O(n) memory",
    parameters=(
        Choice(
            "size",
            ("fixed", "random", "minimum", "mean", "min-max"),
            "how many records a group takes in",
        ),
    ),
    random=True,
)
