"""Checks all certificates that are in the repository, by each checker, and prints the table.

REFAGG_DATA=FOLDER python -m tests.certificate.shipped [CHECKER,CHECKER]
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

from oracle.commands.verify_command import verdicts
from oracle.functions.optima import verify
from refagg.data.known_optima import ListedOptimum, known_optima
from refagg.datasets import DATASETS, data_folder
from tests.certificate.altered import installed
from tests.places import ROOT

FOLDER = ROOT / "datasets" / "certificates"


def certificate_of(known: ListedOptimum) -> Path:
    return FOLDER / f"{known.dataset}-{known.k}.json.gz"


def line(known: ListedOptimum, folder: Path, checkers: Sequence[str]) -> str:
    """What the checkers say of one, if it is what the table says. Raises AssertionError."""
    proof, table = certificate_of(known), folder / DATASETS[known.dataset].file
    accepted = []
    for checker in checkers:
        start = monotonic()
        if checker == "python":
            verdict = verify(proof, table)
            assert (verdict.value, verdict.bound) == (known.value, known.bound)
        else:
            [told] = verdicts(checker, [(proof, table)])
            assert told == f"accepted {'optimal' if known.optimal else 'bound'} {known.bound}", told
        accepted.append(f"{checker} {monotonic() - start:.0f} s")
    what = f"SSE {float(known.value):.9f}, IL {known.information_loss} %"
    which = "optimal" if known.optimal else f"bound {float(known.bound):.9f}"
    return f"{known.dataset} k={known.k}: {what}, {which}; accepted by {', '.join(accepted)}"


def main() -> int:
    folder = data_folder()
    named = sys.argv[1].split(",") if len(sys.argv) > 1 else ["python", *installed()]
    print(f"{datetime.now(UTC):%Y-%m-%d}, Python {sys.version.split()[0]}")
    for known in known_optima():
        print(line(known, folder, named), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
