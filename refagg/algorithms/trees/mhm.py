"""MHM: Hansen and Mukherjee's shortest path along a path through multivariate records.

Source: J. Domingo-Ferrer, A. Martinez-Balleste, J. M. Mateo-Sanz, F. Sebe, "Efficient multivariate
data-oriented microaggregation", The VLDB Journal 15 (2006) 355-369. The source has a heuristic give
a path and the shortest path give the groups; how the groups of a heuristic are chained is ours, and
no chaining is known that gives all numbers recollected of it.
A. Maya-Lopez, F. Casino, A. Solanas, "Improving multivariate microaggregation through Hamiltonian
paths and optimal univariate microaggregation", Symmetry 13 (2021) 916, open a travelling
salesman's tour; the abstract was read, and the choice of tours is ours.

Steps:
  1. A heuristic forms groups: MDAV, MD, CBFS, or MDAV-single, which is CBFS with a last group of k
     to 2k-1 records.
  2. The path visits first the group whose centroid is most distant from the centroid of all
     records, and then always the group whose centroid is nearest to that of the last group. Within
     a group it starts at the record nearest to the last one visited and always goes to the nearest
     that is left; in the first group it starts at the record most distant from the centroid of all.
  3. Records on the path take the place of Hansen and Mukherjee's sorted values: of all divisions of
     the path into runs of k to 2k-1 records the one with the least SSE is taken.
`path` names the heuristic, or a path for which there is none:
  npn        nearest point next: all records are one group for step 2;
  insertion  from the record most distant from the centroid of all, a tour grows: the record most
             distant from it comes in where that costs least. It is opened at its longest edge;
  2-opt      the path npn, closed to a tour. For each place, the edge after it and another edge are
             exchanged for the two that make the tour shortest, if that makes it shorter; this
             is repeated until no place changes. The tour is opened at its longest edge.
The length of an edge is the squared distance of its records.

The groups of the heuristics have k to 2k-1 records and stay together on the path, so the SSE is
never greater than theirs.

>>> from refagg import exact_space
>>> space = exact_space([[1], [2], [3], [10], [11], [12], [30]])
>>> mhm(space, 2, Choices(), path="mdav").groups
((0, 1, 2), (3, 4), (5, 6))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from refagg.algorithms.mdav_family import cbfs, md, mdav, mdav_single
from refagg.algorithms.mdav_family.steps import Space
from refagg.algorithms.trees.shortest_path import LAST_SIZE, along, last_size
from refagg.algorithms.trees.tours import TIES, Tour, improved, inserted, opened
from refagg.cursors.remaining import difference
from refagg.cursors.subrun import subrun, ties_of_subrun
from refagg.language.choices import Choices
from refagg.language.partition import Partition, Record
from refagg.language.specification import Choice, OpenChoice, Specification
from refagg.language.ties import greatest, least

HEURISTICS = {
    "mdav": mdav.SPECIFICATION,
    "md": md.SPECIFICATION,
    "cbfs": cbfs.SPECIFICATION,
    "mdav-single": mdav_single.SPECIFICATION,
}


def mhm(space: Space, k: int, choices: Choices, path: str) -> Partition:
    left = path_of(space, k, choices, path)  # 1. and 2.
    return Partition.of(
        [choices.closed(group) for group in cut(space, k, choices, left)], space.n
    )  # 3.


def path_of(space: Space, k: int, choices: Choices, path: str) -> list[Record]:
    """Steps 1 and 2."""
    if path in HEURISTICS:
        heuristic = HEURISTICS[path]
        formed = heuristic.run(space, k, subrun(choices, heuristic.name)).groups
        return chained(space, choices, formed)
    if path == "insertion":
        centre = space.centroid(space.records())
        first = choices.choose("first", space.farthest(space.distances(centre, space.records())))
        return opened(choices, inserted(space, choices, first))
    nearest = chained(space, choices, [space.records()])
    return nearest if path == "npn" else opened(choices, improved(choices, Tour(space, nearest)))


def cut(space: Space, k: int, choices: Choices, path: Sequence[Record]) -> Iterator[list[Record]]:
    """Step 3: the groups of a path, from its end."""
    sizes = range(k, 2 * k)
    left, paths = list(path), along(space, path, sizes)
    while left:
        m = last_size(space, choices, left, paths, sizes)
        yield left[-m:]
        left = left[:-m]


def chained(space: Space, choices: Choices, groups: Sequence[Sequence[Record]]) -> list[Record]:
    """All records, group after group, and inside a group from record to record."""
    centre = space.centroid(space.records())
    centroids = [space.centroid(group) for group in groups]
    left = list(range(len(groups)))
    from_centre = space.raw(centre, centroids)
    number = choices.choose("first group", greatest(space.ranked(left, from_centre)))
    path = [choices.choose("first", space.farthest(space.distances(centre, groups[number])))]
    _visit(space, choices, path, difference(groups[number], path))
    left = difference(left, [number])
    while left:
        distances = space.raw(centroids[number], [centroids[other] for other in left])
        number = choices.choose("next group", least(space.ranked(left, distances)))
        _visit(space, choices, path, groups[number])
        left = difference(left, [number])
    return path


def _visit(space: Space, choices: Choices, path: list[Record], group: Sequence[Record]) -> None:
    """Add the records of a group to the path, from its end always the nearest."""
    left = group
    while left:
        path.append(choices.choose("next", space.closest(space.distances(path[-1], left))))
        left = difference(left, path[-1:])


SPECIFICATION = Specification(
    name="mhm",
    title="MHM (the shortest path along a heuristic's path)",
    source="Domingo-Ferrer, Martinez-Balleste, Mateo-Sanz and Sebe 2006, VLDB Journal 15:355-369",
    run=mhm,
    largest_group=lambda k, path: 2 * k - 1,
    guarantees="groups of k to 2k-1 records; the SSE is not greater than that of the heuristic",
    ties=(
        *(
            tied
            for heuristic in HEURISTICS.values()
            for tied in ties_of_subrun(heuristic.name, "1", heuristic.ties)
        ),
        OpenChoice("first group", "2", "the group most distant from the centroid of all", "group"),
        OpenChoice(
            "first", "2", "the record of the first group most distant from the centroid of all"
        ),
        OpenChoice(
            "next group", "2", "the group whose centroid is nearest to that of the last", "group"
        ),
        OpenChoice("next", "2", "the record nearest to the last one visited"),
        *TIES,
        LAST_SIZE,
    ),
    decisions=(36, 37, 91),
    cost="the heuristic, and O(k^2 n) for SSEs; O(n^2) distances with npn and insertion, and for "
    "each round of 2-opt",
    parameters=(
        Choice(
            "path",
            (*HEURISTICS, "npn", "insertion", "2-opt"),
            "the heuristic that gives the path, or the path itself",
        ),
    ),
)
