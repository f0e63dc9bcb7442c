"""The JSON of audits: what the schema says, and files of the version before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from places import ROOT

import oracle
from oracle.commands.main import main
from refagg.data.textfiles import schema_file
from refagg.errors import FileUnreadable, InvalidAudit

BEFORE = {
    "format": "refagg audit 1",
    "verdict": "holds",
    "blocks": [{"attributes": ["x"], "rungs": [{"name": "well formed", "status": "holds"}]}],
    "together": [],
}


@pytest.mark.parametrize("releases", [1, 2])
def test_files_are_what_the_schema_says(releases: int, tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    made = tmp_path / "audit.json"
    wrong = "nine-records.csv" if releases == 1 else "eleven-firms.csv"
    table = str(ROOT / "datasets" / wrong)
    main(
        ["audit", table, *[table] * releases, "-k", "2", "--algorithm", "mdav", "--json", str(made)]
    )
    schema = json.loads(schema_file("audit").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    data = json.loads(made.read_text(encoding="utf-8"))
    jsonschema.validate(data, schema)
    assert oracle.read_audit(made) == data
    first = data["audits"][0] if releases == 2 else data
    for key in ("rungs", "check"):
        first["blocks"][0][key] = first["blocks"][0].pop("checks", [])
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(data, schema)


def test_a_file_of_the_version_before_is_read(tmp_path: Path) -> None:
    made = tmp_path / "audit.json"
    made.write_text(json.dumps(BEFORE), encoding="utf-8")
    found = oracle.read_audit(made)
    assert (found["format"], found["verdict"]) == ("refagg audit 2", "holds")
    assert found["blocks"] == [
        {"attributes": ["x"], "checks": [{"name": "well formed", "status": "holds"}]}
    ]
    made.write_text(json.dumps({"format": "refagg audits 1", "audits": [BEFORE]}), encoding="utf-8")
    assert oracle.read_audit(made) == {"format": "refagg audits 2", "audits": [found]}


@pytest.mark.parametrize(
    ("given", "named"),
    [("{", "is not JSON"), ("[]", "format is None"), ('{"format": "refagg audit 3"}', "audit 3")],
)
def test_what_is_no_audit_is_rejected(given: Any, named: str, tmp_path: Path) -> None:
    made = tmp_path / "audit.json"
    made.write_text(given, encoding="utf-8")
    with pytest.raises(InvalidAudit, match=named):
        oracle.read_audit(made)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileUnreadable):
        oracle.read_audit(tmp_path / "nothing.json")
