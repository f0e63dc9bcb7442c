"""The tables of Valls and Gomez-Alonso about KSHC: Example 1 and what the text says of it.

Cuadro 1 holds the nine sequences (the data set `vg-sequences`), Cuadro 2 their OSS
dissimilarities, Cuadro 3 the deltas of the clusters after step 1. Both have two decimals, of which
most zeros at the end are not printed. Sequences are numbered from 0, and clusters go on from 9, as
in the source.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil

from refagg.algorithms.hierarchical.kshc import kshc
from refagg.data import datasets
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.literature.cells import Cells, Finding, Library, Value, misprint, unknown
from refagg.literature.claims import Claim
from refagg.spaces.sequences import sequence_space

KEY = "VG"
REFERENCE = (
    "A. Valls, C. Gomez-Alonso, El algoritmo de microagregacion KSHC para anonimizacion de "
    "secuencias de datos categoricos"
)

DATASET = "vg-sequences"
K = 3

CUADRO_2 = """
    0.0  0.5  1.0  1.0  0.46 1.0  1.0  1.0  0.75
    0.5  0.0  0.75 0.81 0.06 0.78 1.0  0.75 0.81
    1.0  0.75 0.0  0.21 0.79 0.29 0.6  0.3  0.43
    1.0  0.81 0.21 0.0  0.84 0.19 0.3  0.18 0.34
    0.46 0.06 0.78 0.84 0.0  0.75 1.0  0.79 0.78
    1.0  0.78 0.29 0.19 0.75 0.0  0.46 0.32 0.31
    1.0  1.0  0.6  0.3  1.0  0.46 0.0  0.2  0.42
    1.0  0.75 0.3  0.18 0.79 0.32 0.2  0.0  0.5
    0.79 0.81 0.43 0.34 0.78 0.31 0.42 0.5  0.0
"""

CUADRO_3 = """
    0.0  0.46 1.0  0.75
    0.46 0.0  0.75 0.75
    1.0  0.75 0.0  0.20
    0.79 0.75 0.20 0.0
"""

RECORDS = tuple(str(record) for record in range(9))
AFTER_STEP_1 = ("0", "C9", "C11", "C13")

LOST_DIGIT = misprint("1/3 has the decimals 0.33, of which the second is lost")

Clusters = dict[str, tuple[int, ...]]


def _square(names: tuple[str, ...], digits: str) -> dict[str, str]:
    """The cells of a square table, (row,column)."""
    places = [f"({row},{column})" for row in names for column in names]
    return dict(zip(places, digits.split(), strict=True))


def _deltas(clusters: Mapping[str, tuple[int, ...]]) -> dict[str, Value]:
    """The least dissimilarity of each two clusters, 0 of one from itself."""
    space = sequence_space(datasets.load_sequences(DATASET), "oss")
    return {
        f"({one},{other})": min(space.between(a, b) for a in clusters[one] for b in clusters[other])
        if one != other
        else Fraction(0)
        for one in clusters
        for other in clusters
    }


def _run() -> tuple[Clusters, Partition]:
    """The clusters of Example 1 at the end of step 1, named as in the source, and the groups."""
    sequences = datasets.load_sequences(DATASET)
    choices = Choices(trace=[])
    partition = kshc(sequence_space(sequences, "oss"), K, choices, linkage="single")
    clusters: Clusters = {str(record): (record,) for record in range(len(sequences))}
    reserved, name = 0, len(sequences)
    for event in choices.trace or ():
        if event.name == "merged":
            union = tuple(sorted(record for part in event.items for record in part))
            kept = {key: c for key, c in clusters.items() if not set(c) <= set(union)}
            clusters = kept | {f"C{name}": union}
            name += 1
        reserved += event.name == "note: reserved"
        if reserved == ceil(len(sequences) / (2 * K - 1)):
            break
    return clusters, partition


def _cuadro_2(_: Library) -> dict[str, Value]:
    return _deltas({record: (int(record),) for record in RECORDS})


def _cuadro_3(_: Library) -> dict[str, Value]:
    return _deltas(_run()[0])


def _braces(records: tuple[int, ...]) -> str:
    return "{" + ",".join(map(str, records)) + "}"


EXAMPLE_1 = {
    "C9": "{1,4}",
    "C11": "{3,5,7}",
    "C13": "{2,6,8}",
    "clusters after step 1": "3",
    "clusters of step 2": "11 12 13",
    "record that is left": "0",
    "least delta": "0.2",
    "size of C11 and C13, 2k": "6",
    "next delta": "0.46",
    "groups": "{0,1,4} {2,6,8} {3,5,7}",
}


def _example_1(_: Library) -> dict[str, Value]:
    clusters, partition = _run()
    single = [name for name, members in clusters.items() if len(members) == 1]
    deltas = sorted({value for value in _deltas(clusters).values() if value})  # type: ignore[type-var]
    return {
        **{name: _braces(members) for name, members in clusters.items() if name not in single},
        "clusters after step 1": str(len(clusters) - len(single)),
        "clusters of step 2": " ".join(name[1:] for name in clusters if name not in single),
        "record that is left": " ".join(single),
        "least delta": deltas[0],
        "size of C11 and C13, 2k": str(len(clusters["C11"]) + len(clusters["C13"])),
        "next delta": deltas[1],
        "groups": " ".join(map(_braces, partition.groups)),
    }


STATEMENTS = {
    "Cuadro 2, symmetric": "a dissimilarity is the same both ways",
    "Example 2, sequences": "8 sequences, of which 3 are above and 6 below",
    "Example 2, sizes": "with k = 3 clusters have 3 to 5 records",
}


def _statements(_: Library) -> dict[str, Value]:
    printed = _square(RECORDS, CUADRO_2)
    uneven = [
        f"({a},{b})"
        for a in RECORDS
        for b in RECORDS
        if a > b and printed[f"({a},{b})"] != printed[f"({b},{a})"]
    ]
    return {
        "Cuadro 2, symmetric": Finding(not uneven, f"not in {' and '.join(uneven)}"),
        "Example 2, sequences": Finding(3 + 6 == 8, f"3 + 6 = {3 + 6}"),
        "Example 2, sizes": Finding((K, 2 * K - 1) == (3, 5), f"k to 2k-1 is {K} to {2 * K - 1}"),
    }


CLAIMS: tuple[Claim, ...] = ()

TABLES = (
    Cells(
        KEY,
        "Cuadro 2",
        _square(RECORDS, CUADRO_2),
        f"{DATASET}, OSS",
        _cuadro_2,
        datasets=(DATASET,),
        doubts={
            "(8,0)": misprint("it is 3/4, and (0,8) is printed 0.75"),
            **dict.fromkeys(("(2,7)", "(7,2)", "(3,6)", "(6,3)"), LOST_DIGIT),
        },
        decimals=2,
    ),
    Cells(
        KEY,
        "Cuadro 3",
        _square(AFTER_STEP_1, CUADRO_3),
        f"{DATASET}, OSS, kshc, k={K}, linkage=single, after step 1",
        _cuadro_3,
        datasets=(DATASET,),
        doubts={"(C13,0)": misprint("it is 3/4, as (8,0) of Cuadro 2; (0,C13) is printed 0.75")},
        decimals=2,
    ),
    Cells(
        KEY,
        "Example 1, k=3",
        EXAMPLE_1,
        f"{DATASET}, OSS, kshc, k={K}, linkage=single",
        _example_1,
        datasets=(DATASET,),
        doubts={
            "clusters of step 2": misprint(
                "12 has become a part of 13; the third is 9, as in the list above and in Cuadro 3"
            )
        },
    ),
    Cells(KEY, "", STATEMENTS, "the printed table and the text", _statements),
    Cells(
        KEY,
        "Section 1, web pages",
        {"number": "294", "visits to each by a user, mean": "3"},
        "none",
        lambda _: {},
        doubt=unknown("the log of visits is not in the source"),
    ),
)
