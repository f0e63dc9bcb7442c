"""Functions of rows, made of algorithms, and their calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any, TypeVar

import refagg.algorithms as algorithms
from refagg.data.missing import APART, DROP, REJECT
from refagg.data.standardise import checked_weights, usual_scale
from refagg.data.tables import Table, check_missing_policy, table_of
from refagg.errors import InvalidParameter, NoCentroid, NotATable, NotUnivariate
from refagg.functions.describing import (
    SHARED,
    documentation,
    python_name,
    shared_keywords,
    signature_of,
)
from refagg.language.event import Event
from refagg.language.partition import Partition, check_k
from refagg.language.specification import Specification
from refagg.options.checking import grouping_of, unmet_by_grouping
from refagg.options.fields import WHOLE, options_of, refuse, refuse_others, types_of, unmet_kinds
from refagg.options.grouping import Grouping, needs_averages
from refagg.options.layout import Layout
from refagg.options.types import explained

T = TypeVar("T")

OF_ITEMS = ("arithmetic", "ties", "seed", "trace", "dissimilarity", "similarity")
"""Those that apply where records are compared as a whole."""


def function_of(specification: Specification) -> Callable[..., Any]:
    """The function of an algorithm, with its signature and its documentation."""
    signature = signature_of(specification)
    shared, takes_k = shared_keywords(specification), specification.takes_k
    types = types_of(shared)
    usual = None
    if not (specification.random or specification.first_attributes()):
        usual = Grouping(**grouping_of(specification, 1, {}))

    def function(*positional: object, **keywords: object) -> Any:
        try:
            bound = signature.bind(*positional, **keywords)
        except TypeError as error:
            _refuse_of_releases(specification, [n for n in keywords if n not in shared])
            raise TypeError(f"{python_name(specification)}() {error}") from None
        if usual and len(bound.arguments) == 1 + takes_k:
            return _in_usual_way(usual, **bound.arguments)
        bound.apply_defaults()
        given = bound.arguments
        options = {name: given[name] for name in shared}
        options["parameters"] = {p.name: given[p.name] for p in specification.parameters}
        k = given["k"] if takes_k else 1
        with explained(options, types):
            return _run(specification, given["rows"], k, options)

    function.__name__ = function.__qualname__ = python_name(specification)
    function.__module__ = "refagg"
    function.__doc__ = documentation(specification)
    function.__signature__ = signature  # type: ignore[attr-defined]
    function.specification = specification  # type: ignore[attr-defined]
    return function


_KNOWN: dict[str, Callable[..., object]] = {}
"""The functions that were made, by the names of their algorithms."""


def known_function(specification: Specification) -> Callable[..., object]:
    """The function of an algorithm of the catalogue; each has one."""
    if specification.name not in _KNOWN:
        _KNOWN[specification.name] = function_of(specification)
    return _KNOWN[specification.name]


def algorithm_function(name: str) -> Callable[..., object] | None:
    """The function of this name; None if no algorithm has it.

    An algorithm whose file has its name is found without a look at the others.
    """
    for folder in iter_modules(algorithms.__path__, f"{algorithms.__name__}."):
        place = f"{folder.name}.{name}"
        if folder.ispkg and name.isidentifier() and find_spec(place):
            for value in vars(import_module(place)).values():
                if isinstance(value, Specification) and python_name(value) == name:
                    return known_function(value)
    from refagg.catalogue import CATALOGUE  # which reads all of them

    found = (one for one in CATALOGUE.values() if python_name(one) == name)
    return next(map(known_function, found), None)


def _refuse_of_releases(specification: Specification, names: Sequence[str]) -> None:
    """Raise InvalidParameter for the name of a release's option.

    Only a release has such an option.
    """
    from refagg.options.publishing import Publishing

    why = {
        Publishing: "groups do not depend on it",
        Layout: "it says what a release has",
        Grouping: "here each parameter has its own name",
    }
    told = {
        n: why[table] for table in why for n in options_of(table, without=("k", "confidential"))
    }
    for name, reason in (told | {"progress": "a function alone shows none"}).items():
        if name in names:
            raise InvalidParameter(
                f"{name}= is an option of refagg.microaggregate: {reason}; write "
                f"refagg.microaggregate(rows, k, refagg.{python_name(specification)}, {name}=...)"
            )


def _run(specification: Specification, rows: object, k: object, given: dict[str, Any]) -> Any:
    from refagg.data.foreign import settled

    rows = settled(rows, given)
    measured = given["dissimilarity"] is not None or given["similarity"] is not None
    if measured and given["kinds"] is None:
        return _partition_of_items(specification, rows, k, given)
    if given["missing"] != REJECT:
        return _of_patterns(specification, rows, k, given)
    shared = shared_keywords(specification)
    refuse(given, shared, unmet_kinds(given))
    table = table_of(rows, given["quasi_identifiers"], kinds=given["kinds"])
    given["standardise"] = given["standardise"] or usual_scale(table)
    given["parameters"] = specification.stated(given["parameters"], table.names)
    if measured:
        from refagg.spaces.dissimilarities.own import measure_for

        given["dissimilarity"] = measure_for(table, _measure(given))
    k = check_k(k, table.n)
    grouping = Grouping(**grouping_of(specification, k, given))
    unmet = grouping.unmet_by_table(table) | unmet_by_grouping(specification, given)
    refuse(given, shared, unmet)
    checked_weights(table, grouping.weights)
    if specification.yields == "centres":
        from refagg.release.fuzzy_clustering import drawn_to_centres

        made = drawn_to_centres(rows, table, grouping, given["constraints"])
        scene = partial(_of_table, grouping, table, given["constraints"])
        return with_trace(made, made.groups, specification, made.trace, scene)
    return _results(grouping, table)


def _of_patterns(specification: Specification, rows: Any, k: Any, given: dict[str, Any]) -> Any:
    """Group the records of each pattern of missing values by themselves."""
    from refagg.release.apart import checked_patterns, options_of_part, records_of

    shared, policy = shared_keywords(specification), given["missing"]
    _check_policy(specification, policy)
    refuse(given, shared, {WHOLE: f"missing is {policy!r}"})
    own = {name: given[name] for name in shared}
    instead = f'refagg.microaggregate with missing="{DROP}"'
    k, wanted, parts = checked_patterns(rows, k, own, instead)
    parameters, groups = specification.named(given["parameters"], wanted), []
    for part in parts:
        options = options_of_part(part, own, shared)
        options |= {"missing": REJECT, "parameters": dict(parameters)}
        made = [range(len(part.records))]
        if part.names:
            made = _run(specification, records_of(rows, wanted, part), k, options).groups
        groups += [[part.records[member] for member in group] for group in made]
    return Partition.of(groups)


def _check_policy(specification: Specification, policy: str) -> None:
    """Raise InvalidParameter for a missing-value policy that only releases have."""
    check_missing_policy(policy, APART)
    grouped = specification.yields == "partition" and specification.attributes != "each"
    if policy == DROP or not grouped:
        name = python_name(specification)
        raise InvalidParameter(
            f"missing is {policy!r}; refagg.{name} takes {REJECT}{f' or {APART}' * grouped}; "
            f"write refagg.microaggregate(rows, k, refagg.{name}, missing={policy!r})"
        )


def _in_usual_way(usual: Grouping, rows: object, k: object = 1) -> object:
    """Run an algorithm without options."""
    table = table_of(rows)
    return _results(replace(usual, k=check_k(k, table.n), standardise=usual_scale(table)), table)


def _results(grouping: Grouping, table: Table) -> object:
    """Run an algorithm on a table, or on each of its attributes."""
    specification = grouping.specification
    if specification.attributes == "each":
        return {name: _result(grouping, table.select([name])) for name in table.names}
    if specification.attributes == "one" and len(table.names) > 1:
        raise NotUnivariate(
            f"{specification.name} works on one attribute, but is given {', '.join(table.names)}"
        )
    return _result(grouping, table)


def _measure(given: dict[str, object]) -> Any:
    """The dissimilarity or the similarity that is given."""
    from refagg.spaces.dissimilarities.own import one_measure

    return one_measure(given["dissimilarity"], given["similarity"])


def _result(grouping: Grouping, table: Table) -> Any:
    grouping.check_kinds(table)
    choices = grouping.new_choices()
    result = grouping.run(grouping.space(grouping.grouping(table)), choices)
    if grouping.specification.yields == "deviations":
        from refagg.data.aggregate import deviated  # which few algorithms need

        released = deviated(table, [(range(table.n), result)])
        return [released.row(record) for record in range(table.n)]
    if not isinstance(result, Partition):
        return result
    scene = partial(_of_table, grouping, table, ())
    return with_trace(result, result.groups, grouping.specification, choices.trace, scene)


def with_trace(
    made: T,  # with a field `trace`
    groups: Sequence[Sequence[int]],
    specification: Specification,
    events: Sequence[Event] | None,
    player: Callable[..., str],
) -> T:
    """Return the result of a run, with its steps if kept.

    `player` plays these events and groups.
    """
    if events is None:
        return made
    from refagg.release.trace import trace_of  # which only traces need

    played = partial(player, events, groups)
    return replace(made, trace=trace_of(specification, events, played))  # type: ignore[type-var]


def _of_table(grouping: Grouping, table: Table, constraints: Any, *run: Any) -> str:
    from refagg.release.edits import constraints_of
    from refagg.release.trace import player_of

    return player_of(grouping, table, constraints_of(constraints), *run)


def _of_items(specification: Specification, space: Any, items: Sequence[object], *run: Any) -> str:
    from refagg.comparison.player.page import fragment
    from refagg.comparison.player.scene import scene_of_items

    texts = [" ".join(map(str, item)) if isinstance(item, tuple) else str(item) for item in items]
    return fragment(scene_of_items(specification, space, texts, *run), specification.name)


def _partition_of_items(
    specification: Specification, rows: Any, k: Any, given: dict[str, Any]
) -> Partition:
    """Records that are anything, of which only dissimilarities are known."""
    from refagg.spaces.sequences import sequence_space

    measure = _measure(given)
    refuse_others(given, SHARED, OF_ITEMS, "to records of which only a dissimilarity is given")
    if given["arithmetic"] not in (None, "exact"):
        raise InvalidParameter(
            f"arithmetic is {given['arithmetic']!r}, but where a dissimilarity is given it is exact"
        )
    given["arithmetic"] = "exact"
    grouping = Grouping(**grouping_of(specification, 1 if not specification.takes_k else k, given))
    if specification.needed(grouping.parameters) != "Dissimilarities":
        raise NoCentroid(needs_averages(specification, "a dissimilarity gives none"))
    if not isinstance(rows, Iterable):
        raise NotATable(f"{type(rows).__name__} is not a list of records; give texts")
    items = [tuple(item) if isinstance(item, list) else item for item in rows]
    try:
        set(items)
    except TypeError as error:
        raise NotATable(f"a record cannot be told from others: {error}; give texts") from None
    grouping = replace(grouping, k=check_k(k, len(items)))
    choices = grouping.new_choices()
    space = sequence_space(items, measure)
    partition = grouping.run(space, choices)
    scene = partial(_of_items, specification, space, items)
    traced: Partition = with_trace(partition, partition.groups, specification, choices.trace, scene)
    return traced
