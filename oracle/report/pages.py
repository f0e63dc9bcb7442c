"""Folder of a report: index.html and results.json.

The page needs nothing else; the JSON has the same numbers.

Or the page alone, where a file is named that ends in .html.

What is shown may come from a program that is not trusted: templates escape everything, signs
that cannot be seen are written out, and the page forbids itself to load or run anything. A page
says how its result was made: of which files, by which versions, when. Its filters are radio buttons
and rules of CSS, as it runs nothing; a browser without `:has` shows all. The colours of the page
take the place of those of its pictures, so that these follow light and dark; all names in a picture
get its own prefix, since a page may hold many.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from html import escape
from pathlib import Path
from typing import Any
from unicodedata import category

from refagg import __version__
from refagg.data.csvfiles import check_folder, check_name, check_outputs, whole_file
from refagg.data.textfiles import sha256_of
from refagg.errors import OutputUnwritable, optional_library


@dataclass(frozen=True, slots=True)
class Filter:
    """Property by which things can be chosen, with counts.

    A count says how many things have a value of it.
    """

    name: str
    counts: Mapping[str, int]

    @property
    def options(self) -> list[tuple[int, str, int]]:
        """Return each value with its number and its count.

        The number is that which the page has for it.
        """
        return [(number, *pair) for number, pair in enumerate(self.counts.items())]


def filters_of(things: Sequence[Mapping[str, str]]) -> list[Filter]:
    """Return a filter for each property in which the things differ.

    >>> things = [{"status": "failed", "claim": "md"}, {"status": "passed", "claim": "md"}]
    >>> [(one.name, one.options) for one in filters_of(things)]
    [('status', [(0, 'failed', 1), (1, 'passed', 1)])]
    """
    names = dict.fromkeys(name for thing in things for name in thing)
    found = [Filter(name, Counter(thing[name] for thing in things)) for name in names]
    return [one for one in found if len(one.counts) > 1]


def marks(filters: Sequence[Filter], thing: Mapping[str, str]) -> str:
    """Return the attributes by which the page chooses a thing.

    They hold numbers only.
    """
    return "".join(
        f' data-{one.name}="{list(one.counts).index(thing[one.name])}"'
        for one in filters
        if one.name in thing
    )


Run = Mapping[str, Any]
"""The object `run` of a result: all of it that differs between two results of the same files."""


def made_now(
    k: int | Sequence[int],
    algorithms: Sequence[str],
    files: Mapping[str, Path] | None = None,
    libraries: Sequence[str] = (),
) -> dict[str, object]:
    """Return the provenance of a result made now.

    It has the date, the versions, what was asked, and the SHA-256 of files by what they are.
    """
    from importlib.metadata import PackageNotFoundError, version

    versions = {"refagg": __version__, "python": sys.version.partition(" ")[0]}
    for name in libraries:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            versions[name] = "unknown"
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": versions,
        "k": k if isinstance(k, int) else list(k),
        "algorithms": list(algorithms),
        "files": {
            what: {"name": path.name or str(path), "sha256": sha256_of(path)}
            for what, path in (files or {}).items()
        },
    }


def page_facts(run: Run | None) -> list[tuple[str, str]]:
    """Return the head of a page as names and values.

    Long ones are last.

        >>> page_facts({"date": "2026-01-02T03:04:05+00:00", "versions": {"refagg": "1.0"},
        ...     "k": [2, 3], "algorithms": ["mdav"], "files": {}})
        [('k', '2, 3'), ('algorithm', 'mdav'), ('date', '2026-01-02 03:04:05 UTC'), \
('versions', 'refagg 1.0')]
    """
    if not run:
        return []
    ks = run["k"] if isinstance(run["k"], list) else [run["k"]]
    names = run["algorithms"]
    moment = datetime.fromisoformat(run["date"])
    files = [
        (what, f"{one['name']}, SHA-256 {one['sha256']}") for what, one in run["files"].items()
    ]
    return [
        ("k", ", ".join(map(str, ks))),
        ("algorithms" if len(names) > 1 else "algorithm", ", ".join(names) or "none named"),
        ("date", f"{moment:%Y-%m-%d %H:%M:%S} UTC"),
        ("versions", ", ".join(f"{_TITLES.get(n, n)} {v}" for n, v in run["versions"].items())),
        *files,
    ]


_TITLES = {"python": "Python", "duckdb": "DuckDB", "pyspark": "PySpark"}


_BEFORE = re.compile(r"\A.*?(?=<svg\b)", re.DOTALL)
_ASIDE = re.compile(r"<metadata>.*?</metadata>|<style\b.*?</style>|<!--.*?-->", re.DOTALL)
_OPENING = re.compile(r"<svg\b[^>]*>")
_VIEW = re.compile(r'viewBox="([^"]+)"')
_STYLE = re.compile(r'style="[^"]*"')
_COLOUR = re.compile(r"#[0-9a-f]{6}\b")


def inline(svg: str, name: str, title: str, description: str, colours: Mapping[str, str]) -> str:
    """Return a picture for a page, under a unique name.

    Nothing else in the page has that name.

    `colours` has for colours of the picture, "#rrggbb", the page's names for them.
    """
    svg = _ASIDE.sub("", _BEFORE.sub("", svg))
    svg = re.sub(r'\bid="', f'id="{name}-', svg)
    svg = re.sub(r'\b(?:xlink:)?href="#', f'href="#{name}-', svg)
    svg = svg.replace("url(#", f"url(#{name}-")
    svg = _STYLE.sub(lambda style: _in_colours(style[0], colours), svg)
    opening = _OPENING.search(svg)
    view = opening and _VIEW.search(opening[0])
    if not opening or not view:
        raise ValueError("no picture in SVG")
    width = float(view[1].split()[2])
    look = f'viewBox="{view[1]}" style="width: {width / 12:.4g}rem"'
    return svg_head(look, name, title, description) + svg[opening.end() :].rstrip()


def svg_head(look: str, name: str, title: str, description: str) -> str:
    """Return the beginning of a picture, with its title and description.

    `look` are further attributes of the picture; `name` begins the names of both texts.
    """
    return (
        f'<svg {look} role="img" aria-labelledby="{name}-title {name}-about">\n'
        f'<title id="{name}-title">{escape(printable(title))}</title>\n'
        f'<desc id="{name}-about">{escape(printable(description))}</desc>'
    )


def _in_colours(style: str, colours: Mapping[str, str]) -> str:
    return _COLOUR.sub(lambda c: f"var(--{colours[c[0]]})" if c[0] in colours else c[0], style)


PAGE, DATA = "index.html", "results.json"

LONGEST = 20_000
"""Characters of one text that a page shows."""

_UNSEEN = {"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"}


def check_report(directory: Path, inputs: Sequence[Path] = ()) -> None:
    """Raise an error if a report could not be written here.

    It is OutputUnwritable, or then MissingExtra.
    """
    _check_place(directory, inputs)
    for module in ("jinja2", "matplotlib"):
        _needed(module)


def check_written(
    outputs: Sequence[Path | None], report: Path | None, inputs: Sequence[Path] = ()
) -> None:
    """Raise an error if outputs or a report could not be written."""
    check_outputs(outputs, inputs)
    if report:
        check_report(report, [*inputs, *filter(None, outputs)])


def _check_place(directory: Path, inputs: Sequence[Path]) -> None:
    check_name(directory)
    if is_page(directory):
        check_outputs([directory], inputs)
        return
    if os.path.exists(directory) and not os.path.isdir(directory):
        raise OutputUnwritable(f"{directory} cannot be a report's folder: it is a file")
    if os.path.isdir(directory):
        check_outputs([directory / PAGE, directory / DATA], inputs)
    elif not os.path.isdir(directory.parent):
        raise OutputUnwritable(f"{directory} cannot be made: no folder {directory.parent}")
    else:
        check_folder(directory.parent, directory)


def is_page(path: Path) -> bool:
    """Return True if only the page is requested.

    Otherwise it is a folder.

    >>> is_page(Path("audits.html")), is_page(Path("audits"))
    (True, False)
    """
    return path.suffix.lower() in (".html", ".htm") and not path.is_dir()


def check_reports(directory: Path, names: Sequence[str]) -> None:
    """Check the reports in folders of these names within this folder."""
    check_report(directory)
    for name in names if directory.is_dir() else ():
        check_report(directory / name)


def write_pages(directory: Path, template: str, page: dict[str, object], data: object) -> None:
    """Write the page of a template and the data.

    Both are written or neither. The folder is made if necessary.

    Of a name that ends in .html the page alone, as this file.

    Raises MissingExtra, OutputUnwritable.
    """
    check_report(directory)
    alone = is_page(directory)
    html = rendered(template, page | {"alone": alone})
    if alone:
        with whole_file(directory) as file:
            file.write(html)
        return
    text = json.dumps(data, indent=2) + "\n"
    made = not directory.is_dir()
    try:
        directory.mkdir(exist_ok=True)
    except OSError as error:
        raise OutputUnwritable(f"{directory} cannot be made: {error.strerror}") from None
    try:
        with ExitStack() as both:
            both.enter_context(whole_file(directory / DATA)).write(text)
            both.enter_context(whole_file(directory / PAGE)).write(html)
    except BaseException:
        if made and not any(directory.iterdir()):
            directory.rmdir()
        raise


def rendered(template: str, page: dict[str, object]) -> str:
    """Return the HTML of a page. Raises MissingExtra."""
    jinja2 = _needed("jinja2")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("oracle.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=lambda value: printable(value) if type(value) is str else value,
    )
    environment.globals["marks"] = lambda filters, thing: safe(marks(filters, thing))
    html: str = environment.get_template(template).render(page)
    return html


def printable(text: str) -> str:
    """Return a text as a page can show it.

    Signs that cannot be seen are shown as their numbers. The text is never too long.

    >>> printable("a\\x1b[0m\\u202eb")
    'a\\\\x1b[0m\\\\u202eb'
    """
    cut = text[:LONGEST]
    more = f" ... ({len(text) - LONGEST} more characters)" if len(text) > LONGEST else ""
    if cut.isprintable():
        return cut + more
    return "".join(map(_seen, cut)) + more


def safe(svg: str) -> Any:
    """Return a picture that this package has drawn, not to be escaped."""
    return _needed("markupsafe").Markup(svg)


def _seen(sign: str) -> str:
    return sign if sign in "\n\t" or category(sign) not in _UNSEEN else ascii(sign)[1:-1]


_needed = partial(optional_library, what="a page", extra="report")
