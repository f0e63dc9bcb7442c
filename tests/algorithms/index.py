"""`python -m tests.algorithms.index` writes test_NAME.py of each algorithm that has none.

Such a file holds no tests: it names where those of the algorithm are. `pytest --algorithm NAME`
runs all of them. With `--check` nothing is written; the status is 1 if a file is out of date.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from refagg.catalogue import CATALOGUE

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
MARK = "Written by `python -m tests.algorithms.index`."


OF_ALL = ("test_properties", "test_complete")


def path_of(name: str) -> Path:
    return FOLDER / f"test_{name.replace('-', '_')}.py"


def naming(name: str) -> Iterator[str]:
    """Yield the files with tests of several algorithms, this one among them."""
    wanted = re.compile(rf"[\"'({{\[ ]({name}|{name.replace('-', '_')})[\"')}}\](,\[]")
    for path in sorted(FOLDER.glob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if path.stem not in OF_ALL and MARK not in text and wanted.search(text):
            yield f"tests/algorithms/{path.name}"


def index(name: str) -> str:
    """Return the text of the file of an algorithm without tests of its own."""
    twin = name.replace("-", "_")
    lines = [
        f'"""Where the tests of {name} are.',
        "",
        f"`pytest --algorithm {name}` runs those that are for it alone.",
        "",
        *(f"- {path}" for path in naming(name)),
        f"- tests/plain/{twin}.py, the same steps again: tests/plain/test_same_*.py",
        f"- oracle/conformance/vectors/{name}.json: tests/conformance/test_vectors.py",
        f"- [[{name}]] in tests/planted/mistakes.toml: tests/auditing",
        f"- tests/black_box/records/algorithm-{name}.txt: tests/black_box",
        "- tests/algorithms/test_properties.py and test_complete.py, as of all algorithms",
        "",
        MARK,
        '"""',
    ]
    return "\n".join([*lines, ""])


def is_out_of_date(name: str) -> bool:
    """Return True if an algorithm has no file, or one that would be another one today."""
    path = path_of(name)
    text = path.read_text(encoding="utf-8") if path.exists() else MARK
    return MARK in text and text != index(name)


def main(arguments: list[str]) -> int:
    names = [name for name in CATALOGUE if is_out_of_date(name)]
    if "--check" in arguments:
        print("\n".join(names) or "all files are up to date")
        return int(bool(names))
    for name in names:
        path_of(name).write_text(index(name), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
