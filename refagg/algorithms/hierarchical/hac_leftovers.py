"""What becomes of clusters that are left with fewer than k records.

All three rules end with groups of k to 2k-1 records, and measure by the squared distances of
the space, whatever the metric of the mergers was. A cluster that changes goes to the end of the
list: it gets the next serial number.

`smallest-room` uses no distance. While a cluster has fewer than k records, the smallest is taken
out of the list, and its records one by one join the smallest of the others that has fewer than
2k-1.

`nearest`: the records of all clusters of fewer than k records, cluster by cluster, one by one
join the group whose centroid, as it is then, is nearest among those that have fewer than 2k-1.

In both, the order of the records (and clusters) to be placed is a choice among equals: with ties
to the lowest record, it is that of the file.

`mdav`: MDAV forms groups of those records. If they are fewer than k in all, they join the groups
that have fewer than 2k-1 records, the nearest record and centroid first.

Where the others have not enough room in all, a cluster is kept instead: by `smallest-room` the
smallest, by the other rules the largest of those with fewer than k records. Until it has k, it
takes in the record nearest to its centroid, out of other clusters of fewer than k or more than k.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from refagg.algorithms.mdav_family.mdav import mdav
from refagg.algorithms.mdav_family.steps import any_of
from refagg.cursors.remaining import groups_by
from refagg.language.partition import Record
from refagg.language.run import Run
from refagg.language.space import Centroids
from refagg.language.ties import Measured, greatest, least

Space = Centroids[Any]
Serial = int


@dataclass(slots=True)
class Listed:
    """Clusters by their serial numbers, in rising order; `following` is the next one."""

    members: dict[Serial, list[Record]]
    following: Serial

    def small(self, k: int) -> list[Serial]:
        """Those of fewer than k records."""
        return [serial for serial, members in self.members.items() if len(members) < k]

    def with_room(self, k: int, among: Iterable[Serial]) -> list[Serial]:
        """Those of fewer than 2k-1 records."""
        return [serial for serial in among if len(self.members[serial]) < 2 * k - 1]

    def room(self, k: int, among: Iterable[Serial]) -> int:
        """How many records these clusters can take in."""
        return sum(2 * k - 1 - len(self.members[serial]) for serial in among)

    def sizes(self, among: Iterable[Serial]) -> Measured[Serial]:
        """These clusters with their sizes."""
        serials = list(among)
        return Measured(serials, [len(self.members[serial]) for serial in serials], int)

    def change(self, serial: Serial, members: Iterable[Record]) -> Serial:
        """Put other members at the end of the list in place of a cluster; none if it is empty."""
        del self.members[serial]
        if changed := sorted(members):
            self.members[self.following] = changed
            self.following += 1
        return self.following - 1


def placed(space: Space, k: int, run: Run, clusters: Listed, rule: str) -> list[list[Record]]:
    """Groups of at least k records, made of all clusters; n is at least k."""
    if rule == "smallest-room":
        _into_smallest(space, k, run, clusters)
    else:
        leftovers = sum(len(clusters.members[serial]) for serial in clusters.small(k))
        if rule == "mdav" and leftovers >= k:
            return _grouped(space, k, run, clusters)
        _keep_some(space, k, run, clusters)
        if rule == "mdav":
            _nearest_first(space, k, run, clusters)
        else:
            _into_nearest(space, k, run, clusters)
    return [run.closed(members) for members in clusters.members.values()]


def _into_smallest(space: Space, k: int, run: Run, clusters: Listed) -> None:
    while clusters.small(k):
        smallest = run.one("smallest", least(clusters.sizes(clusters.members)))
        others = [serial for serial in clusters.members if serial != smallest]
        if clusters.room(k, others) < len(clusters.members[smallest]):
            _keep(space, k, run, clusters, smallest)
            continue
        left = clusters.members.pop(smallest)
        while left:
            left.remove(record := run.one("next leftover", any_of(space, left)))
            there = clusters.with_room(k, clusters.members)
            host = run.one("smallest with room", least(clusters.sizes(there)))
            clusters.change(host, [*clusters.members[host], record])


def _grouped(space: Space, k: int, run: Run, clusters: Listed) -> list[list[Record]]:
    small = clusters.small(k)
    left = sorted(record for serial in small for record in clusters.members[serial])
    groups = [run.closed(m) for serial, m in clusters.members.items() if serial not in small]
    return groups + groups_by(mdav, space, k, run, left)


def _into_nearest(space: Space, k: int, run: Run, clusters: Listed) -> None:
    parts = [clusters.members.pop(serial) for serial in clusters.small(k)]
    home = {record: part for part in parts for record in part}
    centroids = {serial: space.centroid(m) for serial, m in clusters.members.items()}
    current: list[Record] = []
    while home:
        record = run.one("next leftover", any_of(space, current or sorted(home)))
        current = home.pop(record)
        current.remove(record)
        there = clusters.with_room(k, clusters.members)
        gaps = space.raw(record, [centroids[serial] for serial in there])
        host = run.one("near leftover", least(space.ranked(there, gaps)))
        clusters.members[host] = run.together(sorted([*clusters.members[host], record]))
        centroids[host] = space.centroid(clusters.members[host])


def _nearest_first(space: Space, k: int, run: Run, clusters: Listed) -> None:
    small = clusters.small(k)
    left = [record for serial in small for record in clusters.members.pop(serial)]
    while left:
        there = clusters.with_room(k, clusters.members)
        pairs, gaps = [], []
        for serial in there:
            pairs += [(record, serial) for record in left]
            gaps += space.raw(space.centroid(clusters.members[serial]), left)
        record, host = run.one("nearest leftover", least(space.ranked(pairs, gaps)))
        clusters.members[host] = run.together(sorted([*clusters.members[host], record]))
        left.remove(record)


def _keep_some(space: Space, k: int, run: Run, clusters: Listed) -> None:
    """Keep clusters of fewer than k records until the groups have room for the others."""
    while small := clusters.small(k):
        groups = [serial for serial in clusters.members if serial not in small]
        if clusters.room(k, groups) >= sum(len(clusters.members[serial]) for serial in small):
            break
        kept = run.one("kept", greatest(clusters.sizes(small)))
        _keep(space, k, run, clusters, kept)


def _keep(space: Space, k: int, run: Run, clusters: Listed, kept: Serial) -> None:
    """Let a cluster take in records until it has k."""
    while len(clusters.members[kept]) < k:
        members = clusters.members[kept]
        home = {
            record: serial
            for serial, others in clusters.members.items()
            if serial != kept and len(others) != k
            for record in others
        }
        others = sorted(home)
        # The nearest to their centroid, where there is one.
        sums = [sum(space.raw(record, members)) for record in others]
        record = run.one("near kept", least(space.ranked(others, sums)))
        donor = home[record]
        clusters.change(donor, [r for r in clusters.members[donor] if r != record])
        kept = clusters.change(kept, [*members, record])
