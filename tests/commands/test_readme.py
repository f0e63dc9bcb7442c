"""Every command line of the README and of the tutorials, in their order, with the shipped data."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from places import ROOT

import oracle.commands.main
import refagg.commands.main
from refagg.catalogue import CATALOGUE

BLOCK = re.compile(r"^```(\S.*?)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
SECONDS = re.compile(r"\d+\.\d+ s\b|(?<= 0 {5})\d+\.\d\d\b")
"""Times, also in the column beside the ties of a comparison."""
ELSEWHERE = ("oracle conform", "oracle hunt")
"""They need Node.js or a package of somebody else's; the tests of these commands run them."""


TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
LASTING = ("your-package",)
"""They start a program some hundred times."""

Lines = list[tuple[str, list[str]]]


def lines_shown(text: str) -> Lines:
    """Each command with the lines that are printed under it."""
    found: Lines = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif line.strip() not in ("...", ""):
            found[-1][1].append(line)
    return found


def run_lines(lines: Lines, status: int, capsys: pytest.CaptureFixture[str]) -> int:
    """Run commands, compare what they print; the status of the last one."""
    for line, shown in lines:
        program, *arguments = shlex.split(line)
        if program == "printf":
            text, arrow, target = arguments
            assert arrow == ">"
            Path(target).write_text(text.replace("\\n", "\n"), encoding="utf-8")
        elif program == "echo":
            assert [str(status)] == shown
        else:
            main = {"refagg": refagg.commands.main.main, "oracle": oracle.commands.main.main}[
                program
            ]
            status = main(arguments)
            printed = [SECONDS.sub("_ s", text) for text in capsys.readouterr().out.splitlines()]
            for text in shown:
                assert SECONDS.sub("_ s", text) in printed, (line, text, printed)
            if any(text.startswith("[  ") for text in shown):
                assert status == any(text.startswith("[  fails") for text in shown), line
    return status


def test_every_command_runs_as_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "datasets", "datasets")
    blocks = CONSOLE.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    lines = [line for block in blocks for line in lines_shown(block)]
    pictures = bool(find_spec("matplotlib"))
    here = [one for one in lines if not one[0].startswith(ELSEWHERE)]
    run_lines([one for one in here if pictures or "--plot" not in one[0]], 0, capsys)


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=page.stem, marks=[pytest.mark.long] * (page.stem in LASTING))
        for page in TUTORIALS
    ],
)
def test_every_block_of_a_tutorial_runs(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Commands, Python, and files that a reader is to write, from the top to the bottom."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    shutil.copytree(ROOT / "datasets", "datasets")
    status, names = 0, dict[str, Any]()
    for kind, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if kind == "console":
            status = run_lines(lines_shown(text), status, capsys)
        elif kind == "python":
            exec(text, names)
        elif kind.startswith("{code-block}"):
            caption, code = text.split("\n\n", 1)
            Path(caption.removeprefix(":caption: ")).write_text(code, encoding="utf-8")


def test_a_walk_has_at_most_ten_commands() -> None:
    """From a file or a function to a verdict: no tutorial asks for more."""
    for page in TUTORIALS:
        blocks = CONSOLE.findall(page.read_text(encoding="utf-8"))
        commands = [line for block in blocks for line, _ in lines_shown(block)]
        assert sum(not line.startswith("echo") for line in commands) <= 10, page.name


HOW_TO = [
    path
    for path in sorted((ROOT / "docs").glob("*.md"))
    if "```console" in path.read_text(encoding="utf-8")
]


@pytest.mark.skipif(sys.platform == "win32", reason="the lines are those of a POSIX shell")
@pytest.mark.parametrize("page", HOW_TO, ids=[page.stem for page in HOW_TO])
def test_every_block_of_a_how_to_runs_in_a_shell(page: Path, tmp_path: Path) -> None:
    """Pipes and programs of others as they stand there; lines of R where R is installed."""
    shutil.copytree(ROOT / "datasets", tmp_path / "datasets")
    names = str(Path(sys.executable).parent), os.environ["PATH"]
    where = {**os.environ, "PATH": os.pathsep.join(names), "PYTHONPATH": str(ROOT)}
    for kind, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if kind.startswith("{code-block}") and text.startswith(":caption: "):
            caption, content = text.split("\n\n", 1)
            (tmp_path / caption.removeprefix(":caption: ")).write_text(content, encoding="utf-8")
        if kind != "console" or ("Rscript" in text and not shutil.which("Rscript")):
            continue
        printed = ""
        for line, shown in lines_shown(text):
            ran = subprocess.run(
                line, shell=True, cwd=tmp_path, env=where, capture_output=True, text=True
            )
            assert ran.returncode == 0, (line, ran.stderr)
            printed = SECONDS.sub("_ s", ran.stdout)
            for text_shown in shown:
                assert SECONDS.sub("_ s", text_shown) in printed, (line, text_shown, printed)


def test_every_algorithm_of_the_catalogue_is_in_the_table() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = text.partition("| family | names |")[2].partition("\n\n")[0]
    assert set(CATALOGUE) <= set(re.findall(r"`([^`]+)`", table))


def test_the_python_of_the_page_runs() -> None:
    """The groups are plain to see: small and great numbers, and shared letters."""
    [text] = re.findall(
        r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL
    )
    names: dict[str, Any] = {}
    exec(text, names)
    assert names["mdav"](names["rows"], k=3).groups == ((0, 1, 2), (3, 4, 5))
    words = ["abc", "abd", "xyz", "xyw", "abe"]
    made = names["kshc"](words, k=2, similarity=names["shared_letters"])
    assert made.groups == ((0, 1, 4), (2, 3))
    assert names["release"].to_frame()[3] == [64 / 3, 4]


def test_every_page_is_in_the_index() -> None:
    """The site's builder would complain as well, but later, and where it is installed."""
    docs = ROOT / "docs"
    listed = set((docs / "index.md").read_text(encoding="utf-8").split())
    pages = {str(page.relative_to(docs).with_suffix("")) for page in docs.glob("*.md")}
    assert sorted(pages - listed - {"index"}) == []
