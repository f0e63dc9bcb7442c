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
from refagg.functions import FUNCTIONS

sys.path.insert(0, str(ROOT / "docs"))
from generate import public_members, python_page


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
            assert f"| `{member}` |" in section


def test_algorithms_and_errors_are_listed() -> None:
    page = python_page(refagg)
    for name in FUNCTIONS:
        assert f"[{name}](algorithms/" in page
    for name, found in vars(refagg.errors).items():
        if inspect.isclass(found):
            assert f"| `{name}` |" in page


def test_a_name_without_a_word_about_it_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refagg.Partition, "groups_twice", lambda self: self, raising=False)
    with pytest.raises(AssertionError, match=r"groups_twice is not documented"):
        test_each_public_name_is_documented(refagg)
