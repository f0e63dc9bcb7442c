"""k-Ward and the sorting algorithms, measured: `python -m tests.benchmarks.ward [FILTER]`.

Needs REFAGG_DATA. Times are of the process, the space included; IL is on population z-scores.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from time import process_time
from typing import Any

from refagg.algorithms.hierarchical import k_ward
from refagg.algorithms.hierarchical.secure_k_ward import published_values
from refagg.catalogue import specification
from refagg.cursors.parts import Parts, on_parts
from refagg.cursors.remaining import Cursor
from refagg.data.standardise import standardise
from refagg.data.tables import Table
from refagg.datasets import load
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.release.masking import microaggregate
from refagg.release.measures import information_loss, sse, sst
from refagg.spaces.binary64 import FloatSpace
from refagg.spaces.of_tables import ARITHMETICS

SETS = ("tarragona", "census")
SIZES = (3, 4, 5, 10)


def loss(scaled: Any, partition: Partition) -> float:
    return float(information_loss(sse(scaled, partition), sst(scaled)))


def shown(numbers: Iterable[float]) -> str:
    return " ".join(f"{number:.4f}" for number in numbers)


def tables() -> None:
    """IL of k-Ward, projections and blocks in file order, at k = 3, 4, 5, 10; seconds at k = 3."""
    requests: list[tuple[str, dict[str, str]]] = [
        ("k-ward", {}),
        ("projection", {}),
        ("projection", {"by": "sum-of-z-scores", "order": "ascending"}),
        ("projection", {"by": "sum-of-z-scores", "order": "descending"}),
        ("projection", {"by": "attribute", "order": "ascending"}),
        ("blocks-in-file-order", {}),
    ]
    for name in SETS:
        scaled = standardise(load(name))
        for algorithm, parameters in requests:
            spec = specification(algorithm)
            settings = spec.settings(parameters)
            took = {}
            for arithmetic in spec.arithmetics(settings):
                start = process_time()
                spec.run(ARITHMETICS[arithmetic](scaled), 3, Choices(), **settings)
                took[arithmetic] = f"{process_time() - start:.2f} s {arithmetic}"
            space = FloatSpace(scaled)
            losses = [loss(scaled, spec.run(space, k, Choices(), **settings)) for k in SIZES]
            said = ",".join(parameters.values())
            print(f"{name}, {algorithm}[{said}]: IL {shown(losses)}; {', '.join(took.values())}")


def each_attribute() -> None:
    """Algorithms for one attribute, on every attribute by itself; IL of the whole table."""
    requests: list[tuple[str, dict[str, Any]]] = [
        ("individual-ranking", {}),
        ("individual-ranking", {"order": "descending"}),
        ("k-ward-univariate", {}),
        ("secure-k-ward", {}),
        ("secure-k-ward", {"rho": 1}),
    ]
    for name in SETS:
        table = load(name)
        blocks = [[column] for column in table.names]
        for algorithm, parameters in requests:
            sizes = SIZES if algorithm == "individual-ranking" else (3,)
            start = process_time()
            losses = []
            for k in sizes:
                release = microaggregate(
                    table, k, algorithm, blocks=blocks, arithmetic="float", parameters=parameters
                )
                losses.append(float(information_loss(release.sse, release.sst)))
            took = (process_time() - start) / len(sizes)
            print(f"{name}, {algorithm} {parameters}: IL {shown(losses)}; {took:.2f} s each")


def first_groups() -> None:
    """k-Ward for several attributes around the ends that MDAV would take, instead of MD's."""

    def around_x_r_and_x_s(cursor: Cursor, k: int) -> None:
        x_r = cursor.farthest("x_r", cursor.average())
        x_s = cursor.farthest("x_s", x_r, without={x_r})
        cursor.group("near", x_r, k, without={x_s})
        cursor.group("near", x_s, k)

    def as_mdav(parts: Parts, k: int) -> None:
        k_ward.until_small(parts, k, around_x_r_and_x_s)

    for name in SETS:
        scaled = standardise(load(name))
        space = FloatSpace(scaled)
        for start, algorithm in (("MD", k_ward.k_ward), ("MDAV", as_mdav)):
            losses = [loss(scaled, on_parts(algorithm)(space, k, Choices())) for k in SIZES]
            print(f"{name}, k-ward, first groups as {start}: IL {shown(losses)}")


def division() -> None:
    """How many groups of k-Ward have 2k records or more at first, and are divided."""
    for name in SETS:
        space = FloatSpace(standardise(load(name)))
        counts = []
        for k in SIZES:
            choices = Choices(trace=[])
            on_parts(k_ward.k_ward)(space, k, choices)
            counts.append(sum(event.name == "pair" for event in choices.trace or ()) - 1)
        print(f"{name}, k-ward, divided again at k = 3, 4, 5, 10: {' '.join(map(str, counts))}")


def deviations() -> None:
    """What the inter-group step of secure-k-Ward is for: the total deviation, in units of the
    standard deviation of the attribute, as published, and with `below` everywhere."""
    for name in SETS:
        for column in load(name).columns[:4]:
            table = Table((column,))
            release = microaggregate(
                table, 3, "secure-k-ward", arithmetic="float", parameters={"rho": 1}
            )
            values = column.values(range(table.n))
            groups = release.partition.groups
            eps, rho = Fraction(1, 10), Fraction(1)
            below = [published_values(values, [g], eps, rho, "relative")[0] for g in groups]
            both = published_values(values, groups, eps, rho, "relative")
            unit = float(sst(standardise(table, "none")) / table.n) ** 0.5
            changed = sum(
                y != sum((values[r] for r in g), Fraction(0)) / len(g)
                for y, g in zip(both, groups, strict=True)
            )
            print(
                f"{name}, {column.name}: {changed} of {len(groups)} groups insecure; total "
                f"{total(both, groups, values) / unit:.4f} and, each by itself, "
                f"{total(below, groups, values) / unit:.4f}"
            )


def total(
    of_groups: Sequence[Fraction], groups: Sequence[Sequence[int]], values: Sequence[Fraction]
) -> float:
    published_sum = sum((len(g) * y for y, g in zip(of_groups, groups, strict=True)), Fraction(0))
    return float(published_sum - sum(values, Fraction(0)))


BENCHMARKS: tuple[Callable[[], None], ...] = (
    tables,
    each_attribute,
    first_groups,
    division,
    deviations,
)

if __name__ == "__main__":
    for benchmark in BENCHMARKS:
        if len(sys.argv) == 1 or sys.argv[1] in benchmark.__name__:
            benchmark()
