"""Changed lines of Hansen-Mukherjee and MHM, and of the shortest path that they share."""

from __future__ import annotations

from .mutant import GROUPS, Mutant

RUNS = "refagg.engine.runs"
SEQUENCED = "refagg.cursors.sequence"

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
        "weight * (total - sums[j - m]) ** 2",
        "(total - sums[j - m]) ** 2",
        RUNS,
    ),
    Mutant(
        "the dearest path is taken",
        HM,
        "least(self.space.ranked(possible, costs))",
        "least(self.space.ranked(possible, [-cost for cost in costs]))",
        SEQUENCED,
    ),
    Mutant(
        "the last group alone decides on its size",
        HM,
        "self._raw(f[j - m]) + self.space.sse",
        "self.space.sse",
        SEQUENCED,
    ),
    Mutant(
        "the path is not divided but kept in blocks of k",
        "mhm",
        "for m in sizes if runs",
        "for m in sizes[:1] if runs",
        SEQUENCED,
    ),
    Mutant(
        "the path begins at the record nearest to the centroid",
        "mhm",
        "self.space.farthest(distances)",
        "self.space.closest(distances)",
        GROUPS,
        parameters=NPN,
    ),
    Mutant(
        "the path goes to the farthest point",
        "mhm",
        "self.space.closest(self.space.distances(origin, among))",
        "self.space.farthest(self.space.distances(origin, among))",
        GROUPS,
        parameters=NPN,
    ),
    Mutant(
        "the first group is the nearest to the centroid",
        "mhm",
        'G.farthest("first group"',
        'G.nearest("first group"',
    ),
    Mutant(
        "the next group is the farthest",
        "mhm",
        'G.nearest("next group"',
        'G.farthest("next group"',
    ),
    Mutant(
        "the groups of the heuristic are not chained",
        "mhm",
        "return chained(Groups.of_partition(space, choices, formed))",
        "return [record for group in formed.groups for record in group]",
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
        'if not V.lowers_sse("falls", after, found):',
        'if not V.lowers_sse("falls", after, found) or found:',
    ),
    Mutant(
        "MHM is repeated once",
        "imhm",
        "        found = after\n",
        "        found = after\n        break\n",
    ),
    Mutant(
        "the path goes on from the groups in the order of the file",
        "imhm",
        "chained(Groups.of_partition(V.space, V.choices, found))",
        "[record for group in found.groups for record in group]",
    ),
)
