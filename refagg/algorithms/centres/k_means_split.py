"""k-means microaggregation: groups are divided in two, by 2-means, until all are small.

Ours: a reconstruction. Md. E. Kabir, A. N. Mahmood and A. K. Mustafa (2012) proposed to
microaggregate with k-means; their steps were not available, and no printed number confirms these.

Steps, beginning with one group of all records:
  1. While a group has 2k records or more, it is divided in two by steps 2 to 4.
  2. a is its record most distant from its centroid, b its record most distant from a: they
     are the first centres.
  3. For each record, d is its squared distance to a less that to b. The records with d < 0 are
     one side, the others the other; but of m records at least k and at most m - k, those of
     least d, are the side of a.
  4. The centroids of the sides are the next centres a and b, and step 3 is repeated. If that makes
     the SSE of the two sides less, step 4 is repeated; otherwise the previous sides are kept.
All groups end with k to 2k-1 records.

The SSE falls each time, so step 4 always ends; `rounds` limits how often step 3 is done for a
group.

Example, with paper and pencil: 0, 1, 2, 10, 11, 30 with k = 2 have the centroid 9; a = 30,
b = 0. Only 30 is nearer to a, so 11 is added: {30, 11} and {0, 1, 2, 10} with the SSE 180.5 +
62.75. Their centroids are 20.5 and 3.25; only 30 is beyond the middle, 11.875, so the sides are
the same and the SSE does not fall. For {0, 1, 2, 10}, with the centroid 3.25, a = 10 and b = 0;
2 is added to a: {10, 2} and {0, 1}. The centroids 6 and 0.5 give the same sides again.

>>> from refagg import exact_space
>>> k_means_split(exact_space([[0], [1], [2], [10], [11], [30]]), 2, Choices(), rounds=100).groups
((0, 1), (2, 3), (4, 5))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refagg.algorithms.mdav_family.steps import Space, difference
from refagg.language.choices import Choices
from refagg.language.partition import Partition, Record
from refagg.language.specification import Integer, OpenChoice, Specification
from refagg.language.ties import Magnitude, nearest
from refagg.terminal import NOW

Sides = tuple[list[Record], list[Record]]


def k_means_split(space: Space, k: int, choices: Choices, rounds: int) -> Partition:
    return Partition.of(divided(space, k, choices, [space.records()], rounds), space.n)


def divided(
    space: Space, k: int, choices: Choices, groups: Sequence[list[Record]], rounds: int
) -> list[list[Record]]:
    """Step 1: these groups, all of 2k records or more divided; they are closed."""
    waiting = list(groups)
    done: list[list[Record]] = []
    while waiting:
        NOW.remain(sum(map(len, waiting)), power=1)
        choices.reached([*done, *waiting])
        group = waiting.pop()
        if len(group) < 2 * k:
            done.append(choices.closed(group))
        else:
            waiting += _two_means(space, k, choices, group, rounds)
    return done


def _two_means(space: Space, k: int, choices: Choices, group: list[Record], rounds: int) -> Sides:
    # 2.
    a = choices.choose("a", space.farthest(space.distances(space.centroid(group), group)))
    b = choices.choose("b", space.farthest(space.distances(a, group), without={a}))
    # 3.
    sides = _sides(space, k, choices, group, a, b)
    # 4.
    for _ in range(rounds - 1):
        again = _sides(space, k, choices, group, *map(space.centroid, sides))
        if set(again[0]) == set(sides[0]):
            break
        before, after = (space.shown(sum(map(space.sse, each))) for each in (sides, again))
        if not choices.decide("fall", space.less(after, before)):
            break
        sides = again
    return sides


def _sides(space: Space, k: int, choices: Choices, group: list[Record], a: Any, b: Any) -> Sides:
    """Step 3."""
    to_a, to_b = space.raw(a, group), space.raw(b, group)
    nearer_to_a = _how_many_nearer(space, choices, to_a, to_b)
    m = min(max(nearer_to_a, k), len(group) - k)
    # A common amount is added to all d, beside which their rounding is small.
    amount = 2 * max(*to_a, *to_b)
    d = [amount + (p - q) for p, q in zip(to_a, to_b, strict=True)]
    side_of_a = list(
        choices.choose_nearest("side of a", nearest(space.ranked(group, d), m), same_group_as=None)
    )
    return side_of_a, difference(group, side_of_a)


def _how_many_nearer(
    space: Space, choices: Choices, to_a: list[Magnitude], to_b: list[Magnitude]
) -> int:
    """The number of records with d < 0, found by bisection."""
    pairs = sorted(zip(to_a, to_b, strict=True), key=lambda pair: pair[0] - pair[1])
    low, high = 0, len(pairs)
    while low < high:
        middle = (low + high) // 2
        p, q = pairs[middle]
        if choices.decide("nearer to a", space.less(space.shown(p), space.shown(q))):
            low = middle + 1
        else:
            high = middle
    return low


TIES = (
    OpenChoice("a", "2", "the record of the group most distant from its centroid"),
    OpenChoice("b", "2", "the record of the group most distant from a"),
    OpenChoice("nearer to a", "3", "whether a record is nearer to a than to b", "test"),
    OpenChoice("side of a", "3", "the records of least d", measure="d and a common amount"),
    OpenChoice("fall", "4", "whether the SSE of the two sides is less than before", "test", "SSE"),
)

ROUNDS = Integer("rounds", 100, 1, "how often, at most, records are assigned to centres")

SPECIFICATION = Specification(
    name="k-means-split",
    title="k-means microaggregation by repeated division in two",
    source="ours; the idea is in Kabir, Mahmood and Mustafa 2012",
    run=k_means_split,
    largest_group=lambda k, rounds: 2 * k - 1,
    guarantees="groups of k to 2k-1 records",
    ties=TIES,
    decisions=(32,),
    cost="O(n log(n/k)) distances for each round where groups are halved, O(n) memory",
    parameters=(ROUNDS,),
)
