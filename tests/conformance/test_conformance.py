"""Foreign implementations: the checks by which answers are judged, the adapters, the command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import warnings
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import ROOT

from oracle.commands.main import main
from oracle.conformance.judge.judging import TOLERANCE, Strictness, judge
from oracle.conformance.judge.model import ANY_PARTITION, OPTIMAL, STATUSES, Answer, Case
from oracle.conformance.judge.senseless import senseless
from oracle.conformance.running import Asking, answer_text, judge_vector, run_cases
from oracle.conformance.serve import own
from oracle.conformance.transport.functions import Function
from oracle.conformance.transport.programs import Program
from oracle.conformance.transport.protocol import (
    Unintelligible,
    case_of,
    reply_from,
    reply_of,
    request_of,
)
from oracle.conformance.vectors import vectors_of
from refagg.errors import InvalidParameter, KTooLarge, NotANumber, UnknownAlgorithm
from refagg.terminal import NOW
from tests.hostile import ANSWER, HOSTILE, Hostile

SIX = (("0",), ("1",), ("2",), ("10",), ("11",), ("12",))
RIGHT = ((0, 1, 2), (3, 4, 5))
MEANS = (("1",),) * 3 + (("11",),) * 3
"""Two clusters on a line: by paper and pencil, every algorithm that is asked here finds them."""


def case(claim: str = "mdav", k: int = 3, records: tuple[tuple[str, ...], ...] = SIX) -> Case:
    return Case("test", claim, k, records)


def python(script: str) -> list[str]:
    return [sys.executable, "-S", "-c", ANSWER + script]


# The list of checks


@pytest.mark.parametrize(
    ("answer", "status", "check"),
    [
        (Answer(errored="it crashed"), "errored", "answered"),
        (Answer(unsupported="no such algorithm"), "unsupported", "answered"),
        (Answer(refused="bad data"), "failed", "answered"),
        (Answer(), "errored", "answered"),
        (Answer(groups=((0, 1, 2), (3, 4))), "failed", "well formed"),
        (Answer(groups=((0, 1, 2), (2, 3, 4, 5))), "failed", "well formed"),
        (Answer(groups=((0, 1, 2), (3, 4, 6))), "failed", "well formed"),
        (Answer(groups=((0, 1, 2), (3, 4, 5), ())), "failed", "well formed"),
        (Answer(groups=((0, 1, True), (3, 4, 5))), "failed", "well formed"),
        (Answer(released=MEANS[1:]), "failed", "well formed"),
        (Answer(released=(*MEANS[1:], ("nan",))), "failed", "well formed"),
        (Answer(released=(*MEANS[1:], ("1e999999999",))), "failed", "well formed"),
        (Answer(released=(*MEANS[1:], ("1/0",))), "failed", "well formed"),
        (Answer(released=(("1", "1"),) * 6), "failed", "well formed"),
        (Answer(groups=((0, 1), (2, 3, 4, 5))), "failed", "k-anonymous"),
        (Answer(released=(*MEANS[:5], ("12",))), "failed", "k-anonymous"),
        (Answer(groups=RIGHT, released=MEANS[::-1]), "failed", "aggregates"),
        (Answer(released=(("2",),) * 3 + (("11",),) * 3), "failed", "aggregates"),
        (Answer(groups=RIGHT, released=MEANS, sse="-4"), "failed", "SSE"),
        (Answer(groups=RIGHT, sse="nan"), "failed", "SSE"),
        (Answer(groups=RIGHT, sse="4.001"), "failed", "SSE"),
        (Answer(groups=RIGHT, sse="4.00001"), "passed", "run"),
        (Answer(groups=RIGHT, released=MEANS, sse="4"), "passed", "run"),
        (Answer(released=MEANS), "passed", "run"),
        (Answer(groups=((0, 1, 3), (2, 4, 5))), "failed", "run"),
        (Answer(groups=((0, 1, 2, 3, 4, 5),)), "failed", "run"),
    ],
)
def test_the_first_check_that_does_not_hold_decides(
    answer: Answer, status: str, check: str
) -> None:
    judged = judge(case(), answer)
    assert (judged.status, judged.check) == (status, check), judged.reason


def test_the_least_negative_sse_is_wrong() -> None:
    equal = case(records=(("7",),) * 6)
    assert judge(equal, Answer(groups=RIGHT, sse="1e-31")).status == "passed"
    assert judge(equal, Answer(groups=RIGHT, sse="-1e-31")).check == "SSE"


def test_a_failure_has_a_witness_and_what_would_have_been_right() -> None:
    judged = judge(case(), Answer(groups=((0, 1, 3), (2, 4, 5))))
    assert judged.expected == ("0 1 2 | 3 4 5",)
    assert any("step" in line for line in judged.witness)
    assert judge(case(), judged.answer, strict=Strictness(explain=False)).expected == ()


def test_only_the_sizes_of_any_partition_count() -> None:
    mixed = Answer(groups=((0, 2, 4), (1, 3, 5)))
    assert judge(case(ANY_PARTITION), mixed).check == "k-anonymous"
    assert judge(case(ANY_PARTITION), mixed).status == "passed"
    wrong = Answer(groups=((0, 2, 4), (1, 3, 5)), released=MEANS)
    assert judge(case(ANY_PARTITION), wrong).status == "failed"


@pytest.mark.parametrize("records", [SIX, tuple((x, "7") for (x,) in SIX)])
def test_an_optimum_is_judged_by_its_sse(records: tuple[tuple[str, ...], ...]) -> None:
    asked = case(OPTIMAL, records=records)
    assert judge(asked, Answer(groups=RIGHT)).status == "passed"
    failed = judge(asked, Answer(groups=((0, 1, 3), (2, 4, 5))))
    assert (failed.status, failed.check, failed.expected) == (
        "failed",
        "optimal",
        ("0 1 2 | 3 4 5",),
    )


def test_ties_may_be_broken_in_any_way() -> None:
    square = case(k=2, records=(("0", "0"), ("0", "1"), ("1", "0"), ("1", "1")))
    assert judge(square, Answer(groups=((0, 1), (2, 3)))).status == "passed"
    assert judge(square, Answer(groups=((0, 2), (1, 3)))).status == "passed"
    assert judge(square, Answer(groups=((0, 3), (1, 2)))).status == "failed"


def test_nonsense_must_be_refused() -> None:
    asked = case(k=7)
    assert judge(asked, Answer(refused="too few"), must_refuse="k too large").status == "passed"
    assert judge(asked, Answer(groups=RIGHT), must_refuse="k too large").status == "failed"
    assert judge(asked, Answer(errored="it crashed"), must_refuse="k too large").status == "errored"
    with pytest.raises(KTooLarge):
        judge(asked, Answer(groups=RIGHT))
    with pytest.raises(NotANumber):
        judge(case(records=(("a",),) * 6), Answer(groups=RIGHT))


def test_a_k_below_1_makes_no_sense_and_one_up_to_the_number_of_records_does() -> None:
    said = {k: senseless(case(k=k)) for k in (-1, 0, 1, 6, 7)}
    assert said == {-1: "k too small", 0: "k too small", 1: "", 6: "", 7: "k too large"}


def test_draws_are_judged_only_with_the_seed_of_a_stream() -> None:
    unknown = case("random-seed")
    assert judge(unknown, Answer(groups=RIGHT)).status == "not judged"
    assert judge(unknown, Answer(groups=((0, 1), (2, 3, 4, 5)))).status == "failed"
    rows = tuple((str(x * x),) for x in range(12))
    seeded = Case("test", "random-seed", 2, rows, seed=1)
    answer = own(seeded, 1.0)
    assert judge(seeded, answer).status == "passed"
    assert answer.groups is not None
    streams = {own(Case("test", "random-seed", 2, rows, seed=s), 1.0).groups for s in range(20)}
    other = next(groups for groups in streams if groups != answer.groups)
    assert judge(seeded, Answer(groups=other)).status == "failed"


ASIDE = Answer(groups=((0, 2), (1, 3)))
"""Record 0 with record 2, where record 1 is nearer by a little."""


def corner(unit: int, offset: int, e: Fraction) -> Case:
    """Record 0 is farthest from the centroid; 1 and 2 are equally far from it, but for e."""
    corners = [(-3, -3), (4, 0), (0, 4), (4, 4)]
    rows = [[Fraction(offset + unit * value) for value in row] for row in corners]
    rows[2][1] += e
    return case(k=2, records=tuple(tuple(map(str, row)) for row in rows))


def test_what_only_rounding_explains_passes_and_is_flagged() -> None:
    exact = judge(corner(1, 0, Fraction(0)), ASIDE)
    assert (exact.status, exact.flags) == ("passed", ())
    near = judge(corner(1, 0, Fraction(1, 10**11)), ASIDE)
    assert (near.status, near.flags) == ("passed", ("numerical",))
    far = judge(corner(1, 0, Fraction(1, 10**6)), ASIDE)
    assert (far.status, far.check, far.flags) == ("failed", "run", ("numerical",))
    loose = judge(corner(1, 0, Fraction(1, 10**6)), ASIDE, strict=Strictness(Fraction(1, 10**5)))
    assert loose.status == "passed"
    wrong = judge(corner(1, 0, Fraction(1, 100)), ASIDE)
    assert (wrong.status, wrong.flags) == ("failed", ())


def test_records_that_are_no_floats_may_be_rounded_first() -> None:
    # Between 2^56 and 2^57 floats are multiples of 16: with 1 more, record 2 is no float.
    rounded = judge(corner(16, 2**56, Fraction(1)), ASIDE)
    assert (rounded.status, rounded.flags) == ("passed", ("records in binary64",))
    floats = judge(corner(16, 2**56, Fraction(16)), ASIDE, strict=Strictness(TOLERANCE))
    assert floats.status == "failed"
    assert judge(corner(16, 0, Fraction(1)), ASIDE).status == "failed"


def test_values_may_be_rounded_as_programs_do() -> None:
    thirds = (("0",), ("1",), ("1",), ("8",), ("9",), ("9",))
    for mean, status in (
        ("0.6666666666666666", "passed"),
        ("0.666667", "passed"),
        ("2/3", "passed"),
        ("0.66667175", "failed"),
        ("0.666666", "failed"),
    ):
        rows = ((mean,),) * 3 + (("26/3" if "/" in mean else mean.replace("0.", "8.", 1),),) * 3
        assert judge(case(records=thirds), Answer(released=rows)).status == status, mean


def test_values_beyond_all_floats() -> None:
    huge = (("1e400",), ("2e400",), ("-1",), ("0",))
    answer = Answer(groups=((0, 1), (2, 3)))
    assert judge(case("mdav", 2, huge), answer).status == "passed"
    assert judge(case("tfrp-1", 2, huge), answer).status == "not judged"
    assert own(case("tfrp-1", 2, huge), 1.0).unsupported
    assert own(case("mdav", 2, huge), 1.0).groups == answer.groups


def test_each_attribute_by_itself_is_judged_by_released_values() -> None:
    records = (("0", "5"), ("1", "0"), ("9", "6"), ("8", "1"))
    asked = Case("test", "individual-ranking", 2, records)
    released = (("0.5", "5.5"), ("0.5", "0.5"), ("8.5", "5.5"), ("8.5", "0.5"))
    assert judge(asked, Answer(released=released)).status == "passed"
    assert judge(asked, Answer(groups=((0, 1), (2, 3)))).status == "not judged"
    wrong = tuple((a, "3") for a, _ in released)
    assert judge(asked, Answer(released=wrong)).status == "failed"


def test_a_hundred_answers_take_less_than_three_seconds() -> None:
    rows = tuple((str(x * 37 % 101), str(x * 53 % 97)) for x in range(20))
    cases = [Case(str(i), "mdav", 3, rows[i % 7 :] + rows[: i % 7]) for i in range(100)]
    answers = [own(c, 1.0) for c in cases]
    began = time.process_time()
    verdicts = [judge(c, answer).status for c, answer in zip(cases, answers, strict=True)]
    assert time.process_time() - began < 3
    assert verdicts == ["passed"] * 100


# The adapters


@pytest.mark.parametrize("program", HOSTILE, ids=lambda program: program.name)
def test_hostile_programs_are_errors_with_a_reason(program: Hostile) -> None:
    began = time.monotonic()
    with closing(Program(python(program.script))) as adapter:
        answer = adapter(case(), program.seconds)
    assert time.monotonic() - began < program.seconds + 5
    assert answer.errored is not None
    assert program.reason in answer.errored
    assert len(answer.errored) < 1000
    assert judge(case(), answer).status == "errored"


def test_a_program_is_started_anew_after_an_error() -> None:
    script = """
for line in sys.stdin:
    if json.loads(line)["id"] == "bad":
        print("garbage", flush=True)
    print(right(line), flush=True)
"""
    with closing(Program(python(script))) as adapter:
        answers = [adapter(Case(name, "mdav", 3, SIX), 5.0) for name in ("a", "b", "bad", "c")]
        assert adapter.starts == 2
    assert [answer.errored is None for answer in answers] == [True, True, False, True]
    assert answers[-1].groups == RIGHT


def test_an_answer_that_comes_too_late_is_not_taken_for_the_next_one() -> None:
    script = """
for line in sys.stdin:
    time.sleep(0.6 if json.loads(line)["id"] == "slow" else 0)
    print(right(line), flush=True)
"""
    with closing(Program(python(script))) as adapter:
        assert adapter(Case("slow", "mdav", 3, SIX), 0.3).errored
        assert adapter(Case("quick", "mdav", 3, SIX), 5.0).groups == RIGHT


def test_output_that_nobody_asked_for_does_not_spoil_the_next_answer() -> None:
    script = "for line in sys.stdin: print(right(line) + '\\nBye!', flush=True)"
    with closing(Program(python(script))) as adapter:
        assert [adapter(case(), 5.0).groups for _ in range(3)] == [RIGHT] * 3


def test_a_program_may_end_after_each_answer() -> None:
    with closing(Program(python("print(right(sys.stdin.readline()))"))) as adapter:
        assert [adapter(case(), 5.0).groups for _ in range(3)] == [RIGHT] * 3


def test_a_program_may_read_all_of_its_input_first() -> None:
    script = "sys.stdout.write(right(sys.stdin.read()))"
    with closing(Program(python(script), once=True)) as adapter:
        assert [adapter(case(), 5.0).groups for _ in range(2)] == [RIGHT] * 2


def test_a_program_that_cannot_be_started() -> None:
    with closing(Program(["/no/such/program"])) as adapter:
        assert "'/no/such/program' cannot be started" in str(adapter(case(), 1.0).errored)


def test_much_standard_error_is_read_and_little_is_kept() -> None:
    script = """
for line in sys.stdin:
    for _ in range(16384): os.write(2, b"x" * 65536)
    print(right(line), flush=True)
"""
    with closing(Program(python(script))) as adapter:
        assert adapter(case(), 60.0).groups == RIGHT
        assert len(adapter._process._words) <= 4096  # type: ignore[union-attr]


def test_long_requests_and_answers_pass_through_the_pipes() -> None:
    rows = tuple((str(x),) for x in range(30_000))
    script = """
for line in sys.stdin:
    print(json.dumps(json.loads(right(line)) | {"released": json.loads(line)["records"]}))
    sys.stdout.flush()
"""
    with closing(Program(python(script))) as adapter:
        answer = adapter(case(records=rows), 20.0)
    assert answer.released == rows


def test_all_that_a_program_started_ends_with_it(tmp_path: Path) -> None:
    written = tmp_path / "pid"
    script = f"""
import subprocess
child = subprocess.Popen(["sleep", "60"])
open({str(written)!r}, "w").write(str(child.pid))
print("garbage", flush=True)
time.sleep(60)
"""
    with closing(Program(python(script))) as adapter:
        assert "not JSON" in str(adapter(case(), 20.0).errored)
    pid = int(written.read_text())
    deadline = time.monotonic() + 5
    while _runs(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not _runs(pid)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not (status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z")


def test_a_call_through_pipes_takes_less_than_five_milliseconds() -> None:
    with closing(
        Program(python("for line in sys.stdin: print(right(line), flush=True)"))
    ) as adapter:
        adapter(case(), 5.0)
        best = min(_seconds_of(adapter) for _ in range(5))
    assert best < 0.005


def _seconds_of(adapter: Program) -> float:
    began = time.perf_counter()
    for _ in range(20):
        adapter(case(), 5.0)
    return (time.perf_counter() - began) / 20


# Functions


def test_what_a_function_may_return() -> None:
    def answer(result: object) -> Answer:
        return Function(lambda records, k: result)(case(), 1.0)

    assert answer([0, 0, 0, 1, 1, 1]).groups == RIGHT
    assert answer(["a", "a", "a", "b", "b", "b"]).groups == RIGHT
    assert answer([{0, 1, 2}, (3, 4, 5)]).groups == RIGHT
    assert answer({"labels": (0, 0, 0, 1, 1, 1), "sse": 4.0}).sse == "4.0"
    assert (
        answer({"released": [[1.0]] * 3 + [[11.0]] * 3}).released
        == (("1.0",),) * 3 + (("11.0",),) * 3
    )
    assert answer({"refused": "no"}).refused == "no"
    for nonsense in (None, 7, "text", {}, [0.5] * 6, [[0.5]], [None] * 6, [True] * 6, {1, 2}):
        assert answer(nonsense).errored, nonsense


def test_numpy_arrays_are_answers() -> None:
    numpy = pytest.importorskip("numpy")
    labels = numpy.array([0, 0, 0, 1, 1, 1])
    answers = [labels, list(labels), {"labels": labels, "sse": numpy.float64(4)}]
    answers += [[numpy.array([0, 1, 2]), numpy.array([3, 4, 5])]]
    for result in answers:
        found = Function(lambda records, k, result=result: result)(case(), 1.0)
        assert found.groups == RIGHT, result
    whole = {"released": numpy.array([[1]] * 3 + [[11]] * 3)}
    assert Function(lambda records, k: whole)(case(), 1.0).released == MEANS


def test_what_a_function_is_given() -> None:
    seen: list[object] = []

    def function(records: list[list[float]], k: int, gamma: float = 1.0) -> list[int]:
        seen.append((records, k, gamma))
        return [0] * len(records)

    adapter = Function(function)
    asked = Case("test", "v-mdav", 2, (("1/2", "x"), ("inf", "nan")), {"gamma": "1/5"})
    assert adapter(asked, 1.0).groups == ((0, 1),)
    [(records, k, gamma)] = seen  # type: ignore[misc]
    assert str(records) == "[[0.5, 'x'], [inf, nan]]"
    assert (k, gamma) == (2, 0.2)
    huge = case(records=(("1e400",), *SIX))
    assert adapter(huge, 1.0).unsupported == "a value is outside the range of binary64"
    with_seed = Case("test", "mdav", 3, SIX, seed=1)
    assert adapter(with_seed, 1.0).unsupported == "the function does not take 'seed'"
    scaled = Case("test", "mdav", 3, SIX, standardise="population")
    assert adapter(scaled, 1.0).unsupported == "the function does not take 'standardise'"


def test_what_a_function_may_raise() -> None:
    def answer(error: BaseException) -> Answer:
        def function(records: object, k: int) -> None:
            raise error

        return Function(function)(case(), 1.0)

    assert answer(ValueError("bad k")).refused == "ValueError: bad k"
    assert answer(KTooLarge("few")).refused == "KTooLarge: few"
    for error in (TypeError("x"), RecursionError(), MemoryError(), SystemExit(0), KeyError("y")):
        assert str(answer(error).errored).startswith(type(error).__name__)


def test_a_function_has_limited_time() -> None:
    def function(records: object, k: int) -> None:
        while True:
            try:
                time.sleep(60)
            except Exception:
                continue

    began = time.monotonic()
    assert Function(function)(case(), 0.2).errored == "no answer within 0.2 seconds"
    assert time.monotonic() - began < 2


# The protocol


def test_requests_and_replies_survive_the_pipe() -> None:
    asked = Case("c-1", "v-mdav", 3, SIX, {"gamma": "1/5"}, "population", 7)
    assert case_of(json.loads(json.dumps(request_of(asked)))) == asked
    for answer in (
        Answer(RIGHT, MEANS, "4"),
        Answer(refused="no"),
        Answer(unsupported="never heard of it"),
        Answer(errored="lost"),
    ):
        assert reply_from(json.dumps(reply_of(asked, answer)).encode(), asked) == answer


@pytest.mark.parametrize("version", [0, 2, "1", "", None])
def test_a_request_of_another_version_is_not_understood(version: object) -> None:
    with pytest.raises(Unintelligible, match="not a request of version"):
        case_of(request_of(case()) | {"version": version})


def test_decimals_are_read_digit_by_digit() -> None:
    line = b'{"id": "test", "released": [[0.1000000000000000055511151231257827], [12]]}'
    assert reply_from(line, case()).released == (("0.1000000000000000055511151231257827",), ("12",))


def test_whole_decimals_are_integers() -> None:
    """Groups and labels of 1 and 1.0 are the same, as they are for functions."""
    line = b'{"id": "test", "labels": [0, 1.0, 0.0, 1]}'
    assert reply_from(line, case()).groups == ((0, 2), (1, 3))
    line = b'{"id": "test", "groups": [[0.0, 1], [2.0, 3]], "released": [[3.0]]}'
    answer = reply_from(line, case())
    assert (answer.groups, answer.released) == (((0, 1), (2, 3)), (("3",),))


class Whole(int):
    """An integer as those of Python 3.12 and of NumPy are: it has `is_integer`."""

    def is_integer(self) -> bool:
        return True


class Quotient(Fraction):
    """A fraction as those of Python 3.12 are."""

    def is_integer(self) -> bool:
        return self.denominator == 1


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2**60 + 1, "1152921504606846977"),
        (Whole(2**60 + 1), "1152921504606846977"),
        (Quotient(2**60 + 1, 3), "1152921504606846977/3"),
        (0.1, "0.1"),
    ],
)
def test_numbers_that_functions_return_keep_their_digits(value: object, text: str) -> None:
    answer = Function(lambda records, k: {"released": [[value]] * 6, "sse": value})(case(), 5.0)
    assert (answer.released, answer.sse) == (((text,),) * 6, text)


def test_whole_numbers_of_numpy_keep_their_digits() -> None:
    numpy = pytest.importorskip("numpy")
    rows = [[numpy.int64(2**60 + 1)]] * 6
    answer = Function(lambda records, k: {"released": rows})(case(), 5.0)
    assert answer.released == (("1152921504606846977",),) * 6


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**4000, 1.5, float("nan"), "", "1", "x", "0 1", {0, 1, 2}, b"7"])
    | st.integers(-1, 7),
    lambda inner: st.lists(inner, max_size=6) | st.tuples(inner, inner),
    max_leaves=12,
)
KEYS = st.sampled_from(
    ["groups", "labels", "released", "sse", "refused", "unsupported", "errored", "x"]
)


@given(ANYTHING | st.dictionaries(KEYS, ANYTHING))
def test_whatever_is_returned_gets_a_verdict(result: object) -> None:
    answer = Function(lambda records, k: result)(case(), 5.0)
    judged = judge(case(), answer)
    assert judged.status in STATUSES
    assert answer_text(answer)
    if judged.status == "passed":
        assert answer.groups is not None
        assert sorted(map(sorted, answer.groups)) == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize(
    "result",
    [[[10**5000]], [10**5000] * 6, {"groups": [], "sse": 10**5000}, {"released": [[10**5000]]}],
    ids=["groups", "labels", "SSE", "released"],
)
def test_numbers_too_long_to_be_shown_get_a_verdict(result: object) -> None:
    judged = judge(case(), Function(lambda records, k: result)(case(), 5.0))
    assert judged.status in ("failed", "errored")


# Vectors and the command


def test_a_claim_without_vectors_is_answered_with_the_one_that_is_meant() -> None:
    with pytest.raises(UnknownAlgorithm, match=r"of 'mdva'; did you mean mdav\?$"):
        vectors_of("mdva")
    with pytest.raises(UnknownAlgorithm, match="there are any k-partition, blocks-in-file-order, "):
        vectors_of("zzz")


@pytest.mark.parametrize("claim", ["mdav", "v-mdav", "md", "hansen-mukherjee", OPTIMAL])
def test_the_project_conforms_to_its_own_vectors(claim: str) -> None:
    for judgement in run_cases(own, vectors_of(claim)):
        assert judgement.status == "passed", (judgement.case.id, judgement.reason)


def first_come(records: list[list[float]], k: int) -> list[int]:
    """Groups in the order of the records: a k-partition, and seldom anything else."""
    if not 1 <= k <= len(records):
        raise ValueError("k")
    return [min(i // k, len(records) // k - 1) for i in range(len(records))]


def test_what_is_no_run_is_found_by_the_ladder_and_by_the_vectors_alike() -> None:
    verdicts = Asking(strict=Strictness(explain=False, blame=False))
    judged = list(run_cases(Function(first_come), vectors_of("mdav"), verdicts))
    assert {j.check for j in judged if j.status == "failed"} >= {"run", "answered"}
    listed = {v.id: v.expectation.partitions for v in vectors_of("mdav")}
    for judgement in judged:
        if judgement.check == "run" and listed[judgement.case.id]:
            right = judgement.answer.groups in listed[judgement.case.id]
            assert (judgement.status == "passed") == right


def test_draws_are_compared_with_all_that_are_possible() -> None:
    listed = [v for v in vectors_of("random-seed") if v.expectation.kind == "choice"]
    verdicts = set()
    for vector in listed:
        n, k = len(vector.case.records), vector.case.k
        groups = tuple(tuple(range(n))[i::2] for i in range(2)) if n >= 2 * k else ()
        if groups and groups not in vector.expectation.partitions and n < 4 * k:
            verdicts.add(judge_vector(vector, Answer(groups=groups)).status)
        possible = vector.expectation.partitions[-1]
        assert judge_vector(vector, Answer(groups=possible)).status == "passed"
    assert verdicts == {"failed"}


def takes_no_part(records: object, k: int) -> dict[str, str]:
    return {"unsupported": "never"}


def refuses(records: object, k: int) -> None:
    raise ValueError("never")


def test_who_takes_no_part_does_not_conform(capsys: pytest.CaptureFixture[str]) -> None:
    for name, status in (("takes_no_part", 2), ("refuses", 1)):
        python = ["--python", f"tests.conformance.test_conformance:{name}"]
        assert main(["conform", "--algorithm", "md", *python]) == status
    bad = [v.id for v in vectors_of("md") if v.expectation.kind == "reject"]
    cases = [part for identity in bad for part in ("--case", identity)]
    assert main(["conform", "--algorithm", "md", *cases, *python]) == 2


@pytest.mark.long
def test_the_command_writes_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("jinja2")
    command = [
        "conform",
        "--algorithm",
        "md",
        "--flag",
        "boundary",
        "--python",
        "tests.conformance.test_conformance:first_come",
    ]
    assert main([*command, "--report", str(tmp_path / "page")]) == 1
    assert "md-003-n-equals-2k" in (tmp_path / "page" / "index.html").read_text(encoding="utf-8")
    assert main([*command, "--report", str(tmp_path / "none" / "page")]) == 2


def test_who_answers_differently_the_second_time_is_found() -> None:
    turns = iter(range(1000))

    def fickle(records: list[list[float]], k: int) -> list[int]:
        labels = first_come(records, k)
        return labels if next(turns) % 2 else labels[::-1]

    vectors = [v for v in vectors_of(ANY_PARTITION) if len(v.case.records) == 3 * v.case.k - 1]
    judged = list(run_cases(Function(fickle), vectors))
    assert {j.check for j in judged if j.status == "failed"} == {"repeatable"}
    allowed = list(run_cases(Function(fickle), vectors, Asking(may_vary=True)))
    assert {j.status for j in allowed} == {"passed", "unsupported"}


def test_the_command_tells_failures_and_its_exit_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    serve = [sys.executable, "-m", "oracle.conformance.serve"]
    assert main(["conform", "--algorithm", "md", "--", *serve]) == 0
    assert "failed" in capsys.readouterr().out
    python = ["--python", "tests.conformance.test_conformance:first_come"]
    out = tmp_path / "out.json"
    some = ["conform", "--algorithm", "md", "--flag", "boundary"]
    assert main([*some, "--json", str(out), *python]) == 1
    text = capsys.readouterr().out
    again = next(line for line in text.splitlines() if "again: " in line)
    assert "oracle conform --algorithm md --case md-" in again
    data = json.loads(out.read_text())
    assert data["by_status"]["failed"] > 5
    identity = again.split("--case ")[1].split()[0]
    assert main(["conform", "--algorithm", "md", "--case", identity, *python]) == 1
    assert main(["conform", "--algorithm", "md", *python, "--case", "md-none"]) == 2
    nothing = [sys.executable, "-c", "pass"]
    assert main(["conform", "--algorithm", "md", "--case", identity, "--", *nothing]) == 1


def test_the_program_of_the_documentation_conforms(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (ROOT / "docs" / "conformance.md").read_text(encoding="utf-8").splitlines()
    start = lines.index("    import json, sys")
    end = next(i for i, line in enumerate(lines) if i > start and line[:1] not in ("", " "))
    program = tmp_path / "program.py"
    program.write_text("\n".join(line[4:] for line in lines[start:end]), encoding="utf-8")
    command = ["conform", "--algorithm", ANY_PARTITION, "--", sys.executable, str(program)]
    assert main(command) == 0, capsys.readouterr().out


def test_the_command_needs_one_way_to_the_implementation(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for arguments in (
        [],
        ["--python", "os:getcwd", "--", "true"],
        ["--python", "nothing"],
        ["--python", "no_such_module:f"],
        ["--python", "os:sep"],
        ["--answer-timeout", "0", "--", "true"],
        ["--tolerance", "-1", "--", "true"],
    ):
        assert main(["conform", "--algorithm", "md", *arguments]) == 2, arguments
        assert capsys.readouterr().err.startswith("error: ")
    assert main(["conform", "--algorithm", "unheard-of", "--", "true"]) == 2


def test_unknown_functions_are_errors_of_the_request() -> None:
    from refagg.language.importing import function_named

    with pytest.raises(InvalidParameter):
        function_named("os:no_such_thing")


def test_a_module_in_the_current_directory_is_found(tmp_path: Path) -> None:
    (tmp_path / "somebodys.py").write_text("def one(records, k): return [0] * len(records)\n")
    command = "from oracle.commands.main import main; raise SystemExit(main())"
    asked = ["conform", "--algorithm", "any k-partition", "--flag", "boundary"]
    asked += ["--python", "somebodys:one"]
    # -P: as for an installed command, the directory is not searched by itself.
    done = subprocess.run(
        [sys.executable, "-P", "-c", command, *asked],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert "cannot be loaded" not in done.stderr
    assert "passed" in done.stdout


def test_a_function_warns_once(recwarn: pytest.WarningsRecorder) -> None:
    """Where filters change in between, Python would show a warning at each call."""

    def warns(records: list[list[float]], k: int) -> list[int]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
        warnings.warn("it is slow", stacklevel=1)
        if len(records) == 2:
            warnings.warn("there are two", stacklevel=1)
        return [0] * len(records)

    function = Function(warns)
    for n in (1, 2, 1, 2):
        function(Case("x", "md", 1, (("0",),) * n), 10.0)
    assert [str(one.message) for one in recwarn] == ["it is slow", "there are two"]


def test_ctrl_c_while_an_answer_is_asked_again_ends_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a command, which keeps what it has."""
    monkeypatch.setattr(NOW, "keeps", True)
    monkeypatch.setattr(NOW, "interrupted", False)
    asked: list[str] = []

    def interrupted(case: Case, seconds: float) -> Answer:
        asked.append(case.id)
        if len(asked) == 4:
            raise KeyboardInterrupt
        return own(case, seconds)

    vectors = [vector for vector in vectors_of("mdav") if vector.expectation.kind != "reject"]
    assert len(list(run_cases(interrupted, vectors[:9]))) == 1
    assert len(asked) == 4
