"""What every command prints and writes on the shipped data, recorded.

`python -m tests.black_box.records` compares today's outputs with the records and prints what
differs (status 1); `--write` renews them, so that a change of output is seen in the history.
Both take the names of topics. What differs from run to run (seconds, what they bound) is masked.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path
from unittest import mock

from refagg.catalogue import CATALOGUE
from refagg.datasets import shipped_folder

from .scripts import FILES, TOPICS
from .session import run

RECORDS = Path(__file__).parent / "records"
SECONDS = [
    (re.compile(r"\b\d+\.\d+ s\b"), "_ s"),
    (re.compile(r',\s*"run": \{\s*"date".*?"peak_memory_bytes": \w+\s*\}', re.S), ""),
    (re.compile(r'("seconds": )[-\d.e]+'), r"\1_"),
    (re.compile(r",[\d.e-]+,(exact|float),"), r",_,\1,"),
    (re.compile(r"( \d+ +\d+ +\d+ +\d+ +)\d+\.\d\d$", re.M), r"\1_"),
    (re.compile(r"\d+( questions in _ s, )\d+( of them .*: \d+ failed, )\d+(?= pass)"), r"_\1_\2_"),
    (re.compile(r'("questions": )\d+(,\s*"by_status": \{\s*"passed": )\d+'), r"\g<1>0\g<2>0"),
]
"""The last two are of hunts: how many questions make a finding smaller is bounded by time."""
LONGEST = 20_000
"""The most characters of a file that are recorded as they are."""
LONGEST_OUTPUT = 200_000
"""The same of what a line prints: the list of all vectors is also in their files, for readers."""


def recorded(topic: str) -> str:
    """Run the lines of a topic in a new folder; all that they print and write, as one text."""
    os.environ["COLUMNS"] = "100"  # the width of --help
    with mock.patch.dict(os.environ):
        os.environ.pop("REFAGG_DATA", None)
        return _recorded(topic)


def _recorded(topic: str) -> str:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ignored = shutil.ignore_patterns("certificates")
        shutil.copytree(shipped_folder(), folder / "datasets", ignore=ignored)
        for file, text in FILES.items():
            (folder / file).write_text(text, encoding="utf-8")
        seen = _files(folder)
        parts = []
        for line in TOPICS[topic]:
            ran = run(line, folder)
            out = ran.out if len(ran.out) <= LONGEST_OUTPUT else _digest(ran.out.encode())
            parts.append(f"$ {line}\n{out}{_marked('! ', ran.err)}[status {ran.status}]\n")
            now = _files(folder)
            parts += [f"--- {file}\n{now[file]}" for file in now if now[file] != seen.get(file)]
            seen = now
        return _masked("\n".join(parts).replace(str(folder), "FOLDER"))


def _files(folder: Path) -> dict[str, str]:
    paths = sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and not {"datasets", "__pycache__"}.intersection(path.parts)
    )
    return {str(path.relative_to(folder)): _content(path) for path in paths}


def _content(path: Path) -> str:
    raw = path.read_bytes()
    if len(raw) > LONGEST or b"\0" in raw:
        return _digest(raw)
    return raw.decode("utf-8")


def _digest(raw: bytes) -> str:
    return f"{len(raw)} bytes, sha256 {hashlib.sha256(raw).hexdigest()}\n"


def _marked(mark: str, text: str) -> str:
    return "".join(f"{mark}{line}\n" for line in text.splitlines())


def _masked(text: str) -> str:
    for pattern, replacement in SECONDS:
        text = pattern.sub(replacement, text)
    return text


def is_recorded(topic: str) -> bool:
    return (RECORDS / f"{topic}.txt").exists()


def difference(topic: str) -> list[str]:
    """The lines in which today's output of a topic differs from its record.

    Lists of the catalogue are compared without algorithms that have no record of their own.
    """
    before = (RECORDS / f"{topic}.txt").read_text(encoding="utf-8") if is_recorded(topic) else ""
    with mock.patch.dict(CATALOGUE):
        for name in [name for name in CATALOGUE if not is_recorded(f"algorithm-{name}")]:
            if topic != f"algorithm-{name}":
                del CATALOGUE[name]
        today = recorded(topic)
    return list(
        difflib.unified_diff(
            before.splitlines(), today.splitlines(), "recorded", "today", lineterm=""
        )
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("topics", nargs="*", metavar="TOPIC", help="default: all")
    parser.add_argument("--write", action="store_true", help="renew the records")
    given = parser.parse_args()
    found = False
    for topic in given.topics or TOPICS:
        if given.write:
            (RECORDS / f"{topic}.txt").write_text(recorded(topic), encoding="utf-8")
            continue
        lines = difference(topic)
        found = found or bool(lines)
        print("\n".join([f"{topic}: {'differs' if lines else 'as recorded'}", *lines]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
