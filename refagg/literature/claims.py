"""What a printed number is: where it stands, what it says, and how it is computed anew."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

KS = (3, 4, 5, 10)
"""The values of k for which most tables of the literature have a column."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What has to be run to compute a printed number; the names are those of `method_of`."""

    dataset: str
    algorithm: str
    k: int
    parameters: tuple[tuple[str, str], ...] = ()
    standardise: str = "population"
    significant_digits: int | None = None
    seeds: int = 0
    """A random algorithm is run with the seeds from 1 to this, and the mean is measured."""
    seed: int | None = None
    """Or once, with this seed."""
    ties: str = "lowest"
    """The tie rule, where a number is known to need another one."""

    @property
    def text(self) -> str:
        """The recipe in a line."""
        parts = [self.dataset, self.algorithm, f"k={self.k}"]
        parts += [f"{name}={value}" for name, value in self.parameters]
        parts.append(f"standardise {self.standardise}")
        if self.significant_digits is not None:
            parts.append(f"z-scores of {self.significant_digits} significant digits")
        if self.ties != "lowest":
            parts.append(f"ties to the {self.ties} number")
        if self.seed is not None:
            parts.append(f"seed {self.seed}")
        if self.seeds:
            parts.append(f"mean of the seeds 1 to {self.seeds}")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Claim:
    """One number, or one partition, that a source prints.

    `printed` has the digits of the source. `measure` is "SSE", "IL" (in percent), "raw IL" or "IL
    of z-scores" (the same on values that are not, or are, standardised, whatever the distances are
    measured on) or
    "groups", printed as {1,2,3} {4,5,6} with the records numbered from 1.

    `reason` says, where it is known, why the source's number is not ours. It explains a
    difference and makes none: a claim that agrees is exact all the same. `reached` is False
    where no reading of the source is known that gives the number, and `misprint` True where the
    reason says why the printed number is a slip. `runs` are the single runs of which `printed` is
    the mean, where the source prints them.
    """

    source: str
    place: str
    printed: str
    recipe: Recipe
    measure: str = "SSE"
    reason: str = ""
    reached: bool = True
    misprint: bool = False
    runs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sample:
    """What a random algorithm gives with several seeds."""

    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        return fmean(self.values)

    @property
    def deviation(self) -> float:
        """The standard deviation of a single run."""
        return stdev(self.values)

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.deviation / sqrt(len(self.values))
