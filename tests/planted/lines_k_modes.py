"""Changed lines of k-modes."""

from __future__ import annotations

from .mutant import Mutant

MUTANTS: tuple[Mutant, ...] = (
    Mutant("one mode too few, in k-modes", "k-modes", "space.n // k)", "max(space.n // k - 1, 1))"),
    Mutant("groups of k are dissolved, in k-modes", "k-modes", "groups)) < k", "groups)) <= k"),
    Mutant("groups of k-1 stay, in k-modes", "k-modes", "groups)) < k", "groups)) < k - 1"),
    Mutant(
        "the largest group is dissolved, in k-modes",
        "k-modes",
        "list(map(len, groups)))",
        "[-len(group) for group in groups])",
    ),
    Mutant(
        "records of a dissolved group join the farthest, in k-modes",
        "k-modes",
        "space.raw(record, centroids)))",
        "[-gap for gap in space.raw(record, centroids)]))",
    ),
    Mutant("groups of 2k stay, in k-modes", "k-modes", ">= 2 * k", "> 2 * k"),
    Mutant(
        "records keep the first mode, in k-modes",
        "k-modes",
        "lloyd(space, choices, modes, rounds)",
        "lloyd(space, choices, modes, 1)",
    ),
)
