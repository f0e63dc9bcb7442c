"""A population of partitions that evolves.

It is for `genetic` and the partitioning in macrogroups.

The steps have the numbers of `refagg.algorithms.search.genetic`, which gives their sources.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import fsum
from typing import Any

from refagg.algorithms.centres.repair import TIES as REPAIR_TIES
from refagg.algorithms.centres.repair import Groups, legal, repair
from refagg.algorithms.mdav_family.steps import Space
from refagg.language.choices import Choices
from refagg.language.partition import Record
from refagg.language.random_stream import RandomStream
from refagg.language.specification import OpenChoice, Parameter, integer, proportion
from refagg.language.ties import Magnitude

Labels = tuple[int, ...]
"""A chromosome: for each record the label of its group."""

REMEMBERED = 1_000_000
"""The genes of the chromosomes that are kept with their values; then all are forgotten."""


@dataclass(frozen=True, slots=True)
class Rates:
    """The settings of an evolution, as in PARAMETERS."""

    population: int
    mutation: Fraction
    crossover: Fraction
    iterations: int


@dataclass(frozen=True, slots=True)
class Chromosome:
    """A legal chromosome: its SSE and pocket of the roulette wheel.

    Pockets are in proportion to the fitness 1/(SSE + 1), as integers: a partition that is
    as bad as one group has 2^40.
    """

    labels: Labels
    sse: Fraction
    pocket: int


def fittest(
    space: Space,
    k: int,
    choices: Choices,
    records: Sequence[Record],
    rates: Rates,
    known: Sequence[Sequence[Record]] | None = None,
) -> Groups:
    """Evolve groups of these records, and return the fittest.

    They start from random ones and `known` if that is given.
    """
    if k == 1:
        return [[record] for record in records]
    if len(records) < 2 * k:
        return [list(records)]
    evolution = Evolution(space, k, choices, records)
    # 1.
    starts = [] if known is None else [evolution.labels(known)]
    starts += [evolution.drawn() for _ in range(rates.population - len(starts))]
    population = [evolution.valued(labels) for labels in starts]
    for _ in choices.each(range(rates.iterations), "generations"):
        children = _mutated(choices, _crossed(choices, population, rates), rates, evolution.width)
        # 5. and 6.
        best = evolution.best
        population = [best, *[evolution.valued(labels) for labels in children]]
    return [group for group in evolution.groups(evolution.best.labels) if group]


def _crossed(choices: Choices, population: Sequence[Chromosome], rates: Rates) -> list[Labels]:
    stream = choices.stream
    # 2.
    chosen = selected(stream, population, rates.population - 1)
    if choices.trace is not None:
        choices.drew("parents", map(population.index, chosen))
    parents = [one.labels for one in chosen]
    # 3.
    for i in range(0, len(parents) - 1, 2):
        if _happens(stream, rates.crossover):
            a, b = parents[i], parents[i + 1]
            place = 1 + stream.randbelow(len(a) - 1)
            parents[i], parents[i + 1] = a[:place] + b[place:], b[:place] + a[place:]
            choices.drew("crossing", (i, i + 1, place))
    return parents


def _mutated(choices: Choices, children: list[Labels], rates: Rates, width: int) -> list[Labels]:
    stream = choices.stream
    # 4.
    for i, labels in enumerate(children):
        if _happens(stream, rates.mutation):
            gene = stream.randbelow(len(labels))
            other = (labels[gene] + 1 + stream.randbelow(width - 1)) % width
            children[i] = (*labels[:gene], other, *labels[gene + 1 :])
            choices.drew("mutation", (i, gene, other))
    return children


def selected(
    stream: RandomStream, population: Sequence[Chromosome], times: int
) -> list[Chromosome]:
    """Draw chromosomes by the roulette wheel.

    There are `times` of them, drawn in integers, without rounding.
    """
    wheel = list(accumulate([one.pocket for one in population]))
    stops = [stream.randbelow(1 << 53) * wheel[-1] >> 53 for _ in range(times)]
    return [population[bisect_right(wheel, stop)] for stop in stops]


def _happens(stream: RandomStream, share: Fraction) -> bool:
    return stream.randbelow(share.denominator) < share.numerator


class Evolution:
    """Chromosomes of some records, their values, and the best so far.

    There are 2k records or more.
    """

    def __init__(self, space: Space, k: int, choices: Choices, records: Sequence[Record]) -> None:
        self._space, self._k, self._choices = space, k, choices
        self._records = list(records)
        self.width = len(records) // k
        self._one_group = Fraction(space.shown(space.sse(records)))
        self._sse: dict[tuple[Record, ...], Magnitude] = {}
        self._known: dict[Labels, Chromosome] = {}
        self._best: Chromosome | None = None

    @property
    def best(self) -> Chromosome:
        """Return the first chromosome of least SSE among those valued.

        There must be one.
        """
        assert self._best is not None
        return self._best

    def labels(self, groups: Sequence[Sequence[Record]]) -> Labels:
        """The chromosome of these groups."""
        label = {record: number for number, group in enumerate(groups) for record in group}
        return tuple([label[record] for record in self._records])

    def groups(self, labels: Labels) -> Groups:
        """The records of each label."""
        groups: Groups = [[] for _ in range(self.width)]
        for record, label in zip(self._records, labels, strict=True):
            groups[label].append(record)
        return groups

    def drawn(self) -> Labels:
        """Return a random chromosome.

        It has k records for each label, and the others have labels with free capacity.
        """
        stream, k = self._choices.stream, self._k
        order = stream.sample(self._records, len(self._records))
        groups = [order[label * k : label * k + k] for label in range(self.width)]
        for record in order[self.width * k :]:
            growing = [group for group in groups if len(group) < 2 * k - 1]
            growing[stream.randbelow(len(growing))].append(record)
        self._choices.drew("chromosome", map(tuple, map(sorted, groups)))
        return self.labels(groups)

    def valued(self, labels: Labels) -> Chromosome:
        """The chromosome, repaired where it has to be, with its SSE."""
        if (known := self._known.get(labels)) is not None:
            return known
        if len(self._known) * len(labels) > REMEMBERED:
            self._known.clear()
        found = self._known[labels] = self._found(labels)
        best = self._best
        if best is None or self._choices.decide("better", self._space.less(found.sse, best.sse)):
            self._best = found
            self._choices.stand(self.groups(labels), found.sse)
        return found

    def _found(self, labels: Labels) -> Chromosome:
        groups = self.groups(labels)
        if not legal(self._k, groups):
            repair(self._space, self._k, self._choices, groups)
            labels = self.labels(groups)
        raws = [self._sse_of(group) for group in groups if group]
        raw = fsum(raws) if isinstance(raws[0], float) else sum(raws)  # in whatever order
        sse = Fraction(self._space.shown(raw))
        return Chromosome(labels, sse, ((self._one_group + 1) * 2**40) // (sse + 1))

    def _sse_of(self, group: list[Record]) -> Magnitude:
        members = tuple(sorted(group))
        if members not in self._sse:
            self._sse[members] = self._space.sse(members)
        return self._sse[members]


PARAMETERS: tuple[Parameter, ...] = (
    integer("population", 10, 2, "how many chromosomes there are"),
    proportion("mutation", Fraction(1, 10), "how likely it is that one gene of a child changes"),
    proportion("crossover", Fraction(1, 2), "how likely it is that a pair of parents is crossed"),
    integer("iterations", 10_000, 0, "how many populations follow the first"),
)

TIES = (
    *REPAIR_TIES,
    OpenChoice(
        "better", "6", "whether a new chromosome has a smaller SSE than all before", "test", "SSE"
    ),
)


def undrawable(**settings: Any) -> str:
    """Return the reason why shares cannot be drawn.

    The reason is empty for shares that can.
    """
    for name in ("mutation", "crossover"):
        if settings[name].denominator > 1 << 64:
            return f"{name} is a fraction over more than 2^64, of which nothing can be drawn"
    return ""
