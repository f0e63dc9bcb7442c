"""Checks all certificates that are in the repository, with both checkers, and prints the table.

REFAGG_DATA=FOLDER python -m tests.certificate.shipped
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from time import process_time

from oracle.certificate.check import verify
from refagg.data.datasets import DATASETS, data_folder
from refagg.data.known_optima import Known, known_optima
from tests.certificate.altered import NODE, of_the_other
from tests.places import ROOT

FOLDER = ROOT / "tests" / "certificates"


def certificate_of(known: Known) -> Path:
    return FOLDER / f"{known.dataset}-{known.k}.json.gz"


def line(known: Known, folder: Path) -> str:
    """What both checkers say of one, if it is what the table says. Raises AssertionError."""
    proof, table = certificate_of(known), folder / DATASETS[known.dataset].file
    start = process_time()
    verdict = verify(proof, table)
    seconds = process_time() - start
    assert (verdict.value, verdict.bound) == (known.value, known.bound)
    also = "node is not installed"
    if NODE is not None:
        [also] = of_the_other([(proof, table)])
        assert also == f"accepted {'optimal' if known.optimal else 'bound'} {known.bound}"
        also = "and by checker.js"
    what = f"SSE {float(known.value):.9f}, IL {known.information_loss} %"
    which = "optimal" if known.optimal else f"bound {float(known.bound):.9f}"
    accepted = f"accepted in {seconds:.1f} s, {also}"
    return f"{known.dataset} k={known.k}: {what}, {which}; {accepted}"


def main() -> int:
    folder = data_folder()
    print(f"{datetime.now(UTC):%Y-%m-%d}, Python {sys.version.split()[0]}")
    for known in known_optima():
        print(line(known, folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
