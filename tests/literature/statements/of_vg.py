"""The tables of Valls and Gomez-Alonso about KSHC: Example 1 and what the text says of it.

Cuadro 1 holds the nine sequences (the data set `vg-sequences`), Cuadro 2 their OSS
dissimilarities, Cuadro 3 the deltas of the clusters after step 1. Both have two decimals, of which
most zeros at the end are not printed. Sequences are numbered from 0, and clusters go on from 9, as
in the source.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from math import ceil
from random import Random

from refagg import datasets, exact_space
from refagg.algorithms.hierarchical.kshc import kshc
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.spaces.sequences import sequence_space
from tests.literature.statements.looked_up import (
    Finding,
    Library,
    Value,
    printed,
)
from tests.literature.statements.sizes import less_than_2k_less_1

DATASET = "vg-sequences"
K = 3

RECORDS = tuple(str(record) for record in range(9))
Clusters = dict[str, tuple[int, ...]]


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


def _braces(records: tuple[int, ...]) -> str:
    return "{" + ",".join(map(str, records)) + "}"


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


def _statements(_: Library) -> dict[str, Value]:
    uneven = [
        f"({a},{b})"
        for a in RECORDS
        for b in RECORDS
        if a > b and printed("VG", f"Cuadro 2, ({a},{b})") != printed("VG", f"Cuadro 2, ({b},{a})")
    ]
    return {
        "Cuadro 2, symmetric": Finding(not uneven, f"not in {' and '.join(uneven)}"),
        "Example 2, sequences": Finding(3 + 6 == 8, f"3 + 6 = {3 + 6}"),
        "Example 2, sizes": Finding((K, 2 * K - 1) == (3, 5), f"k to 2k-1 is {K} to {2 * K - 1}"),
    }


def _cost(_: Library) -> dict[str, Value]:
    """The deltas that are compared to find the least one, in all steps of a run."""
    compared = []
    for n in (50, 100, 200, 400):
        random, choices = Random(1), Choices(trace=[])
        rows = [[random.randrange(10**6), random.randrange(10**6)] for _ in range(n)]
        kshc(exact_space(rows), K, choices, linkage="single")
        compared.append(sum(event.ranked for event in choices.trace or ()))
    growth = [more / less for less, more in pairwise(compared)]
    return {
        "": Finding(
            max(growth) <= 4.2,
            f"{' '.join(map(str, compared))} deltas compared for n = 50, 100, 200, 400",
            "random points, k = 3, single linkage; if the nearest cluster of each is kept: to "
            "search the whole matrix in each step, as the pseudo-code does, is O(n^3)",
        )
    }


COMPUTED = {
    "Example 1, k=3": _example_1,
    "": _statements,
    "Section 4, cost of KSHC": _cost,
    "Section 3.1.1, sizes of groups": lambda _: {"": less_than_2k_less_1()},
}
