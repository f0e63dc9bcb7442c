"""Changed lines of KSHC: of its steps, and of what is kept about its clusters."""

from __future__ import annotations

from .mutant import Mutant


def step(mistake: str, line: str, changed: str, linkage: str = "single") -> Mutant:
    return Mutant(mistake, "kshc", line, changed, parameters=(("linkage", linkage),))


def kept(mistake: str, line: str, changed: str, linkage: str = "single") -> Mutant:
    return Mutant(mistake, "kshc", line, changed, "refagg.engine.deltas", (("linkage", linkage),))


MUTANTS: tuple[Mutant, ...] = (
    step(
        "clusters are reserved until there are n // (2k-1)",
        "-(-space.n // (2 * k - 1))",
        "space.n // (2 * k - 1)",
    ),
    step("clusters of 2k are merged", "<= 2 * k - 1:", "<= 2 * k:"),
    step(
        "the record moves that is least dissimilar to its own cluster",
        "clusters.nearest_record(smaller, larger)",
        "clusters.nearest_record(larger, larger)",
    ),
    step(
        "step 1 merges until nothing is active",
        "len(clusters.large) < min_vc and len(clusters.small) > 1",
        "len(clusters.small) > 1",
    ),
    kept(
        "a large cluster is merged with no small one",
        "else [*mates, *(b for b in self.large if b > a)]",
        "else mates",
    ),
    kept("complete linkage is single", "Linkage(max, _whole)", "Linkage(min, _whole)", "complete"),
    kept(
        "the average is that of the two averages",
        "self.share(in_a * x + in_b * y, both)",
        "self.share(x + y, 2)",
        "average",
    ),
    kept(
        "the sum of the dissimilarities is taken for their average after a move",
        "row[c] = share(unit * join([joined[x] for x in records]), in_a * len(records))",
        "row[c] = unit * join([joined[x] for x in records])",
        "average",
    ),
    kept(
        "deltas are not computed anew after a move",
        "self._write(name, self._computed(name))",
        "self._write(name, self._delta[name])",
    ),
    kept(
        "who is nearest is not renewed where the nearest is gone",
        "elif nearest in changed:",
        "elif nearest in there:",
    ),
)
