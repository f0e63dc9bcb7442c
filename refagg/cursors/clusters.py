"""C: clusters that merge, and the choices of which two.

An algorithm that merges clusters is written with these verbs. Which pairs it costs least to merge
is known to a part of the engine, which is given; the choice among equals is made here. What a
judge must be told (on which clusters the rest of the run depends, which records end in one group)
and what a dendrogram is drawn from (which two were merged at what height) is told here too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from typing import Generic, TypeVar

from refagg.cursors.parts import Parts
from refagg.engine.deltas import Deltas
from refagg.engine.linkages import MatrixPairs
from refagg.engine.ward_pairs import WardPairs
from refagg.language.choices import Choices
from refagg.language.partition import Partition, Record
from refagg.language.ties import Number

Name = int
"""Of a cluster: its first record, or a serial number."""

Pair = tuple[Name, Name]
Records = Collection[Record]


Partners = WardPairs | Deltas
"""Pairs of clusters that are too many to be named."""

NOBODY = -1

E = TypeVar("E", bound="MatrixPairs | Partners", covariant=True)


class Clusters(Generic[E]):
    """Clusters of a part of the engine, and the choices about them.

    What a judge must know of the clusters is reported here too.
    """

    def __init__(
        self,
        choices: Choices,
        engine: E,
        beside: Iterable[Records] = (),
        kept: Callable[[], Hashable] = tuple,
        stay: Callable[[Records], bool] = lambda records: False,
    ) -> None:
        """Initialise the clusters of an engine.

        The rest of the run depends, beside the clusters, on `beside`, sets that are no clusters,
        and on `kept`, centroids. `stay` says which clusters can only grow.
        """
        self._choices = choices
        self.engine = engine
        self._beside = list(beside)
        self._kept = kept
        self._stay = stay
        self._height: Number = 0
        self._merged = False

    @staticmethod
    def in_part(parts: Parts, engine: WardPairs, final: bool) -> Clusters[WardPairs]:
        """Return the clusters of a part that is divided.

        They only grow if they are `final`.
        """
        # With a number that is no record, the others cannot be taken for groups of this part.
        elsewhere = [[NOBODY, *group] for group in parts.others()]
        return Clusters(parts.choices, engine, elsewhere, engine.centroids, lambda group: final)

    def add(self: Clusters[WardPairs], records: list[Record]) -> None:
        """Make one more cluster of these records."""
        self.engine.add(records)
        self.together(records)

    def closest_pair(self: Clusters[MatrixPairs], name: str) -> Pair | None:
        """Choose the two clusters that are cheapest to merge.

        None if no merge is allowed.
        """
        if not self._choices.watched and (only := self.engine.only_pair()):
            self._choices.reached(self.engine.clusters())
            return only
        if (pairs := self.engine.cheapest_pairs()) is None:
            return None
        self._reached()
        self._height = pairs.value
        return self._choices.choose(name, pairs, lambda pair: map(self.engine.named, pair))

    def _begin(self) -> None:
        """Report the initial clusters, unless each record is one."""
        clusters = list(map(list, self.engine.clusters()))
        if any(len(cluster) > 1 for cluster in clusters):
            self._choices.stand(clusters)

    def closest(self: Clusters[Partners], first: str, second: str) -> Pair:
        """Choose the two clusters that are cheapest to merge.

        They are chosen one after the other.
        """
        self._reached()
        cheapest = self.engine.cheapest()
        self._height = cheapest.value
        a = self._choices.choose(first, cheapest, self._records)
        return a, self._choices.choose(second, self.engine.partners(a, cheapest), self._records)

    def _records(self, a: Name) -> list[Records]:
        return [self.engine.named(a)]

    def merge(self, a: Name, b: Name) -> Records:
        """Make one cluster of the two that were chosen last."""
        self._choices.merged(self.engine.named(a), self.engine.named(b), self._height)
        self._merged = True
        union = self.engine.merge(a, b)
        self.together(union)
        return union

    def together(self, records: Records) -> None:
        """Promise that these records are a cluster."""
        if self._stay(records):
            self._choices.together(list(records))

    def next_phase(self) -> None:
        """Begin a phase with other steps.

        Clusters equal to earlier ones are from then on another state.
        """
        self._beside.append(())

    def partition(self) -> Partition:
        """The clusters are groups, by their first records."""
        groups = sorted(map(sorted, self.engine.clusters()))
        return Partition.of([self._choices.closed(group) for group in groups])

    def _reached(self) -> None:
        if not self._merged:
            self._begin()
        self._choices.reached([*self.engine.clusters(), *self._beside], kept=self._kept())
