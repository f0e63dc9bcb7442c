"""The notebooks of the site print and show what they do when they are executed anew."""

from __future__ import annotations

from copy import deepcopy

import pytest

from tests.notebooks import FOLDER, NAMES, changed, executed, outputs, read


def test_each_door_has_a_notebook() -> None:
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_was_executed_from_its_first_cell_to_its_last(name: str) -> None:
    cells = [cell for cell in read(name)["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert not any(output["output_type"] == "error" for c in cells for output in c["outputs"])
    assert any(outputs(read(name)))


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_executed_anew_has_the_same_outputs(name: str) -> None:
    pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    assert list(changed(name, executed(name))) == []


def test_another_output_is_found() -> None:
    book = deepcopy(read("teacher"))
    first = next(cell for cell in book["cells"] if cell["cell_type"] == "code")
    first["outputs"][0]["text"][0] = "8 records remain.\n"
    (found,) = changed("teacher", book)
    assert found.startswith("teacher, cell 1 of code")
