"""Store in DuckDB: a database in memory, and a folder beside.

It keeps within a limit on memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from math import isqrt
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from oracle.stores.files import LONGEST_LINE, NotStored
from refagg.errors import optional_library
from refagg.language.partition import Group

_ROWS = 50_000

_SHARE = 4
"""One part of so many of the memory is for the groups that are formed at once."""

_BITS = 42
"""Of a limb: a sum of 2^42 products of two is still within the 127 bits of DuckDB."""


class DuckDBStore:
    """Implementation of `oracle.stores.files.Store` in DuckDB.

    Records are numbered from 0.
    """

    wide, record, limb = "HUGEINT", "o.rowid", 1 << _BITS

    def __init__(self, connection: Any, memory: int) -> None:
        self._connection = connection
        self._memory = memory

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        return list(self._connection.execute(query).fetchall())

    def streamed(self, query: str) -> Iterator[tuple[Any, ...]]:
        cursor = self._connection.cursor().execute(query)
        many = 100
        while rows := cursor.fetchmany(many):
            yield from rows
            many = _ROWS

    def keep(self, table: str, query: str, view: bool = False) -> None:
        self._connection.execute(f"CREATE {'VIEW' if view else 'TABLE'} {table} AS {query}")

    def keep_source(self, table: str, values: str, source: str) -> None:
        self.keep(table, f"SELECT {values} FROM {source}")

    def keep_groups(self, select: str, row: str, p: int) -> None:
        """Form the groups in parts that the memory can hold.

        Equal rows have the same hash. Some parts together are first put into a table, so that not
        each of many is sought among all records.
        """
        [[groups]] = self.rows(f"SELECT approx_count_distinct(hash({row})) FROM pair")
        parts = 1 + _SHARE * groups * (64 * p + 64) // self._memory
        tables = isqrt(parts)
        each, source = -(-parts // tables), "some_parts AS pair" if tables > 1 else "pair"
        for part in range(tables * each):
            if tables > 1 and part % each == 0:
                those = f"SELECT * FROM pair WHERE hash({row}) % {tables} = {part // each}"
                self._connection.execute(f"CREATE OR REPLACE TABLE some_parts AS {those}")
            where = f"WHERE hash({row}) // {tables} % {each} = {part % each}" if each > 1 else ""
            before = "INSERT INTO groups" if part else "CREATE TABLE groups AS"
            self._connection.execute(f"{before} {select} FROM {source} {where} GROUP BY {row}")

    def drop(self, *tables: str) -> None:
        for table in tables:
            self._connection.execute(f"DROP TABLE {table}")

    def types(self, path: Path) -> dict[str, str]:
        rows = self.rows(f"DESCRIBE SELECT * FROM {_parquet(path)}")
        own = self.rows(f"SELECT name FROM parquet_schema({_quoted(path)})")
        if not {row[0] for row in rows} <= {name for [name] in own}:
            raise NotStored(f"{path} has names that differ in capitals only, or not at all")
        return {row[0]: row[1] for row in rows}

    def parquet(self, path: Path, wanted: Sequence[str]) -> tuple[str, list[str]]:
        columns = ['"' + name.replace('"', '""') + '"' for name in wanted]
        return _parquet(path), columns

    def csv(self, path: Path, width: int, delimiter: str) -> str:
        columns = ", ".join(f"'c{j}': 'VARCHAR'" for j in range(width))
        return (
            f"read_csv({_quoted(path)}, auto_detect = false, header = false, skip = 1, "
            f"delim = {_quoted(delimiter)}, quote = '', escape = '', columns = {{{columns}}}, "
            f"nullstr = '', strict_mode = true, max_line_size = {LONGEST_LINE}, "
            "hive_partitioning = false)"
        )

    def matches(self, text: str, pattern: str) -> str:
        return f"regexp_full_match({text}, '{pattern}')"

    def limbs(self, number: str, count: int) -> list[str]:
        size = f"CAST(abs({number}) AS HUGEINT)"
        mask = f"CAST({self.limb - 1} AS HUGEINT)"
        limbs = [f"(({size} >> {_BITS * i}) & {mask})" for i in range(count)]
        return limbs if count > 1 else [size]

    def numbered(self, records: Sequence[int]) -> Group:
        return tuple(records)

    def check_order(self) -> None:
        pass


duckdb_library = partial(optional_library, "duckdb", "the engine duckdb", "big")
"""DuckDB. Raises MissingExtra."""


@contextmanager
def database(memory: int) -> Iterator[tuple[DuckDBStore, Path]]:
    """Provide a store in a new DuckDB database.

    Database and folder are removed afterwards. DuckDB gets `memory` bytes, and uses the folder
    beyond. Raises MissingExtra.
    """
    duckdb = duckdb_library()
    with TemporaryDirectory(prefix="refagg-") as folder:
        place = Path(folder)
        connection = duckdb.connect()
        try:
            connection.execute(f"SET memory_limit = '{memory}B'")
            connection.execute(f"SET temp_directory = {_quoted(place / 'spilled')}")
            connection.execute("CREATE MACRO octet_length(text) AS strlen(text)")
            yield DuckDBStore(connection, memory), place
        except duckdb.Error as error:
            reason = str(error).partition("\n")[0]
            raise NotStored(f"DuckDB: {reason}") from None
        except RuntimeError as error:
            if "interrupted" not in str(error):
                raise
            raise KeyboardInterrupt from None  # which a query had taken
        finally:
            connection.close()


def _parquet(path: Path) -> str:
    """Return a Parquet file as a table.

    Folders with names such as `x=7` say nothing of it.
    """
    return f"read_parquet({_quoted(path)}, hive_partitioning = false)"


def _quoted(text: object) -> str:
    return "'" + str(text).replace("'", "''") + "'"
