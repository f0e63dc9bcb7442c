"""Text of an algorithm: its steps, functions, and current lines.

The steps are in words; an event tells where it is in the text.

Nothing here is kept by hand: an event knows the lines that were being carried out, comments in
the text number its steps, and the docstring of the file says them in words.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from types import ModuleType

from refagg.language.event import Event
from refagg.language.specification import OpenChoice, Specification

ITEM = re.compile(r"\s*(\d{1,2}[a-z]?|[a-z])\. +(.*)")
"""A step in a docstring."""

NUMBERED = re.compile(r"# ((?:\d+[a-z]?|[a-z])\.(?:(?: and|,) (?:\d+[a-z]?|[a-z])\.)*)")
"""A comment that numbers the steps of a line."""

DESCRIBED = re.compile(r'"""Steps? (\d+[^:.\n]*)')
"""A docstring of a function that says which steps it has."""

WHOLE = 45
"""The most lines of a file that are all shown; of a longer one, functions as they are called."""

Line = tuple[str, int]
"""A module, and the number of a line in it."""


@dataclass(frozen=True, slots=True)
class NumberedStep:
    """A step in words, with its number ("2b").

    What stands between steps has no number.
    """

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class SourceFunction:
    """A function or class of a module, with its lines.

    These are the numbers of its first and its last line.
    """

    module: str
    name: str
    first: int
    last: int

    def __contains__(self, line: Line) -> bool:
        return line[0] == self.module and self.first <= line[1] <= self.last

    def lines(self) -> list[str]:
        """Return the lines of its text."""
        return _source(self.module)[self.first - 1 : self.last]


@dataclass(frozen=True, slots=True)
class AlgorithmText:
    """An algorithm's steps in words, main function and called functions."""

    module: str
    steps: tuple[NumberedStep, ...]
    main: SourceFunction
    choices: tuple[OpenChoice, ...]

    def lines_of(self, event: Event) -> list[Line]:
        """Return the lines of the algorithm at an event.

        Its own line is first, then what it called. An event after its end belongs to its last line.
        """
        known = [line for line in event.lines if _function_at(line)]
        own = [place for place, line in enumerate(known) if line[0] == self.module]
        if not own:
            return [(self.module, self.main.last)]
        return known[own[-1] :: -1]

    def labels_of(self, event: Event) -> list[str]:
        """Return the numbers of the steps that an event belongs to."""
        known = {step.label for step in self.steps if step.label}
        places = {choice.name: choice.step for choice in self.choices}
        named = re.findall(r"\d+[a-z]?", places.get(event.name, "").partition(" (")[0])
        found = [label if label in known else label.rstrip("abcdefgh") for label in named]
        if not found:
            own = [line for line in reversed(self.lines_of(event)) if self._numbers(line)]
            found = next((labels for line in own if (labels := _numbers_at(line, known))), [])
        return [label for label in found if label in known]

    def _numbers(self, line: Line) -> bool:
        """Return True if comments at a line number this algorithm's steps."""
        return line[0] == self.module or not NUMBERED.search("\n".join(_source(self.module)))


def algorithm_text(specification: Specification) -> AlgorithmText:
    """The text of an algorithm."""
    module = sys.modules[specification.run.__module__]
    steps = tuple(_own_part(_steps(module), specification.name))
    main = _main(module, specification)
    return AlgorithmText(module.__name__, steps, main, specification.ties)


def functions_of(text: AlgorithmText, events: Iterable[Event]) -> list[SourceFunction]:
    """Return the functions that a run carried out.

    The main function comes first, and the functions of each file are in its order. Of a short file
    these are all.
    """
    met = {found: None for event in events for line in text.lines_of(event) for found in [line]}
    functions = {f for line in met if (f := _function_at(line))} | {text.main}
    own = [f for f in _functions(text.module) if not f.name.startswith("SPECIFICATION")]
    if sum(f.last - f.first + 1 for f in own) <= WHOLE:
        functions |= {*own}
    order = [text.module, *dict.fromkeys(line[0] for line in met)]
    return sorted(functions, key=lambda f: (f != text.main, order.index(f.module), f.first))


@cache
def statement_at(line: Line) -> range:
    """Return the lines of the statement at a line.

    For a statement with a body they are those before it.
    """
    module, number = line
    best = range(number, number + 1)
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.stmt) and node.lineno <= number <= (node.end_lineno or 0):
            body = getattr(node, "body", None)
            end = body[0].lineno - 1 if body else node.end_lineno or number
            if number <= max(end, node.lineno):
                best = range(node.lineno, max(end, node.lineno) + 1)
    return best


@cache
def _source(module: str) -> list[str]:
    found = sys.modules.get(module)
    try:
        return inspect.getsource(found).splitlines() if found else []
    except (OSError, TypeError):
        return []  # typed in, or without a file


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse("\n".join(_source(module)))


@cache
def _functions(module: str) -> list[SourceFunction]:
    """Return the functions and classes of a module, in text order."""
    found = []
    for node in _tree(module).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            found.append(SourceFunction(module, node.name, first, node.end_lineno or first))
    return found


def _function_at(line: Line) -> SourceFunction | None:
    return next((f for f in _functions(line[0]) if line in f), None)


def _main(module: ModuleType, specification: Specification) -> SourceFunction:
    """Return the main function of an algorithm.

    It has the algorithm's name, or is the cursor's text, or is the first one.
    """
    functions = _functions(module.__name__)
    name = specification.run.__name__
    named = (f for f in functions if f.name == name)
    own = (f for f in functions if f.name == specification.name.replace("-", "_"))
    return next(named, None) or next(own, None) or functions[0]


def _numbers_at(line: Line, known: set[str]) -> list[str]:
    """Return the step numbers in a line's comment.

    If the line of a function has none, they are those in the nearest comment before it. Where there
    is none, those that the docstring of the function begins with.
    """
    function = _function_at(line)
    if function is None:
        return []
    lines = _source(line[0])
    for number in range(statement_at(line)[-1], function.first - 1, -1):
        if found := NUMBERED.search(lines[number - 1]):
            labels = re.findall(r"\d+[a-z]?|[a-z](?=\.)", found[1])
            if labels[0].isalpha():
                above = "\n".join(lines[function.first - 1 : number - 1])
                numbers = re.findall(r"# (\d+)\.", above)
                labels = [numbers[-1] + label for label in labels] if numbers else []
            return [label for label in labels if label in known]
    said = DESCRIBED.search("\n".join(lines[function.first - 1 : function.last]))
    return [label for label in re.findall(r"\d+", said[1]) if label in known] if said else []


def _steps(module: ModuleType) -> list[NumberedStep]:
    """Return the steps in the docstring of a module.

    The lines between them and right before them are included.
    """
    steps: list[NumberedStep] = []
    number = ""
    for line in paragraphs(inspect.getdoc(module) or ""):
        if line.startswith(("Example", ">>>")):
            break
        if item := ITEM.fullmatch(line):
            number = number if item[1].isalpha() else item[1]
            label = number + item[1] if item[1].isalpha() else item[1]
            steps.append(NumberedStep(label, item[2]))
        elif line:
            steps.append(NumberedStep("", line.strip()))
    places = [place for place, step in enumerate(steps) if step.label]
    return steps[max(places[0] - 1, 0) : places[-1] + 1] if places else steps[:1]


def _own_part(steps: list[NumberedStep], name: str) -> list[NumberedStep]:
    """Return the steps of one of several algorithms in a docstring.

    Each of them numbers its steps from 1. Its part begins with its name and ends where the steps
    are numbered again.
    """
    labels = [step.label for step in steps if step.label]
    begins = re.compile(rf"{re.escape(name)}[:,]").match
    starts = [i for i, s in enumerate(steps) if not s.label and begins(s.text.lower())]
    if len(set(labels)) == len(labels) or not starts:
        return steps
    part = steps[starts[0] :]
    seen: set[str] = set()
    for place, step in enumerate(part):
        if step.label in seen:
            return part[: max(i for i in range(place) if not part[i].label)]
        seen |= {step.label} - {""}
    return part


START = re.compile(r"\s*$|\s*(\d{1,2}[a-z]?|[a-z])\. |\s*[-*] |\s*\|")
"""Blank lines, steps, items and rows of tables."""


def paragraphs(text: str) -> list[str]:
    """A docstring, each paragraph and step of which is one line.

    >>> paragraphs("One line,\\nand its rest.\\n  1. a step that\\n     goes on")
    ['One line, and its rest.', '  1. a step that goes on']
    """
    lines: list[str] = []
    session = False  # of examples, whose lines stay as they are
    for line in text.splitlines():
        session = line.startswith(">>>") or (session and line != "")
        last = lines[-1] if lines else ""
        outside = line[:1] != " " and last[:1] == " "  # an item has ended
        if session or not last or last.endswith(":") or outside or START.match(line):
            lines.append(line)
        else:
            lines[-1] = f"{last} {line.lstrip()}"
    return lines


def texts_of(lines: Sequence[Line]) -> list[tuple[str, int, int]]:
    """Return modules with the statement lines of these lines.

    These are the first and the last line of each statement.
    """
    return [(line[0], r[0], r[-1]) for line in lines for r in [statement_at(line)]]
