"""Time and memory of every algorithm: `python -m tests.benchmarks.algorithms [FILTER]`.

Each is run with its default parameters at k = 3, in floats where it can be, on Census (which needs
REFAGG_DATA) and on tables of drawn normal numbers that double in size. FILTER is a part of a
name. An exponent p says that the cost grows as n^p, fitted to all sizes by least squares; sizes
that would take longer than PATIENCE are left out.
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from math import log2
from statistics import NormalDist, linear_regression
from typing import Any

from refagg.catalogue import CATALOGUE
from refagg.data.standardise import Scaled, standardise
from refagg.data.tables import Column, Table
from refagg.datasets import load
from refagg.errors import DatasetUnavailable
from refagg.language.choices import Choices
from refagg.language.random_stream import seeded
from refagg.language.specification import Specification
from refagg.spaces.of_tables import ARITHMETICS

K = 3
SIZES = (250, 500, 1000, 2000)
ATTRIBUTES = 5
PATIENCE = 60.0
"""Seconds that the next size may take, by what the last one took."""

SLOWER_WHEN_TRACED = 5.0
"""About how many times longer a run takes while its memory is traced."""

CENSUS_SECONDS = {
    "hac": 20.0,
    "genetic": 60.0,
    "one-step": 60.0,
    "two-step": 60.0,
    "mu-approx": 60.0,
}
"""The bound on Census at k = 3, by how a name begins; it is USUALLY otherwise."""
USUALLY = 5.0

IN_THE_SOURCE = {"hac": "150 to 20598 s in ALA18"}
"""The time that a source gives for its own program, by how a name begins."""

Work = Callable[[], object]


def by_name(entries: dict[str, Any], name: str, otherwise: Any) -> Any:
    """The entry whose key begins the name."""
    return next((entry for key, entry in entries.items() if name.startswith(key)), otherwise)


def normal_table(n: int, attributes: int = ATTRIBUTES) -> Table:
    """n records of independent normal numbers, to six decimals."""
    draw, normal = seeded(1).randbelow, NormalDist()
    values = ((draw(1 << 32) + 0.5) / (1 << 32) for _ in iter(int, 1))
    numbers = [round(normal.inv_cdf(next(values)) * 10**6) for _ in range(n * attributes)]
    columns = [Column(f"x{j + 1}", numbers[j::attributes], 1) for j in range(attributes)]
    return Table(tuple(columns))


def run_of(spec: Specification, table: Table) -> Work:
    """One run of the algorithm, the space included; of one attribute where it needs that."""
    scaled = standardise(table if spec.attributes == "any" else table.select(table.names[:1]))
    settings = spec.settings({})
    possible = spec.arithmetics(settings)
    arithmetic = "float" if "float" in possible else possible[0]

    def work(scaled: Scaled = scaled) -> object:
        space = ARITHMETICS[arithmetic](scaled)
        k = K if spec.yields == "partition" else 1
        return spec.run(space, k, Choices(stream=seeded(1)), **settings)

    return work


def seconds(work: Work) -> float:
    """The time of some work: the least of three runs, or of fewer if they are long."""
    times: list[float] = []
    while len(times) < 3 and sum(times) < 2:
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def peak(work: Work) -> float:
    """The greatest memory in MiB that some work has at once."""
    tracemalloc.start()
    work()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / 2**20


def exponent(sizes: Sequence[int], costs: Sequence[float]) -> str:
    """p, if the costs grow as n^p."""
    if len(costs) < 2:
        return "-"
    logs = [log2(max(cost, 1e-9)) for cost in costs]
    slope = linear_regression([log2(n) for n in sizes[: len(costs)]], logs).slope
    return f"{slope:.2f}"


def census(spec: Specification) -> str:
    """The time on Census against its bound, and the source's own."""
    try:
        took = seconds(run_of(spec, load("census")))
    except DatasetUnavailable:
        return "Census: not at hand"
    bound = by_name(CENSUS_SECONDS, spec.name, USUALLY)
    told = by_name(IN_THE_SOURCE, spec.name, "")
    verdict = "kept" if took <= bound else "NOT KEPT"
    note = f"; {told}" if told else ""
    return f"Census {took:.2f} s (bound {bound:g}: {verdict}{note})"


def growth(spec: Specification) -> tuple[list[float], list[float]]:
    """Seconds, and MiB, at each of SIZES, up to those that would take too long."""
    times: list[float] = []
    peaks: list[float] = []
    for n in SIZES:
        work = run_of(spec, normal_table(n))
        expected = times[-1] * 8 if times else 0.0
        if expected > PATIENCE:
            break
        times.append(seconds(work))
        if len(peaks) == len(times) - 1 and times[-1] * SLOWER_WHEN_TRACED <= PATIENCE:
            peaks.append(peak(work))
    return times, peaks


def line(name: str, costs: Sequence[float], form: str) -> str:
    shown = "  ".join(format(cost, form) for cost in costs)
    missing = "  ".join("-".rjust(8) for _ in SIZES[len(costs) :])
    return (
        f"  {name:<8}"
        + "  ".join(filter(None, (shown, missing)))
        + (f"  n^{exponent(SIZES, costs)}")
    )


def measure(spec: Specification) -> None:
    """Print what one algorithm costs."""
    print(f"{spec.name}: {census(spec)}; stated cost: {spec.cost}", flush=True)
    times, peaks = growth(spec)
    print(f"  {'n':<8}" + "  ".join(str(n).rjust(8) for n in SIZES))
    print(line("seconds", times, "8.3f"))
    print(line("MiB", peaks, "8.3f"), flush=True)


def main(part: str = "") -> None:
    print(f"k = {K}; drawn tables of {ATTRIBUTES} attributes")
    for spec in CATALOGUE.values():
        if part in spec.name:
            try:
                measure(spec)
            except Exception as error:  # the others are still to be measured
                print(f"{spec.name}: {type(error).__name__}: {error}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:2])
