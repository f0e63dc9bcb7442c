"""Local search: records move and change groups while the SSE falls.

They move, or change places between groups.

Source: ours. Exchanges of records among groups are as old as clustering (for microaggregation
see J. Domingo-Ferrer, J. M. Mateo-Sanz 2002, who call for them); these neighbourhoods, and
the order in which they are tried, are those that found the best partitions known of the
reference data sets.

Steps:
  1. The start is the partition of `start`.
  2. Descent. Around each group, the first of these exchanges that lowers the SSE is made, and the
     groups it touched are examined again:
       a. chains: a record moves to a near group with free capacity, or swaps with a record of it,
          or takes the place of a record that itself goes on, up to six records long;
       b. a group alone, or with a near group, divided again in the best possible way;
       c. a group dissolved, its records joining near groups with free capacity;
       d. a group formed around a record, of records that their groups can do without;
       e. a group of many records split between two distant ones;
       f. a group with two near groups, divided again in the best possible way.
     It ends where no group has such an exchange.
  3. In each of `rounds` rounds a randomly drawn group is dissolved, or one is formed around a
     randomly drawn record, or some randomly drawn records of near groups are swapped; chains lower
     the SSE again; the result is kept unless its SSE is higher.
  4. The descent of step 2 again.

Sizes stay in [k, 2k-1], and the SSE never exceeds that of the start. Which exchange is found
first depends on the order of the records, so a run can be repeated and replayed, but a
partition that another program found in the same way need not be one that these steps give.

The SSE is compared in integers: the exact squared distances, truncated to BITS bits where they are
longer. If that truncation has raised the SSE, the start is the result.

>>> import refagg
>>> rows = [[1], [2], [3], [10], [11], [12], [30]]
>>> refagg.local_search(rows, k=2, start="mdav", rounds=0, seed=1).groups
((0, 1, 2), (3, 4), (5, 6))
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from functools import partial
from math import gcd

from refagg.algorithms.mdav_family import mdav, mdav_single
from refagg.algorithms.mdav_family.steps import Space
from refagg.algorithms.search.moves.constraints import Pair
from refagg.algorithms.search.moves.descent import iterated
from refagg.cursors.groups import Groups, on_groups
from refagg.cursors.remaining import Cursor
from refagg.cursors.subrun import subrun, ties_of_subrun
from refagg.errors import UnsupportedArithmetic
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.language.random_stream import RandomStream
from refagg.language.specification import Specification, choice, integer

BITS = 46
"""Sums of some thousand numbers of that length are still fast."""

STARTS = {"mdav-single": mdav_single.SPECIFICATION, "mdav": mdav.SPECIFICATION}


@dataclass(frozen=True, slots=True)
class GroupSizes:
    """Groups of k to 2k-1 of n records, and no other constraint."""

    n: int
    k: int
    largest: int
    together: frozenset[Pair] = frozenset()
    apart: frozenset[Pair] = frozenset()
    constrained: bool = False

    @property
    def sizes(self) -> range:
        return range(self.k, self.largest + 1)

    def feasible(self, partition: Partition) -> bool:
        return all(len(group) in self.sizes for group in partition.groups)


def local_search(R: Cursor, k: int, start: str, rounds: int) -> Groups:
    space, choices = R.space, R.choices
    # 1.
    first: Partition = STARTS[start].run(space, k, subrun(choices, start))
    # 2. to 4.
    constraints = GroupSizes(space.n, k, min(2 * k - 1, space.n))
    every = choices.each(range(rounds), "rounds")
    distances = whole_distances(space)
    watched = choices.trace is not None
    watch = partial(tell_exchange, space, choices) if watched else None
    stream = telling(choices) if watched else choices.stream
    best = iterated(constraints, distances, first, rounds=every, stream=stream, watch=watch)
    if sum(map(space.sse, best.groups)) > sum(map(space.sse, first.groups)):
        best = first
    return Groups.of_partition(space, choices, best)


def tell_exchange(space: Space, choices: Choices, now: Partition) -> None:
    """Tell the groups after an exchange."""
    choices.stand(now.groups, space.shown(sum(map(space.sse, now.groups))))


def telling(choices: Choices) -> RandomStream:
    """Return the random stream, of which each draw is told."""

    def randbelow(m: int) -> int:
        drawn = choices.stream.randbelow(m)
        choices.drew("number", (drawn, m - 1))
        return drawn

    return RandomStream(randbelow)


def whole_distances(space: Space) -> list[array[int]]:
    """Return all squared distances as integers on one scale.

    An integer has at most BITS bits. Raises UnsupportedArithmetic for distances in binary64.
    """
    records = space.records()
    upper = [space.raw(record, records[record:]) for record in records]
    if not isinstance(upper[0][0], int):
        raise UnsupportedArithmetic(
            "the space is in binary64, and the algorithm compares integers; run it in an "
            "exact_space"
        )
    common = gcd(*(gcd(*row) for row in upper)) or 1
    shift = max(0, (max(map(max, upper)) // common).bit_length() - BITS)
    rows: list[array[int]] = []
    for record, new in enumerate(upper):
        known = [row[record] for row in rows]
        rows.append(array("q", known + [(value // common) >> shift for value in new]))
    return rows


SPECIFICATION = Specification(
    name="local-search",
    title="local search (moves, swaps, chains, groups redivided, dissolved and formed)",
    source="this project; see docs/decisions.md",
    run=on_groups(local_search),
    guarantees="groups of k to 2k-1 records; the SSE is at most that of the start",
    ties=tuple(
        tied for name, spec in STARTS.items() for tied in ties_of_subrun(name, "1", spec.ties)
    ),
    decisions=(45,),
    cost="O(n^2) memory for distances; each descent some hundred looks at each group",
    parameters=(
        choice("start", tuple(STARTS), "the algorithm whose partition is improved"),
        integer("rounds", 30, 0, "how often the best partition is disturbed"),
    ),
    needs="Numeric",
    arithmetic=("exact",),
    random=True,
)
