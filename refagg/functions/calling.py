"""Functions of rows, made of algorithms, and their calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any

import refagg.algorithms as algorithms
from refagg.data.foreign import settled
from refagg.data.missing import REJECT
from refagg.data.standardise import usual_scale
from refagg.data.tables import Table, table_of
from refagg.errors import NotUnivariate
from refagg.functions.describing import documentation, python_name, shared_keywords, signature_of
from refagg.functions.given import (
    centres_of,
    grouping_and_table,
    is_measured,
    partition_of_items,
    partition_of_patterns,
    refuse_of_releases,
)
from refagg.language.partition import Partition, check_k
from refagg.language.specification import Specification
from refagg.options.checking import grouping_of
from refagg.options.fields import types_of
from refagg.options.grouping import Grouping
from refagg.options.types import explained


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
            refuse_of_releases(specification, [n for n in keywords if n not in shared])
            raise TypeError(f"{python_name(specification)}() {error}") from None
        if usual and len(bound.arguments) == 1 + takes_k:
            return _in_usual_way(usual, **bound.arguments)
        bound.apply_defaults()
        given = bound.arguments
        options = {name: given[name] for name in shared}
        options["parameters"] = {p.name: given[p.name] for p in specification.parameters}
        k = given["k"] if takes_k else 1
        with explained(options, types):
            return _with_options(specification, settled(given["rows"], options), k, options)

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


def _with_options(specification: Specification, rows: Any, k: Any, given: dict[str, Any]) -> Any:
    """Run an algorithm with all its options."""
    if is_measured(given) and given["kinds"] is None:  # records can be anything
        return partition_of_items(specification, rows, k, given)
    if given["missing"] != REJECT:
        return partition_of_patterns(specification, rows, k, given)
    grouping, table = grouping_and_table(specification, rows, k, given)
    if specification.yields == "centres":
        return centres_of(rows, grouping, table, given["constraints"])
    return _results(grouping, table)


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


def _result(grouping: Grouping, table: Table) -> Any:
    choices = grouping.new_choices()
    result = grouping.of_table(table, choices)
    if grouping.specification.yields == "deviations":
        from refagg.data.aggregate import deviated  # which few algorithms need

        released = deviated(table, [(range(table.n), result)])
        return [released.row(record) for record in range(table.n)]
    if choices.trace is not None and isinstance(result, Partition):
        from refagg.release.trace import player_of, with_trace  # which only traces need

        scene = partial(player_of, grouping, table, ())
        return with_trace(result, grouping.specification, choices.trace, scene)
    return result
