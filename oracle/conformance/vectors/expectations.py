"""Expectations of a claim on a case, and their origins.

Nothing here is the run of an algorithm under a tie rule. Where the sizes of groups leave only
one partition, it is that one. For an algorithm all ways of breaking its ties, and all draws, are
enumerated; the tests compare every list with what independent implementations give in many orders
of the records. For an optimum every partition is examined, by integers alone. An answer by
hand is not compared here but in the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import TypeVar

from oracle.conformance.judge.model import ANY_PARTITION, OPTIMAL, Case
from oracle.conformance.judge.questions import question_of
from oracle.conformance.vectors.optima import optima
from oracle.conformance.vectors.vector import Expectation, Groups, Origin, groups_of, numbers_of
from oracle.replay.explore import MemoisedSpace, Script, Undecided, explored_runs
from refagg import exact_space, float_space
from refagg.catalogue import CATALOGUE
from refagg.language.choices import Choices
from refagg.language.partition import Partition, Record
from refagg.language.random_stream import RandomStream, seeded
from refagg.language.specification import Specification
from refagg.language.ties import Comparison, Nearest, TiedCandidates
from refagg.spaces.mixed import MixedSpace

T = TypeVar("T")

MOST_RUNS = 800
"""An algorithm with more runs on a case than this is not enumerated."""

MOST_PARTITIONS = 24
"""A longer list of partitions is not written down."""

TOO_RANDOM = (
    *("rmd", "mcdpca", "influence", "clustpca", "clustpppca", "clustmcdpca", "local-search"),
    *("genetic", "one-step", "two-step", "gaussian-noise", "fuzzy", "ona"),
)
"""Algorithms whose draws are too many to enumerate on any table."""

TWINS = "an independent implementation in plain fractions gives one of these"
SEARCH = "every partition was examined"


@dataclass(slots=True)
class Explored:
    """Possible partitions, and what their runs met.

    `partitions` is None if there are too many runs.

    `blocks` are the partitions of each of several blocks of attributes, instead of `partitions`.
    `asked` are the names of the choices of all runs looked at, `tied` those that were open, or
    where both sides of a comparison were equal.
    """

    partitions: set[Groups] | None = None
    blocks: list[set[Groups]] | None = None
    asked: set[str] = field(default_factory=set)
    tied: set[str] = field(default_factory=set)


class Noting(Script):
    """A tie-breaker that also notes which choices it is asked."""

    def __init__(
        self,
        noted: Explored,
        script: Sequence[int],
        finished: Collection[Hashable],
        memory: MemoisedSpace | None,
    ) -> None:
        super().__init__(script, finished, memory)
        self._noted = noted

    def choose(self, name: str, tie: TiedCandidates[T]) -> T:
        self._note(name, len(tie.candidates) > 1)
        return super().choose(name, tie)

    def choose_nearest(
        self, name: str, near: Nearest[Record], same_group_as: Record | None
    ) -> tuple[Record, ...]:
        self._note(name, len(near.tied) > near.places)
        return super().choose_nearest(name, near, same_group_as)

    def decide(self, name: str, comparison: Comparison) -> bool:
        self._note(name, len(comparison.answers) > 1 or comparison.left == comparison.right)
        return super().decide(name, comparison)

    def _note(self, name: str, is_open: bool) -> None:
        self._noted.asked.add(name)
        if is_open:
            self._noted.tied.add(name)


def explored(case: Case, most: int = MOST_RUNS) -> Explored:
    """Enumerate all runs of the case's algorithm.

    They have every way of breaking ties, and every draw.
    """
    noted = Explored()

    def of(algorithm: Callable[[Choices], Partition], records: Sequence[Record]) -> set[Groups]:
        return {
            groups_of([[records[record] for record in group] for group in partition.groups])
            for partition, _ in explored_runs(algorithm, most, partial(Noting, noted))
        }

    try:
        if not in_parts(case):
            noted.partitions = of(algorithm_on_case(case), range(len(case.records)))
            return noted
        blocks = [joined([of(*part) for part in parts]) for parts in blocks_of_case(case)]
    except Undecided:
        return noted
    noted.blocks = blocks if len(blocks) > 1 else None
    noted.partitions = blocks[0] if len(blocks) == 1 else None
    return noted


def in_parts(case: Case) -> bool:
    """Return True if a case forms groups of several tables."""
    each = CATALOGUE[case.claim].attributes == "each" and len(case.records[0]) > 1
    return each or bool(set(case.shape) - {"dissimilarity", "constraints", "sampling_weights"})


Part = tuple[Callable[[Choices], Partition], list[Record]]
"""An algorithm on some attributes of some records, and which records these are."""


def blocks_of_case(case: Case) -> list[list[Part]]:
    """Return the algorithm of each block in each stratum.

    The blocks are blocks of attributes.
    """
    question, found = question_of(case), []
    method = question.stated_method
    for names in question.blocks:
        whole = method.grouping(question.table.select(names))
        spaces = [(method.space(whole.take(rs)), rs) for _, rs in question.strata]
        found.append([(running(case, space), records) for space, records in spaces])
    return found


def joined(strata: Sequence[set[Groups]]) -> set[Groups]:
    """Return all partitions that combine one of each stratum."""
    return {groups_of([g for part in parts for g in part]) for parts in product(*strata)}


def algorithm_on_case(case: Case) -> Callable[[Choices], Partition]:
    """Return the algorithm on the case.

    It draws from the random stream of the case's seed.

    Without a seed its draws are, in an enumeration, choices as others are.
    """
    spec = CATALOGUE[case.claim]
    exact = "exact" in spec.arithmetics(spec.settings(case.parameters))
    if case.kinds:
        question = question_of(case)
        return running(case, question.stated_method.space(question.scaled()))
    rows = numbers_of(case.records)
    return running(case, (exact_space if exact else float_space)(rows, case.standardise))


def running(case: Case, space: object) -> Callable[[Choices], Partition]:
    """Return the algorithm of a case in a space."""
    spec = CATALOGUE[case.claim]
    settings = spec.settings(case.parameters)

    def algorithm(choices: Choices) -> Partition:
        if case.seed is not None:
            choices.stream = seeded(case.seed)
        elif isinstance(choices.tie_breaker, Script) and not too_random(case):
            choices.stream = RandomStream(choices.tie_breaker.branch)
        of_run = space.choosing(choices) if isinstance(space, MixedSpace) else space
        partition: Partition = spec.run(of_run, case.k, choices, **settings)
        return partition

    return algorithm


# What is expected


def expected(case: Case, noted: Explored | None = None) -> tuple[Expectation, Origin]:
    """Return the right answers to a valid case, and their origin."""
    if case.claim == OPTIMAL:
        return _optimum(case)
    if case.claim == ANY_PARTITION:
        return _any_partition(case)
    spec = CATALOGUE[case.claim]
    if spec.yields == "deviations":
        return _deviations(case, spec)
    settings = spec.settings(case.parameters)
    least = spec.smallest_group(case.k, **settings)
    greatest = spec.largest_group(case.k, **settings)
    usual = least == case.k and greatest == 2 * case.k - 1
    if usual and not in_parts(case) and (only := _forced(case)):
        return only
    why = "draws at random" if spec.random else "has too many possible runs to list"
    if not too_random(case):
        noted = noted or explored(case)
        every = noted.blocks or [noted.partitions or set()]
        if all(0 < len(found) <= MOST_PARTITIONS for found in every):
            return _enumerated(every, case)
    free = Expectation("free", least=least, greatest=greatest)
    return free, Origin("hand", f"{spec.name} {why}: these are the sizes that it promises")


def _forced(case: Case) -> tuple[Expectation, Origin] | None:
    """Return the only partition into groups of k to 2k-1.

    None where there is more than one.
    """
    n = len(case.records)
    if n < 2 * case.k:
        groups: Groups = (tuple(range(n)),)
        text = f"{n} records are not enough for two groups of {case.k}"
    elif case.k == 1:
        groups = tuple((record,) for record in range(n))
        text = "groups of 1 to 2k-1 = 1 records are single records"
    else:
        return None
    return Expectation("unique", (groups,)), Origin("hand", text)


def too_random(case: Case) -> bool:
    """Return True if there are too many draws to enumerate.

    No random stream tells the draws.
    """
    drawing = CATALOGUE[case.claim].yields == "partition" and case.seed is not None
    return case.claim in TOO_RANDOM and not drawing


def _enumerated(found: list[set[Groups]], case: Case) -> tuple[Expectation, Origin]:
    draws = " and all draws" if CATALOGUE[case.claim].random else ""
    if case.seed is not None:
        draws = f", with the draws of the random stream of {case.seed}"
    text = f"all ways of breaking the ties of {case.claim}{draws}, one after the other"
    return _listed_blocks(found), Origin("enumerated", text, confirmed=TWINS)


def _listed_blocks(found: list[set[Groups]]) -> Expectation:
    if len(found) == 1:
        return _listed(found[0])
    kind = "unique" if all(len(partitions) == 1 for partitions in found) else "choice"
    return Expectation(kind, blocks=tuple(tuple(sorted(partitions)) for partitions in found))


def _listed(found: Collection[Groups], sse: str = "") -> Expectation:
    kind = "unique" if len(found) == 1 else "choice"
    return Expectation(kind, tuple(sorted(found)), sse=sse)


def _any_partition(case: Case) -> tuple[Expectation, Origin]:
    if len(case.records) < 2 * case.k and (forced := _forced(case)):
        return forced
    return Expectation("free", least=case.k), Origin("hand", "the claim is about sizes only")


def _deviations(case: Case, spec: Specification) -> tuple[Expectation, Origin]:
    """Return the values that noise cannot change.

    They are those of a constant attribute, or all if there is no noise.
    """
    still = spec.settings(case.parameters)["amount"] == 0
    constant = [still or len(set(column)) == 1 for column in zip(*case.records, strict=True)]
    released = tuple(
        tuple(cell if stays else None for cell, stays in zip(row, constant, strict=True))
        for row in case.records
    )
    text = "the noise is proportional to the variance, which is 0 for a constant attribute"
    return Expectation("free", least=1, released=released), Origin("hand", text)


# The least SSE


def _optimum(case: Case) -> tuple[Expectation, Origin]:
    least, found = optima(numbers_of(case.records), case.k, case.standardise)
    sse = str(least) if case.standardise == "none" else ""
    origin = Origin("enumerated", "the SSE of every partition, in integers", "", SEARCH)
    if len(found) <= MOST_PARTITIONS:
        return _listed(found, sse), origin
    return Expectation("free", least=case.k, sse=sse), origin
