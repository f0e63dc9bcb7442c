"""Changed lines of IGD, of constrained k-means, and of blocking by a k-d tree."""

from __future__ import annotations

from .mutant import Mutant

CONSTRAINED = "constrained-k-means"
TRANSPORTATION = "refagg.engine.transportation"
EVEN = (("sizes", "even"),)
SMALL = (("least", "5"),)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "one round", "igd", 'if not G.has_fallen("falls"', 'if True or not G.has_fallen("falls"'
    ),
    Mutant("groups are not dissolved", "igd", "dissolved(G, G.by", "(lambda *_: 0)(G, G.by"),
    Mutant("groups do not shrink", "igd", "shrunk(G, k, kept)", "pass"),
    Mutant("groups of k shrink", "igd", "len(G[number]) > k and", "len(G[number]) > k - 1 and"),
    Mutant("only one record moves", "igd", "G.change(after)", "G.change(after)\n            break"),
    Mutant("groups of 2k stay", "igd", "G.of_at_least(2 * k)", "G.of_at_least(2 * k + 1)"),
    Mutant(
        "the nearest group, whatever is saved where the record was",
        "igd",
        "+ most - saved[record]",
        "+ 0 * saved[record]",
    ),
    Mutant(
        "records are assigned once",
        CONSTRAINED,
        "M.rounds_of_groups(rounds)",
        "M.rounds_of_groups(1)",
    ),
    Mutant("groups have at most k+1", CONSTRAINED, "(k, 2 * k - 1) if", "(k, -(-n // c)) if"),
    Mutant(
        "even groups have k records, but for the last",
        CONSTRAINED,
        "else (n // c, -(-n // c))",
        "else (k, 2 * k - 1)",
        parameters=EVEN,
    ),
    Mutant(
        "the centres are the first records",
        CONSTRAINED,
        "M.begin(M.draw(c))",
        "M.begin(M.draw(c) and M.records[:c])",
    ),
    Mutant(
        "sizes are repaired by the first record that can move",
        CONSTRAINED,
        "min((rows[r][other] - rows[r][centre], r) for r in group)",
        "(rows[group[0]][other] - rows[group[0]][centre], group[0])",
        TRANSPORTATION,
    ),
    Mutant(
        "potentials are those of the last path alone",
        CONSTRAINED,
        "p[v] += cost[at]",
        "p[v] = cost[at]",
        TRANSPORTATION,
    ),
    Mutant("blocks are of k", "kd-blocks", "max(k, least)", "k", parameters=SMALL),
    Mutant("nothing is cut", "kd-blocks", "max(k, least)", "P.space.n", parameters=SMALL),
    Mutant(
        "blocks are grouped by CBFS",
        "kd-blocks",
        '"mdav": mdav.mdav',
        '"mdav": cbfs.cbfs',
        parameters=SMALL,
    ),
)
