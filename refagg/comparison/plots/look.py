"""Common look of all pictures: colours, inks, axes, output files."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from refagg.data.csvfiles import write_bytes
from refagg.errors import InvalidParameter

COLOURS = (
    *("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f3c8d", "#8c564b"),
    *("#4d4d4d", "#b2182b"),
)
MARKERS = "osD^vPX<>*hp"
STYLES = ("-", "--", ":", "-.")

INK, PALE, GRID = "#222222", "#8a8a8a", "#e4e4e4"
TITLE: dict[str, Any] = {"loc": "left", "fontsize": 9.5, "color": INK, "parse_math": False}


def plain(axes: Axes) -> None:
    """Axes without a box around them, in the inks of all pictures."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(PALE)
    axes.tick_params(colors=INK, labelsize=8, color=PALE)
    axes.set_axisbelow(True)


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
