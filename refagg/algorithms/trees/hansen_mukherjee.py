"""Hansen-Mukherjee: the optimum for one attribute.

Source: S. L. Hansen, S. Mukherjee, "A polynomial algorithm for optimal univariate
microaggregation", IEEE Transactions on Knowledge and Data Engineering 15 (2003) 1043-1044.
Recollected; the result is an optimum whatever the source says.

Some optimal partition has groups that are runs of the sorted values, and none needs more than
2k-1 records: a larger group can be divided at no cost.

Steps:
  1. Sort the values: v_1 <= ... <= v_n.
  2. In the graph with the nodes 0 .. n, and for k <= j-i < 2k an arc (i, j) that costs the SSE of
     v_i+1 .. v_j, find the shortest path from 0 to n.
  3. From n backwards, each arc is a group.
Several paths can be shortest, and equal values can be on both sides of a node: both are choices, so
that every optimal partition with groups of k to 2k-1 is a possible run. Which end of the values is
called n is a choice too, which only decides what is chosen first; without it, the same tie rule
could give other groups when all values change their sign.

Example, with paper and pencil: 1, 2, 3, 10, 11, 12, 30 with k = 2. {11, 12, 30} costs 228.7 and
{10, 11, 12, 30} needs 4 records, so that {12, 30} is last, with 162. Before it {10, 11} costs
0.5, and {3, 10, 11} 38: the groups are {1, 2, 3} {10, 11} {12, 30}.

>>> from refagg import exact_space
>>> space = exact_space([[1], [2], [3], [10], [11], [12], [30]])
>>> hansen_mukherjee(space, 2, Choices()).groups
((0, 1, 2), (3, 4), (5, 6))
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from refagg.algorithms.mdav_family.steps import seed_and_nearest
from refagg.algorithms.trees.shortest_path import (
    LAST_SIZE,
    Shortest,
    among_whole_numbers,
    in_binary64,
    last_size,
)
from refagg.cursors.remaining import any_of, difference
from refagg.language.choices import Choices
from refagg.language.partition import Partition, Record
from refagg.language.space import Numeric
from refagg.language.specification import OpenChoice, Specification
from refagg.language.ties import Magnitude

Space = Numeric[Any]


def hansen_mukherjee(space: Space, k: int, choices: Choices) -> Partition:
    sizes = range(k, 2 * k)
    values = _towards_an_end(space, choices)
    # 1.
    left = sorted(space.records(), key=values.__getitem__)
    # 2.
    paths = _shortest([values[record] for record in left], sizes)
    # 3.
    groups: list[list[Record]] = []
    while left:
        choices.iteration(left)
        m = last_size(space, choices, left, paths, sizes)
        start = bisect_left(left, values[left[-m]], key=values.__getitem__)
        group = choices.closed(_outermost(space, m, choices, left[start:]))
        left[start:] = difference(left[start:], group)
        groups.append(group)
    return Partition.of(groups, space.n)


def _towards_an_end(space: Space, choices: Choices) -> Sequence[Magnitude]:
    """The values, or the values times -1."""
    values = space.attribute(0)
    ends = min(values), max(values)
    outermost = [record for record in space.records() if values[record] in ends]
    end = choices.choose("end", any_of(space, outermost))
    return values if values[end] == ends[1] else [-value for value in values]


def _shortest(ordered: Sequence[Magnitude], sizes: range) -> Shortest:
    """The paths in the arithmetic of the values.

    The squares of differences of a single attribute are the raw distances of its space.
    """
    exact = isinstance(ordered[0], int)
    return among_whole_numbers(ordered, sizes) if exact else in_binary64(ordered, sizes)


def _outermost(space: Space, m: int, choices: Choices, window: list[Record]) -> list[Record]:
    """The m records nearest to the end; only the last of them can be equal to others."""
    first = choices.choose("outermost", space.closest(space.distances(window[-1], window)))
    distances = space.distances(first, window)
    return seed_and_nearest(space, m, choices, "near outermost", first, distances)


SPECIFICATION = Specification(
    name="hansen-mukherjee",
    title="Hansen-Mukherjee (optimal for one attribute)",
    source="Hansen and Mukherjee 2003, IEEE TKDE 15:1043-1044",
    run=hansen_mukherjee,
    largest_group=lambda k: 2 * k - 1,
    guarantees="the least SSE of all partitions into groups of at least k; k to 2k-1 records each",
    ties=(
        OpenChoice(
            "end", "1", "a record of the least or greatest value, where n is", measure="nothing"
        ),
        LAST_SIZE,
        OpenChoice("outermost", "3", "the record that is left nearest to that end"),
        OpenChoice("near outermost", "3", "the others of the last group, the nearest to it"),
    ),
    decisions=(35,),
    cost="O(n log n + k n) time, O(n) memory",
    needs="Numeric",
    attributes="one",
)
