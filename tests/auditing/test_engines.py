"""Files of any size: both engines say the same; CSV and Parquet; records matched by a key."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from random import Random
from subprocess import PIPE, Popen
from types import SimpleNamespace

import pytest

from oracle.commands.main import main
from oracle.stores import case as stored
from oracle.stores import duckdb_store
from oracle.stores import files as stored_files
from refagg.commands.starting import spent
from refagg.data.tables import table_of

duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed (the extra `big`)")

from tests.auditing.engines import audited, compared  # noqa: E402

RELEASES = int(os.environ.get("RELEASES", "10"))

ORIGINAL = {"id": ["a", "b", "c", "d"], "x": ["1", "2", "8", "9"]}
RELEASED = {"id": ["d", "c", "b", "a"], "x": ["8.5", "8.5", "1.5", "1.5"]}


def written(folder: Path, name: str, columns: dict[str, list[str]]) -> str:
    path = folder / name
    lines = [list(columns), *zip(*columns.values(), strict=True)]
    path.write_text("".join(",".join(line) + "\n" for line in lines))
    return str(path)


def as_parquet(path: str, kind: str = "DECIMAL(18,1)") -> str:
    target = path.replace(".csv", ".parquet")
    source = f"read_csv('{path}', all_varchar = true)"
    query = f"SELECT * REPLACE (CAST(x AS {kind}) AS x) FROM {source}"
    duckdb.sql(f"COPY ({query}) TO '{target}' (FORMAT parquet)")
    return target


@pytest.mark.parametrize("start", [0, 5])
def test_both_engines_say_the_same_of_random_releases(start: int) -> None:
    """`python -m tests.auditing.engines 2000` compares more."""
    found = [compared(seed) for seed in range(start, start + max(1, RELEASES // 2))]
    assert [told for told, _, _ in found if told] == []
    assert "duckdb" in {engine for _, engine, _ in found}


@pytest.mark.long
def test_both_engines_say_the_same_of_many_random_releases() -> None:
    assert [told for seed in range(100, 400) if (told := compared(seed)[0])] == []


def test_a_sum_that_is_wrong_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right = stored._of_limbs
    monkeypatch.setattr(stored, "_of_limbs", lambda sums, base: 2 * right(sums, base))
    assert any(compared(seed)[0] for seed in range(10))


def test_groups_are_the_same_where_they_are_formed_in_parts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(duckdb_store, "_SHARE", 10**7)  # some ten parts, three in a table
    told = [compared(seed) for seed in range(4, 24)]
    assert [one for one, _, _ in told if one] == []
    assert sum(engine == "duckdb" for _, engine, _ in told) > 5


@pytest.fixture
def after_two(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], bool]:
    """Do both engines say the same of numbers that are guessed from the first two?"""
    monkeypatch.setattr(stored_files, "FIRST", 2)

    def same(last: str) -> bool:
        written(tmp_path, "o.csv", {"x": ["1.5", "2.5", last]})
        written(tmp_path, "r.csv", {"x": ["2.5"] * 3})
        words = ["oracle", "audit", "o.csv", "r.csv", "-k", "3"]
        (right, _), (found, _) = (audited(words, tmp_path, e) for e in ("python", "duckdb"))
        return bool(right == found)

    return same


@pytest.mark.parametrize("last", ["1.25", "12", "123456789", "-.5", "1e5", "1.2.3", ""])
def test_an_original_is_read_again_if_its_first_records_mislead(
    last: str, after_two: Callable[[str], bool]
) -> None:
    assert after_two(last)


def test_a_number_that_is_cut_is_seen(
    after_two: Callable[[str], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_files, "_is_short", lambda *_: "true")
    assert not after_two("1.25")


@pytest.mark.parametrize("engine", ["python", "duckdb"])
@pytest.mark.parametrize("parquet", [(), (0,), (1,), (0, 1)])
def test_a_shuffled_release_is_matched_by_its_key(
    engine: str, parquet: tuple[int, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Losses by hand: 4 times 1/2 squared, of squares 16 + 9 + 9 + 16 around 5."""
    files = [written(tmp_path, "o.csv", ORIGINAL), written(tmp_path, "r.csv", RELEASED)]
    files = [as_parquet(f) if i in parquet else f for i, f in enumerate(files)]
    report = tmp_path / "report.json"
    words = ["-k", "2", "--engine", engine, "--json", str(report), "--standardise", "none"]
    assert main(["audit", *files, *words, "--key", "id"]) == 0
    found = json.loads(report.read_text())
    assert (found["facts"]["sse"]["exact"], found["facts"]["sst"]["exact"]) == ("1", "50")
    assert found["run"]["engine"] == engine
    assert main(["audit", *files, *words, "--columns", "x"]) == 1  # by position
    assert "only be in a different order" in capsys.readouterr().out


def test_a_key_is_for_an_algorithm_too(tmp_path: Path) -> None:
    files = [written(tmp_path, "o.csv", ORIGINAL), written(tmp_path, "r.csv", RELEASED)]
    assert main(["audit", *files, "-k", "2", "--key", "id", "--algorithm", "mdav"]) == 0


@pytest.mark.parametrize("engine", ["python", "duckdb"])
@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("dcba", None),
        ("dcbb", "lines 4 and 5: id is 'b' in both"),
        ("dcbe", "o.csv, line 2: id is 'a', which"),
    ],
)
def test_keys_that_do_not_match_are_named(
    engine: str, keys: str, said: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [written(tmp_path, "o.csv", ORIGINAL)]
    files.append(written(tmp_path, "r.csv", RELEASED | {"id": list(keys)}))
    status = main(["audit", *files, "-k", "2", "--key", "id", "--engine", engine])
    assert status == (2 if said else 0)
    assert (said or "") in capsys.readouterr().err


@pytest.mark.parametrize("digits", [6, 13, 32])
def test_numbers_are_the_texts_that_the_reader_takes(digits: int) -> None:
    """Tried are all texts of up to six signs, in all ways in which they are read."""
    number = re.compile(stored_files.PLAIN)
    with duckdb_store.database(10**9) as (store, _):
        signs = ", ".join(f"'{sign}'" for sign in "09.+-")
        store.keep("sign", f"SELECT unnest([{signs}, '']) AS s")
        names = "abcdef"
        text = " || ".join(f"{name}.s" for name in names)
        store.keep("texts", f"SELECT DISTINCT {text} AS t FROM {_product(names)}")
        units = stored_files._units("t", 5, digits, store.wide)
        found = store.rows(f"SELECT t, TRY({units}) FROM texts")
    assert len(found) == sum(5**length for length in range(7))
    right = {t: Decimal(t) * 10**5 if number.fullmatch(t) else None for t, _ in found}
    assert dict(found) == right


def _product(names: str) -> str:
    return ", ".join(f"sign AS {name}" for name in names)


@pytest.mark.parametrize("cell", [".-5", ".+5", ".", "-", "+", "-.", "+."])
def test_signs_without_a_number_are_refused(
    cell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [written(tmp_path, "o.csv", {"a": ["1.25", "2.50", "3.75"]})]
    files.append(written(tmp_path, "r.csv", {"a": [cell, "2.50", "2.50"]}))
    assert main(["audit", *files, "-k", "1", "--engine", "duckdb"]) == 2
    said = capsys.readouterr()
    assert "r.csv, line 2, column 'a'" in said.out + said.err


@pytest.mark.parametrize(("kind", "engine"), [("DECIMAL(18,2)", "duckdb"), ("DOUBLE", "python")])
def test_decimals_of_parquet_are_exact_and_binary64_is_left_to_python(
    kind: str, engine: str, tmp_path: Path
) -> None:
    """The means of 0.1 and 0.2, and of 0.3 and 0.5; in binary64 they are so nearly."""
    original = as_parquet(written(tmp_path, "o.csv", {"x": ["0.1", "0.2", "0.3", "0.5"]}), kind)
    releases = written(tmp_path, "r.csv", {"x": ["0.15", "0.15", "0.4", "0.4"]})
    report = tmp_path / "report.json"
    words = ["-k", "2", "--engine", "duckdb", "--json", str(report)]
    assert main(["audit", original, as_parquet(releases, kind), *words]) == 0
    found = json.loads(report.read_text())
    [name] = found["blocks"][0]["checks"][2]["details"]["renderings"]
    exact = kind != "DOUBLE"
    assert (found["run"]["engine"], name == "exact") == (engine, exact)


def test_a_cell_of_parquet_may_hold_the_sign_that_escapes_others(tmp_path: Path) -> None:
    columns = {"x": ["1.5", "1.5"], "note": ["a\x1b1", "b"]}
    files = [written(tmp_path, f"{name}.csv", columns) for name in "or"]
    words = ["-k", "2", "--engine", "duckdb", "--confidential", "note"]
    assert main(["audit", as_parquet(files[0]), files[1], *words]) == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["--engine", "duckdb", "--algorithm", "mdav"],
            "--algorithm does not apply with --engine duckdb",
        ),
        (
            ["--engine", "duckdb", "--missing", "drop"],
            "--missing drop does not apply with --engine duckdb",
        ),
        (
            ["--engine", "duckdb", "--aggregate", "median"],
            "--aggregate does not apply with --engine duckdb",
        ),
        (["--engine", "duckdb", "--memory", "much"], "give it as 500MB or 2GB"),
        (["--engine", "duckdb", "--memory", "1MB"], "at least 200MB"),
    ],
)
def test_what_an_engine_cannot_do_is_refused(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [written(tmp_path, "o.csv", ORIGINAL), written(tmp_path, "r.csv", RELEASED)]
    assert main(["audit", *files, "-k", "2", *words]) == 2
    assert said in capsys.readouterr().err


def test_where_an_optimum_may_be_known_python_looks_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that ship are of files of 834 records and more."""
    files = [written(tmp_path, "o.csv", ORIGINAL), written(tmp_path, "r.csv", RELEASED)]
    report = tmp_path / "report.json"
    words = ["-k", "2", "--key", "id", "--engine", "duckdb", "--json", str(report)]
    known = SimpleNamespace(n=4)
    for optima, engine in (([], "duckdb"), ([known], "python")):
        monkeypatch.setattr("oracle.functions.audits.known_optima", lambda found=optima: found)
        assert main(["audit", *files, *words]) == 0
        assert json.loads(report.read_text())["run"]["engine"] == engine


def test_without_duckdb_it_is_said_how_to_install_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [written(tmp_path, "o.csv", ORIGINAL), written(tmp_path, "r.csv", RELEASED)]
    monkeypatch.setitem(sys.modules, "duckdb", None)
    assert main(["audit", *files, "-k", "2", "--key", "id"]) == 0
    assert main(["audit", *files, "-k", "2", "--engine", "duckdb"]) == 2
    assert "pip install '.[big]'" in capsys.readouterr().err


def test_stats_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [written(tmp_path, "o.csv", ORIGINAL), written(tmp_path, "r.csv", RELEASED)]
    assert main(["audit", *files, "-k", "2", "--key", "id", "--stats"]) == 0
    assert " CPU seconds, " in capsys.readouterr().err


BUSY = """
import sys, time
held = bytearray(200_000_000)
while time.process_time() < 0.5:
    pass
print(flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="there is no /proc")
def test_stats_count_the_processes_that_a_command_starts() -> None:
    before, _ = spent()
    with Popen([sys.executable, "-c", BUSY], stdin=PIPE, stdout=PIPE) as child:
        assert child.stdout
        child.stdout.readline()
        seconds, peak = spent()
        assert seconds - before >= 0.4
        assert peak is not None
        assert peak > 200_000_000
    seconds, peak = spent()
    assert seconds - before >= 0.4
    assert peak is not None
    assert peak > 200_000_000


def test_stats_do_without_a_process_that_has_just_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(path: Path, encoding: str) -> str:
        raise FileNotFoundError(path)

    monkeypatch.setattr(Path, "read_text", ended)
    seconds, _ = spent()
    assert seconds > 0


def test_significant_digits_are_checked_without_an_algorithm() -> None:
    from oracle.functions.audits import audit
    from refagg.errors import InvalidParameter

    table = table_of([[1], [2]])
    with pytest.raises(InvalidParameter, match="significant digits is 'x'"):
        audit(table, table, 1, significant_digits="x")  # type: ignore[arg-type]


def test_without_pyspark_it_is_said_how_to_install_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [written(tmp_path, "o.csv", ORIGINAL), written(tmp_path, "r.csv", RELEASED)]
    monkeypatch.setitem(sys.modules, "pyspark", None)
    words = ["audit", *files, "-k", "2", "--key", "id", "--engine"]
    assert main([*words, "spark"]) == 2
    assert "pip install pyspark" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*words, "duckdb:local"])
    assert "choose from python, duckdb, spark" in capsys.readouterr().err


def same_by_both(folder: Path, *words: str) -> tuple[int, str]:
    """The status and the report of both engines, which are the same; DuckDB judged or left it."""
    command = ["oracle", "audit", *words]
    (right, _), (found, _) = (audited(command, folder, engine) for engine in ("python", "duckdb"))
    assert found == right
    status, out, err, _ = right
    return status, out + err


def test_folders_with_the_names_of_columns_say_nothing(tmp_path: Path) -> None:
    """Some programs write the value of a column into the name of a folder."""
    folder = tmp_path / "x=7"
    folder.mkdir()
    path = Path(as_parquet(written(tmp_path, "o.csv", {"x": ["1", "2"]})))
    (folder / "r.parquet").write_bytes(path.read_bytes())
    status, told = same_by_both(tmp_path, "o.parquet", "x=7/r.parquet", "-k", "2")
    assert status == 1
    assert "not 2-anonymous" in told


def test_names_that_differ_in_capitals_only_are_names_of_two_columns(tmp_path: Path) -> None:
    source = "SELECT CAST(1 AS BIGINT) AS a, CAST(5 AS BIGINT) AS b FROM range(2)"
    duckdb.sql(f"COPY ({source}) TO '{tmp_path / 'o.parquet'}' (FORMAT parquet)")
    content = (tmp_path / "o.parquet").read_bytes()
    named = pytest.importorskip("pyarrow.parquet")
    table = named.read_table(tmp_path / "o.parquet").rename_columns(["a", "A"])
    named.write_table(table, tmp_path / "o.parquet")
    assert content != (tmp_path / "o.parquet").read_bytes()
    written(tmp_path, "r.csv", {"a": ["1", "1"], "A": ["5", "6"]})
    assert same_by_both(tmp_path, "o.parquet", "r.csv", "-k", "2")[0] == 1


@pytest.mark.parametrize(
    ("keys", "status"),
    [
        (["1", "1.0"], 2),
        (["NA", ""], 2),
        (["\tNA", "\t\tNA"], 2),
        (["2026-01-02", "2026-01-02 00:00:00"], 2),
        ([" 2026-01-02T00:00:00", "2026-01-02"], 2),
        (["2026-01-02", "2026-01-02 00:00:01"], 0),
        (["01", "1"], 0),
        (["2026-01-02", "3f"], 0),
    ],
)
def test_keys_are_values(keys: list[str], status: int, tmp_path: Path) -> None:
    for name in ("o.csv", "r.csv"):
        written(tmp_path, name, {"id": keys, "x": ["1", "1"]})
    assert same_by_both(tmp_path, "o.csv", "r.csv", "-k", "2", "--key", "id")[0] == status


def test_binary64_numbers_in_full_length_are_those_that_programs_write(tmp_path: Path) -> None:
    """A mean that ends with .19666..., rounded to one decimal: the float is a bit more."""
    written(tmp_path, "o.csv", {"x": [f"1234567890.{end}" for end in ("1", "14", "35")]})
    written(tmp_path, "r.csv", {"x": [f"{1234567890.2:.23f}"] * 3})
    status, told = same_by_both(tmp_path, "o.csv", "r.csv", "-k", "3")
    assert status == 0
    assert "rounded to 1 decimal" in told


def test_numbers_below_1_with_exponents_are_for_duckdb_too(tmp_path: Path) -> None:
    written(tmp_path, "o.csv", {"x": ["1.5e-7", "2.5e-7"]})
    written(tmp_path, "r.csv", {"x": ["2e-7", "2e-7"]})
    words = ["oracle", "audit", "o.csv", "r.csv", "-k", "2"]
    assert audited(words, tmp_path, "duckdb")[1] == "duckdb"
    assert same_by_both(tmp_path, "o.csv", "r.csv", "-k", "2")[0] == 0
    written(tmp_path, "o.csv", {"x": ["12e-3", "14e-3"]})
    written(tmp_path, "r.csv", {"x": ["13e-3", "13e-3"]})
    assert audited(words, tmp_path, "duckdb")[1] == "duckdb"
    assert same_by_both(tmp_path, "o.csv", "r.csv", "-k", "2")[0] == 0


def test_a_confidential_column_has_to_be_in_the_release(tmp_path: Path) -> None:
    written(tmp_path, "o.csv", {"x": ["1", "1"], "s": ["a", "b"]})
    written(tmp_path, "r.csv", {"x": ["1", "1"]})
    words = ["-k", "2", "--confidential", "s"]
    assert same_by_both(tmp_path, "o.csv", "r.csv", *words)[0] == 2


def test_texts_of_parquet_have_decimal_commas_if_files_have_them(tmp_path: Path) -> None:
    for name, text in (("o", "1,5"), ("r", "1,50")):
        query = f"SELECT CAST(1 AS BIGINT) AS x, '{text}' AS note FROM range(2)"
        duckdb.sql(f"COPY ({query}) TO '{tmp_path / name}.parquet' (FORMAT parquet)")
    words = ("--columns", "x", "--decimal", ",", "--delimiter", ";")
    assert same_by_both(tmp_path, "o.parquet", "r.parquet", "-k", "2", *words)[0] == 0


def test_a_column_that_was_only_written_otherwise_is_not_masked(tmp_path: Path) -> None:
    """It is no key, however its numbers are written."""
    written(tmp_path, "o.csv", {"x": ["1", "2"], "note": ["a", "b"]})
    written(tmp_path, "r.csv", {"x": ["1.0", "2"], "note": ["a", "b"]})
    assert same_by_both(tmp_path, "o.csv", "r.csv", "-k", "2", "--confidential", "note")[0] == 1


def test_rows_in_another_order_are_recognised_by_their_values(tmp_path: Path) -> None:
    written(tmp_path, "o.csv", {"x": ["1", "1"], "note": ["1", "NA"]})
    written(tmp_path, "r.csv", {"x": ["1", "1"], "note": ["", "1.0"]})
    told = same_by_both(tmp_path, "o.csv", "r.csv", "-k", "2", "--columns", "x")[1]
    assert "the same rows in another order" in told


def test_a_query_that_is_interrupted_ends_the_audit(tmp_path: Path) -> None:
    """DuckDB takes the interruption for its own; the folder is removed."""
    with pytest.raises(KeyboardInterrupt), duckdb_store.database(10**9) as (_, folder):
        raise RuntimeError("Query interrupted")
    assert not folder.exists()


def test_what_comes_through_a_pipe_is_read_once(tmp_path: Path) -> None:
    original = written(tmp_path, "o.csv", {"x": ["1", "2"]})
    released = written(tmp_path, "r.csv", {"x": ["1.5", "1.5"]})
    for engine in ("python", "duckdb"):
        words = f"{sys.executable} -m oracle audit {original} <(cat {released}) -k 2"
        shell = ["bash", "-c", f"{words} --engine {engine}"]
        with Popen(shell, stdout=PIPE, stderr=PIPE) as process:
            assert process.wait(60) == 0
        words = f"cat {original} | {sys.executable} -m oracle audit - {released} -k 2"
        with Popen(["bash", "-c", f"{words} --engine {engine}"], stdout=PIPE, stderr=PIPE) as piped:
            assert piped.wait(60) == 0


def test_decimals_in_units_are_their_digits() -> None:
    """The integer part and the rest, apart, are what the text without its point is."""
    store, random, connection = SimpleNamespace(wide="HUGEINT"), Random(7), duckdb.connect()
    for after in (*range(17), *range(17)):
        before = random.randint(1, 37 - after)
        integers, rests = ([*(0, 10**d - 1, 5 * 10**d // 10)] for d in (before, after))
        integers += [random.randrange(10**before) for _ in range(40)]
        rests += [max(0, rests[2] - 1), *(random.randrange(10**after) for _ in range(40))]
        texts = [
            f"{s}{a}.{str(b).zfill(after)}" for s in ("", "-") for a in integers for b in rests
        ]
        y = f"CAST(text AS DECIMAL({after + before},{after}))"
        query = f"SELECT text, {stored_files.in_units(store, y, after, 'HUGEINT')} FROM "  # type: ignore[arg-type]
        found = connection.execute(query + "(SELECT unnest(?) AS text)", [texts]).fetchall()
        assert [number for _, number in found] == [
            int(text.replace(".", "") if after else text[:-2]) for text, _ in found
        ]
