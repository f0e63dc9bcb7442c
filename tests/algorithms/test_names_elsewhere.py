"""Names that other programs have for algorithms of the catalogue."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import oracle
import refagg
from oracle.commands.main import main as judge
from refagg.catalogue import CATALOGUE, VARIANTS, specification
from refagg.commands.main import main
from refagg.errors import UnknownAlgorithm

ROWS = [[5, 1], [1, 9], [9, 3], [2, 2], [7, 8]]


def groups(name: str, **parameters: object) -> tuple[tuple[int, ...], ...]:
    return refagg.microaggregate(ROWS, 2, name, parameters=parameters).partition.groups


def test_simple_takes_records_as_they_come() -> None:
    """By hand: two records, and the last three."""
    assert groups("simple") == ((0, 1), (2, 3, 4))


def test_single_sorts_by_one_attribute() -> None:
    """By hand: in the order 1, 2, 5, 7, 9 of the first attribute, and 1, 2, 3, 8, 9 of the other;
    two records, and the last three."""
    assert groups("single") == ((0, 2, 4), (1, 3))
    assert groups("single", attribute=1) == ((0, 3), (1, 2, 4))


@pytest.mark.parametrize("name", ["onedims", "mafast"])
def test_each_attribute_by_itself(name: str) -> None:
    """By hand: (1 + 2) / 2 and (5 + 7 + 9) / 3; (1 + 2) / 2 and (3 + 8 + 9) / 3."""
    release = refagg.microaggregate(ROWS, 2, name).released
    first, second = Fraction(3, 2), Fraction(20, 3)
    assert [release.row(record) for record in range(5)] == [
        (7, first),
        (first, second),
        (7, second),
        (first, first),
        (7, second),
    ]


def test_pca_is_a_projection_on_the_first_component() -> None:
    """Along a line every order is that of the line: 1, 2 and 5, 7, 9."""
    rows = [[5, 10], [1, 2], [9, 18], [2, 4], [7, 14]]
    found = refagg.microaggregate(rows, 2, "pca", ties="lowest").partition.groups
    assert found in (((0, 2, 4), (1, 3)), ((0, 1, 3), (2, 4)))  # a component has no sign


def test_every_name_stands_for_an_algorithm_with_possible_parameters() -> None:
    assert VARIANTS.keys() == {"simple", "onedims", "mafast", "pca", "single"}
    assert not VARIANTS.keys() & CATALOGUE.keys()
    for name, spec in VARIANTS.items():
        assert spec.settings({}) == CATALOGUE[spec.name].settings(spec.variants[name])


def test_what_is_masked_under_a_name_is_audited_under_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    original, released = tmp_path / "original.csv", tmp_path / "released.csv"
    original.write_text("a,b\n" + "".join(f"{a},{b}\n" for a, b in ROWS))
    command = ["--algorithm", "single", "-k", "2"]
    assert main(["mask", str(original), "-o", str(released), *command]) == 0
    assert judge(["audit", str(original), str(released), *command]) == 0
    # With the records of another attribute's order it is no run of it.
    other = ["--param", "attribute=1"]
    assert judge(["audit", str(original), str(released), *command, *other]) == 1
    capsys.readouterr()
    assert main(["algorithms", "projection", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["algorithms"]
    given = {"by": "attribute", "order": "ascending"}
    assert found["variants"] == {"pca": {}, "single": given}


def test_programs_are_asked_by_the_names_of_the_catalogue() -> None:
    with pytest.raises(UnknownAlgorithm, match="ask for projection"):
        oracle.hunt(lambda rows, k: [], algorithm="pca")
    with pytest.raises(UnknownAlgorithm, match="did you mean single"):
        specification("singel")
