"""Changed lines of agglomerative microaggregation."""

from __future__ import annotations

from .mutant import Mutant

HEIGHTS = "hac_heights"
LEFTOVERS = "hac_leftovers"
GROUPS = "refagg.cursors.groups"
LINKAGES = "refagg.engine.linkages"
PAIRS = "refagg.engine.matrix_pairs"


def line(mistake: str, module: str, before: str, after: str, **parameters: str) -> Mutant:
    """A mistake in one of the parts of hac."""
    return Mutant(mistake, "hac", before, after, module, tuple(parameters.items()))


MUTANTS: tuple[Mutant, ...] = (
    line(
        "clusters grow to 2k records",
        "",
        "else 2 * k - 1, space.n",
        "else 2 * k, space.n",
        cap="2k-1",
    ),
    line(
        "average linkage is not divided by the number of pairs",
        HEIGHTS,
        "return factor / (na * nb), Fraction(0)",
        "return factor, Fraction(0)",
        linkage="average",
        metric="squared",
    ),
    line(
        "the priority divides by the product of the sizes",
        HEIGHTS,
        "/ (na + nb) ** self.power",
        "/ (na * nb) ** self.power",
        priority="size",
    ),
    line(
        "the priority divides by the product of the sizes, in sums over pairs",
        HEIGHTS,
        "Fraction(1, (na + nb) ** self.power)",
        "Fraction(1, (na * nb) ** self.power)",
        linkage="average",
        priority="size",
    ),
    line(
        "the priority divides the square of the height",
        HEIGHTS,
        'or self.metric == "squared" else 2',
        'or self.metric == "squared" else 1',
        priority="size",
        linkage="single",
        cap="2k-1",
    ),
    line(
        "the metric maximum adds the differences",
        HEIGHTS,
        '"maximum": maximum',
        '"maximum": manhattan',
        linkage="complete",
        metric="maximum",
    ),
    line(
        "Mahalanobis distances leave one covariance out",
        "refagg.engine.mahalanobis",
        "for before in found:",
        "for before in found[:-1]:",
        metric="mahalanobis",
    ),
    line(
        "the nearest neighbour is not looked for again",
        PAIRS,
        "elif nearest[j] in (a, b):",
        "elif False:",
    ),
    line(
        "leftovers join the largest cluster with free capacity",
        LEFTOVERS,
        'G.smallest("smallest with capacity"',
        'G.largest("smallest with capacity"',
        leftovers="free-capacity",
    ),
    line(
        "a cluster that takes a record keeps its place",
        GROUPS,
        "self._following += 1\n",
        "self._following += 0\n",
        leftovers="free-capacity",
    ),
    line(
        "MDAV forms groups of all records",
        LEFTOVERS,
        "groups_by(mdav, G.space, k, G.choices, left)",
        "groups_by(mdav, G.space, k, G.choices, G.space.records())",
    ),
    line(
        "free capacity is not asked for",
        LEFTOVERS,
        "        if G.free_capacity(2 * k - 1, G.of_at_least(k)) >=",
        "        if True or G.free_capacity(2 * k - 1, G.of_at_least(k)) >=",
        cap="2k-1",
    ),
    line("clusters grow to k+1 records", "", "min(k if cap", "min(k + 1 if cap"),
    line("Ward's increase lacks its weight", HEIGHTS, "Fraction(na * nb, na + nb)", "Fraction(1)"),
    line(
        "leftovers are dropped",
        LEFTOVERS,
        "        while left:\n",
        "        while False:\n",
        leftovers="free-capacity",
    ),
)

FOR_THE_TWIN: tuple[Mutant, ...] = (
    line(
        "single linkage takes the greatest distance",
        LINKAGES,
        '"single": min',
        '"single": max',
        linkage="single",
        cap="2k-1",
    ),
    line(
        "complete linkage takes the least distance",
        LINKAGES,
        '"complete": max',
        '"complete": min',
        linkage="complete",
        cap="2k-1",
    ),
    line(
        "centroid linkage forgets the scatter of the first cluster",
        HEIGHTS,
        "-factor / na**2",
        "Fraction(0)",
        linkage="centroid",
        cap="2k-1",
    ),
    line(
        "the nearest neighbour is kept though another is nearer now",
        PAIRS,
        "if cost <= least[j]:",
        "if False:",
        cap="2k-1",
        priority="size",
    ),
    line(
        "centroids of the leftovers' hosts stay where they were",
        GROUPS,
        "record]))\n        self._centroids.pop(number, None)",
        "record]))",
        leftovers="nearest",
    ),
    line(
        "the cluster kept is the smallest",
        LEFTOVERS,
        'G.largest("kept"',
        'G.smallest("kept"',
        leftovers="nearest",
    ),
    line(
        "leftovers come in the order of the file, whatever their clusters",
        LEFTOVERS,
        "current or sorted(home))",
        "sorted(home))",
        leftovers="nearest",
    ),
)
"""Mistakes for which a guided replay has too many ties to follow on the panel; `test_hac` compares
their results with those of the plain program.
"""
