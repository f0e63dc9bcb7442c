"""How an algorithm becomes a function of rows, with a signature and documentation of its own."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from textwrap import indent
from typing import Any

from refagg.data.standardise import usual_scale
from refagg.data.tables import Table, table_of
from refagg.errors import InvalidParameter
from refagg.language.choices import Choices
from refagg.language.partition import Partition, check_k
from refagg.language.random_stream import stream_of
from refagg.language.specification import Specification
from refagg.language.ties import tie_rule
from refagg.release.masking import blocks_for, masked
from refagg.release.method import Method, method_of
from refagg.spaces.dissimilarities.own import measure_for, one_measure
from refagg.spaces.sequences import sequence_space

SHARED = {
    "standardise": None,
    "arithmetic": None,
    "ties": "lowest",
    "seed": None,
    "trace": False,
    "kinds": None,
    "weights": None,
    "dissimilarity": None,
    "similarity": None,
}
"""The keywords of every function that gives a partition, with their defaults."""

NUMBERS = ("standardise", "arithmetic", "ties", "seed", "trace")
"""Those of an algorithm that works on numbers only."""

SHARED_DOCS = {
    "standardise": 'numbers are divided by their "population" (for numbers by default) or "sample" '
    'standard deviation, their "range" (by default where there are other kinds), or by nothing, '
    '"none"',
    "arithmetic": '"exact" or "float"; by default exact, where that is possible',
    "ties": 'among equals the "lowest" or "highest" record, or a "random" one',
    "seed": "of random choices; needed where something is drawn, and refused elsewhere",
    "trace": "keep the steps of the run in `Partition.trace`",
    "kinds": 'other attributes than numbers, by name: "nominal", "ordinal:low<high", "sequence:>"',
    "weights": "of attributes, by name, where kinds are given",
    "dissimilarity": "of records (or of the sequences in them): a name, a function of two that "
    "gives 0 for equal ones, or the matrix itself",
    "similarity": "instead: a function or a matrix of values from 0 to 1, where 1 is equal",
}


@dataclass(frozen=True, slots=True)
class Options:
    """The shared keywords of one call."""

    standardise: str | None
    arithmetic: str | None
    ties: str
    seed: int | None
    trace: bool
    kinds: Any = None
    weights: Any = None
    dissimilarity: Any = None
    similarity: Any = None


def function_of(specification: Specification) -> Callable[..., Any]:
    """The function of an algorithm, with its signature and its documentation."""
    signature = signature_of(specification)
    shared = shared_keywords(specification)

    def function(*positional: Any, **keywords: Any) -> Any:
        try:
            bound = signature.bind(*positional, **keywords)
        except TypeError as error:
            raise TypeError(f"{python_name(specification)}() {error}") from None
        bound.apply_defaults()
        given = bound.arguments
        options = Options(**{name: given[name] for name in shared})
        settings = {p.name: given[p.name] for p in specification.parameters}
        k = given["k"] if specification.takes_k else 1
        return _run(specification, given["rows"], k, options, settings)

    function.__name__ = function.__qualname__ = python_name(specification)
    function.__module__ = "refagg"
    function.__doc__ = documentation(specification)
    function.__signature__ = signature  # type: ignore[attr-defined]
    function.specification = specification  # type: ignore[attr-defined]
    return function


def python_name(specification: Specification) -> str:
    """The name of an algorithm as Python can write it: "v-mdav" is `v_mdav`."""
    return specification.name.replace("-", "_")


def shared_keywords(specification: Specification) -> tuple[str, ...]:
    """The shared keywords that apply to an algorithm."""
    works_on_kinds = specification.needs in ("Centroids", "Dissimilarities")
    return tuple(SHARED) if works_on_kinds and specification.yields == "partition" else NUMBERS


def signature_of(specification: Specification) -> inspect.Signature:
    """(rows, k, *, the algorithm's parameters, the shared keywords)."""
    place = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    names = ["rows", "k"] if specification.takes_k else ["rows"]
    parameters = [inspect.Parameter(name, place[0]) for name in names]
    defaults = {p.name: plain_default(p.default) for p in specification.parameters}
    defaults |= {name: SHARED[name] for name in shared_keywords(specification)}
    for name, default in defaults.items():
        needed = name == "seed" and specification.random
        value = inspect.Parameter.empty if needed else default
        parameters.append(inspect.Parameter(name, place[1], default=value))
    return inspect.Signature(parameters)


def plain_default(default: Any) -> Any:
    """A default as a caller would write it: a fraction as a text."""
    return str(default) if isinstance(default, Fraction) else default


def documentation(specification: Specification) -> str:
    """Source, steps, open choices, sizes, parameters: all that is known of an algorithm."""
    text = sys.modules[specification.run.__module__].__doc__ or ""
    parts = [specification.title, text.strip(), _parameters(specification)]
    parts.append(f"Returns\n-------\n{RETURNS[specification.yields]}")
    if specification.ties:
        lines = [f"{t.name} (step {t.step}): {t.meaning}" for t in specification.ties]
        parts.append("Open choices\n------------\n" + "\n".join(lines))
    parts.append(f"Sizes: {specification.guarantees}.")
    parts.append(f"Cost: {specification.cost}.")
    parts.append(f"Source: {specification.source}.")
    return "\n\n".join(parts)


RETURNS = {
    "partition": "Partition: groups of record numbers, counted from 0. For an algorithm that works"
    "\non one attribute at a time, a dict with one for each attribute.",
    "centres": "FuzzyGroups: centres, memberships, and the centre that each record was assigned.",
    "deviations": "list: for each record the tuple of its released values.",
}


def _parameters(specification: Specification) -> str:
    lines = ["Parameters", "----------"]
    lines.append("rows : rows of numbers, a NumPy array, or a pandas, polars or Arrow table")
    if specification.takes_k:
        lines.append("k : the least size of a group, an integer from 1 to the records there are")
    for parameter in specification.parameters:
        lines.append(f"{parameter.name} : {parameter.allowed} (default {parameter.default})")
        lines.append(indent(parameter.meaning, "    "))
    for name in shared_keywords(specification):
        lines.append(f"{name} : (default {SHARED[name]})")
        lines.append(indent(SHARED_DOCS[name], "    "))
    lines += ["", "Raises", "------"]
    lines.append("RefaggError: each way to be wrong is a class of its own in `refagg.errors`.")
    return "\n".join(lines)


def _run(
    specification: Specification, rows: Any, k: Any, options: Options, settings: dict[str, Any]
) -> Any:
    measure = one_measure(options.dissimilarity, options.similarity)
    options = replace(options, similarity=None, dissimilarity=measure)
    if options.kinds is None and options.weights is not None:
        raise InvalidParameter("weights need declared kinds")
    if options.kinds is None and options.dissimilarity is not None:
        return _partition_of_items(specification, rows, k, options, settings)
    return _of_table(specification, rows, k, options, settings)


def _of_table(
    specification: Specification, rows: Any, k: Any, options: Options, settings: dict[str, Any]
) -> Any:
    table = table_of(rows, kinds=options.kinds)
    method = method_of(
        specification.name,
        k,
        standardise=options.standardise or usual_scale(table),
        arithmetic=options.arithmetic,
        ties=options.ties,
        seed=options.seed,
        trace=options.trace,
        dissimilarity=measure_for(table, options.dissimilarity),
        weights=options.weights,
        parameters=settings,
    )
    method = replace(method, k=check_k(k, table.n))
    if specification.yields == "deviations":
        released = masked(table, method).released
        return [released.row(record) for record in range(released.n)]
    parts = {
        block[0]: _result(method, table.select(block))
        for block in blocks_for(specification, None, table.names)
    }
    return parts if specification.attributes == "each" else next(iter(parts.values()))


def _result(method: Method, table: Table) -> Any:
    method.check(table)
    choices = method.new_choices()
    result = method.run(method.space(method.grouping(table)), choices)
    return with_trace(result, choices) if isinstance(result, Partition) else result


def with_trace(partition: Partition, choices: Choices) -> Partition:
    """The partition, with the steps of the run that formed it if they were kept."""
    return partition if choices.trace is None else replace(partition, trace=tuple(choices.trace))


def _partition_of_items(
    specification: Specification, rows: Any, k: Any, options: Options, settings: dict[str, Any]
) -> Partition:
    """Records that are anything, of which only dissimilarities are known."""
    _check_exact(options, "a dissimilarity is given")
    settings = specification.settings(settings)
    if specification.needed(settings) != "Dissimilarities":
        raise InvalidParameter(
            f"{specification.name} needs averages of records, and a dissimilarity gives none"
        )
    items = list(rows)
    k = check_k(k, len(items))
    measure = options.dissimilarity
    items = [tuple(item) if isinstance(item, list) else item for item in items]
    space = sequence_space(items, measure)
    choices = Choices(
        tie_rule(options.ties, options.seed),
        stream_of(options.seed),
        [] if options.trace else None,
    )
    return with_trace(specification.run(space, k, choices, **settings), choices)


def _check_exact(options: Options, why: str) -> None:
    if options.standardise is not None:
        raise InvalidParameter(f"standardise applies to numbers only, but {why}")
    if options.arithmetic not in (None, "exact"):
        raise InvalidParameter(f"arithmetic is {options.arithmetic!r}, but where {why} it is exact")
