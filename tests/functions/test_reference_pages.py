"""The reference of the Python interface is complete: each public name, with its members."""

from __future__ import annotations

import inspect
import re
import sys
from types import ModuleType

import pytest
from places import ROOT

import oracle
import refagg
import refagg.errors
from refagg.catalogue import CATALOGUE
from refagg.functions import FUNCTIONS
from refagg.functions.describing import python_name

sys.path.insert(0, str(ROOT / "docs"))
from generate import in_python, options_page, public_members, python_page


def words(text: str) -> str:
    """A text without its marks and line ends."""
    return " ".join(re.findall(r"[^\W_]+", text))


@pytest.mark.parametrize("package", [refagg, oracle], ids=lambda package: package.__name__)
def test_each_public_name_is_documented(package: ModuleType) -> None:
    page = python_page(package)
    sections = dict(re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", page, re.M | re.S))
    for name in package.__all__:
        if name in FUNCTIONS:
            continue
        found, section = getattr(package, name), sections[f"{package.__name__}.{name}"]
        assert len(section.strip()) > 30, name
        said = inspect.getdoc(found) or "" if callable(found) else ""
        assert all(words(part) in words(section) for part in said.split("\n\n")), name
        for member, value in public_members(found).items():
            assert inspect.getdoc(value), f"{name}.{member} is not documented"
            called = "" if isinstance(value, property) else r"\(.*\)"
            assert re.search(rf"^\| `{member}{called}` \| .+ \|$", section, re.M), member


@pytest.mark.parametrize("package", [refagg, oracle], ids=lambda package: package.__name__)
def test_what_functions_return_is_documented(package: ModuleType) -> None:
    page = python_page(package)
    known = {"Any", "Fraction", "Iterator", "Printed"}  # the last is a union of rows of the ledger
    public = {one for one in package.__all__ if inspect.isfunction(getattr(package, one))}
    returned = " ".join(str(getattr(package, one).__annotations__["return"]) for one in public)
    for name in set(re.findall(r"\b[A-Z]\w+", returned)) - known:
        assert re.search(rf"^##+ ({package.__name__}\.)?{name}$", page, re.M), name
    assert not re.search(r"^\| `\w+.*` \|  \|$", page, re.M), "a member without a meaning"


def test_signatures_are_those_of_python() -> None:
    page = python_page(refagg)
    assert "| `to_frame(library='pandas')` |" in page  # without self, without types
    assert "| `of(groups, n=None)` |" in page  # a method of the class
    assert "-> Iterator[Printed]" in page
    assert "arithmetic: Literal['exact', 'float'] | None = None, random: bool = True" in page
    assert " at 0x" not in page  # no place in memory, which is another in each build
    assert "Iterator`" not in page  # what a module imports is none of its errors


def test_the_keywords_of_an_algorithm_are_options_or_parameters() -> None:
    options = options_page()
    for spec in CATALOGUE.values():
        name = python_name(spec)
        keywords = set(inspect.signature(FUNCTIONS[name]).parameters) - {"rows", "k"}
        assert f"refagg.{name}(rows, " in in_python(spec)
        for keyword in keywords - {one.name for one in spec.parameters}:
            assert f"\n`{keyword}`, `-" in options, f"{name}: {keyword}"


def test_algorithms_and_errors_are_listed() -> None:
    page = python_page(refagg)
    for name in FUNCTIONS:
        assert f"[{name}](algorithms/" in page
    for name, found in vars(refagg.errors).items():
        if inspect.isclass(found) and found.__module__ == refagg.errors.__name__:
            assert f"| `{name}` |" in page


def test_a_name_without_a_word_about_it_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refagg.Partition, "groups_twice", lambda self: self, raising=False)
    with pytest.raises(AssertionError, match=r"groups_twice is not documented"):
        test_each_public_name_is_documented(refagg)
