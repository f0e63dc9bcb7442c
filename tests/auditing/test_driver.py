"""A check is one file: written once, it is found on every road."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import oracle
import oracle.auditing
from oracle.auditing.driver import DEFINED, Check, Definition, definitions, not_driven
from oracle.conformance.judge.judging import judge
from oracle.conformance.judge.model import Answer, Case
from oracle.conformance.transport.functions import Function
from refagg import microaggregate
from tests.black_box.session import run_words

SCRATCH = '''
"""Is a group larger than the algorithm can form?"""

from oracle.auditing.cases import Classes
from oracle.auditing.driver import Check
from oracle.auditing.driver import check_at


@check_at(25)
def largest_group(classes: Classes, k: int) -> Check:
    """Judge the largest group: 2k - 1 records are enough."""
    size = classes.largest()
    return Check("largest group", "fails" if size >= 2 * k else "holds", f"{size} records, k = {k}")
'''


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A further folder of the package, with a file that nothing else names."""
    folder = tmp_path / "more"
    folder.mkdir()
    (folder / "largest_group.py").write_text(SCRATCH)
    monkeypatch.setattr(oracle.auditing, "__path__", [*oracle.auditing.__path__, str(folder)])
    importlib.invalidate_caches()
    yield tmp_path
    for name in [name for name in DEFINED if "largest_group" in name]:
        del DEFINED[name]
    sys.modules.pop("oracle.auditing.largest_group", None)


ROWS = [[1], [2], [3], [4], [30], [31]]
LARGE = [[2.5]] * 4 + [[30.5]] * 2
"""With k = 2, one group of four: larger than MDAV can form."""


def written(folder: Path) -> list[str]:
    """Both tables as files; all records of the original have a key."""
    for name, rows in (("o.csv", ROWS), ("r.csv", LARGE)):
        lines = [f"k{number},{row[0]}" for number, row in enumerate(rows)]
        (folder / name).write_text("\n".join(["id,x", *lines, ""]))
    return ["oracle", "audit", "o.csv", "r.csv", "-k", "2", "--key", "id"]


def printed(*words: str) -> Callable[[Path], str]:
    return lambda folder: run_words([*written(folder), *words], folder).out


def lacking(column: list[float]) -> dict[str, list[float | None]]:
    return {"x": [*column, None, None], "y": [1.0] * 8}


def parts(_: Path) -> str:
    tables = [lacking([row[0] for row in rows]) for rows in (ROWS, LARGE)]
    return str(oracle.audit(tables[0], tables[1], 2, missing="group-apart"))


def alone(folder: Path) -> str:
    written(folder)
    return run_words(["oracle", "audit", "r.csv", "-k", "2", "--columns", "x"], folder).out


def fuzzy(_: Path) -> str:
    made = microaggregate(ROWS, 2, "fuzzy", seed=3)
    release = made.to_frame()
    return str(oracle.audit(ROWS, release, 2, algorithm="fuzzy", anonymity="on-average"))


def answered(_: Path) -> str:
    case = Case("scratch", "mdav", 2, tuple((str(row[0]),) for row in ROWS))
    made = judge(case, Answer(groups=((0, 1, 2, 3), (4, 5))))
    return f"{made.check}: {made.reason}"


def hunted(_: Path) -> str:
    pytest.importorskip("hypothesis")
    from oracle.conformance.hunting.hunt import run_hunt
    from oracle.conformance.hunting.strategies import wanted

    together = lambda rows, k: [[*range(len(rows))]]  # noqa: E731
    made = run_hunt(Function(together), wanted("mdav"), tries=60, every=True, shrinking=0.1)
    return str(made).replace("-", " ")  # as causes are written


ROADS = {
    "files": printed(),
    "an algorithm": printed("--algorithm", "mdav"),
    "a store": printed("--engine", "duckdb"),
    "frames": lambda _: str(oracle.audit(ROWS, LARGE, 2)),
    "texts": lambda _: str(oracle.audit([["a"]] * 4, [["a"]] * 4, 2)),
    "parts": parts,
    "as released": printed("--missing", "as-released"),
    "a release alone": alone,
    "fuzzy": fuzzy,
    "identify": lambda _: str(oracle.identify(ROWS, LARGE, k=2, algorithm=["mdav"]).checks),
    "conform": answered,
    "hunt": hunted,
}


@pytest.mark.parametrize("road", ROADS)
def test_a_check_in_a_file_of_its_own_is_found_on_every_road(road: str, scratch: Path) -> None:
    if road == "a store":
        pytest.importorskip("duckdb")
    assert "largest group" in ROADS[road](scratch)


@pytest.mark.parametrize("road", ["files", "frames", "conform"])
def test_it_is_gone_with_its_file(road: str, tmp_path: Path) -> None:
    assert "largest group" not in ROADS[road](tmp_path)


def test_of_other_checks_it_is_said_what_they_need() -> None:
    reasons = not_driven({"k": 2, "shape": "2 records"})
    assert "oracle.auditing.checks.well_formed" not in reasons
    assert reasons["oracle.auditing.checks.aggregate_check"] == "needs case, groups, losses"


def test_checks_have_their_order() -> None:
    names = [one.name.rpartition(".")[2] for one in definitions()]
    order = [
        "well_formed",
        "k_anonymous",
        "aggregate_check",
        "edit_check",
        "run_checks",
        "distance_check",
    ]
    assert [name for name in names if name in order] == order


def test_an_audit_says_which_checks_do_not_apply() -> None:
    made = oracle.audit(ROWS, LARGE, 2)
    reasons = made.not_applicable
    assert reasons["oracle.auditing.fuzzy.raw_check"] == "needs drawn"
    assert reasons["oracle.auditing.edits.edit_check"] == "needs constraints"
    assert "oracle.auditing.checks.aggregate_check" not in reasons
    assert "oracle.auditing.checks.aggregate_check" in oracle.audit_release(LARGE, 2).not_applicable


def test_copies_of_modules_define_no_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    before = definitions()
    for name in (
        "None.runs",
        "mutant of oracle.auditing.runs.run_checks",
        "oracle.auditing.gone.runs",
    ):
        copied = Definition(1, name, ("k",), lambda k: Check("copied", "fails", "it is a copy"))
        monkeypatch.setitem(DEFINED, name, copied)
    assert definitions() == before
