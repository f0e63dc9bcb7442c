"""`oracle optimum` and `oracle verify`, from files to files."""

from __future__ import annotations

import gzip
import json
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest
from instances import Instance, drawn_rows, least_cost, least_sse, squared_error, write_instance
from suites import one_in

import oracle.commands.main
from oracle.certificate.kernel import seal
from oracle.functions.optima import verify
from oracle.optima import solve
from oracle.optima.clock import Progress
from refagg.datasets import shipped_folder
from tests.certificate import altered

Ran = Callable[..., tuple[int, str, str]]

FIRMS = shipped_folder() / "eleven-firms.csv"
SIX = Instance(((1, 5), (2, 4), (1, 4), (9, 9), (8, 9), (9, 7)), 3)
LARGE = Instance(drawn_rows(random.Random(1), 50, 3, 1000), 3)

KEYS = {
    *("format", "status", "method", "proof", "standardise", "sse", "sse_exact", "bound"),
    *("bound_exact", "gap", "information_loss", "seconds", "groups"),
}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Ran:
    """Choices `oracle`: its exit status, what it printed and what it complained of."""

    def ran(*arguments: object) -> tuple[int, str, str]:
        status = oracle.commands.main.main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return ran


@pytest.fixture
def six(tmp_path: Path) -> Path:
    """SIX as a file."""
    path = tmp_path / "six.csv"
    write_instance(path, SIX)
    return path


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """LARGE as a file."""
    path = tmp_path / "large.csv"
    write_instance(path, LARGE)
    return path


def json_of(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def files_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


# oracle optimum


@pytest.mark.parametrize("method", ["auto", "exhaustive", "subsets", "ilp", "columns"])
def test_each_method(run: Ran, six: Path, method: str) -> None:
    out = six.with_name("out.json")
    status, text, complaint = run(
        "optimum", six, "-k", 3, "--method", method, "--standardise", "none", "--json", out
    )
    assert (status, complaint) == (0, "")
    data = json_of(out)
    assert set(data) == KEYS
    chosen = "subsets" if method == "auto" else method
    proof = "certificate" if chosen == "columns" else "search"
    assert (data["format"], data["status"]) == ("refagg optimum 1", "optimal")
    assert (data["method"], data["proof"], data["standardise"]) == (chosen, proof, "none")
    assert data["groups"] == [[0, 1, 2], [3, 4, 5]]
    # The means are (4/3, 13/3) and (26/3, 25/3).
    assert Fraction(data["sse_exact"]) == Fraction(data["bound_exact"]) == least_sse(SIX)
    assert data["sse"] == data["bound"] == pytest.approx(4 / 3 + 10 / 3)
    assert data["gap"] == 0
    assert data["seconds"] >= 0
    assert text.startswith(f"optimal ({chosen}, ")
    assert "groups: 2 of 3\nSSE 4.66666666667, information loss " in text


def test_univariate(run: Ran, tmp_path: Path) -> None:
    path, out = tmp_path / "in.csv", tmp_path / "out.json"
    path.write_text("x\n60\n20\n7\n11\n50\n10\n51\n")
    options = ["--standardise", "none", "--json", out]
    assert run("optimum", path, "-k", 3, "--method", "univariate", *options)[0] == 0
    named = json_of(out)
    assert named["groups"] == [[0, 4, 6], [1, 2, 3, 5]]
    assert run("optimum", path, "-k", 3, *options)[0] == 0
    assert json_of(out)["method"] == "univariate"
    assert run("optimum", six_of(tmp_path), "-k", 3, "--method", "univariate")[0] == 2


def six_of(folder: Path) -> Path:
    write_instance(folder / "six.csv", SIX)
    return folder / "six.csv"


def test_information_loss_of_the_firms(run: Ran, tmp_path: Path) -> None:
    """MDAV loses 54.945 % of them (README); the optimum is less, and none without the SST."""
    out, equal = tmp_path / "out.json", tmp_path / "equal.csv"
    assert run("optimum", FIRMS, "-k", 3, "--json", out)[0] == 0
    data = json_of(out)
    # Population z-scores have the SST n for each attribute.
    assert data["information_loss"] == pytest.approx(100 * data["sse"] / 22)
    assert data["information_loss"] < 54.945
    equal.write_text("a\n5\n5\n5\n5\n")
    assert run("optimum", equal, "-k", 2, "--json", out)[1].endswith("\nSSE 0\n")
    assert (json_of(out)["information_loss"], json_of(out)["gap"]) == (None, 0)


def test_columns_and_scale(run: Ran, tmp_path: Path) -> None:
    """What is asked for decides: the attribute a, b, or both on the scale of z-scores."""
    path, out = tmp_path / "in.csv", tmp_path / "out.json"
    rows = ((0, 0), (1, 900), (10, 10), (11, 910), (0, 905), (12, 5))
    text = [f"{number},{a};{b}" for number, (a, b) in enumerate(rows)]
    path.write_text("\n".join(["id,a;b", *text]).replace(",", ";") + "\n")
    found = {}
    for options in (
        ("--columns", "a", "--standardise", "none"),
        ("--columns", "b", "--standardise", "none"),
        ("--confidential", "id", "--standardise", "none"),
        ("--confidential", "id", "--standardise", "population"),
        ("--confidential", "id"),
    ):
        assert run("optimum", path, "-k", 3, "--delimiter", ";", *options, "--json", out)[0] == 0
        found[options] = Fraction(json_of(out)["sse_exact"])
        last = json_of(out)["standardise"]
    a, b, both, scaled, default = found.values()
    assert a == least_sse(Instance(tuple((row[0],) for row in rows), 3))
    assert b == least_sse(Instance(tuple((row[1],) for row in rows), 3))
    assert both == least_sse(Instance(rows, 3))
    assert scaled == default == scaled_least(rows)
    assert last == "population"


def scaled_least(rows: tuple[tuple[int, int], ...]) -> Fraction | None:
    """The least SSE of z-scores: each attribute divided by its SST, times n."""
    every = tuple(range(len(rows)))
    parts = [squared_error([(row[j],) for row in rows]) for j in range(2)]
    shares = [len(rows) / part(every) for part in parts]

    def cost(group: tuple[int, ...]) -> Fraction:
        return sum((s * part(group) for s, part in zip(shares, parts, strict=True)), Fraction(0))

    return least_cost(len(rows), 3, cost)


def test_constraints(run: Ran, six: Path) -> None:
    out = six.with_name("out.json")
    scale = ["--standardise", "none", "--json", out]
    assert run("optimum", six, "-k", 2, "--together", "0-3, 4-0", "--apart", "0-5", *scale)[0] == 0
    groups = json_of(out)["groups"]
    assert any({0, 3, 4} <= set(group) and 5 not in group for group in groups)

    def allowed(group: tuple[int, ...]) -> bool:
        return len({record in group for record in (0, 3, 4)}) == 1 and not {0, 5} <= set(group)

    truth = least_cost(6, 2, squared_error(SIX.rows), allowed)
    assert Fraction(json_of(out)["sse_exact"]) == truth
    assert run("optimum", six, "-k", 2, "--largest", 2, *scale)[0] == 0
    assert [len(group) for group in json_of(out)["groups"]] == [2, 2, 2]


@pytest.mark.parametrize("method", ["subsets", "exhaustive", "ilp", "columns", "auto"])
def test_a_time_limit_of_nothing(run: Ran, large: Path, method: str) -> None:
    out = large.with_name("out.json")
    options = ["--method", method, "--columns", "x1,x2", "--json", out]
    if method == "ilp":  # not begun for so many groups
        options += ["--largest", 3, "--confidential", "x3"]
        large.write_text("".join(large.read_text().splitlines(keepends=True)[:31]))
    status, text, _ = run("optimum", large, "-k", 3, "--time-limit", 0, *options)
    assert status == 1
    data = json_of(out)
    assert (data["status"], data["proof"]) == ("feasible", None)
    assert min(map(len, data["groups"])) >= 3
    assert text.startswith(f"feasible ({data['method']}, ")
    if data["method"] == "columns":  # half of each record's least distances, which need no search
        assert 0 < data["bound"] < data["sse"]
        assert 0 < data["gap"] < 1
    else:
        assert (data["bound"], data["gap"]) == (0, 1)
        assert "proven lower bound 0, information loss 0 %; remaining gap 100 %" in text


def test_progress_is_shown_unless_it_is_not_wanted(
    run: Ran, large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oracle.commands.optimum_command.EVERY", 0.0)
    _, text, progress = run("optimum", large, "-k", 3, "--time-limit", 0.5)
    assert "columns, " in progress
    assert "incumbent" in progress
    assert "incumbent" not in text
    assert run("optimum", large, "-k", 3, "--time-limit", 0.5, "--quiet")[2] == ""


def test_state(run: Ran, large: Path) -> None:
    state, out = large.with_name("state.json"), large.with_name("out.json")
    run("optimum", large, "-k", 3, "--state", state, "--time-limit", 0, "--quiet")
    before = json_of(state)["round"]
    options = ["--state", state, "--time-limit", 300, "--quiet", "--json", out]
    assert run("optimum", large, "-k", 3, *options)[0] == 0
    assert json_of(state)["round"] > before
    assert json_of(out)["method"] == "columns"
    kept = state.read_bytes()
    status, _, complaint = run("optimum", large, "-k", 4, *options)
    assert (status, complaint) == (2, f"error: {state} is the state of another problem\n")
    assert state.read_bytes() == kept


def test_a_run_begins_with_the_better_of_two_partitions(run: Ran, large: Path) -> None:
    """With no time left the result is where the run began."""
    best, state, out = (large.with_name(name) for name in ("best.json", "s.json", "out.json"))
    assert run("optimum", large, "-k", 3, "--json", best, "--quiet")[0] == 0
    options = ["--json", out, "--time-limit", 0, "--quiet", "--start", best]
    assert run("optimum", large, "-k", 3, *options)[0] == 1
    assert json_of(out)["groups"] == json_of(best)["groups"]
    assert json_of(out)["method"] == "columns"
    run("optimum", large, "-k", 3, "--state", state, "--time-limit", 0, "--quiet")
    assert json_of(state)["partition"] != json_of(best)["groups"]
    assert run("optimum", large, "-k", 3, *options, "--state", state)[0] == 1
    assert json_of(out)["groups"] == json_of(best)["groups"]
    worse = large.with_name("worse.csv")
    n = len(large.read_text().splitlines()) - 1
    labels = [min(i // 3, n // 3 - 1) for i in range(n)]
    worse.write_text("group\n" + "".join(f"{label}\n" for label in labels))
    assert run("optimum", large, "-k", 3, *options[:-1], worse, "--state", state)[0] == 1
    assert json_of(out)["groups"] == json_of(best)["groups"]


def test_a_finished_run_is_remembered(run: Ran, large: Path) -> None:
    """The second run shows no progress, as it has nothing to do, and ends with the same proof."""
    state, first, second = (large.with_name(name) for name in ("s.json", "1.json", "2.json"))
    options = ["--state", state, "--certificate"]
    assert run("optimum", large, "-k", 3, *options, first, "--quiet")[0] == 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("oracle.commands.optimum_command.EVERY", 0.0)
        status, text, progress = run("optimum", large, "-k", 3, *options, second)
    assert (status, progress) == (0, "")
    assert text.startswith("optimal (columns, ")
    assert first.read_bytes() == second.read_bytes()


def test_a_run_that_is_ended_again_and_again_comes_to_its_end(large: Path, tmp_path: Path) -> None:
    """Whatever was interrupted, also in the tree, is kept; each certificate is true."""
    rows = [[int(x) for x in line.split(",")] for line in large.read_text().splitlines()[1:51]]
    data, proof, state = (tmp_path / name for name in ("few.csv", "proof.json", "state.json"))
    data.write_text("\n".join(["x1,x2,x3", *(",".join(map(str, row)) for row in rows), ""]))
    found, phases, bound = None, set(), Fraction(0)
    for _ in range(100):
        asked = 0

        def report(progress: Progress) -> None:
            nonlocal asked
            asked += 1
            phases.add(progress.phase.split(",")[0])
            if asked == 6:
                raise KeyboardInterrupt

        found = solve(rows, 3, "columns", state=state, report=report)
        proof.write_text(json.dumps(found.certificate))
        verdict = verify(proof, data)
        assert verdict.bound == found.bound >= bound
        bound = found.bound
        if found.status == "optimal":
            break
    assert found.status == "optimal"
    assert found.value == solve(rows, 3, "columns").value
    assert "root" in phases


@pytest.mark.parametrize("sign", one_in(2, [signal.SIGTERM, signal.SIGINT]))
def test_a_signal_ends_a_run_with_what_is_known(tmp_path: Path, sign: signal.Signals) -> None:
    data, state, out = (tmp_path / name for name in ("in.csv", "state.json", "out.json"))
    write_instance(data, Instance(drawn_rows(random.Random(1), 200, 3, 1000), 4))
    words = ["optimum", data, "-k", 4, "--state", state, "--json", out]
    command = [sys.executable, "-m", "oracle.commands.main", *map(str, words)]
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # where the suite ignores it, too
    with subprocess.Popen(
        command, stdout=PIPE, stderr=PIPE, text=True, preexec_fn=heard
    ) as process:
        assert process.stderr is not None
        while " columns, " not in process.stderr.readline():  # the first rounds are known
            pass
        process.send_signal(sign)
        text, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert text.startswith("feasible (columns, ")
    assert "proven lower bound " in text
    assert json_of(out)["status"] == "feasible"
    assert json_of(state)["partition"] == json_of(out)["groups"]


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.update(pool=[[0, 1, 99]]),
        lambda data: data.update(pool=[[0, 0, 1]]),
        lambda data: data.update(pool=7),
        lambda data: data.update(alone=[0.5] * 6),
        lambda data: data.update(partition=[[0, 1, 2, 3, 4]]),
        lambda data: data.update(partition=[[0, 1], [2, 3, 4, 5]]),
        lambda data: data["tree"]["duals"].update(cuts=[[[0, 1], [1], 2, -1]]),
        lambda data: data.update(tree={"duals": {}}),
        lambda data: data.update(tree={"duals": []}),
        lambda data: data["tree"]["duals"].update(bound=10**30),
        lambda data: data["tree"]["duals"].update(records=[]),
        lambda data: data.update(round="1"),
        lambda data: data.update(tree=nested(700)),
        lambda data: data.update(tree={"duals": None}),
        lambda data: data.pop("tree"),
        lambda data: data["tree"].update(pair=[0, 1]),
    ],
)
@pytest.mark.parametrize("sealed", [False, True])
def test_a_malformed_state(
    run: Ran, six: Path, change: Callable[[Any], object], sealed: bool
) -> None:
    state = six.with_name("state.json")
    assert run("optimum", six, "-k", 3, "--state", state)[0] == 0
    data = json_of(state)
    change(data)
    if sealed:
        data["seal"] = seal(data)
    state.write_text(json.dumps(data))
    status, text, complaint = run("optimum", six, "-k", 3, "--state", state)
    assert (status, text) == (2, "")
    assert complaint == f"error: {state} is not the state of a run\n"


def test_state_of_a_small_problem(run: Ran, six: Path) -> None:
    """A state belongs to the method columns, which is taken for so few records, too."""
    state = six.with_name("state.json")
    for _ in range(2):
        assert run("optimum", six, "-k", 3, "--state", state)[0] == 0
    assert json_of(state)["partition"] == [[0, 1, 2], [3, 4, 5]]


def test_executor_and_solver(run: Ran, six: Path) -> None:
    options = ["--executor", "processes", "--solver", "cbc", "--method", "columns"]
    assert run("optimum", six, "-k", 3, *options)[0] == 0


def test_values_beyond_all_floats(run: Ran, tmp_path: Path) -> None:
    path, out = tmp_path / "in.csv", tmp_path / "out.json"
    path.write_text("x,y\n1e300,1\n2,2\n3,3\n-1e300,4\n")
    for method in ("subsets", "ilp", "columns"):
        options = ["--method", method, "--standardise", "none", "--json", out]
        status, text, complaint = run("optimum", path, "-k", 2, *options)
        assert (status, complaint) == (0, "")
        assert "SSE about 2^1" in text
        assert json_of(out)["sse"] is None
        assert Fraction(json_of(out)["sse_exact"]) > 10**598


# oracle verify


@pytest.fixture
def proof(run: Ran, six: Path) -> Path:
    """The certificate of SIX, with z-scores."""
    path = six.with_name("proof.json")
    assert run("optimum", six, "-k", 3, "--certificate", path)[0] == 0
    return path


def test_a_certificate_is_accepted(run: Ran, six: Path, proof: Path) -> None:
    for checker in ("python", *altered.installed()):
        status, text, complaint = run("verify", proof, six, "--checker", checker)
        assert (status, complaint) == (0, "")
        value = json_of(proof)["value"]
        assert text.splitlines()[-1].startswith(f"checker: {checker} (")
        if checker != "python":
            assert text.startswith(f"accepted optimal {value}\n")
            continue
        assert text.startswith(
            f"accepted: SSE {value} is optimal: no partition of the 6 records into groups of "
            "3 to 5 (k = 3) has less; attributes x1, x2, each divided by its standard deviation "
            "(divisor n)\nproof: "
        )


def test_a_certificate_of_a_bound(run: Ran, large: Path) -> None:
    path, out = large.with_name("proof.json"), large.with_name("out.json")
    for limit, status in ((0, 1), (0.3, None), (30, 0)):
        found, _, _ = run(
            "optimum", large, "-k", 3, "--time-limit", limit, "--certificate", path,
            "--json", out, "--quiet",
        )  # fmt: skip
        assert status is None or found == status
        accepted, text, _ = run("verify", path, large)
        assert accepted == 0
        data = json_of(out)
        if found == 0:
            assert "accepted: SSE about " in text
            assert " is optimal: " in text
        else:
            bound, value = re.search(r"below (.+);.* has (.+)\nproof", text, re.S).groups()
            assert number_in(bound) == pytest.approx(data["bound"], rel=1e-9)
            assert number_in(value) == pytest.approx(data["sse"], rel=1e-9)


def number_in(text: str) -> float:
    """A value as `verify` prints it: "5", "7/3", "about 0.25" or "12345678/5 (about 2469135.6)"."""
    return float(Fraction(text.removesuffix(")").split("about ")[-1]))


@pytest.mark.parametrize(
    ("text", "value"),
    [("5", 5), ("7/2", 3.5), ("about 0.25", 0.25), ("12345678/5 (about 2469135.6)", 2469135.6)],
)
def test_values_as_they_are_printed(text: str, value: float) -> None:
    assert number_in(text) == value


def tampered(proof: Path, change: Callable[[Any], object], sealed: bool) -> Path:
    data = json_of(proof)
    change(data)
    if sealed:
        data["seal"] = seal(data)
    path = proof.with_name("tampered.json")
    path.write_text(json.dumps(data))
    return path


@pytest.mark.parametrize(
    ("change", "sealed", "reason"),
    [
        (lambda data: data.update(k=2), False, "certificate.seal: something"),
        (lambda data: data.update(value="1/3"), True, "is not the partition's SSE"),
        (lambda data: data.update(bound="1/3"), False, "certificate.seal: something"),
        (lambda data: data["partition"][0].pop(), True, "expected each record in one group"),
        (lambda data: data.update(k=4), True, "partition[0]: "),
        (lambda data: data.update(apart=[[0, 1]]), True, "is not allowed"),
        (lambda data: data["proof"].clear(), True, "certificate.proof.filters: expected list"),
        (
            lambda data: data.update(format="refagg certificate 9"),
            True,
            "refagg certificate 3",
        ),
        (lambda data: data.update(standardise="none"), True, "is not the partition's SSE"),
        (lambda data: data.update(records=7), True, "it is about other data"),
        (lambda data: data.update(attributes=["x1", "z"]), True, "expected the attributes ['z']"),
    ],
)
def test_a_tampered_certificate_is_rejected(
    run: Ran, six: Path, proof: Path, change: Callable[[Any], object], sealed: bool, reason: str
) -> None:
    status, text, complaint = run("verify", tampered(proof, change, sealed), six)
    assert (status, complaint) == (1, "")
    assert text.startswith("rejected: ")
    assert reason in text


def test_the_certificate_of_other_data_is_rejected(run: Ran, six: Path, proof: Path) -> None:
    lines = six.read_text().splitlines()
    other = six.with_name("other.csv")
    for spoilt in (lines[:-1], [*lines[:-1], "9,8"], lines[:1] + lines[:0:-1]):
        other.write_text("\n".join(spoilt) + "\n")
        status, text, _ = run("verify", proof, other)
        assert (status, text) == (
            1,
            "rejected: certificate.digest: it is about other data\n"
            "checker: python (oracle/certificate/kernel.py)\n",
        )
    assert run("verify", proof, FIRMS)[0] == 1
    assert run("verify", proof, six.with_name("nothing.csv"))[0] == 2
    assert run("verify", six, six)[0] == 1


def test_the_sentence_names_everything_under_which_a_partition_is_optimal(
    run: Ran, tmp_path: Path
) -> None:
    """With 0 apart from 1 and 2, (0, 3, 4) and (1, 2) are all there is, at 1/2 + 222/3."""
    data, proof = tmp_path / "in.csv", tmp_path / "proof.json"
    data.write_text("x\n0\n1\n2\n10\n11\n")
    scale = ["--standardise", "none"]
    apart = ["--apart", "0-1,0-2", "--certificate", proof]
    assert run("optimum", data, "-k", 2, *apart, *scale)[0] == 0
    assert run("verify", proof, data)[1].splitlines()[0] == (
        "accepted: SSE 149/2 is optimal: no partition of the 5 records into groups of 2 to 3 "
        "(k = 2) with 0-1, 0-2 apart has less; attributes x, as they are"
    )
    other = ["--together", "3-4", "--apart", "0-1", "--largest", 3, "--certificate", proof]
    assert run("optimum", data, "-k", 2, *other, "--standardise", "sample")[0] == 0
    assert "(k = 2) with 3-4 together and 0-1 apart has less; attributes x, each divided by its " \
        "standard deviation (divisor n - 1)" in run("verify", proof, data)[1]  # fmt: skip


# Certificates that others wrote


@pytest.mark.parametrize(
    "change",
    [
        *(
            (lambda data, key=key, number=number: data.update({key: number}))
            for key in ("value", "bound", "per_unit")
            for number in ("1e999999999", "-1e9", "0.5", "1_0", " 1", "\u0661", "1/0", "1/-2", "")
        ),
        lambda data: data.update(value="1" * 100_000),
        lambda data: data.update(parts=[]),
        lambda data: data.update(attributes=[]),
        lambda data: data.update(attributes="x1"),
        lambda data: data.update(attributes=[1, 2]),
        lambda data: data.update(proof=nested(700)),
        lambda data: data.update(proof=nested(300)),
        lambda data: data["proof"].update(infeasible=1),
        lambda data: data["proof"].update(costs="yes"),
        lambda data: data["proof"].update(filters=7),
        lambda data: data["proof"]["duals"].update(cuts=[[[[]], [1], 2, 0]]),
        lambda data: data["proof"]["duals"].update(cuts=7),
        lambda data: data.update(proof=7),
        lambda data: data.update(cuts=None),
        lambda data: data.update({"\x1b[2J": 1}),
    ],
)
def test_a_certificate_that_makes_no_sense_is_rejected_at_once(
    run: Ran, six: Path, proof: Path, change: Callable[[Any], object]
) -> None:
    begun = time.monotonic()
    status, text, complaint = run("verify", tampered(proof, change, sealed=True), six)
    assert (status, complaint) == (1, "")
    first, checker = text.splitlines()
    assert first.startswith("rejected: ")
    assert checker == "checker: python (oracle/certificate/kernel.py)"
    assert first.isprintable()
    assert time.monotonic() - begun < 2


def nested(nodes: int) -> Any:
    node: dict[str, Any] = {}
    for _ in range(nodes):
        node = {"next": node}
    return node


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"k":3', '"k":2,"k":3'),
        ('"parts":', '"parts":' + "7" * 5000),
        ('"proof":{', '"proof":{' + '"next":{' * 1000 + "}" * 1000 + ", "),
        ('"parts":', '"parts":NaN,"x":'),
        ('"parts":', '"parts":1.5,"x":'),
        ("{", "[" * 100_000),
        ("{", "\ufeff\ud800"),
    ],
)
def test_a_certificate_that_is_no_json_of_ours_is_rejected(
    run: Ran, six: Path, proof: Path, old: str, new: str
) -> None:
    spoilt = proof.with_name("spoilt.json")
    text = proof.read_text(encoding="utf-8")
    assert old in text
    spoilt.write_text(text.replace(old, new, 1), encoding="utf-8", errors="surrogatepass")
    status, text, complaint = run("verify", spoilt, six)
    assert (status, complaint) == (1, "")
    assert text.startswith("rejected: ")


def test_the_same_key_twice_is_refused_though_the_seal_is_right(
    run: Ran, six: Path, proof: Path
) -> None:
    """The last of two values counts in Python, and the seal is computed from it."""
    proof.write_text(proof.read_text().replace('"k":3', '"k":2,"k":3'))
    assert "the same key twice" in run("verify", proof, six)[1]


def test_a_certificate_about_a_file_that_verify_does_not_read_comes_with_a_note(
    run: Ran, six: Path, tmp_path: Path
) -> None:
    proof, other = tmp_path / "proof.json", tmp_path / "decimal.csv"
    other.write_text(six.read_text().replace(",", ";"))
    words = ("optimum", other, "-k", 3, "--delimiter", ";", "--certificate", proof)
    assert "`oracle verify` will not read" not in run(*words)[2]
    assert f"`oracle verify` will not read {other} in" in run(*words, "--decimal", ",")[2]
    assert run("verify", proof, other, "--delimiter", ";")[0] == 0


def test_a_certificate_is_written_without_blanks_and_compressed_by_its_name(
    run: Ran, six: Path, proof: Path
) -> None:
    text = proof.read_text()
    assert text == json.dumps(json.loads(text), separators=(",", ":")) + "\n"
    packed = proof.with_name("written.json.gz")
    assert run("optimum", six, "-k", 3, "--certificate", packed)[0] == 0
    assert gzip.decompress(packed.read_bytes()) == proof.read_bytes()
    other = proof.with_name("written.json.xz")
    status, _, error = run("optimum", six, "-k", 3, "--certificate", other)
    assert (status, "by gzip only" in error, other.exists()) == (2, True, False)


def test_a_certificate_may_be_compressed(run: Ran, six: Path, proof: Path) -> None:
    packed = proof.with_name("proof.json.gz")
    packed.write_bytes(gzip.compress(proof.read_bytes()))
    assert run("verify", packed, six) == run("verify", proof, six)
    packed.write_bytes(gzip.compress(proof.read_bytes())[:-20])
    assert run("verify", packed, six)[0] == 1


@pytest.mark.parametrize("cell", ["1e999999999", "1e5000", "1_0", "1/2", "nan", "\u0661"])
def test_data_with_numbers_that_are_none(run: Ran, six: Path, proof: Path, cell: str) -> None:
    six.write_text(six.read_text().replace("9", cell), encoding="utf-8")
    status, text, _ = run("verify", proof, six)
    assert (status, "expected a number" in text) == (1, True)


def test_files_that_cannot_be_read(run: Ran, six: Path, proof: Path) -> None:
    folder = six.parent
    for pair in (
        (folder, six),
        (proof, folder),
        (folder / ("n" * 300), six),
        (proof, folder / "n"),
    ):
        status, text, complaint = run("verify", *pair)
        assert (status, text) == (2, "")
        assert "cannot be read: " in complaint


@pytest.mark.parametrize("factor", ["e200", "e306", "e900"])
def test_data_near_the_end_of_binary64_and_beyond(run: Ran, tmp_path: Path, factor: str) -> None:
    data, proof = tmp_path / "in.csv", tmp_path / "proof.json"
    rows = ["1,5", "2,4", "1,4", "9,9", "8,9", "9,7", "4,4"]
    data.write_text("\n".join(["x,y", *(r.replace(",", f"{factor},") + factor for r in rows)]))
    for scale in ("none", "population"):
        options = ["--standardise", scale, "--certificate", proof, "--method", "columns"]
        assert run("optimum", data, "-k", 3, *options)[0] == 0
        status, text, complaint = run("verify", proof, data)
        assert (status, complaint) == (0, "")
        assert text.startswith("accepted: SSE ")
        run("optimum", data, "-k", 3, *options, "--time-limit", 0)
        assert run("verify", proof, data)[0] == 0


# Requests that are wrong


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--together", "0:1"], "--together has '0:1'; pairs are written A-B,C-D"),
        (["--together", "0-1,"], "--together has ''"),
        (["--apart", "0-1-2"], "--apart has '0-1-2'"),
        (["--apart=-1-2"], "--apart has '-1-2'"),
        (["--apart", "a-b"], "--apart has 'a-b'"),
        (["--apart", "0-6"], "apart names record 6"),
        (["--apart", "0-1", "--together", "1-0"], "must be apart, and also together"),
        (["--largest", 2], "the largest size is 2"),
        (["--time-limit", -1], "time limit is -1"),
        (["--time-limit", "nan"], "time limit is nan"),
        (["--executor", "threads"], "executor is 'threads'"),
        (["--executor", "dask://nowhere"], "'nowhere' is not the HOST:PORT"),
        (["--columns", "x9"], "no column 'x9'"),
        (["--method", "univariate"], "univariate needs one attribute"),
        (
            ["--method", "subsets", "--certificate", "{}/proof.json"],
            "subsets writes no certificate",
        ),
        (["--method", "ilp", "--state", "{}/state.json"], "ilp writes no certificate and no state"),
        (["--method", "subsets", "--start", "{}/six.csv"], "takes no start; columns does"),
        (["--start", "{}/nothing.json"], "nothing.json cannot be read"),
        (["--start", "{}/six.csv"], "six.csv"),
        (["--state", "{}/a", "--start", "{}/a"], "is an input or another output"),
        (["-k", 7], "only 6 records"),
        (["-k", 0], "k is 0"),
        (["--json", "{}/six.csv"], "is an input or another output"),
        (["--certificate", "{}/six.csv"], "is an input or another output"),
        (["--state", "{}/six.csv"], "is an input or another output"),
        (["--json", "{}/a", "--certificate", "{}/a"], "is an input or another output"),
        (["--json", "{}/a", "--state", "{}/b/../a"], "is an input or another output"),
        (["--json", "{}/nowhere/a"], "no folder"),
        (["--certificate", "{}"], "it is a folder"),
    ],
)
def test_wrong_requests_leave_nothing_behind(
    run: Ran, six: Path, options: list[Any], words: str
) -> None:
    folder = six.parent
    before = six.read_bytes()
    given = [str(option).replace("{}", str(folder)) for option in options]
    if "--json" not in given:
        given += ["--json", str(folder / "out.json")]
    status, text, complaint = run("optimum", six, "-k", 3, *given)
    assert (status, text) == (2, "")
    assert complaint.startswith("error: ")
    assert words in complaint
    assert files_in(folder) == {"six.csv"}
    assert six.read_bytes() == before


@pytest.mark.parametrize(
    "options",
    [["--method", "best"], ["--solver", "glpk"], ["--standardise", "variance"], ["-k", "x"]],
)
def test_what_the_parser_does_not_know(run: Ran, six: Path, options: list[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        run("optimum", six, "-k", 3, *options)
    assert stop.value.code == 2


def test_a_spoilt_state_is_left_as_it_is(run: Ran, six: Path) -> None:
    state = six.with_name("state.json")
    state.write_text("{")
    status, _, complaint = run("optimum", six, "-k", 3, "--state", state)
    assert (status, complaint) == (2, f"error: {state} is not the state of a run\n")
    assert state.read_text() == "{"
    assert files_in(six.parent) == {"six.csv", "state.json"}
