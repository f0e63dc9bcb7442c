"""Pictures of time and memory by n for the page of benchmarks, as SVG within the page.

`tests/benchmarks/growth.json` has what was measured. Each picture has two panels of logarithmic
scales, CPU seconds and peak memory; lines of all algorithms stand behind its own in grey. Colours
are variables of `_static/site.css`, so that a page is light or dark as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import log10
from typing import Any

Entry = Mapping[str, Any]

OWN = "refagg"
WIDTH, HEIGHT, TOP, BOTTOM = 320, 130, 18, 108
LEAST, MOST = 100, 100_000
"""The numbers of records at both ends of a panel."""


@dataclass(frozen=True)
class Panel:
    """Half of a picture: where it is, its scale, and its labels."""

    what: str
    title: str
    unit: str
    left: float
    right: float
    low: float
    high: float
    labels: Mapping[float, str]

    def at(self, n: float, value: float) -> str:
        """The place of a value, within the panel."""
        across = (log10(n) - log10(LEAST)) / (log10(MOST) - log10(LEAST))
        up = (log10(value) - log10(self.low)) / (log10(self.high) - log10(self.low))
        x = self.left + (self.right - self.left) * across
        y = BOTTOM - (BOTTOM - TOP) * min(max(up, 0.0), 1.0)
        return f"{x:.1f} {y:.1f}"

    def axes(self) -> str:
        """Lines and labels of the scales."""
        lines, texts = [], []
        for value, label in self.labels.items():
            x, y = self.at(LEAST, value).split()
            lines.append(f"M{x} {y}H{self.right}")
            texts.append(
                f'<text x="{self.left - 4}" y="{float(y) + 3.5:.1f}" class="y">{label}</text>'
            )
        for power in range(2, 6):
            x = self.at(10**power, self.low).split()[0]
            lines.append(f"M{x} {TOP}V{BOTTOM}")
            texts.append(f'<text x="{x}" y="{BOTTOM + 13}" class="x">10{"⁰¹²³⁴⁵"[power]}</text>')
        texts.append(f'<text x="{self.left}" y="{TOP - 7}">{self.title}</text>')
        return f'<path class="grid" d="{"".join(lines)}"/>{"".join(texts)}'


PANELS = (
    Panel("seconds", "CPU time", "s", 38, 150, 3e-5, 10, {1e-3: "1 ms", 0.1: "0.1 s", 10: "10 s"}),
    Panel(
        "megabytes", "peak memory", "MB", 200, 312, 20, 2000,
        {30: "30 MB", 100: "100 MB", 1000: "1 GB"},
    ),
)  # fmt: skip


def pictures(found: Entry, families: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The pictures of each family, and those of all that has peers, as parts of a page."""
    by_name: dict[str, list[Entry]] = {}
    for entry in found["runs"]:
        by_name.setdefault(entry["what"], []).append(entry)
    beside = [name for name, entries in by_name.items() if len(entries) > 1]
    parts = {"peers": beside, **families}
    made = {}
    for part, names in parts.items():
        figures = []
        for name in names:
            shown = by_name.get(name, [])[: None if part == "peers" else 1]
            page = any(name in own for own in families.values())
            figures += [figure(shown, found, page)] if shown else []
        behind = _behind(found) if part == "peers" else ""
        made[part] = f'<div class="growth">\n{behind}{"".join(figures)}</div>\n'
    return made


def figure_table(found: Entry) -> str:
    """A table of all figures: a row for each program, seconds and memory for each n."""
    lines = [
        f"| | {' | '.join(map(spaced, found['sizes']))} |",
        f"|---|{'---:|' * len(found['sizes'])}",
    ]
    for entry in found["runs"]:
        pairs = zip(entry["seconds"], entry["megabytes"], strict=True)
        cells = [f"{_decimals(seconds)} s<br>{size} MB" for seconds, size in pairs]
        cells += [""] * (len(found["sizes"]) - len(cells))
        name = entry["what"] if entry["by"] == OWN else f"{entry['what']}: {entry['by']}"
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _behind(found: Entry) -> str:
    """Lines of all algorithms, once for all pictures."""
    own = [one for one in found["runs"] if one["by"] == OWN]
    paths = []
    for panel in PANELS:
        lines = "".join(_line(one, found, panel) for one in own)
        paths.append(f'<path id="growth-{panel.what}" d="{lines}"/>')
    return f'<svg class="growth-defs" aria-hidden="true"><defs>{"".join(paths)}</defs></svg>\n'


def figure(entries: Sequence[Entry], found: Entry, page: bool) -> str:
    """One small picture with its caption; the first entry is our own."""
    name = entries[0]["what"]
    drawn = []
    for panel in PANELS:
        drawn.append(f'{panel.axes()}<use href="#growth-{panel.what}" class="all"/>')
        for number, entry in reversed([*enumerate(entries)]):
            drawn.append(_series(entry, found, panel, number))
    label = escape(". ".join(said(entry, found) for entry in entries), quote=True)
    title = f'<a href="generated/algorithms/{name}.html">{name}</a>' if page else escape(name)
    keys = [
        f'<span class="s{number}"><i></i>{escape(entry["by"])}</span>'
        for number, entry in enumerate(entries)
    ]
    legend = f"<p>{''.join(keys)}</p>" if len(entries) > 1 else ""
    return (
        f"<figure><figcaption><b>{title}</b> <span>{summary(entries[0], found)}</span>"
        f'</figcaption>{legend}<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{label}">{"".join(drawn)}</svg></figure>\n'
    )


def _points(entry: Entry, found: Entry, what: str) -> list[tuple[int, float]]:
    return [*zip(found["sizes"], entry[what], strict=False)]


def _line(entry: Entry, found: Entry, panel: Panel) -> str:
    places = [panel.at(*point) for point in _points(entry, found, panel.what)]
    return f"M{'L'.join(places)}" if places else ""


def _series(entry: Entry, found: Entry, panel: Panel, number: int) -> str:
    """A line with its points, and a cross where a run was stopped."""
    points = _points(entry, found, panel.what)
    dots = "".join(
        '<circle cx="{}" cy="{}" r="2.2"><title>{}</title></circle>'.format(
            *panel.at(n, value).split(), f"{spaced(n)} records: {value:g} {panel.unit}"
        )
        for n, value in points
    )
    cross = ""
    if entry["end"] == "time" and panel.what == "seconds" and points:
        n = found["sizes"][len(points)]
        x, y = panel.at(n, found["seconds"]).split()
        told = f"{spaced(n)} records: stopped after {found['seconds']:g} s"
        cross = (
            f'<path class="dots" d="M{panel.at(*points[-1])}L{x} {y}"/>'
            f'<path d="M{x} {y}m-3-3l6 6m0-6l-6 6"><title>{told}</title></path>'
        )
    return f'<g class="s{number}"><path d="{_line(entry, found, panel)}"/>{cross}{dots}</g>'


def spaced(n: int) -> str:
    """A number with a space before its thousands.

    >>> spaced(100), spaced(10_000)
    ('100', '10 000')
    """
    return f"{n:,}".replace(",", " ") if n >= 10_000 else str(n)


def _decimals(seconds: float) -> str:
    """Two digits of a number of seconds.

    >>> [_decimals(x) for x in (0.0000351, 0.0203, 0.5, 4.96, 12.0)]
    ['0.000035', '0.02', '0.5', '5', '12']
    """
    return f"{float(f'{seconds:.2g}'):.7f}".rstrip("0").rstrip(".")


def summary(entry: Entry, found: Entry) -> str:
    """The largest n that a program came to, and what it took."""
    done = len(entry["seconds"])
    if not done:
        return "stopped at once"
    took, size = _decimals(entry["seconds"][-1]), entry["megabytes"][-1]
    return f"{spaced(found['sizes'][done - 1])}: {took} s, {size} MB"


def said(entry: Entry, found: Entry) -> str:
    """All that a picture shows of a program, in words."""
    figures = [
        f"{n} records {seconds:g} s and {size} MB"
        for n, seconds, size in zip(
            found["sizes"], entry["seconds"], entry["megabytes"], strict=False
        )
    ]
    stopped = f", stopped with {found['sizes'][len(figures)]}" if entry["end"] else ""
    return f"{entry['what']}, {entry['by']}: {', '.join(figures)}{stopped}"
