"""The claims of Alarte Aleixandre about MDAV and agglomeration: all tables with results, the toy
table of 19 records, and what the text says of them.

The thesis divides by the sample standard deviation, and prints decimal commas.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from refagg.data import datasets
from refagg.data.csvfiles import read_sheet
from refagg.literature.cells import (
    UNEXPLAINED,
    Cells,
    Compute,
    Doubt,
    Finding,
    Library,
    Value,
    grid,
    nothing,
    unknown,
)
from refagg.literature.claims import KS, Claim, Recipe
from refagg.literature.verdicts import number

KEY = "ALA18"
REFERENCE = (
    "J. Alarte Aleixandre, Application of clustering techniques to privacy protection, "
    "master thesis, UOC 2018"
)

TABLE_5_3 = "798,44 1051,28 1274,83 1985,65"
"""The SSE of MDAV on Census for k = 3, 4, 5, 10."""

AGGLOMERATIVE = (
    ("6.1", "single", "2k-1", "none", "1284,95 1919,07 2154,53 3469,41"),
    ("7.1", "single", "k", "none", "1038,30 1363,40 1664,5 2379,23"),
    ("7.2", "single", "k", "none", "1038,3 1363,4 1664,5 2379,23"),
    ("7.2", "complete", "k", "none", "1908,67 2196,23 3852,33 4771,5"),
    ("7.2", "centroid", "k", "none", "1703,3 1679,7 1979,91 3112,41"),
    ("7.3", "single", "k", "size", "877,39 1338,52 1624,83 2802,90"),
)
"""Table, linkage, cap, priority, and the SSE on Census for k = 3, 4, 5, 10."""

DIFFERENCES = "78,95 287,24 350,00 817,25"
"""Table 8.1: how much more than MDAV the agglomeration of Table 7.3 loses."""

SECONDS = {
    "Table 5.3, MDAV": "39 32 27 19",
    "Table 6.1": "192 169 175 150",
    "Table 7.1": "233 210 208 146",
    "Table 7.2, single linkage": "233 210 208 146",
    "Table 7.2, complete linkage": "271 240 231 309",
    "Table 7.2, centroid linkage": "20598 19547 19276 20209",
    "Table 7.3": "5470 3529 4710 4232",
    "Table 8.1, MDAV": "39 32 27 19",
    "Table 8.1, improved HAC": "5470 3529 4710 4232",
}
"""The seconds that the source's programs took, for k = 3, 4, 5, 10."""

TOY_SECONDS = ("Section 5.2, toy, MDAV", "Section 6.2, toy, HAC")
"""Where the source prints 0 seconds for k = 4."""

TABLE_5_2 = """
    3.428571 7.428571   3.428571 7.428571   1.500000 2.750000   1.500000 2.750000
    3.250000 12.250000  3.250000 12.250000  3.428571 7.428571   6.250000 4.750000
    6.250000 4.750000   1.500000 2.750000   3.428571 7.428571   6.250000 4.750000
    1.500000 2.750000   3.250000 12.250000  6.250000 4.750000   3.428571 7.428571
    3.428571 7.428571   3.428571 7.428571   3.250000 12.250000
"""
"""What sdcMicro makes of the toy table: two values of each record."""

DOUBTFUL = {
    ("7.2", "complete", 5): "a misprint: 2852.33 is what the procedure of the other cells gives",
    **{
        ("7.2", "centroid", k): "tried, with the procedure of the other cells: distances of "
        "centroids, their squares, those of the values as they are, midpoints of centroids"
        for k in KS
    },
}
"""The cells that are not reproduced, by table, linkage and k."""


def _hac(linkage: str, cap: str, priority: str) -> tuple[tuple[str, str], ...]:
    """The parameters of the thesis: distances are Euclidean, and leftovers need none."""
    return (
        ("linkage", linkage),
        ("metric", "euclidean"),
        ("cap", cap),
        ("priority", priority),
        ("leftovers", "free-capacity"),
    )


def _agglomerative(
    table: str, linkage: str, cap: str, priority: str, k: int, printed: str
) -> Claim:
    doubt = DOUBTFUL.get((table, linkage, k), "")
    return Claim(
        KEY,
        f"Table {table}, Census, k={k}, {linkage} linkage",
        printed,
        Recipe("census", "hac", k, _hac(linkage, cap, priority), standardise="sample"),
        reason=doubt,
        reached=not doubt,
        misprint=doubt.startswith("a misprint"),
    )


def _mdav(k: int) -> Recipe:
    return Recipe("census", "mdav-2k", k, (("leftovers", "block"),), standardise="sample")


TOY_SDCMICRO = Recipe("ala18-toy", "mdav", 4, standardise="sample")
TOY_OWN = Recipe(
    "ala18-toy", "mdav-2k", 4, (("leftovers", "nearest-record"),), standardise="sample"
)
TOY_HAC = Recipe("ala18-toy", "hac", 4, _hac("single", "2k-1", "none"), standardise="sample")

NO_RULE = (
    "no rule for leftover records gives this SSE with the printed sizes; tried: the nearest record "
    "(7,92, sizes 4 4 5 6), the nearest centroid (8,22, sizes 4 5 5 5), all to one group (8,14), "
    "the last group (8,20)"
)

CLAIMS = (
    *(
        Claim(KEY, f"Table 5.3, Census, k={k}, MDAV", printed, _mdav(k))
        for k, printed in zip(KS, TABLE_5_3.split(), strict=True)
    ),
    Claim(KEY, "Section 5.2, toy, k=4, MDAV of sdcMicro, SSE", "8,20", TOY_SDCMICRO),
    Claim(
        KEY,
        "Section 5.2, toy, k=4, MDAV of the thesis, SSE",
        "7,93",
        TOY_OWN,
        reason=NO_RULE,
        reached=False,
    ),
    Claim(KEY, "Section 6.2, toy, k=4, single linkage up to 2k-1, SSE", "20,56", TOY_HAC),
    *(
        _agglomerative(table, linkage, cap, priority, k, printed)
        for table, linkage, cap, priority, cells in AGGLOMERATIVE
        for k, printed in zip(KS, cells.split(), strict=True)
    ),
)


# The toy table


def _masked(library: Library) -> dict[str, Value]:
    """The centroids in the place of the records, as they are without standardisation."""
    table = datasets.load(TOY_SDCMICRO.dataset)
    found: dict[str, Value] = {}
    for group in library.partition(TOY_SDCMICRO).groups:
        for column in table.columns:
            mean = sum(column.values(group), Fraction(0)) / len(group)
            found |= {f"record {record + 1}, {column.name}": mean for record in group}
    return found


def _sizes(recipe: Recipe, largest_first: bool) -> Compute:
    def compute(library: Library) -> dict[str, Value]:
        sizes = sorted(map(len, library.partition(recipe).groups), reverse=largest_first)
        return {"": " ".join(map(str, sizes))}

    return compute


def _toy_sizes(place: str, printed: str, recipe: Recipe, doubt: Doubt = UNEXPLAINED) -> Cells:
    largest_first = printed[0] > printed[-1]
    return Cells(
        KEY,
        f"{place}, sizes",
        {"": printed},
        recipe.text,
        _sizes(recipe, largest_first),
        recipes=(recipe,),
        doubt=doubt,
    )


# Table 3.1


def _anonymous(_: Library) -> dict[str, Value]:
    name = "ala18-table31"
    sheet = read_sheet(datasets.path_of(name))
    columns = [sheet.header.index(c) for c in ("Year", "Grade", "ZIP", "Sex")]
    classes = Counter(tuple(row[j] for j in columns) for row in sheet.rows)
    return {"k": Fraction(min(classes.values()))}


# Table 8.1


IMPROVED = {
    k: Recipe("census", "hac", k, _hac("single", "k", "size"), standardise="sample") for k in KS
}


TABLE_8_1 = tuple(recipe for k in KS for recipe in (_mdav(k), IMPROVED[k]))


def _losses(library: Library) -> dict[str, Value]:
    return {
        f"k={k}, {column}": library.sse(recipe)
        for k in KS
        for column, recipe in (("MDAV", _mdav(k)), ("improved HAC", IMPROVED[k]))
    }


def _differences(library: Library) -> dict[str, Value]:
    return {
        f"k={k}, difference": library.sse(recipe) - library.sse(_mdav(k))
        for k, recipe in IMPROVED.items()
    }


def _table_8_1(columns: dict[str, str], compute: Compute, margin: Fraction) -> Cells:
    return Cells(
        KEY,
        "Table 8.1, Census",
        {
            f"k={k}, {column}": cell
            for column, row in columns.items()
            for k, cell in zip(KS, row.split(), strict=True)
        },
        "; ".join(recipe.text for recipe in TABLE_8_1),
        compute,
        recipes=TABLE_8_1,
        margin=margin,
    )


# Statements about the printed numbers


def _printed(table: str, linkage: str = "single") -> list[Fraction]:
    (cells,) = (row[-1] for row in AGGLOMERATIVE if row[:2] == (table, linkage))
    return list(map(number, cells.split()))


def _seconds(table: str) -> list[int]:
    return list(map(int, SECONDS[table].split()))


def _all(smaller: Sequence[float | Fraction], larger: Sequence[float | Fraction]) -> Finding:
    """Is each number less than the other one?"""
    less = [a < b for a, b in zip(smaller, larger, strict=True)]
    others = ", ".join(f"k={k}" for k, yes in zip(KS, less, strict=True) if not yes)
    return Finding(
        all(less),
        f"at {sum(less)} of {len(less)} values of k",
        f"not at {others}" if others else "",
    )


def _rising(numbers: Sequence[float | Fraction]) -> Finding:
    steps = [a < b for a, b in pairwise(numbers)]
    return Finding(all(steps), " ".join(f"{float(x):g}" for x in numbers))


def _falling(numbers: Sequence[int]) -> Finding:
    steps = [a > b for a, b in pairwise(numbers)]
    return Finding(all(steps), " ".join(map(str, numbers)))


def _about(found: Fraction, stated: str) -> Finding:
    """Within a tenth of what is stated?"""
    return Finding(abs(found / number(stated) - 1) <= Fraction(1, 10), f"{float(found):.2f}")


def _more(larger: Sequence[float | Fraction], smaller: Sequence[float | Fraction]) -> list[float]:
    """By how many percent?"""
    return [100 * float(a / b - 1) for a, b in zip(larger, smaller, strict=True)]


def _percents(shares: Sequence[float]) -> str:
    return " ".join(f"{share:.0f}" for share in shares) + " % more"


def _far_more(larger: Sequence[Fraction], others: Mapping[str, Sequence[Fraction]]) -> Finding:
    """At every k by more than half?"""
    shares = {name: _more(larger, other) for name, other in others.items()}
    return Finding(
        all(share > 50 for of in shares.values() for share in of),
        "; ".join(f"{_percents(of)} than {name}" for name, of in shares.items()),
        "far is taken as more than half as much again; it is more at every k",
    )


def _slightly_more(smaller: Sequence[int], larger: Sequence[int]) -> Finding:
    """More at every k, but nowhere by half?"""
    shares = _more(larger, smaller)
    return Finding(
        all(0 < share < 50 for share in shares),
        _percents(shares),
        f"at k = 10 {smaller[-1]} and {larger[-1]} seconds",
    )


def _nearer(
    numbers: Sequence[Fraction], to: Sequence[Fraction], than: Sequence[Fraction]
) -> Finding:
    """Is each number nearer to the one than to the other?"""
    near = [abs(x - a) < abs(x - b) for x, a, b in zip(numbers, to, than, strict=True)]
    others = ", ".join(f"k={k}" for k, yes in zip(KS, near, strict=True) if not yes)
    return Finding(
        all(near),
        f"nearer to single linkage at {sum(near)} of {len(near)} values of k",
        f"not at {others}, as printed" if others else "",
    )


STATEMENTS = {
    "Section 5.2, toy": "the MDAV of sdcMicro loses more than that of the thesis",
    "Section 5.3, SSE of MDAV": "the larger k, the larger",
    "Section 5.3, time": "k = 3 takes twice the time of k = 10",
    "Section 5.3, time and k": "the larger k, the less",
    "Section 6.2, toy": "HAC loses more than MDAV, 20,56 and 7,93",
    "Section 6.3, SSE": "the larger k, the larger",
    "Section 6.3, time": "the larger k, the less",
    "Section 6.3, HAC and MDAV": "HAC takes more time",
    "Section 7.1": "up to k records loses less than up to 2k-1, for every k",
    "Section 7.2, SSE of complete linkage": "far more than that of single and centroid linkage",
    "Section 7.2, SSE of centroid linkage": "similar to single linkage, not to complete linkage",
    "Section 7.2, time of complete linkage": "slightly more than single linkage",
    "Section 7.2, time of single linkage": "less than the other two",
    "Section 7.3, SSE": "priority loses less for small k, and more for k = 10",
    "Section 7.3, time": "priority takes more than 10 times the time",
    "Chapter 8, difference": "the larger k, the larger",
    "Chapter 8, k = 4": "the difference is about 3,5 times that at k = 3",
    "Chapter 8, k = 5": "the difference is about 60 more than at k = 4",
    "Chapter 8, k = 10": "the difference is about 2,5 times that at k = 5",
    "Chapter 8, time": "HAC with priority takes more than 100 times the time of MDAV",
}


def _statements(_: Library) -> dict[str, Value]:
    mdav, differences = list(map(number, TABLE_5_3.split())), list(map(number, DIFFERENCES.split()))
    plain, improved = _printed("7.1"), _printed("7.3")
    fast, slow, slower = _seconds("Table 5.3, MDAV"), _seconds("Table 7.1"), _seconds("Table 7.3")
    less = [a < b for a, b in zip(improved, plain, strict=True)]
    single, complete, centroid = (_printed("7.2", of) for of in ("single", "complete", "centroid"))
    times = [_seconds(f"Table 7.2, {of} linkage") for of in ("single", "complete", "centroid")]
    found = (
        Finding(number("8,20") > number("7,93"), "8,20 and 7,93, as printed"),
        _rising(mdav),
        _about(Fraction(fast[0], fast[-1]), "2"),
        _falling(fast),
        Finding(number("20,56") > number("7,93"), "20,56 and 7,93, as printed"),
        _rising(_printed("6.1")),
        _falling(_seconds("Table 6.1")),
        _all(fast, _seconds("Table 6.1")),
        _all(plain, _printed("6.1")),
        _far_more(complete, {"single": single, "centroid": centroid}),
        _nearer(centroid, single, complete),
        _slightly_more(*times[:2]),
        _all(times[0], list(map(min, *times[1:]))),
        Finding(less == [True, True, True, False], f"less at {sum(less)} values of k"),
        _all([10 * t for t in slow], slower),
        _rising(differences),
        _about(differences[1] / differences[0], "3,5"),
        _about(differences[2] - differences[1], "60"),
        _about(differences[3] / differences[2], "2,5"),
        _all([100 * t for t in fast], slower),
    )
    return dict(zip(STATEMENTS, found, strict=True))


# The best linkage


LINKAGES = {
    (linkage, k): Recipe("census", "hac", k, _hac(linkage, "k", "none"), standardise="sample")
    for linkage in ("single", "complete", "centroid")
    for k in KS
}


def _linkages(library: Library) -> dict[str, Value]:
    single, complete, centroid = (
        [library.sse(LINKAGES[linkage, k]) for k in KS]
        for linkage in ("single", "complete", "centroid")
    )
    return {
        "single and complete linkage": _all(single, complete),
        "single and centroid linkage": _all(single, centroid),
    }


TABLES = (
    Cells(
        KEY,
        "Table 3.1, Year, Grade, ZIP, Sex",
        {"k": "2"},
        "ala18-table31, size of the smallest class",
        _anonymous,
    ),
    Cells(
        KEY,
        "Table 5.2",
        grid([f"record {record}" for record in range(1, 20)], ("Var1", "Var2"), TABLE_5_2),
        TOY_SDCMICRO.text,
        _masked,
        recipes=(TOY_SDCMICRO,),
    ),
    _toy_sizes("Section 5.2, toy, k=4, MDAV of sdcMicro", "7 4 4 4", TOY_SDCMICRO),
    _toy_sizes("Section 5.2, toy, k=4, MDAV of the thesis", "4 5 5 5", TOY_OWN, unknown(NO_RULE)),
    _toy_sizes("Section 6.2, toy, k=4, single linkage up to 2k-1", "7 6 6", TOY_HAC),
    _table_8_1({"MDAV": TABLE_5_3, "improved HAC": AGGLOMERATIVE[-1][-1]}, _losses, Fraction(0)),
    _table_8_1({"difference": DIFFERENCES}, _differences, Fraction(1, 100)),
    Cells(KEY, "", STATEMENTS, "the printed numbers", _statements),
    Cells(
        KEY,
        "Section 7.2",
        {
            "single and complete linkage": "single linkage loses less, for every k",
            "single and centroid linkage": "single linkage loses less, for every k",
        },
        "; ".join(recipe.text for recipe in LINKAGES.values()),
        _linkages,
        recipes=tuple(LINKAGES.values()),
    ),
    Cells(
        KEY,
        "Seconds",
        {
            f"{place}, k={k}": printed
            for place, row in SECONDS.items()
            for k, printed in zip(KS, row.split(), strict=True)
        }
        | {f"{place}, k=4": "0" for place in TOY_SECONDS},
        "none",
        nothing,
        doubt=unknown("a time of the source's machine and programs, which is no result"),
    ),
)
