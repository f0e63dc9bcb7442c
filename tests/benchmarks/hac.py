"""The time of every variant of hac on Census, k = 3: `python -m tests.benchmarks.hac [FILTER]`.

Needs REFAGG_DATA. Each line has a variant, its information loss, and its time in each
arithmetic that it has, the space and the standardisation not included. The bound is 20 seconds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from itertools import product
from typing import Any

from refagg.catalogue import specification
from refagg.data.standardise import standardise
from refagg.datasets import load
from refagg.errors import InvalidParameter
from refagg.language.choices import Choices
from refagg.release.measures import information_loss, sse, sst
from refagg.spaces.of_tables import ARITHMETICS

BOUND = 20.0
HAC = specification("hac")


def every_setting() -> Iterator[dict[str, Any]]:
    """All combinations of values that are possible."""
    names = [parameter.name for parameter in HAC.parameters]
    for values in product(*(parameter.values for parameter in HAC.parameters)):  # type: ignore[union-attr]
        try:
            yield HAC.settings(dict(zip(names, values, strict=True)))
        except InvalidParameter:
            continue


def benchmark(text: str = "") -> None:
    """Print the times of all variants whose name contains this text."""
    scaled = standardise(load("census"))
    total, slowest = sst(scaled), 0.0
    for settings in every_setting():
        if text not in (name := ",".join(settings.values())):
            continue
        line = f"{name:<44}"
        for arithmetic in HAC.arithmetics(settings):
            space = ARITHMETICS[arithmetic](scaled)
            start = time.perf_counter()
            partition = HAC.run(space, 3, Choices(), **settings)
            took = time.perf_counter() - start
            slowest = max(slowest, took)
            lost = float(information_loss(sse(scaled, partition), total))
            line += f" IL {lost:8.4f} %  {arithmetic} {took:5.1f} s"
        print(line, flush=True)
    print(f"slowest: {slowest:.1f} s (bound {BOUND:.0f})")


if __name__ == "__main__":
    benchmark(*sys.argv[1:2])
