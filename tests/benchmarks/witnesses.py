"""`python -m tests.benchmarks.witnesses [TABLES] [SEED]`: is the wrong choice named, and it only?

Mistakes that are planted in one line are run on so many random tables, drawn from a seed. For each
it is known which choices are wrong: of those whose mistake is in the choice of a seed the witness
should name that seed; of those whose mistake is elsewhere it should name none. A witness may name
several choices of which one is wrong. Printed are, for each mistake, the answers whose witness

    names        nothing but a wrong choice
    says both    a wrong choice and a right one, either of which explains the groups
    blames       a seed that is right, or only the place where the replay ended

Whether the cause names the step of any planted mistake, `python -m tests.benchmarks.causes` tells.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from random import Random

from oracle.replay.explanations import seeds_of, wrong_choice
from oracle.replay.explore import MemoisedSpace
from oracle.replay.guided import ClaimedGroups, Divergence, judge_claim
from refagg import exact_space
from refagg.catalogue import specification
from refagg.errors import InvalidPartition
from refagg.language.choices import Choices
from refagg.language.random_stream import seeded
from tests.planted.mutant import SEED, Mutant
from tests.planted.mutants import MUTANTS

SEEDS = {
    ("mdav", "x_s is the farthest from the average instead of from x_r"): {"x_s"},
    ("mdav", "x_s is the nearest to x_r"): {"x_s"},
    ("mdav", "the average is that of all records, not of those that remain"): {"x_r", "last x_r"},
    ("mdav", "x_r is the nearest to the average"): {"x_r"},
    ("mdav", "the last group of k is formed around the first record"): {"last x_r"},
    ("mdav-1", "x_s is the record farthest from the average but for x_r"): {"x_s"},
    ("mdav-single", "the average is that of all records, in MDAV-single"): {"x_r", "last x_r"},
    ("v-mdav", "the centroid is computed anew for each seed"): {"e"},
    ("cbfs", "r is the record nearest to the centroid"): {"r"},
}
"""Mistakes in the choice of a seed, and the names of those that are wrong."""

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

NAMES, BOTH, BLAMES = "names", "says both", "blames"


def tables(count: int, seed: int = 16) -> Iterator[tuple[list[list[int]], int]]:
    """Tables of few ties, from two groups to some ten."""
    random = Random(seed)
    for number in range(count):
        k = random.choice((2, 3, 3, 4, 5))
        n = random.randrange(2 * k, 10 * k)
        size = 12 if number % 3 == 0 else 1000
        yield [[random.randrange(size) for _ in range(2)] for _ in range(n)], k


def witnesses(mutant: Mutant, count: int, seed: int = 16) -> Iterator[Divergence]:
    """What is said of each answer of a mutant that is not a run."""
    spec = specification(mutant.algorithm)
    for rows, k in tables(count, seed):
        space = exact_space(rows)
        try:
            partition = mutant.partition(space, k)
        except (InvalidPartition, ValueError, IndexError):
            continue
        if partition.n != len(rows):
            continue
        memory = MemoisedSpace(space)

        def algorithm(choices: Choices, space=memory, k=k):  # type: ignore[no-untyped-def]
            choices.stream = seeded(SEED)
            return spec.run(space, k, choices, **mutant.settings)

        claim = ClaimedGroups.of_partition(partition)
        found = judge_claim(spec, algorithm, claim, LIMIT, memory, REPLAYS_SECONDS)
        if found.verdict == "not admissible" and found.divergence:
            yield wrong_choice(spec, algorithm, claim, found.divergence, memory) or found.divergence


def named(key: tuple[str, str], count: int, seed: int = 16) -> Counter[str]:
    """How many answers of a mutant are explained how."""
    mutant = MISTAKES[key]
    wrong = SEEDS.get(key)
    seeds = set(seeds_of(specification(mutant.algorithm)))

    def judged(named: set[str]) -> str:
        right = named - wrong if wrong else named & seeds
        if not right:
            return NAMES
        return BOTH if named - right else BLAMES

    return Counter(judged(witness.named) for witness in witnesses(mutant, count, seed))


MISTAKES = {(mutant.algorithm, mutant.mistake): mutant for mutant in MUTANTS}


def shares(counts: Counter[str]) -> str:
    return " ".join(f"{counts[how]:9d}" for how in (NAMES, BOTH, BLAMES)) + f"{counts.total():9d}"


def main(count: int, seed: int = 16) -> None:
    for words, chosen in (("the seed is wrong", SEEDS), ("the seed is right", ELSEWHERE)):
        print(f"{words}:\n    {NAMES} {BOTH:>9} {BLAMES:>9}  answers")
        total = Counter[str]()
        for key in chosen:
            counts = named(key, count, seed)
            total += counts
            print(f"{shares(counts)}  {': '.join(key)}", flush=True)
        print(f"{shares(total)}  all")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:] or ["60"]))
