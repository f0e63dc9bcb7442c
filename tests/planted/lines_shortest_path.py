"""Changed lines of Hansen-Mukherjee and MHM, and of the shortest path that they share."""

from __future__ import annotations

from .mutant import Mutant

HM = "hansen-mukherjee"
NPN = (("path", "npn"),)
INSERTION = (("path", "insertion"),)
TWO_OPT = (("path", "2-opt"),)


def tour_line(mistake: str, line: str, changed: str, path: tuple[tuple[str, str], ...]) -> Mutant:
    return Mutant(mistake, "mhm", line, changed, "tours", path)


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
        'choices.choose("first group", greatest(',
        'choices.choose("first group", least(',
    ),
    Mutant(
        "the next group is the farthest",
        "mhm",
        'choices.choose("next group", least(',
        'choices.choose("next group", greatest(',
    ),
    Mutant(
        "the groups of the heuristic are not chained",
        "mhm",
        "return chained(space, choices, formed)",
        "return [record for group in formed for record in group]",
    ),
    tour_line(
        "the record nearest to the tour comes in",
        "greatest(space.ranked(outside, distances))",
        "least(space.ranked(outside, distances))",
        INSERTION,
    ),
    tour_line(
        "distances from the last record alone count as those from the tour",
        "list(map(min, distances, space.raw(record, outside)))",
        "space.raw(record, outside)",
        INSERTION,
    ),
    tour_line(
        "the edge that is replaced is not subtracted",
        "now - self.lengths[i] + sum(away[i])",
        "now + sum(away[i])",
        INSERTION,
    ),
    tour_line(
        "the tour is opened at its shortest edge",
        "tie = greatest(self.space.ranked(",
        "tie = least(self.space.ranked(",
        INSERTION,
    ),
    tour_line("one round of 2-opt", "changed = any(exchanged)", "changed = False", TWO_OPT),
    tour_line(
        "edges are exchanged without turning what is between",
        "self.records[j:i:-1]",
        "self.records[i + 1 : j + 1]",
        TWO_OPT,
    ),
    tour_line(
        "the first edges are left out of 2-opt",
        "for i in range(len(tour.records) - 2)",
        "for i in range(1, len(tour.records) - 2)",
        TWO_OPT,
    ),
    Mutant(
        "MHM is not repeated",
        "imhm",
        'if not choices.decide("falls", less) or',
        'if not choices.decide("falls", less) or found or',
    ),
    Mutant("MHM is repeated once", "imhm", "found = following", "return following"),
    Mutant(
        "the path goes on from the groups in the order of the file",
        "imhm",
        "way = chained(space, choices, found.groups)",
        "way = [record for group in found.groups for record in group]",
    ),
)
