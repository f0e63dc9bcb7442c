"""How a release is made: an algorithm with its parameters, a scale, aggregates, ties.

One method serves tables of any kinds; what it cannot do with a table is reported before any work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from refagg.catalogue import algorithm_of
from refagg.constraints import Constraint
from refagg.data.aggregate import operator
from refagg.data.standardise import Scaled, check_significant_digits, standardise, weights_by_name
from refagg.data.tables import Attribute, Table
from refagg.errors import (
    InvalidK,
    InvalidParameter,
    NoCentroid,
    NotANumber,
    NotFinite,
    ShapeMismatch,
    UnsupportedArithmetic,
)
from refagg.language.choices import Choices
from refagg.language.lists import listed
from refagg.language.number_texts import rational
from refagg.language.random_stream import RandomStream, stream_of
from refagg.language.specification import Specification
from refagg.language.ties import TIE_RULES, TieRule, tie_rule
from refagg.release.aggregates import Aggregates, operators_of
from refagg.release.edits import checked
from refagg.spaces.absolute import GOWER, check_gower
from refagg.spaces.dissimilarities.dissimilarity import Function
from refagg.spaces.mixed import MixedSpace
from refagg.spaces.of_tables import space_of
from refagg.spaces.series import DISTANCES, slopes
from refagg.terminal import NOW


@dataclass(frozen=True, slots=True)
class Method:
    """Everything that says how a release is made, checked and complete."""

    specification: Specification
    k: int
    parameters: dict[str, Any]
    standardise: str
    significant_digits: int | None
    arithmetic: str
    aggregate: str
    trim: Fraction | None
    ties: str
    seed: int | None
    trace: bool
    series: str | None = None
    times: tuple[Fraction, ...] | None = None
    constraints: tuple[Constraint, ...] = ()
    dissimilarity: str | Function = "oss"
    """Of sequences."""
    weights: Mapping[str, Fraction] = field(default_factory=dict)
    """Of attributes, by name; 1 where there is none."""
    aggregates: Mapping[str, str] = field(default_factory=dict)
    """The operators of attributes that are no numbers, by kind."""
    sampling: tuple[Fraction, ...] | None = None
    """The sampling weights of the records, by which means are weighted."""

    def scaled(self, table: Table) -> Scaled:
        """The table on the scale on which this method's losses are measured."""
        own = {name: weight for name, weight in self.weights.items() if name in table.names}
        return standardise(table, self.standardise, self.significant_digits, own)

    def grouping(self, table: Table) -> Scaled:
        """What groups are formed of: the scaled table, or the slopes of the series in its rows."""
        if self.series != "sts":
            return self.scaled(table)
        times = range(len(table.columns)) if self.times is None else self.times
        return standardise(slopes(table, times), self.standardise)

    def space(self, scaled: Scaled, tolerance: Fraction = Fraction(0)) -> Any:
        """The space in which records are grouped; a tolerance widens its ties, where exact."""
        return space_of(scaled, self.dissimilarity, tolerance, self.arithmetic)

    def run(self, space: Any, choices: Choices, **bound: Any) -> Any:
        """One run in a space; it also makes the choices that mixed centroids leave open."""
        groups = 2 * len(space.records()) // (3 * self.k) if hasattr(space, "records") else 0
        NOW.starts(self.specification.name, groups=groups)
        of_run = space.choosing(choices) if isinstance(space, MixedSpace) else space
        return self.specification.run(of_run, self.k, choices, **self.parameters, **bound)

    def operators(self) -> Aggregates:
        """This method's aggregates. Raises InvalidParameter if it publishes other values."""
        if self.specification.publish:
            name = self.specification.name
            raise InvalidParameter(f"{name} publishes values that are not aggregates of a group")
        numbers = operator(self.aggregate, self.trim)
        own = "weighted mean" if self.sampling else self.aggregate
        names = {"numeric": own, **self.aggregates}
        return Aggregates(numbers, names, self.dissimilarity, self.sampling)

    def tie_rule(self) -> TieRule:
        """This method's rule for ties."""
        return tie_rule(self.ties, self.seed)

    def stream(self) -> RandomStream:
        """This method's randomness: the random stream of the seed, or an empty one."""
        return stream_of(self.seed)

    def new_choices(self, stream: RandomStream | None = None) -> Choices:
        """A run with this method's ties and trace, and with its random stream, or one that is
        given.

        Random ties have a random stream of their own.
        """
        return Choices(self.tie_rule(), stream or self.stream(), [] if self.trace else None)

    def check(self, table: Table) -> None:
        """Raise what speaks against this method where not all attributes are numbers.

        UnsupportedArithmetic, NoCentroid, InvalidParameter; ShapeMismatch for sampling weights of
        other records.
        """
        if self.sampling and len(self.sampling) != table.n:
            weights = len(self.sampling)
            raise ShapeMismatch(f"there are {weights} sampling weights for {table.n} records")
        if self.sampling and table.others:
            raise InvalidParameter(
                "sampling weights are for means of numbers, but "
                f"{table.others[0].name!r} is {_holds(table.others[0])}"
            )
        if self.dissimilarity == GOWER:
            check_gower(table, self.standardise)
            what = "but distances are Gower's"
        elif table.others:
            what = f"but {table.others[0].name!r} is {_holds(table.others[0])}"
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
        if self.series:
            raise InvalidParameter(f"series applies to numbers only, {what}")
        sequences = [a for a in table.others if a.kind.name == "sequence"]
        if sequences and needs != "Dissimilarities":
            raise NoCentroid(
                f"{spec.name} needs averages, but {sequences[0].name!r} holds sequences, "
                "which have none"
            )


def _holds(attribute: Attribute) -> str:
    return "a sequence" if attribute.kind.name == "sequence" else attribute.kind.name


def method_of(
    algorithm: str | Specification | Callable[..., Any] = "mdav",
    k: int = 3,
    *,
    standardise: str = "population",
    significant_digits: int | None = None,
    arithmetic: str | None = None,
    aggregate: str = "mean",
    trim: Fraction | None = None,
    ties: str = "lowest",
    seed: int | None = None,
    trace: bool = False,
    series: str | None = None,
    times: Sequence[Fraction] | None = None,
    constraints: Sequence[Constraint | str] = (),
    dissimilarity: str | Function = "oss",
    weights: Mapping[str, Any] | None = None,
    aggregates: Mapping[str, str] | None = None,
    sampling_weights: Sequence[Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> Method:
    """A checked method; `parameters` are those of the algorithm.

    Without `arithmetic`, it is exact where that is possible. With `series`, the rows are time
    series, at these `times` or one unit apart: they are not standardised, and grouped by the
    "euclidean" distance or by that of their slopes, "sts". With `constraints`, equations such as
    "net + tax = gross", the mean of a group is moved to the nearest point that meets them.
    Sequences are compared, and have prototypes, by their `dissimilarity`. `weights` are those of
    attributes; `aggregates` name operators by kind, as {"nominal": "mode"}. `sampling_weights`, one
    for each record, do not change groups: their means are weighted.
    Raises UnknownAlgorithm, UnknownParameter, InvalidParameter, UnsupportedArithmetic, InvalidK,
    InvalidConstraintText, InconsistentConstraints.
    """
    spec = algorithm_of(algorithm)
    settings = spec.settings(parameters or {})
    if arithmetic is None:
        arithmetic = spec.arithmetics(settings)[0]
    check_arithmetic(spec, settings, arithmetic)
    kinds = operators_of(aggregates or {})
    aggregate = kinds.pop("numeric", aggregate)
    operator(aggregate, trim)
    _check_publishing(spec, k, significant_digits, aggregate)
    if ties not in TIE_RULES:
        raise InvalidParameter(f"the rule for ties is {ties!r}; it can be {', '.join(TIE_RULES)}")
    if seed is None and (ties == "random" or spec.random):
        who = spec.name if spec.random else "a random choice among ties"
        raise InvalidParameter(f"{who} draws from the random stream of a seed; give a seed")
    if seed is not None and ties != "random" and not spec.random:
        raise InvalidParameter(f"a seed applies to random ties only: {spec.name} draws nothing")
    if seed is not None and type(seed) is not int:
        raise InvalidParameter(f"the seed is {seed!r}; it must be an integer")
    _check_series(spec, series, times, significant_digits)
    if significant_digits is not None:
        check_significant_digits(standardise, significant_digits)
    made = Method(
        spec,
        k,
        settings,
        "none" if series else standardise,
        significant_digits,
        arithmetic,
        aggregate,
        trim,
        ties,
        seed,
        trace,
        series,
        None if times is None else tuple(times),
        checked(constraints, spec, aggregate, significant_digits),
        dissimilarity,
        dict(weights_by_name(weights)),
        kinds,
    )
    return made if sampling_weights is None else with_sampling(made, sampling_weights)


def with_sampling(method: Method, weights: Any) -> Method:
    """The method whose means are weighted. Raises InvalidParameter."""
    spec = method.specification
    given = {
        "only means of groups are weighted": spec.yields != "partition" or spec.publish,
        f"the aggregate is {method.aggregate}": method.aggregate != "mean",
        "means are moved to meet constraints": bool(method.constraints),
        "z-scores are rounded": method.significant_digits is not None,
    }
    if why := next((reason for reason, holds in given.items() if holds), None):
        raise InvalidParameter(f"sampling weights do not apply to {spec.name} here: {why}")
    exact = []
    for record, weight in enumerate(listed(weights, "sampling weights are", "give one a record")):
        where = f"the sampling weight of record {record}"
        try:
            exact.append(rational(weight, where))
        except (NotANumber, NotFinite) as error:
            raise InvalidParameter(f"{error}; it must be greater than 0") from None
        if exact[-1] <= 0:
            raise InvalidParameter(f"{where} is {weight}; it must be greater than 0")
    return replace(method, sampling=tuple(exact))


def _check_series(
    spec: Specification,
    series: str | None,
    times: Sequence[Fraction] | None,
    significant_digits: int | None,
) -> None:
    """Raise InvalidParameter for what does not fit the series that there are."""
    if series not in (None, *DISTANCES):
        raise InvalidParameter(f"series is {series!r}; it can be {', '.join(DISTANCES)}")
    if series == "sts" and spec.yields != "partition":
        raise InvalidParameter(
            f"{spec.name} yields {spec.yields}; the distance sts of series is for groups"
        )
    if times is not None and series != "sts":
        raise InvalidParameter("times apply to the distance sts of series only")
    if series is not None and significant_digits is not None:
        raise InvalidParameter("significant digits apply to z-scores, but series have none")


def _check_publishing(
    spec: Specification, k: int, significant_digits: int | None, aggregate: str
) -> None:
    """Raise InvalidK, InvalidParameter for what does not fit the way this algorithm publishes."""
    if not spec.takes_k and k != 1:
        raise InvalidK(f"k is {k}; {spec.name} forms no groups, so it can be 1 only")
    if spec.yields != "partition":
        if aggregate != "mean":
            raise InvalidParameter(
                f"aggregation is {aggregate}, but {spec.name} aggregates no groups"
            )
        if significant_digits is not None:
            raise InvalidParameter(
                f"significant digits apply to z-scores, but {spec.name} "
                + ("releases centres" if spec.takes_k else "adds to the values themselves")
            )
    if spec.publish and (aggregate != "mean" or significant_digits is not None):
        raise InvalidParameter(
            f"{spec.name} publishes values of its own: leave the aggregation at mean, and do not "
            "round z-scores to significant digits"
        )
    if significant_digits is not None and aggregate != "mean":
        raise InvalidParameter(
            f"significant digits apply to the mean, but aggregation is {aggregate}"
        )


def check_arithmetic(spec: Specification, settings: Mapping[str, Any], arithmetic: str) -> None:
    """Raise UnsupportedArithmetic unless the algorithm can be run in it with these settings."""
    possible = spec.arithmetics(settings)
    if arithmetic in possible:
        return
    reason = spec.irrational(**settings) if arithmetic in spec.arithmetic else ""
    raise UnsupportedArithmetic(
        f"arithmetic is {arithmetic!r}; {spec.name} can be run in {', '.join(possible)}"
        + (f" with these parameters: {reason}" if reason else "")
    )
