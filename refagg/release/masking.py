"""Microaggregation of a table, by blocks of attributes and in strata."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, overload

from refagg.algorithms.fuzzy.microaggregation import FuzzyGroups
from refagg.algorithms.fuzzy.publishing import at_centres, coordinate_projection
from refagg.catalogue import algorithm_of
from refagg.constraints.system import System, system_of
from refagg.data.aggregate import deviated, published
from refagg.data.foreign import ReadFile, check_fit, settled, taken
from refagg.data.missing import (
    APART,
    DROP,
    REJECT,
    Part,
    check_missing_policy,
    complete_records,
    dropped,
)
from refagg.data.standardise import RANGE, Scaled, checked_weights, usual_scale
from refagg.data.tables import Table, records_in, table_with, without_columns
from refagg.errors import InvalidParameter
from refagg.language.choices import Choices
from refagg.language.lists import listed
from refagg.language.partition import Partition, check_k
from refagg.language.random_stream import RandomStream
from refagg.language.specification import Specification
from refagg.options.fields import WHOLE, Options, given_options, keywords, options_of, refuse
from refagg.options.grouping import Grouping
from refagg.options.layout import Layout
from refagg.options.publishing import Publishing
from refagg.options.scales import table_and_measure
from refagg.release import apart
from refagg.release.aggregates import aggregated_table
from refagg.release.blocks import blocks_for, numbered_parameters, strata_members
from refagg.release.edits import check_edits, projected, within
from refagg.release.measures import loss_within, release_sse, sst
from refagg.release.method import OPTIONS as METHOD_OPTIONS
from refagg.release.method import Method, method_of
from refagg.release.result import BlockResult, Release
from refagg.release.risk import release_classes
from refagg.release.trace import Trace, player_of, trace_of
from refagg.terminal import NOW

if TYPE_CHECKING:
    from typing import Unpack

    from refagg.options.keywords import MicroaggregateOptions

Algorithm = str | Specification | Callable[..., Any]

OPTIONS = options_of(
    Grouping, Publishing, Layout, without=("algorithm", "k", "confidential", "missing")
)
"""The keywords of `microaggregate`, beside `missing`."""


@overload
def microaggregate(
    data: object,
    k: SupportsIndex,
    algorithm: Algorithm = "mdav",
    *,
    missing: Literal["group-apart"],
    **options: Unpack[MicroaggregateOptions],
) -> apart.ReleaseApart: ...


@overload
def microaggregate(
    data: object,
    k: SupportsIndex,
    algorithm: Algorithm = "mdav",
    *,
    missing: Literal["reject", "drop"] = "reject",
    **options: Unpack[MicroaggregateOptions],
) -> Release: ...


@keywords(OPTIONS)
def microaggregate(
    data: object,
    k: SupportsIndex,
    algorithm: Algorithm = "mdav",
    *,
    missing: str = REJECT,
    **options: Unpack[MicroaggregateOptions],
) -> Release | apart.ReleaseApart:
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

    >>> import refagg
    >>> release = refagg.microaggregate([[1, 2], [2, 2], [30, 1], [31, 1]], 2)
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
    data = settled(data, given)
    dropped = () if given["drop"] is None else given["drop"]
    data = without_columns(data, listed(dropped, "the columns dropped are", "give a list of names"))
    if missing != APART:
        return _release_of(data, k, algorithm, missing == DROP, given)
    spec = algorithm_of(algorithm)
    refuse(given, OPTIONS, {WHOLE: f"missing is {APART!r}"})
    return apart.masked_apart(
        data, k, spec, given, OPTIONS, lambda rows, own: _release_of(rows, k, spec, False, own)
    )


def _release_of(
    data: object, k: SupportsIndex, algorithm: Algorithm, drop: bool, given: dict[str, Any]
) -> Release:
    """Return the release of data without missing values.

    With `drop`, records that lack values are left out first.
    """
    gone = None
    if drop:
        data, gone, given = without_incomplete(data, given, OPTIONS)
    table, measure = table_and_measure(data, given, OPTIONS)
    named = {name: value for name, value in given.items() if name in METHOD_OPTIONS}
    named["standardise"] = given["standardise"] or usual_scale(table)
    named["dissimilarity"] = measure
    spec = algorithm_of(algorithm)
    named["parameters"] = numbered_parameters(spec, given, table.names)
    method = method_of(spec, check_k(k, table.n), **named)
    source = None if isinstance(data, (Table, ReadFile)) else data
    if source is not None:
        check_fit(source, {a.name: a.kind for a in table.attributes}, _unseen(table, method))
    release = masked(table, method, given["blocks"], given["strata"])
    return replace(release, source=source, dropped=gone)


def _unseen(table: Table, method: Method) -> dict[str, list[object]]:
    """Return by attribute the released categories that no record has.

    A group may be released with them.
    """
    if method.aggregates.get("ordinal") != "convex-median":
        return {}
    ordinal = [a for a in table.others if a.kind.name == "ordinal"]
    return {a.name: [c for c in a.kind.categories if c not in a.cells] for a in ordinal}


def without_incomplete(
    data: Any, given: Mapping[str, Any], options: Options
) -> tuple[Any, tuple[int, ...], dict[str, Any]]:
    """Return the data, without records that lack a quasi-identifier.

    The records left out and the options for the rest are returned too. Raises ShapeMismatch and
    what `complete_records` raises.
    """
    n, names = records_in(data), given["quasi_identifiers"]
    kept = complete_records(data, names, given["kinds"])
    gone = tuple(dropped(n, kept))
    own = apart.options_of_part(Part(kept, ()), apart.checked_labels(given, options, n), options)
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
    """One block of attributes: result, released values, and whole loss.

    The whole loss is that of one group of all records.
    """

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


def _masked_block(
    method: Method, table: Table, members: list[tuple[str, list[int]]], stream: RandomStream | None
) -> _Part:
    """Mask one block of attributes.

    Runs share the random stream, if one is given.
    """
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
    traces = [
        (label, _trace_of(method, table, partition.groups, records, run))
        for (label, records), run in zip(members, runs, strict=True)
    ]
    ties = sum(run.ties for run in runs)
    result = BlockResult(table.names, partition, lost, ties, tuple(traces), centres, values)
    return _Part(result, released, loss_within(scaled, [range(table.n)], method.dissimilarity))


def _trace_of(
    method: Method,
    table: Table,
    groups: Sequence[Sequence[int]],
    records: Sequence[int],
    run: Choices,
) -> Trace:
    """Return the steps of a run on these records.

    There are none if they were not kept.
    """
    constraints = within(method.constraints, table.names)
    events = run.trace or []
    player = partial(player_of, method, table, constraints, events, groups, records)
    return trace_of(method.specification, events, player if events else None)


def _bound(method: Method, names: Sequence[str]) -> System | None:
    """The constraints on centres of these attributes; None where there are none."""
    constraints = within(method.constraints, names)
    if method.specification.yields != "centres" or not constraints:
        return None
    return system_of(constraints, names)


def _aggregates(
    method: Method, table: Table, scaled: Scaled, partition: Partition
) -> tuple[Table, Fraction]:
    """Return the aggregates of the groups, and the loss.

    The aggregates are moved to meet the constraints, if there are any.
    """
    NOW.starts("aggregates and loss")
    if publish := method.publishing():
        released = published(table, partition, publish)
        return released, release_sse(scaled, released)
    released = aggregated_table(table, partition, method.operators())
    if constraints := within(method.constraints, table.names):
        released = projected(released, partition, constraints, scaled.weights)
        if not table.others:
            return released, release_sse(scaled, released)
    return released, loss_within(scaled, partition.groups, method.dissimilarity)
