"""From data to a release: microaggregation of a table, by blocks of attributes and in strata."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any

from refagg.algorithms.fuzzy.microaggregation import FuzzyGroups
from refagg.algorithms.fuzzy.publishing import at_centres, coordinate_projection
from refagg.catalogue import algorithm_of
from refagg.constraints import Constraint, System, system_of
from refagg.data.aggregate import Operator, aggregated, deviated, operator, published
from refagg.data.csvfiles import json_number
from refagg.data.foreign import rebuilt
from refagg.data.standardise import Scaled, standardise
from refagg.data.tables import Table, table_of
from refagg.errors import (
    InvalidBlocks,
    InvalidK,
    InvalidParameter,
    NotUnivariate,
    ShapeMismatch,
    UnsupportedArithmetic,
)
from refagg.language.numerals import as_json
from refagg.language.partition import Partition, check_k
from refagg.language.run import Event, Run
from refagg.language.specification import Specification
from refagg.language.tape import Tape, tape_of
from refagg.language.ties import HOUSE_RULES, HouseRule, house_rule
from refagg.release.edits import check_edits, checked, edit_facts, projected, within
from refagg.release.facts import loss_json
from refagg.release.measures import release_sse, sse, sst
from refagg.release.risk import release_classes
from refagg.spaces.binary64 import FloatSpace
from refagg.spaces.exact import ExactSpace
from refagg.spaces.series import DISTANCES, slopes

ARITHMETICS: dict[str, Callable[[Scaled], Any]] = {"exact": ExactSpace, "float": FloatSpace}


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

    def scaled(self, table: Table) -> Scaled:
        """The table on the scale on which this method's losses are measured."""
        return standardise(table, self.standardise, self.significant_digits)

    def grouping(self, table: Table) -> Scaled:
        """What groups are formed of: the scaled table, or the slopes of the series in its rows."""
        if self.series != "sts":
            return self.scaled(table)
        times = range(len(table.columns)) if self.times is None else self.times
        return standardise(slopes(table, times), self.standardise)

    def operator(self) -> Operator:
        """This method's aggregation. Raises InvalidParameter if it publishes other values."""
        if self.specification.publish:
            name = self.specification.name
            raise InvalidParameter(f"{name} publishes values that are no aggregates of a group")
        return operator(self.aggregate, self.trim)

    def house_rule(self) -> HouseRule:
        """This method's rule for ties."""
        return house_rule(self.ties, self.seed)

    def tape(self) -> Tape:
        """This method's randomness: the tape of the seed, or an empty one."""
        return tape_of(self.seed)

    def new_run(self, tape: Tape | None = None) -> Run:
        """A run with this method's ties and trace, and with its tape, or one that is given.

        Random ties have a tape of their own.
        """
        return Run(self.house_rule(), tape or self.tape(), [] if self.trace else None)


@dataclass(frozen=True, slots=True)
class BlockResult:
    """One block of attributes: its partition and what the run met."""

    names: tuple[str, ...]
    partition: Partition
    sse: Fraction
    ties: int
    traces: tuple[tuple[str, list[Event]], ...]
    """The trace of each stratum (named "" where there are none), with its own record numbers."""
    centres: tuple[tuple[str, FuzzyGroups], ...] = ()
    """Of what yields centres, the result in each stratum, with its own record numbers."""
    centre_values: tuple[Sequence[Sequence[Fraction]], ...] = ()
    """The values of the centres of each stratum."""

    def centre_facts(self) -> dict[str, Any]:
        """For a report: facts of each stratum, where centres were released."""
        if not self.centres:
            return {}
        facts = [
            {"stratum": name, "values": [list(map(json_number, row)) for row in values]}
            | made.facts()
            for (name, made), values in zip(self.centres, self.centre_values, strict=True)
        ]
        return {"centres": facts}


@dataclass(frozen=True, slots=True, repr=False)
class Release:
    """A released table, with what it was made from and what was lost."""

    method: Method
    original: Table
    released: Table
    blocks: tuple[BlockResult, ...]
    sse: Fraction
    sst: Fraction
    source: Any = field(default=None, repr=False, compare=False)
    """The data that it was made from, as they were given."""

    def to_frame(self, exact: bool = False) -> Any:
        """The released table in the caller's own kind: pandas, polars, NumPy, Arrow or rows.

        The index and the columns that are no quasi-identifiers are as they were. Values are
        floats; with `exact`, fractions (for rows and mappings).
        """
        number: Callable[[Fraction], Any] = Fraction if exact else float
        columns = {
            column.name: [number(column[record]) for record in range(self.released.n)]
            for column in self.released.columns
        }
        return columns if self.source is None else rebuilt(self.source, columns)

    def __repr__(self) -> str:
        method, table = self.method, self.original
        return (
            f"<Release by {method.specification.name}, k = {method.k}: {table.n} records, "
            f"{len(table.columns)} attributes, {len(self.blocks)} partition(s), "
            f"SSE {float(self.sse):.6g} of {float(self.sst):.6g}>"
        )

    @property
    def partition(self) -> Partition:
        """The partition, where all attributes are one block. Raises InvalidBlocks otherwise."""
        if len(self.blocks) > 1:
            raise InvalidBlocks("the attributes are in several blocks, each with its own partition")
        return self.blocks[0].partition

    @property
    def k_reached(self) -> int:
        """How many records share their released row with the fewest others, at least."""
        return release_classes(self.released).smallest()

    def report(self) -> dict[str, Any]:
        """The release in numbers, ready for JSON; records are numbered from 0."""
        method = self.method
        return {
            "algorithm": method.specification.name,
            "source": method.specification.source,
            "yields": method.specification.yields,
            "k": method.k,
            "parameters": {name: str(value) for name, value in method.parameters.items()},
            "standardise": method.standardise,
            "series": method.series,
            "times": None if method.times is None else list(map(str, method.times)),
            "significant_digits": method.significant_digits,
            "arithmetic": method.arithmetic,
            "aggregate": method.aggregate,
            "trim": None if method.trim is None else str(method.trim),
            "ties": method.ties,
            "seed": method.seed,
            "records": self.original.n,
            "attributes": list(self.original.names),
            "blocks": [
                {
                    "attributes": list(block.names),
                    "groups": [list(group) for group in block.partition.groups],
                    "sizes": {str(s): c for s, c in block.partition.sizes().items()},
                    "sse": as_json(block.sse),
                    "ties_met": block.ties,
                    **block.centre_facts(),
                }
                for block in self.blocks
            ],
            "k_reached": self.k_reached,
            "sse": as_json(self.sse),
            "sst": as_json(self.sst),
            "information_loss_percent": loss_json(self.sse, self.sst),
            "constraints": edit_facts(
                method.constraints, {"original": self.original, "released": self.released}
            ),
        }


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
    parameters: Mapping[str, Any] | None = None,
) -> Method:
    """A checked method; `parameters` are those of the algorithm.

    Without `arithmetic`, it is exact where that is possible. With `series`, the rows are time
    series, at these `times` or one unit apart: they are not standardised, and grouped by the
    "euclidean" distance or by that of their slopes, "sts". With `constraints`, equations such as
    "net + tax = gross", the mean of a group is moved to the nearest point that meets them.
    Raises UnknownAlgorithm, UnknownParameter, InvalidParameter, UnsupportedArithmetic, InvalidK,
    InvalidConstraintText, InconsistentConstraints.
    """
    spec = algorithm_of(algorithm)
    settings = spec.settings(parameters or {})
    if arithmetic is None:
        arithmetic = spec.arithmetics(settings)[0]
    check_arithmetic(spec, settings, arithmetic)
    operator(aggregate, trim)
    _check_publishing(spec, k, significant_digits, aggregate)
    if ties not in HOUSE_RULES:
        raise InvalidParameter(f"the rule for ties is {ties!r}; it can be {', '.join(HOUSE_RULES)}")
    if seed is None and (ties == "random" or spec.random):
        who = spec.name if spec.random else "a random choice among ties"
        raise InvalidParameter(f"{who} draws from the tape of a seed; give a seed")
    if seed is not None and ties != "random" and not spec.random:
        raise InvalidParameter(f"a seed applies to random ties only: {spec.name} draws nothing")
    if seed is not None and type(seed) is not int:
        raise InvalidParameter(f"the seed is {seed!r}; it must be a whole number")
    _check_series(spec, series, times, significant_digits)
    return Method(
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
    )


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


def microaggregate(
    data: Any,
    k: int,
    algorithm: str | Specification | Callable[..., Any] = "mdav",
    *,
    quasi_identifiers: Sequence[str] | None = None,
    blocks: Sequence[Sequence[str]] | None = None,
    strata: Sequence[Hashable] | None = None,
    missing: str = "reject",
    **options: Any,
) -> Release:
    """Microaggregate data; see `table_of` for what data can be, `method_of` for the options.

    `algorithm` is a name of the catalogue, its function, as `refagg.mdav`, or your own (see
    `refagg.catalogue`).
    `quasi_identifiers` names the attributes that are masked, all by default; the others come
    back untouched from `Release.to_frame`.

    `blocks` is a partition of the attribute names; each block is microaggregated by itself,
    which gives k-anonymity within each block only. Blocks of one attribute each are
    individual ranking. `strata` has one label for each record; no group crosses strata,
    and all strata share the standardisation of the whole table.

    Raises what those raise, and InvalidK, KTooLarge, InvalidBlocks, ShapeMismatch.

    >>> release = microaggregate([[1, 2], [2, 2], [30, 1], [31, 1]], 2)
    >>> release.partition.groups
    ((0, 1), (2, 3))
    >>> [str(value) for value in release.released.row(0)]
    ['3/2', '2']
    """
    table = table_of(data, quasi_identifiers, missing)
    method = method_of(algorithm, check_k(k, table.n), **options)
    return replace(masked(table, method, blocks, strata), source=data)


def masked(
    table: Table,
    method: Method,
    blocks: Sequence[Sequence[str]] | None = None,
    strata: Sequence[Hashable] | None = None,
) -> Release:
    """The release that a method makes of a table; see `microaggregate`."""
    check_k(method.k, table.n)
    names = blocks_for(method.specification, blocks, table.names)
    check_edits(method.constraints, names)
    members = strata_members(strata, table.n, method.k)
    scaled = method.scaled(table)
    # These go on drawing: the same deviations in two strata would cancel in a difference.
    tape = None if method.specification.yields == "partition" else method.tape()
    results = [_masked_block(method, table.select(block), members, tape) for block in names]
    columns = {column.name: column for _, part in results for column in part.columns}
    released = Table(tuple(columns[name] for name in table.names))
    if method.aggregate == "mean":
        lost = sum((block.sse for block, _ in results), Fraction(0))
    else:
        lost = release_sse(scaled, released)
    return Release(method, table, released, tuple(block for block, _ in results), lost, sst(scaled))


def blocks_for(
    spec: Specification, blocks: Sequence[Sequence[str]] | None, names: Sequence[str]
) -> list[list[str]]:
    """The blocks of attributes that an algorithm is run on: those given, or its usual ones.

    Raises InvalidBlocks, and NotUnivariate for more attributes in one than it can work with.
    """
    if blocks is None and spec.attributes == "each":
        return [[name] for name in names]
    chosen = [list(names)] if blocks is None else [list(block) for block in blocks]
    check_blocks(chosen, names)
    for block in chosen:
        if len(block) > 1 and spec.attributes != "any":
            raise NotUnivariate(
                f"{spec.name} works on one attribute, but is given {', '.join(block)}; "
                "choose one, or make each a block of its own"
            )
    return chosen


def check_blocks(blocks: Sequence[Sequence[str]], names: Sequence[str]) -> None:
    """Raise InvalidBlocks unless the blocks partition the attribute names."""
    listed = [name for block in blocks for name in block]
    for name in listed:
        if name not in names:
            raise InvalidBlocks(f"a block names {name!r}; the attributes are {', '.join(names)}")
        if listed.count(name) > 1:
            raise InvalidBlocks(f"attribute {name!r} is in two blocks, or twice in one")
    for name in names:
        if name not in listed:
            raise InvalidBlocks(f"attribute {name!r} is in no block")
    if not all(blocks):
        raise InvalidBlocks("a block names no attribute")


def strata_members(
    strata: Sequence[Hashable] | None, n: int, k: int
) -> list[tuple[str, list[int]]]:
    """The name and the records of each stratum; without strata, one of all records.

    Raises ShapeMismatch, and KTooLarge for a stratum of fewer than k records.
    """
    if strata is None:
        return [("", list(range(n)))]
    if len(strata) != n:
        raise ShapeMismatch(f"there are {len(strata)} strata labels for {n} records")
    members: dict[Hashable, list[int]] = {}
    for record, label in enumerate(strata):
        if not isinstance(label, Hashable):
            raise InvalidParameter(f"the stratum of record {record} is {label!r}; give a text")
        members.setdefault(label, []).append(record)
    for label, records in members.items():
        check_k(k, len(records), f"stratum {label!r}")
    return [(str(label), records) for label, records in members.items()]


def _masked_block(
    method: Method, table: Table, members: list[tuple[str, list[int]]], tape: Tape | None
) -> tuple[BlockResult, Table]:
    """The result on some attributes. Runs share the tape, if one is given."""
    scaled, grouping = method.scaled(table), method.grouping(table)
    runs = [method.new_run(tape) for _ in members]
    system = _bound(method, table.names)
    results = []
    for run, (_, records) in zip(runs, members, strict=True):
        stratum = Scaled(grouping.table.take(records), grouping.weights, grouping.how)
        space = ARITHMETICS[method.arithmetic](stratum)
        bound = {"project": coordinate_projection(space, system)} if system else {}
        results.append(method.specification.run(space, method.k, run, **method.parameters, **bound))
    parts = [(records, result) for (_, records), result in zip(members, results, strict=True)]
    centres: tuple[tuple[str, FuzzyGroups], ...] = ()
    values: tuple[Sequence[Sequence[Fraction]], ...] = ()
    if method.specification.yields == "deviations":
        released = deviated(table, parts)
        partition, lost = release_classes(released), release_sse(scaled, released)
    elif method.specification.yields == "centres":
        project = system.projector(scaled.weights) if system else None
        partition, released, values = at_centres(table, parts, project)
        lost = release_sse(scaled, released)
        centres = tuple(zip((label for label, _ in members), results, strict=True))
    else:
        partition = Partition.of(
            [[records[member] for member in group] for records, p in parts for group in p.groups],
            table.n,
        )
        if publish := method.specification.publish:
            released = published(table, partition, partial(publish, **method.parameters))
            lost = release_sse(scaled, released)
        else:
            released, lost = _aggregates(method, table, scaled, partition)
    traces = [(label, run.trace or []) for (label, _), run in zip(members, runs, strict=True)]
    ties = sum(run.ties for run in runs)
    return BlockResult(table.names, partition, lost, ties, tuple(traces), centres, values), released


def _bound(method: Method, names: Sequence[str]) -> System | None:
    """The constraints on centres of these attributes; None where there are none."""
    constraints = within(method.constraints, names)
    if method.specification.yields != "centres" or not constraints:
        return None
    return system_of(constraints, names)


def _aggregates(
    method: Method, table: Table, scaled: Scaled, partition: Partition
) -> tuple[Table, Fraction]:
    """The aggregates of the groups, moved to meet the constraints there are, and the SSE."""
    released = aggregated(table, partition, method.operator())
    constraints = within(method.constraints, table.names)
    if not constraints:
        return released, sse(scaled, partition)
    released = projected(released, partition, constraints, scaled.weights)
    return released, release_sse(scaled, released)
