"""Grouping: the options by which groups are formed, as one value.

An algorithm's function needs no more than this: the rest of a release is `Publishing` and `Layout`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refagg.data.standardise import SCALES, Scaled, on_scale
from refagg.data.tables import Attribute, Table
from refagg.errors import NoCentroid, UnsupportedArithmetic
from refagg.language.choices import Choices
from refagg.language.random_stream import NOTHING_TO_DRAW, RandomStream, stream_of
from refagg.language.specification import Specification
from refagg.language.ties import TIE_RULES, TieRule, tie_rule
from refagg.options import fields, readers
from refagg.options.fields import option
from refagg.spaces.absolute import GOWER, check_gower
from refagg.spaces.dissimilarities import NAMES
from refagg.spaces.dissimilarities.dissimilarity import Function
from refagg.spaces.exact import ExactSpace
from refagg.spaces.series import DISTANCES, slopes
from refagg.terminal import NOW


@dataclass(frozen=True)
class Grouping:
    """The forming of groups, complete and checked; see `grouping_of`."""

    specification: Specification = option(
        "the algorithm; `refagg algorithms` lists them",
        "mdav",
        name="algorithm",
        type="Algorithm",
        metavar="NAME",
    )
    k: int = option("minimum group size", 3, flags=("-k",), read=int)
    parameters: dict[str, Any] = option(
        "a parameter of the algorithm; `refagg algorithms NAME` lists them",
        type="Mapping[str, Any] | None",
        flags=("--param",),
        metavar="NAME=VALUE",
        repeated=True,
        value=readers.parameters,
        applies=(fields.ALGORITHM,),
    )
    standardise: str = option(
        "divide numbers by nothing, by their population (the default) or sample standard "
        "deviation, or by their range (the default if there are other kinds)",
        type='Literal["population", "sample", "none", "range"] | None',
        choices=SCALES,
    )
    series: str | None = option(
        "treat rows as time series, and compare them by Euclidean distance or by their slopes",
        type='Literal["euclidean", "sts"] | None',
        choices=DISTANCES,
        applies=(fields.NUMBERS, fields.WHOLE),
    )
    times: tuple[Fraction, ...] | None = option(
        "times of the columns, for the series sts (default: one unit apart)",
        type="Sequence[Rational] | None",
        metavar="T1,T2,...",
        value=readers.times,
        applies=(fields.SLOPES,),
    )
    significant_digits: int | None = option(
        "round z-scores to D digits first",
        metavar="D",
        read=int,
        applies=(fields.Z_SCORES, fields.AGGREGATES, fields.MEANS),
    )
    arithmetic: str = option(
        "arithmetic (default: exact where possible)",
        type='Literal["exact", "float"] | None',
        choices=("exact", "float"),
    )
    ties: str = option(
        "which of several tied records to take: the one with the lowest (default) or the highest "
        "number, or one at random",
        "lowest",
        type='Literal["lowest", "highest", "random"]',
        choices=TIE_RULES,
    )
    seed: int | None = option("seed of random draws", read=int, applies=(fields.DRAWS,))
    trace: bool = option("keep each step of the run, and print it", False)
    dissimilarity: str | Function = option(
        f"for sequences of events: {', '.join(NAMES)} (default oss), a Python function "
        "that gives 0 for equal ones, or a matrix of the records; gower: Gower's distance of "
        "numbers and categories",
        type="str | Measure | Own | Dissimilarity | None",
        metavar="NAME|MODULE:FUNCTION|FILE.csv",
        applies=(fields.KINDS,),
    )
    similarity: None = option(
        "instead of a dissimilarity: values from 0 to 1, where 1 means equal",
        type="Measure | None",
        metavar="MODULE:FUNCTION|FILE.csv",
        applies=(fields.KINDS,),
    )
    weights: Mapping[str, Fraction] = option(
        "weight of an attribute (default 1)",
        type="Mapping[str, Rational] | None",
        flags=("--weight",),
        metavar="NAME=W",
        repeated=True,
        value=readers.weights,
        applies=(fields.KINDS,),
        per="attribute",
    )

    def scaled(self, table: Table) -> Scaled:
        """Return the table on the scale on which losses are measured."""
        own = {name: weight for name, weight in self.weights.items() if name in table.names}
        return on_scale(table, self.standardise, self.significant_digits, own)

    def grouping(self, table: Table) -> Scaled:
        """Return the table that groups are formed of.

        It is the scaled table, or the slopes of its series.
        """
        if self.series != "sts":
            return self.scaled(table)
        times = range(len(table.columns)) if self.times is None else self.times
        return on_scale(slopes(table, times), self.standardise, None, {})

    def space(self, scaled: Scaled, tolerance: Fraction = Fraction(0)) -> Any:
        """Return the space of the records.

        A tolerance widens its ties, if it is exact.
        """
        if self.arithmetic == "exact" and not scaled.table.others and self.dissimilarity != GOWER:
            return ExactSpace(scaled, tolerance)
        from refagg.spaces.of_tables import space_of  # which reads the spaces of all kinds

        return space_of(scaled, self.dissimilarity, tolerance, self.arithmetic)

    def run(self, space: object, choices: Choices, **bound: object) -> Any:
        """Run the algorithm in a space.

        Choices that mixed centroids leave open are made too.
        """
        if NOW.commanded:
            groups = 2 * len(space.records()) // (3 * self.k) if hasattr(space, "records") else 0
            NOW.starts(self.specification.name, groups=groups)
        of_run = space.choosing(choices) if hasattr(space, "choosing") else space
        return self.specification.run(of_run, self.k, choices, **self.parameters, **bound)

    def of_table(self, table: Table, choices: Choices) -> Any:
        """Run the algorithm on a table. Raises UnsupportedArithmetic, NoCentroid."""
        self.check_kinds(table)
        return self.run(self.space(self.grouping(table)), choices)

    def tie_rule(self) -> TieRule:
        """Return the rule for ties."""
        return tie_rule(self.ties, self.seed)

    def stream(self) -> RandomStream:
        """Return the random stream of the seed, or an empty one."""
        return NOTHING_TO_DRAW if self.seed is None else stream_of(self.seed)

    def new_choices(self, stream: RandomStream | None = None) -> Choices:
        """Return the choices of a new run.

        They have the run's random stream or the one that is given. Random ties have a random stream
        of their own.
        """
        return Choices(self.tie_rule(), stream or self.stream(), [] if self.trace else None)

    def unmet_by_table(self, table: Table) -> dict[str, str]:
        """Return the unmet conditions where some attributes are not numbers."""
        if not table.others and self.dissimilarity != GOWER:
            return {}
        return {fields.NUMBERS: held(table.others[0]) if table.others else "distances are Gower's"}

    def check_kinds(self, table: Table) -> None:
        """Raise what speaks against this grouping where not all attributes are numbers.

        UnsupportedArithmetic, NoCentroid.
        """
        if self.dissimilarity == GOWER:
            check_gower(table, self.standardise)
            what = "but distances are Gower's"
        elif table.others:
            what = f"but {held(table.others[0])}"
        else:
            return
        spec = self.specification
        needs = spec.needed(self.parameters)
        if needs not in ("Dissimilarities", "Centroids") or spec.yields != "partition":
            raise UnsupportedArithmetic(
                f"{spec.name} works on numbers only: it needs more than dissimilarities and "
                f"averages, {what}"
            )
        if self.arithmetic != "exact":
            raise UnsupportedArithmetic(
                f"arithmetic is {self.arithmetic}, which {spec.name} has for numbers only, {what}"
            )
        sequences = [a for a in table.others if a.kind.name == "sequence"]
        if sequences and needs != "Dissimilarities":
            raise NoCentroid(needs_averages(spec, f"{held(sequences[0])}, which has none"))


def needs_averages(spec: Specification, but: str) -> str:
    """Return the message that an algorithm needs averages.

    It also names the parameters with which none are needed.
    """
    other = spec.without_averages()
    return f"{spec.name} needs averages, but {but}" + (
        f"; it needs none with {other}" if other else ""
    )


def held(attribute: Attribute) -> str:
    """Return what an attribute holds, for a message."""
    kind = attribute.kind.name
    return f"{attribute.name!r} is {'a sequence' if kind == 'sequence' else kind}"
