"""Name, signature and documentation of an algorithm's function."""

from __future__ import annotations

import inspect
import sys
from fractions import Fraction
from textwrap import indent

from refagg.data.missing import APART, REJECT
from refagg.language.specification import Parameter, Specification
from refagg.options.fields import Option, documented, only, options_of
from refagg.options.grouping import Grouping
from refagg.options.layout import Layout

SHARED = {
    **only(options_of(Grouping), "standardise", "arithmetic", "ties", "seed", "trace"),
    **only(options_of(Layout), "kinds"),
    **only(options_of(Grouping), "weights", "dissimilarity", "similarity"),
    **only(options_of(Grouping), "series", "times", "significant_digits"),
    **only(options_of(Layout), "quasi_identifiers"),
    "missing": options_of(Layout)["missing"].of(
        meaning="with group-apart, records that lack the same values are grouped by themselves",
        type=f'Literal["{REJECT}", "{APART}"]',
        choices=(REJECT, APART),
    ),
}
"""The keywords of every function."""


def python_name(specification: Specification) -> str:
    """Return the name of an algorithm as Python can write it.

    "v-mdav" is `v_mdav`.
    """
    return specification.name.replace("-", "_")


def shared_keywords(specification: Specification) -> dict[str, Option]:
    """The shared keywords; centres can be put on constraints, too."""
    if specification.yields != "centres":
        return SHARED
    from refagg.options.publishing import Publishing  # which reads all about constraints

    return SHARED | only(options_of(Publishing), "constraints")


def signature_of(specification: Specification) -> inspect.Signature:
    """(rows, k, *, the algorithm's parameters, the shared keywords)."""
    place = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    names = ["rows", "k"] if specification.takes_k else ["rows"]
    parameters = [inspect.Parameter(name, place[0]) for name in names]
    defaults = {p.name: plain_default(p) for p in specification.parameters}
    defaults |= {one.name: one.default for one in shared_keywords(specification).values()}
    for name, default in defaults.items():
        needed = name == "seed" and specification.random
        value = inspect.Parameter.empty if needed else default
        parameters.append(inspect.Parameter(name, place[1], default=value))
    return inspect.Signature(parameters)


def plain_default(parameter: Parameter) -> object:
    """Return a default as a caller would write it.

    A fraction is returned as a text, and None for a parameter that must be stated.
    """
    default = None if parameter.stated else parameter.default
    return str(default) if isinstance(default, Fraction) else default


def documentation(specification: Specification) -> str:
    """Return the documentation of an algorithm's function.

    It has the source, steps, open choices, sizes and parameters.
    """
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
    "centres": "FuzzyMicroaggregation: `centres` and `memberships` (a frame for a frame) in the"
    "\ncaller's units and names, `assignment`, `groups`, `expected_sizes`, `violations`.",
    "deviations": "list: for each record the tuple of its released values.",
}


def _parameters(specification: Specification) -> str:
    lines = ["Parameters", "----------"]
    lines.append("rows : rows of numbers, a NumPy array, or a pandas, polars or Arrow table")
    if specification.takes_k:
        lines.append("k : the least size of a group, an integer from 1 to the records there are")
    for parameter in specification.parameters:
        default = "" if parameter.stated else f" (default {parameter.default})"
        lines.append(f"{parameter.name} : {parameter.allowed}{default}")
        lines.append(indent(parameter.meaning, "    "))
    lines.append(documented(shared_keywords(specification).values()))
    lines += ["", "Raises", "------"]
    lines.append("RefaggError: each way to be wrong is a class of its own in `refagg.errors`.")
    return "\n".join(lines)
