"""Sixty lines of both packages, each made wrong, and the tests of the quick suite that must see it.

    python -m tests.planted.in_packages [--only TEXT] [--seconds N] [--page FILE]

Each line is changed in a copy of the checkout, in which the tests named with it are run. With
`--page` the result is written, with the date: tests/records/planted-lines.md. It ends with 1 if a
wrong line was not seen.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory

from tests.places import ROOT
from tests.planted.mutant import Mutant
from tests.planted.mutants import LINES, MUTANTS, Line
from tests.planted.planting import changed_tree

PARTS = ("refagg", "oracle", "tests", "datasets", "docs", "pyproject.toml", "README.md")


ALGORITHM_TESTS = (
    "tests/plain/test_same_partition.py tests/conformance/test_vectors.py "
    "tests/algorithms/test_properties.py"
)
"""What each algorithm is held against; of these the cases with its name are run."""

RELEASES = {
    "fuzzy": "tests/algorithms/test_fuzzy.py",
    "gaussian-noise": "tests/algorithms/test_noise.py",
}
"""Algorithms that give no partition, and their own tests."""


def _of(mutant: Mutant) -> Line:
    module = mutant.module_name()
    if mutant.algorithm == "local-search":  # the others have it without its rounds
        return Line(module, mutant.change, "tests/algorithms/test_local.py")
    if mutant.algorithm in RELEASES:
        tests = f"tests/plain/test_same_release.py {RELEASES[mutant.algorithm]}"
        return Line(module, mutant.change, tests)
    return Line(module, mutant.change, ALGORITHM_TESTS, mutant.algorithm)


def lines() -> Iterator[Line]:
    """Those of other modules, and some of algorithms, so that there are 60."""
    yield from LINES
    algorithms = list(dict.fromkeys(m.algorithm for m in MUTANTS if not m.parameters))
    first = {m.algorithm: m for m in reversed(MUTANTS) if not m.parameters}
    wanted = 60 - len(LINES)
    for number in range(wanted):
        yield _of(first[algorithms[number * len(algorithms) // wanted]])


def seen(line: Line, copy: Path, seconds: float) -> str:
    """The first test that fails with the line changed; empty if all pass."""
    path = copy / f"{line.module.replace('.', '/')}.py"
    text = path.read_text(encoding="utf-8")
    path.write_text(ast.unparse(changed_tree(text, line.change)), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    if line.cases:
        command += ["-k", f"{line.cases} or {line.cases.replace('-', '_')}"]
    environment = os.environ | {"PYTHONPATH": str(copy)}
    try:
        ran = subprocess.run(
            [*command, *line.tests.split()],
            cwd=copy, env=environment, capture_output=True, text=True, timeout=seconds,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"no end within {seconds:g} s"
    finally:
        path.write_text(text, encoding="utf-8")
    found = re.search(r"^(?:FAILED|ERROR) (\S+)", ran.stdout, re.M)
    if found or ran.returncode == 0:
        return found[1] if found else ""
    return f"pytest ended with {ran.returncode}"


def rows(chosen: Iterable[Line], seconds: float) -> Iterator[tuple[Line, str]]:
    with TemporaryDirectory() as folder:
        copy = Path(folder)
        for part in PARTS:
            if (ROOT / part).is_dir():
                copytree(
                    ROOT / part, copy / part, ignore=ignore_patterns("__pycache__", "certificates")
                )
            else:
                (copy / part).write_bytes((ROOT / part).read_bytes())
        for line in chosen:
            yield line, seen(line, copy, seconds)


def page(found: list[tuple[Line, str]]) -> str:
    def cell(text: str) -> str:
        return " ".join(text.split()).replace("|", "\\|")

    table = [
        f"| {line.module} | `{cell(str(line.change))}` | {by or 'not seen'} |" for line, by in found
    ]
    return "\n".join(
        (
            "# Planted lines",
            "",
            "Lines of both packages, each made wrong alone, and the first test of the quick suite",
            "that fails. `python -m tests.planted.in_packages --page FILE` makes this page.",
            "",
            f"{date.today()}: {sum(bool(by) for _, by in found)} of {len(found)} were seen.",
            "",
            "| module | change | seen by |",
            "|---|---|---|",
            *table,
            "",
        )
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.planted.in_packages")
    parser.add_argument("--only", default="", help="lines of modules with this in their names")
    parser.add_argument("--seconds", type=float, default=240, help="for the tests of one line")
    parser.add_argument("--page", type=Path)
    given = parser.parse_args(arguments)
    found = []
    for line, by in rows((x for x in lines() if given.only in x.module), given.seconds):
        print(f"{line.module}: {line.change}: {by or 'NOT SEEN'}", flush=True)
        found.append((line, by))
    if given.page:
        given.page.write_text(page(found), encoding="utf-8")
    return int(not all(by for _, by in found))


if __name__ == "__main__":
    sys.exit(main())
