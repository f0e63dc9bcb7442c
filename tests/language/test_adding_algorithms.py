"""One file is one algorithm: with it alone the suite runs, and one test says what it needs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest
from places import ROOT

FILE = '''"""Groups around the middle: the record nearest to the average begins each group.

Source: Ours, a variant of MDAV that begins where the records are dense.

Steps, while at least 2k records remain:
  1. x_c is the record nearest to the average of the remaining records.
  2. x_c and its k-1 nearest records form a group.
Then:
  3. fewer than 2k records form one group.

Example, with paper and pencil: of 1, 2, 3, 10, 11, 12 with k = 3 the average is 6.5, so 3 is x_c
(10 is as near, and comes later), and 1 and 2 are its nearest.

>>> import refagg
>>> refagg.middle_first([[1], [2], [3], [10], [11], [12]], k=3).groups
((0, 1, 2), (3, 4, 5))
"""

from __future__ import annotations

from refagg.cursors.remaining import Cursor, on_cursor
from refagg.language.specification import OpenChoice, Specification


def middle_first(R: Cursor, k: int) -> None:
    while R.at_least(2 * k):
        x_c = R.closest("x_c", R.average())  # 1.
        R.group("near x_c", x_c, k)  # 2.
    R.rest()  # 3.


SPECIFICATION = Specification(
    name="middle-first",
    title="Groups around the middle",
    source="ours",
    run=on_cursor(middle_first),
    guarantees="all groups have k records but the last, which has k to 2k-1",
    ties=(
        OpenChoice("x_c", "1", "the record nearest to the average of the remaining records"),
        OpenChoice("near x_c", "2", "the k-1 nearest records to x_c"),
    ),
    decisions=(1, 2),
    cost="O(n^2 / k) distances, O(n) memory",
)
'''

MISSING = (
    *("its decisions", "a signature", "20 vectors", "a twin", "planted mistakes"),
    *("recorded outputs", "a file of its tests"),
)

LISTS = (
    "tests/algorithms/test_complete.py tests/black_box/test_records.py tests/language "
    "tests/commands/test_readme.py tests/functions/test_functions.py tests/functions/test_help.py "
    "tests/conformance/test_vectors.py tests/conformance/test_rescaled.py"
)
"""Tests that read lists of all algorithms, or go through the catalogue."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with one file more."""
    folder = tmp_path_factory.mktemp("copy") / "project"
    ignored = ignore_patterns(".*", "__pycache__", "_site", "certificates")
    copytree(ROOT, folder, ignore=ignored)
    place = folder / "refagg" / "algorithms" / "mdav_family" / "middle_first.py"
    place.write_text(FILE, encoding="utf-8")
    return folder


def printed_by(folder: Path, *words: str) -> str:
    """Run pytest in the copy, and return what it printed."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words]
    environment = os.environ | {"PYTHONPATH": str(folder), "COLUMNS": "200"}
    environment.pop("PYTEST_XDIST_WORKER", None)
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return ran.stdout + ran.stderr


def failed(printed: str) -> list[str]:
    return re.findall(r"^(?:FAILED|ERROR) (\S+)", printed, re.MULTILINE)


COMPLETE = "tests/algorithms/test_complete.py::test_nothing_is_missing[middle-first]"


@pytest.mark.long
def test_the_suite_is_collected(copy: Path) -> None:
    printed = printed_by(copy, "--collect-only", "--algorithm", "middle-first")
    assert not failed(printed), printed[-2000:]
    assert COMPLETE in printed


@pytest.mark.long
def test_one_test_lists_what_is_missing_and_nothing_else_fails(copy: Path) -> None:
    printed = printed_by(copy, "--algorithm", "middle-first")
    assert failed(printed) == [COMPLETE], printed[-2000:]
    listed = printed.partition("middle-first still needs")[2].splitlines()
    named = [line.partition("E ")[2].strip().partition(": ")[0] for line in listed]
    assert [what for what in MISSING if what not in named] == []
    assert "python -m oracle.conformance.vectors.generate middle-first" in printed
    assert "in the table of README.md" in printed


@pytest.mark.long
def test_no_list_turns_red(copy: Path) -> None:
    without = ["--deselect", "tests/language/test_adding_algorithms.py"]
    assert failed(printed_by(copy, *LISTS.split(), *without)) == [COMPLETE]


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "what"),
    [
        ("-m tests.stubs", "a signature"),
        ("-m oracle.conformance.vectors.generate middle-first", "20 vectors"),
        ("-m tests.black_box.records algorithm-middle-first catalogue --write", "recorded outputs"),
        ("-m tests.algorithms.index", "a file of its tests"),
    ],
)
def test_a_command_makes_what_is_missing(copy: Path, command: str, what: str) -> None:
    environment = os.environ | {"PYTHONPATH": str(copy)}
    words = [sys.executable, *command.split()]
    ran = subprocess.run(words, cwd=copy, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert f"{what}: " not in printed_by(copy, COMPLETE)
