"""The hunt: finds planted mistakes, shrinks them to a few records, and accuses nobody else."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places import ROOT
from plain.geometry import last_records, middle_of, most_distant, nearest_first
from plain.mdav import partition as plain_mdav

import oracle
import refagg
from oracle.commands.main import main
from oracle.conformance.hunting.coverage import shared
from oracle.conformance.hunting.findings_report import counterexample_vector, hunt_lines
from oracle.conformance.hunting.hunt import Hunt, finding_kind, run_hunt
from oracle.conformance.hunting.shrink import calmed, smallest
from oracle.conformance.hunting.strategies import LARGE, REAL, VALUES, Topic, cases, wanted
from oracle.conformance.judge.judging import judge
from oracle.conformance.judge.model import ANY_PARTITION, Answer, Case, Judgement
from oracle.conformance.judge.severity import severity_of
from oracle.conformance.judge.sizes import size_of
from oracle.conformance.judge.texts import numeral
from oracle.conformance.pytest_plugin import counterexamples
from oracle.conformance.running import REPEATABLE, repeated
from oracle.conformance.transport.functions import Function
from refagg.errors import InvalidParameter, MissingExtra, UnknownAlgorithm
from refagg.language.importing import function_named
from tests.benchmarks.hunt import Correct, correct, hunted
from tests.suites import only

Rows = list[list[float]]
Groups = list[list[int]]

PATIENT = 600.0
"""Seconds; the number of questions ends the searches of these tests, on any machine."""


def whole_file(records: Rows, k: int) -> Groups:
    """Right as a k-partition, and hardly ever MDAV."""
    return [list(range(len(records)))]


def in_blocks(records: Rows, k: int) -> Groups:
    """k by k, and the last group is what is left: too small, mostly."""
    return [list(range(i, min(i + k, len(records)))) for i in range(0, len(records), k)]


def ends_too_early(records: Rows, k: int) -> Groups:
    """MDAV with > for >=: of exactly 3k records one group of k is formed, and one of 2k."""
    left, groups = list(range(len(records))), Groups()
    while len(left) > 3 * k:
        r = most_distant(records, middle_of(records, left), left)
        s = most_distant(records, records[r], [i for i in left if i != r])
        for end, without in ((r, s), (s, r)):
            others = [i for i in left if i not in (end, without)]
            groups.append([end, *nearest_first(records, records[end], others)[: k - 1]])
            left = [i for i in left if i not in groups[-1]]
    return [*groups, *last_records(records, k, left)]


def squares_cancel(records: Rows, k: int) -> Groups:
    """MDAV with distances as x^2 - 2xy + y^2, which is nothing far away from 0."""

    def gap(p: Sequence[float], q: Sequence[float]) -> float:
        dot = sum(x * y for x, y in zip(p, q, strict=True))
        return sum(x * x for x in p) - 2 * dot + sum(y * y for y in q)

    left, groups = list(range(len(records))), Groups()
    while len(left) >= 2 * k:
        mean = [sum(column) / len(left) for column in zip(*[records[i] for i in left], strict=True)]
        r = max(left, key=lambda i: gap(records[i], mean))
        ends = [r]
        if len(left) >= 3 * k:
            ends.append(max((i for i in left if i != r), key=lambda i: gap(records[i], records[r])))
        for end in ends:
            others = [i for i in left if i not in ends]
            others.sort(key=lambda i: gap(records[i], records[end]))
            groups.append([end, *others[: k - 1]])
            left = [i for i in left if i not in groups[-1]]
    return [*groups, left]


class Alternating:
    """Right every other time it is asked, and otherwise right in another way."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, records: Rows, k: int) -> Groups:
        self.calls += 1
        rows = [tuple(row) for row in records]
        if self.calls % 2:
            return plain_mdav(rows, k)
        n = len(rows)
        return [[n - 1 - i for i in group] for group in plain_mdav(rows[::-1], k)]


def after(function: object, claim: str = "mdav", **how: object) -> Hunt:
    """Without the few long tables, for which programs in fractions need seconds."""
    asked = wanted(claim, most=40, **how)  # type: ignore[arg-type]
    return run_hunt(Function(function), asked, budget=PATIENT, tries=300)


def shape(found: Hunt) -> tuple[str, int, int]:
    [finding] = found.findings
    judgement = finding.judgement
    return judgement.check, len(judgement.case.records), judgement.case.k


# What is found, and how small


def test_groups_that_are_too_small() -> None:
    """Two groups of 2 and 1: by hand, nothing with fewer than 3 records is wrong."""
    found = after(in_blocks, "any k-partition")
    assert shape(found) == ("k-anonymous", 3, 2)
    assert found.findings[0].judgement.case.records == (("0",),) * 3
    assert found.exit_status == 1


@pytest.mark.long
def test_groups_that_are_not_those_of_mdav() -> None:
    """One group of everything is wrong from 2k records on, however they lie."""
    assert shape(after(whole_file)) == ("run", 4, 2)
    assert after(whole_file, "any k-partition").exit_status == 0


@pytest.mark.long
def test_a_loop_that_ends_too_early() -> None:
    """By hand: with fewer than 3k records it does the same; k = 2 is the least, so 6 records."""
    assert shape(after(ends_too_early)) == ("run", 6, 2)


@pytest.mark.long
def test_what_breaks_only_far_away() -> None:
    """Topics of large offsets, and of real data, find it; those of small integers do not."""
    found = run_hunt(
        Function(squares_cancel), wanted("mdav"), budget=PATIENT, tries=300, every=True
    )
    assert found.findings
    assert {finding.topic.values for finding in found.findings} <= {"far", "large", "real"}
    case = found.findings[0].judgement.case
    assert min(abs(int(cell)) for row in case.records for cell in row) > 1000
    again = Function(squares_cancel)(calmed(case), 1.0)
    assert judge(calmed(case), again).status == "passed"


@pytest.mark.long
def test_what_is_wrong_everywhere_is_not_said_to_be_wrong_far_away() -> None:
    found = run_hunt(Function(whole_file), wanted("mdav"), budget=PATIENT, tries=300, every=True)
    assert {finding.topic.values for finding in found.findings} == {"small", "real"}


def test_different_answers_to_the_same_question() -> None:
    found = after(Alternating())
    assert found.findings[0].judgement.check == REPEATABLE
    assert len(found.findings[0].judgement.witness) == 2
    assert (
        run_hunt(
            Function(Alternating()), wanted("mdav", most=40), tries=60, may_vary=True
        ).exit_status
        == 0
    )


def test_a_crash_is_a_finding_and_the_search_goes_on() -> None:
    """It crashes with duplicates, and is wrong without: both are told."""

    def fragile(records: Rows, k: int) -> Groups:
        if len({tuple(row) for row in records}) < len(records):
            raise RuntimeError("duplicates")
        return whole_file(records, k)

    def careful(records: Rows, k: int) -> Groups:
        return fragile(records, k) if len(records) > 2 * k else plain_mdav(records, k)

    found = run_hunt(Function(careful), wanted("mdav"), budget=PATIENT, tries=300, shrinking=0.2)
    assert [f.judgement.status for f in found.findings] == ["errored", "failed"]


def test_the_same_seed_finds_the_same() -> None:
    """Whatever the load of the machine: the clock stands still, so that no time is over."""
    asked = wanted("mdav", most=40)
    one, other = (run_hunt(Function(in_blocks), asked, tries=60, clock=float) for _ in range(2))
    assert one.findings[0].judgement.case == other.findings[0].judgement.case
    assert one.tries == other.tries


def test_questions_that_make_a_failure_smaller_are_counted_by_themselves() -> None:
    """Blocks of k are wrong where k does not divide n; their tables are counted here, too."""
    tables, first = set(), list[int]()

    def counted(records: Rows, k: int) -> Groups:
        tables.add((k, tuple(map(tuple, records))))
        if len(records) % k and not first:
            first.append(len(tables))
        return in_blocks(records, k)

    found = after(counted, "any k-partition")
    assert [finding.tries for finding in found.findings] == first
    searched = sum(one.asked for one in found.covered)
    assert first[0] == searched < found.tries == len(tables)
    lines = "\n".join(hunt_lines(found))
    assert f" after {searched} questions, " in lines
    assert f"{found.tries} questions in " in lines
    assert f" s, {found.tries - searched} of them about what was found: " in lines


def test_nobody_took_part() -> None:
    found = run_hunt(lambda case, seconds: Answer(unsupported="no"), wanted("mdav"), tries=30)
    assert (found.exit_status, found.statuses) == (2, {"unsupported": 30})
    assert hunt_lines(found)[-1] == "no answer could be judged"


def some_correct() -> list[Correct]:
    names = ("mdav, ", "mdav-2k, plain", "md, floats, highest", "v-mdav, plain", "optimal, own")
    return [one for one in correct() if one.name.startswith(names)]


SOME = some_correct()
IN_SECONDS = [one for one in SOME[::4] if "plain" not in one.name]


@pytest.mark.parametrize("one", only(SOME, IN_SECONDS), ids=lambda one: one.name)
def test_the_right_ones_are_not_accused(one: Correct) -> None:
    found = hunted(one, seconds=PATIENT, tries=40)
    assert "\n".join(hunt_lines(found)).endswith("nothing was found")
    assert found.statuses["passed"] > 20


# Questions


@settings(max_examples=60, deadline=None)
@given(cases("mdav"))
def test_cases_can_be_answered(case: Case) -> None:
    """As the independent implementation answers them."""
    rows = [tuple(map(float, row)) for row in case.records]
    assert case.k <= len(rows) <= 60
    answer = Answer(groups=tuple(map(tuple, plain_mdav(rows, case.k))))
    assert judge(case, answer).status == "passed"


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(wanted("mdav").topics()), st.data())
def test_topics_hold_what_they_say(topic: Topic, data: st.DataObject) -> None:
    case = data.draw(cases("mdav", topic))
    assert topic.holds(case)
    assert topic.special(case) or topic.values in {"large", "decimal"}
    if topic.values == "far":
        assert max(abs(Fraction(cell)) for row in case.records for cell in row) > 10**5


@pytest.mark.long
def test_hunts_ask_as_many_records_as_they_are_told() -> None:
    """The most in half of the tables above 3k records, where that is more than 60; 60 by default.

    Six questions are about 258 groups of two.
    """

    def sizes(**how: int) -> list[int]:
        asked_ = []

        def counted(records: list[list[float]], k: int) -> list[list[int]]:
            asked_.append(len(records))
            return [list(range(len(records)))]

        asked = ["invalid"]
        oracle.hunt(counted, ANY_PARTITION, k=(2, 3), without=asked, max_questions=200, **how)
        return asked_

    default, fewer, larger = sizes(), sizes(max_records=40), sizes(max_records=80)
    assert {*default} <= {*range(61), 516, 517}
    assert 60 in default
    assert max(default) > 60
    assert max(fewer) == 40
    assert larger.count(80) > 10
    assert max(n for n in larger if n < 516) == 80


def test_large_tables_have_up_to_the_records_that_are_asked_for() -> None:
    """By hand: with real values, and with all where more than 60 are asked for; 7k otherwise."""
    for most, small in ((60, 14), (80, 80), (40, 14)):
        asked = wanted(ANY_PARTITION, most=most, k=2)
        large = [topic for topic in asked.topics() if topic.sizes == LARGE]
        sizes = {topic.values: asked.sizes_of(topic, 2)[1] for topic in large}
        assert sizes == dict.fromkeys(VALUES, small) | {REAL: most}


def test_there_are_topics_for_all_sizes_and_values() -> None:
    """By hand: 6 sizes of 4 kinds of values, 4 of real ones from 2k on, and one of many groups."""
    assert len(wanted("mdav").topics()) == 6 * 4 + 4 + 1
    assert {t.values for t in wanted("mdav", precision="binary32").topics()} == {
        value for value in VALUES if value != "large"
    }
    assert {t.sizes for t in wanted("mdav", most=7, k=3).topics()} == {
        "n = k",
        "k < n < 2k",
        "n = 2k",
        "2k < n < 3k",
    }


@pytest.mark.parametrize(
    ("claim", "how", "error"),
    [
        ("mdva", {}, UnknownAlgorithm),
        ("mdav", {"k": (3, 2)}, InvalidParameter),
        ("mdav", {"k": 0}, InvalidParameter),
        ("mdav", {"precision": "binary16"}, InvalidParameter),
    ],
)
def test_requests_are_checked(claim: str, how: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        wanted(claim, **how)  # type: ignore[arg-type]


def test_one_attribute_where_there_can_be_no_more() -> None:
    assert wanted("hansen-mukherjee").widths == wanted("optimal").widths == (1, 1)
    assert wanted("mdav").widths == (1, 6)


# Shrinking


def test_calm_tables() -> None:
    case = Case("x", "mdav", 2, (("1000000000006", "1000000000000"), ("1000000000004",) * 2))
    assert calmed(case).records == (("3", "0"), ("2", "2"))
    assert calmed(calmed(case)) == calmed(case)


def test_smaller_is_never_larger() -> None:
    case = Case("x", "mdav", 3, tuple((str(i * 7), str(100 - i)) for i in range(11)))
    found = smallest(case, lambda other: len(other.records) >= 2 * other.k)
    assert (found.k, found.records) == (1, (("0",), ("0",)))
    assert size_of(found) < size_of(case)


@pytest.mark.parametrize(("text", "same_"), [("1e3", "1000"), ("1/40", "0.025"), ("2/6", "1/3")])
def test_numerals(text: str, same_: str) -> None:
    assert numeral(Fraction(text)) == same_


def test_the_order_of_groups_says_nothing() -> None:
    first = Answer(groups=((0, 1), (2, 3)))
    passed = Judgement(Case("doc", "mdav", 2, ()), first, "passed", "run", "")
    assert repeated(passed, Answer(groups=((3, 2), (0, 1)), seconds=4.0)) == passed
    assert repeated(passed, Answer(groups=((0, 2), (1, 3)))).check == REPEATABLE


def test_no_second_answer_is_not_a_wrong_one() -> None:
    case = Case("a", "mdav", 2, (("0",), ("1",)))
    passed = Judgement(case, Answer(groups=((0, 1),)), "passed", "run", "")
    for none in (Answer(errored="a crash"), Answer(refused="no")):
        judged = repeated(passed, none)
        assert (judged.check, severity_of(judged)) == (REPEATABLE, "refuses")


# The command and what it writes


@pytest.mark.long
def test_the_command_saves_a_vector(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    (tmp_path / "one_group.py").write_text(
        "def one(records, k):\n    return [list(range(len(records)))]\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    target = tmp_path / "found.json"
    given_ = ["hunt", "--algorithm", "mdav", "--max-questions", "200", "--save", str(target)]
    assert main([*given_, "--python", "one_group:one"]) == 1
    printed = capsys.readouterr().out
    assert "failed at the check 'run'" in printed
    assert "record  x1" in printed
    data = json.loads(target.read_text(encoding="utf-8"))
    from refagg.data.textfiles import schema_file

    jsonschema.validate(data, json.loads(schema_file("vectors").read_text(encoding="utf-8")))
    [vector] = data["vectors"]
    assert (vector["k"], len(vector["records"])) == (2, 4)


def test_a_vector_of_an_optimum_says_the_least_sse() -> None:
    """By hand: of 0 0 0 1 the pairs 0 0 and 0 1 have the SSE 0 + 1/2, all together 3/4."""
    found = after(whole_file, "optimal")
    vector = counterexample_vector(found.findings[0], 1)
    assert vector.expectation.kind == "free"
    assert sorted(vector.case.records) == [("0",), ("0",), ("0",), ("1",)]
    assert vector.expectation.sse == "1/2"
    assert vector.id == "optimal-001-hunted"


@pytest.mark.parametrize(
    "options",
    [
        ["--algorithm", "mdav"],
        ["--algorithm", "nobody", "--python", "os:getcwd"],
        ["--algorithm", "mdav", "-k", "many", "--python", "os:getcwd"],
        ["--algorithm", "mdav", "--param", "gamma=1", "--python", "os:getcwd"],
    ],
)
def test_wrong_requests(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hunt", *options]) == 2
    assert "error:" in capsys.readouterr().err


# The plugin


pytest_plugins = ["pytester"]


@pytest.mark.long
def test_the_plugin(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        from math import isfinite

        from oracle.conformance.pytest_plugin import conforms_to

        @conforms_to("any k-partition", max_questions=31)
        def one_group(records, k):
            if not 1 <= k <= len(records) or {len(row) for row in records} != {len(records[0])}:
                raise ValueError("k, or the rows")
            if not records[0] or not all(isfinite(x) for row in records for x in map(float, row)):
                raise ValueError("a value")
            return [0] * len(records)

        test_right = one_group.test

        @conforms_to("mdav", max_questions=200, vectors=False)
        def groups(records, k):
            return one_group(records, k)

        test_wrong = groups.test

        def test_the_fixture(assert_conforms):
            assert_conforms(one_group, "any k-partition", max_questions=31)

        def test_vectors(assert_conforms):
            assert_conforms(one_group, "mdav")

        def test_bad_input(assert_conforms):
            def careless(records, k):
                return [0] * len(records)

            how = {"vectors": False, "max_questions": 52}
            assert_conforms(careless, "any k-partition", without=["invalid"], **how)
            assert_conforms(careless, "any k-partition", **how)
        """
    )
    result = pytester.runpytest_inprocess(*PLUGIN)
    result.assert_outcomes(passed=2, failed=3)
    result.stdout.fnmatch_lines(["*failed at the check 'run'*", "*record  x1*"])
    result.stdout.fnmatch_lines(["*[[]wrong] mdav-*", "*cause: run/*", "*check *passed *failed*"])
    result.stdout.fnmatch_lines(["*invalid input was accepted*", "*cause: answered/*"])


def test_vectors_are_asked_with_the_parameters_that_hunts_have() -> None:
    """Without them it would be asked the vectors of the default, which is another one."""

    def nearest(records: list[list[float]], k: int) -> list[list[int]]:
        groups = refagg.mdav_2k(records, k, leftovers="nearest-centroid", standardise="none").groups
        return [list(group) for group in groups]

    how: dict[str, Any] = {"without": ["kinds"], "max_questions": 31}
    assert counterexamples(nearest, "mdav-2k", **how)
    parameters = {"leftovers": "nearest-centroid"}
    assert counterexamples(nearest, "mdav-2k", parameters=parameters, **how) == []


@pytest.mark.long
def test_a_decorated_test_is_a_test(pytester: pytest.Pytester) -> None:
    """Functions and methods as they are written: with records and k, with fixtures, or as maker."""
    pytester.makepyfile(
        """
        import pytest

        from oracle.conformance.pytest_plugin import conforms_to

        HOW = {"max_questions": 31, "vectors": False, "without": ["invalid"]}

        @pytest.fixture
        def label():
            return 7

        @conforms_to("any k-partition", **HOW)
        def test_groups(records, k):
            return [0] * len(records)

        @conforms_to("any k-partition", **HOW)
        def test_with_a_fixture(rows, k, label):
            return [label] * len(rows)

        @pytest.mark.parametrize("wrong", [False, True])
        @conforms_to("any k-partition", **HOW)
        def test_each(records, k, wrong):
            return list(range(len(records))) if wrong else [0] * len(records)

        @conforms_to("any k-partition", **HOW)
        def test_of_what_it_returns():
            return lambda records, k: [0] * len(records)

        class TestOne:
            @conforms_to("any k-partition", **HOW)
            def test_method(self, records, k):
                return [0] * len(records)
        """
    )
    result = pytester.runpytest_inprocess(*PLUGIN)
    result.assert_outcomes(passed=5, failed=1)
    result.stdout.fnmatch_lines(["*test_each[[]True]*", "*not k-anonymous: k-anonymous/*"])


def test_the_plugin_reports_that_too_little_was_covered(pytester: pytest.Pytester) -> None:
    """One question takes longer than the whole budget; Hypothesis is made ready before."""
    oracle.hunt(lambda records, k: [0], "any k-partition", k=1, max_questions=20)
    pytester.makepyfile(
        """
        import time

        def test_slow(assert_conforms):
            def one_group(records, k):
                time.sleep(0.5)
                return [0] * len(records)

            assert_conforms(one_group, "mdav", vectors=False)
        """
    )
    result = pytester.runpytest_inprocess(*PLUGIN, "--refagg-time-limit", "0.4")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*asked in part:*", "*(1 of 9)*", "*coverage is too low*"])


PLUGIN = ("-p", "oracle.conformance.pytest_plugin", "-p", "no:cacheprovider", "-p", "no:refagg")


def test_the_plugin_disturbs_nobody(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It imports nothing of the project unless it is used."""
    monkeypatch.setenv("PYTHONPATH", str(Path(oracle.__file__).parents[1]))
    pytester.makepyfile(
        """
        import sys

        def test_nothing():
            names = [name for name in sys.modules if name.startswith(("refagg", "hypothesis"))]
            assert not names
        """
    )
    arguments = (*PLUGIN, "-p", "no:hypothesispytest", "-p", "no:hypothesis")
    pytester.runpytest_subprocess(*arguments).assert_outcomes(passed=1)


def test_shrinking_ends_when_it_is_over() -> None:
    found = Case("x", "mdav", 2, (("5",), ("31",), ("40",)))
    assert smallest(found, lambda case: True, over=lambda: True) == found


def test_wrong_values_are_of_one_kind_however_many_attributes_have_them() -> None:
    case = Case("x", "mdav", 2, ())
    one, two = (
        Judgement(case, Answer(), "failed", "aggregates", reason)
        for reason in (
            "no attribute equals the group means",
            "only 2 of 3 attributes equal the group means (exactly)",
        )
    )
    assert finding_kind(one) == finding_kind(two)
    assert finding_kind(one) != finding_kind(replace(one, check="SSE"))


@pytest.mark.parametrize(
    "name", ["anonypyx_mdav:groups", "microagg1d_optimal:labels", "microaggregation_sse:sse"]
)
def test_a_package_that_is_not_installed_is_no_finding(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, _, _ = f"oracle.conformance.adapters.{name}".partition(":")
    monkeypatch.delitem(sys.modules, module, raising=False)
    package = name.split("_")[0]
    for known in [package, *(m for m in sys.modules if m.startswith(f"{package}."))]:
        monkeypatch.setitem(sys.modules, known, None)
    with pytest.raises(MissingExtra, match=r"pip install \w+=="):
        function_named(f"oracle.conformance.adapters.{name}")


@pytest.mark.long
def test_batches_grow_until_there_were_enough_questions() -> None:
    """500 questions are 125 for each of 4 topics: batches of 20 and 40, and some of 80."""
    asked = wanted("any k-partition", k=2, most=2)
    result = run_hunt(Function(whole_file), asked, budget=PATIENT, tries=500)
    assert len(asked.topics()) == 4
    assert (result.tries, result.findings) == (500, ())
    assert [one.asked for one in result.covered] == [125] * 4


# What was covered

SLOW = """
import sys, time
sys.path.insert(0, {plain!r})
from plain.mdav import partition

def wrong_from_two_groups_on(records, k):
    time.sleep(0.02)
    return [list(range(len(records)))]

def right(records, k):
    return partition([tuple(row) for row in records], k)

def only_one_group(records, k):
    if len(records) >= 2 * k:
        return {{"unsupported": "too many records"}}
    return [list(range(len(records)))]
"""


@pytest.fixture
def slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The command for a module of slow and quick functions, but for the function's name."""
    text = SLOW.format(plain=str(ROOT / "tests"))
    (tmp_path / "slow_mdav.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return ["hunt", "--algorithm", "mdav", "--without", "invalid", "--python"]


def test_a_wrong_program_does_not_pass_because_it_is_slow(
    slow: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """It is wrong from 2k records on, and the time is over before these are reached."""
    command = [*slow, "slow_mdav:wrong_from_two_groups_on"]
    assert main([*command, "--time-limit", "0.1"]) == 3
    said = capsys.readouterr().out.splitlines()
    assert "asked in full:" not in said
    assert "nothing was found" not in said
    part = said[said.index("asked in part:") + 1]
    assert re.fullmatch(r"  small values: n = k \([1-3] of 42\)", part)
    assert said[said.index("not reached:") + 1].startswith("  small values: k < n < 2k (0 of 42);")
    assert said[-1] == "coverage is too low to conclude that nothing is wrong"
    assert "raise the time limit, or lower the number of questions" in said[-2]


@pytest.mark.long
def test_a_slow_program_is_found_to_be_wrong_where_there_is_time(slow: list[str]) -> None:
    """With one question for each of 30 topics, in which most have 2k records and more."""
    assert main([*slow, "slow_mdav:wrong_from_two_groups_on", "--max-questions", "30"]) == 1


def test_what_was_covered_is_said(slow: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main([*slow, "slow_mdav:right", "--max-questions", "50", "-k", "2", "--max-records", "40"])
        == 0
    )
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("50 questions in ")
    assert said[1:3] == [
        "asked in full:",
        "  small values: n = k (2); k < n < 2k (2); n = 2k (2); 2k < n < 3k (2); n = 3k (2);"
        " n > 3k (2)",
    ]
    assert said[-1] == "nothing was found"


def test_where_a_program_takes_no_part_is_said(
    slow: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*slow, "slow_mdav:only_one_group", "--max-questions", "48", "-k", "2"]) == 0
    assert "n = k (2); k < n < 2k (2); n = 2k (2, 2 unsupported)" in capsys.readouterr().out


def test_topics_of_which_nothing_can_be_judged_are_not_covered() -> None:
    one, other = shared([Topic("n = k", "small"), Topic("n = 2k", "small")], 4)
    one.statuses.update(["passed", "not judged"])
    other.statuses.update(["not judged", "unsupported"])
    result = Hunt(wanted("mdav"), (), (one, other), 4, {"passed": 1}, 1.0)
    assert result.exit_status == 3
    lines = "\n".join(hunt_lines(result))
    assert "n = 2k (2, 1 unsupported, 1 not judged)" in lines
    assert "for some topics no answer could be judged" in lines


def test_each_topic_needs_a_question(slow: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*slow, "slow_mdav:right", "--max-questions", "24"]) == 2
    assert "each of the 30 topics needs one at least" in capsys.readouterr().err


def test_shares() -> None:
    """By hand: 31 questions for 29 topics are one for each, and one more for the first two."""
    shares = [one.share for one in shared(wanted("mdav").topics(), 31)]
    assert shares == [2, 2] + [1] * 27
    many = shared(wanted("mdav").topics(), 1200)[-1]
    assert (many.topic.sizes, many.share) == ("n > 257k", 6)


def test_what_is_wrong_far_away_is_told_though_the_share_is_used_up() -> None:
    """Whether the same table near 0 is answered rightly is asked beyond the share."""

    def wrong_far_away(records: Rows, k: int) -> Groups:
        far = min(abs(cell) for row in records for cell in row) > 1e5
        return in_blocks(records[:-1], k) if far else plain_mdav([tuple(r) for r in records], k)

    asked = wanted("mdav", k=2, most=4)
    found = run_hunt(Function(wrong_far_away), asked, tries=13, every=True, shrinking=0.5)
    assert found.exit_status == 1
    assert {finding.topic.values for finding in found.findings} <= {"far", "large", "real"}
