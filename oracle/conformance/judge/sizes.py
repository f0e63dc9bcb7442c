"""Checks of sizes, which answers of all kinds of records share."""

from __future__ import annotations

from dataclasses import replace

from oracle.auditing.driver import Check
from refagg.language.partition import Partition


def sizes_check(partition: Partition, least: int) -> Check:
    """Check that every group has as many records as it must have."""
    small = min(partition.groups, key=len)
    if len(small) < least:
        witness = (f"record{'s' if len(small) > 1 else ''} {' '.join(map(str, small))}",)
        text = f"smallest group {len(small)}, less than {least}"
        return Check("k-anonymous", "fails", text, witness)
    text = f"{len(partition.groups)} groups of {len(small)} to {partition.largest()}"
    return Check("k-anonymous", "holds", text)


def flagged(check: Check, *flags: str) -> Check:
    """The check with the non-empty flags among these."""
    return replace(check, details=check.details | {"flags": tuple(filter(None, flags))})


def large_groups(partition: Partition, k: int) -> str:
    """The flag of groups of 2k records or more, if there are any."""
    return "large groups" if partition.largest() >= 2 * k else ""
