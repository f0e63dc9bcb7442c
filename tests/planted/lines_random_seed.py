"""Changed lines of groups around random seeds."""

from __future__ import annotations

from .mutant import Mutant

MINIMUM, MEAN, MIN_MAX, RANDOM = (
    (("size", size),) for size in ("minimum", "mean", "min-max", "random")
)

MUTANTS: tuple[Mutant, ...] = (
    Mutant("one group more while k are left", "random-seed", ">= 2 * k", ">= k"),
    Mutant("the last 2k are one group", "random-seed", ">= 2 * k", "> 2 * k"),
    Mutant(
        "the seed is the first record",
        "random-seed",
        "unassigned[choices.stream.randbelow(len(unassigned))]",
        "unassigned[0 * choices.stream.randbelow(len(unassigned))]",
    ),
    Mutant(
        "a random size of 2k",
        "random-seed",
        "k + choices.stream.randbelow(k)",
        "k + 1 + choices.stream.randbelow(k)",
        parameters=RANDOM,
    ),
    Mutant(
        "fewer than k stay unassigned",
        "random-seed",
        "min(m, len(unassigned) - k)",
        "min(m, len(unassigned) - 1)",
        parameters=RANDOM,
    ),
    Mutant(
        "groups of k+1 at most",
        "random-seed",
        "len(group) < 2 * k - 1",
        "len(group) < k + 1",
        parameters=MINIMUM,
    ),
    Mutant(
        "e joins a group that is farther",
        "random-seed",
        "if not choices.decide(",
        "if choices.decide(",
        parameters=MINIMUM,
    ),
    Mutant(
        "a record that joins does not count",
        "random-seed",
        "candidates(space, group, unassigned)\n        e",
        "candidates(space, group[:k], unassigned)\n        e",
        parameters=MINIMUM,
    ),
    Mutant(
        "the mean is the seed",
        "random-seed",
        "space.centroid(group)",
        "space.centroid(group[:1])",
        parameters=MEAN,
    ),
    Mutant(
        "the record farthest from the mean is looked at",
        "random-seed",
        "space.closest(space.distances(space.centroid",
        "space.farthest(space.distances(space.centroid",
        parameters=MEAN,
    ),
    Mutant(
        "d_out is to the farthest other record",
        "random-seed",
        "d_out = space.closest(",
        "d_out = space.farthest(",
        parameters=MIN_MAX,
    ),
    Mutant(
        "min-max is the minimum",
        "random-seed",
        "return greatest(",
        "return space.closest(",
        parameters=MIN_MAX,
    ),
)
