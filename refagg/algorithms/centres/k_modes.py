"""k-modes: clusters of categories around modes and medians, with repaired sizes.

Source: V. Torra, "Microaggregation for categorical variables: a median based approach", Privacy in
Statistical Databases 2004, LNCS 3050, 162-174, which clusters with k-modes and replaces each
cluster by medians or most frequent categories. The paper was not read, and how it reaches its sizes
is not known; the repair is ours, the simplest that uses only what the rest uses.

Steps:
  1. c = floor(n/k) records, drawn from the random stream, all sets being equally likely, are the
     modes.
  2. Each record is assigned to the nearest mode; one that is as near to its present mode as to
     another stays. (A record that is a mode begins with that one.)
  3. The modes become the centroids of their records: means of numbers, medians of ordered
     categories, the most frequent nominal ones. Modes without records are given up. Steps 2 and 3
     are repeated until no record changes its mode, or `rounds` times: where medians are taken,
     nothing guarantees an end.
  4. While a group has fewer than k records, the smallest is dissolved: each of its records joins
     the group whose centroid, as it was before, is nearest.
  5. A group of 2k records or more is divided by MDAV.

It works in every space that has centroids. On numbers alone steps 1 to 3 are those of k-means.

Example, with paper and pencil: the categories a, a, a, a, b, b, c with k = 2; the records 0, 4
and 6 are drawn, which are all different. {a, a, a, a}, {b, b} and {c} do not change. {c} is
dissolved, and record 6 is as far from a as from b; it joins the first. The 5 records are divided
by MDAV: their mode is a, so record 6 is the farthest, and 0 is as near to it as the others.

>>> from refagg import table_of
>>> from refagg.spaces.mixed import mixed_space
>>> from refagg.language.random_stream import scripted
>>> table = table_of([[c] for c in "aaaabbc"], ["letter"], kinds={"letter": "nominal"})
>>> space = mixed_space(table)
>>> k_modes(space, 2, Choices(stream=scripted([0, 3, 4])), rounds=100).groups
((0, 6), (1, 2, 3), (4, 5))
"""

from __future__ import annotations

from refagg.algorithms.centres.k_means import lloyd
from refagg.algorithms.centres.k_means_split import ROUNDS
from refagg.algorithms.centres.subrun import subrun, ties_of_subrun
from refagg.algorithms.mdav_family import mdav
from refagg.algorithms.mdav_family.steps import Space
from refagg.cursors.remaining import groups_by
from refagg.language.choices import Choices
from refagg.language.partition import Partition, Record
from refagg.language.specification import OpenChoice, Specification
from refagg.language.ties import least
from refagg.terminal import NOW


def k_modes(space: Space, k: int, choices: Choices, rounds: int) -> Partition:
    # 1.
    modes = choices.stream.sample(space.records(), space.n // k)
    # 2. and 3.
    groups = lloyd(space, choices, modes, rounds)
    # 4.
    while min(map(len, groups)) < k:
        choices.reached(groups)
        groups = _without_smallest(space, choices, groups)
    # 5.
    return Partition.of(_divided(space, k, choices, groups), space.n)


def _without_smallest(
    space: Space, choices: Choices, groups: list[list[Record]]
) -> list[list[Record]]:
    sizes = space.measured(range(len(groups)), list(map(len, groups)))
    dissolved = choices.choose("dissolved", least(sizes))
    stay = [list(group) for number, group in enumerate(groups) if number != dissolved]
    centroids = [space.centroid(group) for group in stay]
    for record in groups[dissolved]:
        nearest = least(space.ranked(range(len(stay)), space.raw(record, centroids)))
        stay[choices.choose("near dissolved", nearest)].append(record)
    return stay


def _divided(
    space: Space, k: int, choices: Choices, groups: list[list[Record]]
) -> list[list[Record]]:
    waiting = list(groups)
    done: list[list[Record]] = []
    while waiting:
        NOW.remain(sum(map(len, waiting)), power=1)
        choices.reached([*done, *waiting])
        group = sorted(waiting.pop())
        parts = [group]
        if len(group) >= 2 * k:
            parts = groups_by(mdav.mdav, space, k, subrun(choices, "mdav"), group)
        done += [choices.closed(part) for part in parts]
    return done


SPECIFICATION = Specification(
    name="k-modes",
    title="k-modes from random records, with repaired sizes",
    source="Torra 2004, LNCS 3050:162-174, for k-modes; the repair is ours",
    run=k_modes,
    largest_group=lambda k, rounds: 2 * k - 1,
    guarantees="groups of k to 2k-1 records",
    ties=(
        OpenChoice("centre", "2", "the mode nearest to a record", "group"),
        OpenChoice("dissolved", "4", "the smallest group", "group", "size"),
        OpenChoice(
            "near dissolved", "4", "the group nearest to a record of a dissolved one", "group"
        ),
        *ties_of_subrun("mdav", "5", mdav.SPECIFICATION.ties),
    ),
    decisions=(59,),
    cost="O(n^2 / k) distances for each round in which all modes move, O(n) memory",
    parameters=(ROUNDS,),
    random=True,
)
