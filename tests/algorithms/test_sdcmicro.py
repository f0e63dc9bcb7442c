"""The groupings of sdcMicro by the options that docs/sdcmicro.md names."""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import numpy
import pytest
from places import ROOT

import oracle.commands.main
import refagg.commands.main
from refagg import microaggregate, specification
from refagg.datasets import shipped_folder
from refagg.errors import BeyondFloats

PAGE = ROOT / "docs" / "sdcmicro.md"
FIRMS = shipped_folder() / "eleven-firms.csv"


def options_shown() -> dict[str, list[str]]:
    """For each first method of a row the options that are named, with numbers for letters."""
    rows = re.findall(r"^\| `(\w+)`.*?\| `(--algorithm [^`]*)`", PAGE.read_text(), re.MULTILINE)
    letters = {"J": "1", "N": "3", "clusters=c": "clusters=2", "attribute=J": "attribute=1"}
    return {name: [letters.get(word, word) for word in text.split()] for name, text in rows}


OPTIONS = options_shown()


def test_every_method_has_a_row() -> None:
    methods = "mdav rmd onedims simple single pca pppca mcdpca influence"
    assert set(OPTIONS) == {*methods.split(), "clustpca", "clustpppca", "clustmcdpca"}


def masked(method: str, folder: Path) -> Path:
    released = folder / "out.csv"
    words = ["mask", str(FIRMS), "-k", "3", *OPTIONS[method], "-o", str(released)]
    assert refagg.commands.main.main(words) == 0
    return released


@pytest.mark.parametrize("method", OPTIONS)
def test_a_release_by_it_is_accepted(method: str, tmp_path: Path) -> None:
    released = masked(method, tmp_path)
    words = ["audit", str(FIRMS), str(released), "-k", "3", *OPTIONS[method]]
    if method == "onedims":
        words += ["--anonymity", "each-block"]
    assert oracle.commands.main.main(words) == 0


def numbers(path: Path) -> list[list[Fraction]]:
    with open(path, encoding="utf-8", newline="") as file:
        return [list(map(Fraction, row)) for row in list(csv.reader(file))[1:]]


def in_blocks(order: Sequence[int], rows: list[list[Fraction]]) -> list[list[Fraction]]:
    """Blocks of 3 in an order, the last of 3 to 5, each replaced by its mean."""
    starts = [*range(0, (len(order) // 3 - 1) * 3, 3), (len(order) // 3 - 1) * 3, len(order)]
    released: list[list[Fraction]] = [[]] * len(order)
    for a, b in itertools.pairwise(starts):
        block = [rows[i] for i in order[a:b]]
        mean = [sum(column, Fraction(0)) / len(block) for column in zip(*block, strict=True)]
        for i in order[a:b]:
            released[i] = mean
    return released


def by_component(rows: list[list[Fraction]]) -> list[float]:
    table = numpy.array(rows, dtype=float)
    scores = (table - table.mean(axis=0)) / table.std(axis=0, ddof=1)
    _values, vectors = numpy.linalg.eigh(numpy.cov(scores.T))
    return [float(x) for x in scores @ vectors[:, -1]]


ORDERS: dict[str, Callable[[list[list[Fraction]]], list[Sequence[int]]]] = {
    "simple": lambda rows: [range(len(rows))],
    "single": lambda rows: [sorted(range(len(rows)), key=lambda i: rows[i][1])],
    "pca": lambda rows: [
        sorted(range(len(rows)), key=lambda i: sign * by_component(rows)[i]) for sign in (1, -1)
    ],
}


@pytest.mark.parametrize("method", ORDERS)
def test_it_is_blocks_of_the_order_of_its_description(method: str, tmp_path: Path) -> None:
    rows = numbers(FIRMS)
    found = numbers(masked(method, tmp_path))
    possible = [in_blocks(order, rows) for order in ORDERS[method](rows)]
    assert any(numpy.allclose(numpy.array(p, float), numpy.array(found, float)) for p in possible)


def test_onedims_is_blocks_of_each_attribute(tmp_path: Path) -> None:
    rows = numbers(FIRMS)
    found = numbers(masked("onedims", tmp_path))
    for j, column in enumerate(zip(*found, strict=True)):
        order = sorted(range(len(rows)), key=lambda i, j=j: rows[i][j])
        expected = [row[0] for row in in_blocks(order, [[row[j]] for row in rows])]
        assert numpy.allclose(numpy.array(column, float), numpy.array(expected, float))


BEYOND = [[1, 3], [3, 9], [5, 10**1000], [3, 4], [2, -(10**309)], [5, 9], [2, 6]]


@pytest.mark.parametrize("name", ["rmd-classical", "pppca", "mcdpca", "influence", "clustpca"])
def test_values_beyond_all_floats_are_grouped_or_refused(name: str) -> None:
    seed = {"seed": 1} if specification(name).random else {}
    with suppress(BeyondFloats):
        assert microaggregate(BEYOND, 2, name, **seed).k_reached >= 2


def test_what_is_refused_says_what_can_be_done() -> None:
    with pytest.raises(BeyondFloats, match="divide them by a common factor"):
        microaggregate(BEYOND, 2, "rmd", seed=1)
