"""Changed lines of k-means and of division by 2-means."""

from __future__ import annotations

from .mutant import GROUPS, PARTS, POINTS, Mutant

NO_REPAIR = (("repair", "none"),)

MUTANTS: tuple[Mutant, ...] = (
    Mutant("groups of 2k stay", "k-means-split", "< 2 * k", "<= 2 * k"),
    Mutant(
        "a side may have k-1 records",
        "k-means-split",
        "max(nearer_to_a, k)",
        "max(nearer_to_a, k - 1)",
    ),
    Mutant(
        "sides are halves",
        "k-means-split",
        "m = min(max(nearer_to_a, k), len(group) - k)",
        "m = len(group) // 2",
    ),
    Mutant("2-means ends after its first round", "k-means-split", "range(rounds - 1)", "range(0)"),
    Mutant(
        "2-means goes on while the SSE rises",
        "k-means-split",
        'lowers_sse("fall", after, before)',
        'lowers_sse("fall", before, after)',
    ),
    Mutant(
        "b is the record farthest from the centroid, too",
        "k-means-split",
        'P.farthest("b", a, group, without={a})',
        'P.farthest("b", P.space.centroid(group), group, without={a})',
    ),
    Mutant(
        "records are ordered by their distance to a",
        "k-means-split",
        "amount + (p - q)",
        "amount + p",
        PARTS,
    ),
    Mutant(
        "one centre less", "k-means", "len(M.records) // k)", "max(1, len(M.records) // k - 1))"
    ),
    Mutant("dissolved records are dropped", "k-means", "in homeless:", "in homeless[:0]:", GROUPS),
    Mutant("groups of k-1 stay", "k-means", "G.below(k)", "G.below(k - 1)"),
    Mutant(
        "large groups stay",
        "k-means",
        "    k_means_split(P, k, rounds)  # 5.\n    return P",
        '    return G.without("near dissolved", G.below(k))',
    ),
    Mutant(
        "centres do not move",
        "k-means-spread",
        "self.space.centroid(members[number])",
        "self._points[number]",
        POINTS,
        parameters=NO_REPAIR,
    ),
    Mutant(
        "only one round",
        "k-means-spread",
        'if not M.assign("centre"):',
        'if M.assign("centre"):',
        parameters=NO_REPAIR,
    ),
    Mutant(
        "the next centre is the farthest from the last one",
        "k-means-spread",
        "list(map(min, self._to_nearest, last)) if self._to_nearest else last",
        "last",
        POINTS,
        parameters=NO_REPAIR,
    ),
    Mutant(
        "the first centre is the nearest to the average",
        "k-means-spread",
        "self.space.farthest(distances)",
        "self.space.closest(distances)",
        POINTS,
        parameters=NO_REPAIR,
    ),
)
