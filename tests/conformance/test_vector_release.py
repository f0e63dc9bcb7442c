"""The release of the vectors: its files, its bytes each time, and that it can be imported."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from oracle.commands.main import main
from oracle.conformance.vectors.files import claims, vectors_of
from oracle.conformance.vectors.release import VERSION, badge


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("release")
    assert main(["vectors", "release", str(target)]) == 0
    return target


def contents(folder: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(folder / f"refagg-vectors-{VERSION}.zip") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_manifest_tells_what_is_in_the_set(folder: Path) -> None:
    files = contents(folder)
    told = json.loads(files["manifest.json"])
    schema = Draft202012Validator(json.loads(files["vectors.schema.json"]))
    kinds = []
    for name, text in files.items():
        if name.startswith("vectors/"):
            data = json.loads(text)
            kinds += [vector["expectation"]["kind"] for vector in data["vectors"]]
            schema.validate(data | {"vectors": data["vectors"][::10]})
        if name not in ("README.md", "manifest.json"):
            assert told["files"][name]["sha256"] == hashlib.sha256(text).hexdigest(), name
    assert set(told["files"]) == set(files) - {"README.md", "manifest.json"}
    assert told["vectors"] == len(kinds) == sum(len(vectors_of(claim)) for claim in claims())
    assert told["decidable"] == sum(kind != "free" for kind in kinds)
    assert told["decidable"] / told["vectors"] > 0.81


def test_the_same_vectors_are_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    assert main(["vectors", "release", str(tmp_path)]) == 0
    for path in folder.iterdir():
        assert path.read_bytes() == (tmp_path / path.name).read_bytes(), path.name


def test_the_three_packages_have_the_same_files(folder: Path) -> None:
    files = contents(folder)
    with zipfile.ZipFile(folder / f"refagg_vectors-{VERSION}-py3-none-any.whl") as archive:
        inside = {n.partition("/")[2]: archive.read(n) for n in archive.namelist()}
    assert {name: inside[name] for name in files} == files
    with tarfile.open(folder / f"refagg-vectors-{VERSION}.tgz") as tar:
        names = {name.removeprefix("package/") for name in tar.getnames()}
    assert names == {*files, "package.json", "index.js"}


def test_the_python_package_loads_its_vectors(folder: Path, tmp_path: Path) -> None:
    """Without this project, as it would be installed."""
    with zipfile.ZipFile(folder / f"refagg_vectors-{VERSION}-py3-none-any.whl") as archive:
        archive.extractall(tmp_path)
    code = "import refagg_vectors as v; print('mdav' in v.names(), v.load('mdav')['claim'])"
    path = f"import sys; sys.path.insert(0, {str(tmp_path)!r})"
    words = [sys.executable, "-I", "-c", f"{path}; {code}"]
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.split() == ["True", "mdav"]


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed here")
def test_the_npm_package_loads_its_vectors(folder: Path, tmp_path: Path) -> None:
    with tarfile.open(folder / f"refagg-vectors-{VERSION}.tgz") as tar:
        how: Any = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # from 3.11.4 on
        tar.extractall(tmp_path, **how)
    code = "const v = require('./package'); console.log(v.load('mdav').claim, typeof v.check)"
    done = subprocess.run(
        ["node", "-e", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.split() == ["mdav", "function"]
    # As the page on how to say that you conform has it: a file of the package, by its name.
    code = "require('./package').check('mdav.json', (rows) => [rows.map((_, i) => i)])"
    done = subprocess.run(
        ["node", "-e", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert "wrong: mdav-005-n-equals-3k-less-1" in done.stdout
    assert "wrong: mdav-001-n-equals-k\n" not in done.stdout


@pytest.mark.parametrize(
    ("by_status", "colour"),
    [
        ({"passed": 5, "unsupported": 2}, "brightgreen"),
        ({"passed": 5, "failed": 1}, "red"),
        ({"passed": 5, "errored": 1}, "red"),
        ({"passed": 5, "not judged": 1}, "red"),
        ({"unsupported": 2}, "red"),
        ({}, "red"),
    ],
)
def test_a_badge_is_green_only_if_all_that_was_asked_passed(
    by_status: dict[str, int], colour: str
) -> None:
    assert badge(by_status, "mdav")["color"] == colour


def test_a_badge_is_made_of_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results, target = tmp_path / "conform.json", tmp_path / "badge.json"
    program = "tests.conformance.test_field:blocks"
    case = ["--case", "md-001-n-equals-k", "--case", "md-007-n-equals-3k-plus-1"]
    command = ["conform", "--algorithm", "md", *case, "--json", str(results), "--python", program]
    main([*command, "--quiet"])
    assert main(["vectors", "badge", str(results), str(target)]) == 0
    made = json.loads(target.read_text(encoding="utf-8"))
    assert made["schemaVersion"] == 1
    assert made["message"] == "md: 1 of 2"
    results.write_text("{}", encoding="utf-8")
    assert main(["vectors", "badge", str(results), str(target)]) == 2
    assert "oracle conform --json" in capsys.readouterr().err
