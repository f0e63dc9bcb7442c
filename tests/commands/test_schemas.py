"""The JSON that commands write is what the schemas say: of every command, by its recorded lines."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from black_box.records import RECORDS
from places import ROOT

import oracle.commands.main
import refagg.commands.main
from refagg.commands.options import declare
from refagg.commands.starting import Parser
from refagg.data.textfiles import schema_file

jsonschema = pytest.importorskip("jsonschema")

FILES = sorted((ROOT / "refagg" / "schemas").glob("*.json"))
SCHEMAS = [json.loads(path.read_text(encoding="utf-8")) for path in FILES]
FORMAT = re.compile(r'"(refagg [a-z ]+ [0-9]+)"')
NOT_WRITTEN = {"refagg printed 1"}
"""Formats of files that ship, and that no command writes."""


def formats_of(schema: Any) -> set[str]:
    """The values that a schema allows for `format`."""
    if isinstance(schema, list):
        return set().union(*map(formats_of, schema))
    if not isinstance(schema, dict):
        return set()
    own = schema.get("properties", {}).get("format", {}).get("const")
    return {own} if own else set().union(*map(formats_of, schema.values()))


def closed(schema: Any) -> Any:
    """The schema that refuses members which it does not describe."""
    if isinstance(schema, list):
        return list(map(closed, schema))
    if not isinstance(schema, dict):
        return schema
    made = {name: closed(value) for name, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        made = {"additionalProperties": False} | made
    return made


VALIDATORS = {
    name: jsonschema.Draft202012Validator(closed(schema))
    for schema in SCHEMAS
    for name in formats_of(schema)
}


def check(data: Any) -> None:
    VALIDATORS[data["format"]].validate(data)


def written() -> Iterator[tuple[str, str, Any]]:
    """The JSON files, and what `--json` alone prints, of each line of the records: its command."""
    for path in sorted(RECORDS.glob("*.txt")):
        text = re.sub(r'("seconds": )_', r"\g<1>0", path.read_text(encoding="utf-8"))
        for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
            line, _, rest = part.partition("\n")
            if line.endswith("--json"):
                yield line, "", json.loads(rest.partition("\n[status")[0])
            for file in re.split(r"^--- ", rest, flags=re.M)[1:]:
                name, _, content = file.partition("\n")
                if name.endswith(".json"):
                    yield line, name, json.loads(content)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.partition(".")[0])
def test_a_schema_is_one_and_follows_the_convention(path: Path) -> None:
    schema = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    name = path.name.removesuffix(".schema.json")
    assert path == schema_file(name)
    version = schema["$id"].removeprefix(f"urn:refagg:{name}:")
    assert f"refagg {name.replace('-', ' ')} {version}" in formats_of(schema)
    assert schema["title"].endswith(f", version {version}")


def test_each_format_of_the_code_has_a_schema() -> None:
    named = set()
    for folder in ("refagg", "oracle"):
        for path in (ROOT / folder).rglob("*.py"):
            found = re.search(r'^(?:FORMAT|SEVERAL) = "(.*)"$', text := path.read_text(), re.M)
            named |= {*FORMAT.findall(text)} if found or '"format": "' in text else set()
    assert named > {"refagg audit 2", "refagg mask 1"}
    before = {name for name in named if name not in VALIDATORS}
    assert all(int(name.split()[-1]) < newest(name) for name in before - NOT_WRITTEN), before


def newest(name: str) -> int:
    """The version of the schema of a format; 0 if there is none."""
    stem = name.rpartition(" ")[0]
    return max([int(o.split()[-1]) for o in VALIDATORS if o.rpartition(" ")[0] == stem], default=0)


def test_all_that_is_recorded_is_what_the_schemas_say() -> None:
    seen = set()
    for line, name, data in written():
        try:
            check(data)
        except (KeyError, TypeError, jsonschema.ValidationError) as error:
            pytest.fail(f"{line}: {name}: {error}")
        seen.add(data["format"])
    assert seen >= set(VALIDATORS) - {"refagg field 1", "refagg fields 1", "refagg manifest 1"}


def test_each_command_that_writes_json_is_recorded() -> None:
    lines = {tuple(line.split()[:2]) for line, name, _ in written()}
    for program, main in {"refagg": refagg.commands.main, "oracle": oracle.commands.main}.items():
        for command, (package, _) in main.COMMANDS.items():
            parser = Parser()
            declare(parser, package, command)
            if "--json" in parser.format_help():
                assert (program, command) in lines


def test_the_data_of_reports_is_what_the_schemas_say(tmp_path: Path) -> None:
    for module in ("jinja2", "matplotlib"):
        pytest.importorskip(module)
    table = str(ROOT / "datasets" / "nine-records.csv")
    asked = ["--algorithm", "mdav", "--python", "refagg:mdav"]
    for words in (
        ["audit", table, table, "-k", "2"],
        ["audit", table, table, table, "-k", "2"],
        ["conform", *asked, "--case", "mdav-007-n-equals-3k-plus-1"],
        ["field", "mdav-c", "--from"],
    ):
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        oracle.commands.main.main([*words, "--report", str(folder)])
        check(json.loads((folder / "results.json").read_text(encoding="utf-8")))


def test_a_function_of_no_file_is_judged(tmp_path: Path) -> None:
    """The module `builtins` has no file."""
    made = tmp_path / "made.json"
    words = ["--python", "builtins:sorted", "--quiet", "--json", str(made)]
    status = oracle.commands.main.main(["conform", "--algorithm", "mdav", *words])
    data = json.loads(made.read_text(encoding="utf-8"))
    check(data)
    assert (status, data["by_status"]["passed"]) == (1, 0)


def test_certificates_are_what_their_schema_says(tmp_path: Path) -> None:
    """One of vectors, and two that ship."""
    pytest.importorskip("pulp")
    pytest.importorskip("numpy")
    made = tmp_path / "vectors.json"
    words = ["-k", "3", "--method", "semidefinite", "--quiet", "--certificate"]
    table = str(ROOT / "datasets" / "hm-seven.csv")
    oracle.commands.main.main(["optimum", table, *words, str(made)])
    assert "vectors" in json.loads(made.read_text(encoding="utf-8"))["proof"]
    check(json.loads(made.read_text(encoding="utf-8")))
    for path in (ROOT / "datasets" / "certificates").glob("tarragona-[56].json.gz"):
        check(json.loads(gzip.decompress(path.read_bytes())))


@pytest.mark.parametrize("name", sorted(VALIDATORS))
def test_a_member_that_is_missing_or_unknown_is_found(name: str) -> None:
    """Of each format that is recorded, take away and add one member."""
    data = next((d for _, _, d in written() if d["format"] == name), None)
    if data is None:
        pytest.skip("in other tests")
    for changed in ({"format": name}, data | {"another": 1}, data | {"format": "refagg 0"}):
        with pytest.raises(jsonschema.ValidationError):
            VALIDATORS[name].validate(changed)
