"""Pages of the site that follow from the code: algorithms, commands, the Python interface.

`write_pages(docs)` writes them below `docs/generated/`; `docs/conf.py` calls it before each build.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import io
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

import oracle
import oracle.commands.main
import refagg
import refagg.commands.main
from refagg.catalogue import CATALOGUE
from refagg.commands.starting import parser_for
from refagg.functions.describing import python_name
from refagg.language.specification import Specification
from refagg.options.fields import Option, options_of
from refagg.options.grouping import Grouping
from refagg.options.layout import Layout
from refagg.options.publishing import Publishing

ROOT = Path(__file__).parent.parent
FIRMS = ROOT / "datasets" / "eleven-firms.csv"
PLAYERS = ROOT / "docs" / "_static" / "runs"
MOST_LINES = 40
START_OF_LINE = re.compile(r"\s*$|\s*(\d+[a-z]?|[a-z])\. |\s*[-*] |\s*\||Then:")
"""Blank lines, steps, items and rows of tables."""
HEADING = re.compile(r"^## (\d+) (.+)$", re.MULTILINE)


def write_pages(docs: Path) -> None:
    """Write every generated page; what is as it was is left alone, so that builds are quick."""
    decisions = dict(HEADING.findall((docs / "decisions.md").read_text(encoding="utf-8")))
    pages = {f"algorithms/{name}.md": algorithm_page(name, decisions) for name in CATALOGUE}
    pages["algorithms/index.md"] = algorithm_index()
    pages["gallery.md"] = gallery()
    pages["decisions-by-algorithm.md"] = decisions_page(decisions)
    for program, module in (("refagg", refagg.commands.main), ("oracle", oracle.commands.main)):
        pages[f"{program}-commands.md"] = commands_page(program, module)
        pages[f"{program}-python.md"] = python_page({"refagg": refagg, "oracle": oracle}[program])
    pages["options.md"] = options_page()
    for name, text in pages.items():
        path = docs / "generated" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for name in CATALOGUE:
        draw(name, docs / "generated" / "algorithms" / f"{name}.svg")


# Algorithms


def family(spec: Specification) -> str:
    """The name of the package that an algorithm is in: "mdav_family" is "MDAV family"."""
    words = spec.run.__module__.split(".")[-2].replace("_", " ")
    return words.replace("mdav", "MDAV")


def algorithm_index() -> str:
    """All algorithms by family, in one table for each."""
    families: dict[str, list[Specification]] = {}
    for spec in CATALOGUE.values():
        families.setdefault(family(spec), []).append(spec)
    parts = ["# Algorithms", "Each page has the steps of the source beside the code."]
    for name, members in sorted(families.items()):
        rows = [(f"[{s.name}]({s.name}.md)", s.title, s.guarantees) for s in members]
        parts += [f"## {name[0].upper()}{name[1:]}", table(("name", "title", "groups"), rows)]
    names = "\n".join(sorted(CATALOGUE))
    parts.append(f"```{{toctree}}\n:hidden:\n\n{names}\n```")
    return "\n\n".join(parts) + "\n"


def algorithm_page(name: str, decisions: dict[str, str]) -> str:
    """Source, steps beside the code, parameters, open choices, decisions, and a run."""
    spec = CATALOGUE[name]
    module = sys.modules[spec.run.__module__]
    parts = [
        f"# {name}",
        f"**{spec.title}.** {spec.source}.",
        f"Groups: {spec.guarantees}.\nCost: {spec.cost}.\nFile: `{module.__name__}`.",
        "## The source and the code",
        beside(flowing(inspect.getdoc(module) or ""), text_of(module)),
    ]
    if spec.parameters:
        rows = [(f"`{p.name}`", p.meaning, p.allowed, f"`{p.default}`") for p in spec.parameters]
        parts += ["## Parameters", table(("name", "meaning", "values", "default"), rows)]
    if spec.ties:
        choices = [(t.name, t.step, t.meaning, t.measure) for t in spec.ties]
        parts.append("## Open choices\n\nA judge accepts every way of making them.")
        parts.append(table(("name", "step", "what is chosen", "ranked by"), choices))
    if spec.decisions:
        links = [decision_link(str(n), decisions, "../../decisions.md") for n in spec.decisions]
        parts += ["## Decisions", "\n".join(f"- {link}" for link in links)]
    words, printed = run_of(spec)
    parts += ["## A run", f"```console\n$ {words}\n{printed}\n```"]
    if playable(spec):
        parts.append(player_of(name))
    if drawable(spec):
        parts.append(f"![The groups of a run of {name} on eleven records]({name}.svg)")
    return "\n\n".join(parts) + "\n"


def flowing(text: str) -> str:
    """A docstring whose paragraphs and steps are one line each, for a page to break.

    >>> flowing("One line,\\nand its rest.\\n  1. a step that\\n     goes on")
    'One line, and its rest.\\n  1. a step that goes on'
    """
    lines: list[str] = []
    session = False  # of examples, whose lines stay as they are
    for line in text.splitlines():
        session = line.startswith(">>>") or (session and line != "")
        last = lines[-1] if lines else ""
        if session or not last or last.endswith(":") or START_OF_LINE.match(line):
            lines.append(line)
        else:
            lines[-1] = f"{last} {line.lstrip()}"
    return "\n".join(lines)


def beside(left: str, right: str) -> str:
    """Two texts in two columns."""
    return (
        "`````{container} beside\n"
        f"````{{code-block}} text\n{left}\n````\n\n````{{code-block}} python\n{right}\n````\n"
        "`````"
    )


def text_of(module: ModuleType) -> str:
    """The code of a module without its docstring, its imports and what it says about itself."""
    source = inspect.getsource(module)
    lines = source.splitlines()
    shown = []
    for node in ast.parse(source).body:
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        if not _is_preface(node):
            shown.append("\n".join(lines[first - 1 : node.end_lineno]))
    return "\n\n".join(shown)


def _is_preface(node: ast.stmt) -> bool:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    named = getattr(node, "targets", [getattr(node, "target", None)])
    return any(isinstance(t, ast.Name) and t.id.startswith("SPECIFICATION") for t in named)


def run_of(spec: Specification) -> tuple[str, str]:
    """A command that runs an algorithm on the eleven firms, and what it prints."""
    words = ["mask", "datasets/eleven-firms.csv", "--algorithm", spec.name]
    words += ["-k", "3"] if spec.takes_k else []
    words += ["--seed", "1"] if spec.random else []
    words += ["--columns", "x1"] if spec.attributes == "one" else []
    words += ["--trace"] if spec.takes_k else []
    with TemporaryDirectory() as folder:
        given = [*words, "-o", str(Path(folder) / "masked.csv")]
        if playable(spec):
            PLAYERS.mkdir(exist_ok=True)
            given += ["--trace-page", str(PLAYERS / f"{spec.name}.html")]
        printed = printed_by(refagg.commands.main, [given[0], str(FIRMS), *given[2:]])
    lines = printed.splitlines()
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 10], "...", *lines[-9:]]
    return " ".join(["refagg", *words, "-o", "masked.csv"]), "\n".join(lines)


def playable(spec: Specification) -> bool:
    """Has an algorithm groups, whose steps a page can play?"""
    return spec.yields == "partition"


def player_of(name: str) -> str:
    """The page that plays the steps of the run, within the page and as a link."""
    page = f"../../_static/runs/{name}.html"
    return (
        "The same run step by step, forwards and backwards:\n\n"
        f'<iframe class="player" src="{page}" title="The steps of a run of {name}" loading="lazy">'
        f'</iframe>\n\n<a href="{page}">The steps on a page of their own</a>'
    )


def drawable(spec: Specification) -> bool:
    """Has an algorithm groups of records in the plane, and is there what draws them?"""
    plane = spec.attributes == "any" and spec.yields == "partition"
    return plane and find_spec("matplotlib") is not None


def gallery() -> str:
    """The pictures of all algorithms, each a link to its page."""
    shown = [name for name in CATALOGUE if drawable(CATALOGUE[name])]
    pictures = [f"[![{name}](algorithms/{name}.svg)](algorithms/{name}.md)" for name in shown]
    text = (
        "Groups of at least 3 of the same eleven records, by every algorithm that groups records."
    )
    return f"# Gallery\n\n{text}\n\n:::{{container}} gallery\n{' '.join(pictures)}\n:::\n"


def draw(name: str, path: Path) -> None:
    """The groups of a run on the eleven firms, as a picture."""
    if drawable(CATALOGUE[name]) and not path.exists():
        words = ["compare", str(FIRMS), "-k", "3", "--algorithm", name, "--scatter", str(path)]
        printed_by(refagg.commands.main, words)


def printed_by(command: ModuleType, words: Sequence[str]) -> str:
    """What a command prints. Raises RuntimeError if it fails."""
    out, error = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(error):
        status = command.main(words)
    if status:
        raise RuntimeError(f"{' '.join(words)}: status {status}, {error.getvalue()}")
    return out.getvalue().rstrip()


# Decisions


def decision_link(number: str, decisions: dict[str, str], page: str) -> str:
    """A link to a decision's heading."""
    title = f"{number} {decisions[number]}"
    anchor = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
    return f"[{title}]({page}#{anchor})"


def decisions_page(decisions: dict[str, str]) -> str:
    """The decisions that each algorithm needs."""
    rows = [
        (
            f"[{spec.name}](algorithms/{spec.name}.md)",
            "<br>".join(
                decision_link(str(n), decisions, "../decisions.md") for n in spec.decisions
            ),
        )
        for spec in CATALOGUE.values()
        if spec.decisions
    ]
    return f"# Decisions by algorithm\n\n{table(('algorithm', 'decisions'), rows)}\n"


# Commands and functions


def options_page() -> str:
    """The options of a release: each with its keyword, flag, type, default and meaning."""
    parts = ["# Options of a release", OPTIONS_TEXT]
    for kind in (Grouping, Publishing, Layout):
        summary = (kind.__doc__ or "").partition(", ")[0].partition(";")[0].rstrip(".")
        parts.append(f"## {kind.__name__}\n\n{summary}.")
        parts += [_option_entry(one) for one in options_of(kind).values()]
    return "\n\n".join(parts) + "\n"


OPTIONS_TEXT = (
    "Commands take these options by their flags, functions by their names. An option that does not "
    "apply is refused, with the reason."
)


def _option_entry(one: Option) -> str:
    default = "" if one.default in (None, False, ()) else f", default {one.default}"
    where = f" Applies to {' and '.join(one.applies)}." if one.applies else ""
    meaning = f"{one.meaning[0].upper()}{one.meaning[1:]}"
    return f"`{one.name}`, `{one.flag}`\n: {_plain(meaning)}.{where} Type `{one.type}`{default}."


def commands_page(program: str, module: ModuleType) -> str:
    """The options of a program's commands, as their parsers have them."""
    parts = [f"# The command {program}"]
    for name, (_, meaning) in module.COMMANDS.items():
        parser = parser_for([name], program, "", module.COMMANDS).called
        assert parser is not None
        parts.append(f"## {program} {name}\n\n{meaning[0].upper()}{meaning[1:]}.")
        parts += _arguments(parser)
    return "\n\n".join(parts) + "\n"


def _arguments(parser: argparse.ArgumentParser) -> Iterator[str]:
    """How a command is called, and each of its arguments with its meaning."""
    shape = argparse.HelpFormatter(parser.prog)
    named = [a for a in parser._actions if a.option_strings and a.dest != "help"]
    others = [a for a in parser._actions if not a.option_strings]
    words = " ".join(shape._format_args(a, str(a.metavar or a.dest)) for a in others)
    yield f"```text\n{parser.usage or f'{parser.prog} [options] {words}'}\n```"
    if parser.description:
        yield _plain(parser.description)
    for action in (*others, *named):
        if isinstance(action, argparse._SubParsersAction):
            yield from (
                f"`{one.dest}`\n: {_plain(one.help or '')}" for one in action._choices_actions
            )
        elif action.help:
            said = _plain(shape._expand_help(action))
            yield f"`{shape._format_action_invocation(action)}`\n: {said}"


def _plain(text: str) -> str:
    return " ".join(re.sub(r"([*<|])", r"\\\1", text).split())


def python_page(package: ModuleType) -> str:
    """The public functions and classes of a package that are no algorithms."""
    algorithms = {python_name(spec) for spec in CATALOGUE.values()}
    parts = [f"# The package {package.__name__}", inspect.getdoc(package) or ""]
    for name in sorted(set(package.__all__) - algorithms):
        found = getattr(package, name)
        if inspect.isfunction(found) or inspect.isclass(found):
            parts += [f"## {package.__name__}.{name}", "\n".join(_described(name, found))]
    return "\n\n".join(parts) + "\n"


def _described(name: str, found: object) -> Iterator[str]:
    yield "````python"
    with suppress(ValueError, TypeError):
        yield f"{name}{inspect.signature(found)}"  # type: ignore[arg-type]
    yield f"````\n\n````text\n{inspect.getdoc(found) or ''}\n````"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of Markdown."""
    lines = [head, ["---"] * len(head), *([_cell(text) for text in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
