"""microagg1d (https://pypi.org/project/microagg1d/): optimal univariate microaggregation.

oracle hunt --algorithm optimal --python oracle.conformance.adapters.microagg1d_optimal:labels

Its default arguments are taken.
"""

from __future__ import annotations

from collections.abc import Sequence

from oracle.conformance.adapters.tables import column
from refagg.errors import needed

with needed("pip install microagg1d==0.4.0"):
    from microagg1d import univariate_microaggregation


def labels(records: Sequence[Sequence[float]], k: int) -> list[int]:
    """Return the group of each record of one attribute.

    The package refuses by failing assertions.
    """
    try:
        return [int(label) for label in univariate_microaggregation(column(records), k)]
    except AssertionError as error:
        raise ValueError(str(error)) from None


labels.describes = {"attributes": [1, 1]}  # type: ignore[attr-defined]
