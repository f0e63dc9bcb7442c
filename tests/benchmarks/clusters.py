"""Time and information loss on Census of algorithms that cluster: `python -m
tests.benchmarks.clusters [NAME ...]`.

Needs REFAGG_DATA. Random algorithms draw from the random stream of seed 1.
"""

from __future__ import annotations

import sys
import time

from refagg.catalogue import specification
from refagg.data.standardise import standardise
from refagg.datasets import load
from refagg.language.choices import Choices
from refagg.language.random_stream import seeded
from refagg.release.measures import information_loss, sse, sst
from refagg.spaces.of_tables import ARITHMETICS

NAMES = (
    "tfrp-1",
    "tfrp-2",
    "k-means-split",
    "k-means",
    "k-means-spread",
    *(f"random-seed size={size}" for size in ("fixed", "random", "minimum", "mean", "min-max")),
)
BOUND = 5
"""Seconds for one run."""


def measure(name: str, parameters: dict[str, str], arithmetic: str = "float") -> None:
    """Print the IL in percent and the seconds of a run, the space not included."""
    scaled = standardise(load("census"))
    space, spec = ARITHMETICS[arithmetic](scaled), specification(name)
    settings = spec.settings(parameters)
    losses, times = [], []
    for k in (3, 4, 5, 10):
        start = time.perf_counter()
        partition = spec.run(space, k, Choices(stream=seeded(1)), **settings)
        times.append(time.perf_counter() - start)
        losses.append(information_loss(sse(scaled, partition), sst(scaled)))
    shown = " ".join([name, *(f"{key}={value}" for key, value in parameters.items())])
    print(
        f"{shown:<26} k = 3, 4, 5, 10: "
        f"IL {' '.join(f'{float(loss):.4f}' for loss in losses)}, "
        f"seconds {' '.join(f'{seconds:.2f}' for seconds in times)} (bound {BOUND})"
    )


if __name__ == "__main__":
    for chosen in NAMES:
        name, *given = chosen.split()
        if len(sys.argv) == 1 or name in sys.argv[1:]:
            measure(name, dict(item.split("=") for item in given))
