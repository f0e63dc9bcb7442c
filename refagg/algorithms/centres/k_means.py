"""k-means: as many centres as groups of k are possible, and a repair of the sizes.

Source: J. MacQueen (1967) and S. P. Lloyd (1982) for k-means itself; Analisis de conglomerados (UOC
2016) compares it with microaggregation by using c = floor(n/k) centres and repairing the result.
The start, the ties and the repair are ours.

Steps:
  1. c records are the first centres. `k-means` draws them from the random stream, all sets of c
     records being equally likely. `k-means-spread` takes the record most distant from the centroid
     of all records, and then, each time, the one whose nearest centre so far is farthest.
  2. Each record is assigned to the nearest centre; a record that is as near to its present centre
     as to another one stays. (A record that is a centre begins with that one.)
  3. The centres that have records move to the centroid of their records; the others are given up.
     Steps 2 and 3 are repeated until no record changes its centre.
Then, with `repair` "yes":
  4. All groups of fewer than k records are dissolved; each of their records joins the group with
     the nearest centroid. The centroids are those of the groups that stay, before any joins.
  5. Groups of 2k records or more are divided by 2-means, as in k-means-split.

`repair` "none" ends after step 3: groups can have any size, and the result is NOT k-anonymous.
`rounds` limits how often step 2 is done, and step 3 of k-means-split for each group.

Example, with paper and pencil: 0, 1, 2, 10, 11, 30 with k = 2 and 3 centres, spread. The centroid
is 9, the first centre 30, then 0, then 11 (distances 11 and 19 to those; 10 has 10). The groups
{30}, {0, 1, 2}, {10, 11} do not change. {30} is too small and joins 10.5.

>>> from refagg import exact_space
>>> space = exact_space([[0], [1], [2], [10], [11], [30]])
>>> k_means_spread(space, 2, Choices(), repair="none", rounds=100).groups
((0, 1, 2), (3, 4), (5,))
>>> k_means_spread(space, 2, Choices(), repair="yes", rounds=100).groups
((0, 1, 2), (3, 4, 5))
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from refagg.algorithms.centres.k_means_split import ROUNDS, divided
from refagg.algorithms.centres.k_means_split import TIES as SPLIT_TIES
from refagg.algorithms.mdav_family.steps import Space, difference
from refagg.language.choices import Choices
from refagg.language.partition import Partition, Record
from refagg.language.specification import Choice, OpenChoice, Specification
from refagg.language.ties import greatest, least
from refagg.terminal import NOW

NONE = -1
"""The number of the centre of a record that has none yet."""


def k_means(space: Space, k: int, choices: Choices, repair: str, rounds: int) -> Partition:
    # 1.
    centres = choices.stream.sample(space.records(), space.n // k)
    return _from(space, k, choices, centres, repair, rounds)


def k_means_spread(space: Space, k: int, choices: Choices, repair: str, rounds: int) -> Partition:
    # 1.
    centres = _spread(space, choices, space.n // k)
    return _from(space, k, choices, centres, repair, rounds)


def _spread(space: Space, choices: Choices, c: int) -> list[Record]:
    everyone = space.records()
    from_average = space.distances(space.centroid(everyone), everyone)
    centres = [choices.choose("first centre", space.farthest(from_average))]
    nearest = space.raw(centres[0], everyone)
    for _ in NOW.each(range(c - 1), "centres"):
        choices.reached([*([record] for record in centres), ()])
        others = difference(everyone, centres)
        far = greatest(space.ranked(others, [nearest[record] for record in others]))
        centres.append(choices.choose("next centre", far))
        nearest = list(map(min, nearest, space.raw(centres[-1], everyone)))
    return centres


def _from(
    space: Space, k: int, choices: Choices, centres: Sequence[Record], repair: str, rounds: int
) -> Partition:
    groups = lloyd(space, choices, centres, rounds)
    if repair == "none":
        groups = [choices.closed(group) for group in groups]
    else:
        # 4. and 5.
        groups = divided(space, k, choices, _without_small(space, k, choices, groups), rounds)
    return Partition.of(groups, space.n)


def lloyd(
    space: Space, choices: Choices, centres: Sequence[Record], rounds: int
) -> list[list[Record]]:
    """Steps 2 and 3: the groups of the centres that have records in the end."""
    points: dict[int, Any] = dict(enumerate(centres))
    number_of = {record: number for number, record in enumerate(centres)}
    centre_of = [number_of.get(record, NONE) for record in space.records()]
    moved = set(points)
    for _ in NOW.each(range(rounds), "rounds", at_most=True):
        # 2.
        before = centre_of
        centre_of = _assigned(space, choices, points, moved, before)
        # 3.
        moved = _changed(before, centre_of)
        if not moved:
            break
        members = _members(centre_of)
        moved &= set(members)
        points = {number: points[number] for number in members}
        points |= {number: space.centroid(members[number]) for number in moved}
    return list(_members(centre_of).values())


def _assigned(
    space: Space, choices: Choices, points: dict[int, Any], moved: set[int], before: list[int]
) -> list[int]:
    """The number of each record's centre.

    If the centre of a record has not moved, no other centre that has not moved can be nearer, so
    that only the moved centres are compared.
    """
    result = []
    for record in NOW.each(space.records(), "records"):
        own = before[record]
        candidates = list(points) if own == NONE or own in moved else [own, *moved]
        squared = space.raw(record, [points[number] for number in candidates])
        tie = least(space.ranked(candidates, squared))
        result.append(own if own in tie.candidates else choices.choose("centre", tie))
    return result


def _changed(before: list[int], after: list[int]) -> set[int]:
    """The centres that gained or lost a record."""
    pairs = zip(before, after, strict=True)
    return {number for old, new in pairs if old != new for number in (old, new)} - {NONE}


def _members(centre_of: list[int]) -> dict[int, list[Record]]:
    members: dict[int, list[Record]] = {}
    for record, number in enumerate(centre_of):
        members.setdefault(number, []).append(record)
    return members


def _without_small(
    space: Space, k: int, choices: Choices, groups: list[list[Record]]
) -> list[list[Record]]:
    """Step 4. Of at most n/k groups one has k records or more, so that something stays."""
    stay = [list(group) for group in groups if len(group) >= k]
    centroids = [space.centroid(group) for group in stay]
    numbers = range(len(stay))
    for group in groups:
        for record in group if len(group) < k else ():
            tie = least(space.ranked(numbers, space.raw(record, centroids)))
            stay[choices.choose("near dissolved", tie)].append(record)
    return stay


_TIES = (
    OpenChoice("centre", "2", "the centre nearest to a record", "group"),
    OpenChoice(
        "near dissolved",
        "4",
        "the group whose centroid is nearest to a record of a dissolved group",
        "group",
    ),
    *SPLIT_TIES,
)

_specification = partial(
    Specification,
    largest_group=lambda k, repair, rounds: 2 * k - 1 if repair == "yes" else None,
    smallest_group=lambda k, repair, rounds: k if repair == "yes" else 1,
    guarantees="groups of k to 2k-1 records; without repair of any size, NOT k-anonymous",
    cost="O(n^2 / k) distances for each round in which all centres move, O(n) memory",
    parameters=(
        Choice("repair", ("yes", "none"), "whether the sizes are made k to 2k-1 in the end"),
        ROUNDS,
    ),
)

SPECIFICATION = _specification(
    name="k-means",
    title="k-means from random records, with repaired sizes",
    source="Lloyd 1982, k-means; the repair is ours",
    run=k_means,
    ties=_TIES,
    decisions=(32, 33),
    random=True,
)

SPECIFICATION_SPREAD = _specification(
    name="k-means-spread",
    title="k-means from records far from each other, with repaired sizes",
    source="Lloyd 1982, k-means; the start and the repair are ours",
    run=k_means_spread,
    ties=(
        OpenChoice("first centre", "1", "the record most distant from the centroid of all records"),
        OpenChoice("next centre", "1", "the record whose nearest centre is farthest"),
        *_TIES,
    ),
    decisions=(32, 33),
)
