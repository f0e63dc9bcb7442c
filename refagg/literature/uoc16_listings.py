"""What the study of clustering prints of Census itself: the data, groups of four, and labels.

Section 4.1 lists seven of the 270 groups of a run, `clu`, and eight of the records that it
protects. Each line of `clu` ends with the random seed, the nearest record stands before it, and so
on; the group formed first is the last line. So lines 268 to 270 choose from all records but those
below them, and lines 1 to 4 from the 16 records that they list, which were left to the end. A
protected record is the mean of four records, and only one set of four has this mean.

Of the labels in section 4.2 the available text has less than half, and no whole line.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from refagg.data.standardise import Scaled
from refagg.language.partition import Record
from refagg.literature.cells import Cells, Doubt, Finding, Library, Value, grid
from refagg.literature.claims import Recipe
from refagg.literature.uoc16 import ATTRIBUTES, KEY, SIZES, THREE
from refagg.literature.verdicts import DIFFERS
from refagg.spaces.binary64 import FloatSpace

CENSUS = {
    1: "270914 45554 4173 4621 45527 1428 30809 27 27 45500 3480 45500 45500",
    2: "250802 57610 2639 6045 42008 1902 39234 1008 808 41000 3136 41000 41000",
    3: "299391 56606 3315 4765 56485 1903 31767 485 485 56000 4284 56000 56000",
}
"""Section 4: the first records."""

CLU = {
    1: "615 499 514 587",
    2: "356 121 481 351",
    3: "159 145 99 859",
    4: "204 593 41 672",
    268: "732 307 1053 1061",
    269: "123 126 662 890",
    270: "929 523 77 76",
}
"""Section 4.1: groups of four, by line."""

PROTECTED = {
    1: "262381.00 45173.50 3677.50 5045.75 41456.00 1393.25 31197.50 405.50 143.25 41050.50 "
    "3140.00 41050.00 39800.00",
    2: "215240.25 47230.50 2160.50 5699.00 44681.50 1470.75 32686.25 2806.50 553.75 41875.00 "
    "3662.00 35875.00 26750.00",
    3: "266941.25 62438.25 3162.50 7139.50 58762.50 2078.25 40648.25 1541.50 1484.00 57221.00 "
    "4377.00 57221.00 57221.00",
    4: "146212.50 39877.25 1916.25 3967.50 19268.25 1245.50 26452.75 1798.25 828.50 17470.00 "
    "1336.25 17470.00 16970.00",
    1077: "194967.75 86472.50 3073.75 17210.25 82951.50 4056.50 70390.50 8451.50 6151.50 74500.00 "
    "4837.25 74500.00 72500.00",
    1078: "347911.75 27564.00 3523.25 1951.75 32227.25 836.25 14341.25 5977.25 364.75 26250.00 "
    "2007.75 26250.00 25250.00",
    1079: "93554.50 47556.00 1662.50 6664.75 45402.50 2654.00 34365.00 976.50 651.50 44426.00 "
    "3398.50 44426.00 44426.00",
    1080: "437894.25 36981.25 3264.75 3552.50 26634.25 870.25 23686.25 738.25 193.00 25896.00 "
    "1980.50 25896.00 21660.50",
}
"""Section 4.1: protected records, by number."""

GROUPS = (
    *((1, 310, 313, 876), (2, 477, 788, 951), (3, 31, 44, 470), (4, 793, 797, 910)),
    *((1077, 74, 563, 572), (1078, 255, 755, 892), (1079, 334, 617, 1076), (1080, 82, 261, 586)),
)
"""The four records of which a protected one is the mean; it is the first."""

AS_IT_IS = Recipe("census", "random-seed", 4, standardise="none")
Z_SCORES = Recipe("census", "random-seed", 4, standardise="sample")


def _numbers(text: str) -> list[int]:
    return list(map(int, text.split()))


def _shape(library: Library) -> dict[str, Value]:
    table = library.scale(AS_IT_IS).table
    return {"records": Fraction(table.n), "attributes": Fraction(len(table.columns))}


def _mean_of(scaled: Scaled, records: Sequence[int]) -> list[Fraction]:
    """Of records that are numbered from 1, attribute by attribute."""
    places = [record - 1 for record in records]
    return [sum(c.values(places), Fraction(0)) / len(places) for c in scaled.table.columns]


def _means(library: Library, groups: dict[int, Sequence[int]]) -> dict[str, Value]:
    """The means of the groups, by the record of which they are printed, and attribute."""
    scaled = library.scale(AS_IT_IS)
    return {
        f"record {record}, {attribute}": mean
        for record, group in groups.items()
        for attribute, mean in zip(ATTRIBUTES, _mean_of(scaled, group), strict=True)
    }


def _records(library: Library) -> dict[str, Value]:
    return _means(library, {record: [record] for record in CENSUS})


def _protected(library: Library) -> dict[str, Value]:
    return _means(library, {group[0]: group for group in GROUPS})


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


ONE_RUN = "clu and the protected records are of one run"


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
    1: "3323333333333233333333333113333333313111333333323333333",
    64: "2222333333333333223333313333333322333333311313331313331",
    127: "11131131111122222322222222222222222311333331331233333333333333",
    190: "33333333311333333333332333222222222222222222222222222222222222",
    253: "2" * 62,
    316: "32333233" + "1" * 54,
    379: "121111221113111112223331221" + "1" * 35,
}
"""The labels of each line, by its first record; a line had 63, and six more lines are not there."""

UNLIKE = {
    1: "40 of 55 labels in their places; all 55 are ours in order, with 8 left out",
    64: "40 of 55 labels in their places; all 55 are ours in order, with 8 left out",
    127: "50 of 62 labels in their places; 60 are ours in order",
    190: "60 of 62 labels in their places; 61 are ours in order",
    253: "26 of 62 labels in their places; then all are 2",
    316: "55 of 62 labels in their places; ours has some 2 and 3 among the 1",
}
"""What agrees in the lines that are not ours."""

SPOILT = "labels were lost or repeated in the available text, which has {} of the line's 63: {}"


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


TABLES = (
    Cells(
        KEY,
        "Section 3, Census",
        {"records": "1080", "attributes": "13"},
        "census, its shape",
        _shape,
        datasets=("census",),
    ),
    Cells(
        KEY,
        "Section 4, Census",
        grid([f"record {record}" for record in CENSUS], ATTRIBUTES, " ".join(CENSUS.values())),
        "census, as it is",
        _records,
        datasets=("census",),
    ),
    Cells(
        KEY,
        "Section 4.1, clu",
        {f"[{line},]": group for line, group in CLU.items()},
        "census, the three records nearest to the printed seed, the last of the line, between "
        "z-scores: in lines 268 to 270 of all that are not below, in lines 1 to 4 of those listed",
        _clu,
        datasets=("census",),
    ),
    Cells(
        KEY,
        "Section 4.1, protected",
        grid([f"record {r}" for r in PROTECTED], ATTRIBUTES, " ".join(PROTECTED.values())),
        "census, the means of "
        + " ".join("{" + ",".join(map(str, sorted(group))) + "}" for group in GROUPS)
        + ", the only sets of four with such means",
        _protected,
        datasets=("census",),
    ),
    Cells(
        KEY,
        "Section 4.1, groups",
        {"": ONE_RUN},
        "census, the fifteen groups of four",
        _one_run,
        datasets=("census",),
    ),
    Cells(
        KEY,
        "Section 4.2, clustering vector",
        {f"[{first}]": " ".join(labels) for first, labels in VECTOR.items()},
        THREE.text,
        _vector,
        recipes=(THREE,),
        doubts={
            f"[{first}]": Doubt(DIFFERS, SPOILT.format(len(VECTOR[first]), why))
            for first, why in UNLIKE.items()
        },
    ),
)
