"""How much there is to read: `python -m tests.benchmarks.size`.

Lines of code, without docstrings, comments and blank lines, of the library and of the judge; and
what a call enters: files, functions, and lines of code of these files. Imports are left out.
"""

from __future__ import annotations

import ast
import io
import sys
import tempfile
import tokenize
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from types import FrameType
from typing import Any

import oracle
import oracle.commands.main
import refagg

ROOTS = tuple(Path(package.__file__ or "").parent for package in (refagg, oracle))
SKIPPED = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
    tokenize.ENCODING,
}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
ROWS = [[1], [2], [3], [10], [11], [12]]


def lines_of_code(text: str) -> int:
    """Lines that hold code: no blank ones, comments and docstrings.

    >>> lines_of_code("'A module.'\\n\\nx = 1  # one\\n# nothing\\ny = (\\n    2\\n)\\n")
    4
    """
    documentation: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            first = node.body[0]
            documentation |= set(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in SKIPPED:
            lines |= set(range(token.start[0], token.end[0] + 1))
    return len(lines - documentation)


def entered(call: Callable[[], Any]) -> tuple[int, int, int]:
    """The files, the functions and the lines of code of the files that a call enters.

    It is called once before, so that nothing is imported while it is watched.
    """
    functions: set[tuple[str, str]] = set()

    def look(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        inside = any(root in Path(code.co_filename).parents for root in ROOTS)
        if event == "call" and inside and code.co_name != "<module>":
            functions.add((code.co_filename, code.co_qualname))

    with redirect_stdout(io.StringIO()):
        call()
        sys.setprofile(look)
        try:
            call()
        finally:
            sys.setprofile(None)
    files = {file for file, _ in functions}
    return len(files), len(functions), sum(lines_of_code(Path(f).read_text()) for f in files)


def main() -> None:
    """Print both tables."""
    print("lines of code")
    total = 0
    for root in ROOTS:
        lines = sum(lines_of_code(p.read_text(encoding="utf-8")) for p in root.rglob("*.py"))
        total += lines
        print(f"  {root.name:<8}{lines:>8}")
    print(f"  {'both':<8}{total:>8}\n")
    with tempfile.TemporaryDirectory() as folder:
        original, released = Path(folder) / "original.csv", Path(folder) / "released.csv"
        original.write_text("x\n" + "".join(f"{x}\n" for [x] in ROWS))
        released.write_text("x\n2\n2\n2\n11\n11\n11\n")
        words = ["audit", str(original), str(released), "-k", "3", "--algorithm", "mdav"]
        journeys: dict[str, Callable[[], Any]] = {
            "refagg.mdav(rows, k=3)": lambda: refagg.mdav(ROWS, k=3),
            "refagg.microaggregate(rows, 3)": lambda: refagg.microaggregate(ROWS, 3),
            "oracle audit ... --algorithm mdav": lambda: oracle.commands.main.main(words),
        }
        print(f"{'what a call enters':<36}{'files':>6}{'functions':>11}{'lines':>7}")
        for name, call in journeys.items():
            print("{:<36}{:>6}{:>11}{:>7}".format(name, *entered(call)))


if __name__ == "__main__":
    main()
