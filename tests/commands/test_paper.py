"""The paper: each claim of its table has a command that works, and it has the journal's parts."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from black_box.session import run_words
from places import ROOT

PAPER = (ROOT / "docs" / "paper" / "paper.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\| .* \| `([^`]+)` \|$", PAPER, re.MULTILINE)


def test_the_table_has_commands_of_all_kinds() -> None:
    beginnings = {line.split()[0] for line in COMMANDS}
    assert beginnings == {"pytest", "python", "refagg", "oracle"}
    assert len(COMMANDS) >= 9


def test_it_has_the_parts_and_the_length_that_the_journal_wants() -> None:
    _, head, body = PAPER.split("---\n", 2)
    for name in ("title", "tags", "authors", "affiliations", "date", "bibliography"):
        assert re.search(rf"^{name}:", head, re.MULTILINE)
    parts = re.findall(r"^# (.*)$", body, re.MULTILINE)
    assert {"Summary", "Statement of need", "State of the field", "References"} <= set(parts)
    assert 750 <= len(body.split()) <= 1750
    keys = set(re.findall(r"@(\w+)", body))
    text = (ROOT / "docs" / "paper" / "paper.bib").read_text(encoding="utf-8")
    assert keys == set(re.findall(r"^@\w+\{(\w+)", text, re.MULTILINE))


@pytest.mark.long
@pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith("python -m tests")])
def test_a_program_of_the_tests_takes_its_words(line: str) -> None:
    """With the first number, which says how many, made small."""
    words = shlex.split(re.sub(r" \d+", " 2", line, count=1))[1:]
    if words[-1].isalpha() or "." in words[-1]:  # no number: all that there is, so one algorithm
        words.append("m-d")
    ran = subprocess.run(
        [sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith("oracle verify")])
def test_a_certificate_is_verified_as_the_paper_says(line: str, tmp_path: Path) -> None:
    """That of a small table; the one that is named ships, and takes minutes."""
    pytest.importorskip("pulp")
    *words, named, _ = shlex.split(line)
    if "proved" in words and not shutil.which("coqc"):
        pytest.skip("Coq is not installed here")
    table = str(ROOT / "datasets" / "eleven-firms.csv")
    made = run_words(["oracle", "optimum", table, "-k", "3", "--certificate", "c.json"], tmp_path)
    assert made.status == 0
    ran = run_words([*words, "c.json", table], tmp_path)
    assert ran.status == 0, ran.err
    recipe = (ROOT / "docs" / "optimum.md").read_text(encoding="utf-8")
    assert f"--certificate {named.removesuffix('.gz')}`" in recipe


def test_other_commands_are_there() -> None:
    for line in COMMANDS:
        program, *words = shlex.split(line)
        if program == "pytest":
            assert all((ROOT / word).is_dir() for word in words)
    assert {"refagg reproduce", "oracle field --from"} <= set(COMMANDS)
