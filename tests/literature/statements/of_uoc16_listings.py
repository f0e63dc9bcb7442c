"""What the study of clustering prints of Census itself: the data, groups of four, and labels.

Section 4.1 lists seven of the 270 groups of a run, `clu`, and eight of the records that it
protects. Each line of `clu` ends with the random seed, the nearest record stands before it, and so
on; the group formed first is the last line. So lines 268 to 270 choose from all records but those
below them, and lines 1 to 4 from the 16 records that they list, which were left to the end. A
protected record is the mean of four records, and only one set of four has this mean.

Of the labels in section 4.2 the available text has less than half, and no whole line.
"""

from __future__ import annotations

from fractions import Fraction

from refagg.language.partition import Record
from refagg.literature.claims import Recipe, sources
from refagg.spaces.binary64 import FloatSpace
from tests.literature.statements.looked_up import (
    Finding,
    Library,
    Value,
    printed,
)

ATTRIBUTES = (
    *("AFNLWGT", "AGI", "EMCONTRB", "FEDTAX", "PTOTVAL", "STATETAX", "TAXINC"),
    *("POTHVAL", "INTVAL", "PEARNVAL", "FICA", "WSALVAL", "ERNVAL"),
)
CENTRES = tuple(
    " ".join(
        printed("UOC16", f"Section 4.2, Census, kmeans(census, 3), cluster {number}, {attribute}")
        for attribute in ATTRIBUTES
    )
    for number in (1, 2, 3)
)
SIZES = " ".join(
    printed("UOC16", f"Section 4.2, Census, kmeans(census, 3), cluster {number}, size")
    for number in (1, 2, 3)
)
THREE = Recipe("census", "k-means", 1080 // 3, (("repair", "none"),), "none", seed=6)

CLU = {
    line: printed("UOC16", f"Section 4.1, clu, [{line},]") for line in (1, 2, 3, 4, 268, 269, 270)
}
"""Section 4.1: groups of four, by line."""

PROTECTED = {
    record: " ".join(
        printed("UOC16", f"Section 4.1, protected, record {record}, {attribute}")
        for attribute in ATTRIBUTES
    )
    for record in (1, 2, 3, 4, 1077, 1078, 1079, 1080)
}
"""Section 4.1: protected records, by number."""

GROUPS = tuple(
    tuple(claim.of["records"])
    for claim in sources()["UOC16"].claims
    if claim.place.startswith("Section 4.1, protected, ") and claim.place.endswith(", AGI")
)
"""The four records of which a protected one is the mean; it is the first."""

AS_IT_IS = Recipe("census", "random-seed", 4, standardise="none")
Z_SCORES = Recipe("census", "random-seed", 4, standardise="sample")


def _numbers(text: str) -> list[int]:
    return list(map(int, text.split()))


def _shape(library: Library) -> dict[str, Value]:
    table = library.scale(AS_IT_IS).table
    return {"records": Fraction(table.n), "attributes": Fraction(len(table.columns))}


class _Nearest:
    """Distances between the z-scores of records that are numbered from 1."""

    def __init__(self, library: Library) -> None:
        self._space = FloatSpace(library.scale(Z_SCORES))
        self.everyone = {record + 1 for record in self._space.records()}

    def to(self, seed: int, others: set[int]) -> list[Record]:
        """The others, the nearest first."""
        records = sorted(others - {seed})
        squared = self._space.raw(seed - 1, [record - 1 for record in records])
        return [record for _, record in sorted(zip(squared, records, strict=True))]


def _clu(library: Library) -> dict[str, Value]:
    near, found = _Nearest(library), dict[str, Value]()
    last = {record for line in range(1, 5) for record in _numbers(CLU[line])}
    for lines, left in (((270, 269, 268), near.everyone), ((4, 3, 2, 1), last)):
        for line in lines:
            seed = _numbers(CLU[line])[-1]
            group = [*near.to(seed, left)[2::-1], seed]
            left = left - set(group)
            found[f"[{line},]"] = " ".join(map(str, group))
    return found


def _one_run(library: Library) -> dict[str, Value]:
    """The groups share no record, and those left to the end are nearer to no possible seed."""
    near = _Nearest(library)
    last = {record for line in range(1, 5) for record in _numbers(CLU[line])}
    listed = [*(_numbers(line) for line in CLU.values()), *map(list, GROUPS)]
    apart = len({record for group in listed for record in group}) == sum(map(len, listed))
    possible = [
        [s for s in group if set(near.to(s, last | set(group))[:3]) == set(group) - {s}]
        for group in GROUPS
    ]
    seeds = "; ".join(" or ".join(map(str, sorted(seeds))) for seeds in possible)
    return {
        "": Finding(
            apart and all(possible),
            f"the {len(listed)} groups share {'no' if apart else 'a'} record",
            f"seeds to which no record of the lines 1 to 4 is nearer: {seeds}",
        )
    }


# The vector of section 4.2

VECTOR = {
    first: printed("UOC16", f"Section 4.2, clustering vector, [{first}]").replace(" ", "")
    for first in (1, 64, 127, 190, 253, 316, 379)
}
"""The labels of each line, by its first record; a line had 63, and six more lines are not there."""

UNLIKE = (1, 64, 127, 190, 253, 316)
"""The lines that are not ours."""


def _vector(library: Library) -> dict[str, Value]:
    number = {int(size): label for label, size in enumerate(SIZES.split(), 1)}
    groups = library.partition(THREE).groups
    if {len(group) for group in groups} != set(number):
        return {}
    label_of = {record: number[len(group)] for group in groups for record in group}
    return {
        f"[{first}]": " ".join(str(label_of[first - 1 + i]) for i in range(len(labels)))
        for first, labels in VECTOR.items()
    }


COMPUTED = {
    "Section 3, Census": _shape,
    "Section 4.1, clu": _clu,
    "Section 4.1, groups": _one_run,
    "Section 4.2, clustering vector": _vector,
}
