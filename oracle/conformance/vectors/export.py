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

COLUMNS = (
    "id",
    "claim",
    "k",
    "parameters",
    "standardise",
    "seed",
    "kinds",
    "shape",
    "kind",
    "partitions",
    "blocks",
    "category",
    "least",
    "greatest",
    "sse",
    "released",
    "flags",
    "reason",
)

README = """# Vectors

One file `ID.csv` for each case: a table with the header x1, x2, ... and a row for each record.
What it is a case of, and which answers are right, is in `expectations.csv`, a row for each case;
`expectations.json` says the same, with the origins of the answers.

| column | meaning |
|---|---|
| id | the name of the case, which never changes |
| claim | the algorithm, "any k-partition", or "optimal": the least SSE of all of these |
| k | the least size of a group |
| parameters | name=value, separated by spaces; others have their defaults |
| standardise | none, or population: distances are those of z-scores (divisor n) |
| seed | of the random stream of draws; empty: any draws will do |
| kinds | what each attribute is, separated by spaces; empty: all are numbers |
| shape | JSON: series, times, constraints, strata, blocks, sampling weights, the dissimilarity |
| kind | unique, choice, free or reject |
| partitions | of unique and choice: "0 1 2 / 3 4 5" are two groups; "; " is between partitions |
| blocks | JSON: the partitions of each block of attributes that is grouped by itself |
| category | of reject: what is wrong with the input |
| least, greatest | of free: the sizes that groups may have (no greatest: any size) |
| sse | if given: the SSE that the groups must have |
| released | of programs that form no groups: rows "1 ? / 2 ?" where ? is any number |
| flags, reason | what the case is about |

Records are numbered from 0, in the order of the rows. Compare groups as sets: neither the order
of groups nor that within a group matters. A case of kind reject must end in an error, not in an
answer. Numbers are integers, decimals, or fractions such as 1/3.
"""

FORMAT = "refagg expectations 1"


def export(vectors: Sequence[Vector], folder: Path) -> int:
    """Write the vectors, what is expected, and a README into a new or empty folder.

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
    """The records as CSV, as they are: also rows of different lengths."""
    records = vector.case.records
    width = len(records[0]) if records else 0
    return _csv([[f"x{j + 1}" for j in range(width)], *map(list, records)])


def expectations_text(vectors: Sequence[Vector]) -> str:
    """A row for each vector."""
    return _csv([list(COLUMNS), *map(expectation_row, vectors)])


def expectation_row(vector: Vector) -> list[str]:
    """The cells of COLUMNS."""
    case, expected = vector.case, vector.expectation
    rows = [" ".join(cell or "?" for cell in row) for row in expected.released]
    return [
        case.id,
        case.claim,
        str(case.k),
        " ".join(f"{name}={value}" for name, value in case.parameters.items()),
        case.standardise,
        "" if case.seed is None else str(case.seed),
        " ".join(case.kinds),
        json.dumps(case.shape) if case.shape else "",
        expected.kind,
        "; ".join(map(groups_text, expected.partitions)),
        json.dumps(expected.blocks) if expected.blocks else "",
        expected.category,
        "" if expected.least is None else str(expected.least),
        "" if expected.greatest is None else str(expected.greatest),
        expected.sse,
        " / ".join(rows),
        " ".join(vector.flags),
        vector.reason,
    ]


def groups_text(groups: Groups, between: str = " / ") -> str:
    """ "0 1 2 / 3 4 5"."""
    return between.join(" ".join(map(str, group)) for group in groups)


def _csv(rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
