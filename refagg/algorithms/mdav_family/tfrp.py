"""TFRP: two fixed reference points, in two phases.

Source: C.-C. Chang, Y.-C. Li, W.-H. Huang, "TFRP: An efficient microaggregation algorithm for
statistical disclosure control", Journal of Systems and Software 80 (2007) 1866-1878. The steps
are a reading that gives 23 of the 24 numbers printed for three data sets to the last digit.

z_min and z_max are the least and the greatest of all z-scores of the table, whatever their
attribute. The reference points are R1 = (z_min, ..., z_min) and R2 = (z_max, ..., z_max).

TFRP-1, while at least k records are unassigned:
  1. The seed is the unassigned record most distant from R1, for the next group from R2, and so
     on in turn; it and its k-1 nearest unassigned records form a group.
Then:
  2. fewer than k records join, each, the group whose centroid is nearest; the centroids are
     those before the first of them is added.
TFRP-2 begins with TFRP-1, and then:
  3. The groups are visited in the order of their SSE after TFRP-1, the greatest first. A visited
     group is dissolved, each of its records joining the group with the nearest centroid (all
     centroids as they were before), if that makes the total SSE less; else it stays.
  4. Each group of 2k records or more is divided by steps 1 and 2, with the same R1 and R2.

What is measured is each attribute's deviation from its mean, so that the data need not be
z-scores and adding a constant to an attribute changes nothing. A z-score needs a root, and z_min
compares those of different attributes: there is no exact arithmetic for it.

Example, with paper and pencil: 1, 2, 3, 10, 11, 12, 30 with k = 2 have the mean 69/7; R1 is 1 and
R2 is 30. From 1, 30 is the farthest, and 12 joins it; from 30, 1, and 2 joins it; from 1 again
11, and 10 joins it. 3 is left; the centroids are 21, 1.5 and 10.5. Dissolving {12, 30} would cost
more than it saves, {1, 2, 3} and {10, 11} too: both results are the same.

>>> from refagg import float_space
>>> tfrp_1(float_space([[1], [2], [3], [10], [11], [12], [30]]), 2, Run()).groups
((0, 1, 2), (3, 4), (5, 6))
>>> tfrp_2(float_space([[1], [2], [3], [10], [11], [12], [30]]), 2, Run()).groups
((0, 1, 2), (3, 4), (5, 6))
"""

from __future__ import annotations

from math import fsum
from typing import Any

from refagg.algorithms.mdav_family.steps import minus
from refagg.language.partition import Partition, Record
from refagg.language.run import Run
from refagg.language.space import Real
from refagg.language.specification import Specification, Tied
from refagg.language.ties import Raw, greatest, least

Space = Real[Any]
Points = tuple[Any, Any]


def tfrp_1(space: Space, k: int, run: Run) -> Partition:
    groups = _by_tfrp_1(space, k, run, space.records(), _reference_points(space))
    return Partition.of([run.closed(group) for group in groups], space.n)


def tfrp_2(space: Space, k: int, run: Run) -> Partition:
    references = _reference_points(space)
    # 1. and 2.
    groups = _Groups(space, _by_tfrp_1(space, k, run, space.records(), references))
    # 3.
    for number in _by_decreasing_sse(space, run, groups):
        _dissolve_if_better(space, run, groups, number)
    # 4.
    result: list[list[Record]] = []
    for group in groups.records.values():
        large = len(group) >= 2 * k
        result += _by_tfrp_1(space, k, run, group, references) if large else [group]
    return Partition.of([run.closed(group) for group in result], space.n)


def _reference_points(space: Space) -> Points:
    """R1 and R2, as points of the space."""
    columns = [list(column) for column in zip(*space.rows, strict=True)]
    means = [fsum(column) / space.n for column in columns]
    z_min = min(min(column) - mean for column, mean in zip(columns, means, strict=True))
    z_max = max(max(column) - mean for column, mean in zip(columns, means, strict=True))
    return space.point([m + z_min for m in means]), space.point([m + z_max for m in means])


def _by_tfrp_1(
    space: Space, k: int, run: Run, records: list[Record], references: Points
) -> list[list[Record]]:
    remaining = records
    groups: list[list[Record]] = []
    # 1.
    while len(remaining) >= k:
        from_reference = space.distances(references[len(groups) % 2], remaining)
        seed = run.one("seed", space.farthest(from_reference))
        near = space.nearest(k - 1, space.distances(seed, remaining), without={seed})
        groups.append([seed, *run.some("near seed", near, joining=None)])
        remaining = minus(remaining, groups[-1])
    # 2.
    centroids = [space.centroid(group) for group in groups]
    for record in remaining:
        distances = space.ranked(range(len(groups)), space.raw(record, centroids))
        groups[run.one("near leftover", least(distances))].append(record)
    return groups


class _Groups:
    """Groups by their number in order of formation, with their centroids and SSE."""

    def __init__(self, space: Space, groups: list[list[Record]]) -> None:
        self._space = space
        self.records: dict[int, list[Record]] = {}
        self.centroids: dict[int, Any] = {}
        self.sse: dict[int, Raw] = {}
        for number, group in enumerate(groups):
            self.put(number, group, space.sse(group))

    def put(self, number: int, group: list[Record], sse: Raw) -> None:
        self.records[number] = group
        self.centroids[number] = self._space.centroid(group)
        self.sse[number] = sse

    def remove(self, number: int) -> None:
        for by_number in (self.records, self.centroids, self.sse):
            del by_number[number]


def _by_decreasing_sse(space: Space, run: Run, groups: _Groups) -> list[int]:
    """The order of step 3."""
    order: list[int] = []
    left = dict(groups.sse)
    while left:
        order.append(run.one("visited", greatest(space.ranked(list(left), list(left.values())))))
        del left[order[-1]]
    return order


def _dissolve_if_better(space: Space, run: Run, groups: _Groups, number: int) -> None:
    others = [other for other in groups.records if other != number]
    if not others:
        return
    centroids = [groups.centroids[other] for other in others]
    joined: dict[int, list[Record]] = {}
    for record in groups.records[number]:
        nearest = least(space.ranked(others, space.raw(record, centroids)))
        joined.setdefault(run.one("near dissolved", nearest), []).append(record)
    grown = {other: groups.records[other] + records for other, records in joined.items()}
    after = {other: space.sse(group) for other, group in grown.items()}
    # Only the groups that change are compared.
    before = groups.sse[number] + sum(groups.sse[other] for other in grown)
    less = space.less(space.shown(sum(after.values())), space.shown(before))
    if run.holds("dissolve", less):
        groups.remove(number)
        for other, group in grown.items():
            groups.put(other, group, after[other])


_SOURCE = "Chang, Li and Huang 2007, JSS 80:1866-1878"
_TIES = (
    Tied("seed", "1", "the unassigned record most distant from the reference point"),
    Tied("near seed", "1", "the k-1 nearest unassigned records to the seed"),
    Tied("near leftover", "2", "the group whose centroid is nearest to a leftover record", "group"),
)

SPECIFICATION_1 = Specification(
    name="tfrp-1",
    title="TFRP-1 (two fixed reference points, first phase)",
    source=_SOURCE,
    run=tfrp_1,
    largest_group=lambda k: 2 * k - 1,
    guarantees="all groups have k records but those that take in leftovers, of at most 2k-1",
    ties=_TIES,
    decisions=(30,),
    cost="O(n^2 / k) distances, O(n) memory",
    needs="Real",
    arithmetic=("float",),
)

SPECIFICATION_2 = Specification(
    name="tfrp-2",
    title="TFRP-2 (two fixed reference points, both phases)",
    source=_SOURCE,
    run=tfrp_2,
    largest_group=lambda k: 2 * k - 1,
    guarantees="groups of k to 2k-1 records; an SSE that is at most that of TFRP-1 "
    "before groups of 2k are divided",
    ties=(
        *_TIES,
        Tied("visited", "3", "the group of the greatest SSE", "group", "SSE"),
        Tied(
            "near dissolved",
            "3",
            "the group whose centroid is nearest to a record of the visited group",
            "group",
        ),
        Tied("dissolve", "3", "whether dissolving makes the SSE less", "test", "SSE"),
    ),
    decisions=(30, 31),
    cost="O(n^2 / k) distances, O(n) memory",
    needs="Real",
    arithmetic=("float",),
)
