"""Change one thing at a time in a module, and see whether its own tests notice.

    python -m tests.mutation oracle.certificate.kernel
    python -m tests.mutation refagg.language --share 0.2 --seed 1
    python -m tests.mutation --all --page tests/records/mutation.md

`tests/own_tests.toml` says which tests are a module's own; a package stands for its modules there.
The tests are collected and timed once; then a process is forked for each change, puts the changed
code into the functions of the module, and runs the quickest tests first until one fails. A change
is killed by a failure, or by a run that takes more than three times as long as all tests do. What
is printed names each survivor, and what it was changed into; the status is 1 where fewer than 95 %
are killed. Tests that start processes of their own do not see a change. Constants of a module are
left alone, and so are texts, annotations, what is raised, and `strict=` of zip. Changes that the
table names as equivalent, each with a reason, are not asked.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import resource
import signal
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from datetime import date
from importlib import import_module
from math import ceil
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryFile
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import pytest

TABLE = Path(__file__).with_name("own_tests.toml")

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

    def __init__(self, place: int, way: int, line: int, name: str) -> None:
        self.place, self.way, self.line, self.name = place, way, line, name

    def __str__(self) -> str:
        return f"line {self.line}, {self.name}"


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
    if isinstance(node, ast.Return) and ast.unparse(node) not in ("return", "return None"):
        found.append(ast.Return(ast.Constant(None)))
    if isinstance(node, (ast.AugAssign, ast.Raise)):
        found.append(ast.Pass())
    return found


def left_alone(tree: ast.AST) -> set[ast.AST]:
    """Nodes of texts, annotations, decorators, defaults, `strict=`, and of what is raised."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        parts: list[Any] = []
        if isinstance(node, ast.Raise):
            parts = [node.exc, node.cause]
        elif isinstance(node, (ast.JoinedStr, ast.AnnAssign)):
            parts = [node] if isinstance(node, ast.JoinedStr) else [node.annotation]
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            parts = [node.args, node.returns, *node.decorator_list]
        elif isinstance(node, ast.keyword) and node.arg == "strict":
            parts = [node.value]
        for part in filter(None, parts):
            found |= set(ast.walk(part))
    return found


def owners(tree: ast.AST, name: str = "") -> dict[ast.AST, str]:
    """The names of the functions in which nodes are, with those of their classes."""
    found: dict[ast.AST, str] = {}
    for node in ast.iter_child_nodes(tree):
        inner = name
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            inner = f"{name}.{node.name}" if name else node.name
        if isinstance(node, ast.FunctionDef):
            found |= dict.fromkeys(set(ast.walk(node)) - {node}, inner)
        found |= owners(node, inner)
    return found


def changes_of(text: str) -> list[Change]:
    """All changes of what stands in the functions of a module, as they follow one another."""
    tree = ast.parse(text)
    alone, owner, found = left_alone(tree), owners(tree), list[tuple[int, int, Change]]()
    for place, node in enumerate(ast.walk(tree)):
        if node in owner and node not in alone:
            line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
            for way, other in enumerate(ways(node)):
                name = f"{owner[node]}: {ast.unparse(node)} -> {ast.unparse(other)}"
                found.append((line, column, Change(place, way, line, name)))
    changes = [change for _, _, change in sorted(found, key=lambda entry: entry[:2])]
    seen = Counter[str]()
    for change in changes:
        seen[change.name] += 1
        if (number := seen[change.name]) > 1:
            change.name += f" ({number})"
    return changes


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
            function = getattr(value, "fget", getattr(value, "func", value))
            function = getattr(function, "__func__", function)
            while hasattr(function, "__wrapped__"):
                function = function.__wrapped__
            own = isinstance(function, FunctionType) and function.__module__ == module.__name__
            if own and above + name in made:
                with suppress(ValueError):  # other free variables: of a class made anew
                    function.__code__ = made[above + name]
                if forget := getattr(value, "cache_clear", None):
                    forget()


class Found(NamedTuple):
    """What became of the changes of a module."""

    module: str
    total: int
    asked: int
    endless: int
    equivalent: int
    survivors: list[str]
    seconds: float

    @property
    def part(self) -> float:
        """The share that was noticed of what was asked."""
        return 1 - len(self.survivors) / max(1, self.asked)

    def __str__(self) -> str:
        part = f" of {self.total}" if self.asked + self.equivalent < self.total else ""
        killed = self.asked - self.endless - len(self.survivors)
        told = (
            f"{self.module}: {self.asked}{part} changes, {self.equivalent} more are equivalent: "
            f"{killed} killed, {self.endless} without end, {len(self.survivors)} survive: "
            f"{100 * self.part:.1f} % (tests: {self.seconds:.1f} s)"
        )
        return "\n  ".join([told, *self.survivors])


class Loop:
    """In place of the loop over tests: one for each change."""

    def __init__(self, own: Mapping[str, Any], share: float, seed: int) -> None:
        self.module, self.share, self.seed = import_module(own["name"]), share, seed
        self.equivalent: Mapping[str, str] = own.get("equivalent", {})
        self.failed = False
        self.survivors: list[Change] = []
        self.endless = self.asked = self.total = self.left_out = 0
        self.seconds = 0.0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = self.failed or report.failed

    def passes(self, session: pytest.Session, items: list[pytest.Item]) -> list[float]:
        """The seconds of each test, up to the first that fails."""
        seconds: list[float] = []
        for item, after in zip(items, [*items[1:], None], strict=True):
            start = time.process_time()
            example = getattr(item, "dtest", None)
            names = example and dict(example.globs)
            session.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            if example:
                example.globs = names  # a run clears them
            if self.failed:
                break
            seconds.append(time.process_time() - start)
        return seconds

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        text = Path(str(self.module.__file__)).read_text(encoding="utf-8")
        seconds = self.passes(session, session.items)
        if self.failed:
            raise pytest.UsageError("a test fails without any change")
        pairs = sorted(zip(seconds, session.items, strict=True), key=lambda pair: pair[0])
        items, self.seconds = [item for _, item in pairs], sum(seconds)
        path = str(self.module.__file__)
        if self.status(session, items, compile(text, path, "exec")):
            raise pytest.UsageError("a test that runs again fails without any change")
        for change in self.drawn(changes_of(text)):
            self.asked += 1
            status = self.status(session, items, changed(text, change, path))
            self.endless += os.WIFSIGNALED(status)
            if status == 0:
                self.survivors.append(change)
        return True

    def drawn(self, changes: list[Change]) -> list[Change]:
        """The share of them that was asked for, without those that are equivalent."""
        self.total = len(changes)
        if unknown := self.equivalent.keys() - {change.name for change in changes}:
            raise pytest.UsageError(f"no such change, but it is said to be equivalent: {unknown}")
        if self.share < 1:
            some = max(1, round(self.share * len(changes)))
            changes = sorted(Random(self.seed).sample(changes, some), key=lambda c: c.line)
        asked = [change for change in changes if change.name not in self.equivalent]
        self.left_out = len(changes) - len(asked)
        return asked

    def status(self, session: pytest.Session, items: list[pytest.Item], made: CodeType) -> int:
        """How a process ends that runs the tests with other code: 0 if none fails."""
        most = 3 * self.seconds + 2
        child = os.fork()
        if child == 0:
            status = 1
            with suppress(BaseException):
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, 1)
                os.dup2(nowhere, 2)
                limit(most)
                put(self.module, made)
                self.passes(session, items)
                status = int(self.failed)
            os._exit(status)
        end = time.monotonic() + 10 * most
        while not (found := os.waitpid(child, os.WNOHANG))[0]:
            if time.monotonic() > end:  # it waits for something
                os.kill(child, signal.SIGKILL)
            time.sleep(0.005)
        return found[1]

    def found(self) -> Found:
        survivors, name = list(map(str, self.survivors)), self.module.__name__
        counted = (self.total, self.asked, self.endless, self.left_out)
        return Found(name, *counted, survivors, self.seconds)


def limit(seconds: float) -> None:
    """End this process after so many seconds of work; refuse it more than 3 GB."""
    work = ceil(time.process_time() + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (work, work))
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))


def asked(own: Mapping[str, Any], share: float, seed: int) -> Found:
    """Ask the own tests of a module about its changes. Raises RuntimeError if none was asked."""
    loop = Loop(own, share, seed)
    words = ["-q", "-p", "no:cacheprovider", "--no-header", "--no-summary", *own["tests"]]
    if names := own.get("k"):
        words += ["-k", names]
    with TemporaryFile("w+") as said:
        os.dup2(said.fileno(), 1)
        status = pytest.main(words, plugins=[loop])
        if loop.asked == 0:
            said.seek(0)
            raise RuntimeError(f"{own['name']}: no change was asked for ({status}); {said.read()}")
    return loop.found()


def chosen(names: Sequence[str]) -> list[Mapping[str, Any]]:
    """The modules of the table with these names, or in packages with these names; else all."""
    table: list[Mapping[str, Any]] = tomllib.loads(TABLE.read_text(encoding="utf-8"))["module"]
    return [
        own
        for own in table
        if not names or any(f"{own['name']}.".startswith(f"{name}.") for name in names)
    ]


# The page

MARK = "<!-- what follows is written by python -m tests.mutation --page -->"
HEAD = (
    "module",
    "its tests",
    "date",
    "commit",
    "changes",
    "killed",
    "no end",
    "survive",
    "noticed",
)


def row(found: Found, tests: Sequence[str]) -> str:
    """The row of a module."""
    file = str(import_module(found.module).__file__)
    words = ["git", "hash-object", file]
    version = subprocess.run(words, capture_output=True, text=True, check=True).stdout[:8]
    killed = found.asked - found.endless - len(found.survivors)
    short = sorted({test.partition("::")[0] for test in tests})
    cells = [
        found.module,
        ", ".join(short),
        str(date.today()),
        version,
        found.asked,
        killed,
        found.endless,
        len(found.survivors),
        f"{100 * found.part:.1f} %",
    ]
    return f"| {' | '.join(map(str, cells))} |"


def page(text: str, found: Found, own: Mapping[str, Any]) -> str:
    """The page, with what was found of one module in the place of what it said of it."""
    above, _, below = text.partition(MARK)
    table, _, lists = below.partition("\n## ")
    rows = {line.split(" | ")[0][2:]: line for line in table.splitlines() if line[:2] == "| "}
    rows.pop("module", None)
    rows[found.module] = row(found, own["tests"])
    parts = {part.partition("\n")[0]: part.strip() for part in lists.split("\n### ")[1:]}
    told = [f"- `{survivor}`" for survivor in found.survivors]
    told += [f"- equivalent, `{n}`: {why}" for n, why in own.get("equivalent", {}).items()]
    parts[found.module] = "\n".join([found.module, "", *told])
    if not told:
        del parts[found.module]
    lines = [f"| {' | '.join(HEAD)} |", "|---" * len(HEAD) + "|", *(rows[m] for m in sorted(rows))]
    survivors = [f"### {parts[module]}\n" for module in sorted(parts)]
    lines += ["", "## Survivors, and changes that are equivalent", "", *survivors]
    return f"{above}{MARK}\n\n" + "\n".join(lines).rstrip() + "\n"


def main() -> int:
    """Change, ask, tell; 1 where too many changes survive."""
    parser = argparse.ArgumentParser(prog="mutation", description=__doc__)
    parser.add_argument("modules", nargs="*", help="modules or packages of the table")
    parser.add_argument("--all", action="store_true", help="all modules of the table")
    parser.add_argument("--page", type=Path, help="write what is found to this page")
    parser.add_argument("--share", type=float, default=1.0, help="of the changes to look at")
    parser.add_argument("--seed", type=int, default=0, help="of the draw of these")
    given = parser.parse_args()
    if given.all == bool(given.modules):
        parser.error("name modules, or give --all")
    if not (owns := chosen(given.modules)):
        parser.error(f"{TABLE.name} has none of these: {', '.join(given.modules)}")
    enough = True
    for own in owns:
        with ProcessPoolExecutor(1, get_context("spawn")) as fresh:
            found = fresh.submit(asked, own, given.share, given.seed).result()
        print(f"\n{found}", flush=True)
        enough &= found.part >= ENOUGH
        if given.page:
            text = given.page.read_text(encoding="utf-8")
            given.page.write_text(page(text, found, own), encoding="utf-8")
    return int(not enough)


if __name__ == "__main__":
    sys.exit(main())
