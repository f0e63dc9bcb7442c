"""Store in Spark: views of files, and tables.

The tables stay in its executors until the end. What is exact there: integers of 37 digits as
DECIMAL(38,0), as long as `allowPrecisionLoss` is off, and texts of decimals, but not `abs`. So
nothing is divided, and no number is made of binary64 or made one. With `ansi` on, what cannot be
computed is an error, not a null.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from subprocess import DEVNULL
from tempfile import TemporaryDirectory
from typing import Any
from warnings import catch_warnings

from oracle.stores.files import LONGEST_LINE, NARROW, NARROW_DIGITS, NotStored, absolute
from refagg.errors import InvalidParameter, optional_library
from refagg.language.partition import Group

DIGITS = 9
"""Of a limb: the product of two is a BIGINT."""

SETTINGS = {
    "spark.sql.ansi.enabled": "true",
    "spark.sql.caseSensitive": "true",
    "spark.sql.decimalOperations.allowPrecisionLoss": "false",
    "spark.sql.csv.parser.columnPruning.enabled": "false",  # so that cells too many are seen
    "spark.sql.session.timeZone": "UTC",
}

BYTES_OF_A_PART = 1 << 25
"""Of both files, about: so many are for one task after records have been sent."""

TYPES = {
    "tinyint": "TINYINT",
    "smallint": "SMALLINT",
    "int": "INTEGER",
    "bigint": "BIGINT",
    "string": "VARCHAR",
}
"""Types of Spark, and their names in DuckDB."""


class SparkStore:
    """Implementation of `oracle.stores.files.Store` in Spark.

    The `record` of a record is the number of the task that reads it, and its place among those
    that this task reads. It rises with the number of the record where tasks read the file from its
    beginning to its end, which is checked before it counts.
    """

    wide, record, limb = "DECIMAL(38,0)", "o.record", 10**DIGITS

    def __init__(self, session: Any) -> None:
        self._session = session
        self._kept: list[Any] = []
        self._sources: list[str] = []

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        return [_integers(row) for row in self._session.sql(query).collect()]

    def streamed(self, query: str) -> Iterator[tuple[Any, ...]]:
        return map(_integers, self._session.sql(query).toLocalIterator(prefetchPartitions=True))

    def keep(self, table: str, query: str, view: bool = False) -> None:
        frame = self._session.sql(query).persist()
        self._kept.append(frame)
        frame.createOrReplaceTempView(table)

    def keep_source(self, table: str, values: str, source: str) -> None:
        frame = self._session.sql(f"SELECT {values}, record FROM {source}")
        frame.createOrReplaceTempView(table)

    def keep_groups(self, select: str, row: str, p: int) -> None:
        self.keep("groups", f"{select} FROM pair GROUP BY {row}")

    def drop(self, *tables: str) -> None:
        for table in tables:
            self._session.catalog.dropTempView(table)

    def release(self) -> None:
        """Give back what was kept."""
        for frame in self._kept:
            frame.unpersist()

    def types(self, path: Path) -> dict[str, str]:
        columns = self._session.read.parquet(_address(path)).dtypes
        return {
            name: TYPES.get(kind, kind.upper() if kind.startswith("decimal") else "another")
            for name, kind in columns
        }

    def parquet(self, path: Path, wanted: Sequence[str]) -> tuple[str, list[str]]:
        names = ["`" + name.replace("`", "``") + "`" for name in wanted]
        columns = [f"{name} AS c{j}" for j, name in enumerate(names)]
        table = self._view(self._session.read.parquet(_address(path)), columns)
        return table, [f"c{j}" for j in range(len(wanted))]

    def csv(self, path: Path, width: int, delimiter: str) -> str:
        columns = [f"c{j}" for j in range(width)]
        frame = self._session.read.csv(
            _address(path),
            schema=", ".join(f"{column} STRING" for column in columns),
            header=True,
            enforceSchema=True,
            mode="FAILFAST",
            sep=delimiter,
            lineSep="\n",
            quote="",
            escape="",
            maxCharsPerColumn=LONGEST_LINE,
        )
        return self._view(frame, columns)

    def _view(self, frame: Any, columns: Sequence[str]) -> str:
        """Make a view of columns of a file; return its name.

        It also has the `record` of each row and the `start` of the part of the file with it.
        """
        name = f"file{len(self._sources)}"
        own = ["_metadata.file_block_start AS start", "monotonically_increasing_id() AS record"]
        frame.selectExpr(*columns, *own).createOrReplaceTempView(name)
        self._sources.append(name)
        return name

    def matches(self, text: str, pattern: str) -> str:
        return rf"regexp_like({text}, r'\A({pattern})\z')"

    def limbs(self, number: str, count: int) -> list[str]:
        if count * DIGITS <= NARROW_DIGITS:
            size = f"CAST({absolute(number)} AS {NARROW})"
            return [f"({size} div {10 ** (DIGITS * i)} % {self.limb})" for i in range(count)]
        text = f"lpad(CAST({absolute(number)} AS STRING), {DIGITS * count}, '0')"
        starts = [1 + DIGITS * (count - 1 - i) for i in range(count)]
        return [f"CAST(substr({text}, {start}, {DIGITS}) AS {NARROW})" for start in starts]

    def numbered(self, records: Sequence[int]) -> Group:
        """Return the number of each record.

        It is that of the records before it.
        """
        self.check_order()
        before = ", ".join(f"count_if(record < {record})" for record in records)
        [row] = self.rows(f"SELECT {before} FROM pair")
        return row

    def check_order(self) -> None:
        query = f"SELECT min(start), max(start) FROM {self._sources[0]} GROUP BY record >> 33"
        parts = self.rows(f"{query} ORDER BY record >> 33")
        starts = [start for part in parts for start in part]
        if starts != sorted(starts):
            raise NotStored("Spark does not read the file in its order")


def _integers(row: Any) -> tuple[Any, ...]:
    """Return a row with integers for numbers that are not binary."""
    return tuple(v if v is None or isinstance(v, (bool, str)) else int(v) for v in row)


def _address(path: Path) -> str:
    """Return the address of a file by its whole path.

    The file must be there on all machines. Raises NotStored.
    """
    if set(str(path.resolve())) & set("{}\\:,"):
        raise NotStored(f"{path} has a name that Spark may not take as it is")
    return f"file://{path.resolve()}"


spark_library = partial(optional_library, "pyspark", "the engine spark")
"""PySpark. Raises MissingExtra."""


@contextmanager
def cluster(
    files: Sequence[Path], master: str = "", memory: int | None = None
) -> Iterator[tuple[SparkStore, Path]]:
    """Provide a store in Spark.

    Spark has the address `master`, or is that of spark-submit and of its own settings. A session
    that runs is used. The driver gets `memory` bytes where it starts. The folder is a temporary one
    of this machine. Raises MissingExtra, InvalidParameter if Spark does not start.
    """
    spark_library()
    import logging

    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL)
    try:
        with catch_warnings(action="ignore"):  # about versions of pandas, which is not used
            session = _session(master, memory)
    except (PySparkException, Py4JError, OSError, RuntimeError) as error:
        raise InvalidParameter(
            f"Spark did not start; it needs Java 17 or later: {_first_line(error)}"
        ) from None
    parts = sum(path.stat().st_size for path in files if path.is_file()) // BYTES_OF_A_PART
    number = max(session.sparkContext.defaultParallelism, parts)
    for name, value in {**SETTINGS, "spark.sql.shuffle.partitions": number}.items():
        session.conf.set(name, str(value))
    store = SparkStore(session)
    with TemporaryDirectory(prefix="refagg-") as folder:
        try:
            yield store, Path(folder)
        except (PySparkException, Py4JError) as error:
            raise NotStored(f"Spark: {_first_line(error)}") from None
        finally:
            store.release()


def _session(master: str, memory: int | None) -> Any:
    """Return a session of its own.

    It is in the Spark that runs, or in a new one.
    """
    from pyspark import SparkConf, SparkContext
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    context = SparkContext._active_spark_context
    if context is None:
        wanted = SparkConf().setAppName("oracle audit")
        wanted.set("spark.ui.showConsoleProgress", "false")
        if master:
            wanted.setMaster(master)
        if master.startswith("local"):
            wanted.set("spark.ui.enabled", "false")
        if memory:
            wanted.set("spark.driver.memory", f"{memory >> 20}m")
        gateway = launch_gateway(wanted, {"stderr": DEVNULL})  # its log is no progress
        context = SparkContext(conf=wanted, gateway=gateway)
    context.setLogLevel("OFF")
    return SparkSession(context).newSession()


def _first_line(error: Exception) -> str:
    return re.sub(r"An error occurred while calling \S+\n: ", "", str(error)).strip().split("\n")[0]
