"""Vectors as plain files, for programs that are run without this project."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

from oracle.conformance.vectors.files import vector_data
from oracle.conformance.vectors.vector import Groups, Vector
from refagg.errors import OutputUnwritable

README = Path(__file__).with_name("export.md").read_text(encoding="utf-8")

FORMAT = "refagg expectations 1"


def export(vectors: Sequence[Vector], folder: Path) -> int:
    """Write the vectors and their expectations into a folder.

    A README is written, too. The folder is new or empty.

    Returns the number of files. Raises OutputUnwritable.
    """
    files = {f"{vector.id}.csv": table_text(vector) for vector in vectors}
    files["expectations.csv"] = expectations_text(vectors)
    listed = [{"claim": v.case.claim} | vector_data(v) for v in vectors]
    everything = {"format": FORMAT, "vectors": listed}
    files["expectations.json"] = json.dumps(everything, indent=1) + "\n"
    files["README.md"] = README
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise OutputUnwritable(f"{folder} is not empty; nothing is overwritten")
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise OutputUnwritable(f"{folder}: {error.strerror}") from None
    return len(files)


def table_text(vector: Vector) -> str:
    """Return the records as CSV, unchanged.

    Rows may have different lengths.
    """
    records = vector.case.records
    width = len(records[0]) if records else 0
    return _csv([[f"x{j + 1}" for j in range(width)], *map(list, records)])


def expectations_text(vectors: Sequence[Vector]) -> str:
    """Return a row for each vector."""
    rows = list(map(expectation_row, vectors))
    return _csv([*map(list, rows[:1]), *(list(row.values()) for row in rows)])


def expectation_row(vector: Vector) -> dict[str, str]:
    """Return the cells of a vector by their columns."""
    case, expected = vector.case, vector.expectation
    rows = [" ".join(cell or "?" for cell in row) for row in expected.released]
    return {
        "id": case.id,
        "claim": case.claim,
        "k": str(case.k),
        "parameters": " ".join(f"{name}={value}" for name, value in case.parameters.items()),
        "standardise": case.standardise,
        "seed": "" if case.seed is None else str(case.seed),
        "kinds": " ".join(case.kinds),
        "shape": json.dumps(case.shape) if case.shape else "",
        "kind": expected.kind,
        "partitions": "; ".join(map(groups_text, expected.partitions)),
        "blocks": json.dumps(expected.blocks) if expected.blocks else "",
        "category": expected.category,
        "least": "" if expected.least is None else str(expected.least),
        "greatest": "" if expected.greatest is None else str(expected.greatest),
        "sse": expected.sse,
        "released": " / ".join(rows),
        "flags": " ".join(vector.flags),
        "reason": vector.reason,
    }


def groups_text(groups: Groups, between: str = " / ") -> str:
    """Return groups as "0 1 2 / 3 4 5"."""
    return between.join(" ".join(map(str, group)) for group in groups)


def _csv(rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
