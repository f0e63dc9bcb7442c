"""Every command line of the README and of the tutorials, in their order, with the shipped data."""

from __future__ import annotations

import inspect
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from places import ROOT, copied_datasets

import oracle.commands.main
import refagg
import refagg.commands.main
from oracle.auditing.driver import DEFINED

README = (ROOT / "README.md").read_text(encoding="utf-8")

BLOCK = re.compile(r"^```(\S.*?)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
SECONDS = re.compile(r"\d+\.\d+ s\b|(?<= 0 {5})\d+\.\d\d\b")
"""Times, also in the column beside the ties of a comparison."""
ELSEWHERE = ("oracle conform", "oracle hunt")
"""They need Node.js or a package of somebody else's; the tests of these commands run them."""


TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
LASTING = ("your-package", "data-frames")
"""They start a program some hundred times, or ask two all vectors."""

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
    copied_datasets("datasets")
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
    copied_datasets("datasets")
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


NOT_RUN = {
    "pip install": "it needs a network; the tests of the wheel install the project",
    "REFAGG_DATA=": "it takes minutes, and files that may not be shipped",
    "pytest -n auto": "it is this suite",
    "--engine spark": "it needs Spark, and `spark://` a cluster; the tests of the engine run it",
    "--engine 'spark": "the same",
}
"""Lines that no test of the pages runs, by what is in them."""

GIVEN = {
    "certificate": {"firms.csv": "datasets/eleven-firms.csv", "oracle": "oracle"},
    "compare": {"data.csv": "datasets/eleven-firms.csv", "census.csv": "datasets/sdcmicro-51.csv"},
}
"""Files that lines of a page name as the reader's own, and what stands for them."""

MADE = {
    "compare": (
        "printf 'def my_heuristic(rows, k):\\n    return [0] * len(rows)\\n' > mine.py",
        "echo '[[0, 1, 2, 3, 4], [5, 6, 7, 8, 9, 10]]' > mine.json",
        "oracle optimum data.csv -k 3 --json best.json",
    )
}
"""The same, made by commands."""

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
HOW_TO = [
    pytest.param(page, kind, id=f"{page.stem}-{kind}", marks=[pytest.mark.long] * (lasts == kind))
    for page in PAGES[2:]
    for kind in ("console", "sh")
    for lasts in [{"compare": "sh", "files": "console"}.get(page.stem)]
    if f"```{kind}\n" in page.read_text(encoding="utf-8")
]


def commands_of(kind: str, text: str) -> Lines:
    """The commands of a block that are run, with what is printed under them."""
    lines = lines_shown(text) if kind == "console" else [(line, []) for line in text.splitlines()]
    return [one for one in lines if not any(part in one[0] for part in NOT_RUN)]


@pytest.mark.skipif(sys.platform == "win32", reason="the lines are those of a POSIX shell")
@pytest.mark.parametrize(("page", "wanted"), HOW_TO)
def test_every_block_of_a_how_to_runs_in_a_shell(page: Path, wanted: str, tmp_path: Path) -> None:
    """Pipes and programs of others as they stand there; lines of R where R is installed."""
    copied_datasets(tmp_path / "datasets")
    for name, source in GIVEN.get(page.stem, {}).items():
        (tmp_path / name).symlink_to(ROOT / source)
    made = MADE.get(page.stem, ()) if wanted == "sh" else ()
    run_in_a_shell([(line, []) for line in made], tmp_path)
    for kind, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if kind.startswith("{code-block}") and text.startswith(":caption: "):
            caption, content = text.split("\n\n", 1)
            (tmp_path / caption.removeprefix(":caption: ")).write_text(content, encoding="utf-8")
        if kind == wanted:
            run_in_a_shell(commands_of(kind, text), tmp_path)


def run_in_a_shell(lines: Lines, folder: Path, statuses: tuple[int, ...] = (0,)) -> None:
    """Run commands where their programs are installed, and compare what they print."""
    names = str(Path(sys.executable).parent), os.environ["PATH"]
    where = {**os.environ, "PATH": os.pathsep.join(names), "PYTHONPATH": f"{ROOT}:{folder}"}
    for line, shown in lines:
        if any(program in line.split() and not shutil.which(program) for program in PROGRAMS):
            return  # what follows is about its output
        if "--plot" in line and not find_spec("matplotlib"):
            continue
        ran = subprocess.run(
            line, shell=True, cwd=folder, env=where, capture_output=True, text=True, check=False
        )
        assert ran.returncode in statuses, (line, ran.stderr)
        printed = SECONDS.sub("_ s", ran.stdout)
        for text in shown:
            assert SECONDS.sub("_ s", text) in printed, (line, text, printed)


PROGRAMS = ("node", "Rscript")
"""Foreign programs that lines of pages use."""


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="the lines are those of a POSIX shell")
def test_the_programs_of_the_readme_are_judged_as_printed(tmp_path: Path) -> None:
    """An implementation of MDAV that is right, and a package with known mistakes."""
    (tmp_path / "oracle").symlink_to(ROOT / "oracle")
    blocks = CONSOLE.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    lines = [one for block in blocks for one in lines_shown(block) if one[0].startswith(ELSEWHERE)]
    assert [line.split()[1] for line, _ in lines] == ["conform", "hunt"]
    run_in_a_shell(lines[:1], tmp_path)
    if find_spec("microagg1d") and find_spec("hypothesis"):
        run_in_a_shell(lines[1:], tmp_path, (1,))


BEFORE = {
    "optimum": "rows = [[1], [2], [3], [10], [11], [13]]",
    "protocol": "from refagg.algorithms.mdav_family.mdav import *",
    "adding-an-algorithm": "from refagg.algorithms.mdav_family.mdav import *",
    "adding-an-option": "from refagg.options.fields import option\n"
    "from refagg.options import fields",
    "report": "judgements = __import__('oracle').conform(lambda records, k: [[0]], 'mdav', "
    "cases=['mdav-001-n-equals-k']).judgements",
}
"""What the Python of a page does not say again."""


OF_A_PAGE = "page"
"""The module that the Python of a page is in."""


@pytest.fixture
def checks_of_pages_go() -> Iterator[None]:
    """Checks that a page defines are none of later audits."""
    yield
    for name in [one for one in DEFINED if one.startswith(f"{OF_A_PAGE}.")]:
        del DEFINED[name]


@pytest.mark.usefixtures("checks_of_pages_go")
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES[1:] if "```python\n" in page.read_text(encoding="utf-8")],
    ids=lambda page: page.stem,
)
def test_every_python_block_runs(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """And prints the text that follows, if it prints."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": OF_A_PAGE}
    exec(BEFORE.get(page.stem, ""), names)
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^( *)```python\n(.*?)^ *```\n(?:\n```text\n(.*?)```)?", text, re.M | re.S)
    assert blocks
    for margin, code, shown in blocks:
        exec(re.sub(f"^{margin}", "", code, flags=re.MULTILINE), names)
        printed = capsys.readouterr().out
        assert not printed or printed == shown


def test_every_block_is_run_or_said_not_to_be() -> None:
    """The README, the tutorials and what CONTRIBUTING shows of CI have tests of their own."""
    for page in (*PAGES, *TUTORIALS):
        text = page.read_text(encoding="utf-8")
        kinds = set(re.findall(r"^ *```([a-z]+)$", text, re.MULTILINE))
        assert kinds <= {"console", "sh", "python", "text", "json", "yaml", "toml", "r"}, page.name
        if page.stem in ("README", "index"):
            for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL):
                assert commands_of("sh", block) == [], page.name


def test_the_code_of_the_readme_is_that_of_the_algorithm() -> None:
    [code] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert code == inspect.getsource(sys.modules[refagg.specification("mdav").run.__module__].mdav)


def test_the_readme_is_one_screen_for_four_readers() -> None:
    """At most 110 lines; a failing example of four records in the first 20; short blocks."""
    lines = README.splitlines()
    assert len(lines) <= 110
    assert "[  fails   ]" in "\n".join(lines[:20])
    for block in re.findall(r"^```\w+\n(.*?)```", README, re.DOTALL | re.MULTILINE)[1:]:
        assert block.count("\n") <= 8, block
    for target in re.findall(r"\]\(([^)#]+)", README):
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_every_page_is_in_the_index() -> None:
    """The site's builder would complain as well, but later, and where it is installed."""
    docs = ROOT / "docs"
    listed = set((docs / "index.md").read_text(encoding="utf-8").split())
    pages = {str(page.relative_to(docs).with_suffix("")) for page in docs.glob("*.md")}
    assert sorted(pages - listed - {"index"}) == []
