"""MHM: a row of near records is cut at least SSE.

Records are put in a row in which near ones follow each other.

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

>>> import refagg
>>> refagg.mhm([[1], [2], [3], [10], [11], [12], [30]], k=2, path="mdav").groups
((0, 1, 2), (3, 4), (5, 6))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from refagg.algorithms.mdav_family import cbfs, md, mdav, mdav_single
from refagg.algorithms.trees.hansen_mukherjee import LAST_SIZE, shortest_paths
from refagg.algorithms.trees.tours import TIES, Tour, improved_tour, inserted, opened_tour
from refagg.cursors.groups import Groups
from refagg.cursors.remaining import Group
from refagg.cursors.sequence import RecordSequence, on_sequence
from refagg.cursors.subrun import subrun, ties_of_subrun
from refagg.language.partition import Record
from refagg.language.specification import OpenChoice, Specification, choice

HEURISTICS = {
    "mdav": mdav.SPECIFICATION,
    "md": md.SPECIFICATION,
    "cbfs": cbfs.SPECIFICATION,
    "mdav-single": mdav_single.SPECIFICATION,
}


def mhm(V: RecordSequence, k: int, path: str) -> None:
    for group in cut_path(V, k, path_of(V, k, path)):
        V.close(group)


def path_of(V: RecordSequence, k: int, path: str) -> list[Record]:
    """Steps 1 and 2."""
    space, choices, everyone = V.space, V.choices, V.space.records()
    if path in HEURISTICS:
        heuristic = HEURISTICS[path]
        formed = heuristic.run(space, k, subrun(choices, heuristic.name))
        return chained(Groups.of_partition(space, choices, formed))
    G = Groups(space, choices, {0: everyone})
    if path == "insertion":
        first = G.farthest_member("first", G.centroid_of_all(), 0)
        return opened_tour(choices, inserted(space, choices, first))
    nearest = chained(G)
    return (
        nearest
        if path == "npn"
        else opened_tour(choices, improved_tour(choices, Tour(space, nearest)))
    )


def cut_path(V: RecordSequence, k: int, path: Sequence[Record]) -> Iterator[Group]:
    """Step 3: yield the groups of a path, from its end."""
    V.follow(path)
    f = shortest_paths(V, range(k, 2 * k))
    while len(V):
        yield V.last(V.last_size("last size", f, range(k, 2 * k)))


def chained(G: Groups) -> list[Record]:
    """Step 2: return all records as a path through the groups.

    It goes group after group, and inside a group from record to record.
    """
    centre, left = G.centroid_of_all(), G.centroids(G.numbers())
    number = G.farthest("first group", centre, left)
    path = [G.farthest_member("first", centre, number)]
    while True:
        centroid = left.pop(number)
        visit(G, path, number)
        if not left:
            return path
        number = G.nearest("next group", centroid, left)


def visit(G: Groups, path: list[Record], number: int) -> None:
    """Add a group's records to the path, always the nearest.

    It is the nearest record to the end of the path.
    """
    left = [record for record in G[number] if record != path[-1]]
    while left:
        path.append(G.nearest_record("next", path[-1], left))
        left.remove(path[-1])


SPECIFICATION = Specification(
    name="mhm",
    title="MHM (the shortest path along a heuristic's path)",
    source="Domingo-Ferrer, Martinez-Balleste, Mateo-Sanz and Sebe 2006, VLDB Journal 15:355-369",
    run=on_sequence(mhm),
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
        choice(
            "path",
            (*HEURISTICS, "npn", "insertion", "2-opt"),
            "the heuristic that gives the path, or the path itself",
        ),
    ),
)
