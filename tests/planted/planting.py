"""A place in the syntax tree of a module, and what is planted there.

What is changed is found by its function and by the named choice or the expression in it, so that
neither the layout of the text nor what stands beside it matters.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from inspect import getsource
from types import ModuleType
from typing import Any


class NotPlanted(BaseException):
    """A mistake cannot be made: there is no such place, or the changed module cannot be loaded.

    No Exception, so that nothing takes it for a program's answer.
    """


@dataclass(frozen=True, slots=True)
class Change:
    """In a function, the call that has the named `choice`, or the expression or statement `at`,
    becomes another one; `number` counts where there are several.
    """

    where: str
    at: str
    becomes: str
    choice: str = ""
    number: int = 1

    def __str__(self) -> str:
        place = f"choice {self.choice}" if self.choice else self.at
        return " ".join(f"{self.where}: {place} becomes {self.becomes}".split())


def changed_tree(text: str, change: Change) -> ast.Module:
    """Return the syntax tree of a text after the change. Raises NotPlanted."""
    tree = ast.parse(text)
    found = list(_places(_function(tree, change.where), change))
    if len(found) < change.number:
        raise NotPlanted(f"there is no place for {change}")
    place = found[change.number - 1]
    new = _expression(change.becomes) if isinstance(place, ast.expr) else _statements(change)
    return ast.fix_missing_locations(_Replaced(place, new).visit(tree))


def _function(tree: ast.AST, path: str) -> ast.AST:
    """Return the function or class "name" or "Class.name"; the module if the path is empty."""
    for name in filter(None, path.split(".")):
        inner = [node for node in ast.walk(tree) if getattr(node, "name", "") == name]
        if not inner:
            raise NotPlanted(f"there is no function {path}")
        tree = inner[0]
    return tree


def _places(function: ast.AST, change: Change) -> Iterator[ast.AST]:
    """Yield the nodes that the change is about, in the order of the text."""
    pattern = None if change.choice else _pattern(change)
    wanted = ast.dump(pattern) if pattern else ""
    for node in _in_order(function):
        if pattern is None:
            if isinstance(node, ast.Call) and any(_is(one, change.choice) for one in node.args):
                yield node
        elif type(node) is type(pattern) and ast.dump(node) == wanted:
            yield node


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for inner in ast.iter_child_nodes(node):
        yield from _in_order(inner)


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Constant) and node.value == name


def _pattern(change: Change) -> ast.AST:
    expression = _expression(change.at)
    if expression is not None and _expression(change.becomes) is not None:
        return expression
    return ast.parse(change.at).body[0]


def _expression(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        return None


def _statements(change: Change) -> list[ast.stmt]:
    try:
        return ast.parse(change.becomes).body
    except SyntaxError as error:
        raise NotPlanted(f"{change} is not Python") from error


@dataclass
class _Replaced(ast.NodeTransformer):
    place: ast.AST
    new: Any

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.place else self.generic_visit(node)


def changed_module(name: str, change: Change) -> ModuleType:
    """The module of this name after the change. Raises NotPlanted."""
    try:
        text = getsource(import_module(name))
    except ImportError as error:
        raise NotPlanted(f"there is no module {name}") from error
    return _module(name, changed_tree(text, change))


def _module(name: str, tree: ast.Module) -> ModuleType:
    module = ModuleType(f"mutant of {name}")
    sys.modules[module.__name__] = module  # where dataclasses look for it
    try:
        exec(compile(tree, f"<mutant of {name}>", "exec"), module.__dict__)
    except Exception as error:
        raise NotPlanted(f"{name} cannot be loaded after its change: {error!r}") from error
    return module
