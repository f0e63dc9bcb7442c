"""`oracle.verify`: is a certificate a proof, of these rows?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from oracle.certificate.check import Proof, check
from oracle.certificate.errors import Rejected
from oracle.certificate.reading import certificate_of, read_certificate
from oracle.certificate.table import read_rows
from refagg.data.tables import table_of


def verify(
    certificate: str | Path | Mapping[str, Any],
    rows: Any,
    *,
    delimiter: str = ",",
    executor: Executor | None = None,
) -> Proof:
    """What a certificate proves of some rows, in exact arithmetic, without what made it.

    Parameters
    ----------
    certificate : the path of one, or what `oracle.optimum(...).certificate` holds
    rows : the table that it is about
        The path of a CSV file, or a table of any kind that `oracle.optimum` takes, with its names.
    delimiter : between the cells of a CSV file
    executor : where to compute

    Returns
    -------
    Proof : `value`, `bound` (exact), `optimal`, and `lines()` for a reader

    Raises
    ------
    Rejected : with the reason, if it is not a proof, or not for these rows
    OSError : if a file cannot be read
    RefaggError : what reading the rows raises
    """
    if isinstance(certificate, (str, Path)):
        read = read_certificate(Path(certificate))
    else:
        read = certificate_of(json.dumps(certificate), "the certificate")
    if isinstance(rows, (str, Path)):
        values = read_rows(Path(rows), read.instance.attributes, delimiter)
        return check(read, values, f"{rows} is", executor)
    table = table_of(rows)
    missing = [name for name in read.instance.attributes if name not in table.names]
    if missing:
        raise Rejected(f"the rows have no attribute {missing[0]!r}, which the certificate is about")
    table = table.select(read.instance.attributes)
    values = tuple(table.row(record) for record in range(table.n))
    return check(read, values, "these rows are", executor)
