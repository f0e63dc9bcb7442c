"""The first hour of five people: each walk has at most ten commands, all of which the site shows.

The tutorials themselves run in test_readme.py. Here are a real R, a short form of the walk of a
package's author, and the steps between pages that a tutorial leaves to the reader.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import oracle
import oracle.commands.main
import refagg
import refagg.commands.main
from tests.places import ROOT, copied_datasets

MOST = 10
"""Commands of a walk."""

Walk = Callable[..., str]


@pytest.fixture
def walk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Walk:
    """Carries out a command with the exit status that is expected; its two outputs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    for name in ("mine", "groups_of_three"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    done: list[str] = []

    def command(line: str, status: int = 0) -> str:
        done.append(line)
        assert len(done) <= MOST
        program, *words = shlex.split(line)
        if program == "Rscript":
            ran = subprocess.run([program, *words], capture_output=True, text=True, check=False)
            assert ran.returncode == status, ran.stderr
            return ran.stdout + ran.stderr
        main = {"refagg": refagg.commands.main.main, "oracle": oracle.commands.main.main}[program]
        found = main(words)
        said = capsys.readouterr()
        assert found == status, said.err
        return said.out + said.err

    return command


def tutorial(name: str) -> str:
    return (ROOT / "docs" / "tutorials" / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.skipif(not shutil.which("Rscript"), reason="R is not installed")
def test_a_statistician_with_r(walk: Walk) -> None:
    """From `write.csv2` to a page, and back to a data frame."""
    pytest.importorskip("jinja2")
    pytest.importorskip("matplotlib")
    walk("Rscript -e 'write.csv2(iris[1:30, 1:4], \"iris.csv\")'")
    said = walk("refagg mask iris.csv --delimiter ; --decimal , --algorithm mdav -k 3 -o out.csv")
    assert "the first column has no name, as the row names that R writes" in said
    said = walk(
        "oracle audit iris.csv out.csv --delimiter ; --decimal , -k 3 --algorithm mdav "
        "--report audit.html"
    )
    assert "[  holds   ] run of mdav" in said
    [page] = Path("audit.html").rglob("*.html") if Path("audit.html").is_dir() else ["audit.html"]
    assert "SHA-256" in Path(page).read_text(encoding="utf-8")
    said = walk(
        'Rscript -e \'made <- read.csv2("out.csv", row.names = 1); stopifnot(nrow(made) == 30, '
        "min(table(do.call(paste, made))) >= 3, "
        "all(abs(colMeans(made) - colMeans(iris[1:30, 1:4])) < 1e-9))'"
    )


def test_an_author_of_a_package(walk: Walk) -> None:
    """A red run, then a green one: the first vectors of the tutorial's two commands."""
    text = tutorial("your-package")
    [code] = re.findall(r"```\{code-block\} python\n:caption: mask.py\n\n(.*?)```", text, re.S)
    Path("mask.py").write_text(code)
    commands = [line[2:] for line in text.splitlines() if line.startswith("$ oracle conform")]
    red, green = commands
    cases = {red: ("mdav", 1), green: ("any-k-partition", 0)}
    for line, (claim, status) in cases.items():
        program = line.replace("python mask.py", f"{sys.executable} mask.py")
        chosen = f"--case {claim}-001-n-equals-k --case {claim}-007-n-equals-3k-plus-1"
        said = walk(f"{program} {chosen}", status)
        assert ("[wrong] mdav-007" in said) == bool(status)
        assert re.search(r"^all +%s " % ("1 +1" if status else "2 +0"), said, re.MULTILINE)
    assert "<failure" in Path("vectors.xml").read_text(encoding="utf-8")


def test_a_student_is_led_from_the_comparison_to_the_optimum(walk: Walk) -> None:
    """The line that a comparison prints is the command to use, options and all."""
    rows = [f"r{i};{i * i % 17},5;{i * 7 % 23}" for i in range(12)]
    Path("mine.csv").write_text("\n".join(["name;x;y", *rows]), encoding="utf-8")
    Path("groups_of_three.py").write_text(
        "def by_rank(rows, k):\n    return [[3 * i, 3 * i + 1, 3 * i + 2] for i in range(4)]\n"
    )
    Path("mine.json").write_text(json.dumps([[i, i + 1, i + 2] for i in range(0, 12, 3)]))
    how = "-k 3 --delimiter ';' --decimal , --confidential name --standardise sample"
    compare = f"refagg compare mine.csv {how} --algorithm mdav,md --groups mine.json"
    compare += " --python groups_of_three:by_rank"
    said = walk(compare)
    [command] = re.findall("`(oracle optimum .*?)`", said)
    assert walk(command).startswith("optimal")
    said = walk(f"{compare} --reference best-3.json")
    above = {row.split()[0]: row.split()[-1] for row in said.splitlines() if row.endswith(DIGITS)}
    assert above["groups_of_three:by_rank"] == above["mine.json"]
    assert float(above["mdav"]) >= 0


DIGITS = tuple("0123456789")


def test_a_teacher_plays_any_algorithm(walk: Walk) -> None:
    """The page needs nothing but itself."""
    copied_datasets("datasets")
    for name in ("mdav", "k-ward"):
        walk(
            f"refagg mask datasets/eleven-firms.csv --algorithm {name} -k 3 -o out.csv "
            f"--trace-page {name}.html"
        )
        page = Path(f"{name}.html").read_text(encoding="utf-8")
        assert not re.findall(r"(?:src|href)=[\"'](?!#|data:)", page)
        assert "://" not in page.replace("http://www.w3.org/2000/svg", "")


def test_an_engineer_leaves_no_file(walk: Walk) -> None:
    """Frames with gaps go in and come out; a spoilt one is seen."""
    polars = pytest.importorskip("polars")
    people = polars.DataFrame(
        {
            "id": [*"abcdefgh"],
            "age": [31, 33, 35, 60, 61, 64, 62, 30],
            "income": [20.5, None, 22.5, 50.0, None, 51.0, None, 21.0],
        }
    )
    quasi = {"quasi_identifiers": ["age", "income"], "missing": "group-apart"}
    masked = refagg.microaggregate(people, k=3, **quasi).to_frame()
    assert type(masked) is polars.DataFrame
    assert masked["id"].to_list() == people["id"].to_list()
    assert masked["income"].null_count() == 3
    assert oracle.audit(people, masked, k=3, algorithm="mdav", **quasi).ok
    spoilt = masked.with_columns(age=masked["age"].reverse())
    assert not oracle.audit(people, spoilt, k=3, **quasi).ok
    assert list(Path().iterdir()) == []
