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
        "unassigned[run.tape.below(len(unassigned))]",
        "unassigned[0 * run.tape.below(len(unassigned))]",
    ),
    Mutant(
        "a random size of 2k",
        "random-seed",
        "k + run.tape.below(k)",
        "k + 1 + run.tape.below(k)",
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
        "if not run.holds(",
        "if run.holds(",
        parameters=MINIMUM,
    ),
    Mutant(
        "a record that joins does not count",
        "random-seed",
        "        _combine(space, size, to_group, e)\n",
        "",
        parameters=MINIMUM,
    ),
    Mutant(
        "sums are compared, not means",
        "random-seed",
        'if size == "mean":',
        "if False:",
        parameters=MEAN,
    ),
    Mutant(
        "the mean distance to the seed only",
        "random-seed",
        "for record in group[1:]:",
        "for record in ():",
        parameters=MEAN,
    ),
    Mutant(
        "all others count, not the k-1 nearest",
        "random-seed",
        "[: k - 1]",
        "[:]",
        parameters=MIN_MAX,
    ),
    Mutant(
        "min-max is the minimum",
        "random-seed",
        '"min-max": max',
        '"min-max": min',
        parameters=MIN_MAX,
    ),
)
