"""Changed lines of Hansen-Mukherjee and MHM, and of the shortest path that they share."""

from __future__ import annotations

from .mutant import Mutant

HM = "hansen-mukherjee"
NPN = (("path", "npn"),)

MUTANTS: tuple[Mutant, ...] = (
    Mutant("groups of at most 2k-2", HM, "range(k, 2 * k)", "range(k, max(2 * k - 1, k + 1))"),
    Mutant(
        "a group counts by the square of its sum, not over its size",
        HM,
        "weight * total * total",
        "total * total",
        "shortest_path",
    ),
    Mutant(
        "the dearest path is taken",
        HM,
        "least(space.ranked(possible, costs))",
        "least(space.ranked(possible, [-cost for cost in costs]))",
        "shortest_path",
    ),
    Mutant(
        "the last group alone decides on its size",
        HM,
        "paths.cost(j - m) + space.sse(left[j - m :])",
        "space.sse(left[j - m :])",
        "shortest_path",
    ),
    Mutant(
        "the path is not divided but kept in blocks of k",
        "mhm",
        "for m in sizes if",
        "for m in sizes[:1] if",
        "shortest_path",
    ),
    Mutant(
        "the path begins at the record nearest to the centroid",
        "mhm",
        "space.farthest(space.distances(centre, groups[number]))",
        "space.closest(space.distances(centre, groups[number]))",
        parameters=NPN,
    ),
    Mutant(
        "the path goes to the farthest point",
        "mhm",
        "space.closest(space.distances(path[-1], left))",
        "space.farthest(space.distances(path[-1], left))",
        parameters=NPN,
    ),
    Mutant(
        "the first group is the nearest to the centroid",
        "mhm",
        'run.choose("first group", greatest(',
        'run.choose("first group", least(',
    ),
    Mutant(
        "the next group is the farthest",
        "mhm",
        'run.choose("next group", least(',
        'run.choose("next group", greatest(',
    ),
    Mutant(
        "the result is that of the heuristic",
        "mhm",
        "    # 2.\n",
        "        return Partition.of(formed, space.n)\n    # 2.\n",
    ),
)
