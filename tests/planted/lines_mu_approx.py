"""Changed lines of mu-Approx: of its forest, and of the division of its trees."""

from __future__ import annotations

from .mutant import Mutant

SHORTEST = (("order", "shortest"),)
"""With "any" nearly every forest is a possible one, and so are most mistakes."""


def forest_line(mistake: str, line: str, changed: str) -> Mutant:
    return Mutant(mistake, "mu-approx", line, changed, "refagg.cursors.forest", SHORTEST)


def division_line(mistake: str, line: str, changed: str) -> Mutant:
    return Mutant(mistake, "mu-approx", line, changed, parameters=SHORTEST)


MUTANTS: tuple[Mutant, ...] = (
    forest_line("trees of k-1 records are left", "len(tree) < k]", "len(tree) < k - 1]"),
    forest_line(
        "trees grow to k+1 records",
        "len(tree) < k]",
        "len(tree) <= k and len(tree) < len(self.root)]",
    ),
    forest_line(
        "the edge goes to the farthest record",
        "self._space.raw(root, others))",
        "[-value for value in self._space.raw(root, others)])",
    ),
    division_line(
        "trees of 2k-1 are divided", "records_of(tree)) > max(", "records_of(tree)) >= max("
    ),
    division_line("only the bound 3k-5 counts", "max(2 * k - 1, 3 * k - 5)", "max(k, 3 * k - 5)"),
    division_line("v stays below in case B", "{u}, joins=True)", "{u}, joins=False)"),
    division_line("u always stays in cases C and D", "joins=phi == k - 1)", "joins=False)"),
    forest_line("the smallest side is v", "counts = [side(u, w) for", "counts = [-side(u, w) for"),
    forest_line(
        "division begins at the vertex nearest to the centroid",
        "self.space.farthest(distances)",
        "self.space.closest(distances)",
    ),
    Mutant(
        "a Steiner vertex counts as a record",
        "mu-approx",
        "below[vertex] += vertex >= 0",
        "below[vertex] += 1",
        "refagg.cursors.trees",
        SHORTEST,
    ),
)
