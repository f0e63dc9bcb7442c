"""polarfrost (https://pypi.org/project/polarfrost/): its Mondrian of Polars, on numeric attributes.

oracle conform --algorithm mondrian --python oracle.conformance.adapters.polarfrost_mondrian:groups

It releases one row for each part, with the sensitive values in it: here, the records' numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from oracle.conformance.adapters.tables import check_table
from refagg.errors import needed

with needed("pip install polarfrost==0.2.1 polars pyspark"):
    import polars
    from polarfrost.mondrian import mondrian_k_anonymity_polars


def groups(records: Sequence[Sequence[float]], k: int) -> list[list[int]]:
    """Return the parts, as record numbers."""
    names = [f"x{number + 1}" for number in range(check_table(records))]
    frame = polars.DataFrame([list(map(float, row)) for row in records], names, orient="row")
    numbered = frame.with_columns(id=polars.Series(range(len(records))))
    made = mondrian_k_anonymity_polars(numbered, names, "id", k)
    return [[int(number) for number in row.split(",")] for row in made["id"]]
