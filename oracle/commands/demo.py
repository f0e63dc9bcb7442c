"""`oracle audit --demo`: one right and two wrong releases.

They are of data that ship with the project.
"""

from __future__ import annotations

import argparse
from fractions import Fraction
from math import trunc
from pathlib import Path

from oracle.auditing.cases import AuditedRelease
from oracle.auditing.verdict import Verdict, judge_release
from oracle.report.pages import PAGE, check_reports
from refagg.data.tables import Table, with_numbers
from refagg.datasets import load
from refagg.errors import InvalidParameter
from refagg.release.blocks import strata_members
from refagg.release.masking import microaggregate
from refagg.release.method import method_of

DATASETS, K = ("eleven-firms", "synthetic-clustered"), 3

TITLES = {
    "right": "the release of MDAV",
    "exchanged": "the same with two records exchanged",
    "truncated": "the same with its values truncated",
}


def demo(given: argparse.Namespace) -> int:
    """Mask data with MDAV; audit the release and two spoilt ones.

    These two were spoilt on purpose.

    The exit status is 0 if the right ones are accepted and the wrong ones are rejected. With
    --report each audit has a page in a folder of its own. Raises InvalidParameter for options
    that do not apply, MissingExtra, OutputUnwritable.
    """
    for name in ("original", "released", "k", "algorithm", "json"):
        if getattr(given, name):
            raise InvalidParameter(
                f"--demo audits shipped data, so {name} does not apply; --report does"
            )
    names = [f"{dataset}-{title}" for dataset in DATASETS for title in TITLES]
    if given.report:
        check_reports(given.report, names)
    as_expected = [_shown(dataset, given) for dataset in DATASETS]
    return 0 if all(as_expected) else 1


def _shown(dataset: str, given: argparse.Namespace) -> bool:
    """Print the three audits of a data set; is each as expected?"""
    original, method = load(dataset), method_of("mdav", K)
    release = microaggregate(original, K, "mdav").released
    shown = zip(TITLES.items(), (release, _exchanged(release), _truncated(release)), strict=True)
    print(f"== {dataset}: {original.n} records, {len(original.columns)} attributes, k = {K}")
    as_expected = True
    for (name, title), released in shown:
        case = AuditedRelease(original, released, K, None, strata_members(None, original.n, K))
        verdict = judge_release(case, method, [method], None, Fraction(1, 10**9))
        as_expected &= verdict.exit_status == (0 if name == "right" else 1)
        print(title, *verdict.lines(), sep="\n")
        print(f"exit status {verdict.exit_status}\n")
        if given.report:
            _paged(verdict, case, given.report / f"{dataset}-{name}", title, given.line)
    return as_expected


def _paged(verdict: Verdict, case: AuditedRelease, folder: Path, title: str, command: str) -> None:
    from oracle.report.pages import made_now
    from oracle.report.release import ReleasePage, write_release

    folder.parent.mkdir(exist_ok=True)
    heading = f"{folder.name}: {title}"
    run = made_now(K, ["mdav"])
    write_release(ReleasePage(verdict, case, "population", run=run), folder, heading, command)
    print(f"page {folder / PAGE}\n")


def _exchanged(table: Table) -> Table:
    """Return the first record and the first that is released differently, exchanged."""
    rows = [table.row(record) for record in range(table.n)]
    other = next(r for r in range(table.n) if rows[r] != rows[0])
    order = list(range(table.n))
    order[0], order[other] = order[other], order[0]
    return table.take(order)


def _truncated(table: Table) -> Table:
    columns = (map(trunc, column.values(range(table.n))) for column in table.columns)
    return with_numbers(table, (map(Fraction, column) for column in columns))
