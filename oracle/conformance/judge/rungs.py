"""Rungs that answers of all kinds of records share."""

from __future__ import annotations

from dataclasses import replace

from oracle.auditing.ladder import Rung
from refagg.language.partition import Partition


def sizes_rung(partition: Partition, least: int) -> Rung:
    """Has every group as many records as it must have?"""
    small = min(partition.groups, key=len)
    if len(small) < least:
        witness = (f"record{'s' if len(small) > 1 else ''} {' '.join(map(str, small))}",)
        text = f"smallest group {len(small)}, less than {least}"
        return Rung("k-anonymous", "fails", text, witness)
    text = f"{len(partition.groups)} groups of {len(small)} to {partition.largest()}"
    return Rung("k-anonymous", "holds", text)


def flagged(rung: Rung, *flags: str) -> Rung:
    """The rung with flags for the reader; empty ones are none."""
    return replace(rung, details=rung.details | {"flags": tuple(filter(None, flags))})


def large_groups(partition: Partition, k: int) -> str:
    """The flag of groups of 2k records or more, if there are any."""
    return "large groups" if partition.largest() >= 2 * k else ""
