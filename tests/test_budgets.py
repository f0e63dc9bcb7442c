"""The size and shape of the two packages stay within a budget.

Each figure has a ceiling, which the code has reached, and an aim. A ceiling falls with its figure
and is never raised: `python -m tests.test_budgets` prints the figures of today beside both.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import chain
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent


class Budget(NamedTuple):
    """The most that a figure may be today, and what it is to become."""

    ceiling: int
    aim: int


BUDGETS = {
    "lines of code": Budget(44_340, 33_000),
    "lines of code of the kernel of certificates": Budget(320, 320),
    "lines of the longest function": Budget(60, 60),
    "functions of more than 12 parameters": Budget(0, 0),
    "uses of Any": Budget(700, 350),
    "modules in circles of imports": Budget(0, 0),
    "modules": Budget(432, 330),
    "calls of add_argument": Budget(30, 30),
    "public names that several modules define": Budget(40, 40),
    "docstrings that do not begin with a verb or a noun": Budget(60, 60),
    "first lines of docstrings with more than 12 words": Budget(0, 0),
}

NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
NO_CODE |= {tokenize.ENDMARKER, tokenize.ENCODING}
NO_BEGINNING = re.compile(
    "(What|Where|How|Which|Those|The same|Is|Are|Does|Do|Has|Have|Can|Could|May|Must|Whether) "
)
COMMON = {"add_options", "run", "main"}
"""Names that every module of a command defines."""

KERNEL = ("oracle.certificate", "oracle.certificate.kernel")

Function = ast.FunctionDef | ast.AsyncFunctionDef
Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class Source(NamedTuple):
    """A module: its full name, its text as a tree, the numbers of its lines of code."""

    name: str
    package: bool
    tree: ast.Module
    lines: frozenset[int]


def span(node: ast.stmt | ast.expr) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def texts_in(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield docstrings, those of attributes too."""
    for node in ast.walk(tree):
        for line in node.body if isinstance(node, Documented) else ():
            value = line.value if isinstance(line, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value


def lines_of_code(text: str, tree: ast.Module) -> frozenset[int]:
    """Return the lines that hold code: no docstring, no comment, nothing blank."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    spans = (range(t.start[0], t.end[0] + 1) for t in tokens if t.type not in NO_CODE)
    in_docstrings = chain.from_iterable(map(span, texts_in(tree)))
    return frozenset(chain.from_iterable(spans)).difference(in_docstrings)


@cache
def sources() -> dict[str, Source]:
    """Return all modules of both packages by their full names."""
    found = {}
    for path in sorted(chain.from_iterable((ROOT / p).rglob("*.py") for p in ("refagg", "oracle"))):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        found[name] = Source(name, path.stem == "__init__", tree, lines_of_code(text, tree))
    return found


def imported(source: Source) -> set[str]:
    """Return the modules that a module imports anywhere, in functions too."""
    found = set()
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parents = source.name.split(".")[: 1 - node.level if source.package else -node.level]
            above = source.name.split(".") if source.package and node.level == 1 else parents
            stem = ".".join([*(above if node.level else []), *filter(None, [node.module])])
            found |= {f"{stem}.{a.name}" if f"{stem}.{a.name}" in sources() else stem
                      for a in node.names}  # fmt: skip
    return (found & set(sources())) - {source.name}


def in_circles() -> set[str]:
    """Return the modules on the circles that are found when each circle is cut where it is met."""
    graph = {name: imported(source) for name, source in sources().items()}
    met: set[str] = set()
    while True:
        try:
            TopologicalSorter(graph).prepare()
            return met
        except CycleError as error:
            circle = error.args[1]  # each is imported by the next one
            met |= set(circle)
            graph[circle[1]] -= {circle[0]}


def functions() -> Iterator[tuple[Source, Function]]:
    for source in sources().values():
        for node in ast.walk(source.tree):
            if isinstance(node, Function):
                yield source, node


def definitions() -> dict[str, set[str]]:
    """Return the modules that define each public name."""
    found: dict[str, set[str]] = defaultdict(set)
    for source in sources().values():
        for node in source.tree.body:
            if isinstance(node, (ast.ClassDef, Function)) and not node.name.startswith("_"):
                found[node.name].add(source.name)
    return found


def figures() -> dict[str, int]:
    trees = [source.tree for source in sources().values()]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    texts = [ast.get_docstring(n) or "" for n in nodes if isinstance(n, ast.ClassDef | Function)]
    headings = [ast.get_docstring(tree) or "" for tree in trees]
    several = {name for name, where in definitions().items() if len(where) > 1}
    lengths = [len(source.lines.intersection(span(node))) for source, node in functions()]
    widths = [
        len(node.args.posonlyargs + node.args.args + node.args.kwonlyargs)
        for _, node in functions()
    ]
    calls = [node.func for node in nodes if isinstance(node, ast.Call)]
    values = (
        sum(len(source.lines) for source in sources().values()),
        sum(len(sources()[name].lines) for name in KERNEL),
        max(lengths),
        sum(width > 12 for width in widths),
        sum(isinstance(node, ast.Name) and node.id == "Any" for node in nodes),
        len(in_circles()),
        len(trees),
        sum(isinstance(f, ast.Attribute) and f.attr == "add_argument" for f in calls),
        len(several - COMMON),
        sum(bool(NO_BEGINNING.match(text)) for text in texts),
        sum(len(text.partition("\n")[0].split()) > 12 for text in texts + headings),
    )
    return dict(zip(BUDGETS, values, strict=True))


def test_all_figures_are_within_their_budgets() -> None:
    over = {name: v for name, v in figures().items() if v > BUDGETS[name].ceiling}
    assert over == {}, [BUDGETS[name] for name in over]


def test_no_ceiling_is_below_its_aim() -> None:
    assert all(budget.ceiling >= budget.aim for budget in BUDGETS.values())


def test_lines_of_code_by_hand() -> None:
    text = (
        '"""Two\nlines."""\n\n# a comment\nx = (\n    1\n)\n"""Of x."""\ndef f():\n    return x\n'
    )
    assert lines_of_code(text, ast.parse(text)) == {5, 6, 7, 9, 10}


def main() -> None:
    for name, value in figures().items():
        print(f"{value:7} {name} (ceiling {BUDGETS[name].ceiling}, aim {BUDGETS[name].aim})")


if __name__ == "__main__":
    main()
