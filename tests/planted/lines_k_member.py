"""Changed lines of k-member and OKA."""

from __future__ import annotations

from .mutant import Mutant

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "the first r is the first record",
        "k-member",
        "R.drawn()",
        "R.drawn() and R.records[0]",
    ),
    Mutant("r is far from the average", "k-member", '"r", r)', '"r", R.average())'),
    Mutant("r is the record nearest to r", "k-member", "R.farthest(", "R.closest("),
    Mutant(
        "the record nearest to the first of the group joins",
        "k-member",
        "R.space.centroid(group)",
        "group[0]",
    ),
    Mutant(
        "the record nearest to the last of the group joins",
        "k-member",
        "R.space.centroid(group)",
        "group[-1]",
    ),
    Mutant("a group only while more than k remain", "k-member", "at_least(k,", "at_least(k + 1,"),
    Mutant(
        "the seeds are the first records",
        "oka",
        "R.choices.stream.sample(R.records, len(R) // k)",
        "R.records[: len(R.choices.stream.sample(R.records, len(R) // k))]",
    ),
    Mutant(
        "centroids do not move in the pass",
        "oka",
        "G.centroids(G.numbers())",
        "dict(enumerate(seeds))",
    ),
    Mutant("groups of less than 2k are not cut", "oka", "of_at_least(k + 1)", "of_at_least(2 * k)"),
    Mutant("k-1 records are kept", "oka", '"kept", number, k)', '"kept", number, max(1, k - 1))'),
    Mutant(
        "a small group takes in one record",
        "oka",
        "G.below(k) or",
        "[j for j in G.below(k) if len(G[j]) == 1] or",
    ),
    Mutant("small groups are not filled", "oka", "G.below(k) or G", "G"),
    Mutant("the last of the pool comes first", "oka", "G.each(pool, ", "G.each(pool[::-1], "),
)
