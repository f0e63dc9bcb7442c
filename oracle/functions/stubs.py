"""The stub of the judge's options, for type checkers: `python -m oracle.functions.stubs`.

With `--check` nothing is written; the status is 1 if the stub is not what the options say.
"""

from __future__ import annotations

import sys
from pathlib import Path

from refagg.functions.stubs import keywords_stub, renewed

KEYWORDS = Path(__file__).parents[1] / "keywords.pyi"

HEAD = '''"""Generated from the options of functions by `python -m oracle.functions.stubs`."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, Literal, TypedDict

from oracle.functions.arguments import Algorithm
from oracle.optima.clock import Report
from refagg.constraints import Constraint
from refagg.language.partition import Partition
from refagg.options.fields import Rational
from refagg.release.evaluation import Groups
from refagg.spaces.dissimilarities.dissimilarity import Dissimilarity
from refagg.spaces.dissimilarities.own import Measure, Own
'''

TYPES = {
    "AuditOptions": "oracle.functions.audits:OPTIONS",
    "AloneOptions": "oracle.functions.audits:ALONE",
    "ConformOptions": "oracle.functions.implementation_options:CONFORM",
    "HuntOptions": "oracle.functions.implementation_options:HUNT",
    "IdentifyOptions": "oracle.functions.identification:OPTIONS",
    "OptimumOptions": "oracle.optima.searching:OPTIONS",
    "SearchOptions": "oracle.optima.searching:SEARCH",
    "StoredOptions": "oracle.functions.audits:STORED",
}
"""The options of the judge's functions, by the type of these."""


def main(arguments: list[str]) -> int:
    return renewed({KEYWORDS: keywords_stub(HEAD, TYPES)}, arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
