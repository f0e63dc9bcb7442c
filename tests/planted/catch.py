"""What catches a planted defect, on a fixed panel of tables.

`python -m tests.planted.catch` prints the list that tests/records/planted-defects.md holds;
with `--page FILE` it is written, with the date; with the name of an algorithm only its own.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from pathlib import Path
from random import Random

from oracle.auditing.cases import AuditedRelease
from oracle.auditing.verdict import Verdict, judge_release
from oracle.replay.guided import ClaimedGroups, judge_claim
from refagg import exact_space, float_space
from refagg.catalogue import specification
from refagg.data.tables import table_of
from refagg.errors import InvalidPartition
from refagg.language.random_stream import seeded
from refagg.release.blocks import strata_members
from refagg.release.method import method_of

from .catch_fuzzy import caught_fuzzy
from .catch_noise import caught_noise
from .mutant import SEED, Mutant
from .mutants import MUTANTS
from .releases import WRONG, Implementation, Rows

TOLERANCE = Fraction(1, 10**5)
"""For binary32 implementations; squared distances that differ by less count as tied."""

WHERE_PLACES_MATTER = (39, 7, 8, 18, 28, 9, 11, 33, 26, 25, 5, 2, 19)
"""Records that have changed places in the row of mu-Argus before another end is chosen."""


LARGEST = 10**100


def panel() -> Iterator[tuple[Rows, int]]:
    """Tables and k: sizes on and around all thresholds, tie-rich, tie-free, and huge."""
    random = Random(20061213)
    for k in (2, 3, 4):
        for n in (
            k,
            2 * k - 1,
            2 * k,
            3 * k - 1,
            3 * k,
            4 * k,
            4 * k + 1,
            5 * k - 1,
            6 * k + 1,
            23,
        ):
            yield [[random.randrange(4), random.randrange(3)] for _ in range(n)], k
            yield [[random.randrange(10**6), random.randrange(100)] for _ in range(n)], k
        yield [[7, 7]] * (3 * k + 1), k
    for n, k in ((30, 2), (30, 3), (30, 4), (24, 8), (25, 8), (26, 8), (27, 8), (50, 8)):
        yield [[random.randrange(1000) for _ in range(8)] for _ in range(n)], k
    yield [[random.randrange(10**9) * 10**200, random.randrange(100)] for _ in range(20)], 3
    yield [[value] for value in WHERE_PLACES_MATTER], 2


def moderate_panel() -> list[tuple[Rows, int]]:
    """The same without tables whose values are too large for sums of squares in floats."""
    return [(rows, k) for rows, k in panel() if max(map(max, rows)) <= LARGEST]


def caught_mutant(mutant: Mutant) -> str | None:
    """What catches a mutant: the properties of every partition, or guided replay."""
    spec, settings = specification(mutant.algorithm), mutant.settings
    if spec.yields == "centres":
        return caught_fuzzy(mutant, moderate_panel())
    if spec.yields == "deviations":
        return caught_noise(mutant, moderate_panel())
    for rows, k in panel():
        rows = rows if spec.attributes == "any" else [row[:1] for row in rows]
        space = (exact_space if "exact" in spec.arithmetics(settings) else float_space)(rows)
        try:
            partition = mutant.partition(space, k)
        except (InvalidPartition, ValueError, LookupError) as error:
            return f"properties: {type(error).__name__} at n = {len(rows)}, k = {k}"
        sizes = partition.smallest(), partition.largest()
        if partition.n != len(rows):
            return f"properties: {partition.n} of {len(rows)} records at k = {k}"
        least, most = spec.smallest_group(k, **settings), spec.largest_group(k, **settings)
        if sizes[0] < least or (most is not None and sizes[1] > most):
            return f"properties: groups of {sizes[0]} to {sizes[1]} at n = {len(rows)}, k = {k}"

        def algorithm(choices, space=space, k=k):  # type: ignore[no-untyped-def]
            choices.stream = seeded(SEED)
            return spec.run(space, k, choices, **settings)

        limit = 50 if spec.random else 20_000  # tables without ties need one run
        verdict = judge_claim(spec, algorithm, ClaimedGroups.of_partition(partition), limit)
        if verdict.verdict == "not admissible":
            where = verdict.divergence.step.partition(",")[0] if verdict.divergence else ""
            return f"guided replay at n = {len(rows)}, k = {k}: {where}"
    return None


def audited(implementation: Implementation, rows: Rows, k: int) -> Verdict:
    """The audit of one release, with MDAV as the algorithm."""
    original = table_of(rows)
    released = implementation.release(rows, k)
    case = AuditedRelease(original, released, k, None, strata_members(None, original.n, k))
    method = method_of("mdav", k)
    return judge_release(case, method, [method], None, TOLERANCE, limit=20_000)


def caught_release(implementation: Implementation) -> str | None:
    """The first check that rejects an implementation, on the panel."""
    for rows, k in panel():
        verdict = audited(implementation, rows, k)
        if verdict.exit_status == 1:
            check = next(r for _, checks in verdict.blocks for r in checks if r.status == "fails")
            return f"audit, {check.name}, at n = {len(rows)}, k = {k}"
    return None


def table() -> str:
    """The list of planted defects, with what catches each, as a Markdown page."""
    lines = [
        "# Planted defects",
        "",
        "Mistakes that are planted in the algorithms, or written as whole programs, and what",
        "catches each on a fixed panel of tables: the properties that every partition has, the",
        "guided replay, a check of the audit or, where records are drawn, of the judge of answers,",
        "or all assignments of a small table.",
        "",
        "| algorithm | mistake | caught by |",
        "|---|---|---|",
    ]
    lines += [f"| {m.algorithm} | {m.mistake} | {caught_mutant(m)} |" for m in MUTANTS]
    lines += [f"| a whole program | {w.name}: {w.flaw} | {caught_release(w)} |" for w in WRONG]
    return "\n".join(lines) + "\n"


def page() -> str:
    """The list, and when, by what command and on how much it was made."""
    made = (
        f"Made on {date.today()} by `python -m tests.planted.catch --page "
        f"tests/records/planted-defects.md`: {len(MUTANTS) + len(WRONG)} mistakes, "
        f"a panel of {len(list(panel()))} tables."
    )
    return f"{table()}\n{made}\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.planted.catch")
    parser.add_argument("algorithm", nargs="?", help="only mistakes in this algorithm")
    parser.add_argument("--page", type=Path)
    options = parser.parse_args()
    if options.page:
        options.page.write_text(page(), encoding="utf-8")
    elif options.algorithm:
        for one in (m for m in MUTANTS if m.algorithm == options.algorithm):
            print(f"{one.mistake}: {caught_mutant(one) or 'NOT CAUGHT'}")
    else:
        print(table(), end="")
