"""Audits in Spark, in local mode: the same as in Python, and nothing rounded on the way."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from oracle.commands.main import main
from tests.auditing.engines import audited, compared

pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")
if not shutil.which("java"):
    pytest.skip("there is no Java, which Spark needs", allow_module_level=True)

pytestmark = pytest.mark.long  # each process starts a Java machine

from oracle.stores import case as stored  # noqa: E402
from oracle.stores import spark_store  # noqa: E402
from oracle.stores.files import absolute, sum_of  # noqa: E402

LOCAL = "spark:local[2]"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[spark_store.SparkStore]:
    with spark_store.cluster([], "local[2]") as (found, _):
        yield found


@pytest.mark.parametrize("start", [0, 3])
def test_spark_says_the_same_as_python_of_random_releases(start: int) -> None:
    """`python -m tests.auditing.engines 200 0 'spark:local[2]'` compares more."""
    found = [compared(seed, LOCAL) for seed in range(start, start + 3)]
    assert [told for told, _, _ in found if told] == []
    assert "spark" in {engine for _, engine, _ in found}


def test_a_total_that_is_wrong_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = lambda number, wide: f"(1 + {sum_of(number, wide)})"  # noqa: E731
    monkeypatch.setattr(stored, "sum_of", wrong)
    assert any(compared(seed, LOCAL)[0] for seed in range(3))


@pytest.mark.parametrize("digits", [8, 18, 27, 37])
def test_integers_are_exact_to_the_last_digit(digits: int, store: spark_store.SparkStore) -> None:
    """Also negative ones, of which Spark's `abs` keeps 34 digits."""
    random = Random(digits)
    most = 10**digits // 20
    numbers = [random.choice([-1, 1]) * random.randrange(most) for _ in range(20)]
    kind = "BIGINT" if digits <= 18 else store.wide
    rows = ", ".join(f"(CAST('{x}' AS {kind}), CAST('{most // 7}' AS {kind}))" for x in numbers)
    size, gap = absolute("x"), absolute("x - y")
    texts = [size, gap, "x % y", "x - y", *store.limbs("x", -(-digits // spark_store.DIGITS))]
    query = ", ".join(f"CAST({text} AS STRING)" for text in texts)
    found = store.rows(f"SELECT {query} FROM VALUES {rows} AS t(x, y)")
    y = most // 7
    for x, written in zip(numbers, found, strict=True):
        a, b, rest, less, *limbs = map(int, written)
        assert (a, b, rest, less) == (
            abs(x),
            abs(x - y),
            int(math.copysign(1, x)) * (abs(x) % y),
            x - y,
        )
        assert sum(part * store.limb**i for i, part in enumerate(limbs)) == abs(x)
    totals = ", ".join(sum_of(n, store.wide) for n in ("x", size))
    [sums] = store.rows(f"SELECT {totals} FROM VALUES {rows} AS t(x, y)")
    assert sums == (sum(numbers), sum(map(abs, numbers)))


def test_what_would_be_rounded_is_an_error(store: spark_store.SparkStore) -> None:
    """By default Spark rounds the product of these to 6 decimals, and keeps silent."""
    a, b = "0.1234567890123456789012345678", "0.123456789"
    query = f"SELECT CAST(CAST('{a}' AS DECIMAL(28,28)) * CAST('{b}' AS DECIMAL(9,9)) AS STRING)"
    [[text]] = store._session.sql(query).collect()
    assert text == f"0.{int(a[2:]) * int(b[2:]):037d}"
    with pytest.raises(pyspark.errors.ArithmeticException):
        store.rows(f"SELECT CAST('{10**37}' AS DECIMAL(38,0)) * CAST('{10**9}' AS DECIMAL(38,0))")


def test_records_keep_their_numbers_where_many_tasks_read_a_file(
    store: spark_store.SparkStore, tmp_path: Path
) -> None:
    path = tmp_path / "numbers.csv"
    path.write_text("x,key\n" + "".join(f"{i},{i * i}\n" for i in range(1000)))
    store._session.conf.set("spark.sql.files.maxPartitionBytes", "700b")
    store._session.conf.set("spark.sql.files.openCostInBytes", "1b")
    store.keep("pair", f"SELECT c0, record FROM {store.csv(path, 2, ',')}")
    [[tasks]] = store.rows("SELECT count(DISTINCT record >> 33) FROM pair")
    assert tasks > 10
    some = [0, 1, 77, 500, 998, 999]
    query = f"SELECT record FROM pair WHERE CAST(c0 AS BIGINT) IN {tuple(some)} ORDER BY record"
    assert store.numbered([record for [record] in store.rows(query)]) == tuple(some)


def test_a_witness_names_records_as_python_does(tmp_path: Path) -> None:
    """A file of several parts, a shuffled release, and one mean that is wrong."""
    random = Random(4)
    rows = [(f"k{i}", i // 3 * 10 + i % 3) for i in range(300)]
    released = [(key, 1 + 10 * (i // 3)) for i, (key, _) in enumerate(rows)]
    released[77:79] = [(key, mean) for key, mean in released[77:79]]
    released[75:78] = [(key, 4711) for key, _ in released[75:78]]
    random.shuffle(released)
    for name, table in (("original", rows), ("released", released)):
        lines = "".join(f"{key},{x}\n" for key, x in table)
        (tmp_path / f"{name}.csv").write_text(f"id,x\n{lines}")
    words = ["oracle", "audit", "original.csv", "released.csv", "-k", "3", "--key", "id"]
    right, _ = audited(words, tmp_path, "python")
    found, did = audited(words, tmp_path, LOCAL)
    assert did == "spark"
    assert found == right
    assert "75 76 77" in right[1]


def test_a_cluster_of_two_workers_says_the_same_and_its_log_is_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "o.csv"
    path.write_text("id,x\na,1\nb,1\nc,3\nd,3\n")
    words = ["oracle", "audit", str(path), str(path), "-k", "2", "--key", "id", "--stats"]
    master = "spark:local-cluster[2,1,1024]"
    ran = subprocess.run(
        [sys.executable, "-m", *words, "--engine", master, "--json", str(tmp_path / "out.json")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads((tmp_path / "out.json").read_text())["run"]["engine"] == "spark"
    assert "WARN" not in ran.stderr
    assert "Using Spark" not in ran.stderr
    seconds = re.search(r"([\d.]+) CPU seconds", ran.stderr)
    assert seconds
    assert float(seconds[1]) > 2  # Java's are among them


def test_without_a_key_or_with_an_algorithm_it_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "o.csv"
    path.write_text("id,x\na,1\nb,2\n")
    words = ["audit", str(path), str(path), "-k", "1", "--engine", LOCAL]
    assert main(words) == 2
    assert "--engine spark needs --key" in capsys.readouterr().err
    assert main([*words, "--key", "id", "--algorithm", "mdav"]) == 2
    assert (
        "the option --algorithm does not apply with --engine spark; it needs"
        in capsys.readouterr().err
    )


def test_the_report_names_the_engine_and_why_it_was_another(tmp_path: Path) -> None:
    report, path = tmp_path / "report.json", tmp_path / "o.csv"
    for cells, engine in (("a,1\nb,2\n", "spark"), ("a,1e40\nb,2\n", "python")):
        path.write_text(f"id,x\n{cells}")
        words = ["audit", str(path), str(path), "-k", "1", "--key", "id", "--json", str(report)]
        assert main([*words, "--engine", LOCAL]) == 0
        run = json.loads(report.read_text())["run"]
        assert run["engine"] == engine
        assert run.get("not_spark", "41 digits").endswith("41 digits")
        assert ("pyspark" in run["versions"]) == (engine == "spark")
