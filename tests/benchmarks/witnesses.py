"""`python -m tests.benchmarks.witnesses [TABLES] [SEED]`: is the wrong choice named, and it only?

Mistakes that are planted in one line are run on so many random tables, drawn from a seed. For each
it is known which choices are wrong: of those whose mistake is in the choice of a seed the witness
should name that seed; of those whose mistake is elsewhere it should name none. A witness may name
several choices of which one is wrong. Printed are, for each mistake, the answers whose witness

    names        nothing but a wrong choice
    says both    a wrong choice and a right one, either of which explains the groups
    blames       a seed that is right, or only the place where the replay ended

`python -m tests.benchmarks.witnesses causes [TABLES] [SEED]` prints the cause that all answers of a
mistake share, and whether it names the step where the mistake is.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
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

FIXED_AT = {
    ("mdav", "two groups only while more than 3k remain"): {"loop"},
    ("mdav", "two groups while 2k remain, then a last group"): {"loop"},
    ("mdav", "groups of k+1"): {"group size"},
    ("mdav", "the last records are never divided"): {"last division"},
    ("mdav", "2k last records stay one group"): {"last division"},
    ("mdav-1", "two groups only while more than 2k remain"): {"loop"},
    ("mdav-2k", "two groups only while more than 2k remain"): {"loop"},
    ("mdav-single", "one group per step while k remain"): {"loop"},
    ("mondrian", "widths are not divided by the range in the file"): {"attribute"},
    ("mondrian", "the narrowest attribute is cut"): {"attribute"},
    ("mondrian", "the upper median"): {"cut"},
    ("mondrian", "a side of k is too few"): {"can be cut"},
    ("mondrian", "the median is on the other side"): {"cut"},
    ("mondrian", "only the widest attribute is tried"): {"can be cut", "attribute"},
    ("mondrian", "relaxed, 2k records are not cut"): {"can be cut"},
    ("mondrian", "relaxed, the second side has the odd record"): {"cut"},
}
"""Mistakes in what the source fixes, and in choices where no group has a seed."""

CHOSEN = {
    (mutant.algorithm, mutant.mistake): {mutant.change.choice}
    for mutant in MUTANTS
    if mutant.change.choice and mutant.algorithm in {name for name, _ in (*SEEDS, *FIXED_AT)}
}
"""Mistakes that are planted in a choice that has a name."""

Drawn = Callable[[int, int], Iterator[tuple[list[list[int]], int]]]

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


def tables_of_all_sizes(count: int, seed: int = 16) -> Iterator[tuple[list[list[int]], int]]:
    """Tables of the numbers of records at which loops end, with one attribute that is skew."""
    random = Random(seed)
    for number in range(count):
        k = 2 + number % 2
        n = (3 * k, 2 * k, 3 * k - 1, 3 * k + 1, 4 * k + 1, 5 * k - 1, 6 * k)[number // 2 % 7]
        size = 3 if number % 3 == 2 else 20
        yield [[random.randrange(100), random.randrange(size) ** 3] for _ in range(n)], k


def witnesses(
    mutant: Mutant, count: int, seed: int = 16, drawn: Drawn = tables
) -> Iterator[Divergence]:
    """What is said of each answer of a mutant that is not a run."""
    spec = specification(mutant.algorithm)
    for rows, k in drawn(count, seed):
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


def cause(key: tuple[str, str], count: int, seed: int = 16) -> str:
    """The name that explains most of the answers of a mutant, as `shared_names` chooses it."""
    counts, first = Counter[str](), Counter[str]()
    for witness in witnesses(MISTAKES[key], count, seed, tables_of_all_sizes):
        counts.update(witness.named)
        first[witness.choice] += 1
    order = {name: (-counts[name], name.startswith("near "), -first[name], name) for name in counts}
    return min(counts, key=order.__getitem__, default="")


def causes(count: int, seed: int = 16) -> None:
    """Print of which mistakes the cause names the step where the mistake is."""
    right, seen = 0, 0
    expected = CHOSEN | SEEDS | FIXED_AT
    expected["mdav-1", "the last k to 2k-1 records are one group, in MDAV-1"] = {"group size"}
    for key, names in expected.items():
        found = cause(key, count, seed)
        right, seen = right + (found in names), seen + bool(found)
        verdict = "right" if found in names else "WRONG" if found else "never"
        print(f"{verdict}  {': '.join(key)}: {found}", flush=True)
    print(f"{right} of {seen} name the step of the mistake; {len(expected) - seen} never failed")


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
    if sys.argv[1:2] == ["causes"]:
        sys.exit(causes(*map(int, sys.argv[2:] or ["12"])))
    main(*map(int, sys.argv[1:] or ["60"]))
