"""Changed lines of k-means and of division by 2-means."""

from __future__ import annotations

from .mutant import Mutant

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
        "less(after, before)",
        "less(before, after)",
    ),
    Mutant(
        "b is the record farthest from the centroid, too",
        "k-means-split",
        "space.farthest(space.distances(a, group), without={a})",
        "space.farthest(space.distances(space.centroid(group), group), without={a})",
    ),
    Mutant(
        "records are ordered by their distance to a",
        "k-means-split",
        "amount + (p - q)",
        "amount + p",
    ),
    Mutant("one centre less", "k-means", "space.n // k)", "max(1, space.n // k - 1))"),
    Mutant(
        "dissolved records are dropped", "k-means", "if len(group) < k else ()", "if False else ()"
    ),
    Mutant("groups of k-1 stay", "k-means", "if len(group) >= k]", "if len(group) >= k - 1]"),
    Mutant(
        "large groups stay",
        "k-means",
        "groups = divided(space, k, choices, _without_small(space, k, choices, groups), rounds)",
        "groups = _without_small(space, k, choices, groups)",
    ),
    Mutant(
        "centres do not move",
        "k-means-spread",
        "space.centroid(members[number])",
        "points[number]",
        parameters=NO_REPAIR,
    ),
    Mutant(
        "only one round",
        "k-means-spread",
        "        if not moved:\n",
        "        if moved:\n",
        parameters=NO_REPAIR,
    ),
    Mutant(
        "the next centre is the farthest from the last one",
        "k-means-spread",
        "list(map(min, nearest, space",
        "list(map(lambda _, new: new, nearest, space",
        parameters=NO_REPAIR,
    ),
    Mutant(
        "the first centre is the nearest to the average",
        "k-means-spread",
        "space.farthest(from_average)",
        "space.closest(from_average)",
        parameters=NO_REPAIR,
    ),
)
