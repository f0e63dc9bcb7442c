"""Every command line of the README, in its order, in a folder that holds the shipped data."""

from __future__ import annotations

import re
import shlex
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from places import ROOT

import oracle.commands.main
import refagg.commands.main
from refagg.catalogue import CATALOGUE

BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
SECONDS = re.compile(r"\d+\.\d+ s\b")
ELSEWHERE = ("oracle conform", "oracle hunt")
"""They need Node.js or a package of somebody else's; the tests of these commands run them."""


def lines_shown() -> list[tuple[str, list[str]]]:
    """Each command with the lines that are printed under it."""
    found: list[tuple[str, list[str]]] = []
    for block in BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8")):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif line.strip() != "...":
                found[-1][1].append(line)
    return found


def test_every_command_runs_as_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "datasets", "datasets")
    status = 0
    for line, shown in lines_shown():
        program, *arguments = shlex.split(line)
        if line.startswith(ELSEWHERE) or ("--plot" in arguments and not find_spec("matplotlib")):
            continue
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
                assert SECONDS.sub("_ s", text) in printed or text.strip() == "...", (line, text)
            failing = any(text.startswith("[  fails") for text in shown)
            assert status == failing, line


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
