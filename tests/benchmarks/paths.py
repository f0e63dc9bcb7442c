"""MHM and mu-Approx, measured: `python -m tests.benchmarks.paths [FILTER] [--exact]`.

Needs REFAGG_DATA. Each line is one run in binary64, or in exact arithmetic: IL on z-scores, time.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from refagg.catalogue import specification
from refagg.data.standardise import Scaled, standardise
from refagg.datasets import load
from refagg.language.choices import Choices
from refagg.language.random_stream import seeded
from refagg.language.ties import LOWEST, TieBreaker, random_ties
from refagg.release.measures import information_loss, sse, sst
from refagg.spaces.of_tables import ARITHMETICS

KS = (3, 4, 5, 10)

SEEDS = 20

VARIANTS: tuple[tuple[str, dict[str, str]], ...] = (
    *(("mhm", {"path": path}) for path in ("mdav", "md", "cbfs", "mdav-single", "npn")),
    *(("mu-approx", {"order": order}) for order in ("shortest", "any")),
)


def measured(
    scaled: Scaled,
    name: str,
    k: int,
    arithmetic: str,
    tie_breaker: TieBreaker = LOWEST,
    **settings: Any,
) -> tuple[float, float, int]:
    """IL in percent, seconds with the space, and the number of ties."""
    start = time.perf_counter()
    choices = Choices(tie_breaker)
    found = specification(name).run(ARITHMETICS[arithmetic](scaled), k, choices, **settings)
    took = time.perf_counter() - start
    return float(information_loss(sse(scaled, found), sst(scaled))), took, choices.ties


def each_variant(wanted: str, arithmetic: str) -> None:
    for dataset in ("tarragona", "census"):
        scaled = standardise(load(dataset))
        for name, settings in VARIANTS:
            title = f"{dataset} {name} {' '.join(settings.values())}"
            if wanted in title:
                runs = [measured(scaled, name, k, arithmetic, **settings) for k in KS]
                losses = " ".join(f"{loss:.4f}" for loss, _, _ in runs)
                times = " ".join(f"{took:.2f}" for _, took, _ in runs)
                ties = " ".join(str(number) for _, _, number in runs)
                print(f"{title}: k={KS} IL {losses}; seconds {times}; ties {ties}")


def mu_approx_by_chance(wanted: str, arithmetic: str) -> None:
    """What choices at random give: the least and the greatest IL of some seeds."""
    for dataset in ("tarragona", "census"):
        if wanted in f"{dataset} by chance":
            scaled = standardise(load(dataset))
            for k in KS:
                tie_breakers = [random_ties(seeded(seed)) for seed in range(SEEDS)]
                losses = [
                    measured(scaled, "mu-approx", k, arithmetic, tie_breaker, order="any")[0]
                    for tie_breaker in tie_breakers
                ]
                print(f"{dataset} mu-approx by chance k={k}: {min(losses):.3f} {max(losses):.3f}")


if __name__ == "__main__":
    given = [argument for argument in sys.argv[1:] if argument != "--exact"]
    chosen = given[0] if given else ""
    arithmetic = "exact" if "--exact" in sys.argv else "float"
    each_variant(chosen, arithmetic)
    mu_approx_by_chance(chosen, arithmetic)
