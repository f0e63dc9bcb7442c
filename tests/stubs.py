"""The stubs of functions and of their options, for type checkers: `python -m tests.stubs`.

With `--check` nothing is written; the status is 1 if a stub is not what the catalogue and the
options say.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path

from refagg.catalogue import CATALOGUE
from refagg.functions.describing import plain_default, python_name, shared_keywords
from refagg.language.importing import object_named
from refagg.language.specification import OF_EACH, Parameter, Specification
from refagg.options.fields import PROGRESS, Option, Options

ROOT = Path(__file__).parents[1]

STUB = ROOT / "refagg" / "functions" / "__init__.pyi"
KEYWORDS = ROOT / "refagg" / "options" / "keywords.pyi"
JUDGES_KEYWORDS = ROOT / "oracle" / "keywords.pyi"

HEAD = '''"""Generated from the catalogue by `python -m tests.stubs`."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, SupportsIndex

from refagg.constraints.equations import Constraint
from refagg.language.partition import Partition
from refagg.options.fields import Rational
from refagg.release.fuzzy_clustering import FuzzyMicroaggregation
from refagg.spaces.dissimilarities.dissimilarity import Dissimilarity
from refagg.spaces.dissimilarities.own import Measure, Own

Rows = Any

FUNCTIONS: dict[str, Callable[..., Any]]
'''

KEYWORDS_HEAD = '''"""Generated from options by `python -m tests.stubs`."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypedDict

from refagg.comparison.compare import ComparisonRow
from refagg.comparison.comparing import Heuristic
from refagg.comparison.references import Reference
from refagg.constraints.equations import Constraint
from refagg.options.fields import Rational
from refagg.release.evaluation import Groups
from refagg.spaces.dissimilarities.dissimilarity import Dissimilarity
from refagg.spaces.dissimilarities.own import Measure, Own
'''

JUDGES_HEAD = '''"""Generated from the options of functions by `python -m tests.stubs`."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, Literal, TypedDict

from oracle.functions.arguments import Algorithm
from oracle.optima.clock import Report
from refagg.constraints.equations import Constraint
from refagg.language.partition import Partition
from refagg.options.fields import Rational
from refagg.release.evaluation import Groups
from refagg.spaces.dissimilarities.dissimilarity import Dissimilarity
from refagg.spaces.dissimilarities.own import Measure, Own
'''

TYPES = {
    "MethodOptions": "refagg.release.method:OPTIONS",
    "MicroaggregateOptions": "refagg.release.masking:OPTIONS",
    "MeasureOptions": "refagg.release.measuring:OPTIONS",
    "EvaluateOptions": "refagg.release.evaluation:OPTIONS",
    "FuzzyOptions": "refagg.release.fuzzy_clustering:OPTIONS",
    "CompareOptions": "refagg.comparison.comparing:OPTIONS",
}
"""The options of functions, by the type of these."""

JUDGES_TYPES = {
    "AuditOptions": "oracle.functions.audits:OPTIONS",
    "AloneOptions": "oracle.functions.audits:ALONE",
    "ConformOptions": "oracle.functions.implementation_options:CONFORM",
    "HuntOptions": "oracle.functions.implementation_options:HUNT",
    "IdentifyOptions": "oracle.functions.identification:OPTIONS",
    "OptimumOptions": "oracle.optima.searching:OPTIONS",
    "SearchOptions": "oracle.optima.searching:SEARCH",
    "StoredOptions": "oracle.functions.audits:STORED",
}


CHECKED_WHEN_CALLED = ("MethodOptions", "StoredOptions", "SearchOptions")
"""Those of functions that are called with names that were read."""

LITERAL = re.compile(r"Literal\[[^]]*\]")


def keywords_stub(head: str, types: Mapping[str, str]) -> str:
    """The text of a stub with the options of some functions."""
    made = [_keywords(name, object_named(place)) for name, place in types.items()]
    return "\n".join([head, *made])


def _keywords(name: str, options: Options) -> str:
    lines = [f"class {name}(TypedDict, total=False):"]
    types = {one.name: one.type for one in options.values()}
    if name not in CHECKED_WHEN_CALLED:
        types |= {one.name: one.type for one in PROGRESS.values()}
    else:
        types = {one: LITERAL.sub("str", text) for one, text in types.items()}
    lines += [f"    {one}: {text}" for one, text in types.items()]
    return "\n".join([*lines, ""])


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
    for option in shared_keywords(specification).values():
        lines.append(f"    {_shared(option, specification)},")
    lines.append(f") -> {_result(specification)}: ...\n")
    return "\n".join(lines)


def _shared(option: Option, specification: Specification) -> str:
    if option.name == "seed" and specification.random:
        return "seed: int"
    shown = f'"{option.default}"' if isinstance(option.default, str) else option.default
    return f"{option.name}: {option.type} = {shown}"


def _typed(parameter: Parameter) -> str:
    if parameter.kind == "choice":
        values = ", ".join(f'"{value}"' for value in parameter.values)
        return f'{parameter.name}: Literal[{values}] = "{parameter.default}"'
    if parameter.kind == "attribute":
        return f"{parameter.name}: str | SupportsIndex | None = {plain_default(parameter)}"
    if parameter.kind in OF_EACH:
        of_each = "Rational | Sequence[Rational] | Mapping[str, Rational]"
        return f'{parameter.name}: {of_each} = "{plain_default(parameter)}"'
    if parameter.whole:
        return f"{parameter.name}: SupportsIndex = {parameter.default}"
    return f'{parameter.name}: Rational = "{plain_default(parameter)}"'


def _result(specification: Specification) -> str:
    if specification.attributes == "each":
        return "dict[str, Partition]"
    return {
        "partition": "Partition",
        "centres": "FuzzyMicroaggregation",
        "deviations": "list[tuple[Fraction, ...]]",
    }[specification.yields]


def renewed(texts: Mapping[Path, str], arguments: list[str]) -> int:
    """Write stubs, or with `--check` say which are not up to date; the exit status."""
    stale = [p for p, text in texts.items() if not p.exists() or p.read_text("utf-8") != text]
    if arguments != ["--check"]:
        for path in stale:
            path.write_text(texts[path], encoding="utf-8")
        return 0
    print("\n".join(f"{path} is not up to date" for path in stale) or "up to date")
    return 1 if stale else 0


def main(arguments: list[str]) -> int:
    options = {
        KEYWORDS: keywords_stub(KEYWORDS_HEAD, TYPES),
        JUDGES_KEYWORDS: keywords_stub(JUDGES_HEAD, JUDGES_TYPES),
    }
    return renewed({STUB: stub(), **options}, arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
