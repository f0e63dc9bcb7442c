"""Partitioning in macrogroups: a genetic algorithm inside parts of the data.

Source: A. Martinez-Balleste, A. Solanas, J. Domingo-Ferrer, J. M. Mateo-Sanz, "A genetic
approach to multivariate microaggregation for database privacy", one-step and two-step
partitioning.

One-step:
  1. A fixed-size heuristic divides the records into macrogroups of K.
  3. The genetic algorithm groups the records of each macrogroup.
Two-step:
  1. The heuristic forms groups of k records.
  2. The same heuristic divides the average vectors of these groups, each taken as a record, into
     macrogroups of K/k.
  3. The genetic algorithm groups the records of each macrogroup again. The groups of step 1 are one
     chromosome of its first population; the others are drawn.

The best chromosome is kept, so that two-step partitioning never loses more than its heuristic alone
(the source's Lemma 1). K is `macrogroup` times k; in one-step partitioning `macrogroup_records` can
be any other K of at least k, such as the 20 of the source's example with k = 3. Where there are
fewer than 2K records, or too few groups for two macrogroups, there is one macrogroup. Macrogroups
are treated in the order of their first records.

Pinned by printed numbers only as far as a random run can be (decision 42).

>>> import refagg
>>> rows = [[0], [1], [5], [6], [7], [8], [12], [13]]
>>> settings = dict(macrogroup=2, population=4, mutation=0.1, crossover=0.5, iterations=50)
>>> refagg.two_step(rows, k=2, heuristic="mdav-2k", seed=1, **settings).groups
((0, 1), (2, 3), (4, 5), (6, 7))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import lcm
from typing import Any, TypeVar

from refagg.algorithms.mdav_family import mdav, mdav_2k, mdav_single
from refagg.algorithms.mdav_family.steps import Space
from refagg.algorithms.search.evolution import PARAMETERS, TIES, Rates, fittest, undrawable
from refagg.cursors.groups import Groups, on_groups
from refagg.cursors.remaining import Cursor
from refagg.cursors.subrun import subrun, ties_of_subrun
from refagg.errors import InvalidParameter
from refagg.language.choices import Choices
from refagg.language.partition import Partition, Record
from refagg.language.space import Centroids
from refagg.language.specification import OpenChoice, Parameter, Specification, choice, integer
from refagg.language.ties import Comparison, Magnitude, Number, Ranking

HEURISTICS = {
    spec.name: spec
    for spec in (mdav_2k.SPECIFICATION, mdav.SPECIFICATION, mdav_single.SPECIFICATION)
}
"""The fixed-size heuristics, each with its default parameters."""


def one_step(
    R: Cursor, k: int, heuristic: str, macrogroup: int, macrogroup_records: int, **rates: Any
) -> Groups:
    space, choices = R.space, R.choices
    size = macrogroup_records or macrogroup * k
    if size < k:
        raise InvalidParameter(f"macrogroup_records is {size}; it must be at least k, {k}, or 0")
    macrogroups = macrogroups_of(space, size, choices, "macrogroups", heuristic)  # 1.
    groups: list[list[Record]] = []
    for part in choices.each(macrogroups, "macrogroups"):
        groups += fittest(space, k, choices, part, Rates(**rates))  # 3.
    return Groups.of(R, groups)


def two_step(R: Cursor, k: int, heuristic: str, macrogroup: int, **rates: Any) -> Groups:
    space, choices = R.space, R.choices
    first = macrogroups_of(space, k, choices, "k-partition", heuristic)  # 1.
    centroids = GroupSpace(space, first)
    macrogroups = macrogroups_of(centroids, macrogroup, choices, "macrogroups", heuristic)  # 2.
    groups: list[list[Record]] = []
    for numbers in choices.each(macrogroups, "macrogroups"):
        known, members = [first[number] for number in numbers], sorted(centroids.members(numbers))
        groups += fittest(space, k, choices, members, Rates(**rates), known)  # 3.
    return Groups.of(R, groups)


def macrogroups_of(
    space: Space, size: int, choices: Choices, step: str, heuristic: str
) -> list[list[Record]]:
    """The groups of a heuristic, in the order of their first records."""
    if space.n < 2 * size:
        return [space.records()]
    spec = HEURISTICS[heuristic]
    found: Partition = spec.run(space, size, subrun(choices, step), **spec.settings({}))
    return [list(group) for group in found.groups]


def _heuristic_ties(step: str, number: str, what: str = "record") -> tuple[OpenChoice, ...]:
    """The choices of all heuristics, those of one name once."""
    ties = {tied.name: tied for spec in HEURISTICS.values() for tied in spec.ties}
    del ties["near record"]  # which no heuristic looks for by default
    return ties_of_subrun(step, number, ties.values(), what)


def _evolution_ties(number: str) -> tuple[OpenChoice, ...]:
    return tuple(replace(tied, step=number) for tied in TIES)


_PARAMETERS: tuple[Parameter, ...] = (
    choice("heuristic", tuple(HEURISTICS), "what forms groups of k, and macrogroups"),
    integer("macrogroup", 6, 2, "the records of a macrogroup, as a multiple of k"),
    *PARAMETERS,
)

_RECORDS = integer(
    "macrogroup_records", 0, 0, "the records of a macrogroup, K; 0 stands for macrogroup times k"
)

ONE_STEP = Specification(
    name="one-step",
    title="One-step partitioning (a genetic algorithm in macrogroups of K records)",
    source="Martinez-Balleste et al., A genetic approach to multivariate microaggregation, "
    "one-step partitioning",
    run=on_groups(one_step),
    guarantees="groups of k to 2k-1 records",
    ties=(*_heuristic_ties("macrogroups", "1"), *_evolution_ties("3")),
    decisions=(40, 41, 42, 44),
    cost="that of the heuristic, then O(population K) for each iteration and macrogroup",
    parameters=(*_PARAMETERS[:2], _RECORDS, *_PARAMETERS[2:]),
    random=True,
    inapplicable=undrawable,
)

TWO_STEP = Specification(
    name="two-step",
    title="Two-step partitioning (a genetic algorithm in macrogroups of K/k groups)",
    source="Martinez-Balleste et al., A genetic approach to multivariate microaggregation, "
    "two-step partitioning",
    run=on_groups(two_step),
    guarantees="groups of k to 2k-1 records; SSE at most that of the heuristic",
    ties=(
        *_heuristic_ties("k-partition", "1"),
        *_heuristic_ties("macrogroups", "2", "group"),
        *_evolution_ties("3"),
    ),
    decisions=(40, 41, 42, 44),
    cost="that of the heuristic, then O(population K) for each iteration and macrogroup",
    parameters=_PARAMETERS,
    random=True,
    inapplicable=undrawable,
)


# The space of groups

T = TypeVar("T")
Centroid = Any


class GroupSpace(Centroids[Any]):
    """Space of groups of records; implements `Centroids`.

    Group i is its record i, with its average vector. The average of several groups is that of their
    average vectors: a larger group counts no more than others. Every space can average some records
    more than once each, and that is how it is computed: each group is repeated until all have the
    same number of records. For categories this is the most frequent or the middle one with every
    group weighing the same.
    """

    def __init__(self, space: Centroids[Any], groups: Sequence[Sequence[Record]]) -> None:
        self._space = space
        self._groups = groups
        self._centroids = [space.centroid(group) for group in groups]

    @property
    def n(self) -> int:
        return len(self._groups)

    def members(self, groups: Sequence[Record]) -> list[Record]:
        """The records of some groups."""
        return [record for group in groups for record in self._groups[group]]

    def centroid(self, records: Sequence[Record]) -> Centroid:
        times = lcm(*(len(self._groups[group]) for group in records))
        repeated = [g for g in records for _ in range(times // len(self._groups[g]))]
        return self._space.centroid(self.members(repeated))

    def distances(self, origin: Record | Centroid, records: Sequence[Record]) -> Ranking[Record]:
        return self._space.ranked(records, self.raw(origin, records))

    def squared(self, a: Record | Centroid, b: Record | Centroid) -> Number:
        return self._space.squared(self._point(a), self._point(b))

    def raw(self, a: Record | Centroid, others: Sequence[Record | Centroid]) -> list[Magnitude]:
        return self._space.raw(self._point(a), [self._point(other) for other in others])

    def sse(self, records: Sequence[Record]) -> Magnitude:
        return sum(self.raw(self.centroid(records), records))

    def shown(self, raw: Magnitude) -> Number:
        return self._space.shown(raw)

    def measured(self, items: Sequence[T], values: Sequence[Number]) -> Ranking[T]:
        return self._space.measured(items, values)

    def ranked(self, items: Sequence[T], raw: Sequence[Magnitude]) -> Ranking[T]:
        return self._space.ranked(items, raw)

    def less(self, left: Number, right: Number) -> Comparison:
        return self._space.less(left, right)

    def _point(self, point: Record | Centroid) -> Centroid:
        return self._centroids[point] if isinstance(point, int) else point
