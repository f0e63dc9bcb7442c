"""Partitions in files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from refagg.data.csvfiles import read_sheet
from refagg.data.textfiles import read_json
from refagg.errors import InvalidPartition
from refagg.language.partition import Partition


def read_partition(path: Path, n: int) -> Partition:
    """The partition of n records in a file.

    JSON: a list of groups, each a list of record numbers from 0; an object with such a
    list under "groups"; or the report of `refagg mask` on one block. CSV: one row for each
    record, with its group's label in the column "group", or in the only column.
    Raises FileUnreadable, InvalidPartition.
    """
    if path.suffix.lower() == ".json":
        groups = _groups(path, read_json(path))
        if not all(isinstance(g, list) and all(type(r) is int for r in g) for g in groups):
            raise InvalidPartition(f"{path}: groups must be lists of record numbers from 0")
        return Partition.of(groups, n)
    sheet = read_sheet(path)
    labels = sheet.column("group" if len(sheet.header) > 1 else sheet.header[0])
    if len(labels) != n:
        there = f"{len(labels)} records below its first line, there are {n}"
        raise InvalidPartition(f"{path} has labels for {there}")
    return Partition.from_labels(labels)


def _groups(path: Path, data: object) -> list[Any]:
    if isinstance(data, dict) and isinstance(data.get("blocks"), list) and len(data["blocks"]) == 1:
        data = data["blocks"][0]
    if isinstance(data, dict):
        data = data.get("groups")
    if not isinstance(data, list):
        raise InvalidPartition(f"{path} has no list of groups")
    return data
