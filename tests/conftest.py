"""What tests share: where reference data are, if they are anywhere."""

from __future__ import annotations

import gc
import os
import re
from collections import defaultdict
from collections.abc import Collection, Generator
from math import ceil
from pathlib import Path
from random import Random

import pytest
from _pytest.doctest import DoctestModule

from refagg import terminal

terminal.PATIENCE = 1e6  # tests wait; what is said of long work has tests of its own


def _folder(variable: str) -> Path:
    folder = os.environ.get(variable)
    if not folder:
        pytest.skip(f"{variable} is not set: reference data are not available")
    return Path(folder)


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder with census.csv, tarragona.csv and eia.csv."""
    return _folder("REFAGG_DATA")


@pytest.fixture(scope="session")
def peers_folder() -> Path:
    """The folder with files released by other tools."""
    return _folder("REFAGG_PEERS")


# What is in the quick suite


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Ten thousand tests are collected, and none of them is garbage."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Tests have no examples in their docstrings: none are looked for."""
    found = yield
    return [collector for collector in found if not isinstance(collector, DoctestModule)]


def pytest_itemcollected(item: pytest.Item) -> None:
    """With more than the few examples of the quick profile, a test of drawn examples is long."""
    drawn = getattr(getattr(item, "function", None), "is_hypothesis_test", False)
    if drawn and os.environ.get("HYPOTHESIS_PROFILE") in ("full", "thorough"):
        item.add_marker("long")


# A sample of the long tests


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("samples")
    group.addoption("--algorithm", help="only cases of this algorithm, and tests in its file")
    group.addoption("--share", type=float, default=1, help="the part of each test's cases to run")
    group.addoption("--share-seed", type=int, default=0, help="of the draw of these cases")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of each test keep the share of its cases that was asked for, at least one, drawn by lot."""
    share = config.getoption("--share")
    if name := config.getoption("--algorithm"):
        _keep(config, items, [item for item in items if _is_of(item.nodeid, name)])
    if share >= 1:
        return
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        cases[item.nodeid.partition("[")[0]].append(item)
    random = Random(config.getoption("--share-seed"))
    drawn = {c for of in cases.values() for c in random.sample(of, ceil(share * len(of)))}
    _keep(config, items, drawn)


def _keep(config: pytest.Config, items: list[pytest.Item], kept: Collection[pytest.Item]) -> None:
    chosen = set(kept)
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = [item for item in items if item in chosen]


def _is_of(test: str, algorithm: str) -> bool:
    """Return True if a test is of this algorithm by the name of its file or of its case."""
    name = algorithm.replace("-", "[-_]")
    return bool(re.search(rf"(?<![-\w])(test_|algorithm-)?{name}(\.py|\b(?![-_]))", test))
