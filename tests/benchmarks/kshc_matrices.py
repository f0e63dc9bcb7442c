"""KSHC on very many random matrices: `python -m tests.benchmarks.kshc_matrices [NUMBER [SEED]]`.

Without arguments 100 000 matrices, each with every linkage and a tie rule: sizes in [k, 2k-1],
at most n (k-1) operations. One in ten is also compared with KSHC by definition.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from matrices import any_matrix
from plain.kshc import steps

from refagg.algorithms.hierarchical.kshc import kshc
from refagg.engine.deltas import LINKAGES
from refagg.language.choices import Choices
from refagg.language.partition import Partition
from refagg.language.random_stream import seeded
from refagg.language.ties import HIGHEST, LOWEST, random_ties
from refagg.spaces.matrix import MatrixSpace

NUMBER = 100_000
MOST = 16
"""The greatest number of records."""

COMPARED = 10
"""One in so many matrices is compared with KSHC by definition."""


def operations(choices: Choices) -> int:
    """How many mergers and moves there were in a run with a trace."""
    names = [event.name for event in choices.trace or ()]
    return sum(name.startswith(("merged", "note: moved")) for name in names)


def examined(seed: int, compare: bool = False) -> int:
    """One matrix with every linkage; how many operations that took.

    Raises AssertionError if anything is not as it must be.
    """
    random = Random(seed)
    matrix, k = any_matrix(random, MOST)
    n, space, total = len(matrix), MatrixSpace(matrix), 0
    for linkage in LINKAGES:
        tie_breaker = (
            LOWEST if compare else random.choice((LOWEST, HIGHEST, random_ties(seeded(seed))))
        )
        choices = Choices(tie_breaker, trace=[])
        found = kshc(space, k, choices, linkage)
        number = operations(choices)
        assert found.n == n, (seed, linkage)
        assert k <= found.smallest(), (seed, linkage)
        assert found.largest() <= 2 * k - 1, (seed, linkage)
        assert number <= n * (k - 1), (seed, linkage)
        if compare:
            groups, by_definition = steps(matrix, k, linkage)
            assert found == Partition.of(groups, n), (seed, linkage)
            assert number == by_definition, (seed, linkage)
        total += number
    return total


def main(number: int = NUMBER, seed: int = 0) -> None:
    start = time.perf_counter()
    total = sum(examined(seed + i, compare=i % COMPARED == 0) for i in range(number))
    took = time.perf_counter() - start
    print(f"{number} matrices from seed {seed} on, 3 linkages each: {total} operations, all ended")
    print(f"{took:.1f} s, {number / took:.0f} matrices per second")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
