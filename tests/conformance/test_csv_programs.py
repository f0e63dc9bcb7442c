"""Programs that read a CSV file and write one, and functions of data frames."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import oracle
from oracle.commands.main import main
from oracle.conformance.judge.model import Answer, Case
from oracle.conformance.transport.csvfiles import CsvProgram
from oracle.conformance.transport.processes import Process
from oracle.conformance.vectors import vectors_of
from refagg.errors import InvalidParameter

MDAV = """
import csv, sys
from fractions import Fraction as F
source, target, k = sys.argv[1], sys.argv[2], int(sys.argv[3])
names, *cells = csv.reader(open(source))
rows = [[F(cell) for cell in row] for row in cells]
if not 1 <= k <= len(rows) or {len(row) for row in rows} != {len(names)}:
    sys.exit("k, or rows of different lengths")
def mean(of): return [sum(column) / len(of) for column in zip(*(rows[i] for i in of))]
def d(i, to): return sum((a - b) ** 2 for a, b in zip(rows[i], to))
def far(to): return max(left, key=lambda i: d(i, to))
def close(seed, size, *but):
    others = sorted((d(i, rows[seed]), i) for i in left if i not in (seed, *but))
    groups.append([seed, *(i for _, i in others[:size - 1])])
    left[:] = [i for i in left if i not in groups[-1]]
left, groups = list(range(len(rows))), []
while len(left) >= 3 * k:
    r = far(mean(left)); left.remove(r); s = far(rows[r]); left.append(r)
    close(r, k, s); close(s, k)
if len(left) >= 2 * k: close(far(mean(left)), k)
if left: close(left[0], len(left))
group_of = {i: g for g, of in enumerate(groups) for i in of}
out = csv.writer(open(target, "w"))
if sys.argv[4:] == ["groups"]:
    out.writerows([["group"], *([group_of[i]] for i in range(len(rows)))])
else:
    out.writerows([names, *(map(float, mean(groups[group_of[i]])) for i in range(len(rows)))])
"""
"""MDAV in exact arithmetic."""

WRONG = {
    "the nearest record for the farthest": ("return max(left", "return min(left"),
    "one record too few": ("len(left) >= 3 * k", "len(left) >= 3 * k - 1"),
    "means without the last record": ("sum(column) /", "sum(column[:-1] or column) /"),
    "distances that are not squared": ("(a - b) ** 2", "abs(a - b)"),
    "seeds for means": ("mean(groups[group_of[i]])", "rows[groups[group_of[i]][0]]"),
}

FOUR = Case("four", "mdav", 2, (("0", "1"), ("1", "1"), ("8", "1/3"), ("9", "1")))


def python(folder: Path, text: str, *more: str) -> str:
    """The command of a program in Python."""
    (folder / "mask.py").write_text(text, encoding="utf-8")
    words = [sys.executable, "-IS", str(folder / "mask.py"), "{input}", "{output}", "{k}"]
    return shlex.join([*words, *more])


def asked(script: str, case: Case = FOUR, seconds: float = 10.0) -> Answer:
    """The answer of a shell script, which has the names of the files and k as $1, $2, $3."""
    command = ["sh", "-c", script, "sh", "{input}", "{output}", "{k}"]
    with closing(CsvProgram(command, "mdav")) as adapter:
        answer = adapter(case, seconds)
        left = list(Path(adapter._folder.name).iterdir())
    assert left == []
    assert not Path(adapter._folder.name).exists()
    return answer


SAMPLE = ["mdav-003-n-equals-2k", "mdav-007-n-equals-3k-plus-1", "mdav-095-ragged"]


@pytest.mark.parametrize("answer", [[], ["groups"]])
def test_a_right_program_passes(
    answer: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = [word for identity in SAMPLE for word in ("--case", identity)]
    options = ["--algorithm", "mdav", "--nondeterministic", *cases]
    assert main(["conform", *options, "--csv", python(tmp_path, MDAV, *answer)]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert [line.split() for line in printed if line.startswith("all")] == [
        ["all", "3", "0", "0", "0", "0"]
    ]


@pytest.mark.long
@pytest.mark.parametrize("answer", [[], ["groups"]])
def test_a_right_program_passes_all_that_it_takes(answer: list[str], tmp_path: Path) -> None:
    made = oracle.conform(python(tmp_path, MDAV, *answer), "mdav", csv=True)
    assert made.failures == ()
    assert len(made.judgements) + sum(len(gap.ids) for gap in made.gaps) == len(vectors_of("mdav"))


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_program_fails(name: str, tmp_path: Path) -> None:
    before, after = WRONG[name]
    assert before in MDAV
    command = python(tmp_path, MDAV.replace(before, after))
    made = oracle.conform(
        command,
        "mdav",
        csv=True,
        nondeterministic=True,
        cases=["mdav-005-n-equals-3k-less-1", "mdav-007-n-equals-3k-plus-1"],
    )
    assert "failed" in {judgement.status for judgement in made.judgements}


def test_a_hunt_finds_a_wrong_program(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("hypothesis")
    copies = "sh -c 'cat $1 > $2' sh {input} {output} {k}"
    options = ["--algorithm", "mdav", "--max-questions", "24", "-k", "2", "--max-records", "4"]
    assert main(["hunt", *options, "--csv", copies]) == 1
    assert "smallest group 1" in capsys.readouterr().out


def test_what_no_placeholder_tells_is_not_asked() -> None:
    fails = "sh -c 'exit 1' {input} {output} {k}"
    every = {vector.id: vector for vector in vectors_of("v-mdav")}
    made = oracle.conform(fails, "v-mdav", csv=True, nondeterministic=True)
    for vector in made.vectors:
        assert not vector.case.shape
        assert not vector.case.kinds
        if vector.expectation.kind != "reject":
            assert not vector.case.parameters
            assert vector.case.standardise == "none"
    told = {identity: gap for gap in made.gaps for identity in gap.ids}
    assert {vector.id for vector in made.vectors} | set(told) == set(every)
    assert {gap.who for gap in made.gaps} == {"no placeholder of the command tells this"}
    more = "sh -c 'exit 1' {input} {output} {k} {gamma} {standardise}"
    wider = oracle.conform(more, "v-mdav", csv=True, nondeterministic=True)
    assert any("gamma" in vector.case.parameters for vector in wider.vectors)
    assert {vector.case.standardise for vector in wider.vectors} == {
        vector.case.standardise for vector in every.values()
    }


@pytest.mark.parametrize(("leftovers", "ok"), [("nearest-centroid", True), ("last-group", False)])
def test_a_command_that_fixes_a_parameter_needs_no_placeholder(
    leftovers: str, ok: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A program of one variant: right where that is asked, wrong where another is."""
    text = f"""
import csv, sys
sys.path[:0] = {sys.path!r}
from refagg import microaggregate
source, target, k = sys.argv[1], sys.argv[2], int(sys.argv[3])
_, *cells = csv.reader(open(source))
how = dict(algorithm="mdav-2k", standardise="none", parameters={{"leftovers": "nearest-centroid"}})
made = microaggregate([[float(cell) for cell in row] for row in cells], k=k, **how)
labels = [[label] for label in made.partition.labels()]
csv.writer(open(target, "w")).writerows([["group"], *labels])
"""
    asked = ["--param", f"leftovers={leftovers}", "--nondeterministic"]
    names = ("mdav-2k-003-n-equals-2k", "mdav-2k-032-sorted-downwards")
    cases = [word for n in names for word in ("--case", f"{n}-leftovers={leftovers}")]
    options = ["--algorithm", "mdav-2k", *asked, *cases]
    assert main(["conform", *options, "--csv", python(tmp_path, text)]) == (0 if ok else 1)
    assert "unsupported" in capsys.readouterr().out


def test_placeholders_are_filled_and_no_shell_runs(tmp_path: Path) -> None:
    seen = tmp_path / "seen.txt"
    script = "import sys; open(sys.argv[1], 'w').write('|'.join(sys.argv[2:])); sys.exit(1)"
    names = ["{k}", "-g={gamma}", "{standardise}", "{seed}", "{columns}", "{cap}", "$HOME;{}"]
    command = [sys.executable, "-IS", "-c", script, str(seen), *names, "{input}", "{output}"]
    with closing(CsvProgram(command, "v-mdav")) as adapter:
        case = Case("c", "v-mdav", 2, FOUR.records, {"gamma": "1/2"}, "sample", 7)
        assert adapter(case, 10).refused == "exit status 1"
    told = seen.read_text(encoding="utf-8").split("|")
    assert told[:7] == ["2", "-g=0.5", "sample", "7", "x1,x2", "2k-1", "$HOME;{}"]
    assert told[7].endswith("input.csv")


def test_what_is_read_is_a_csv_file(tmp_path: Path) -> None:
    asked(f"cp $1 {tmp_path}/copy.csv")
    assert (tmp_path / "copy.csv").read_text(encoding="utf-8") == (
        "x1,x2\n0,1\n1,1\n8,0.3333333333333333\n9,1\n"
    )


@pytest.mark.parametrize(
    ("written", "groups", "released"),
    [
        (r"x1,x2\n1,2\n1,2\n3,4\n3,4\n", None, (("1", "2"),) * 2 + (("3", "4"),) * 2),
        (r"group\na\na\nb\nb\n", ((0, 1), (2, 3)), None),
        (r"cluster\r\n1\r\n2\r\n1\r\n2", ((0, 2), (1, 3)), None),
        (r'"","x1","x2"\n"1",1,2\n"2",1,2\n"3",3,4\n"4",3,4\n', None, (("1", "2"),) * 2),
        (r'"","group"\n"1",5\n"2",5\n"3",6\n"4",6\n', ((0, 1), (2, 3)), None),
        (r"x1,x2,group\n1,2,a\n1,2,a\n3,4,b\n3,4,b\n\n", ((0, 1), (2, 3)), (("1", "2"),) * 2),
    ],
)
def test_outputs_that_are_recognised(written: str, groups: Any, released: Any) -> None:
    answer = asked(f"printf '{written}' > $2")
    assert answer.errored is None
    assert answer.groups == groups
    assert (answer.released or ())[:2] == (released or ())[:2]


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (":", "no output file"),
        (": > $2", "the output is empty"),
        ("mkdir $2", "the output is not a file"),
        ("mkfifo $2", "the output is not a file"),
        ("ln -s /dev/zero $2", "the output is not a file"),
        ("ln -s /etc/passwd $2", "the output is not a file"),
        (r"printf 'x1,x2\n1,2\n3\n' > $2", "row 2 of the output has 1 cells; its header has 2"),
        (r"printf 'x1,x2\n1,2\n\n3,4\n' > $2", "row 2 of the output has 0 cells"),
        (r"printf 'a,b\n1,2\n' > $2", "expected are 'x1,x2'"),
        (r"printf 'x1;x2\n1;2\n1;2\n1;2\n1;2\n' > $2", "the one column 'x1;x2'; commas part"),
        (r"printf 'x1,x2,group\n1,2,\n' > $2", "row 1 of the output has no group"),
        (r"printf 'group,group\n1,2\n' > $2", "expected are"),
        (r"""printf 'x1,x2\n"1"2,3\n' > $2""", "not a CSV file"),
        (r"printf 'x1,x2\n\377\n' > $2", "not UTF-8 text"),
        ("head -c 3000000 /dev/zero > $2", "an output of more than 1048576 bytes"),
        ("kill -9 $$", "was killed by SIGKILL"),
        ("exit 127", "exit status 127"),
        ("chmod 0 $(dirname $2)", ""),
    ],
)
def test_misbehaviour_is_an_error_with_a_reason(script: str, reason: str) -> None:
    answer = asked(script)
    assert answer.errored is not None
    assert reason in answer.errored


def test_an_exit_status_is_a_refusal_with_the_last_words() -> None:
    long = "i=0; while [ $i -lt 20000 ]; do echo line $i >&2; i=$((i+1)); done; "
    answer = asked(f"{long} cat /dev/zero | head -c 500000; echo Error: k in $1 >&2; exit 3")
    assert answer.refused == "exit status 3; standard error ends with 'Error: k in input.csv'"


def test_a_program_that_hangs_is_ended() -> None:
    began = time.monotonic()
    answer = asked("echo so far >&2; sleep 60", seconds=0.5)
    assert answer.errored == "no answer within 0.5 seconds; standard error ends with 'so far'"
    quiet = asked("exec >&- 2>&-; sleep 60", seconds=0.5)
    assert quiet.errored == "no answer within 0.5 seconds"
    grows = asked("cat /dev/zero > $2", seconds=20.0)
    assert grows.errored == "an output of more than 1048576 bytes"
    assert time.monotonic() - began < 15


def test_time_in_which_the_machine_stood_still_does_not_count() -> None:
    """The look takes as long as a suspended machine; the program has answered meanwhile."""
    process = Process(["sh", "-c", "read line; sleep 0.3"])
    stood_still = [2.0]
    try:
        status = process.finish(
            time.monotonic() + 1, lambda: time.sleep(stood_still.pop()) if stood_still else None
        )
    finally:
        process.kill()
    assert status == 0
    assert not stood_still


def test_a_child_that_holds_the_pipes_does_not_delay_the_answer() -> None:
    answer = asked(r"sleep 60 & printf 'group\n1\n1\n2\n2\n' > $2", seconds=10)
    assert answer.groups == ((0, 1), (2, 3))
    assert answer.seconds < 8


@pytest.mark.parametrize(
    ("written", "check"),
    [
        (r"x1,x2\n1,2\n1,2\n1,2\n1,2\n1,2\n", "well formed"),
        (r"x1,x2\n1,2\n", "well formed"),
        (r"x1,x2\n1,2\nNA,2\n1,2\n1,2\n", "well formed"),
        (r"group\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n", "well formed"),
    ],
)
def test_rows_and_values_are_judged_as_those_of_other_programs(written: str, check: str) -> None:
    from oracle.conformance.judge.judging import judge

    judgement = judge(FOUR, asked(f"printf '{written}' > $2"))
    assert (judgement.status, judgement.check) == ("failed", check)


@pytest.mark.parametrize(
    "command",
    [
        "sh {input} {output}",
        "sh {input} {k}",
        "sh {input} {output} {k} {gamma}",
        "sh {input} {output} {k} {K}",
        "sh '{input} {output} {k}",
        "no-such-program {input} {output} {k}",
        "",
    ],
)
def test_a_command_with_mistakes_is_refused(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for asking in ("conform", "hunt"):
        assert main([asking, "--algorithm", "mdav", "--csv", command]) == 2
        assert "Traceback" not in capsys.readouterr().err


def test_options_that_do_not_go_together() -> None:
    csv = "sh {input} {output} {k}"
    for wrong in (
        ["--csv", csv, "--restart-per-case"],
        ["--csv", csv, "--frames", "pandas"],
        ["--csv", csv, "--python", "json:loads"],
        ["--csv", csv, "--", "sh"],
        ["--frames", "pandas", "--", "sh"],
    ):
        assert main(["conform", "--algorithm", "mdav", *wrong]) == 2
    with pytest.raises(InvalidParameter):
        oracle.hunt(csv, "mdav", csv=True, shape="strata")


def test_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    out = ["--max-failures", "0", "--case", SAMPLE[0]]
    command = "sh -c 'mkdir -p $1/a; touch $2.more' sh {input} {output} {k}"
    assert main(["conform", "--algorithm", "mdav", *out, "--csv", command]) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["conform", "hunt"])
def test_nothing_is_left_where_it_is_terminated(tmp_path: Path, command: str) -> None:
    made, started = tmp_path / "made", tmp_path / "started"
    made.mkdir()
    words = [
        sys.executable,
        "-m",
        "oracle",
        command,
        "--algorithm",
        "mdav",
        "--answer-timeout",
        "60",
    ]
    script = f"echo $$ > {started}; sleep 60; cat {{input}} {{output}} {{k}}"
    environment = {**os.environ, "TMPDIR": str(made)}
    running = subprocess.Popen(
        [*words, "--csv", shlex.join(["sh", "-c", script])],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    waited = time.monotonic() + 30
    while not (started.exists() and started.read_text().strip()) and time.monotonic() < waited:
        time.sleep(0.02)
    running.terminate()
    assert running.communicate(timeout=30)[1] == b"interrupted; this is the result so far\n"
    assert running.returncode == 130
    assert list(made.iterdir()) == []
    process, waited = Path(f"/proc/{started.read_text().strip()}"), time.monotonic() + 10
    while process.exists() and time.monotonic() < waited:  # until somebody has waited for it
        time.sleep(0.02)
    assert not process.exists()


def test_the_command_to_ask_again_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = "sh -c 'cat $1 > $2' sh {input} {output} {k}"
    out = tmp_path / "out.json"
    options = ["--algorithm", "mdav", "--case", SAMPLE[0], "--json", str(out)]
    assert main(["conform", *options, "--csv", command]) == 1
    [again] = [
        line for line in capsys.readouterr().out.splitlines() if line.strip().startswith("again: ")
    ]
    words = shlex.split(again)
    assert words[1:3] == ["oracle", "conform"]
    assert words[-2:] == ["--csv", command]
    assert json.loads(out.read_text(encoding="utf-8"))["by_status"]["failed"] == 1


def _grouped(rows: list[list[float]], k: int) -> list[list[int]]:
    """MDAV of the library; what is tested here is how tables are told."""
    from refagg import mdav

    return [list(group) for group in mdav(rows, k=k, standardise="none").groups]


def pandas_means(frame: Any, k: int) -> Any:
    """Released values."""
    groups = pandas_groups(frame, k)
    return frame.groupby(groups["group"]).transform("mean")


def pandas_groups(frame: Any, k: int) -> Any:
    import pandas as pd

    rows = [[float(value) for value in row] for row in frame.itertuples(index=False)]
    labels = {i: f"g{g}" for g, of in enumerate(_grouped(rows, k)) for i in of}
    return pd.DataFrame({"group": [labels[i] for i in range(len(frame))]})


def pandas_series(frame: Any, k: int) -> Any:
    return pandas_groups(frame, k)["group"]


def polars_series(frame: Any, k: int) -> Any:
    return polars_groups(frame, k)["group"]


def polars_groups(frame: Any, k: int) -> Any:
    import polars as pl

    rows = [[float(value) for value in row] for row in _filled(frame.rows())]
    labels = {i: g for g, of in enumerate(_grouped(rows, k)) for i in of}
    return pl.DataFrame({"group": [labels[i] for i in range(frame.height)]})


def _filled(rows: Any) -> Any:
    if any(value is None for row in rows for value in row):
        raise ValueError("a missing value")
    return rows


def arrow_groups(frame: Any, k: int) -> Any:
    return polars_groups(frame, k).to_arrow()


def lazy_means(frame: Any, k: int) -> Any:
    import polars as pl

    return pl.from_pandas(pandas_means(frame, k)).lazy()


def polars_copy(frame: Any, k: int) -> Any:
    return frame


@pytest.mark.parametrize(
    ("name", "library"),
    [
        ("pandas_means", "pandas"),
        ("pandas_groups", "pandas"),
        ("pandas_series", "pandas"),
        ("polars_groups", "polars"),
        ("polars_series", "polars"),
        ("arrow_groups", "polars"),
        ("lazy_means", "pandas"),
    ],
)
def test_functions_of_data_frames(name: str, library: str) -> None:
    pytest.importorskip(library)
    made = oracle.conform(
        globals()[name],
        "mdav",
        frames=library,
        nondeterministic=True,  # type: ignore[arg-type]
    )
    assert made.failures == ()
    assert sum(j.status == "passed" for j in made.judgements) > 60


def polars_labels(rows: list[list[float]], k: int) -> Any:
    import polars as pl

    return pl.Series(
        [g for _, g in sorted((i, g) for g, of in enumerate(_grouped(rows, k)) for i in of)]
    )


def test_labels_as_a_series_of_any_library() -> None:
    pytest.importorskip("polars")
    made = oracle.conform(polars_labels, "mdav", flags=["order"])
    assert {j.status for j in made.judgements} == {"passed", "unsupported"}


def test_wrong_functions_of_data_frames(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("polars")
    here = ["--python", f"{__name__}:polars_copy", "--frames", "polars"]
    assert main(["conform", "--algorithm", "mdav", "--case", SAMPLE[0], *here]) == 1
    assert "--frames polars" in capsys.readouterr().out
    with pytest.raises(InvalidParameter):
        oracle.conform(polars_copy, "mdav", frames="dask")  # type: ignore[arg-type]


@pytest.mark.long
def test_a_case_costs_little_more_than_the_start_of_the_program() -> None:
    write = r"printf 'group\n1\n1\n2\n2\n' > $0"
    door_times, plain_times = [], []
    command = ["sh", "-c", write, "{output}", "{input}", "{k}"]
    with closing(CsvProgram(command, "mdav")) as adapter, tempfile.TemporaryDirectory() as folder:
        for _ in range(100):
            began = time.perf_counter()
            adapter(FOUR, 10)
            middle = time.perf_counter()
            subprocess.run(["sh", "-c", write, f"{folder}/out.csv"], check=True)
            door_times.append(middle - began)
            plain_times.append(time.perf_counter() - middle)
    extra = [a - b for a, b in zip(door_times, plain_times, strict=True)]
    assert sorted(extra)[50] < 0.01
