"""Pages, help, docstrings and messages do without the phrases of docs/phrases.txt."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import oracle.commands.main
import refagg.commands.main
from refagg.commands.starting import parser_for
from tests.places import ROOT

PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "datasets/README.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "tutorials").glob("*.md")),
]
CODE = re.compile(r"^(`{3,}).*?^\1`*$|^ {4}.*?$|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def phrases() -> list[tuple[re.Pattern[str], str]]:
    lines = (ROOT / "docs" / "phrases.txt").read_text(encoding="utf-8").splitlines()
    pairs = [re.split(r" {2,}", line, maxsplit=1) for line in lines if not line.startswith("#")]
    return [(re.compile(found, re.IGNORECASE), instead) for found, instead in pairs]


def remarks(text: str, where: str) -> list[str]:
    """Each phrase that is in a text outside its code, with its line and what to write instead."""
    prose = CODE.sub(lambda code: "\n" * code[0].count("\n"), text)
    return [
        f"{where}, line {prose.count(chr(10), 0, hit.start()) + 1}: {hit[0]!r}: write {instead}"
        for pattern, instead in phrases()
        for hit in pattern.finditer(prose)
    ]


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_pages_do_without_these_phrases(page: Path) -> None:
    assert remarks(page.read_text(encoding="utf-8"), page.name) == []


@pytest.mark.parametrize("module", [refagg.commands.main, oracle.commands.main])
def test_help_does_without_these_phrases(module: object) -> None:
    commands = module.COMMANDS
    for name in commands:
        parser = parser_for([name], "program", "about", commands)
        [parts] = [a for a in parser._actions if hasattr(a, "choices") and a.choices]
        help_text = " ".join(parts.choices[name].format_help().split())
        assert remarks(help_text, name) == []


def texts(source: str) -> list[str]:
    """The texts of a module of more than a word: messages and docstrings."""
    constants = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    return [node.value for node in constants if isinstance(node.value, str) and " " in node.value]


@pytest.mark.parametrize("package", ["refagg", "oracle"])
def test_docstrings_and_messages_do_without_these_phrases(package: str) -> None:
    found = [
        remark
        for module in sorted((ROOT / package).rglob("*.py"))
        for text in texts(module.read_text(encoding="utf-8"))
        for remark in remarks(text, module.name)
    ]
    assert found == []


def test_texts_are_messages_and_docstrings() -> None:
    source = 'def f():\n    """In order to."""\n    raise E(f"{x} is at hand")\n'
    assert sorted(texts(source)) == [" is at hand", "In order to."]


def test_a_phrase_is_found_outside_code_only() -> None:
    text = "One.\n\n```sh\nin order to\n```\n\nWe do it in order to `utilise` it.\n"
    assert remarks(text, "page") == ["page, line 7: 'in order to': write to"]
