"""A report's folder: index.html, which needs nothing else, and results.json with the same numbers.

Or the page alone, where a file is named that ends in .html.

What is shown may come from a program that is not trusted: templates escape everything, signs
that cannot be seen are written out, and the page forbids itself to load or run anything.
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unicodedata import category

from oracle.report.filters import marks
from refagg.data.csvfiles import check_folder, check_name, check_outputs, whole_file
from refagg.errors import MissingExtra, OutputUnwritable

PAGE, DATA = "index.html", "results.json"

LONGEST = 20_000
"""Characters of one text that a page shows."""

_UNSEEN = {"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"}


def check_report(directory: Path, inputs: Sequence[Path] = ()) -> None:
    """Raise OutputUnwritable, or then MissingExtra, if a report could not be written here."""
    _check_place(directory, inputs)
    for module in ("jinja2", "matplotlib"):
        _needed(module)


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
    """Return True if the page alone is asked for, and not a folder.

    >>> is_page(Path("audits.html")), is_page(Path("audits"))
    (True, False)
    """
    return path.suffix.lower() in (".html", ".htm") and not path.is_dir()


def check_reports(directory: Path, names: Sequence[str]) -> None:
    """Check the reports in folders of these names within this folder."""
    check_report(directory)
    for name in names if directory.is_dir() else ():
        check_report(directory / name)


def write_pages(directory: Path, template: str, page: dict[str, Any], data: object) -> None:
    """Write the page of a template and the data, both or neither. The folder is made if need be.

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


def rendered(template: str, page: dict[str, Any]) -> str:
    """The HTML of a page. Raises MissingExtra."""
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
    """A text as a page can show it: signs that cannot be seen as their numbers, never too long.

    >>> printable("a\\x1b[0m\\u202eb")
    'a\\\\x1b[0m\\\\u202eb'
    """
    cut = text[:LONGEST]
    more = f" ... ({len(text) - LONGEST} more characters)" if len(text) > LONGEST else ""
    if cut.isprintable():
        return cut + more
    return "".join(map(_seen, cut)) + more


def safe(svg: str) -> Any:
    """A picture that this package has drawn, not to be escaped."""
    return _needed("markupsafe").Markup(svg)


def _seen(sign: str) -> str:
    if sign in "\n\t" or category(sign) not in _UNSEEN:
        return sign
    return ascii(sign)[1:-1]


def _needed(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise MissingExtra(
            f"{module} is not installed: pip install '.[report]' in the checkout"
        ) from None
