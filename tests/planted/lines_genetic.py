"""Changed lines of the genetic algorithm and of the partitioning in macrogroups."""

from __future__ import annotations

from .mutant import Mutant

FEW = (("iterations", 30),)
SMALL = (("macrogroup", 2), ("iterations", 20))


def evolution(mistake: str, line: str, changed: str) -> Mutant:
    return Mutant(mistake, "genetic", line, changed, "evolution", FEW)


MUTANTS: tuple[Mutant, ...] = (
    evolution(
        "the last population's first is the result, not the best",
        "evolution.groups(evolution.best.labels)",
        "evolution.groups(population[-1].labels)",
    ),
    evolution("the best is not kept in the population", "[best, *[", "[population[0], *["),
    evolution(
        "fitness is SSE + 1",
        "((self._one_group + 1) * 2**40) // (sse + 1)",
        "((sse + 1) * 2**40) // 1",
    ),
    evolution("crossover may exchange all genes", "place = 1 + stream", "place = stream"),
    evolution(
        "a mutated gene may keep its label",
        "+ 1 + stream.randbelow(width - 1)",
        "+ stream.randbelow(width)",
    ),
    evolution("children are not mutated", "if _happens(stream, rates.mutation)", "if False"),
    evolution(
        "records that are left over all join the last label",
        "growing[stream.randbelow(len(growing))].append(record)",
        "groups[-1].append(record)",
    ),
    evolution("children are not repaired", "if not legal(self._k, groups):", "if False:"),
    evolution(
        "the worst is taken for the best",
        "self._space.less(found.sse, best.sse)",
        "self._space.less(best.sse, found.sse)",
    ),
    Mutant(
        "groups of 2k are taken for legal",
        "genetic",
        "while len(group) >= 2 * k",
        "while len(group) > 2 * k",
        "refagg.algorithms.centres.repair",
        FEW,
    ),
    Mutant(
        "small groups are not filled",
        "genetic",
        "0 < len(group) < k",
        "False",
        "refagg.algorithms.centres.repair",
        FEW,
    ),
    Mutant(
        "a record that leaves joins the farthest group",
        "genetic",
        "range(len(homes)), squared)",
        "range(len(homes)), [-s for s in squared])",
        "refagg.algorithms.centres.repair",
        FEW,
    ),
    Mutant(
        "macrogroups have k records, not K",
        "one-step",
        "divided(space, macrogroup * k,",
        "divided(space, macrogroup,",
        parameters=SMALL,
    ),
    Mutant(
        "all macrogroups but the first are dropped",
        "one-step",
        'for part in choices.each(macrogroups, "macrogroups")',
        "for part in macrogroups[:1]",
        parameters=SMALL,
    ),
    Mutant(
        "the k-partition is not among the first chromosomes",
        "two-step",
        "Rates(**rates), known)",
        "Rates(**rates))",
        parameters=SMALL,
    ),
    Mutant(
        "macrogroups have K groups, not K/k",
        "two-step",
        "divided(centroids, macrogroup,",
        "divided(centroids, macrogroup * k,",
        parameters=SMALL,
    ),
)
