"""Predicted costs of a run: CPU seconds and bytes of memory.

They are shown before the run begins. A file of n records and p attributes costs something by
itself, whatever masks it: linear in n and in n p. An algorithm adds factor * n^a * p^b * k^d, once
for each block and stratum. The exponents of n and p change with p: the more attributes, the less
a tree helps. The numbers are data (`costs.json`), measured by `python -m
tests.benchmarks.costs --write`: with all extras, with NumPy but nothing compiled, with neither, and
for numbers beside categories. Machines differ: a fixed loop that was timed then is timed here again
before any cost is shown.

A number of iterations multiplies what the default takes, and a value of a parameter can have
numbers of its own ("hac single"). Other values are taken for the default. Sequences, series,
dissimilarities of one's own and algorithms from elsewhere were not measured: nothing is said of
them, nor of functions.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from math import exp, log, prod
from operator import mul
from pathlib import Path
from typing import Any, NamedTuple

from refagg.catalogue import CATALOGUE
from refagg.commands.options import Data, blocks_of, kinds_of, tell
from refagg.data.csvfiles import Sheet
from refagg.data.memory import available_memory
from refagg.data.tables import records_in
from refagg.engine.filtered_pool import COLD, LARGE
from refagg.errors import BeyondMemory
from refagg.language.number_texts import bytes_text
from refagg.language.specification import Specification
from refagg.options.fields import Option
from refagg.terminal import PATIENCE, duration

COSTS = Path(__file__).with_name("costs.json")

LONG = 60
"""Of a run of more seconds it is said what could be done instead."""

KEPT = 40
"""Bytes that stay in memory of each record of a file whose strata are masked one by one."""

DIVIDED = (
    "--strata divides the records (of large files one stratum, or a part that kd-blocks cuts, is "
    "in memory at a time)"
)

FORCE = Option("run even if that takes more memory than is free", False, name="force")

Wanted = Mapping[str, tuple[Specification, Mapping[str, Any]]]
"""Algorithms with parameters, by what they are called."""


class Size(NamedTuple):
    """The records, attributes and k of one run."""

    n: int
    p: int
    k: int


class Cost(NamedTuple):
    """CPU seconds, and bytes of memory."""

    seconds: float
    size: float

    def __str__(self) -> str:
        """Return the cost for a reader.

        >>> str(Cost(8.2, 1.7e8)), str(Cost(50_000, 1.64e11))
        ('about 8 s, 170 MB', 'about 14 h, 160 GB')
        """
        return f"about {duration(self.seconds)}, {bytes_text(self.size, 2)}"


def logarithms(size: Size) -> list[float]:
    """Return the logarithms that exponents multiply.

    They are those of n, p and k, and two that say how the first exponents change with p. Beyond 2
    to 20 attributes, which were measured, the exponent of p changes no more.
    """
    more, last = log(size.p / 5), log(min(max(size.p, 2), 20) / 5)
    return [*map(log, size), log(size.n / 10_000) * more, last * (2 * more - last)]


def work_of(factor: float, exponents: Sequence[float], logs: Sequence[float]) -> float:
    """Return what an algorithm takes; exponents that are not there are 0."""
    return factor * exp(sum(map(mul, exponents, logs)))


@cache
def measured() -> Any:
    """Return what was measured."""
    return json.loads(COSTS.read_text(encoding="utf-8"))


def loop() -> float:
    """Measure the speed of this machine by a fixed loop.

    The result is the least of many times, in seconds. Each is so short that the processor seldom
    does something else meanwhile.
    """
    took = []
    for _ in range(15):
        start = time.perf_counter()  # finer than the clock of the processor may be
        sum(number * number % 7 for number in range(50_000))
        took.append(time.perf_counter() - start)
    return min(took)


def engine_for(parts: Sequence[Size], kinds: Iterable[str]) -> str:
    """Return the name of the engine in the data."""
    if set(kinds) - {"numeric"}:
        return "" if "sequence" in kinds else "kinds"
    if not find_spec("numpy"):
        return "plain"
    served = sum(part.n for part in parts if part.n >= LARGE)
    return "compiled" if served >= COLD and find_spec("numba") else "arrays"


def records_by_stratum(given: argparse.Namespace, data: Data) -> Iterable[int]:
    """Count the records of each stratum."""
    labels = data.column(given.strata) if isinstance(data, Sheet) and given.strata else None
    return Counter(labels).values() if labels else [records_in(data)]


def run_sizes(
    given: argparse.Namespace, names: Sequence[str], k: int, strata: Iterable[int]
) -> list[Size]:
    """Return the sizes of the parts that are masked separately.

    A part is a block of attributes in a stratum of so many records.
    """
    blocks = blocks_of(given.blocks, names) or [list(names)]
    return [Size(n, len(block), k) for n in strata for block in blocks]


def predicted(
    spec: Specification, settings: Mapping[str, object], parts: Sequence[Size], engine: str
) -> Cost | None:
    """Predict the cost of masking a file.

    The cost is that on the machine that was measured; None where it is not known. The parts are its
    blocks and strata.
    """
    known = measured()["engines"].get(engine, {"algorithms": {}})
    variants = (f"{spec.name} {value}" for value in settings.values())
    name = next((one for one in variants if one in known["algorithms"]), spec.name)
    if name not in known["algorithms"]:
        return predicted(spec, settings, parts, "arrays") if engine == "compiled" else None
    counts = [one for one in spec.parameters if one.name == "iterations"]
    given = (min(one.read(settings.get(one.name, one.default)), 10**15) for one in counts)
    times = prod(number / one.default for number, one in zip(given, counts, strict=True))
    totals, logs = [], [*map(logarithms, parts)]
    for file, figures in zip(known["file"], known["algorithms"][name], strict=True):
        own = [work_of(figures[0], figures[1:], one) for one in logs]
        linear = sum(part.n * (file[1] + file[2] * part.p) for part in parts)
        totals.append((file[0] + linear, sum(own), max(own)))
    (seconds, work, _), (size, _, most) = totals
    return Cost(seconds + times * work, size + most)


def costs_of(
    wanted: Wanted, parts: Sequence[Size], engine: str, one_by_one: bool
) -> dict[str, Cost]:
    """Predict the costs that are known, by what the algorithms are called."""
    costs = {name: predicted(*one, parts, engine) for name, one in wanted.items()}
    for name, cost in costs.items() if one_by_one else ():
        if alone := cost and predicted(*wanted[name], [max(parts)], engine):
            costs[name] = Cost(cost.seconds, alone.size + KEPT * sum(part.n for part in parts))
    return {name: cost for name, cost in costs.items() if cost}


def tell_costs(
    given: argparse.Namespace,
    wanted: Wanted,
    parts: Sequence[Size],
    advice: str = "",
    one_by_one: bool = False,
) -> None:
    """Say what runs of more than PATIENCE seconds will cost. Raises BeyondMemory.

    One by one, parts take the memory of the largest, and KEPT for each record.
    """
    unknown = any(map(vars(given).get, ("series", "dissimilarity", "similarity")))
    if unknown or not all(0 < part.k <= part.n and part.p for part in parts):
        return  # others are refused later
    engine = engine_for(parts, [kind.name for kind in kinds_of(given).values()])
    candidates = {"kd-blocks": (CATALOGUE["kd-blocks"], {}), **wanted}
    costs = costs_of(candidates, parts, engine, one_by_one)
    if any(cost.seconds > PATIENCE / 2 for name, cost in costs.items() if name in wanted):
        slower = loop() / measured()["loop"]
        costs = {name: Cost(slower * cost.seconds, cost.size) for name, cost in costs.items()}
    free, less = available_memory(), None if "kd-blocks" in wanted else costs.pop("kd-blocks", None)
    others = f"kd-blocks takes {less}, " if less and less.size <= free else ""
    others += "smaller strata take less" if one_by_one else DIVIDED
    for name, cost in costs.items():
        if cost.size > free and not given.force:
            raise BeyondMemory(
                f"{name} would take {cost}, and {bytes_text(free, 2)} of memory are free; "
                f"{others}, `refagg algorithms` lists others, and --force runs it all the same"
            )
    long = [f"{name}: {cost}" for name, cost in costs.items() if cost.seconds > PATIENCE]
    if any(cost.seconds > LONG for cost in costs.values()):
        long.append(others)
    if long and not given.quiet:
        tell(f"{'; '.join(long)}{advice}")
