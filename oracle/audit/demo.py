"""`oracle audit --demo`: a right release and two wrong ones of data that ship with the project."""

from __future__ import annotations

from fractions import Fraction
from math import trunc

from oracle.audit.ladder import Case
from oracle.audit.verdict import Verdict, judge_release
from refagg.datasets import load
from refagg.masking import Method, method_of, microaggregate, strata_members
from refagg.tables import Table, column_of

DATASETS, K = ("eleven-firms", "synthetic-clustered"), 3


def demo() -> int:
    """Mask data with MDAV and audit the release, then two that were spoilt on purpose.

    The exit status is 0 if the right ones are accepted and the wrong ones are rejected.
    """
    as_expected = [_shown(name) for name in DATASETS]
    return 0 if all(as_expected) else 1


def _shown(dataset: str) -> bool:
    """Print the three audits of a data set; is each as expected?"""
    original, method = load(dataset), method_of("mdav", K)
    release = microaggregate(original, K, "mdav").released
    shown = [
        ("the release of MDAV", release, 0),
        ("the same with two records exchanged", _exchanged(release), 1),
        ("the same with its values truncated", _truncated(release), 1),
    ]
    print(f"== {dataset}: {original.n} records, {len(original.columns)} attributes, k = {K}")
    as_expected = True
    for title, released, status in shown:
        verdict = _audited(original, released, method)
        as_expected &= verdict.exit_status == status
        print(title, *verdict.lines(), sep="\n")
        print(f"exit status {verdict.exit_status}\n")
    return as_expected


def _audited(original: Table, released: Table, method: Method) -> Verdict:
    case = Case(original, released, K, None, strata_members(None, original.n, K))
    return judge_release(case, [method], None, Fraction(1, 10**9))


def _exchanged(table: Table) -> Table:
    """The first record and the first that is released differently, exchanged."""
    rows = [table.row(record) for record in range(table.n)]
    other = next(r for r in range(table.n) if rows[r] != rows[0])
    order = list(range(table.n))
    order[0], order[other] = order[other], order[0]
    return Table(tuple(column_of(c.name, c.values(order)) for c in table.columns))


def _truncated(table: Table) -> Table:
    return Table(
        tuple(
            column_of(c.name, [Fraction(trunc(v)) for v in c.values(range(table.n))])
            for c in table.columns
        )
    )
