"""Release of the vectors: a zip, a Python and an npm package.

They are made by one command.

All three hold the same files: the vectors as they are here, their schema, the runners, and a
manifest with a version and a SHA-256 of each file and of the set. The same vectors give the same
bytes. Nothing of this project is needed to read them.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import tarfile
import zipfile
from collections.abc import Mapping
from gzip import GzipFile
from pathlib import Path

from oracle.conformance.vectors.files import FOLDER, texts
from refagg.data.csvfiles import write_bytes
from refagg.data.textfiles import schema_file
from refagg.errors import OutputUnwritable

VERSION = "1.0.4"
"""Of the set: the first number is that of the format, the last rises with each new vector."""

FORMAT = "refagg manifest 1"
RUNNERS = FOLDER.parent / "adapters" / "runners"
DECIDABLE = ("unique", "choice", "reject")
"""Kinds of expectations that list every right answer; a comparison decides."""

Files = dict[str, bytes]

PYTHON = '''"""Vectors of refagg: `load("mdav")` has questions for an MDAV, with right answers."""

import json
from pathlib import Path

FOLDER = Path(__file__).parent


def names():
    """Return the names of the files of vectors, one for each claim."""
    return sorted(path.stem for path in (FOLDER / "vectors").glob("*.json"))


def load(name):
    """Return the vectors of a claim, as vectors.schema.json describes them."""
    return json.loads((FOLDER / "vectors" / f"{name}.json").read_text(encoding="utf-8"))
'''

NPM = """"use strict";
// Vectors of refagg: load("mdav") is what an implementation of MDAV is asked, with the answers.
exports.load = (name) => require(`./vectors/${name}.json`);
const { existsSync } = require("node:fs");
const { check } = require("./runners/runner.js");
const path = (name) => (existsSync(name) ? name : `${__dirname}/vectors/${name}`);
exports.check = (name, group) => check(path(name), group);
"""

README = """# Vectors of refagg {version}

Questions for implementations of microaggregation algorithms, with the right answers: a file of
`vectors/` for each algorithm, in the form of `vectors.schema.json`. Of {vectors} vectors,
{decidable} ({share:.0%}) list every right answer, or must be refused. The others state the sizes of
the groups and, where all right answers have the same, the SSE. `runners/` has programs in
JavaScript, R, Java and Rust that judge a function by a file. `manifest.json` has the SHA-256 of
each file.

Records are numbered from 0, cells are texts, groups are sets. Licence: MIT.
"""


def manifest(files: Mapping[str, bytes]) -> dict[str, object]:
    """Return the manifest of the set.

    It has its version, numbers, and hashes of files and of all.
    """
    counts = {name: _counts(text) for name, text in files.items() if name.startswith("vectors/")}
    listed = {name: {"sha256": _sha256(text)} for name, text in sorted(files.items())}
    for name, (vectors, decidable) in counts.items():
        listed[name] |= {"vectors": vectors, "decidable": decidable}  # type: ignore[dict-item]
    whole = "".join(f"{entry['sha256']}  {name}\n" for name, entry in listed.items())
    return {
        "format": FORMAT,
        "version": VERSION,
        "vectors": sum(vectors for vectors, _ in counts.values()),
        "decidable": sum(decidable for _, decidable in counts.values()),
        "sha256": _sha256(whole.encode()),
        "files": listed,
    }


def _counts(text: bytes) -> tuple[int, int]:
    kinds = [vector["expectation"]["kind"] for vector in json.loads(text)["vectors"]]
    return len(kinds), sum(kind in DECIDABLE for kind in kinds)


def _sha256(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


def released_files() -> Files:
    """Return the files of the set by their names.

    The manifest and a README are among them.
    """
    files = {f"vectors/{name}": text.encode() for name, text in texts().items()}
    files["vectors.schema.json"] = schema_file("vectors").read_bytes()
    files |= {f"runners/{path.name}": path.read_bytes() for path in RUNNERS.iterdir()}
    made = manifest(files)
    share = int(str(made["decidable"])) / int(str(made["vectors"]))
    readme = README.format(share=share, **made)
    return files | {
        "README.md": readme.encode(),
        "manifest.json": (json.dumps(made, indent=1) + "\n").encode(),
    }


def release(folder: Path) -> list[Path]:
    """Write the zip, the wheel and the npm package.

    They are written into a folder. Raises OutputUnwritable.
    """
    files = released_files()
    made = {
        f"refagg-vectors-{VERSION}.zip": zipped(files),
        f"refagg_vectors-{VERSION}-py3-none-any.whl": wheel(files),
        f"refagg-vectors-{VERSION}.tgz": npm(files),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputUnwritable(f"{folder}: {error.strerror}") from None
    for name, content in made.items():
        write_bytes(folder / name, content)
    return [folder / name for name in made]


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return a zip of these files, with no times in it."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return target.getvalue()


def wheel(files: Mapping[str, bytes]) -> bytes:
    """Return a wheel with the package refagg_vectors."""
    package = {f"refagg_vectors/{name}": text for name, text in files.items()}
    package["refagg_vectors/__init__.py"] = PYTHON.encode()
    info = f"refagg_vectors-{VERSION}.dist-info"
    head = f"Metadata-Version: 2.1\nName: refagg-vectors\nVersion: {VERSION}\nLicense: MIT\n"
    about = "Summary: Vectors for implementations of microaggregation\nRequires-Python: >=3.8\n"
    kind = "Description-Content-Type: text/markdown\n\n"
    package[f"{info}/METADATA"] = (head + about + kind).encode() + files["README.md"]
    tag = "Wheel-Version: 1.0\nGenerator: refagg\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    package[f"{info}/WHEEL"] = tag.encode()
    record = [f"{name},sha256={_in_record(text)},{len(text)}" for name, text in package.items()]
    package[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,\n"]).encode()
    return zipped(package)


def _in_record(text: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()


def npm(files: Mapping[str, bytes]) -> bytes:
    """Return an npm package refagg-vectors, with no times in it."""
    facts = {
        "name": "refagg-vectors",
        "version": VERSION,
        "description": "Vectors for implementations of microaggregation",
        "license": "MIT",
        "main": "index.js",
    }
    package = {**files, "package.json": (json.dumps(facts, indent=1) + "\n").encode()}
    package["index.js"] = NPM.encode()
    target = io.BytesIO()
    with (
        GzipFile(fileobj=target, mode="wb", mtime=0) as zipped_file,
        tarfile.open(fileobj=zipped_file, mode="w") as archive,
    ):
        for name, text in sorted(package.items()):
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size, entry.mode = len(text), 0o644
            archive.addfile(entry, io.BytesIO(text))
    return target.getvalue()


def badge(by_status: Mapping[str, int], claim: str) -> dict[str, object]:
    """Return a badge in the form of shields.io.

    It is for the numbers of `oracle conform --json`.

    >>> badge({"passed": 88, "unsupported": 3}, "mdav")["message"]
    'mdav: 88 of 88'
    """
    passed = by_status.get("passed", 0)
    asked = passed + sum(by_status.get(name, 0) for name in ("failed", "errored", "not judged"))
    return {
        "schemaVersion": 1,
        "label": f"refagg vectors {VERSION.rpartition('.')[0]}",
        "message": f"{claim}: {passed} of {asked}",
        "color": "brightgreen" if passed == asked and passed else "red",
    }
