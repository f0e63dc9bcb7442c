"""l-diversity and t-closeness as checks: definitions by hand, by enumeration, and by transport."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import exp, log
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

import oracle
from oracle.commands.main import main
from refagg.errors import InvalidParameter, MissingValue, NotANumber, ShapeMismatch, UnknownCategory

ROWS = [[1]] * 4 + [[2]] * 4
ILL = ["flu", "flu", "flu", "cold", "flu", "cold", "gout", "gout"]


def check(values: Sequence[Any], rows: Any = ROWS, kinds: Any = None, **promise: Any) -> Any:
    confidential = {"ill": list(values)}
    made = oracle.audit_release(rows, 2, confidential=confidential, kinds=kinds, **promise)
    return made.checks[-1]


@pytest.mark.parametrize(
    ("promise", "status"),
    [
        ("distinct:2", "holds"),
        ("distinct:3", "fails"),
        # the first class has 3 and 1 of 4: its entropy is that of 1.7548 equal values
        ("entropy:1.75", "holds"),
        ("entropy:1.76", "fails"),
        # 3 < c 1 where c > 3; the second class has 2, 1 and 1: 2 < c 2
        ("recursive:2", "fails"),
        ("recursive:2:3", "fails"),
        ("recursive:2:3.001", "holds"),
        ("recursive:1:0.751", "holds"),
        ("recursive:1:3/4", "fails"),
    ],
)
def test_definitions_of_diversity_by_hand(promise: str, status: str) -> None:
    assert check(ILL, l_diversity=promise).status == status


def test_the_witness_is_the_worst_class() -> None:
    found = check(ILL, l_diversity="distinct:3")
    assert found.witness == ("records 0 1 2 3: flu (3), cold (1)",)
    assert found.name == "distinct diversity (l = 3) of ill"
    assert found.summary == "l reached 2; 1 of 2 classes of equal rows break it"
    assert found.details == {"l_reached": 2, "classes": 1}


def test_entropy_at_the_limit_is_decided_exactly() -> None:
    assert check(["a", "b", "c", "d"] * 2, l_diversity="entropy:4").status == "holds"
    more = Fraction(4) + Fraction(1, 10**15)
    assert check(["a", "b", "c", "d"] * 2, l_diversity=f"entropy:{more}").status == "fails"


@pytest.mark.parametrize(
    ("promise", "values", "distance"),
    [
        # shares of the class 1/2, 1/2, 0, 0 against 1/4 each
        ("equal", [1, 1, 2, 2, 3, 3, 4, 4], "1/2"),
        # |1/4| + |1/2| + |1/4|, by 3
        ("ordered", [1, 1, 2, 2, 3, 3, 4, 4], "1/3"),
        ("ordered", [1, 1, 4, 4, 2, 2, 3, 3], "1/6"),
        ("ordered", [1, 2, 3, 4, 1, 2, 3, 4], "0"),
        ("ordered", [7] * 8, "0"),
        ("equal", [7] * 8, "0"),
        # the values farthest apart, each by itself
        ("ordered", [1, 1, 1, 1, 2, 2, 2, 2], "1/2"),
    ],
)
def test_closeness_by_hand(promise: str, values: list[int], distance: str) -> None:
    found = check(values, t_closeness=f"{promise}:{distance}")
    assert (found.status, found.details["t_reached_exact"]) == ("holds", distance)
    if distance != "0":
        less = Fraction(distance) - Fraction(1, 10**12)
        assert check(values, t_closeness=f"{promise}:{less}").status == "fails"


def test_ordered_categories_are_in_their_declared_order() -> None:
    values = ["low"] * 2 + ["mid"] * 4 + ["high"] * 2
    kinds = {"ill": "ordinal:low<none<mid<high"}
    # of the first class |2/4 - 2/8| + |1 - 6/8|, by 2: "none" does not occur
    found = check(values, kinds=kinds, t_closeness="ordered:1/4")
    assert (found.status, found.details["t_reached_exact"]) == ("holds", "1/4")
    with pytest.raises(InvalidParameter, match="ill=ordinal:low<high"):
        check(values, t_closeness="ordered:1/4")
    with pytest.raises(UnknownCategory, match="record 2"):
        check(values, kinds={"ill": "ordinal:low<high"}, t_closeness="ordered:1/4")


classes = st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=5), min_size=1, max_size=4)


@settings(deadline=None, max_examples=60)
@given(classes)
def test_closeness_is_the_least_transport(groups: list[list[int]]) -> None:
    """The earth mover's distance by its definition, as a linear program."""
    values = [value for group in groups for value in group]
    rows = [[number] for number, group in enumerate(groups) for _ in group]
    order = sorted(set(values))
    m = len(order)
    for name, unit in (("ordered", max(m - 1, 1)), ("equal", 1)):
        expected = 0.0
        for group in groups:
            p = [group.count(v) / len(group) for v in order]
            q = [values.count(v) / len(values) for v in order]
            apart = [
                abs(i - j) if name == "ordered" else i != j for i in range(m) for j in range(m)
            ]
            rules = [[i == row for i in range(m) for _ in range(m)] for row in range(m)]
            rules += [[j == row for _ in range(m) for j in range(m)] for row in range(m)]
            expected = max(expected, linprog(apart, A_eq=rules, b_eq=p + q).fun / unit)
        made = oracle.audit_release(rows, 1, confidential={"x": values}, t_closeness=f"{name}:1")
        assert made.checks[-1].details["t_reached"] == pytest.approx(expected, abs=1e-9)


def kept(promise: str, column: Sequence[int], groups: Sequence[Sequence[int]]) -> bool:
    """The definitions of diversity, written down once more."""
    name, *numbers = promise.split(":")
    least, c = float(numbers[0]), float(numbers[-1])
    for group in groups:
        counts = sorted(Counter(column[r] for r in group).values())[::-1]
        shares = [count / len(group) for count in counts]
        if name == "distinct" and len(counts) < least:
            return False
        if name == "entropy" and exp(-sum(p * log(p) for p in shares)) < least - 1e-12:
            return False
        if name == "recursive" and not counts[0] < c * sum(counts[int(least) - 1 :]):
            return False
    return True


def test_random_releases_in_both_directions() -> None:
    draw = random.Random(11)
    seen: Counter[tuple[str, bool]] = Counter()
    for _ in range(300):
        groups = [draw.choices(range(4), k=draw.randint(2, 5)) for _ in range(draw.randint(1, 3))]
        values = [value for group in groups for value in group]
        rows = [[number] for number, group in enumerate(groups) for _ in group]
        members = [[r for r, row in enumerate(rows) if row == [g]] for g in range(len(groups))]
        promise = draw.choice(["distinct:2", "distinct:3", "entropy:2", "recursive:2:3"])
        made = oracle.audit_release(rows, 2, confidential={"x": values}, l_diversity=promise)
        right = kept(promise, values, members)
        assert made.ok == right, (promise, groups)
        seen[promise, right] += 1
    assert min(seen.values()) > 5
    assert len(seen) == 8


def test_one_record_changed_is_seen() -> None:
    """A release that keeps its promise, and the same with one confidential value overwritten."""
    draw = random.Random(3)
    for _ in range(50):
        sizes = [draw.randint(3, 5) for _ in range(4)]
        rows = [[number] for number, size in enumerate(sizes) for _ in range(size)]
        values = [str(i) for size in sizes for i in [0, 1, 2, *draw.choices(range(3), k=size - 3)]]
        promise = {"l_diversity": "distinct:3"}
        assert check(values, rows, **promise).status == "holds"
        spoilt = draw.randrange(4)
        alone = [r for r, row in enumerate(rows) if row == [spoilt]]
        worse = ["0" if r in alone and v == "2" else v for r, v in enumerate(values)]
        found = check(worse, rows, **promise)
        assert found.status == "fails"
        assert found.witness[0].startswith("records " + " ".join(map(str, alone)))


def test_with_an_original_in_blocks_and_in_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.csv").write_text("x,pay\n1,10\n3,20\n7,20\n9,20.0\n")
    (tmp_path / "b.csv").write_text("x,pay\n2,10\n2,20\n8,20\n8,20.0\n")
    files = [str(tmp_path / "a.csv"), str(tmp_path / "b.csv")]
    how = ["-k", "2", "--confidential", "pay"]
    assert main(["audit", *files, *how, "--l-diversity", "distinct:1"]) == 0
    assert main(["audit", *files, *how, "--l-diversity", "distinct:2"]) == 1
    assert "records 2 3: 20 (2)" in capsys.readouterr().out
    closeness = ["--t-closeness", "ordered:0.25", "--t-closeness", "equal:0.2"]
    assert main(["audit", *files, *how, *closeness]) == 1
    said = capsys.readouterr().out
    assert "[  holds   ] closeness by ordered distance (t = 1/4) of pay: greatest distance" in said
    assert (
        "[  fails   ] closeness by equal distance (t = 1/5) of pay: greatest distance 1/4" in said
    )
    assert main(["audit", files[1], *how, "--l-diversity", "distinct:2"]) == 1
    assert main(["audit", *files, "-k", "2", "--columns", "x", "--l-diversity", "distinct:2"]) == 2
    assert "need confidential columns" in capsys.readouterr().err
    rows = [[1, 5], [1, 5], [2, 6], [2, 6]]
    made = oracle.audit(
        rows,
        rows,
        2,
        blocks=[["x1"], ["x2"]],
        confidential={"ill": ["a", "b", "c", "c"]},
        l_diversity=["distinct:2"],
    )
    assert made.verdict.together[-1].status == "fails"


def test_a_page_shows_the_checks(tmp_path: Path) -> None:
    rows = [[1], [1], [2], [2]]
    made = oracle.audit(
        rows, rows, 2, confidential={"ill": ["a", "b", "c", "c"]}, l_diversity="distinct:2"
    )
    made.write_report(tmp_path / "page")
    page = (tmp_path / "page" / "index.html").read_text(encoding="utf-8")
    assert "distinct diversity (l = 2) of ill" in page


@pytest.mark.parametrize(
    ("promise", "said"),
    [
        ({"l_diversity": "3"}, "write distinct:3"),
        ({"l_diversity": "distinct:x"}, "is not a number"),
        ({"l_diversity": "distinct:3:2"}, "only recursive diversity has a c"),
        ({"l_diversity": "distinct:5/2"}, "l must be an integer"),
        ({"l_diversity": "entropy:1/2"}, "l must be at least 1"),
        ({"l_diversity": "recursive:2:0"}, "c greater than 0"),
        ({"t_closeness": "equal:2"}, "t must be from 0 to 1"),
        ({"t_closeness": "emd:0.2"}, "write ordered:0.2 or equal:0.2"),
        ({"t_closeness": 0.2}, "give texts"),
    ],
)
def test_promises_that_are_not_understood(promise: Any, said: str) -> None:
    with pytest.raises(InvalidParameter, match=said):
        check(ILL, **promise)


def test_values_that_are_missing_or_too_few() -> None:
    with pytest.raises(MissingValue, match="record 1, column 'ill'"):
        check(["a", "", *ILL[2:]], l_diversity="distinct:2")
    with pytest.raises(ShapeMismatch):
        oracle.audit(ROWS, ROWS, 2, confidential={"ill": ["a"]}, l_diversity="distinct:2")


def test_equal_numbers_are_one_value() -> None:
    assert check(["1", "1.0", "2", "2"] * 2, l_diversity="distinct:3").status == "fails"


def test_equal_numbers_are_one_value_beside_texts() -> None:
    """A text in another class does not make two values of 3 and 3.0."""
    values = ["3", "3.0", "3", "3", "1", "9", "9", "high"]
    found = check(values, l_diversity="distinct:2")
    assert (found.status, found.witness) == ("fails", ("records 0 1 2 3: 3 (4)",))


@pytest.mark.parametrize("mark", ["NA", " NULL", "nan", "NAN", "?", float("nan"), None])
@pytest.mark.parametrize("kind", [None, {"ill": "numeric"}])
def test_a_mark_of_a_missing_value_is_no_value(mark: object, kind: Any) -> None:
    with pytest.raises(MissingValue, match="record 1, column 'ill'"):
        check(["3", mark, "3", "3", *"1999"], kinds=kind, l_diversity="distinct:2")


def test_in_declared_categories_a_mark_is_one_of_them() -> None:
    """As Namibia is NA; and numbers are texts there."""
    values = ["NA", "NA", "ZA", "NA", "NA", "ZA", "ZA", "NA"]
    assert check(values, kinds={"ill": "nominal"}, l_diversity="distinct:2").status == "holds"
    # of the classes, the shares of 1, 2 and 3 are 1/2 1/2 0 and 1/4 1/4 1/2, of all 3/8 3/8 1/4
    grades, kinds = ["1", "2", "1", "2", "1", "2", "3", "3"], {"ill": "ordinal:1<2<3"}
    assert check(grades, kinds=kinds, t_closeness="ordered:3/16").status == "holds"
    assert check(grades, kinds=kinds, t_closeness="ordered:0.187").status == "fails"


def test_a_diversity_beyond_all_floats_is_not_reached() -> None:
    assert check(ILL, l_diversity="entropy:1e400").status == "fails"


def test_declared_values_are_those_of_their_kind() -> None:
    flags = ["true", "TRUE", "1", "t", "0", "1", "0", "1"]
    assert check(flags, l_diversity="distinct:2").status == "holds"
    assert check(flags, kinds={"ill": "boolean"}, l_diversity="distinct:2").status == "fails"
    with pytest.raises(NotANumber, match="record 1, column 'ill': 'abc'"):
        check(["3", "abc", *"345678"], kinds={"ill": "numeric"}, l_diversity="distinct:2")
    with pytest.raises(UnknownCategory, match="record 1, column 'ill': 'x'"):
        check(["u", "x", *"uwuwuw"], kinds={"ill": "nominal:u|w"}, l_diversity="distinct:2")


def test_dates_have_an_order_and_are_told_as_they_are() -> None:
    """Eight days in a row are as far apart as eight numbers in a row."""
    days = [f"2020-01-0{day}" for day in range(1, 9)]
    found = check(days, kinds={"ill": "date"}, t_closeness="ordered:0.1")
    assert found.status == "fails"
    assert "2020-01-01 (1)" in found.witness[0]
    numbers = check(list(range(1, 9)), t_closeness="ordered:0.1")
    assert found.details["t_reached_exact"] == numbers.details["t_reached_exact"]


@pytest.mark.parametrize("codes", [["01", "1"], ["1/2", "0.5"]])
def test_codes_are_no_numbers(codes: list[str]) -> None:
    values = [codes[0], codes[1], codes[0], codes[1], *"3434"]
    assert check(values, l_diversity="distinct:2").status == "holds"


@pytest.mark.parametrize("more", [[], ["--kind", "c=numeric", "--kind", "q=nominal"]])
def test_decimal_commas_are_read_in_confidential_columns(more: list[str], tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("q;c\n1;1,5\n1;1,50\n2;3\n2;4\n")
    words = ["audit", str(path), "-k", "2", "--delimiter", ";", "--decimal", ","]
    words += ["--confidential", "c", *more]
    assert main([*words, "--l-diversity", "distinct:2"]) == 1
    assert main([*words, "--t-closeness", "ordered:1/2"]) == 0
