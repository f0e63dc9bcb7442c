"""Change one thing at a time in a module, and see whether its own tests notice.

    python -m tests.mutation oracle.certificate.check --tests tests/certificate
    python -m tests.mutation refagg.language.ties --tests tests/language --share 0.2 --seed 1

The tests are collected and timed once; then a process is forked for each change, puts the changed
code into the functions of the module, and runs the quickest tests first until one fails. A change
is killed by a failure, or by a run that takes more than three times as long as all tests do. What
is printed names each survivor with its line and what it was changed into; the status is 1 where
fewer than 95 % are killed. Tests that start processes of their own do not see a change. Constants
of a module are left alone, and so are texts, annotations and what is raised.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from random import Random
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.USub: ast.UAdd,
}
ENOUGH = 0.95


class Change:
    """One node of a tree, what stands there instead, and where it is."""

    def __init__(self, place: int, way: int, line: int, before: str, after: str) -> None:
        self.place, self.way, self.line = place, way, line
        self.before, self.after = before, after

    def __str__(self) -> str:
        return f"line {self.line}: {self.before} -> {self.after}"


def ways(node: ast.AST) -> list[ast.AST]:
    """What can stand in the place of a node."""
    found: list[ast.AST] = []
    if isinstance(node, ast.Compare):
        for at, sign in enumerate(node.ops):
            other = copy.deepcopy(node)
            other.ops[at] = SWAPPED[type(sign)]()  # type: ignore[call-overload]
            found.append(other)
    if isinstance(node, (ast.BinOp, ast.BoolOp, ast.UnaryOp)) and type(node.op) in SWAPPED:
        other_op = copy.deepcopy(node)
        other_op.op = SWAPPED[type(node.op)]()  # type: ignore[assignment]
        found.append(other_op)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        found.append(node.operand)
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        found.append(ast.Constant(not node.value))
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        found += [ast.Constant(node.value + 1), ast.Constant(node.value - 1)]
    if isinstance(node, ast.Return) and node.value is not None:
        found.append(ast.Return(ast.Constant(None)))
    if isinstance(node, (ast.AugAssign, ast.Raise)):
        found.append(ast.Pass())
    return found


def left_alone(tree: ast.AST) -> set[ast.AST]:
    """Nodes of texts, annotations, decorators and defaults, and of what is raised."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        parts: list[Any] = []
        if isinstance(node, ast.Raise):
            parts = [node.exc, node.cause]
        elif isinstance(node, (ast.JoinedStr, ast.AnnAssign)):
            parts = [node] if isinstance(node, ast.JoinedStr) else [node.annotation]
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            parts = [node.args, node.returns, *node.decorator_list]
        for part in filter(None, parts):
            found |= set(ast.walk(part))
    return found


def changes_of(text: str) -> list[Change]:
    """All changes of what stands in the functions of a module."""
    tree = ast.parse(text)
    alone, found = left_alone(tree), []
    inner = set[ast.AST]()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            inner |= set(ast.walk(node)) - {node}
    for place, node in enumerate(ast.walk(tree)):
        if node in inner and node not in alone:
            for way, other in enumerate(ways(node)):
                line = getattr(node, "lineno", 0)
                found.append(Change(place, way, line, ast.unparse(node), ast.unparse(other)))
    return sorted(found, key=lambda change: change.line)


def changed(text: str, change: Change, name: str) -> CodeType:
    """The code of the module after a change."""
    tree = ast.parse(text)
    wanted = next(node for place, node in enumerate(ast.walk(tree)) if place == change.place)

    class Swap(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> Any:
            return ways(node)[change.way] if node is wanted else self.generic_visit(node)

    made = ast.fix_missing_locations(Swap().visit(tree))
    return compile(made, name, "exec")


def codes(code: CodeType, above: str = "") -> Iterator[tuple[str, CodeType]]:
    """The codes of functions that stand in a module or in its classes, by their names."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            name = f"{above}{constant.co_name}"
            yield name, constant
            yield from codes(constant, f"{name}.")


def put(module: ModuleType, code: CodeType) -> None:
    """Put the code of functions into those of the module, wherever they are known already."""
    made = dict(codes(code))
    places: list[tuple[str, Any]] = [("", module)]
    places += [(f"{n}.", c) for n, c in vars(module).items() if isinstance(c, type)]
    for above, place in places:
        for name, value in list(vars(place).items()):
            function = getattr(value, "fget", value)
            function = getattr(function, "__func__", function)
            while hasattr(function, "__wrapped__"):
                function = function.__wrapped__
            own = isinstance(function, FunctionType) and function.__module__ == module.__name__
            if own and above + name in made:
                with suppress(ValueError):  # other free variables: of a class made anew
                    function.__code__ = made[above + name]


class Loop:
    """In place of the loop over tests: one for each change."""

    def __init__(self, module: str, share: float, seed: int) -> None:
        self.module, self.share, self.seed = import_module(module), share, seed
        self.failed = False
        self.survivors: list[Change] = []
        self.killed = self.endless = self.asked = self.total = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = self.failed or report.failed

    def passes(self, session: pytest.Session, items: list[pytest.Item]) -> list[float]:
        """The seconds of each test, up to the first that fails."""
        seconds: list[float] = []
        for item, after in zip(items, [*items[1:], None], strict=True):
            start = time.monotonic()
            session.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            if self.failed:
                break
            seconds.append(time.monotonic() - start)
        return seconds

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        text = Path(str(self.module.__file__)).read_text(encoding="utf-8")
        seconds = self.passes(session, session.items)
        if self.failed:
            raise pytest.UsageError("a test fails without any change")
        pairs = sorted(zip(seconds, session.items, strict=True), key=lambda pair: pair[0])
        items, whole = [item for _, item in pairs], sum(seconds)
        changes = changes_of(text)
        self.total = len(changes)
        if self.share < 1:
            some = max(1, round(self.share * len(changes)))
            changes = sorted(Random(self.seed).sample(changes, some), key=lambda c: c.line)
        for change in changes:
            self.judge(session, items, text, change, 3 * whole + 5)
        return True

    def judge(
        self,
        session: pytest.Session,
        items: list[pytest.Item],
        text: str,
        change: Change,
        most: float,
    ) -> None:
        self.asked += 1
        child = os.fork()
        if child == 0:
            status = 1
            with suppress(BaseException):
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, 1)
                os.dup2(nowhere, 2)
                put(self.module, changed(text, change, str(self.module.__file__)))
                self.passes(session, items)
                status = int(self.failed)
            os._exit(status)
        end = time.monotonic() + most
        while not (found := os.waitpid(child, os.WNOHANG))[0]:
            if time.monotonic() > end:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                self.endless += 1
                return
            time.sleep(0.01)
        if found[1]:
            self.killed += 1
        else:
            self.survivors.append(change)

    def told(self) -> Iterator[str]:
        """The lines of the page."""
        caught = self.killed + self.endless
        part = f", a share of {self.total}" if self.asked < self.total else ""
        yield (
            f"{self.module.__name__}: {self.asked} changes{part}: {self.killed} killed, "
            f"{self.endless} without end, {len(self.survivors)} survive: "
            f"{100 * caught / max(1, self.asked):.1f} %"
        )
        yield from (f"  {change}" for change in self.survivors)


def main() -> int:
    """Change, ask, tell; 1 where too many changes survive."""
    parser = argparse.ArgumentParser(prog="mutation", description=__doc__)
    parser.add_argument("module")
    parser.add_argument("--tests", nargs="+", required=True, help="files, folders or -k NAME")
    parser.add_argument("--share", type=float, default=1.0, help="of the changes to look at")
    parser.add_argument("--seed", type=int, default=0, help="of the draw of these")
    given = parser.parse_args()
    loop = Loop(given.module, given.share, given.seed)
    words = ["-q", "-p", "no:cacheprovider", "--no-header", "--no-summary", *given.tests]
    status = pytest.main(words, plugins=[loop])
    if loop.asked == 0:
        print(f"nothing was asked: pytest ended with {status}")
        return 2
    print("\n".join(loop.told()))
    return int((loop.killed + loop.endless) / loop.asked < ENOUGH)


if __name__ == "__main__":
    sys.exit(main())
