"""A comparison as text, as rows for a CSV file, and as data for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from refagg.comparison.compare import ComparisonRow, Results, in_order
from refagg.comparison.references import Reference
from refagg.language.number_texts import as_json, number_text
from refagg.language.specification import parameter_text
from refagg.release.report import loss_json, loss_names

FORMAT = "refagg compare 1"

HEADER = (
    *("k", "algorithm", "parameters", "status", "sse", "sse_exact", "information_loss_percent"),
    *("information_loss_percent_exact", "groups", "smallest_group", "largest_group", "ties_met"),
    *(
        "seconds",
        "arithmetic",
        "reference",
        "above_reference_percent",
        "above_reference_percent_exact",
        "note",
    ),
)

_NOTHING = {"decimal": None, "exact": None}


def header(results: Results) -> list[str]:
    """The names of the columns: HEADER, with the loss by its name."""
    lost = loss_names(results.table)[0]
    return [lost + name[3:] if name in ("sse", "sse_exact") else name for name in HEADER]


def text_lines(results: Results, order: str = "given") -> list[str]:
    """A table for each k, its columns aligned."""
    setting, table = results.setting, results.table
    lines = [
        f"records {table.n}, attributes {len(table.names)}, "
        f"standardise {setting.standardise}, arithmetic {setting.arithmetic}"
    ]
    for k, rows in in_order(results, order):
        reference = results.reference(k)
        found = f"; {reference.kind} from {reference.source}" if reference else ""
        lines += ["", f"k = {k}{found}", *_aligned(results, rows, reference)]
    return lines


def _aligned(
    results: Results, rows: Sequence[ComparisonRow], reference: Reference | None
) -> list[str]:
    lost = "loss" if results.table.others else "SSE"
    heads = [lost, "IL %", "groups", "smallest", "largest", "ties", "seconds"]
    if reference:
        heads.append(f"% above the {reference.kind}")
    cells = [_cells(results, row)[: len(heads)] for row in rows]
    labels = [row.contender.label for row in rows]
    notes = [
        f"{row.status}: {row.note}" if row.status != "done" else f"({row.note})" if row.note else ""
        for row in rows
    ]
    if reference:
        labels.insert(0, reference.kind)
        cells.insert(0, _reference_cells(results, reference))
        notes.insert(0, "")
    widths = [max(len(row[i]) for row in [heads, *filter(None, cells)]) for i in range(len(heads))]
    margin = max(map(len, [*labels, "algorithm"]))

    def line(label: str, row: Sequence[str], note: str) -> str:
        columns = [cell.rjust(width) for cell, width in zip(row, widths, strict=False)]
        parts = [label.ljust(margin), *columns, " ".join(note.split())]
        return "  ".join(parts).rstrip()

    return [line("algorithm", heads, "")] + [
        line(*parts) for parts in zip(labels, cells, notes, strict=True)
    ]


def _cells(results: Results, row: ComparisonRow) -> list[str]:
    figures = row.figures
    if figures is None:
        return []
    return [
        _decimals(figures.sse, 6),
        _decimals(results.loss(figures.sse), 4),
        *map(str, (figures.groups, figures.smallest, figures.largest, figures.ties)),
        f"{figures.seconds:.2f}",
        _decimals(results.above(row), 4),
    ]


def _reference_cells(results: Results, reference: Reference) -> list[str]:
    sizes = ["-"] * 3
    if partition := reference.partition:
        counts = (len(partition.groups), partition.smallest(), partition.largest())
        sizes = list(map(str, counts))
    loss = results.loss(reference.least)
    return [_decimals(reference.least, 6), _decimals(loss, 4), *sizes, "-", "-", "-"]


def _decimals(value: Fraction | None, places: int) -> str:
    """A number with so many decimals, or with twelve digits where it is very great or small."""
    if value is None:
        return "-"
    if value and not Fraction(1, 10 ** (places - 2)) <= abs(value) < 10**9:
        return number_text(float(value) if abs(value) < 10**9 else value)
    return f"{float(value):.{places}f}"


def as_rows(results: Results, order: str = "given") -> list[list[str]]:
    """The rows of a CSV file under `header`; what is not known is an empty cell."""
    return [
        ["" if cell is None else str(cell) for cell in _flat(results, row)]
        for _, rows in in_order(results, order)
        for row in rows
    ]


def _flat(results: Results, row: ComparisonRow) -> list[Any]:
    data = _row_data(results, row)
    sse, loss, above = (
        data[name] or _NOTHING
        for name in (loss_names(results.table)[0], "information_loss_percent", "above_percent")
    )
    parameters = ",".join(f"{name}={value}" for name, value in data["parameters"].items())
    return [
        *(data["k"], data["algorithm"], parameters, data["status"], sse["decimal"], sse["exact"]),
        *(loss["decimal"], loss["exact"], data["groups"], data["smallest_group"]),
        *(data["largest_group"], data["ties_met"], data["seconds"], data["arithmetic"]),
        *(data["reference"], above["decimal"], above["exact"], data["note"]),
    ]


def comparison_data(results: Results, order: str = "given") -> dict[str, object]:
    """The comparison ready for JSON."""
    setting, table = results.setting, results.table
    lost, whole, _ = loss_names(table)
    return {
        "format": FORMAT,
        "records": table.n,
        "attributes": list(table.names),
        "standardise": setting.standardise,
        "arithmetic": setting.arithmetic,
        "seed": setting.seed,
        "k": list(results.ks),
        whole: as_json(results.sst),
        "references": [
            {"k": r.k, "kind": r.kind, lost: as_json(r.least), "source": r.source}
            for r in results.references
        ],
        "rows": [_row_data(results, row) for _, rows in in_order(results, order) for row in rows],
    }


def _row_data(results: Results, row: ComparisonRow) -> dict[str, Any]:
    figures, above = row.figures, results.above(row)
    reference = results.reference(row.k)
    spec = row.contender.specification
    return {
        "k": row.k,
        "algorithm": spec.name,
        "parameters": {n: parameter_text(v) for n, v in row.contender.shown().items()},
        "status": row.status,
        loss_names(results.table)[0]: as_json(figures.sse) if figures else None,
        "information_loss_percent": loss_json(figures.sse, results.sst) if figures else None,
        "groups": figures.groups if figures else None,
        "smallest_group": figures.smallest if figures else None,
        "largest_group": figures.largest if figures else None,
        "ties_met": figures.ties if figures else None,
        "seconds": round(figures.seconds, 4) if figures else None,
        "arithmetic": figures.arithmetic if figures else None,
        "reference": reference.kind if reference and above is not None else None,
        "above_percent": None if above is None else as_json(above),
        "note": row.note,
    }
