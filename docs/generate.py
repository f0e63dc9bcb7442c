"""Pages of the site that follow from the code: algorithms, commands, the Python interface.

`write_pages(docs)` writes them below `docs/generated/`; `docs/conf.py` calls it before each build.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import io
import json
import re
import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

from growth_pictures import figure_table, pictures
from notebook_pages import write_notebooks

import oracle
import oracle.commands.main
import refagg
import refagg.commands.main
from oracle.conformance.field.pages import programs, verdict
from oracle.conformance.field.results import RESULTS, results_in
from oracle.conformance.hunting.hunt import Hunt
from oracle.conformance.vectors.vector import Vector
from oracle.functions.optima import Proof
from oracle.optima.solving import Optimum
from refagg import errors
from refagg.catalogue import CATALOGUE
from refagg.commands.starting import parser_for
from refagg.comparison.compare import Results
from refagg.comparison.player.text import paragraphs
from refagg.data.standardise import Scaled
from refagg.functions.describing import python_name
from refagg.language.specification import Specification
from refagg.literature.verdicts import LedgerRow
from refagg.options.fields import Option, options_of
from refagg.options.grouping import Grouping
from refagg.options.layout import Layout
from refagg.options.publishing import Publishing
from refagg.release.apart import ReleaseApart
from refagg.release.fuzzy_clustering import FuzzyMicroaggregation
from refagg.release.method import Method

ROOT = Path(__file__).parent.parent
PLAYERS = ROOT / "docs" / "_static" / "runs"
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
    pages["field-picture.txt"] = field_picture()
    pages |= growth_parts()
    for name, text in pages.items():
        path = docs / "generated" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    write_notebooks(docs)
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
    parts = ["# Algorithms", "Each page plays the algorithm, step by step, beside its text."]
    for name, members in sorted(families.items()):
        rows = [(f"[{s.name}]({s.name}.md)", s.title, s.guarantees) for s in members]
        parts += [f"## {name[0].upper()}{name[1:]}", table(("name", "title", "groups"), rows)]
    names = "\n".join(sorted(CATALOGUE))
    parts.append(f"```{{toctree}}\n:hidden:\n\n{names}\n```")
    return "\n\n".join(parts) + "\n"


def algorithm_page(name: str, decisions: dict[str, str]) -> str:
    """One sentence, the player, choices, sizes, cost, and the source."""
    spec = CATALOGUE[name]
    examples = EXAMPLES.get(name, (FIRMS,))
    players = [player_of(spec, example, number) for number, example in enumerate(examples, 1)]
    parts = ["---\nhide-toc: true\n---", f"# {name}", sentence_of(spec), *players]
    if spec.parameters or spec.ties:
        parts.append("## Choices")
    if spec.parameters:
        rows = [
            (f"`{p.name}`", p.meaning, p.allowed, "none" if p.stated else f"`{p.default}`")
            for p in spec.parameters
        ]
        parts.append(table(("parameter", "meaning", "values", "default"), rows))
    if spec.ties:
        choices = [(t.name, t.step, t.meaning, t.measure) for t in spec.ties]
        parts.append(
            "Its source leaves these choices open. A judge accepts every way of making them."
        )
        parts.append(table(("name", "step", "what is chosen", "ranked by"), choices))
    parts += ["## In Python", in_python(spec)]
    parts += ["## Sizes", f"{spec.guarantees[0].upper()}{spec.guarantees[1:]}."]
    parts += ["## Cost", f"{spec.cost}.", cost_of(name)]
    source = "\n".join(paragraphs(inspect.getdoc(sys.modules[spec.run.__module__]) or ""))
    parts += ["## Source", f"**{spec.title}.** {spec.source}.", f"```text\n{source}\n```"]
    if spec.decisions:
        links = [decision_link(str(n), decisions, "../../decisions.md") for n in spec.decisions]
        parts += [
            "What the source leaves unsaid is decided here:",
            "\n".join(f"- {link}" for link in links),
        ]
    return "\n\n".join(part for part in parts if part) + "\n"


def in_python(spec: Specification) -> str:
    """The signature of an algorithm's function, and where its keywords are described."""
    name = python_name(spec)
    call = _block(f"refagg.{name}{inspect.signature(getattr(refagg, name))}", "python")
    others = "keywords but the parameters above" if spec.parameters else "keywords"
    return f"{call}\n\nThe {others} are [options of a release](../options.md)."


def sentence_of(spec: Specification) -> str:
    """One plain sentence: what the file of an algorithm begins with.

    Of a file that several share, what it says of all, with the name and the title of this one.
    """
    module = spec.run.__module__
    said = " ".join((inspect.getdoc(sys.modules[module]) or "").partition("\n\n")[0].split())
    if sum(other.run.__module__ == module for other in CATALOGUE.values()) == 1:
        return said
    name, _, what = spec.title.rstrip(")").partition(" (")
    return f"{name}: {said.partition(': ')[2].rstrip('.')}{f' ({what})' if what else ''}."


@dataclass(frozen=True)
class Example:
    """A data set on which an algorithm is played, and the options of the command."""

    data: str
    options: tuple[str, ...] = ()
    k: int = 3
    said: str = ""


FIRMS = Example("eleven-firms")
SEQUENCES = Example(
    "vg-sequences",
    ("--kind", "sequence=sequence: "),
    said="The nine sequences of the example of Valls and Gomez-Alonso, with k = 3.",
)
ROUTES = Example(
    "routes-sixty",
    ("--columns", "route", "--kind", "route=sequence:>"),
    5,
    "Sixty routes of tourists, with k = 5.",
)
TORRA = Example(
    "tor-table2",
    ("--constraint", "1.16*v1 + 1.07*v2 = v3"),
    said="Torra's Table 2, under the constraint 1.16 v1 + 1.07 v2 = v3.",
)
GRADES = "Grade=ordinal:4th<5th<6th"
KINDS = ("--kind", GRADES, "--kind", "Sex=nominal", "--kind", "Diagnosis=nominal")
PUPILS = Example(
    "ala18-table31",
    ("--columns", "Grade,Sex,Diagnosis", *KINDS),
    said="Eleven pupils and their diagnoses: categories, which have modes instead of averages.",
)
SINGLE = ("--arithmetic", "exact", "--param", "linkage=single")
SHORT = Example("eleven-firms", ("--param", "iterations=20"))
EXAMPLES = {
    "kshc": (SEQUENCES, ROUTES),
    "hac": (
        FIRMS,
        Example(
            SEQUENCES.data,
            (*SEQUENCES.options, *SINGLE, "--param", "leftovers=free-capacity"),
            said="The same algorithm on sequences, of which only dissimilarities are known.",
        ),
    ),
    "fuzzy": (TORRA,),
    "k-modes": (PUPILS,),
    "genetic": (SHORT,),
    "one-step": (SHORT,),
    "two-step": (SHORT,),
    **dict.fromkeys(
        ("t-closeness-first", "t-closeness-k-anonymity-first", "t-closeness-merging"),
        (Example("eleven-firms", ("--param", "confidential=x2")),),
    ),
}
"""What is not played on the eleven firms alone."""


def words_of(spec: Specification, example: Example) -> list[str]:
    """A command that runs an algorithm on an example, but for its outputs."""
    words = ["mask", f"datasets/{example.data}.csv", "--algorithm", spec.name]
    words += ["-k", str(example.k)] if spec.takes_k else []
    words += ["--seed", "1"] if spec.random else []
    words += ["--columns", "x1"] if spec.attributes == "one" else []
    stated = (f"{one}=" for one in spec.first_attributes())
    open_ones = [one for one in stated if not any(o.startswith(one) for o in example.options)]
    words += [word for one in open_ones for word in ("--param", f"{one}x1")]
    return [*words, *example.options]


def player_of(spec: Specification, example: Example, number: int) -> str:
    """The player of a run, the command that writes it as a page, and what that prints."""
    words, page = words_of(spec, example), PLAYERS / f"{spec.name}-{number}.html"
    PLAYERS.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder:
        given = [words[0], str(ROOT / words[1]), *words[2:], "-o", str(Path(folder) / "masked.csv")]
        printed = printed_by(refagg.commands.main, [*given, "--trace-page", str(page)])
    shown = re.search(r"<section.*</section>", page.read_text(encoding="utf-8"), re.DOTALL)
    assert shown
    command = shlex.join(["refagg", *words, "-o", "masked.csv", "--trace-page", "steps.html"])
    return "\n\n".join(
        [
            *([example.said] if example.said else []),
            f"``````{{raw}} html\n{shown[0]}\n``````",
            "This command writes the player as a page of its own; `--trace` prints the steps:",
            f"```console\n$ {command}\n{printed}\n```",
        ]
    )


def cost_of(name: str) -> str:
    """What runs were measured to take and to lose; nothing without the table of benchmarks."""
    path = ROOT / "tests" / "benchmarks" / "table.json"
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    rows = [
        (
            f"{one['data']}, {SIZES[one['data']]}",
            str(one["k"]),
            f"{one['seconds']:.2f}" if one["status"] == "done" else f"over {one['seconds']:.0f}",
            f"{one['loss']:.2f}" if one["status"] == "done" else "",
        )
        for one in known
        if one["algorithm"] == name and one["status"] != "skipped" and one["k"] in (3, 10)
    ]
    if not rows:
        return ""
    head = ("data", "k", "CPU seconds", "information loss, %")
    return f"{table(head, rows)}\n\n[All algorithms](../../algorithms-table.md) on these files."


SIZES = {"census": "1080 x 13", "tarragona": "834 x 13", "eia": "4092 x 11"}


def drawable(spec: Specification) -> bool:
    """Has an algorithm groups of records in the plane, and is there what draws them?"""
    plane = spec.attributes == "any" and spec.yields == "partition"
    return plane and find_spec("matplotlib") is not None


def gallery() -> str:
    """The pictures of all algorithms, each a link to its page."""
    shown = [name for name in CATALOGUE if drawable(CATALOGUE[name])]
    pictures = [
        f"[![Groups](algorithms/{name}.svg) {name}](algorithms/{name}.md)" for name in shown
    ]
    text = (
        "Groups of at least 3 of the same eleven records, by every algorithm that groups records."
    )
    return f"# Gallery\n\n{text}\n\n:::{{container}} gallery\n{' '.join(pictures)}\n:::\n"


def draw(name: str, path: Path) -> None:
    """The groups of a run on the eleven firms, as a picture."""
    if drawable(CATALOGUE[name]) and not path.exists():
        words = [
            "compare",
            str(ROOT / "datasets" / "eleven-firms.csv"),
            "-k",
            "3",
            "--algorithm",
            ":".join([name, *(f"{one}=x1" for one in CATALOGUE[name].first_attributes())]),
            "--scatter",
            str(path),
        ]
        printed_by(refagg.commands.main, words)


SQUARES = {"nothing found": "good", "wrong": "bad", "not k-anonymous": "bad"}
"""The colours of verdicts; others have the third."""


def field_picture() -> str:
    """The state of the field for the landing page: a square for each claim, by its verdict."""
    shown = programs(results_in(RESULTS))
    found = Counter(verdict(asked) for result in shown for asked in result["asked"])
    rows = "".join(
        f'<span class="{SQUARES.get(name, "other")}"><b>{count}</b>'
        f'<i aria-hidden="true">{"<s></s>" * count}</i>{name}</span>'
        for name, count in found.most_common()
    )
    said = f"{len(shown)} public programs, {found.total()} claims to be an algorithm, judged"
    link = f'<a class="field-picture" href="field.html"><em>{said}</em>{rows}</a>'
    return f"```{{raw}} html\n{link}\n```\n"


def growth_parts() -> dict[str, str]:
    """The parts of the page of benchmarks that are made of what was measured."""
    families: dict[str, list[str]] = {}
    for spec in CATALOGUE.values():
        families.setdefault(spec.run.__module__.split(".")[-2], []).append(spec.name)
    path = ROOT / "tests" / "benchmarks" / "growth.json"
    if not path.exists():
        absent = "*The source package is without these figures: see the repository.*\n"
        return {f"growth-{name}.txt": absent for name in ("peers", "table", *families)}
    found = json.loads(path.read_text(encoding="utf-8"))
    drawn = pictures(found, families).items()
    parts = {f"growth-{name}.txt": f"```{{raw}} html\n{part}```\n" for name, part in drawn}
    return {**parts, "growth-table.txt": figure_table(found)}


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
    """A text on one line, without marks of Markdown, but with links to the pages that it names."""
    escaped = re.sub(r"([*<|])", r"\\\1", " ".join(text.split()))
    return re.sub(r"docs/([\w-]+)\.md", r"[docs/\1.md](../\1.md)", escaped)


def python_page(package: ModuleType) -> str:
    """All public names of a package; algorithms have pages of their own."""
    algorithms = {python_name(spec): spec.name for spec in CATALOGUE.values()}
    parts = [f"# The package {package.__name__}", _prose(inspect.getdoc(package) or "")]
    if package is refagg:
        links = [f"[{name}](algorithms/{page}.md)" for name, page in sorted(algorithms.items())]
        parts.append(f"The functions of algorithms, each with a page: {', '.join(links)}.")
    for name in sorted(set(package.__all__) - set(algorithms)):
        parts += [f"## {package.__name__}.{name}", *_described(name, getattr(package, name))]
    parts.append("## What functions return")
    parts.append("These classes have no public name of their own: functions make them.")
    for found in RETURNED[package.__name__]:
        parts += [f"### {found.__name__}", *_described(found.__name__, found)]
    if package is refagg:
        parts += ["## refagg.sklearn.Microaggregation", _prose(_transformer())]
        parts += ["## refagg.errors", _prose(inspect.getdoc(errors) or ""), _errors()]
    return "\n\n".join(parts) + "\n"


RETURNED: dict[str, tuple[type, ...]] = {
    "refagg": (
        FuzzyMicroaggregation,
        LedgerRow,
        Method,
        ReleaseApart,
        Results,
        Scaled,
        Specification,
    ),
    "oracle": (Hunt, Optimum, Proof, Vector),
}


def _described(name: str, found: object) -> Iterator[str]:
    """Yield the signature, what is said of it, and the members of a class or module."""
    if not callable(found) and not isinstance(found, ModuleType):
        yield "A mapping from the name of each algorithm to its specification."
        return
    with suppress(ValueError, TypeError):
        signature = str(inspect.signature(found))  # type: ignore[arg-type]
        signature = re.sub(r"""(: |-> )(['"])(.*?)\2(?=[,) ]|$)""", r"\1\3", signature)
        yield _block(name + re.sub(r"= <[^<>]*>", "= ...", signature), "python")
    yield _prose(inspect.getdoc(found) or "")
    if members := public_members(found):
        rows = [
            (
                f"`{one}{parameters_of(found, one)}`",
                _plain(inspect.getdoc(value) or "").partition(". ")[0],
            )
            for one, value in members.items()
        ]
        yield table(("member", "meaning"), [(one, text.rstrip(".")) for one, text in rows])


def parameters_of(found: object, name: str) -> str:
    """The parameters of a member without their types; nothing for a property."""
    member = getattr(found, name)
    if isinstance(member, property):
        return ""
    given = list(inspect.signature(member).parameters.values())
    if inspect.isclass(found) and inspect.isfunction(inspect.getattr_static(found, name)):
        del given[0]  # the object itself
    return str(inspect.Signature([one.replace(annotation=one.empty) for one in given]))


def public_members(found: object) -> dict[str, Any]:
    """Return the methods and properties of a class, or the functions of a module, by name."""
    if not inspect.isclass(found) and not isinstance(found, ModuleType):
        return {}
    own = found.__name__ if isinstance(found, ModuleType) else None
    return {
        name: getattr(found, name)
        for owner in (found.__mro__ if inspect.isclass(found) else [found])
        for name, value in vars(owner).items()
        if not name.startswith("_")
        and (inspect.isfunction(value) or isinstance(value, (property, classmethod, staticmethod)))
        and (own is None or value.__module__ == own)
    }


def _block(text: str, language: str) -> str:
    return f"````{language}\n{text}\n````"


def _prose(text: str) -> str:
    """A docstring as Markdown: sentences are paragraphs, examples and lists of options blocks."""
    parts: list[tuple[str, str]] = []
    for part in text.split("\n\n"):
        lines = part.splitlines()
        laid_out = any(line.startswith((" ", "---")) for line in lines)
        kind = "python" if part.startswith(">>>") else "text" if laid_out else ""
        if kind == "text" and parts and parts[-1][0] == kind:
            parts[-1] = (kind, f"{parts[-1][1]}\n\n{part}")
        else:
            parts.append((kind, part))
    return "\n\n".join(_block(part, kind) if kind else _escaped(part) for kind, part in parts)


def _escaped(text: str) -> str:
    """A text without marks of Markdown but in its code."""
    pieces = re.split(r"(`[^`]*`)", " ".join(text.split()))
    return "".join(one if one[:1] == "`" else re.sub(r"([*<|_])", r"\\\1", one) for one in pieces)


def _transformer() -> str:
    """What is said of the transformer, whose module needs scikit-learn."""
    tree = ast.parse((ROOT / "refagg" / "sklearn.py").read_text(encoding="utf-8"))
    [found] = [one for one in tree.body if isinstance(one, ast.ClassDef)]
    return ast.get_docstring(found) or ""


def _errors() -> str:
    defined = [one for one in vars(errors).values() if inspect.isclass(one)]
    names = [one.__name__ for one in defined if one.__module__ == errors.__name__]
    said = [_plain(inspect.getdoc(getattr(errors, name)) or "") for name in names]
    return table(("exception", "when"), list(zip(map("`{}`".format, names), said, strict=True)))


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of Markdown."""
    lines = [head, ["---"] * len(head), *([_cell(text) for text in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
