"""Changed lines of MSTP, M-d and M-c."""

from __future__ import annotations

from .mutant import Mutant

TREES = "refagg.cursors.trees"
ENGINE = "refagg.engine.spanning_tree"

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "a side may have k-1 records, in MSTP", "mstp", "if k <= side", "if k - 1 <= side", TREES
    ),
    Mutant("one side alone is asked for k records", "mstp", " <= len(tree) - k]", "]", TREES),
    Mutant(
        "the shortest removable edge is removed",
        "mstp",
        "[self._lengths[edge] for edge in edges]",
        "[-self._lengths[edge] for edge in edges]",
        TREES,
    ),
    Mutant(
        "one edge is removed", "mstp", "if removable:", "if removable and len(tree) == T.space.n:"
    ),
    Mutant(
        "the edge to the farthest of the nearest comes in",
        "mstp",
        "[raw for raw, _ in pairs]",
        "[-raw for raw, _ in pairs]",
        ENGINE,
    ),
    Mutant(
        "all edges go to the first record",
        "mstp",
        "        self._measure_from(record)\n",
        "",
        ENGINE,
    ),
    Mutant("large parts stay, in M-d", "m-d", "(2 * k)", "(4 * k)"),
    Mutant(
        "r is the record farthest from the centroid, in M-d",
        "m-d",
        'r, _ = R.most_distant_pair("pair")',
        'r = R.farthest("near r", R.average())',
    ),
    Mutant(
        "both ends of the diameter get a group",
        "m-d",
        '    R.group("near r", r, k)',
        '    R.group("near r", r, k)\n        R.group("near r", _, k) if _ in R.records else None',
    ),
    Mutant(
        "M-d does without a tree", "m-d", "in mstp.cut_trees(T, k)", "in mstp.cut_trees(T, 10**9)"
    ),
    Mutant("parts of 2k stay, in M-c", "m-c", "len(tree) < 2 * k:", "len(tree) <= 2 * k:"),
    Mutant(
        "parts are divided by halves of k",
        "m-c",
        "cbfs.cbfs, tree, k",
        "cbfs.cbfs, tree, (k + 1) // 2",
    ),
    Mutant(
        "M-c does without a tree", "m-c", "in mstp.cut_trees(T, k)", "in mstp.cut_trees(T, 10**9)"
    ),
)
