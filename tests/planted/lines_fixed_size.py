"""Changed lines of MDAV-1, CBFS, DBFS, DBA and GSMS, and of the second phase."""

from __future__ import annotations

from .mutant import Mutant, cursor_line

MUTANTS: tuple[Mutant, ...] = (
    Mutant("two groups only while more than 2k remain", "mdav-1", "(2 * k):", "(2 * k + 1):"),
    Mutant(
        "the last k to 2k-1 records are one group, in MDAV-1",
        "mdav-1",
        'R.group("near last x_r", x_r, k,',
        'R.group("near last x_r", x_r, len(R),',
    ),
    Mutant(
        "x_s is the record farthest from the average but for x_r",
        "mdav-1",
        'R.farthest("x_s", x_r,',
        'R.farthest("x_s", R.average(),',
    ),
    Mutant(
        "leftovers are a group, in MDAV-1",
        "mdav-1",
        'R.share_out("near leftover")',
        "R.rest() if len(R) else None",
    ),
    Mutant("r is the record nearest to the centroid", "cbfs", "R.farthest(", "R.closest("),
    Mutant(
        "one group of k to 2k-1 at the end, in CBFS", "cbfs", "R.at_least(k)", "len(R) >= 2 * k"
    ),
    cursor_line(
        "centroids move while leftovers join",
        "cbfs",
        "self.nearest_group(name, record, centroids)",
        "self.nearest_group(name, record, self.centroids())",
    ),
    Mutant(
        "r is far from the centroid, in DBFS",
        "dbfs",
        'R.most_distant_pair("pair")[0]',
        'R.farthest("near r", R.average())',
    ),
    Mutant(
        "distances to x in place of those to the mean",
        "dba-1",
        "k, R.space.sse)",
        "k, lambda N: sum(R.space.raw(N[0], N)))",
    ),
    Mutant(
        "the least density is taken",
        "dba-1",
        "grows=leaves_over)",
        "greatest=True, grows=leaves_over)",
    ),
    Mutant("leftovers are dropped, in DBA", "dba-1", 'R.share_out("near leftover")', "pass"),
    Mutant(
        "only the last group formed is visited",
        "dba-2",
        "G.numbers()[::-1]",
        "G.numbers()[-1:]",
    ),
    Mutant(
        "the group that is nearest to the average is selected",
        "gsms",
        "greatest=True",
        "greatest=False",
    ),
    Mutant(
        "the SSE of the others is forgotten",
        "gsms",
        'R.best_group("x", "near x", G, away, greatest=True,',
        'R.best_group("x", "near x", G, [[R.space.sse(g) for g in G_x.groups] for G_x in G],',
    ),
    Mutant(
        "the average is that of all records, in GSMS",
        "gsms",
        "average = R.average()",
        "average = R.space.centroid(R.space.records())",
    ),
    Mutant(
        "no group of MDAV-1 is dissolved",
        "mdav-2",
        "if G.would_save(",
        "if False and G.would_save(",
        "second_phase",
    ),
    Mutant(
        "large groups of MDAV-2 are not divided",
        "mdav-2",
        "of_at_least(2 * k)",
        "of_at_least(4 * k)",
        "second_phase",
    ),
    Mutant(
        "no group of GSMS is dissolved",
        "gsms-t2",
        'dissolved(G, G.by_decreasing_sse("visited"))',
        "pass",
    ),
    Mutant(
        "only the dearest group of GSMS-T2 is visited",
        "gsms-t2",
        'G.by_decreasing_sse("visited")',
        'G.by_decreasing_sse("visited")[:1]',
    ),
    Mutant(
        "large groups of GSMS-T2 are not divided",
        "gsms-t2",
        "return divided(G, k)",
        "return G",
    ),
    Mutant(
        "a visited group of GSMS-T2 goes whole to one group",
        "gsms-t2",
        '"near dissolved", record, others',
        '"near dissolved", G[visited][0], others',
        "second_phase",
    ),
    Mutant(
        "it is the partition it began with",
        "second-phase",
        "if G.would_save(",
        "if False and G.would_save(",
    ),
)
