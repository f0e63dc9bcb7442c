"""`oracle audit` where attributes are of declared kinds."""

from __future__ import annotations

import argparse
from dataclasses import replace
from fractions import Fraction
from typing import Any

from oracle.auditing.anonymity import as_promised
from oracle.auditing.frames import FrameCase, run_rung, shape_rung, size_rung, value_rung
from oracle.auditing.ladder import Rung
from oracle.auditing.partitions import read_partition
from oracle.auditing.verdict import audit_data, rung_lines, status_of
from oracle.report.release import write_groups
from refagg.commands.frame_command import frame_from, protection_from, weights_from
from refagg.data.csvfiles import read_sheet, write_json
from refagg.errors import InvalidParameter
from refagg.language.numerals import as_json
from refagg.language.partition import check_k
from refagg.release.facts import loss_json
from refagg.release.general import (
    frame_classes,
    frame_linkage,
    loss_of,
)
from refagg.release.measures import check_same_shape


def audit_frames(given: argparse.Namespace, tolerance: Fraction) -> int:
    """Carry out `oracle audit` with declared kinds; the exit status is that of the verdict."""
    for option in ("certificate", "optimum"):
        if getattr(given, option) is not None:
            raise InvalidParameter(f"--{option} applies to numbers only, but kinds are declared")
    names = given.algorithm or ["kshc"]
    methods = [
        protection_from(argparse.Namespace(**{**vars(given), "algorithm": name, "seed": 0}))
        for name in names
    ]
    methods = [replace(method, seed=given.seed) for method in methods]
    original = frame_from(read_sheet(given.original, given.delimiter), given)
    released = frame_from(read_sheet(given.released, given.delimiter), given)
    check_same_shape(original, released)
    check_k(given.k, original.n, "the original")
    partition = read_partition(given.partition, original.n) if given.partition else None
    case = FrameCase(original, released, given.k, partition)
    sizes = as_promised(size_rung(case), given.anonymity)
    rungs = [shape_rung(case), sizes, value_rung(case, methods[0], tolerance)]
    if given.algorithm:
        rungs += [
            run_rung(case, method, tolerance, given.limit, given.seconds) for method in methods
        ]
    facts = facts_of(case, given)
    print("\n".join([*rung_lines(rungs), *_fact_lines(facts)]))
    if given.json:
        write_json(given.json, audit_data([(original.names, rungs)], facts))
    if given.report:
        _report(given, case, rungs, facts)
    return status_of(rungs)


def _report(
    given: argparse.Namespace, case: FrameCase, rungs: list[Rung], facts: dict[str, Any]
) -> None:
    blocks, inferred = [(case.original.names, rungs)], case.partition is None
    title = f"Audit of {given.released.name}"
    write_groups(blocks, facts, case.groups, inferred, case.k, given.report, title, given.line)


def facts_of(case: FrameCase, given: argparse.Namespace) -> dict[str, Any]:
    """What was lost and what is disclosed."""
    weights = weights_from(given)
    within, total = loss_of(case.original, case.groups, given.dissimilarity, weights)
    linked = frame_linkage(case.original, case.released, given.dissimilarity, weights)
    return {
        "within_dissimilarity": as_json(within),
        "whole_dissimilarity": as_json(total),
        "information_loss_percent": loss_json(within, total),
        "k_reached": frame_classes(case.released).smallest(),
        "record_linkage": float(linked),
    }


def _fact_lines(facts: dict[str, Any]) -> list[str]:
    loss = facts["information_loss_percent"]
    share = "undefined (all records are equal)" if loss is None else f"{loss['decimal']:.10g} %"
    return [
        f"dissimilarity within groups {facts['within_dissimilarity']['decimal']:.10g}, of the "
        f"whole file {facts['whole_dissimilarity']['decimal']:.10g}, information loss {share}",
        f"k reached {facts['k_reached']}; records linked by least dissimilarity: "
        f"{facts['record_linkage']:.4%}",
    ]
