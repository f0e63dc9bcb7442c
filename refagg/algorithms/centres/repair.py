"""Repair of groups that genetic operators made too large or small.

The sources say that chromosomes must remain partitions into groups of k to 2k-1 records, but not
how. The repair is ours:

  A. While a group has more than 2k-1 records, the one farthest from its centroid leaves it for the
     nearest group with free capacity. Where no group has any, it begins a new one.
  B. Groups of fewer than k records are filled, by their labels: the nearest record of the groups
     of more than k joins, until there are k.

Groups are as near as their centroids, which are always the current ones. A group has free capacity
while it has fewer than 2k-1 records.

There is always a label left for a new group: if g groups are full and one record is left over,
there are (2k-1)g + 1 records or more, which is at least (g+1)k, and so g+1 labels. And there are
always enough records to fill the groups: k for each label are no more than there are.
"""

from __future__ import annotations

from refagg.algorithms.mdav_family.steps import Space
from refagg.language.choices import Choices
from refagg.language.partition import Record
from refagg.language.specification import OpenChoice
from refagg.language.ties import least

Groups = list[list[Record]]
"""The records of each label; a label can have none."""


def legal(k: int, groups: Groups) -> bool:
    """Return True if every group has k to 2k-1 records, or none."""
    return all(not group or k <= len(group) < 2 * k for group in groups)


def repair(space: Space, k: int, choices: Choices, groups: Groups) -> None:
    """Move records until all groups are legal.

    `groups` has n/k labels, rounded down, and n >= 2k.
    """
    # A.
    for group in groups:
        while len(group) >= 2 * k:
            from_centroid = space.distances(space.centroid(group), sorted(group))
            leaver = choices.choose("leaver", space.farthest(from_centroid))
            group.remove(leaver)
            _rehouse(space, k, choices, groups, leaver)
    # B.
    for group in groups:
        if 0 < len(group) < k:
            _fill(space, k, choices, groups, group)


def _rehouse(space: Space, k: int, choices: Choices, groups: Groups, record: Record) -> None:
    """Add a record to the nearest group with free capacity."""
    homes = [group for group in groups if 0 < len(group) < 2 * k - 1]
    if not homes:
        next(group for group in groups if not group).append(record)
        return
    squared = space.raw(record, [space.centroid(group) for group in homes])
    tie = least(space.ranked(range(len(homes)), squared))
    homes[choices.choose("home", tie, lambda home: [homes[home]], record)].append(record)


def _fill(space: Space, k: int, choices: Choices, groups: Groups, group: list[Record]) -> None:
    while len(group) < k:
        home = {record: other for other in groups if len(other) > k for record in other}
        from_centroid = space.distances(space.centroid(group), sorted(home))
        joiner = choices.choose("joiner", space.closest(from_centroid))
        home[joiner].remove(joiner)
        group.append(joiner)


TIES = (
    OpenChoice("leaver", "5", "the record farthest from the centroid of a group of more than 2k-1"),
    OpenChoice(
        "home",
        "5",
        "the nearest group with free capacity, counted among those that have",
        "group",
        predicate="the group with free capacity that is nearest to a record",
    ),
    OpenChoice("joiner", "5", "the record nearest to a group of fewer than k"),
)
