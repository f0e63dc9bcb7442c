"""privlib (https://pypi.org/project/privlib/): its MDAV, on numeric attributes.

oracle hunt --algorithm mdav --standardise population \
    --python oracle.conformance.adapters.privlib_mdav:groups

It always divides differences by the population standard deviation of the file.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from types import SimpleNamespace

from oracle.conformance.adapters.tables import check_table
from refagg.errors import needed

os.environ.setdefault("TQDM_DISABLE", "1")  # before it is imported: no bars of progress
with needed("pip install privlib==0.0.4 tqdm ipython"):
    from privlib.anonymization.src.algorithms.mdav import Mdav
    from privlib.anonymization.src.attribute_types.numerical_continuous import Numerical_continuous
    from privlib.anonymization.src.entities.record import Record
    from privlib.anonymization.src.utils.sensitivity_type import Sensitivity_type


def groups(
    records: Sequence[Sequence[float]], k: int, standardise: str = "none"
) -> list[list[int]] | dict[str, str]:
    """Return the package's clusters, as record numbers.

    All attributes are quasi-identifiers.
    """
    if standardise == "none":
        return {"unsupported": "it always standardises"}
    quasi = SimpleNamespace(sensitivity_type=Sensitivity_type.QUASI_IDENTIFIER.value)
    Record.header = [f"x{number + 1}" for number in range(check_table(records))]
    Record.attributes = dict.fromkeys(Record.header, quasi)
    rows = [
        Record(number, [Numerical_continuous(repr(float(value))) for value in row])
        for number, row in enumerate(records)
    ]
    Record.reference_record = rows[0]  # only asked which attributes are quasi-identifiers
    return [[record.id for record in cluster] for cluster in Mdav.create_clusters(rows, k)]
