"""Options of `oracle.conform` and `oracle.hunt`: implementation, questions, and effort."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from oracle.conformance.hunting.coverage import SECONDS, TRIES
from oracle.conformance.judge.strictness import ROUNDING
from oracle.conformance.not_taken import NOT_TAKEN
from oracle.conformance.transport.functions import LIBRARIES
from oracle.conformance.vectors.flags import FLAGS
from oracle.conformance.vectors.rescaled import SCALES
from refagg.options import readers
from refagg.options.fields import option, options_of
from refagg.options.readers import least_and_greatest


@dataclass(frozen=True)
class Reaching:
    """The way to reach an implementation, and its arithmetic."""

    frames: str | None = option(
        "the function takes a data frame of this library and k, and returns a data frame",
        type='Literal["pandas", "polars"] | None',
        choices=LIBRARIES,
    )
    csv: bool = option(
        "a program that reads a CSV file and writes one: 'Rscript mask.R {input} {output} "
        "{k}'; {standardise}, {seed}, {columns} and parameters by name are also filled in",
        False,
        metavar="COMMAND",
        value=bool,
    )
    restart_per_case: bool = option(
        "restart the program for each case, and close its input after the request", False
    )
    answer_timeout: float = option(
        "seconds for an answer (default 10)", 10.0, read=float, metavar="S"
    )
    precision: str = option(
        "arithmetic of the implementation (default binary64)",
        "binary64",
        type='Literal["binary64", "binary32"]',
        choices=tuple(ROUNDING),
    )
    without: Collection[str] = option(
        "a feature that the implementation does not support; it is not asked, and reported "
        f"as not covered: {', '.join(NOT_TAKEN)}; can be repeated",
        (),
        type=f"Collection[Literal{list(NOT_TAKEN)}]".replace("'", '"'),
        metavar="WHAT",
        choices=tuple(NOT_TAKEN),
        repeated=True,
    )
    parameters: Mapping[str, Any] | None = option(
        "a parameter of the algorithm that the implementation has, or is told; can be repeated",
        flags=("--param",),
        metavar="NAME=VALUE",
        repeated=True,
        value=readers.parameters,
    )
    nondeterministic: bool = option("allow different answers to the same question", False)
    known_failures: str | Path | None = option(
        "vectors or causes that may fail, one NAME: reason to a line", read=Path, metavar="FILE"
    )


@dataclass(frozen=True)
class Conforming:
    """The vectors that are asked, and the comparison of their answers."""

    tolerance: Fraction | None = option(
        "relative difference up to which squared distances count as tied, and released "
        "values as correct (default: a bound on the rounding error of each case)",
        type="Rational | None",
    )
    vectors: str | Path | None = option(
        "ask the vectors of a file that `oracle hunt` saved", read=Path, metavar="FILE"
    )
    cases: Sequence[str] | None = option(
        "only this vector; can be repeated", flags=("--case",), metavar="ID", repeated=True
    )
    flags: Collection[str] = option(
        "only vectors with this flag (see `oracle vectors list`); can be repeated",
        (),
        flags=("--flag",),
        metavar="FLAG",
        choices=sorted(FLAGS),
        repeated=True,
    )
    standardise: str | None = option(
        "ask all vectors on this scale, for programs that support no other (default: the "
        "scale of each vector, usually none)",
        type='Literal["population", "sample", "none", "range"] | None',
        choices=tuple(SCALES),
    )


@dataclass(frozen=True)
class Hunting:
    """The questions of a hunt: which, how many, and of what."""

    standardise: str = option(
        "the scale that the implementation is asked for (default none)",
        "none",
        type='Literal["population", "sample", "none", "range"]',
        choices=tuple(SCALES),
    )
    k: int | tuple[int, int] = option(
        "values of k (default 1-8)", (1, 8), flags=("-k",), metavar="K|A-B", read=least_and_greatest
    )
    attributes: int | None = option(
        "number of attributes (default: 1 to 6, as the algorithm allows)", read=int, metavar="P"
    )
    max_records: int = option("maximum number of records (default 60)", 60, read=int, metavar="N")
    max_questions: int = option(
        f"number of questions, divided equally among the topics (default {TRIES})",
        TRIES,
        read=int,
        metavar="N",
    )
    time_limit: float = option(
        f"stop after SECONDS, even if questions remain (default {SECONDS:g})",
        SECONDS,
        read=float,
        metavar="SECONDS",
    )
    seed: int = option("seed of the questions (default 0)", 0, read=int)
    algorithm_seed: int | None = option("seed for a randomised algorithm", read=int, metavar="SEED")
    shape: str = option(
        "ask about strata, blocks of attributes, constraints, sampling_weights, kinds, "
        "Gower's distance of these (gower), time series (series) or sequences of events "
        "(sequences)",
        "",
        type='Literal["", "strata", "series", "blocks", "constraints", "sampling_weights", '
        '"kinds", "gower", "sequences"]',
        metavar="NAME",
    )
    all_failures: bool = option("find a failure of each kind, not only the first", False)


CONFORM = options_of(Conforming, Reaching)
"""The keywords of `conform`."""

HUNT = options_of(Hunting, Reaching)
"""The keywords of `hunt`."""
