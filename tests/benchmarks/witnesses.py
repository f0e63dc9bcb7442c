"""`python -m tests.benchmarks.witnesses [TABLES]`: is a wrong seed named, and no right one?

Mistakes that are planted in one line are run on so many random tables. Of those whose mistake is
in the choice of a seed, the witness should be at a seed; of those whose mistake is elsewhere it
should not. Prints the share for each mistake, first of what the replay alone says, then of what is
said in all.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from random import Random

from oracle.replay.guided import ClaimedGroups, Divergence, judge
from oracle.replay.seeds import seeds_of, wrong_seed
from refagg import exact_space
from refagg.catalogue import specification
from refagg.errors import InvalidPartition
from refagg.language.choices import Choices
from refagg.language.random_stream import seeded
from tests.planted.mutant import SEED, Mutant
from tests.planted.mutants import MUTANTS

SEEDS = (
    ("mdav", "x_s is the farthest from the average instead of from x_r"),
    ("mdav", "x_s is the nearest to x_r"),
    ("mdav", "the average is that of all records, not of those that remain"),
    ("mdav", "x_r is the nearest to the average"),
    ("mdav", "the last group of k is formed around the first record"),
    ("mdav-1", "x_s is the record farthest from the average but for x_r"),
    ("mdav-single", "the average is that of all records, in MDAV-single"),
    ("v-mdav", "the centroid is computed anew for each seed"),
    ("cbfs", "r is the record nearest to the centroid"),
    ("dbfs", "r is far from the centroid, in DBFS"),
)
"""Mistakes in the choice of a seed."""

ELSEWHERE = (
    ("mdav", "x_s may be in the group of x_r"),
    ("mdav", "the group of x_s is the nearest to x_r"),
    ("mdav", "two groups only while more than 3k remain"),
    ("mdav", "two groups while 2k remain, then a last group"),
    ("mdav", "groups of k+1"),
    ("mdav", "the last records are never divided"),
    ("mdav", "2k last records stay one group"),
    ("mdav-1", "two groups only while more than 2k remain"),
    ("mdav-1", "leftovers are a group, in MDAV-1"),
    ("mdav-single", "one group per step while k remain"),
    ("mdav-2k", "leftovers join the first group"),
    ("mdav-2k", "leftovers join the group with the farthest centroid"),
    ("v-mdav", "nearness is to the seed, not to any record of the group"),
    ("v-mdav", "d_out is measured from the seed"),
    ("v-mdav", "leftovers make a last group"),
    ("md", "s may be in the group of r"),
    ("md", "leftovers join the group with the farthest centroid, in MD"),
)
"""Mistakes elsewhere: there every seed is right."""

LIMIT, REPLAYS_SECONDS = 300, 2.0


def tables(count: int) -> Iterator[tuple[list[list[int]], int]]:
    """Tables of few ties, from two groups to some ten."""
    random = Random(16)
    for number in range(count):
        k = random.choice((2, 3, 3, 4, 5))
        n = random.randrange(2 * k, 10 * k)
        size = 12 if number % 3 == 0 else 1000
        yield [[random.randrange(size) for _ in range(2)] for _ in range(n)], k


def named(mutant: Mutant, count: int) -> tuple[Counter[str], Counter[str]]:
    """Where the witnesses are, of the replay alone and in all: "seed" or "elsewhere"."""
    spec = specification(mutant.algorithm)
    alone, together = Counter[str](), Counter[str]()
    for rows, k in tables(count):
        space = exact_space(rows)
        try:
            partition = mutant.partition(space, k)
        except (InvalidPartition, ValueError, IndexError):
            continue
        if partition.n != len(rows):
            continue

        def algorithm(choices: Choices, space=space, k=k):  # type: ignore[no-untyped-def]
            choices.stream = seeded(SEED)
            return spec.run(space, k, choices, **mutant.settings)

        claim = ClaimedGroups.of_partition(partition)
        found = judge(spec, algorithm, claim, LIMIT, seconds=REPLAYS_SECONDS)
        if found.verdict != "not admissible" or not found.divergence:
            continue
        seed = wrong_seed(spec, algorithm, claim, found.divergence)
        alone[_where(found.divergence, mutant.algorithm)] += 1
        together[_where(seed or found.divergence, mutant.algorithm)] += 1
    return alone, together


def _where(divergence: Divergence, algorithm: str) -> str:
    return "seed" if divergence.choice in seeds_of(specification(algorithm)) else "elsewhere"


def share(counts: Counter[str]) -> str:
    return f"{counts['seed']:4d} of {counts.total():4d}"


def main(count: int) -> None:
    known = {(mutant.algorithm, mutant.mistake): mutant for mutant in MUTANTS}
    for words, chosen in (("the seed is wrong", SEEDS), ("the seed is right", ELSEWHERE)):
        print(f"{words}; named at a seed by the replay alone, and in all:")
        sums = Counter[str](), Counter[str]()
        for key in chosen:
            counts = named(known[key], count)
            for total, part in zip(sums, counts, strict=True):
                total.update(part)
            print(f"  {share(counts[0])} {share(counts[1])}  {': '.join(key)}", flush=True)
        print(f"  {share(sums[0])} {share(sums[1])}  all")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 60)
