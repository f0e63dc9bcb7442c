"""Changed lines of k-modes."""

from __future__ import annotations

from .mutant import GROUPS, Mutant

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "one mode too few, in k-modes",
        "k-modes",
        "len(M.records) // k)",
        "max(len(M.records) // k - 1, 1))",
    ),
    Mutant(
        "groups of k are dissolved, in k-modes",
        "k-modes",
        "G.below(k)",
        "G.below(k + 1) and len(G.numbers()) > 1",
    ),
    Mutant("groups of k-1 stay, in k-modes", "k-modes", "G.below(k)", "G.below(k - 1)"),
    Mutant(
        "the largest group is dissolved, in k-modes",
        "k-modes",
        'G.smallest("dissolved"',
        'G.largest("dissolved"',
    ),
    Mutant(
        "records of a dissolved group join the farthest, in k-modes",
        "k-modes",
        "least(self.space.ranked(numbers, raw))",
        "greatest(self.space.ranked(numbers, raw))",
        GROUPS,
    ),
    Mutant("groups of 2k stay, in k-modes", "k-modes", "< 2 * k", "<= 2 * k"),
    Mutant(
        "records keep the first mode, in k-modes",
        "k-modes",
        "lloyd(M, rounds)",
        "lloyd(M, 1)",
    ),
)
