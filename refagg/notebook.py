"""Results in a notebook: a short text, page, frame and picture.

The class of a result has a method `overview`, of which its base, `Overviewed` or `Tabulated`, makes
all else. Neither the text nor the page shows a record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, fields
from textwrap import fill
from typing import TYPE_CHECKING, Any, Literal, TypeVar, dataclass_transform

from refagg.errors import InvalidParameter, optional_library

if TYPE_CHECKING:
    from matplotlib.axes import Axes

T = TypeVar("T")

Columns = Mapping[str, Sequence[object]]
"""Values by the names of columns."""

Library = Literal["pandas", "polars", "pyarrow"]
"""A library of frames."""

LONGEST = 300
"""Characters of a short text."""

MOST_ROWS = 30
"""Rows of a page; beyond them their number is shown."""


@dataclass(frozen=True, slots=True)
class Overview:
    """A result in short: a sentence, a table, a picture."""

    says: str
    columns: Callable[[], Columns]
    draw: Callable[[Axes], None]
    """Draw the result."""
    listed: bool = True
    """False if the rows of the table are records, which a page does not show."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def brief(cls: type[T]) -> type[T]:
    """Make a class a frozen dataclass with a short text.

    The text has neither lists nor mappings.
    """
    made = dataclass(frozen=True, slots=True, repr=False)(cls)
    made.__repr__ = _in_brief  # type: ignore[method-assign]
    return made


def _in_brief(result: Any) -> str:
    shown = {one.name: getattr(result, one.name) for one in fields(result) if one.repr}
    parts = [f"{n}={x!r}" for n, x in shown.items() if not isinstance(x, tuple | list | dict | Set)]
    return _shortened(f"{type(result).__name__}({', '.join(parts)})", LONGEST)


class Overviewed:
    """A result with an overview.

    The overview gives a short text, a page, and a picture.
    """

    __slots__ = ()

    def overview(self) -> Overview:
        """Return what notebooks show."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{_shortened(self.overview().says, LONGEST - 2)}>"

    def _repr_html_(self) -> str:
        """Return the sentence, and the table unless that holds records."""
        from html import escape

        overview = self.overview()
        caption = escape(_shortened(overview.says, LONGEST))
        if not overview.listed:
            return f"<p>{caption}</p>"
        columns = overview.columns()
        rows = list(zip(*columns.values(), strict=True))
        head = "".join(f"<th>{escape(name)}</th>" for name in columns)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(_cell(value))}</td>' for value in row)}</tr>"
            for row in rows[:MOST_ROWS]
        )
        more = f"<p>{len(rows) - MOST_ROWS} more rows</p>" if len(rows) > MOST_ROWS else ""
        return f"<table><caption>{caption}</caption><tr>{head}</tr>{body}</table>{more}"

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw a result on axes of matplotlib, and return them.

        They are these axes, or new ones. Raises MissingExtra.
        """
        if ax is None:
            pyplot = optional_library("matplotlib.pyplot", "a picture", "report")
            ax = pyplot.subplots(layout="constrained")[1]
        overview = self.overview()
        overview.draw(ax)
        ax.set_title(fill(_shortened(overview.says, 140), 70), fontsize=9, parse_math=False)
        return ax


class Tabulated(Overviewed):
    """A result whose table is a frame, too."""

    __slots__ = ()

    def to_frame(self, library: Library = "pandas") -> Any:
        """Return the table of a result as a frame.

        The frame is one of pandas, polars or pyarrow. Raises InvalidParameter, MissingExtra.
        """
        makers = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}
        if library not in makers:
            raise InvalidParameter(f"library is {library!r}; it can be {', '.join(makers)}")
        make = getattr(optional_library(library, "such a frame"), makers[library])
        columns = {name: list(values) for name, values in self.overview().columns().items()}
        try:
            return make(columns)
        except ValueError as error:  # as for half of a pair of surrogates
            raise InvalidParameter(f"{library} cannot hold these texts: {error}") from None


def bars(counts: Mapping[Any, float], label: str) -> Callable[[Axes], None]:
    """Return what draws a bar for each name."""

    def draw(ax: Axes) -> None:
        ax.barh(range(len(counts)), list(counts.values()))
        names = [_shortened(str(name), 40) for name in counts]
        ax.set_yticks(range(len(counts)), names, parse_math=False)
        ax.invert_yaxis()
        ax.set_xlabel(label, parse_math=False)

    return draw


def lines(series: Mapping[str, Mapping[int, float]], x: str, y: str) -> Callable[[Axes], None]:
    """Return a function that draws a line for each name.

    There is a dot for each of its points.
    """

    def draw(ax: Axes) -> None:
        for name, points in series.items():
            ax.plot(list(points), list(points.values()), marker="o", label=name)
        ax.locator_params(axis="x", integer=True)
        ax.set_xlabel(x, parse_math=False)
        ax.set_ylabel(y, parse_math=False)
        if series:
            drawn = ax.get_lines()[-len(series) :]
            for text in ax.legend(drawn, list(series), fontsize=8).get_texts():
                text.set_parse_math(False)

    return draw


def stars(
    points: Sequence[Sequence[float]], groups: Iterable[Sequence[int]], names: Sequence[str]
) -> Callable[[Axes], None]:
    """Return a function that draws groups as stars.

    Each group of points is drawn as lines from its centre to its points.
    """

    def draw(ax: Axes) -> None:
        for group in groups:
            x, y = ([points[record][axis] for record in group] for axis in (0, 1))
            middle = sum(x) / len(x), sum(y) / len(y)
            ends = (
                [end for one in own for end in (at, one)]
                for own, at in zip((x, y), middle, strict=True)
            )
            ax.plot(*ends, linewidth=0.8, marker="o", markersize=2)
        ax.set_xlabel(names[0], parse_math=False)
        ax.set_ylabel(names[1], parse_math=False)

    return draw


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else _shortened(str(value), 200)


def _shortened(text: str, most: int) -> str:
    """Return a text with what is beyond so many characters left out."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
