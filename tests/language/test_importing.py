"""Objects that are named, and arguments that must be lists."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

from refagg.errors import InvalidParameter, MissingExtra, UnknownColumn
from refagg.language.importing import described, function_named, object_named
from refagg.language.lists import check_labels, listed


def test_objects_by_their_names() -> None:
    assert object_named("math:pi") == math.pi
    assert object_named("pathlib:Path.cwd") == Path.cwd
    assert function_named("math:sqrt") is math.sqrt
    with pytest.raises(InvalidParameter, match="'math:pi' is not a function"):
        function_named("math:pi")


@pytest.mark.parametrize("name", ["math", "math:", ":pi", ":", ""])
def test_a_name_has_a_module_and_an_object(name: str) -> None:
    with pytest.raises(InvalidParameter, match="is not of the form module:function"):
        object_named(name)


@pytest.mark.parametrize("name", ["own.py:f", "a/own:f", "a/own.py:f"])
def test_a_name_of_a_file_is_answered_by_that_of_its_module(name: str) -> None:
    with pytest.raises(InvalidParameter, match="names a file; name the module, own:f"):
        object_named(name)


@pytest.mark.parametrize("name", ["math:nothing", "no_such_module:f"])
def test_what_cannot_be_loaded(name: str) -> None:
    with pytest.raises(InvalidParameter, match=f"'{name}' cannot be loaded: "):
        object_named(name)


def test_a_module_of_the_current_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    text = "print('hello')\nfrom refagg.errors import MissingExtra\ndef one(): return 1\n"
    (tmp_path / "own_one.py").write_text(text)
    (tmp_path / "own_two.py").write_text(text + "raise MissingExtra('it needs numpy')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [part for part in sys.path if part])
    assert function_named("own_one:one")() == 1
    with pytest.raises(MissingExtra, match="it needs numpy"):
        object_named("own_two:one")
    assert sys.path.count("") == 1
    assert capfd.readouterr().out == ""


def test_errors_of_others_are_described() -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise ValueError

    assert described(KeyError("a")) == "KeyError: 'a'"
    assert described(ValueError("x" * 600)) == "ValueError: " + "x" * 500
    assert described(Mute()) == "Mute: (its message cannot be shown)"


@pytest.mark.parametrize("given", ["ab", b"ab", 5, None])
def test_a_text_is_no_list_of_its_letters(given: object) -> None:
    with pytest.raises(UnknownColumn, match=r"^blocks are .*; give a list$"):
        listed(given, "blocks are", "give a list", UnknownColumn)


def test_labels_are_told_apart_by_their_hash() -> None:
    check_labels(["a", 1, None], "label", InvalidParameter)
    with pytest.raises(InvalidParameter, match=r"^the label of record 1 is \[1\]; give a text$"):
        check_labels(["a", [1]], "label", InvalidParameter)


def test_one_file_asks_for_each_large_library() -> None:
    """The import rules do not see a library that is asked for by its name."""
    asking: dict[str, list[str]] = {}
    for path in [*(ROOT / "refagg").rglob("*.py"), *(ROOT / "oracle").rglob("*.py")]:
        text = path.read_text(encoding="utf-8")
        for library in re.findall(r'optional_library[(,]\s*"(\w+)', text):
            asking.setdefault(library, []).append(path.relative_to(ROOT).as_posix())
    assert asking["duckdb"] == ["oracle/stores/duckdb_store.py"]
    assert asking["pyspark"] == ["oracle/stores/spark_store.py"]
    assert asking["pulp"] == ["oracle/optima/solver.py"]
    assert asking["distributed"] == ["oracle/executors.py"]


EACH = """
import os, sys
from importlib import import_module
for name in sys.argv[1:]:
    if not os.fork():
        try:
            import_module(name)
        except ImportError as error:
            print(name, error, flush=True)
        finally:
            os._exit(0)
    os.wait()
"""


def module_names() -> list[str]:
    paths = [p for top in ("refagg", "oracle") for p in sorted((ROOT / top).rglob("*.py"))]
    parts = [path.relative_to(ROOT).with_suffix("").parts for path in paths]
    own = [p for p in parts if "adapters" not in p and p[-1] != "__main__"]
    return [".".join(p[:-1] if p[-1] == "__init__" else p) for p in own]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.long), 10])
def test_each_module_can_be_imported_first(every: int) -> None:
    """What a module needs must not need it, whichever of them is asked for first."""
    first = ["refagg.data.tables", "refagg.errors"]
    command = [sys.executable, "-c", EACH, *first, *module_names()[::every]]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == ""
