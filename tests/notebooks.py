"""The notebooks of the site, executed anew: `python -m tests.notebooks [--write] [NAME ...]`.

Without --write the outputs are compared with those in the files, pictures by their kind alone. It
needs nbclient and ipykernel, which the extra `test` has.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import sys
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from tempfile import TemporaryDirectory
from typing import Any

from tests.places import ROOT

FOLDER = ROOT / "docs" / "notebooks"
NAMES = ("office", "author", "researcher", "teacher")
COUNTS = re.compile(
    r"\d+(?= (passed|failed|unsupported|questions|more rows))|(?<=<td>)\d+(?=</td>)"
)
"""How many questions there are: other vectors make no other notebook."""


def read(name: str) -> dict[str, Any]:
    """Return a notebook as it is in its file."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    return found


def executed(name: str) -> dict[str, Any]:
    """Return a notebook with the outputs of a kernel of its own; a cell that fails raises."""
    import nbformat
    from nbclient import NotebookClient

    book = nbformat.reads(json.dumps(read(name)), as_version=4)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    with TemporaryDirectory() as folder:
        NotebookClient(book, timeout=300, resources={"metadata": {"path": folder}}).execute()
    for cell in book.cells:
        cell.metadata = {}
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                output.data["image/png"] = of_few_colours(output.data["image/png"])
    book.metadata = read(name)["metadata"]
    found: dict[str, Any] = json.loads(nbformat.writes(book))
    return found


def of_few_colours(picture: str) -> str:
    """Return a picture of lines and letters in a quarter of its bytes."""
    from PIL import Image

    made = io.BytesIO()
    drawn = Image.open(io.BytesIO(b64decode(picture))).convert("RGB")
    drawn.quantize(96).save(made, "PNG", optimize=True)
    return b64encode(made.getvalue()).decode()


def outputs(book: dict[str, Any]) -> list[list[Any]]:
    """Return what the cells of a notebook print and show, without pictures and counts."""
    cells = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    return [_joined(map(_told, cell["outputs"])) for cell in cells]


def _joined(told: Iterable[Any]) -> list[Any]:
    """Texts that a cell has printed are one, in however many parts they arrived."""
    made: list[Any] = []
    for one in told:
        if made and isinstance(one, str) and isinstance(made[-1], str):
            made[-1] += one
        else:
            made.append(one)
    return made


def _told(output: dict[str, Any]) -> Any:
    if "data" not in output:
        return COUNTS.sub("N", "".join(output["text"]))
    shown = dict(output["data"])
    if "image/png" in shown:
        return sorted(shown)
    texts = {kind: COUNTS.sub("N", "".join(text)) for kind, text in shown.items()}
    if "run-player" in texts.get("text/html", ""):
        texts["text/html"] = "a player, with the lines of the program as they are"
    return texts


def changed(name: str, new: dict[str, Any]) -> Iterator[str]:
    """Yield the cells of a notebook whose outputs are no longer those of its file."""
    for number, (old, now) in enumerate(zip(outputs(read(name)), outputs(new), strict=True), 1):
        if old != now:
            yield f"{name}, cell {number} of code: the file has\n{old}\nbut now it is\n{now}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--write", action="store_true", help="write the outputs into the files")
    given = parser.parse_args()
    status = 0
    for name in given.names or NAMES:
        new = executed(name)
        if given.write:
            text = json.dumps(new, indent=1, ensure_ascii=False)
            (FOLDER / f"{name}.ipynb").write_text(f"{text}\n", encoding="utf-8")
            continue
        for text in changed(name, new):
            print(text)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
