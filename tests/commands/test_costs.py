"""Costs that are told before a run, by figures that can be multiplied by hand."""

from __future__ import annotations

import math
import random
import subprocess
import sys
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any

import pytest

import oracle.commands.main
import refagg.commands.main
from oracle.commands import audited_files
from refagg.catalogue import CATALOGUE, specification
from refagg.commands import by_strata, costs
from refagg.commands.costs import Cost, Size, engine_for, predicted
from refagg.data import csvfiles
from tests.benchmarks import costs as measuring

FREE = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
"""A file that costs nothing."""

Tell = Callable[[dict[str, Any]], str]


def known(**algorithms: list[list[float]]) -> dict[str, Any]:
    named = {name.replace("_", "-"): figures for name, figures in algorithms.items()}
    one = {"file": FREE, "algorithms": named}
    return {"loop": 1.0, "engines": dict.fromkeys(("compiled", "arrays", "plain", "kinds"), one)}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Eight records of two attributes and a stratum."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{value},{value * value},{'ab'[value % 2]}" for value in range(8)]
    Path("in.csv").write_text("\n".join(["x,y,s", *rows]) + "\n")
    monkeypatch.setattr(costs, "loop", lambda: 1.0)
    monkeypatch.setattr(costs, "PATIENCE", 2.0)
    return tmp_path


STRATA = (
    "--strata divides the records (of large files one stratum, or a part that kd-blocks cuts, is "
    "in memory at a time)"
)
MASK = ["mask", "in.csv", "-k", "2", "-o", "out.csv", "--confidential", "s", "--algorithm"]


def said(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    assert refagg.commands.main.main([*words]) == status
    return capsys.readouterr().err


def test_what_takes_more_than_two_seconds_is_told(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """0.3 s for each of 8 records are 2.4 s, and 10 MB for each 80 MB."""
    found = known(mdav=[[0.3, 1, 0, 0], [1e7, 1, 0, 0]], md=[[0.2, 1, 0, 0], [1e7, 1, 0, 0]])
    monkeypatch.setattr(costs, "measured", lambda: found)
    assert said(capsys, *MASK, "mdav") == "note: mdav: about 2 s, 80 MB\n"
    assert said(capsys, *MASK, "mdav", "--quiet") == ""
    assert said(capsys, *MASK, "md") == ""
    assert said(capsys, *MASK, "individual-ranking") == ""
    monkeypatch.setattr(costs, "loop", lambda: 5.0)
    assert said(capsys, *MASK, "md") == "note: md: about 8 s, 80 MB\n"


def test_strata_and_blocks_are_runs_of_their_own(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """8^2 = 64 s; two strata of 4 records 2 * 4^2 s; in blocks of one attribute twice half."""
    found = known(mdav=[[0.5, 2, 1, 0], [1e6, 2, 0, 0]])
    monkeypatch.setattr(costs, "measured", lambda: found)
    assert "mdav: about 64 s, 64 MB" in said(capsys, *MASK, "mdav")
    words = ["mask", "in.csv", "-k", "2", "-o", "out.csv", "--strata", "s", "--algorithm", "mdav"]
    assert "mdav: about 32 s, 16 MB" in said(capsys, *words)
    assert "mdav: about 32 s, 16 MB" in said(capsys, *words, "--blocks", "each")
    audit = ["audit", "in.csv", "out.csv", "-k", "2", "--algorithm", "mdav"]
    oracle.commands.main.main([*audit, "--confidential", "s"])
    assert "mdav: about 64 s, 64 MB" in capsys.readouterr().err
    for words in (["--strata", "s"], ["--strata", "s", "--blocks", "each"]):
        oracle.commands.main.main([*audit, *words])
        assert "mdav: about 32 s, 16 MB" in capsys.readouterr().err


def test_strata_one_by_one_take_the_memory_of_the_largest_and_some_for_each_record(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """16 MB for the larger of two strata of 4 records, and 8 MB for 8 records."""
    found = known(mdav=[[0.5, 2, 1, 0], [1e6, 2, 0, 0]])
    monkeypatch.setattr(costs, "measured", lambda: found)
    monkeypatch.setattr(costs, "KEPT", 1_000_000)
    monkeypatch.setattr(by_strata, "LARGE", 1)
    words = ["mask", "in.csv", "-k", "2", "-o", "out.csv", "--strata", "s", "--algorithm", "mdav"]
    assert "mdav: about 32 s, 24 MB" in said(capsys, *words)
    monkeypatch.setattr(costs, "available_memory", lambda: 2e7)
    told = said(capsys, *words, status=2)
    assert "mdav would take about 32 s, 24 MB, and 20 MB of memory are free; smaller" in told
    assert "--strata" not in told


def test_a_loop_is_timed_only_for_what_was_asked_for(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """kd-blocks would take 800 s, but is only named where another one takes long."""
    found = known(mdav=[[0, 1, 0, 0], [0, 1, 0, 0]], kd_blocks=[[100, 1, 0, 0], [0, 1, 0, 0]])
    monkeypatch.setattr(costs, "measured", lambda: found)
    monkeypatch.setattr(costs, "loop", None)
    assert said(capsys, *MASK, "mdav") == ""


def test_a_run_beyond_the_memory_is_refused(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = known(hac=[[1e-3, 1, 0, 0], [1e9, 2, 0, 0]], kd_blocks=[[0.5, 1, 0, 0], [1e6, 1, 0, 0]])
    monkeypatch.setattr(costs, "measured", lambda: found)
    monkeypatch.setattr(costs, "available_memory", lambda: 24_000_000_000)
    assert said(capsys, *MASK, "hac", status=2) == (
        "error: hac would take about 0 s, 64 GB, and 24 GB of memory are free; kd-blocks takes "
        f"about 4 s, 8 MB, {STRATA}, `refagg algorithms` lists others, and --force runs it all the "
        "same\n"
    )
    assert not Path("out.csv").exists()
    assert said(capsys, *MASK, "hac", "--force") == ""
    assert Path("out.csv").exists()
    monkeypatch.setattr(costs, "available_memory", lambda: inf)
    assert said(capsys, *MASK, "hac") == ""


def test_comparisons_and_audits_tell_too(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A comparison with two k is two runs, and iterations multiply: 8 * 0.5 s for 10000."""
    Path("xy.csv").write_text("x,y\n0,0\n1,1\n2,4\n3,9\n4,16\n5,25\n6,36\n7,49\n")
    found = known(mdav=[[0.5, 1, 0, 0], [1e6, 1, 0, 0]], genetic=[[0.5, 1, 0, 0], [1e6, 1, 0, 0]])
    monkeypatch.setattr(costs, "measured", lambda: found)
    said_of_both = said(capsys, "compare", "xy.csv", "-k", "2,3", "--algorithm", "mdav")
    assert said_of_both.startswith("note: mdav: about 8 s, 8 MB\n")
    words = ["audit", "xy.csv", "xy.csv", "-k", "2", "--algorithm"]
    oracle.commands.main.main([*words, "mdav"])
    assert "note: mdav: about 4 s, 8 MB; --time-limit starts no" in capsys.readouterr().err
    oracle.commands.main.main([*words, "genetic"])
    assert capsys.readouterr().err == ""
    few = ["--seed", "1", "--param", "iterations=5"]
    oracle.commands.main.main([*words, "genetic", *few])
    assert capsys.readouterr().err == ""
    found["engines"]["arrays"]["algorithms"]["genetic"][0][0] *= 2000
    oracle.commands.main.main([*words, "genetic", *few])
    assert "note: genetic: about 4 s" in capsys.readouterr().err
    monkeypatch.setattr(costs, "available_memory", lambda: 1_000_000)
    assert oracle.commands.main.main([*words, "mdav"]) == 2
    assert "1 MB of memory are free" in capsys.readouterr().err


def test_a_large_file_is_refused_before_it_is_read(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """8 GB for 8 records, and 2 GB for each of the parts that kd-blocks can cut them into."""
    added = [[0, 1, 0, 0], [1e9, 1, 0, 0]]
    monkeypatch.setattr(costs, "measured", lambda: known(mdav=added, kd_blocks=added))
    monkeypatch.setattr(costs, "available_memory", lambda: 2e9)
    monkeypatch.setattr(by_strata, "LARGE", 1)
    with monkeypatch.context() as patch:
        patch.setattr(csvfiles, "read_sheet", None)
        told = said(capsys, *MASK, "mdav", status=2)
    start, _, end = told.partition(", and 2 GB of memory are free; ")
    assert start == "error: mdav would take about 0 s, 9 GB"  # the header is taken for a record
    assert end.startswith(STRATA)
    assert said(capsys, *MASK, "mdav", "--force") == ""
    monkeypatch.setattr(by_strata, "HELD", 1)
    monkeypatch.setattr(costs, "available_memory", lambda: 3e9)
    assert "would take about 0 s, 8 GB" in said(capsys, *MASK, "kd-blocks", status=2)
    assert said(capsys, *MASK, "kd-blocks", "--param", "least=1") == ""


@pytest.mark.skipif(sys.platform != "linux", reason="the limit needs Linux")
def test_hac_of_100_000_records_is_refused_before_any_work(tmp_path: Path) -> None:
    """A matrix of n^2 numbers of 8 bytes each has 80 GB."""
    draw = random.Random(1)
    rows = (",".join(str(draw.randrange(10**6)) for _ in range(5)) for _ in range(100_000))
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_text("a,b,c,d,e\n" + "\n".join(rows) + "\n")
    words = ["mask", str(path), "--algorithm", "hac", "-k", "5", "-o", str(out)]
    words += ["--param", "linkage=single"]
    command = [sys.executable, "-m", "refagg", *words, "--max-memory", "2GB"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 2
    assert "error: hac would take about" in done.stderr
    assert "GB of memory are free" in done.stderr
    assert not out.exists()


def test_what_was_measured_has_four_figures_each_or_six() -> None:
    for engine in costs.measured()["engines"].values():
        assert {name.partition(" ")[0] for name in engine["algorithms"]} <= set(CATALOGUE)
        assert {len(f) for one in engine["algorithms"].values() for f in one} <= {4, 6}


def test_exponents_change_with_the_number_of_attributes() -> None:
    """By hand: 1e4 records and 5 attributes are where nothing changes; e^x with x = ln(n/1e4) ln 4,
    then (ln 4)^2 for 20 attributes, and 2 ln 4 ln 20 - (ln 4)^2 for 100, along a straight line."""

    def work(factor: float, exponents: list[float], size: Size) -> float:
        return costs.work_of(factor, exponents, costs.logarithms(size))

    figures = 1.0, [0.0, 0.0, 0.0, 1.0, 0.0]
    assert work(*figures, Size(50_000, 5, 3)) == 1
    assert work(*figures, Size(10_000, 20, 3)) == 1
    assert math.isclose(work(*figures, Size(40_000, 20, 3)), math.e ** (math.log(4) ** 2))
    curved = 2.0, [0.0, 0.0, 0.0, 0.0, 1.0]
    four = math.log(4)
    assert math.isclose(work(*curved, Size(9, 20, 3)), 2 * math.e ** (four**2))
    straight = 2 * math.log(20) * four - four**2
    assert math.isclose(work(*curved, Size(9, 100, 3)), 2 * math.e**straight)
    assert math.isclose(work(3.0, [2.0, 1.0, -1.0], Size(10, 7, 2)), 3 * 100 * 7 / 2)


def test_a_value_of_a_parameter_can_have_costs_of_its_own() -> None:
    """Single linkage keeps 8 bytes for each pair: 8e10 for 10^5 records; Ward keeps none."""
    size = [Size(100_000, 5, 5)]
    single, ward, other = (
        predicted(CATALOGUE["hac"], settings, size, "arrays")
        for settings in ({"linkage": "single"}, {"linkage": "ward"}, {"cap": "2k-1"})
    )
    assert single is not None
    assert 7e10 < single.size < 9e10
    assert ward is not None
    assert ward.size < 1e9
    assert other == ward


def test_nothing_is_known_of_others() -> None:
    size = [Size(100, 2, 3)]
    assert predicted(specification("tests.commands.test_costs:mine"), {}, size, "arrays") is None
    assert engine_for(size, ["numeric", "nominal"]) == "kinds"
    assert engine_for(size, ["numeric", "sequence"]) == ""
    assert predicted(CATALOGUE["mdav"], {}, size, "") is None


def mine(cursor: Any, k: int) -> None:
    """An algorithm from elsewhere."""


@pytest.mark.parametrize(
    ("line", "folder", "bound", "used", "kind"),
    [
        ("0::/a/b", "a", "max", "current", "inactive_file"),
        ("0::/", "", "max", "current", "inactive_file"),
        ("3:memory:/a", "memory/a", "limit_in_bytes", "usage_in_bytes", "total_inactive_file"),
        ("3:memory:/not-here", "memory", "limit_in_bytes", "usage_in_bytes", "total_inactive_file"),
    ],
)
def test_memory_in_a_container_and_beyond(
    line: str,
    folder: str,
    bound: str,
    used: str,
    kind: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By hand: of 5 MB 2 are used, 1 of which is of files that can be read again."""
    from refagg.data import memory

    monkeypatch.setattr(memory, "CONTAINERS", tmp_path)
    monkeypatch.setattr(memory, "OWN", tmp_path / "own")
    whole = memory.available_memory()
    (tmp_path / "own").write_text(f"9:pids:/x\n{line}\n")
    inner = tmp_path / folder
    inner.mkdir(parents=True, exist_ok=True)
    (inner / f"memory.{bound}").write_text("5000000\n")
    (inner / f"memory.{used}").write_text("2000000\n")
    (inner / "memory.stat").write_text(f"inactive_file 7\n{kind} 1000000\n")
    assert memory.available_memory() == 4_000_000
    (inner / f"memory.{bound}").write_text("max\n")
    assert whole == inf or abs(memory.available_memory() - whole) < 2e9


def test_memory_within_a_bound_of_addresses() -> None:
    """`ulimit -v` bounds what a process may have, whatever it is for."""
    code = "from refagg.data.memory import available_memory; print(available_memory())"
    words = ["sh", "-c", 'ulimit -v 400000; exec "$0" "$@"', sys.executable, "-c", code]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert 0 < float(done.stdout) < 400_000 * 1024


def test_much_disk_is_told_beforehand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """10 rows of 4 bytes, and files of 50 MB together, for which 100 MB are needed.

    Or 8 bytes for each of the 2 values of a row in both files, where that is more.
    """
    path = tmp_path / "in.csv"
    path.write_text("1,2\n" * 10)
    audited_files.tell_of_disk(path, 50_000_000)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(audited_files, "MANY", 10)
    audited_files.tell_of_disk(path, 50_000_000)
    told = capsys.readouterr().err
    assert told.startswith("note: about 10 rows: DuckDB needs up to 100 MB for temporary files in ")
    assert "--engine spark:MASTER --key COLUMN" in told
    audited_files.tell_of_disk(path, 80)
    assert "DuckDB needs up to 0.00032 MB for" in capsys.readouterr().err


def test_costs_have_words() -> None:
    assert str(Cost(700, 1.26e9)) == "about 12 min, 1.3 GB"


@pytest.mark.parametrize("k", ["-1", "0", "9", "1" + 400 * "0"])
def test_nothing_is_told_of_a_run_that_is_refused(
    here: Path, k: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = known(mdav=[[9.0, 1, 0, -0.5], [0, 0, 0, 0]])
    monkeypatch.setattr(costs, "measured", lambda: found)
    told = said(capsys, *MASK, "mdav", "-k", k, status=2)
    assert told.startswith("error: ")
    assert "about" not in told


def test_of_a_run_of_more_than_a_minute_it_is_said_what_takes_less(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """8 records at 8 s are 64 s, which kd-blocks takes 8 of; of categories it takes nothing."""
    found = known(mdav=[[8, 1, 0, 0], [0, 0, 0, 0]], kd_blocks=[[1, 1, 0, 0], [0, 0, 0, 0]])
    monkeypatch.setattr(costs, "measured", lambda: found)
    less = f"kd-blocks takes about 8 s, 0 MB, {STRATA}"
    assert said(capsys, *MASK, "mdav") == f"note: mdav: about 64 s, 0 MB; {less}\n"
    found["engines"]["kinds"] = found["engines"]["plain"] | {
        "algorithms": {"mdav": [[8, 1, 0, 0], [0, 0, 0, 0]]}
    }
    kinds = ["--kind", "x=nominal", "--kind", "y=numeric"]
    told = said(capsys, *MASK, "mdav", *kinds)
    assert told == f"note: mdav: about 64 s, 0 MB; {STRATA}\n"


def test_one_algorithm_is_measured_anew_beside_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine at half the speed, 40 us for each record were 20 us when the others ran."""
    pytest.importorskip("numpy")
    found = known(mdav=[[9.0, 1, 0, 0], [0, 0, 0, 0]], md=[[7.0, 2, 0, 0], [0, 0, 0, 0]])
    written: list[dict[str, Any]] = []
    monkeypatch.setattr(measuring, "known_costs", lambda: found)
    monkeypatch.setattr(measuring, "loop", lambda: 2.0)
    monkeypatch.setattr(measuring, "write_costs", written.append)
    sizes = [Size(n, p, 3) for n in (10_000, 40_000, 90_000) for p in (2, 5)]
    nothing = [measuring.Run(size, 1 + size.n * size.p / 1e6, 1_000_000) for size in sizes]
    mdav = [run._replace(seconds=run.seconds + 40e-6 * run.size.n) for run in nothing]
    names = (measuring.NOTHING, nothing), ("mdav", mdav)
    runs = {f"{s} {name}": own for s in ("all", "plain", "kinds") for name, own in names}
    measuring.fit_all(runs, {key: [0.0, 0.0] for key in measuring.SOURCES}, [0.0, 0.0], ["mdav"])
    [now] = written
    assert now["loop"] == 1.0
    assert now["engines"]["plain"]["file"] == FREE
    algorithms = now["engines"]["plain"]["algorithms"]
    assert algorithms["mdav"][0] == pytest.approx([20e-6, 1, 0, 0, 0, 0], rel=1e-3, abs=1e-6)
    assert algorithms["md"] == [[7.0, 2, 0, 0], [0, 0, 0, 0]]


def test_the_loop_takes_time_where_the_clock_of_the_processor_is_coarse(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(costs.time, "process_time", lambda: 0.0)
    assert costs.loop() > 0


def test_iterations_without_end_have_a_cost() -> None:
    spec = CATALOGUE["genetic"]
    cost = predicted(spec, {"iterations": 10**400}, [Size(1000, 5, 5)], "arrays")
    assert cost
    assert math.isfinite(cost.seconds)


def test_nothing_is_told_of_what_is_skipped(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One algorithm is for one attribute, the other needs the name of a confidential one."""
    slow = [[100.0, 0, 0, 0], [0, 0, 0, 0]]
    figures = known(secure_k_ward=slow, t_closeness_first=slow, mdav=slow)
    monkeypatch.setattr(costs, "measured", lambda: figures)
    words = ["compare", "in.csv", "-k", "2", "--confidential", "s", "--algorithm"]
    told = said(capsys, *words, "secure-k-ward,t-closeness-first,mdav")
    assert told == f"note: mdav: about 100 s, 0 MB; {STRATA}\n"
