"""The stub of `refagg.functions`, for type checkers: `python -m refagg.functions.stubs` renews it.

With `--check` nothing is written; the status is 1 if the stub is not what the catalogue says.
"""

from __future__ import annotations

import sys
from pathlib import Path

from refagg.catalogue import CATALOGUE
from refagg.functions.calling import plain_default, python_name, shared_keywords
from refagg.language.specification import Attribute, Choice, Integer, Parameter, Specification

STUB = Path(__file__).with_name("__init__.pyi")

HEAD = '''"""Generated from the catalogue by `python -m refagg.functions.stubs`."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, SupportsIndex

from refagg.algorithms.fuzzy.microaggregation import FuzzyGroups
from refagg.language.partition import Partition

Rows = Any
Rational = int | float | Fraction | Decimal | str
Measure = Callable[[Any, Any], Any] | Sequence[Sequence[Any]]

FUNCTIONS: dict[str, Callable[..., Any]]
'''

SHARED_TYPES = {
    "standardise": 'Literal["population", "sample", "none", "range"] | None = None',
    "arithmetic": 'Literal["exact", "float"] | None = None',
    "ties": 'Literal["lowest", "highest", "random"] = "lowest"',
    "seed": "int | None = None",
    "trace": "bool = False",
    "kinds": "Mapping[str, str] | None = None",
    "weights": "Mapping[str, Rational] | None = None",
    "dissimilarity": "str | Measure | None = None",
    "similarity": "Measure | None = None",
}


def stub() -> str:
    """The text of the stub."""
    specifications = sorted(CATALOGUE.values(), key=python_name)
    names = "".join(f'    "{python_name(s)}",\n' for s in specifications)
    return "\n".join([HEAD, f"__all__ = [\n{names}]\n", *map(_definition, specifications)])


def _definition(specification: Specification) -> str:
    lines = [f"def {python_name(specification)}(", "    rows: Rows,"]
    if specification.takes_k:
        lines.append("    k: SupportsIndex,")
    lines.append("    *,")
    lines += [f"    {_typed(parameter)}," for parameter in specification.parameters]
    for name in shared_keywords(specification):
        text = SHARED_TYPES[name]
        if name == "seed" and specification.random:
            text = "int"
        lines.append(f"    {name}: {text},")
    lines.append(f") -> {_result(specification)}: ...\n")
    return "\n".join(lines)


def _typed(parameter: Parameter) -> str:
    if isinstance(parameter, Choice):
        values = ", ".join(f'"{value}"' for value in parameter.values)
        return f'{parameter.name}: Literal[{values}] = "{parameter.default}"'
    if isinstance(parameter, (Integer, Attribute)):
        return f"{parameter.name}: SupportsIndex = {parameter.default}"
    return f'{parameter.name}: Rational = "{plain_default(parameter.default)}"'


def _result(specification: Specification) -> str:
    if specification.attributes == "each":
        return "dict[str, Partition]"
    return {
        "partition": "Partition",
        "centres": "FuzzyGroups",
        "deviations": "list[tuple[Fraction, ...]]",
    }[specification.yields]


def main(arguments: list[str]) -> int:
    if arguments == ["--check"]:
        fresh = STUB.exists() and STUB.read_text(encoding="utf-8") == stub()
        print(
            "up to date" if fresh else f"{STUB} is not up to date: python -m refagg.functions.stubs"
        )
        return 0 if fresh else 1
    STUB.write_text(stub(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
