"""Similarities and dissimilarities of one's own: in Python, and as options of the commands."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import oracle
import oracle.commands.main
import refagg
import refagg.commands.main
from refagg.errors import InvalidKind, InvalidMatrix, InvalidParameter, MeasureFailed

ROUTES = ["a>b>c", "x>y", "a>b>d", "x>y>z", "a>b>e", "x>z"]
"""Routes 0, 2, 4 share two stops of four, 1, 3, 5 at least one; the others none."""

GROUPS = ((0, 2, 4), (1, 3, 5))

MEASURES = '''
from fractions import Fraction

def shared(a, b):
    """Jaccard's similarity of the stops."""
    return Fraction(len(set(a) & set(b)), len(set(a) | set(b)))

def apart(a, b):
    return 1 - shared(a, b)

def order(a, b):
    return 0 if a == b else 0.25 + 0.5 * (a < b)

def negative(a, b):
    return 0 if a == b else -1

def nothing(a, b):
    return 0 if a == b else float("nan")

def endless(a, b):
    return 0 if a == b else float("inf")

def itself(a, b):
    return 1

def half(a, b):
    return 0.5
'''

space: dict[str, Any] = {}
exec(MEASURES, space)
shared, apart = space["shared"], space["apart"]

KINDS: dict[str, Any] = {"kinds": {"route": "sequence:>"}}


def matrix(function: Any) -> list[list[Any]]:
    routes = [tuple(route.split(">")) for route in ROUTES]
    return [[function(a, b) for b in routes] for a in routes]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the routes, the functions and their matrices, where commands are run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "own_measures_here.py").write_text(MEASURES)
    (tmp_path / "in.csv").write_text("route\n" + "\n".join(ROUTES) + "\n")
    for name, function in (("apart", apart), ("shared", shared)):
        lines = [",".join(map(str, row)) for row in matrix(function)]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n")
    return tmp_path


OPTIONS = [
    ["--dissimilarity", "own_measures_here:apart"],
    ["--similarity", "own_measures_here:shared"],
    ["--dissimilarity", "apart.csv"],
    ["--similarity", "shared.csv"],
]
ROUTE = ["--kind", "route=sequence:>"]


@pytest.mark.parametrize("options", OPTIONS)
def test_commands_take_any_measure(here: Path, options: list[str]) -> None:
    """Masked by it, measured by it, audited by it; three commands agree with Python."""
    words = ["mask", "in.csv", "-k", "3", "-o", "out.csv", "--algorithm", "kshc", *ROUTE]
    assert refagg.commands.main.main([*words, "--json", "mask.json", *options]) == 0
    made = json.loads((here / "mask.json").read_text())
    assert tuple(map(tuple, made["groups"])) == GROUPS
    words = ["measure", "in.csv", "out.csv", *ROUTE, *options, "--json", "measure.json"]
    assert refagg.commands.main.main(words) == 0
    measured = json.loads((here / "measure.json").read_text())
    # By hand: 0 2 4 differ by 1/2 each; 1 3 by 1/3, 1 5 by 2/3, 3 5 by 1/3.
    within = Fraction(3, 2) / 3 + Fraction(4, 3) / 3
    assert Fraction(measured["within_dissimilarity"]["exact"]) == within
    assert measured["within_dissimilarity"] == made["within_dissimilarity"]
    words = ["audit", "in.csv", "out.csv", "-k", "3", "--algorithm", "kshc", *ROUTE, *options]
    assert oracle.commands.main.main(words) == 0


@pytest.mark.parametrize(
    "keywords",
    [
        {"dissimilarity": apart},
        {"similarity": shared},
        {"dissimilarity": matrix(apart)},
        {"similarity": matrix(shared)},
    ],
)
def test_functions_take_any_measure(keywords: dict[str, Any]) -> None:
    data = {"route": ROUTES}
    assert refagg.kshc(data, 3, **KINDS, **keywords).groups == GROUPS
    release = refagg.microaggregate(data, 3, "kshc", **KINDS, **keywords)
    assert release.partition.groups == GROUPS
    within = Fraction(3, 2) / 3 + Fraction(4, 3) / 3
    assert release.sse == within
    assert refagg.evaluate(data, GROUPS, 3, **KINDS, **keywords).sse == within
    assert oracle.optimum(data, 3, **KINDS, **keywords).value == within
    # The first of the medoids: 0, 2 and 4 are equally near, 3 is nearer to 1 and 5 than they.
    released = {"route": ["a>b>c", "x>y>z"] * 3}
    assert oracle.audit(data, released, 3, algorithm="kshc", **KINDS, **keywords).ok
    wrong = {"route": ["a>b>c", "x>y"] * 3}
    made = oracle.audit(data, wrong, 3, algorithm="kshc", **KINDS, **keywords)
    assert [check.name for check in made.checks if check.status == "fails"] == ["aggregates"]


WRONG = [
    ("dissimilarity", "order", "not symmetric"),
    ("dissimilarity", "negative", "less than 0"),
    ("dissimilarity", "nothing", "nan"),
    ("dissimilarity", "endless", "inf"),
    ("dissimilarity", "itself", "record 0 from itself is 1"),
    ("similarity", "half", "record 0 with itself is 1/2; it must be 1"),
    ("similarity", "negative", "from 0 to 1"),
    ("similarity", "nothing", "nan"),
]


@pytest.mark.parametrize(("option", "name", "message"), WRONG)
def test_what_is_no_measure_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str], option: str, name: str, message: str
) -> None:
    """By functions and by all three commands, before anything is written; records are named."""
    data, keywords = {"route": ROUTES}, {option: space[name]}
    calls = [
        lambda: refagg.kshc(data, 3, **KINDS, **keywords),
        lambda: refagg.evaluate(data, GROUPS, 3, **KINDS, **keywords),
        lambda: refagg.microaggregate(data, 3, "kshc", **KINDS, **keywords),
        lambda: oracle.audit(data, data, 1, **KINDS, **keywords),
        lambda: oracle.optimum(data, 3, **KINDS, **keywords),
    ]
    for call in calls:
        with pytest.raises(InvalidMatrix, match=message) as raised:
            call()
        assert any(mark in str(raised.value) for mark in ("record", "(0, 1)", "(1, 0)"))
    options = [*ROUTE, f"--{option}", f"own_measures_here:{name}"]
    mask = ["mask", "in.csv", "-k", "3", "-o", "out.csv", "--algorithm", "kshc", *options]
    assert refagg.commands.main.main(mask) == 2
    assert refagg.commands.main.main(["measure", "in.csv", "in.csv", *options]) == 2
    assert oracle.commands.main.main(["audit", "in.csv", "in.csv", "-k", "1", *options]) == 2
    assert capsys.readouterr().err.count(message) == 3
    assert not (here / "out.csv").exists()


def numpy_scalars() -> list[Callable[[Any], Any]]:
    """What a measure written with NumPy returns."""
    numpy = pytest.importorskip("numpy")
    return [numpy.float64, numpy.float32, numpy.int64, numpy.uint8]


def test_measures_return_scalars_of_numpy() -> None:
    """By hand: abd is 1 from abc, and so on; all types give the same numbers."""
    words = ["abc", "abd", "xyz", "xyw", "abe"]

    def different(a: str, b: str) -> int:
        return sum(x != y for x, y in zip(a, b, strict=True))

    for scalar in numpy_scalars():
        found = refagg.kshc(words, 2, dissimilarity=lambda a, b, of=scalar: of(different(a, b)))
        assert found.groups == ((0, 1, 4), (2, 3))
        if "float" in scalar.__name__:
            same = refagg.kshc(words, 2, similarity=lambda a, b, of=scalar: of(a[0] == b[0]))
            assert same.groups == ((0, 1, 4), (2, 3))


def test_an_error_inside_a_measure_names_the_two_records() -> None:
    def strange(a: str, b: str) -> float:
        return 1 / (a == b or {a, b} != {"abd", "xyw"})

    with pytest.raises(MeasureFailed, match="records 1 and 3 raised ZeroDivisionError") as raised:
        refagg.kshc(["abc", "abd", "xyz", "xyw", "abd"], 2, dissimilarity=strange)
    assert isinstance(raised.value.__cause__, ZeroDivisionError)
    with pytest.raises(MeasureFailed, match="raised SystemExit"):
        refagg.kshc(["abc", "abd", "xyz", "xyw"], 2, dissimilarity=lambda a, b: sys.exit(0))
    with pytest.raises(MeasureFailed, match="raised SystemExit"):
        oracle.optimum(["abc", "abd", "xyz", "xyw"], 2, cost=lambda group: sys.exit(0))


def test_options_that_make_no_sense(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mask = ["mask", "in.csv", "-k", "3", "-o", "out.csv", "--algorithm", "kshc"]
    (here / "short.csv").write_text("0,1\n1,0\n")
    (here / "words.csv").write_text("0,one\none,0\n")
    for options, message in (
        (["--dissimilarity", "hamming", "--similarity", "shared.csv", *ROUTE], "two ways"),
        (["--dissimilarity", "odd", *ROUTE], "oss, hamming"),
        (["--dissimilarity", "odd:odd", *ROUTE], "cannot be loaded"),
        (["--dissimilarity", "short.csv", *ROUTE], "2 rows for 6 records"),
        (["--dissimilarity", "words.csv", *ROUTE], "line 1, value 2"),
        (["--dissimilarity", "none.csv", *ROUTE], "none.csv"),
        (["--similarity", "oss", *ROUTE], "module:function or a file.csv"),
        (["--similarity", "shared.csv", "--kind", "route=nominal"], "0 attributes hold sequences"),
        (["--similarity", "shared.csv"], "--similarity needs attributes declared by --kind"),
    ):
        assert refagg.commands.main.main([*mask, *options]) == 2
        assert message in capsys.readouterr().err
    assert not (here / "out.csv").exists()


def test_a_matrix_is_one_of_sequences() -> None:
    twice = {"route": ["a>b", "a>b"]}
    with pytest.raises(InvalidMatrix, match="records 0 and 1 have the same sequence"):
        oracle.audit(twice, twice, 1, **KINDS, dissimilarity=[[0, 1], [1, 0]])
    equal: Any = [[0, 0], [0, 0]]
    measured = refagg.measure(twice, {"route": ["q", "q"]}, **KINDS, dissimilarity=equal)
    assert measured["record_linkage"] is None
    with pytest.raises(InvalidParameter, match="two ways"):
        refagg.evaluate(twice, [[0, 1]], 1, **KINDS, similarity=shared, dissimilarity=apart)
    with pytest.raises(InvalidParameter, match="declared kinds; none are declared"):
        refagg.evaluate([[1], [2]], [[0, 1]], 1, similarity=shared)


def test_groups_that_must_be_together_may_be_cheaper_undivided() -> None:
    """Pairs (0, 1) and (2, 3) are 1 apart, all others 0: 2/4 as one group, 1/2 + 1/2 as two."""

    def far(x: Any, y: Any) -> int:
        return int({x, y} in ({("a",), ("b",)}, {("c",), ("d",)}))

    data = {"route": ["a", "b", "c", "d"]}
    found = oracle.optimum(data, 2, together=[(0, 1), (2, 3)], dissimilarity=far, **KINDS)
    assert (found.value, len(found.partition.groups)) == (Fraction(1, 2), 1)
    assert oracle.optimum(data, 2, dissimilarity=far, **KINDS).value == 0


PLAIN = [[1, 2], [2, 3], [5, 6], [7, 8]]


@pytest.mark.parametrize("keyword", ["similarity", "dissimilarity", "weights"])
def test_an_array_without_kinds_is_refused(keyword: str) -> None:
    """An array has no truth value of its own."""
    numpy = pytest.importorskip("numpy")
    with pytest.raises(InvalidParameter, match=f"{keyword} applies to attributes of declared"):
        oracle.audit(PLAIN, PLAIN, 2, **{keyword: numpy.eye(4)})


def test_strata_in_an_array_are_refused_beside_fuzzy() -> None:
    numpy = pytest.importorskip("numpy")
    with pytest.raises(InvalidParameter, match="strata applies to groups; fuzzy forms none"):
        oracle.audit(PLAIN, PLAIN, 2, algorithm="fuzzy", strata=numpy.array([0, 0, 1, 1]))


def test_the_optimum_is_refused_beside_fuzzy() -> None:
    with pytest.raises(InvalidParameter, match="optimum applies to groups; fuzzy forms none"):
        oracle.audit(PLAIN, PLAIN, 2, algorithm="fuzzy", optimum=True)


@pytest.mark.parametrize("keyword", ["similarity", "dissimilarity"])
@pytest.mark.parametrize("given", [3, [1, 0, 0, 0, 0, 0]])
def test_what_has_no_rows_is_no_matrix(keyword: str, given: Any) -> None:
    rows = {"route": ROUTES}
    own = {keyword: given, **KINDS}
    for call in (
        lambda: refagg.microaggregate(rows, k=3, algorithm="md", **own),
        lambda: refagg.measure(rows, rows, **own),
        lambda: oracle.audit(rows, rows, 3, **own),
        lambda: oracle.optimum(rows, 3, **own),
    ):
        with pytest.raises(InvalidMatrix, match="is not a matrix"):
            call()


@pytest.mark.parametrize("given", [[1], 3, "route"])
def test_weights_without_names_are_refused(given: Any) -> None:
    rows, own = {"route": ROUTES}, {"weights": given, **KINDS}
    for call in (
        lambda: refagg.microaggregate(rows, k=3, algorithm="md", **own),
        lambda: refagg.measure(rows, rows, **own),
        lambda: refagg.compare(rows, k=[3], algorithms=["md"], **own),
        lambda: oracle.audit(rows, rows, 3, **own),
        lambda: oracle.optimum(rows, 3, **own),
    ):
        with pytest.raises(InvalidParameter, match="each with the name of its attribute"):
            call()


@pytest.mark.parametrize("given", [["mode"], "mode"])
def test_aggregates_without_kinds_are_refused(given: Any) -> None:
    rows, own = {"route": ROUTES}, {"aggregates": given, **KINDS}
    for call in (
        lambda: refagg.microaggregate(rows, k=3, algorithm="md", **own),
        lambda: oracle.audit(rows, rows, 3, **own),
    ):
        with pytest.raises(InvalidParameter, match="an operator for each kind"):
            call()


def test_a_kind_is_a_text() -> None:
    with pytest.raises(InvalidKind, match="it must be a text"):
        oracle.audit({"route": ROUTES}, {"route": ROUTES}, 3, kinds={"route": 3})


def test_a_released_sequence_of_which_a_matrix_says_nothing_is_judged() -> None:
    """No medoid is a sequence that no record has; only record linkage would compare it."""
    rows, far = (
        [["a>b"], ["a>c"], ["b>c"], ["c"]],
        [[0, 1, 2, 3], [1, 0, 4, 2], [2, 4, 0, 1], [3, 2, 1, 0]],
    )
    kinds = {"x1": "sequence:>"}
    for wrong, check in ((["z>q", "z>q"], "aggregates"), (["z>q", "a>b"], "k-anonymous")):
        released = [[one] for one in [*wrong, "b>c", "b>c"]]
        made = oracle.audit(rows, released, 2, kinds=kinds, dissimilarity=far)
        assert check in {one.name for one in made.checks if one.status == "fails"}


def test_a_wrong_measure_of_a_released_sequence_is_named() -> None:
    """It is the caller's mistake, and no measure that is undefined."""

    def far(a: Any, b: Any) -> int:
        return -1 if "z" in (*a, *b) and a != b else int(a != b)

    released = [["z>q"], ["z>q"], ["b>c"], ["b>c"]]
    rows = [["a>b"], ["a>c"], ["b>c"], ["c"]]
    with pytest.raises(InvalidMatrix, match="-1"):
        oracle.audit(rows, released, 2, kinds={"x1": "sequence:>"}, dissimilarity=far)
