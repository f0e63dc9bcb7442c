"""Every algorithm as a function, for Python and for type checkers."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow
import pytest

import oracle
import refagg.commands.main
from refagg import functions
from refagg.catalogue import CATALOGUE
from refagg.datasets import shipped_folder
from refagg.errors import (
    InvalidK,
    InvalidMatrix,
    InvalidParameter,
    KTooLarge,
    MissingValue,
    NoCentroid,
    NotATable,
    RaggedRow,
    UnknownAlgorithm,
    UnknownColumn,
)
from refagg.functions import FUNCTIONS
from refagg.language.partition import Partition
from refagg.release.evaluation import evaluate
from refagg.release.masking import microaggregate
from tests import stubs
from tests.suites import one_in

FIRMS = shipped_folder() / "eleven-firms.csv"
ONE = shipped_folder() / "kward-fourteen.csv"
TWO_CLUSTERS = [[1, 10], [12, 30], [2, 11], [11, 31], [3, 12], [10, 35]]
"""1, 2, 3 with 10, 11, 12, and 10, 11, 12 with 30, 31, 35."""
CLUSTERS = ((0, 2, 4), (1, 3, 5))

mdav: Any = FUNCTIONS["mdav"]
kshc: Any = FUNCTIONS["kshc"]


def rows_of(path: Path) -> list[list[Decimal]]:
    return [[Decimal(c) for c in line.split(",")] for line in path.read_text().split()[1:]]


@pytest.mark.parametrize("column", [pandas.Series, polars.Series, pyarrow.array, list])
def test_a_column_of_texts_is_a_list_of_records(column: Any) -> None:
    made = refagg.kshc(column(["x", "y", "xy", "yx"]), 2, dissimilarity="oss")
    assert made.groups == ((0, 1), (2, 3))


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_function_gives_what_the_command_writes(name: str, tmp_path: Path) -> None:
    spec = CATALOGUE[name]
    path = FIRMS if spec.attributes == "any" else ONE
    report, keywords = tmp_path / "report.json", {}
    words = ["mask", str(path), "--algorithm", name, "-o", str(tmp_path / "o.csv")]
    words += ["-k", "2"] if spec.takes_k else []
    if spec.random:
        words, keywords = [*words, "--seed", "3"], {"seed": 3}
    for parameter in spec.parameters:
        if parameter.stated:
            words, keywords = [*words, "--param", f"{parameter.name}=0"], {parameter.name: 0}
    if "iterations" in inspect.signature(FUNCTIONS[spec.name.replace("-", "_")]).parameters:
        words, keywords = [*words, "--param", "iterations=9"], keywords | {"iterations": 9}
    assert refagg.commands.main.main([*words, "--json", str(report)]) == 0
    blocks = json.loads(report.read_text())["blocks"]
    k = [2] if spec.takes_k else []
    made: Any = FUNCTIONS[name.replace("-", "_")](rows_of(path), *k, **keywords)
    if spec.yields == "centres":
        groups = [sorted(group) for group in made.groups if group]
        assert sorted(groups) == sorted(blocks[0]["groups"])
    elif spec.yields == "deviations":
        cells = [line.split(",") for line in (tmp_path / "o.csv").read_text().split()[1:]]
        assert [[float(value) for value in row] for row in made] == [
            [float(cell) for cell in row] for row in cells
        ]
    else:
        parts = list(made.values()) if isinstance(made, dict) else [made]
        found = [[list(group) for group in part.groups] for part in parts]
        assert found == [block["groups"] for block in blocks]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_help_says_what_there_is_to_know(name: str) -> None:
    function = FUNCTIONS[name]
    spec = CATALOGUE[name.replace("_", "-")]
    text = function.__doc__ or ""
    assert spec.source in text
    assert spec.guarantees in text
    for tie in spec.ties:
        assert tie.meaning in text
    signature = inspect.signature(function)
    for parameter in spec.parameters:
        assert (signature.parameters[parameter.name].default is None) == parameter.stated
        assert parameter.meaning in text


def test_the_stub_is_what_the_catalogue_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Algorithms that are not in it yet are named by tests/algorithms/test_complete.py."""
    for name in CATALOGUE.copy():
        if f"\ndef {name.replace('-', '_')}(" not in stubs.STUB.read_text(encoding="utf-8"):
            monkeypatch.delitem(CATALOGUE, name)
    assert stubs.main(["--check"]) == 0


def test_a_stub_that_is_not_up_to_date_is_noticed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = tmp_path / "functions.pyi"
    other.write_text(stubs.stub().replace("gamma: Rational", "gama: Rational"))
    monkeypatch.setattr(stubs, "STUB", other)
    assert stubs.main(["--check"]) == 1


SCRIPT = """\
import oracle
import refagg
from refagg import Partition as P
from refagg.functions import fuzzy, gaussian_noise, hac, individual_ranking, kshc, mdav, v_mdav
from refagg.language.partition import Partition

rows = [[1.0, 2.0], [2.0, 3.0]]
a: Partition = mdav(rows, k=2)
a = v_mdav(rows, 2, gamma="0.2", test="plain", ties="highest", trace=True)
a = hac(rows, 2, linkage="average")
a = kshc([("a", "b"), ("b",)], 2, linkage="single", similarity=lambda a, b: 1.0)
b: dict[str, Partition] = individual_ranking(rows, 2)
c: tuple[int, ...] = fuzzy(rows, 2, seed=1).assignment
gaussian_noise(rows, seed=1)
audit: oracle.Audit = oracle.audit(rows, rows, k=1, algorithm=refagg.mdav, tolerance="1/9")
print(audit.ok, [check.status for check in audit.checks], audit.to_json())
oracle.optimum(rows, 2, standardise="none", kinds={"x1": "nominal"}, weights={"x1": "1/2"}).value
oracle.conform(["./mine", "--json"], refagg.fuzzy, without=["kinds"]).ok
oracle.hunt(lambda rows, k: [0], "mdav", k=(2, 3)).ok
oracle.verify("proof.json", rows).optimal
oracle.vectors(refagg.mdav)[0].id
d: P = refagg.microaggregate(rows, 2, refagg.mdav, ties="highest", trace=True).partition
refagg.evaluate(rows, [[0, 1]], 2, standardise="none", similarity=None)
refagg.measure(rows, rows, standardise="sample")["sse"]
refagg.compare(rows, [1, 2], algorithms=[refagg.mdav, "md"]).rows
next(refagg.reproduce("tor", arithmetic="exact"))
refagg.datasets.load("hm-seven").n
"""
WRONG = [
    'v_mdav(rows, 2, gama="0.2")',
    'mdav(rows, 2, standardize="none")',
    'mdav(rows, "2")',
    'v_mdav(rows, 2, test="cubed")',
    "v_mdav(rows, 2, gamma=[1])",
    "fuzzy(rows, 2)",
    "kshc(rows, 2, gamma=1)",
    'mdav(rows, 2, ties="first")',
    'oracle.audit(rows, rows, 3, standardize="none")',
    'oracle.audit(rows, rows, "3")',
    'oracle.audit(rows, rows, 3, anonymity="all")',
    "oracle.audit(rows, rows, 3, algorithm=3)",
    'oracle.optimum(rows, 3, method="guess")',
    "oracle.verify(3, rows)",
    'oracle.conform(lambda rows, k: [0], "mdav", without=["nothing"])',
    'oracle.hunt(lambda rows, k: [0], "mdav", gama=1)',
    "refagg.microaggregate(rows, 3, refagg.mdav, gama=1)",
    'refagg.microaggregate(rows, 3, standardise="z")',
    "refagg.evaluate(rows, [[0, 1]], [2])",
    "refagg.measure(rows, rows, similarity=3)",
    'refagg.compare(rows, 2, arithmetic="fast")',
    'refagg.reproduce("tor", arithmetic="fast")',
    "refagg.v_mdaw(rows, 2)",
]


@pytest.mark.parametrize("of", one_in(2, ["the library", "both"]))
def test_type_checkers_accept_right_calls_and_reject_wrong_ones(tmp_path: Path, of: str) -> None:
    """The judge's calls, and the library's alone, which takes less than half of the time."""
    alone = of == "the library"
    right = [x for x in SCRIPT.splitlines() if not (alone and ("oracle" in x or "audit" in x))]
    wrong = [line for line in WRONG if not (alone and "oracle" in line)]
    script = tmp_path / "script.py"
    script.write_text("\n".join([*right, *wrong]) + "\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache")]
    ran = subprocess.run([*command, str(script)], capture_output=True, text=True)
    lines = [line for line in ran.stdout.splitlines() if "error:" in line]
    first = len(right) + 1
    found = list(dict.fromkeys(int(line.split(":")[1]) for line in lines))
    assert found == list(range(first, first + len(wrong))), ran.stdout


# What data can be


def pandas_frame() -> Any:
    pandas = pytest.importorskip("pandas")
    index = pandas.Index(list("uvwxyz"), name="who")
    frame = pandas.DataFrame(TWO_CLUSTERS, columns=["age", "income"], index=index)
    return frame.assign(note=list("abcdef"))


def test_pandas_comes_back_as_pandas() -> None:
    frame = pandas_frame()
    for given in (frame, frame.astype({"age": "Int64", "income": "Float64"})):
        release = microaggregate(given, 3, mdav, quasi_identifiers=["age", "income"])
        made = release.to_frame()
        assert list(made.index) == list("uvwxyz")
        assert list(made.columns) == ["age", "income", "note"]
        assert list(made["note"]) == list("abcdef")
        assert list(made["age"]) == [2, 11] * 3
        assert list(made["income"]) == [11, 32] * 3
        assert list(given["age"]) == [1, 12, 2, 11, 3, 10]


def test_polars_comes_back_as_polars() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.from_pandas(pandas_frame())
    made = microaggregate(frame, 3, mdav, quasi_identifiers=["age", "income"]).to_frame()
    assert made.columns == ["age", "income", "note"]
    assert made["age"].to_list() == [2, 11] * 3
    assert made["note"].to_list() == list("abcdef")


def test_arrow_comes_back_as_arrow() -> None:
    arrow = pytest.importorskip("pyarrow")
    table = arrow.table({"a": [1, 12, 2, 11, 3, 10], "note": list("abcdef")})
    made = microaggregate(table, 3, mdav, quasi_identifiers=["a"]).to_frame()
    assert made.to_pydict() == {"a": [2.0, 11.0] * 3, "note": list("abcdef")}


def test_numpy_arrays_come_back_as_arrays() -> None:
    numpy = pytest.importorskip("numpy")
    array = numpy.array(TWO_CLUSTERS)
    made = microaggregate(array, numpy.int64(3), mdav).to_frame()
    assert made.tolist() == [[2, 11], [11, 32]] * 3
    structured = numpy.array(
        [(a, b, n) for (a, b), n in zip(TWO_CLUSTERS, "abcdef", strict=True)],
        dtype=[("age", "i4"), ("income", "f8"), ("note", "U1")],
    )
    made = microaggregate(structured, 3, mdav, quasi_identifiers=["age"]).to_frame()
    assert made["age"].tolist() == [2, 11] * 3
    assert made["income"].tolist() == [10, 30, 11, 31, 12, 35]
    assert made["note"].tolist() == list("abcdef")


def test_rows_and_mappings_come_back_as_they_were() -> None:
    rows: Any = [{"a": a, "b": b} for a, b in TWO_CLUSTERS]
    made = microaggregate(rows, 3, mdav).to_frame()
    assert made == [{"a": 2, "b": 11}, {"a": 11, "b": Fraction(32)}] * 3
    columns = {"a": [1, 12, 2, 11, 3, 10], "n": list("abcdef")}
    made = microaggregate(columns, 3, mdav, quasi_identifiers=["a"]).to_frame()
    assert made == {"a": [2, 11] * 3, "n": list("abcdef")}
    made = microaggregate(TWO_CLUSTERS, 3, mdav).to_frame(exact=True)
    assert made == [[Fraction(2), Fraction(11)], [Fraction(11), Fraction(32)]] * 3


def test_rows_of_mappings_have_the_same_names() -> None:
    with pytest.raises(RaggedRow, match="row 1 has no 'b'"):
        mdav([{"a": 1, "b": 2}, {"a": 1}], 1)
    with pytest.raises(RaggedRow, match="row 1 has 'c'"):
        mdav([{"a": 1}, {"a": 1, "c": 2}], 1)


@pytest.mark.parametrize("nothing", [None, float("nan"), "numpy", "pandas", Decimal("nan")])
def test_nan_and_null_are_the_same_missing_value(nothing: Any) -> None:
    if nothing == "numpy":
        nothing = pytest.importorskip("numpy").float32("nan")
    if nothing == "pandas":
        nothing = pytest.importorskip("pandas").NA
    with pytest.raises(MissingValue, match="row 1, column 'x1'"):
        mdav([[1], [nothing], [3]], 1)


def test_k_can_be_of_another_library() -> None:
    numpy = pytest.importorskip("numpy")
    assert mdav(TWO_CLUSTERS, numpy.int64(3)).groups == CLUSTERS
    for wrong in (True, 2.0, "3", numpy.float64(3), numpy.True_):
        with pytest.raises(InvalidK):
            mdav(TWO_CLUSTERS, wrong)
    with pytest.raises(KTooLarge):
        mdav(TWO_CLUSTERS, 7)


def test_a_release_has_a_short_repr() -> None:
    assert len(repr(microaggregate(TWO_CLUSTERS * 50, 3, mdav))) < 150


# Keywords


def test_a_trace_is_kept_where_it_is_asked_for() -> None:
    assert mdav(TWO_CLUSTERS, 3).trace == ()
    kept = mdav(TWO_CLUSTERS, 3, trace=True)
    assert kept == mdav(TWO_CLUSTERS, 3)
    assert [event.name for event in kept.trace][:2] == ["iteration", "last x_r"]


def test_keywords_that_do_not_apply_are_refused() -> None:
    for keywords in ({"seed": 1}, {"weights": {"a": 2}}):
        with pytest.raises(InvalidParameter):
            mdav(TWO_CLUSTERS, 3, **keywords)
    with pytest.raises(NoCentroid):
        mdav(TWO_CLUSTERS, 3, dissimilarity="oss")
    with pytest.raises(InvalidParameter, match="two ways"):
        kshc("abc", 2, similarity=[[1]], dissimilarity="oss")
    with pytest.raises(TypeError):
        mdav(TWO_CLUSTERS, 3, gama=1)


def test_kinds() -> None:
    rows = [[1, "p"], [30, "q"], [2, "p"], [31, "q"]]
    assert mdav(rows, 2, kinds={"x2": "nominal"}).groups == ((0, 2), (1, 3))


# Similarities

WORDS = ["abc", "abd", "xyz", "xyw", "abe"]


def shared_letters(a: str, b: str) -> Fraction:
    return Fraction(len(set(a) & set(b)), len(set(a) | set(b)))


def test_any_similarity_or_dissimilarity() -> None:
    """abc, abd and abe share two letters of four, xyz and xyw too, and the others none."""
    expected = ((0, 1, 4), (2, 3))
    assert kshc(WORDS, 2, similarity=shared_letters).groups == expected
    assert kshc(WORDS, 2, dissimilarity=lambda a, b: 1 - shared_letters(a, b)).groups == expected
    matrix = [[shared_letters(a, b) for b in WORDS] for a in WORDS]
    assert kshc(WORDS, 2, similarity=matrix).groups == expected
    assert kshc([tuple(w) for w in WORDS], 2, dissimilarity="levenshtein").groups == expected


@pytest.mark.parametrize(
    ("similarity", "message"),
    [
        (lambda a, b: 2, "from 0 to 1"),
        (lambda a, b: -1, "from 0 to 1"),
        (lambda a, b: float("nan"), "nan"),
        (lambda a, b: 0.5, "itself"),
        (lambda a, b: 1 if a == b else 0.5 * (a < b), "not symmetric"),
        ([[1, 0], [0, 1]], "2 rows for 5"),
    ],
)
def test_what_is_no_similarity_is_refused(similarity: Any, message: str) -> None:
    with pytest.raises(InvalidMatrix, match=message):
        kshc(WORDS, 2, similarity=similarity)


# Evaluation


def test_evaluation_of_anybodys_groups() -> None:
    """By hand: within {1, 2, 3} and {10, 11, 12} it is 2 + 2; the mean of all is 6.5."""
    rows = [[1], [2], [3], [10], [11], [12]]
    total = 2 * (Fraction(11, 2) ** 2 + Fraction(9, 2) ** 2 + Fraction(7, 2) ** 2)
    for groups in (
        [[0, 1, 2], [3, 4, 5]],
        Partition.of([[0, 1, 2], [3, 4, 5]]),
        ["a"] * 3 + ["b"] * 3,
        [0, 0, 0, 1, 1, 1],
    ):
        made = evaluate(rows, groups, 3, standardise="none")
        assert (made.sse, made.sst) == (4, total)
        assert made.sizes == {3: 2}
        assert made.k_anonymous
    assert not evaluate(rows, [[0, 1, 2, 3], [4, 5]], 3).k_anonymous
    assert functions.__all__ == sorted(FUNCTIONS)


def test_a_wrong_keyword_names_the_function() -> None:
    with pytest.raises(TypeError, match=r"^v_mdav\(\) got an unexpected keyword argument 'gama'$"):
        refagg.v_mdav([[1], [2]], 2, gama=1)  # type: ignore[call-arg]


def test_texts_without_a_dissimilarity_say_what_is_missing() -> None:
    with pytest.raises(NotATable, match="sequences need a dissimilarity or a similarity"):
        refagg.kshc(["ab", "b"], 2)


def test_an_algorithm_is_imported_without_the_others() -> None:
    script = (
        "import sys, refagg\n"
        "refagg.mdav([[1], [2], [9]], k=3)\n"
        "own = [name for name in sys.modules if name.startswith('refagg')]\n"
        "print(len(own) <= 60, 'numpy' in sys.modules, 'refagg.catalogue' in sys.modules)\n"
        "from refagg.functions import FUNCTIONS, hac, v_mdav\n"
        "print(refagg.mdav is FUNCTIONS['mdav'], refagg.v_mdav is v_mdav, hac is FUNCTIONS['hac'])"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ran.stdout.splitlines() == ["True False False", "True True True"], ran.stderr


# Options of releases


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_no_option_of_microaggregate_is_unknown(name: str) -> None:
    """Each is a keyword of the function, or refused by a sentence that names its place."""
    function = FUNCTIONS[name]
    own, whole = (set(inspect.signature(f).parameters) for f in (function, refagg.microaggregate))
    k = [2] if "k" in own else []
    for option in sorted(whole - own - {"data", "k", "algorithm"}):
        with pytest.raises(InvalidParameter, match=f"{option}= is an option of refagg.microagg"):
            function(TWO_CLUSTERS, *k, **{option: 1})


@pytest.mark.parametrize("name", ["mdav", "fuzzy", "gaussian_noise", "kshc"])
def test_an_option_of_releases_is_refused_with_its_place(name: str) -> None:
    function, seed = FUNCTIONS[name], {"seed": 1} if name in ("fuzzy", "gaussian_noise") else {}
    k = [2] if name != "gaussian_noise" else []
    others = {"aggregate": "median", "strata": [1] * 6, "blocks": [["x1"]], "drop": ["x1"]}
    others |= {"trim": "1/9", "sampling_weights": [1] * 6, "parameters": {}}
    others |= {} if name == "fuzzy" else {"constraints": ["x1 = x2"]}
    for option, value in others.items():
        told = rf"{option}= is an option of refagg.microaggregate.*refagg.{name}, {option}="
        with pytest.raises(InvalidParameter, match=told):
            function(TWO_CLUSTERS, *k, **seed, **{option: value})


def test_series_missing_and_digits_are_taken_as_microaggregate_takes_them() -> None:
    for options in (
        {"series": "sts", "times": [0, 3]},
        {"series": "euclidean"},
        {"significant_digits": 1},
        {"quasi_identifiers": ["x2"]},
        {"weights": {"x1": 9}, "kinds": {"x1": "numeric"}},
    ):
        data = {"x1": [1, 12, 2, 11, 3, 10], "x2": [10, 30, 11, 31, 12, 35]}
        expected = microaggregate(data, 3, mdav, **options).partition
        assert mdav(data, 3, **options) == expected, options
    lacking = [[None, 1], [2, 3], [None, 2], [9, 9], [2, 2], [8, 8]]
    made = mdav(lacking, 2, missing="group-apart")
    assert made == microaggregate(lacking, 2, mdav, missing="group-apart").partition
    assert made.groups == ((0, 2), (1, 4), (3, 5))
    with pytest.raises(InvalidParameter, match=r"takes reject or group-apart; write refagg.micro"):
        mdav(lacking, 2, missing="drop")
    with pytest.raises(InvalidParameter, match=r"takes reject; write refagg.microaggregate"):
        FUNCTIONS["individual_ranking"](lacking, 2, missing="group-apart")
    with pytest.raises(InvalidParameter, match="option series does not apply to records of which"):
        kshc(WORDS, 2, similarity=shared_letters, series="sts")


def test_the_confidential_attribute_is_named_and_never_chosen_in_silence() -> None:
    data = {"age": [1, 2, 3, 10, 11, 12], "wage": [1, 2, 3, 4, 5, 6]}
    function = FUNCTIONS["t_closeness_merging"]
    for t, groups in (("3/10", CLUSTERS_IN_A_ROW), ("1/4", (tuple(range(6)),))):
        for of in ("wage", 1, "1"):
            assert function(data, 3, confidential=of, t=t, standardise="none").groups == groups
        given = {"confidential": "wage", "t": t}
        made = microaggregate(data, 3, function, parameters=given, standardise="none")
        assert made.partition.groups == groups
    with pytest.raises(InvalidParameter, match="confidential is not given; name one of age"):
        function(data, 3)
    with pytest.raises(UnknownColumn, match="confidential is 'pay'; the attributes are age, wage"):
        function(data, 3, confidential="pay")
    assert function([[x] for x in data["age"]], 3).n == 6  # there is but one
    assert microaggregate([[x] for x in data["age"]], 3, function).partition.n == 6


@pytest.mark.parametrize("name", [name for name in CATALOGUE if name.startswith("t-closeness")])
def test_no_road_chooses_the_confidential_attribute_in_silence(name: str) -> None:
    frame: dict[str, list[float | None]] = {
        "age": [0, 1, 2, 10, 11, 12, None, None, None],
        "zip": [5, 4, 3, 9, 7, 8, 1, 2, 3],
        "wage": [1, 2, 3, 4, 5, 6, 7, 8, 9],
    }
    whole = {column: values[:6] for column, values in frame.items()}
    unnamed, by_name = "confidential is not given; name one of age, zip, wage", {"parameters": WAGE}
    made = microaggregate(whole, 3, name, parameters={"confidential": 2})
    assert made.partition == microaggregate(whole, 3, name, parameters=WAGE).partition
    released = made.to_frame()
    with pytest.raises(InvalidParameter, match=unnamed):
        microaggregate(whole, 3, name)
    with pytest.raises(InvalidParameter, match=unnamed):
        oracle.audit(whole, released, 3, algorithm=name)
    assert oracle.audit(whole, released, 3, algorithm=name, **by_name).ok
    [row] = refagg.compare(whole, 3, algorithms=[name]).rows
    assert (row.status, row.note) == ("skipped", f"{name}: {unnamed}")
    [row] = refagg.compare(whole, 3, algorithms=[f"{name}:confidential=wage"]).rows
    assert row.figures
    assert row.figures.partition == made.partition
    found = oracle.identify(whole, released, 3, algorithm=name, standardise="population").possible
    assert {"confidential": "wage"} in [one.parameters for one in found]
    for given in ("wage", 2):  # its number is that in the whole table, also where age is missing
        how = {"missing": "group-apart", "parameters": {"confidential": given}}
        apart = microaggregate(frame, 3, name, **how)
        assert oracle.audit(frame, apart.to_frame(), 3, algorithm=name, **how).ok
    assert all("confidential" in vector.case.parameters for vector in oracle.vectors(name))


WAGE = {"confidential": "wage"}


CLUSTERS_IN_A_ROW = ((0, 1, 2), (3, 4, 5))


@pytest.mark.parametrize(
    ("name", "function", "algorithm"),
    [
        ("mdvav", "mdav", "mdav"),
        ("MDAV", "mdav", "mdav"),
        ("V_MDAV", "v_mdav", "v-mdav"),
        ("mdav_generic", "mdav", "mdav"),
        ("fcm", "fuzzy_c_means", "fuzzy"),
        ("fuzzy c-means", "fuzzy_c_means", "fuzzy"),
        ("fuzzy_cmeans", "fuzzy_c_means", "fuzzy"),
        ("kmeans", "k_means", "k-means"),
    ],
)
def test_a_name_that_is_not_there_finds_what_was_meant(
    name: str, function: str, algorithm: str
) -> None:
    with pytest.raises(AttributeError, match=rf"did you mean refagg\.{function}\?$"):
        getattr(refagg, name)
    with pytest.raises(UnknownAlgorithm, match=f"did you mean {algorithm}\\?"):
        microaggregate([[1]], 1, name)


def test_only_one_guess_is_made() -> None:
    """Python guesses, too, where an error does not say which name was asked for."""
    script = "import refagg; refagg.mdvav"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ran.stderr.count("mean") == 1
    assert ran.stderr.endswith("refagg.mdav?\n")
