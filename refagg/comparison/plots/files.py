"""Pictures become files."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.figure import Figure

from refagg.data.csvfiles import write_bytes
from refagg.errors import InvalidParameter

_WRITING: dict[str, dict[str, Any]] = {
    "png": {"dpi": 160},
    "svg": {"metadata": {"Date": None}},
    "pdf": {"metadata": {"CreationDate": None}},
}

FORMATS = tuple(_WRITING)


def check_picture(path: Path | None) -> None:
    """Raise InvalidParameter unless the name ends in .png, .svg or .pdf."""
    if path is not None and path.suffix.lower().removeprefix(".") not in _WRITING:
        raise InvalidParameter(
            f"{path} is not a picture file; the name can end in {', '.join(FORMATS)}"
        )


def write(figure: Figure, path: Path) -> None:
    """Write a picture. Raises InvalidParameter, OutputUnwritable."""
    check_picture(path)
    kind = path.suffix.lower().removeprefix(".")
    buffer = BytesIO()
    with rc_context({"svg.hashsalt": "refagg", "font.family": "DejaVu Sans"}):
        figure.savefig(buffer, format=kind, **_WRITING[kind])
    write_bytes(path, buffer.getvalue())
