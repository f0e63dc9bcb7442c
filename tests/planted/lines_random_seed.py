"""Changed lines of groups around random seeds."""

from __future__ import annotations

from .mutant import REMAINING, Mutant

MINIMUM, MEAN, MIN_MAX, RANDOM = (
    (("size", size),) for size in ("minimum", "mean", "min-max", "random")
)

MUTANTS: tuple[Mutant, ...] = (
    Mutant("one group more while k are left", "random-seed", ">= 2 * k", ">= k"),
    Mutant("the last 2k are one group", "random-seed", ">= 2 * k", "> 2 * k"),
    Mutant(
        "the seed is the first record",
        "random-seed",
        "R.drawn()",
        "R.records[0 * R.choices.stream.randbelow(len(R))]",
    ),
    Mutant(
        "a random size of 2k",
        "random-seed",
        "k + R.choices.stream.randbelow(k)",
        "k + 1 + R.choices.stream.randbelow(k)",
        parameters=RANDOM,
    ),
    Mutant(
        "fewer than k stay unassigned",
        "random-seed",
        "min(m, len(R) - k)",
        "min(m, len(R) - 1)",
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
        'if not R.less("join"',
        'if R.less("join"',
        parameters=MINIMUM,
    ),
    Mutant(
        "a record that joins does not count",
        "random-seed",
        'EXAMINED[size](R, "e", group)',
        'EXAMINED[size](R, "e", group[:k])',
        parameters=MINIMUM,
    ),
    Mutant(
        "the mean is the seed",
        "random-seed",
        'EXAMINED[size](R, "e", group)',
        'EXAMINED[size](R, "e", group[:1])',
        parameters=MEAN,
    ),
    Mutant(
        "the record farthest from the mean is looked at",
        "random-seed",
        "self._pool.closest(self.space.centroid",
        "self._pool.farthest(self.space.centroid",
        REMAINING,
        parameters=MEAN,
    ),
    Mutant(
        "d_out is to the farthest other record",
        "random-seed",
        "return self._pool.closest(origin, without).value",
        "return self._pool.farthest(origin, without).value",
        REMAINING,
        parameters=MIN_MAX,
    ),
    Mutant(
        "min-max is the minimum",
        "random-seed",
        "self._with_value(name, greatest(ranked))",
        "self._with_value(name, least(ranked))",
        REMAINING,
        parameters=MIN_MAX,
    ),
)
