"""Messages name options as the caller does: keywords in Python, flags on a command."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from places import ROOT

import oracle
import refagg
from oracle.functions import field, identification, implementation_options
from refagg.commands.main import main
from refagg.errors import KEYWORDS, RefaggError, on_a_command, with_options_named
from refagg.options.fields import options_of
from refagg.options.grouping import Grouping
from refagg.options.layout import Layout
from refagg.options.publishing import Publishing

SHELL = re.compile(r"(?<![\w-])--[a-z](?=[^`]*(?:`[^`]*`[^`]*)*$)")
"""An option outside of a command in backticks."""


@pytest.mark.parametrize(
    ("message", "in_python"),
    [
        ("choose a policy (--missing)", "choose a policy (missing=)"),
        ("--missing=drop leaves none", "missing='drop' leaves none"),
        ("--kind=born=date reads it", "kinds={'born': 'date'} reads it"),
        ("--kind='my born=date' reads it", "kinds={'my born': 'date'} reads it"),
        ("needs --encoding=utf-16-le, or", "needs encoding='utf-16-le', or"),
        ("--max-decompressed=2GB.", "max_decompressed='2GB'."),
        ("--kind=a=numeric --kind='b c=nominal'", "kinds={'a': 'numeric', 'b c': 'nominal'}"),
        ("(--without=invalid)", "(without=['invalid'])"),
        ("a COMMAND after --, or a - b -- c", "a COMMAND after --, or a - b -- c"),
        ("run `oracle vectors --list`", "run `oracle vectors --list`"),
    ],
)
def test_an_option_is_named_for_its_caller(message: str, in_python: str) -> None:
    assert with_options_named(message) == in_python
    assert str(RefaggError(message)) == in_python
    with on_a_command():
        assert str(RefaggError(message)) == message
    assert with_options_named(in_python) == in_python


def test_the_keywords_are_those_of_the_options() -> None:
    tables = [Grouping, Publishing, Layout]
    for module in (field, identification, implementation_options):
        tables += [x for x in vars(module).values() if hasattr(x, "__dataclass_fields__")]
    different = {}
    for table in tables:
        for name, one in options_of(table).items():
            flag = one.flag.lstrip("-")
            if one.flag.startswith("--") and flag.replace("-", "_") != name:
                different[flag] = name
    assert different == KEYWORDS


def written(tmp_path: Path, text: bytes) -> str:
    path = tmp_path / "in.csv"
    path.write_bytes(text)
    return str(path)


ROWS = [[1, 2], [3, 4], [5, 6], [7, 8]]

PROVOKED: dict[str, Callable[[Path], object]] = {
    "a missing value": lambda _: refagg.mdav([[1, None], [2, 3], [4, 5]], k=2),
    "a missing value to audit": lambda _: oracle.audit([[1, None], [2, 3]], [[1, 2], [2, 3]], k=2),
    "a date": lambda _: refagg.mdav([["2020-01-31"], ["2020-02-01"]], k=2),
    "an empty cell of a file": lambda p: refagg.microaggregate(
        written(p, b'a\n1\n""\n'), 2, "mdav"
    ),
    "another delimiter": lambda p: refagg.microaggregate(written(p, b"a;b\n1;2\n3;4\n"), 2, "mdav"),
    "a decimal comma": lambda p: refagg.microaggregate(written(p, b'a\n"1,5"\n"2,5"\n'), 2, "mdav"),
    "dates in a file": lambda p: refagg.microaggregate(
        written(p, b"born\n2020-01-31\n2020-02-01\n"), 2, "mdav"
    ),
    "no text": lambda p: refagg.microaggregate(written(p, b"a\n\xff\xfe\n"), 2, "mdav"),
    "frames for a program": lambda _: oracle.conform("./md", "md", frames=True),
    "a promise": lambda _: oracle.audit(ROWS, ROWS, k=2, anonymity="nothing"),
    "one text for a list": lambda _: oracle.conform(lambda rows, k: rows, "mdav", without="kinds"),
    "two ways": lambda _: refagg.kshc(["ab", "ac"], 2, similarity="oss", dissimilarity="oss"),
    "no parameters": lambda _: refagg.microaggregate(ROWS, 2, "mdav", parameters={"k": 3}),
    "an option of another": lambda _: refagg.microaggregate(ROWS, 2, "mdav", trim="1/10"),
}


@pytest.mark.parametrize("what", PROVOKED)
def test_errors_in_python_name_no_option_of_a_command(what: str, tmp_path: Path) -> None:
    with pytest.raises((RefaggError, TypeError)) as caught:
        PROVOKED[what](tmp_path)
    assert not SHELL.search(str(caught.value)), caught.value


def test_a_missing_value_names_its_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(RefaggError, match=r"\(missing=\)"):
        refagg.mdav([[1, None], [2, 3], [4, 5]], k=2)
    file = written(tmp_path, b"a,b\n1,\n2,3\n4,5\n")
    assert main(["mask", file, "-k", "2", "--algorithm", "mdav", "-o", str(tmp_path / "out")]) == 2
    assert "(--missing)" in capsys.readouterr().err
    with pytest.raises(RefaggError, match=r"\(missing=\)"):
        refagg.mdav([[1, None], [2, 3], [4, 5]], k=2)


def texts() -> Iterator[str]:
    """Every text of the packages, but for those of commands."""
    for package in ("refagg", "oracle"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if "commands" not in path.parts and "adapters" not in path.parts:
                for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                    if isinstance(node, ast.Constant) and isinstance(node.value, str):
                        yield node.value


def shown(algorithm: str = "mdav", **given: Any) -> str:
    """The text of an audit in which something fails or is not judged."""
    rows = {"x": [1, 2, 3, 4], "y": [1, 5, 2, 9]}
    released = {"x": [1.5, 2.5, 2.5, 3.5], "y": [1.5, 3.5, 3.5, 7]}
    return str(oracle.audit(rows, released, k=2, algorithm=algorithm, **given))


VERDICTS: dict[str, tuple[Callable[[], str], str]] = {
    "no partition": (shown, "partition="),
    "several attributes": (lambda: shown("hansen-mukherjee", partition=[0, 0, 1, 1]), "blocks="),
    "nothing promised": (lambda: shown(anonymity="none"), "anonymity='none'"),
    "another policy": (
        lambda: str(oracle.audit([["a", 1], ["b", 2]], [["c", 1], ["c", 2]], k=2)),
        "kinds={'x1': 'nominal', 'x2': 'numeric'}",
    ),
    "invalid input": (
        lambda: str(oracle.conform(lambda rows, k: rows, "mdav", without=["invalid"])),
        "without=['invalid']",
    ),
}


@pytest.mark.parametrize("what", VERDICTS)
def test_verdicts_in_python_name_no_option_of_a_command(what: str) -> None:
    make, option = VERDICTS[what]
    said = make().replace("(--key, in Python key=)", "")
    assert option in said
    assert not SHELL.search(said), said


def test_no_way_of_naming_an_option_is_missed() -> None:
    named = [text for text in texts() if SHELL.search(text) and "\n" not in text]
    assert len(named) > 30
    assert not [text for text in named if SHELL.search(with_options_named(text))]
