"""An option is written once: a field that is added in a copy of the library is found everywhere."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from places import copied_datasets

import oracle
import refagg
from refagg.errors import InvalidParameter, NotATable
from refagg.options import readers
from refagg.options.fields import Option, given_options, options_of, refuse, values_of
from refagg.options.grouping import Grouping
from refagg.options.layout import Layout
from refagg.options.publishing import Publishing
from refagg.spaces.dissimilarities.similarities import DISSIMILARITIES
from tests import stubs

HERE = Path(__file__).parents[2]

FIELD = """
    margin: int | None = option(
        "how many units a trimmed mean may be moved",
        read=int,
        metavar="UNITS",
        applies=(fields.TRIMMED,),
    )
"""

TRIMMED = "--aggregate trimmed-mean --trim 0.1"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the library in which Publishing has one field more."""
    folder = tmp_path_factory.mktemp("copy")
    for name in ("refagg", "docs"):
        shutil.copytree(HERE / name, folder / name, ignore=shutil.ignore_patterns("_site", "_*ed"))
    copied_datasets(folder / "datasets")
    shutil.copytree(HERE / "oracle", folder / "oracle")
    (folder / "tests").mkdir()
    shutil.copy(HERE / "tests" / "stubs.py", folder / "tests")
    file = folder / "refagg" / "options" / "publishing.py"
    file.write_text(file.read_text(encoding="utf-8").rstrip() + "\n" + FIELD, encoding="utf-8")
    assert python(folder, "-m", "tests.stubs").returncode == 0
    return folder


def python(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(folder), "COLUMNS": "100"}
    command = [sys.executable, *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def mask(folder: Path, options: str) -> subprocess.CompletedProcess[str]:
    words = f"mask datasets/eleven-firms.csv --algorithm mdav -k 3 -o out.csv {options}"
    return python(folder, "-m", "refagg", *words.split())


def test_an_option_is_on_the_command_and_in_its_help(copy: Path) -> None:
    for program, command in (("refagg", "mask"), ("oracle", "audit")):
        told = " ".join(python(copy, "-m", program, command, "--help").stdout.split())
        assert "--margin UNITS how many units a trimmed mean may be moved" in told
    assert mask(copy, f"{TRIMMED} --margin 2").returncode == 0


def test_an_option_is_a_keyword_with_its_documentation(copy: Path) -> None:
    script = (
        "import inspect, refagg\n"
        "made = refagg.microaggregate([[1], [2], [9]], 3, aggregate='trimmed-mean', trim='1/9',"
        " margin=2)\n"
        "print(made.method.margin, made.report()['margin'])\n"
        "print(inspect.signature(refagg.microaggregate).parameters['margin'])\n"
        "print('how many units a trimmed mean' in refagg.microaggregate.__doc__)\n"
    )
    ran = python(copy, "-c", script)
    assert ran.stdout.splitlines() == ["2 2", "margin=None", "True"], ran.stderr


def test_an_option_is_refused_where_it_does_not_apply(copy: Path) -> None:
    ran = mask(copy, "--margin 2 --aggregate median")
    assert ran.returncode == 2
    assert "the option margin applies to trimmed-mean; the aggregate is median" in ran.stderr


def test_an_option_is_on_the_page(copy: Path) -> None:
    script = (
        "import sys; sys.path.insert(0, 'docs'); import generate; print(generate.options_page())"
    )
    page = python(copy, "-c", script)
    entry = "`margin`, `--margin`\n: How many units a trimmed mean may be moved. Applies to trimmed"
    assert entry in page.stdout, page.stderr


@pytest.mark.long
def test_type_checkers_know_an_option(copy: Path) -> None:
    script = copy / "script.py"
    call = "refagg.microaggregate([[1]], 1, margin={})\n"
    script.write_text("import refagg\n" + call.format(2) + call.format("'two'"))
    ran = python(copy, "-m", "mypy", "--strict", "--cache-dir", str(copy / "cache"), str(script))
    lines = {line.partition(": ")[0] for line in ran.stdout.splitlines() if "error:" in line}
    assert lines in ({f"{script.name}:3"}, {f"{script}:3"}), ran.stdout


@pytest.mark.parametrize("table", [Grouping, Publishing, Layout])
def test_every_field_says_what_it_means(table: type) -> None:
    for one in fields(table):
        option = one.metadata["option"]
        assert isinstance(option, Option)
        assert option.meaning
        assert not option.meaning.endswith(".")


def test_a_value_that_is_the_default_is_not_refused() -> None:
    table = {"trim": Option("share", name="trim", applies=("trimmed-mean",))}
    unmet = {"trimmed-mean": "the aggregate is mean"}
    for value in (None, "", (), {}, False):
        refuse({"trim": value}, table, unmet)
    for value in (0, "1/9", [1]):
        with pytest.raises(InvalidParameter, match="option trim applies to trimmed-mean; the aggr"):
            refuse({"trim": value}, table, unmet)
    refuse({"trim": 1}, table, {})


def test_keywords_that_are_no_options_are_named() -> None:
    with pytest.raises(TypeError, match=r"mask\(\) got an unexpected keyword argument 'trimm'"):
        given_options({"trimm": 1}, options_of(Publishing), "mask")


def test_values_are_made_of_what_was_read() -> None:
    read = {"weight": ["x=1/2"], "columns": "a, b", "trim": None, "k": 3}
    made = values_of(read, options_of(Grouping, Publishing, Layout))
    assert made["quasi_identifiers"] == ["a", "b"]
    assert (str(made["weights"]["x"]), made["trim"], made["k"]) == ("1/2", None, 3)


def test_an_option_that_is_not_repeated_has_its_default() -> None:
    made = values_of({"weight": [], "constraint": []}, options_of(Grouping, Publishing))
    assert made == {"weights": None, "constraints": ()}


def test_the_names_of_dissimilarities_are_their_own() -> None:
    assert [one.name for one in DISSIMILARITIES.values()] == list(DISSIMILARITIES)


def test_the_stubs_of_the_judge_are_what_the_options_say() -> None:
    assert stubs.main(["--check"]) == 0


def test_a_misspelt_keyword_is_told_with_what_was_meant() -> None:
    with pytest.raises(TypeError, match=r"keyword argument 'stratum'; did you mean strata\?"):
        oracle.audit([[1]], [[1]], 1, stratum="a")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"keyword argument 'zzz'; it takes .*strata"):
        oracle.audit([[1]], [[1]], 1, zzz=1)  # type: ignore[call-arg]


def test_a_release_in_the_place_of_a_table_is_told_how_to_be_one() -> None:
    release = refagg.microaggregate([[1], [2]], 2, refagg.mdav)
    with pytest.raises(NotATable, match=r"Release is not a table; give rows, or a release"):
        oracle.audit([[1], [2]], release, 2)


def test_parameters_of_a_command() -> None:
    assert readers.parameters(["a=1", "b=x=y", "c="]) == {"a": "1", "b": "x=y", "c": ""}
    with pytest.raises(InvalidParameter, match="'a' is not of the form NAME=VALUE"):
        readers.parameters(["a"])
    with pytest.raises(InvalidParameter, match="parameter is given twice for 'a'"):
        readers.parameters(["a=1", "a=1"])


def test_no_aggregate_is_overruled_by_another() -> None:
    with pytest.raises(InvalidParameter, match="by median and by mean; give one"):
        refagg.method_of("mdav", 2, aggregate="median", aggregates={"numeric": "mean"})
    refagg.method_of("mdav", 2, aggregate="median", aggregates={"numeric": "median"})
