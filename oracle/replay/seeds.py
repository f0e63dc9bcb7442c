"""Is it the seed that is wrong? Groups that no choice of a seed allows, but other seeds do.

A group that is formed around a seed, the most distant record, fails where its nearest records
are looked for, although the mistake may be the seed. So where groups are no run, they are looked
at once more with seeds that are free, all else being as the algorithm says: if that gives the
groups, the seeds are wrong, and the first of them is named, with its distance and that of the
right one.

Groups may look like this by chance, mostly where they are few and small. So nothing is said where
the record that would have been right is in the same group as the one that is treated as the seed:
then its neighbours may be wrong. Neither is a seed blamed whose group is there, with its nearest
records, if a later seed of the same iteration has to be another one too: then the latter's group
is wrong, and the former only looks so. `python -m tests.benchmarks.witnesses` counts how often what
is said is true of planted mistakes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import combinations
from math import inf

from oracle.replay.explore import Algorithm, Undecided
from oracle.replay.guided import ClaimedGroups, Departure, Divergence, departing
from oracle.replay.memoised_space import MemoisedSpace
from refagg.language.number_texts import number_text
from refagg.language.partition import Record
from refagg.language.specification import Specification

RUNS, SECONDS = 2000, 1.0
"""How many runs are looked at for each set of seeds, and how long for all."""

MOST_FREE = 2
"""So many seeds are free at once, or all."""


def seeds_of(specification: Specification) -> list[str]:
    """The names of the choices of records, by distance, around which groups are formed.

    >>> from refagg.catalogue import specification
    >>> seeds_of(specification("mdav"))
    ['x_r', 'x_s', 'last x_r']
    """
    names = {tied.name for tied in specification.ties}
    records = [
        tied.name
        for tied in specification.ties
        if tied.what == "record" and tied.measure.startswith("distance")
    ]
    return [name for name in records if f"near {name}" in names]


def wrong_seed(
    specification: Specification,
    algorithm: Algorithm,
    claim: ClaimedGroups,
    farthest: Divergence,
    memory: MemoisedSpace | None = None,
    seconds: float = inf,
) -> Divergence | None:
    """Where a seed is wrong and nothing else is; None where that does not explain the groups.

    `farthest` is where the replay ended. Beyond the groups around seeds, no seed is to blame.
    """
    seeds = seeds_of(specification)
    if farthest.choice not in {f"near {seed}" for seed in seeds}:
        return None
    end = time.process_time() + min(seconds, SECONDS)
    for free in _sets(seeds):
        left = end - time.process_time()
        if left <= 0:
            return None
        with suppress(Undecided):
            for departures in departing(specification, algorithm, claim, free, RUNS, memory, left):
                found = _told(departures, specification, claim)
                if found and not _only_looks_wrong(departures, farthest):
                    return found
                break
    return None


def _only_looks_wrong(departures: Sequence[Departure], farthest: Divergence) -> bool:
    """Did the replay find the group of the first of these seeds, and not that of a later one?"""
    first, failed = departures[0], farthest.choice.removeprefix("near ")
    others = {d.name for d in departures if d.iteration == farthest.iteration}
    return first.iteration == farthest.iteration and first.name != failed and failed in others


def _sets(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The sets of seeds that are free, the smallest first."""
    for size in range(1, min(MOST_FREE, len(names)) + 1):
        yield from combinations(names, size)
    if len(names) > MOST_FREE:
        yield tuple(names)


def _told(
    departures: Sequence[Departure], specification: Specification, claim: ClaimedGroups
) -> Divergence | None:
    """The first wrong seed, for a reader."""
    if not departures:  # these groups are a run
        return None
    first = departures[0]
    right = first.tie.candidates
    if claim.labels[first.chosen] in {claim.labels[record] for record in right}:
        return None
    measure = {tied.name: tied.measure for tied in specification.ties}[first.name]

    def at(record: Record) -> str:
        value = number_text(first.tie.measured.of(record))
        return f"record {record} at {measure} {value}"

    shown = " or ".join(map(at, right[:12])) + " or ..." * (len(right) > 12)
    more = len(departures) - 1
    also = f" (and {more} more seeds are other ones)" if more else ""
    return Divergence(
        first.iteration,
        first.step,
        f"{first.name} is {shown}",
        f"no such choice agrees with the groups; they are those of another seed, "
        f"{at(first.chosen)}{also}",
    )
