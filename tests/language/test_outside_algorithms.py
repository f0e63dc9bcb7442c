"""One file is one algorithm: in the library, in a package that is installed, or beside the data."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import oracle.commands.main
import refagg
import refagg.commands.main
from refagg import algorithms, catalogue
from refagg.catalogue import CATALOGUE, algorithm_of, specification
from refagg.errors import InvalidParameter, UnknownAlgorithm
from refagg.language.specification import Specification

SCRATCH = '''"""Groups around the records farthest from the average, written in a minute."""

from refagg.cursors.remaining import Cursor, on_cursor
from refagg.language.specification import Specification, OpenChoice


def scratch(R: Cursor, k: int) -> None:
    """Around the farthest record, one group after the other."""
    while R.at_least(2 * k):
        R.group("near", R.farthest("far", R.average()), k)
    R.rest()


SPECIFICATION = Specification(
    name="scratch",
    title="Groups around the farthest records",
    source="this test",
    run=on_cursor(scratch),
    largest_group=lambda k: 2 * k - 1,
    guarantees="groups of k records, the last of k to 2k-1",
    ties=(
        OpenChoice("far", "1", "the farthest record"),
        OpenChoice("near", "1", "the nearest"),
    ),
    decisions=(),
    cost="O(n^2 / k)",
)


def with_parameter(R: Cursor, k: int, *, gamma: int = 1) -> None:
    R.rest()


def of_one(R: Cursor) -> None:
    R.rest()
'''

ROWS = [[1], [2], [10], [11], [30], [32]]
GROUPS = ((0, 1), (2, 3), (4, 5))
"""The average is 43/3, 32 the farthest record; then of 1, 2, 10, 11 (average 6) it is 1 or 11."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the algorithm in a module and the records in a file."""
    (tmp_path / "scratch_module.py").write_text(SCRATCH)
    (tmp_path / "in.csv").write_text("x\n" + "".join(f"{x}\n" for [x] in ROWS))
    (tmp_path / "wrong.csv").write_text("x\n6\n21/2\n6\n21/2\n31\n31\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("name", ["scratch_module:scratch", "scratch_module:SPECIFICATION"])
def test_a_module_beside_the_data(
    here: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    mask = ["mask", "in.csv", "--algorithm", name, "-k", "2", "-o", "out.csv", "--trace"]
    assert refagg.commands.main.main([*mask, "--standardise", "none"]) == 0
    assert (here / "out.csv").read_text().split() == ["x", "1.5", "1.5", "10.5", "10.5", "31", "31"]
    audit = ["-k", "2", "--standardise", "none", "--algorithm", name]
    assert oracle.commands.main.main(["audit", "in.csv", "out.csv", *audit]) == 0
    (here / "wrong.csv").write_text("x\n5.5\n6.5\n5.5\n6.5\n31\n31\n")
    assert oracle.commands.main.main(["audit", "in.csv", "wrong.csv", *audit]) == 1
    assert "no way of breaking ties gives these groups" in capsys.readouterr().out
    compare = ["compare", "in.csv", "--algorithm", f"mdav,{name}", "-k", "2", "--quiet"]
    assert refagg.commands.main.main(compare) == 0


def test_a_function_in_python(here: Path) -> None:
    from scratch_module import SPECIFICATION, scratch  # type: ignore[import-not-found]

    for algorithm in (scratch, SPECIFICATION, "scratch_module:scratch"):
        release = refagg.microaggregate(ROWS, 2, algorithm, standardise="none")
        assert release.partition.groups == GROUPS
    assert algorithm_of(refagg.v_mdav) is CATALOGUE["v-mdav"]
    for wrong in (3, None):
        with pytest.raises(UnknownAlgorithm, match="a name or a function"):
            algorithm_of(wrong)  # type: ignore[arg-type]
    for name in ("with_parameter", "of_one"):
        with pytest.raises(InvalidParameter, match=f"scratch_module:{name} "):
            specification(f"scratch_module:{name}")
    with pytest.raises(InvalidParameter, match="neither a Specification nor a function"):
        specification("scratch_module:__name__")


@pytest.mark.long
def test_an_installed_package(here: Path) -> None:
    """An entry point: listed, masked, audited and hunted by its own name."""
    metadata = here / "scratch-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: scratch\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        "[refagg.algorithms]\nscratch = scratch_module:SPECIFICATION\n"
    )
    path = os.pathsep.join([str(here), str(Path(refagg.__file__).parents[1])])

    def run(module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-m", module, *arguments]
        environment = {**os.environ, "PYTHONPATH": path}
        return subprocess.run(
            words, env=environment, cwd=here, capture_output=True, text=True, check=False
        )

    listed = run("refagg", "algorithms").stdout
    assert "\nscratch " in listed
    assert "\nmdav " in listed
    options = ["--algorithm", "scratch", "-k", "2"]
    assert run("refagg", "mask", "in.csv", "-o", "out.csv", *options).returncode == 0
    assert run("oracle", "audit", "in.csv", "out.csv", *options).returncode == 0
    (here / "answers.py").write_text(
        "import refagg\n\ndef right(rows, k):\n"
        "    release = refagg.microaggregate(rows, k, 'scratch', standardise='none')\n"
        "    return [list(group) for group in release.partition.groups]\n\n"
        "def wrong(rows, k):\n"
        "    return [[*range(len(rows))]]\n"
    )
    hunt = [
        "hunt",
        "--algorithm",
        "scratch",
        "--max-questions",
        "60",
        "--time-limit",
        "20",
        "--python",
    ]
    assert run("oracle", *hunt, "answers:right").returncode in (0, 3)
    assert run("oracle", *hunt, "answers:wrong").returncode == 1


def test_a_file_among_the_algorithms(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is found without being listed anywhere."""
    monkeypatch.setattr(algorithms, "__path__", [*algorithms.__path__, str(here)])
    monkeypatch.setattr("refagg.algorithms.scratch_module", None, raising=False)
    found = {s.name: s for s in catalogue._found()}
    del sys.modules["refagg.algorithms.scratch_module"]
    assert set(found) == {*CATALOGUE, "scratch"}
    assert isinstance(found["scratch"], Specification)


def test_names_that_are_nearly_right() -> None:
    with pytest.raises(UnknownAlgorithm, match=r"no algorithm 'mdva'; did you mean mdav\?"):
        specification("mdva")
