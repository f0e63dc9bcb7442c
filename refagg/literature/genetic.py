"""Partitioning in macrogroups compared with printed results.

The printed results are those of Martinez-Balleste et al., Table 2, k = 3.

The source's runs are random and cannot be repeated. So no digit is compared: ours are runs with
the random stream of one seed, and what is judged is the order that the source finds and, for
two-step partitioning, proves: SSE at most that of MDAV.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction

from refagg import datasets
from refagg.catalogue import specification
from refagg.data.standardise import standardise
from refagg.errors import DatasetUnavailable
from refagg.language.choices import Choices
from refagg.language.random_stream import seeded
from refagg.literature.claims import sources
from refagg.release.measures import sse
from refagg.spaces.of_tables import ARITHMETICS

KEY = "genetic"
"""The name of this table among the sources of `refagg reproduce`."""

K = 3
SEED = 1

SHOWN = {"census": ("two-step", "one-step"), "eia": ("two-step",)}
"""What is run on which data set; one step on EIA takes too long."""

TITLES = {"census": "Census", "eia": "EIA"}
"""The names of the data sets in the source."""

ITERATIONS = 1000
"""The source has 10 000, which would take ten times as long: some minutes."""


@dataclass(frozen=True, slots=True)
class PrintedRun:
    """One run: the printed SSE, ours, and those of MDAV alone.

    `verdict` says whether the order of the two is that of the source.
    """

    dataset: str
    algorithm: str
    macrogroup: int
    iterations: int
    printed: str
    sse: Fraction
    printed_mdav: str
    mdav: Fraction
    verdict: str

    def as_data(self) -> dict[str, str | int | float]:
        """The row, ready for JSON."""
        numbers = {"sse": float(self.sse), "mdav": float(self.mdav)}
        return asdict(self) | {"source": KEY, "seed": SEED} | numbers

    def line(self) -> str:
        return (
            f"{self.dataset:<7} k={K} K={self.macrogroup * K:<3} {self.algorithm:<8} "
            f"{self.iterations} iterations  printed {self.printed:<6} "
            f"ours {float(self.sse):<9.4f} MDAV {float(self.mdav):.4f} "
            f"(printed {self.printed_mdav})  {self.verdict}"
        )


def genetic_rows(arithmetic: str = "float") -> Iterator[PrintedRun]:
    """Yield the rows of the available data sets.

    Each is computed when it is taken.
    """
    for dataset, names in SHOWN.items():
        try:
            datasets.load(dataset)
        except DatasetUnavailable:
            continue
        alone = _lost(dataset, "mdav-2k", arithmetic, {})
        for of in (12, 18, 27):
            for name in names:
                yield _row(dataset, name, of // K, alone, arithmetic)


def _row(dataset: str, name: str, macrogroup: int, alone: Fraction, arithmetic: str) -> PrintedRun:
    printed = {claim.place: claim.printed for claim in sources()["MBS+"].claims}
    title = TITLES[dataset]
    settings = {"macrogroup": macrogroup, "iterations": ITERATIONS}
    lost = _lost(dataset, name, arithmetic, settings)
    as_found = lost <= alone if name == "two-step" else lost > alone
    order = "at most MDAV's" if lost <= alone else "more than MDAV's"
    return PrintedRun(
        dataset,
        name,
        macrogroup,
        ITERATIONS,
        printed[f"Table 2, {title}, K={macrogroup * K}, {name}, SSE"],
        lost,
        printed[f"Table 2, {title}, k={K}, MDAV"],
        alone,
        f"{order}, {'as' if as_found else 'not as'} in the source",
    )


def _lost(dataset: str, name: str, arithmetic: str, settings: dict[str, int]) -> Fraction:
    """The SSE of a run on the z-scores of a data set."""
    scaled = standardise(datasets.load(dataset), "population")
    spec = specification(name)
    space, choices = ARITHMETICS[arithmetic](scaled), Choices(stream=seeded(SEED))
    return sse(scaled, spec.run(space, K, choices, **spec.settings(settings)))
