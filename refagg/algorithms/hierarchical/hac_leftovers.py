"""Leftovers of agglomeration: clusters that have fewer than k records.

All three rules end with groups of k to 2k-1 records, and measure by the squared distances of
the space, whatever the metric of the mergers was. A cluster that changes goes to the end of the
list: it gets the next serial number.

`free-capacity` uses no distance. While a cluster has fewer than k records, the smallest is taken
out of the list, and its records join, one by one, the smallest of the others that has fewer than
2k-1.

`nearest`: the records of all clusters of fewer than k records join, cluster by cluster and one by
one, the group whose current centroid is nearest among those that have fewer than 2k-1.

In both, the order in which records (and clusters) are placed is a choice among equals: with ties to
the lowest record, it is that of the file.

`mdav`: MDAV forms groups of those records. If there are fewer than k in all, they join the groups
that have fewer than 2k-1 records, the nearest pair of record and centroid first.

Where the others together do not have enough free capacity, a cluster is kept instead: by
`free-capacity` the smallest, by the other rules the largest of those with fewer than k records.
Until it has k, it takes in the record nearest to its centroid from other clusters of fewer than k
or more than k.
"""

from __future__ import annotations

from refagg.algorithms.mdav_family.mdav import mdav
from refagg.cursors.groups import Groups
from refagg.cursors.remaining import groups_by
from refagg.language.partition import Partition


def free_capacity(G: Groups, k: int) -> Partition:
    while G.below(k):
        smallest = G.smallest("smallest", G.numbers())
        if G.free_capacity(2 * k - 1, G.numbers(without=smallest)) < len(G[smallest]):
            keep(G, k, smallest)
            continue
        left = G.take(smallest)
        while left:
            left.remove(record := G.any_of("next leftover", left))
            host = G.smallest("smallest with capacity", G.below(2 * k - 1))
            G.replace(host, [*G[host], record])
    return G.partition()


def leftovers_to_nearest(G: Groups, k: int) -> Partition:
    keep_some(G, k)
    parts = [G.take(small) for small in G.below(k)]
    home = {record: part for part in parts for record in part}
    current: list[int] = []
    while home:
        record = G.any_of("next leftover", current or sorted(home))
        current = home.pop(record)
        current.remove(record)
        G.join(record, G.nearest("near leftover", record, G.centroids(G.below(2 * k - 1))))
    return G.partition()


def grouped_by_mdav(G: Groups, k: int) -> Partition:
    if sum(len(G[small]) for small in G.below(k)) >= k:
        left = sorted(record for small in G.below(k) for record in G.take(small))
        return Partition.of(G.closed() + groups_by(mdav, G.space, k, G.choices, left), G.space.n)
    keep_some(G, k)
    left = [record for small in G.below(k) for record in G.take(small)]
    while left:
        record, host = G.nearest_pair("nearest leftover", left, G.below(2 * k - 1))
        G.join(record, host)
        left.remove(record)
    return G.partition()


def keep_some(G: Groups, k: int) -> None:
    """Keep small clusters until the groups can take in the others.

    Small clusters have fewer than k records; groups need free capacity for the records of the
    others.
    """
    while small := G.below(k):
        if G.free_capacity(2 * k - 1, G.of_at_least(k)) >= sum(len(G[number]) for number in small):
            break
        keep(G, k, G.largest("kept", small))


def keep(G: Groups, k: int, kept: int) -> None:
    """Let a cluster take in records until it has k."""
    while len(G[kept]) < k:
        donors = [other for other in G.numbers(without=kept) if len(G[other]) != k]
        home = {record: donor for donor in donors for record in G[donor]}
        record = G.nearest_to_all("near kept", sorted(home), G[kept])
        donor = home[record]
        G.replace(donor, [r for r in G[donor] if r != record])
        kept = G.replace(kept, [*G[kept], record])


LEFTOVERS = {
    "mdav": grouped_by_mdav,
    "nearest": leftovers_to_nearest,
    "free-capacity": free_capacity,
}
