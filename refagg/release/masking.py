"""From data to a release: microaggregation of a table, by blocks of attributes and in strata."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, overload

from refagg.algorithms.fuzzy.microaggregation import FuzzyGroups
from refagg.algorithms.fuzzy.publishing import at_centres, coordinate_projection
from refagg.catalogue import algorithm_of
from refagg.constraints import System, system_of
from refagg.data.aggregate import deviated, published
from refagg.data.csvfiles import json_number
from refagg.data.foreign import ReadFile, Renewed, check_fit, rebuilt, settled, taken
from refagg.data.kinds import Kind, Value
from refagg.data.missing import APART, DROP, REJECT, Part, dropped
from refagg.data.moments import plain_number
from refagg.data.standardise import RANGE, Scaled, checked_weights, usual_scale
from refagg.data.tables import (
    Attribute,
    Column,
    Table,
    check_missing_policy,
    complete_records,
    records_in,
    table_with,
    without_columns,
)
from refagg.errors import (
    InvalidBlocks,
    InvalidParameter,
    NotUnivariate,
    ShapeMismatch,
)
from refagg.language.event import Event
from refagg.language.lists import listed
from refagg.language.number_texts import as_json
from refagg.language.partition import Partition, check_k
from refagg.language.random_stream import RandomStream
from refagg.language.specification import Specification, parameters_of
from refagg.notebook import Overview, page, plotted, short, stars
from refagg.options.fields import Options, given_options, keywords, options_of, refuse
from refagg.options.grouping import Grouping
from refagg.options.layout import Layout
from refagg.options.needs import WHOLE
from refagg.options.publishing import Publishing
from refagg.options.scales import table_and_measure
from refagg.release.aggregates import aggregated_table
from refagg.release.apart import (
    ReleaseApart,
    check_groups,
    checked_labels,
    masked_apart,
    named_blocks,
    options_of_part,
)
from refagg.release.centres import facts_of
from refagg.release.edits import check_edits, edit_facts, projected, within
from refagg.release.measures import loss_within, release_sse, sst
from refagg.release.method import OPTIONS as METHOD_OPTIONS
from refagg.release.method import Method, method_facts, method_of
from refagg.release.report import loss_json, loss_names
from refagg.release.risk import release_classes
from refagg.release.trace import trace_facts
from refagg.terminal import NOW

if TYPE_CHECKING:
    from typing import Unpack

    from refagg.options.keywords import MicroaggregateOptions

Algorithm = str | Specification | Callable[..., Any]

OPTIONS = options_of(
    Grouping, Publishing, Layout, without=("algorithm", "k", "confidential", "missing")
)
"""The keywords of `microaggregate`, beside `missing`."""


@dataclass(frozen=True, slots=True)
class BlockResult:
    """One block of attributes: its partition and what the run met."""

    names: tuple[str, ...]
    partition: Partition
    sse: Fraction
    """Of groups with other attributes than numbers, the dissimilarity within them."""
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
            | facts_of(made)
            for (name, made), values in zip(self.centres, self.centre_values, strict=True)
        ]
        return {"centres": facts}

    def trace_facts(self, specification: Specification) -> dict[str, Any]:
        """For a report: the steps of each stratum with all digits, where a trace was kept."""
        kept = [
            {"stratum": name, "steps": trace_facts(specification, trace)}
            for name, trace in self.traces
            if trace
        ]
        return {"traces": kept} if kept else {}


@dataclass(frozen=True, slots=True, repr=False)
class Release:
    """A released table, with what it was made from and what was lost."""

    method: Method
    original: Table
    released: Table
    blocks: tuple[BlockResult, ...]
    sse: Fraction
    """What was lost; where not all attributes are numbers, the dissimilarity within groups."""
    sst: Fraction
    """The same for one group of all records."""
    source: Any = field(default=None, repr=False, compare=False)
    """The data that it was made from, as they were given."""
    dropped: tuple[int, ...] | None = None
    """The records of the data that were left out as they lack a value, if that was asked for."""

    __repr__ = short
    _repr_html_ = page
    plot = plotted

    @property
    def parts(self) -> tuple[tuple[Part, Release], ...]:
        """The records of the data that are released, with their release, as of `ReleaseApart`."""
        gone = set(self.dropped or ())
        n = self.original.n + len(gone)
        kept = [record for record in range(n) if record not in gone]
        return ((Part(kept, self.original.names), self),)

    def to_frame(self, exact: bool = False) -> Any:
        """The released table in the caller's own kind: pandas, polars, NumPy, Arrow or rows.

        The index, the columns that are no quasi-identifiers, and the types of categories, dates
        and booleans are as they were. Means of numbers, of integers, too, are floats (nullable or
        of Arrow, as the column is; Decimal and Fraction where the column holds such objects);
        with `exact`, fractions (in rows, mappings and columns of objects). Dates and times are
        rounded to the unit of their type, or to what their texts write. Raises UnfitColumn.
        """
        if self.source is None:
            return self.values(exact)
        return rebuilt(self.source, self.renewed(), exact)

    def renewed(self) -> dict[str, Renewed]:
        """The new cells of each attribute, as `rebuilt` takes them."""
        both = zip(self.original.attributes, self.released.attributes, strict=True)
        return {ours.name: _renewed(ours, theirs) for ours, theirs in both}

    def values(self, exact: bool = False) -> dict[str, list[Any]]:
        """The released values by attribute; numbers are floats, with `exact` fractions.

        Dates and datetimes (naive, in UTC where there is a time zone) are Python's, booleans bool.
        """
        return {
            attribute.name: [_shown(v, attribute.kind, exact) for v in attribute.values(range(n))]
            for n in [self.released.n]
            for attribute in self.released.attributes
        }

    def overview(self) -> Overview:
        """Return what notebooks show; the picture has the groups of the first block."""
        method, table, block = self.method, self.original, self.blocks[0]
        columns = table.select(block.names).columns
        points = [[float(c[record]) for c in columns[:2]] for record in range(table.n)]
        if len(columns) < 2:  # beside each other
            points = [[*point, 0.0][:2] if point else [0.0, 0.0] for point in points]
        return Overview(
            f"Release by {method.specification.name}, k = {method.k}: {table.n} records, "
            f"{len(table.names)} attributes, {len(self.blocks)} partition(s), "
            f"{loss_names(table)[2]} {float(self.sse):.6g} of {float(self.sst):.6g}",
            self.values,
            stars(points, block.partition.groups, [*(c.name for c in columns[:2]), "", ""]),
            listed=False,
        )

    @property
    def partition(self) -> Partition:
        """The partition, where all attributes are one block. Raises InvalidBlocks otherwise."""
        if len(self.blocks) > 1:
            raise InvalidBlocks("the attributes are in several blocks, each with its own partition")
        return self.blocks[0].partition

    @property
    def k_reached(self) -> int:
        """Return how many records share their released row with the fewest others, at least."""
        return release_classes(self.released).smallest()

    def report(self) -> dict[str, Any]:
        """The release in numbers, ready for JSON; records are numbered from 0."""
        method = self.method
        lost, whole, _ = loss_names(self.original)
        return (
            {
                "algorithm": method.specification.name,
                "source": method.specification.source,
                "yields": method.specification.yields,
                **method_facts(method),
                "records": self.original.n,
                "attributes": list(self.original.names),
                "blocks": [
                    {
                        "attributes": list(block.names),
                        "groups": [list(group) for group in block.partition.groups],
                        "sizes": {str(s): c for s, c in block.partition.sizes().items()},
                        lost: as_json(block.sse),
                        "ties_met": block.ties,
                        **block.centre_facts(),
                        **block.trace_facts(method.specification),
                    }
                    for block in self.blocks
                ],
                "k_reached": self.k_reached,
                lost: as_json(self.sse),
                whole: as_json(self.sst),
                "information_loss_percent": loss_json(self.sse, self.sst),
                "constraints": edit_facts(
                    method.constraints, {"original": self.original, "released": self.released}
                ),
            }
            | self._of_kinds()
            | self._of_missing()
        )

    def _of_missing(self) -> dict[str, Any]:
        """Return the records left out, where that was asked for; groups have the numbers of the
        release."""
        if self.dropped is None:
            return {}
        return {"missing": {"policy": "drop", "dropped": list(self.dropped)}}

    def _of_kinds(self) -> dict[str, Any]:
        """Return the further facts of a release where not all attributes are numbers."""
        method, table = self.method, self.original
        if not table.others:
            timed = {a.name: a.kind.title for a in table.columns if a.kind.timed}
            weighted = {"sampling_weights": True} if method.sampling_weights else {}
            return ({"kinds": timed} if timed else {}) | weighted
        facts: dict[str, Any] = {
            "kinds": {a.name: a.kind.title for a in table.attributes},
            "dissimilarity": _name_of(method.dissimilarity),
            "weights": {name: str(value) for name, value in method.weights.items()},
            "aggregates": {"numeric": method.aggregate, **method.aggregates},
        }
        if len(self.blocks) == 1:
            [block] = self.blocks
            facts["groups"] = [list(group) for group in block.partition.groups]
            facts["sizes"] = {str(s): c for s, c in block.partition.sizes().items()}
            facts["ties_met"] = block.ties
        return facts


def _renewed(ours: Column | Attribute, theirs: Column | Attribute) -> Renewed:
    """New cells: numbers, or the first records that have the released category or sequence."""
    if isinstance(theirs, Column):
        return Renewed(ours.kind, theirs.values(range(len(theirs.numerators))))
    places: dict[Any, int] = {}
    for record, cell in enumerate(ours.labels):
        places.setdefault(cell, record)
    foreign = {record: cell for record, cell in enumerate(theirs.cells) if cell not in places}
    records = [places.get(cell, record) for record, cell in enumerate(theirs.cells)]
    return Renewed(ours.kind, (), records, foreign)


def _shown(value: Value, kind: Kind, exact: bool) -> Any:
    if isinstance(value, Fraction):
        return value if exact else plain_number(value, kind)
    return value == "true" if kind.type == "boolean" else value


def _name_of(dissimilarity: Any) -> str:
    """The name of a dissimilarity, or that of the function that it is."""
    return str(getattr(dissimilarity, "name", dissimilarity))


@overload
def microaggregate(
    data: Any,
    k: SupportsIndex,
    algorithm: Algorithm = "mdav",
    *,
    missing: Literal["group-apart"],
    **options: Unpack[MicroaggregateOptions],
) -> ReleaseApart: ...


@overload
def microaggregate(
    data: Any,
    k: SupportsIndex,
    algorithm: Algorithm = "mdav",
    *,
    missing: Literal["reject", "drop"] = "reject",
    **options: Unpack[MicroaggregateOptions],
) -> Release: ...


@keywords(OPTIONS)
def microaggregate(
    data: Any,
    k: SupportsIndex,
    algorithm: Algorithm = "mdav",
    *,
    missing: str = REJECT,
    **options: Unpack[MicroaggregateOptions],
) -> Release | ReleaseApart:
    """Microaggregate data; see `table_of` for what data can be.

    `algorithm` is a name of the catalogue, its function, such as `refagg.mdav`, or your own (see
    `refagg.catalogue`). Attributes that are no quasi-identifiers come back untouched from
    `Release.to_frame`, but for those that are dropped. Each block is microaggregated separately,
    which gives k-anonymity within each block only; blocks of one attribute each are individual
    ranking. No group crosses strata, and all strata share the standardisation of the whole table.

    A missing value is an error. With `missing` "drop" records that lack a quasi-identifier are
    left out, of `to_frame` too, and listed in `Release.dropped` and in the report; `strata` and
    `sampling_weights` have a value for each record all the same. With "group-apart" records that
    lack the same are masked as a separate table, and the release is a `ReleaseApart`.

    Raises what `table_of` and `method_of` raise, and InvalidK, KTooLarge, InvalidBlocks,
    ShapeMismatch.

    >>> release = microaggregate([[1, 2], [2, 2], [30, 1], [31, 1]], 2)
    >>> release.partition.groups
    ((0, 1), (2, 3))
    >>> [str(value) for value in release.released.row(0)]
    ['3/2', '2']

    Options
    -------
    OPTIONS
    """
    given = given_options(options, OPTIONS, "microaggregate")
    check_missing_policy(missing, APART)
    data = settled(data)
    expected = "give a list of names"
    data = without_columns(data, listed(given["drop"] or (), "the columns dropped are", expected))
    if missing != APART:
        return _release_of(data, k, algorithm, missing == DROP, given)
    check_groups(algorithm_of(algorithm))
    refuse(given, OPTIONS, {WHOLE: f"missing is {APART!r}"})
    return masked_apart(
        data, k, given, OPTIONS, lambda rows, own: _release_of(rows, k, algorithm, False, own)
    )


def _release_of(
    data: Any, k: SupportsIndex, algorithm: Algorithm, drop: bool, given: dict[str, Any]
) -> Release:
    """The release of data in which nothing is missing, or without the records that lack values."""
    gone = None
    if drop:
        data, gone, given = without_incomplete(data, given, OPTIONS)
    table, measure = table_and_measure(data, given, OPTIONS)
    named = {name: value for name, value in given.items() if name in METHOD_OPTIONS}
    named["standardise"] = given["standardise"] or usual_scale(table)
    named["dissimilarity"] = measure
    if not given["blocks"]:  # which have attributes of their own
        of_table = algorithm_of(algorithm).numbered
        named["parameters"] = of_table(parameters_of(given["parameters"]), table.names)
    method = method_of(algorithm, check_k(k, table.n), **named)
    source = None if isinstance(data, (Table, ReadFile)) else data
    if source is not None:
        check_fit(source, {a.name: a.kind for a in table.attributes}, _unseen(table, method))
    release = masked(table, method, given["blocks"], given["strata"])
    return replace(release, source=source, dropped=gone)


def _unseen(table: Table, method: Method) -> dict[str, list[Any]]:
    """By attribute the categories that no record has, and a group may be released with."""
    if method.aggregates.get("ordinal") != "convex-median":
        return {}
    ordinal = [a for a in table.others if a.kind.name == "ordinal"]
    return {a.name: [c for c in a.kind.categories if c not in a.cells] for a in ordinal}


def without_incomplete(
    data: Any, given: Mapping[str, Any], options: Options
) -> tuple[Any, tuple[int, ...], dict[str, Any]]:
    """The data without records that lack a quasi-identifier, which these are, and the options.

    Raises ShapeMismatch and what `complete_records` raises.
    """
    n, names = records_in(data), given["quasi_identifiers"]
    kept = complete_records(data, names, given["kinds"])
    gone = tuple(dropped(n, kept))
    own = options_of_part(Part(kept, ()), checked_labels(given, options, n), options)
    return taken(data, kept) if gone else data, gone, own


def masked(
    table: Table,
    method: Method,
    blocks: Sequence[Sequence[str]] | None = None,
    strata: Sequence[Hashable] | None = None,
) -> Release:
    """The release that a method makes of a table; see `microaggregate`."""
    check_k(method.k, table.n)
    if not table.columns and method.standardise != RANGE:
        raise InvalidParameter(
            f"standardise {method.standardise} applies to numbers only, and no attribute holds any"
        )
    names = blocks_for(method.specification, blocks, table.names)
    for block in names:
        method.check(table.select(block))
    checked_weights(table, method.weights)
    check_edits(method.constraints, names, table)
    members = strata_members(strata, table.n, method.k)
    # These go on drawing: the same deviations in two strata would cancel in a difference.
    stream = None if method.specification.yields == "partition" else method.stream()
    parts = [_masked_block(method, table.select(block), members, stream) for block in names]
    attributes = {a.name: a for part in parts for a in part.released.attributes}
    kinds = {a.name: a.kind for a in table.attributes}
    released = table_with([replace(attributes[name], kind=kinds[name]) for name in table.names])
    lost, whole = _losses(method, table, released, parts)
    return Release(method, table, released, tuple(part.result for part in parts), lost, whole)


@dataclass(frozen=True, slots=True)
class _Part:
    """One block of attributes: its result, its released values, the loss of one group of all."""

    result: BlockResult
    released: Table
    whole: Fraction


def _losses(
    method: Method, table: Table, released: Table, parts: Sequence[_Part]
) -> tuple[Fraction, Fraction]:
    """Return the loss, and that of one group of all records."""
    if not table.others and (method.aggregate != "mean" or method.sampling_weights):
        scaled = method.scaled(table)
        return release_sse(scaled, released), sst(scaled)
    lost = sum((part.result.sse for part in parts), Fraction(0))
    return lost, sum((part.whole for part in parts), Fraction(0))


def blocks_for(
    spec: Specification, blocks: Sequence[Sequence[str]] | None, names: Sequence[str]
) -> list[list[str]]:
    """The blocks of attributes that an algorithm is run on: those given, or its usual ones.

    Raises InvalidBlocks, and NotUnivariate for more attributes in one than it can work with.
    """
    if blocks is None and spec.attributes == "each":
        return [[name] for name in names]
    chosen = [list(names)] if blocks is None else named_blocks(blocks)
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
    expected = "give a list with a label for each record"
    strata = list(strata) if isinstance(strata, str) else listed(strata, "strata are", expected)
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
    method: Method, table: Table, members: list[tuple[str, list[int]]], stream: RandomStream | None
) -> _Part:
    """The result on some attributes. Runs share the random stream, if one is given."""
    scaled, grouping = method.scaled(table), method.grouping(table)
    runs = [method.new_choices(stream) for _ in members]
    system = _bound(method, table.names)
    results = []
    for run, (_, records) in zip(runs, members, strict=True):
        space = method.space(grouping.take(records))
        bound = {"project": coordinate_projection(space, system)} if system else {}
        results.append(method.run(space, run, **bound))
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
        released, lost = _aggregates(method, table, scaled, partition)
    traces = [(label, run.trace or []) for (label, _), run in zip(members, runs, strict=True)]
    ties = sum(run.ties for run in runs)
    result = BlockResult(table.names, partition, lost, ties, tuple(traces), centres, values)
    return _Part(result, released, loss_within(scaled, [range(table.n)], method.dissimilarity))


def _bound(method: Method, names: Sequence[str]) -> System | None:
    """The constraints on centres of these attributes; None where there are none."""
    constraints = within(method.constraints, names)
    if method.specification.yields != "centres" or not constraints:
        return None
    return system_of(constraints, names)


def _aggregates(
    method: Method, table: Table, scaled: Scaled, partition: Partition
) -> tuple[Table, Fraction]:
    """The aggregates of the groups, moved to meet the constraints there are, and the loss."""
    NOW.starts("aggregates and loss")
    if publish := method.publishing():
        released = published(table, partition, publish)
        return released, release_sse(scaled, released)
    released = aggregated_table(table, partition, method.operators())
    constraints = within(method.constraints, table.names)
    if constraints:
        released = projected(released, partition, constraints, scaled.weights)
        if not table.others:
            return released, release_sse(scaled, released)
    return released, loss_within(scaled, partition.groups, method.dissimilarity)
