"""What can be imported: which names there are, what each means, and what an import loads."""

from __future__ import annotations

import ast
import pkgutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import oracle
import refagg
from refagg.catalogue import CATALOGUE
from refagg.errors import MissingExtra

OPTIONAL = (
    "numpy",
    "pandas",
    "polars",
    "pulp",
    "highspy",
    "numba",
    "matplotlib",
    "jinja2",
    "rich",
    "jsonschema",
    "hypothesis",
)


def modules() -> Iterator[tuple[str, ModuleType]]:
    """All modules of both packages by their dotted names."""
    for package in (refagg, oracle):
        yield package.__name__, package
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.endswith("__main__"):
                try:
                    yield found.name, import_module(found.name)
                except MissingExtra:
                    continue


@cache
def everything() -> dict[str, ModuleType]:
    """All modules; optional libraries are imported with them, which takes seconds."""
    return dict(modules())


def public(module: ModuleType) -> set[str]:
    """The names that a module offers: those in its directory without an underscore."""
    return {name for name in dir(module) if not name.startswith("_")}


def hidden(of: dict[str, ModuleType]) -> list[str]:
    """The dotted names that are a module and something else that is public."""
    return [
        f"{name}.{own}"
        for name, module in of.items()
        for own in public(module)
        if f"{name}.{own}" in of and not isinstance(getattr(module, own), ModuleType)
    ]


def ambiguous(of: dict[str, ModuleType]) -> list[str]:
    """The names that two `__all__` list with two meanings."""
    meanings: dict[str, list[Any]] = defaultdict(list)
    for module in of.values():
        for name in getattr(module, "__all__", ()):
            meaning = getattr(module, name)
            if not any(meaning is other for other in meanings[name]):
                meanings[name].append(meaning)
    return [name for name, found in meanings.items() if len(found) > 1]


def test_no_public_name_is_that_of_a_module() -> None:
    assert hidden(everything()) == []


def test_no_public_name_has_two_meanings() -> None:
    assert ambiguous(everything()) == []


def test_both_lists_can_be_filled() -> None:
    one, two = ModuleType("a"), ModuleType("b")
    one.b = one.c = print  # type: ignore[attr-defined]
    two.c = len  # type: ignore[attr-defined]
    one.__all__ = two.__all__ = ["c"]  # type: ignore[attr-defined]
    assert hidden({"a": one, "a.b": two}) == ["a.b"]
    assert ambiguous({"a": one, "b": two}) == ["c"]


@pytest.mark.parametrize("name", [name.replace("-", "_") for name in CATALOGUE])
def test_every_algorithm_can_be_imported(name: str) -> None:
    space: dict[str, Any] = {}
    exec(f"from refagg import {name} as found", space)
    assert space["found"].specification is CATALOGUE[name.replace("_", "-")]
    assert name in dir(refagg)


@pytest.mark.parametrize("package", [refagg, oracle], ids=["refagg", "oracle"])
def test_public_names_are_there_and_typed(package: ModuleType) -> None:
    """What `__all__` lists can be had, and type checkers see where it comes from."""
    for name in package.__all__:
        assert getattr(package, name) is getattr(package, name)
    functions = [name.replace("-", "_") for name in CATALOGUE] if package is refagg else []
    version = ["__version__"] if package is refagg else []
    assert dir(package) == sorted({*package.__all__, *functions, *version})
    tree = ast.parse(Path(package.__file__ or "").read_text(encoding="utf-8"))
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert set(package.__all__) <= imported
    with pytest.raises(AttributeError, match="no attribute 'gama'"):
        _ = package.gama


@pytest.mark.parametrize(
    "statement",
    [
        "import refagg",
        "import oracle",
        "import refagg.commands.main as c; c.main(['--help'])",
        "import oracle.commands.main as c; c.main(['--help'])",
    ],
)
def test_optional_libraries_are_imported_only_when_used(statement: str) -> None:
    """Neither by an import nor by --help; nor the algorithms, for which nobody has asked yet."""
    script = (
        f"import sys\ntry: {statement}\nexcept SystemExit: pass\n"
        f"print(*sorted({{n.partition('.')[0] for n in sys.modules}} & {set(OPTIONAL)}), "
        "*(n for n in sys.modules if n.startswith('refagg.algorithms')), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stderr.strip() == ""


def test_algorithms_run_without_optional_libraries() -> None:
    missing = f"import sys; sys.modules.update(dict.fromkeys({OPTIONAL}))\n"
    script = missing + "import refagg; print(refagg.mdav([[1], [2], [9], [8]], 2).groups)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "((0, 1), (2, 3))\n"
