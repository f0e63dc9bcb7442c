"""Sixty lines of both packages, each made wrong, and the tests of the quick suite that must see it.

    python -m tests.planted.in_packages [--only TEXT] [--seconds N] [--page FILE]

Each line is changed in a copy of the checkout, in which the tests named with it are run. With
`--page` the result is written, with the date: tests/records/planted-lines.md. It ends with 1 if a
wrong line was not seen.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory

from tests.places import ROOT
from tests.planted.mutant import Mutant
from tests.planted.mutants import MUTANTS

PARTS = ("refagg", "oracle", "tests", "datasets", "docs", "pyproject.toml", "README.md")


@dataclass(frozen=True, slots=True)
class Line:
    """In the file, the first `text` becomes `changed`; these tests are to fail."""

    path: str
    text: str
    changed: str
    tests: str
    only: str = ""


ALGORITHM_TESTS = (
    "tests/plain/test_same_partition.py tests/conformance/test_vectors.py "
    "tests/algorithms/test_properties.py"
)
"""What each algorithm is held against; of these the cases with its name are run."""

HAND = (
    Line("refagg/data/standardise.py", "if weight <= 0:", "if weight < 0:", "tests/data"),
    Line("refagg/data/standardise.py", "if how not in SCALES", "if how in SCALES", "tests/data"),
    Line("refagg/data/aggregate.py", "middle - (not odd)", "middle - odd", "tests/release"),
    Line("refagg/data/aggregate.py", "int(trim * len(values))", "int(trim)", "tests/release"),
    Line("refagg/release/measures.py", "squares - total * total", "squares", "tests/release"),
    Line(
        "refagg/release/measures.py",
        "/ len(group)\n    return total",
        "\n    return total",
        "tests/spaces tests/release",
    ),
    Line("refagg/release/risk.py", "2 * before + counts[value]", "2 * before", "tests/release"),
    Line(
        "refagg/release/evaluation.py",
        "smallest() >= self.k",
        "smallest() > self.k",
        "tests/functions tests/release",
    ),
    Line(
        "refagg/constraints/checking.py",
        "if size > tolerance",
        "if size < tolerance",
        "tests/release",
    ),
    Line(
        "refagg/language/ties.py",
        "return value - self.absolute",
        "return value",
        "tests/language tests/spaces",
    ),
    Line(
        "refagg/language/random_stream.py",
        "return drawn % m",
        "return drawn // (limit // m)",
        "tests/language",
    ),
    Line(
        "refagg/language/random_stream.py",
        "if m > len(items)",
        "if m >= len(items)",
        "tests/language/test_ties.py",
    ),
    Line(
        "refagg/language/partition.py",
        "if members < total",
        "if members > total",
        "tests/language/test_model.py",
    ),
    Line(
        "refagg/spaces/mixed.py", "if low == high", "if low != high", "tests/spaces/test_mixed.py"
    ),
    Line(
        "refagg/engine/filtered_pool.py",
        "strict=True) if value <= bound",
        "strict=True) if value < bound",
        "tests/engine/test_filtered.py",
    ),
    Line(
        "refagg/engine/transportation.py",
        "+ p[own])",
        "- p[own])",
        ALGORITHM_TESTS,
        "constrained-k-means",
    ),
    Line(
        "refagg/engine/matrix_pairs.py",
        "if cost <= least[j]",
        "if cost >= least[j]",
        "tests/engine/test_engine_pairs.py",
    ),
    Line(
        "refagg/engine/ward_pairs.py",
        "if size < self._k or m < self._k",
        "if size < self._k",
        "tests/engine/test_engine_pairs.py tests/algorithms/test_ward.py",
    ),
    Line(
        "refagg/comparison/compare.py",
        "smallest() >= self.k",
        "smallest() > self.k",
        "tests/comparison/test_compare.py",
    ),
    Line(
        "refagg/comparison/dendrogram.py", "made - lasting", "made", "tests/algorithms/test_hac.py"
    ),
    Line(
        "refagg/linear_algebra/matrices.py",
        "if pivots != list",
        "if pivots == list",
        "tests/release/test_constraints.py",
    ),
    Line(
        "oracle/certificate/check.py",
        "if reduced <= limit:",
        "if reduced < limit:",
        "tests/certificate/test_certificate.py",
    ),
    Line(
        "oracle/certificate/check.py",
        "duals.fewest < 0 or duals.most > 0",
        "duals.fewest < 0",
        "tests/certificate/test_certificate.py",
    ),
    Line(
        "oracle/certificate/check.py",
        "bound < self.c.value * self.units",
        "bound < 0 * self.units",
        "tests/certificate/test_certificate.py",
    ),
    Line(
        "oracle/certificate/check.py",
        "if c.bound > (",
        "if c.bound < (",
        "tests/certificate/test_certificate.py",
    ),
    Line(
        "oracle/certificate/check.py",
        "c.digest != digest(c.attributes, rows)",
        "c.digest != c.digest",
        "tests/certificate/test_certificate.py",
    ),
    Line(
        "oracle/certificate/check.py",
        "else n - 1\n",
        "else n\n",
        "tests/certificate/test_certificate.py",
    ),
    Line(
        "oracle/optima/subsets.py",
        "rest[0] + cost < found[0]",
        "rest[0] + cost > found[0]",
        "tests/optima/test_optimum.py",
    ),
    Line(
        "oracle/optima/univariate.py",
        "sizes[: j - k + 1]",
        "sizes[: j - k]",
        "tests/optima/test_absolute.py",
    ),
    Line(
        "oracle/auditing/checks.py",
        "if reached < case.k or",
        "if reached < case.k and",
        "tests/auditing/test_kinds_audit.py",
    ),
    Line(
        "oracle/auditing/privacy.py",
        "return len(counts) >= self.least",
        "return len(counts) > self.least",
        "tests/auditing/test_privacy.py",
    ),
    Line(
        "oracle/auditing/privacy.py",
        "falling[0] < self.c",
        "falling[0] <= self.c",
        "tests/auditing/test_privacy.py",
    ),
    Line(
        "oracle/auditing/distance.py",
        "if value < known.bound",
        "if value > known.bound",
        "tests/auditing/test_distance.py",
    ),
    Line(
        "oracle/auditing/observed_release.py",
        "x - total for x in raw",
        "x for x in raw",
        "tests/auditing/test_audit_fuzzy.py",
    ),
    Line(
        "oracle/replay/guided.py",
        "for record in records}) == 1",
        "for record in records}) >= 1",
        "tests/replay/test_admissible.py",
    ),
    Line(
        "oracle/replay/guided.py",
        "return len(group) == len(self",
        "return len(group) <= len(self",
        "tests/replay/test_admissible.py",
    ),
    Line(
        "oracle/replay/explore.py",
        "if path.taken[last] + 1 < path",
        "if path.taken[last] + 2 < path",
        "tests/replay/test_admissible.py",
    ),
    Line(
        "oracle/conformance/judge/senseless.py",
        "if case.k < 1",
        "if case.k < 0",
        "oracle/conformance/judge/senseless.py tests/conformance/test_conformance.py",
    ),
    Line(
        "oracle/conformance/judge/senseless.py",
        "case.k > len(case.records)",
        "case.k >= len(case.records)",
        "oracle/conformance/judge/senseless.py tests/conformance/test_conformance.py",
    ),
    Line(
        "oracle/conformance/hunting/shrink.py",
        "size_of(other) < size and",
        "size_of(other) > size and",
        "tests/conformance/test_hunt.py",
    ),
    Line(
        "oracle/conformance/transport/protocol.py",
        'request.get("version") != VERSION',
        'request.get("version") == ""',
        "tests/conformance/test_conformance.py",
    ),
    Line(
        "oracle/conformance/vectors/casefiles.py",
        "if shifted.denominator != 1",
        "if shifted.denominator == 0",
        "tests/conformance/test_vectors.py oracle/conformance/vectors",
    ),
    Line(
        "oracle/report/pages.py",
        "len(one.counts) > 1",
        "len(one.counts) > 2",
        "tests/report oracle/report",
    ),
    Line(
        "oracle/report/groups.py",
        "if len(known) <= MOST_NUMBERED",
        "if len(known) > MOST_NUMBERED",
        "tests/report",
    ),
)
"""Lines of all packages but the algorithms."""


RELEASES = {
    "fuzzy": "tests/algorithms/test_fuzzy.py",
    "gaussian-noise": "tests/algorithms/test_noise.py",
}
"""Algorithms that give no partition, and their own tests."""


def _of(mutant: Mutant) -> Line:
    own = mutant.module_name()
    path = own.replace(".", "/") + ".py"
    if mutant.algorithm == "local-search":  # the others have it without its rounds
        return Line(path, mutant.line, mutant.changed, "tests/algorithms/test_local.py")
    if mutant.algorithm in RELEASES:
        tests = f"tests/plain/test_same_release.py {RELEASES[mutant.algorithm]}"
        return Line(path, mutant.line, mutant.changed, tests)
    return Line(path, mutant.line, mutant.changed, ALGORITHM_TESTS, mutant.algorithm)


def lines() -> Iterator[Line]:
    """Those by hand, and of the planted mistakes in algorithms so many that there are 60."""
    yield from HAND
    algorithms = list(dict.fromkeys(m.algorithm for m in MUTANTS if not m.parameters))
    first = {m.algorithm: m for m in reversed(MUTANTS) if not m.parameters}
    wanted = 60 - len(HAND)
    for number in range(wanted):
        yield _of(first[algorithms[number * len(algorithms) // wanted]])


def seen(line: Line, copy: Path, seconds: float) -> str:
    """The first test that fails with the line changed; empty if all pass."""
    path = copy / line.path
    text = path.read_text(encoding="utf-8")
    if line.text not in text:
        raise SystemExit(f"{line.path} has no line with {line.text!r}")
    path.write_text(text.replace(line.text, line.changed, 1), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    if line.only:
        command += ["-k", f"{line.only} or {line.only.replace('-', '_')}"]
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
                copytree(ROOT / part, copy / part, ignore=ignore_patterns("__pycache__"))
            else:
                (copy / part).write_bytes((ROOT / part).read_bytes())
        for line in chosen:
            yield line, seen(line, copy, seconds)


def page(found: list[tuple[Line, str]]) -> str:
    def cell(text: str) -> str:
        return " ".join(text.split()).replace("|", "\\|")

    table = [
        f"| {line.path} | `{cell(line.text)}` | `{cell(line.changed)}` | {by or 'not seen'} |"
        for line, by in found
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
            "| file | line | changed | seen by |",
            "|---|---|---|---|",
            *table,
            "",
        )
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.planted.in_packages")
    parser.add_argument("--only", default="", help="lines of files with this in their names")
    parser.add_argument("--seconds", type=float, default=240, help="for the tests of one line")
    parser.add_argument("--page", type=Path)
    given = parser.parse_args(arguments)
    found = []
    for line, by in rows((x for x in lines() if given.only in x.path), given.seconds):
        print(f"{line.path}: {' '.join(line.changed.split())}: {by or 'NOT SEEN'}", flush=True)
        found.append((line, by))
    if given.page:
        given.page.write_text(page(found), encoding="utf-8")
    return int(not all(by for _, by in found))


if __name__ == "__main__":
    sys.exit(main())
