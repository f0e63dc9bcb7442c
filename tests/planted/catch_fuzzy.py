"""What catches a planted defect where centres are released and records are drawn to them.

In this order: the audit of a release that knows its centres but not its draws; all assignments of
a small table, for what is said about sizes; the judge of answers, with the seed of the random
stream.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import Any

from oracle.auditing.cases import AuditedRelease
from oracle.auditing.driver import driven
from oracle.auditing.fuzzy import fuzzy_facts
from oracle.auditing.observed_release import Fuzziness, Published
from oracle.conformance.judge.judging import Strictness, judge
from oracle.conformance.judge.model import Answer, Case
from refagg import float_space
from refagg.algorithms.fuzzy.microaggregation import FuzzyGroups
from refagg.algorithms.fuzzy.publishing import at_centres, centre_values
from refagg.data.standardise import standardise
from refagg.data.tables import Table, table_of
from refagg.language.choices import Choices
from refagg.language.random_stream import seeded

from .mutant import SEED, Mutant
from .releases import Rows

NEAR = 1e-9


def caught_fuzzy(mutant: Mutant, panel: Iterable[tuple[Rows, int]]) -> str | None:
    """What catches a mutant."""
    found = _audited(mutant) or _counted(mutant)
    if found:
        return found
    for rows, k in panel:
        try:
            made = made_by(mutant, rows, k)
        except (ValueError, IndexError) as error:
            return f"properties: {type(error).__name__} at n = {len(rows)}, k = {k}"
        judged = judge(
            _case(mutant, rows, k), _answer(rows, made), strict=Strictness(explain=False)
        )
        if judged.status == "failed":
            return f"conformance, {judged.check}, at n = {len(rows)}, k = {k}"
    return None


def made_by(mutant: Mutant, rows: Rows, k: int) -> FuzzyGroups:
    """The result of the mutated algorithm, on the random stream of the seed."""
    made: FuzzyGroups = mutant.result(float_space(rows), k, Choices(stream=seeded(SEED)))
    return made


def released_by(rows: Rows, made: FuzzyGroups) -> Table:
    return at_centres(table_of(rows), [(range(len(rows)), made)])[1]


def _case(mutant: Mutant, rows: Rows, k: int) -> Case:
    records = tuple(tuple(map(str, row)) for row in rows)
    given = {name: str(value) for name, value in mutant.parameters}
    return Case("planted", "fuzzy", k, records, given, seed=SEED)


def _answer(rows: Rows, made: FuzzyGroups) -> Answer:
    released = released_by(rows, made)
    return Answer(released=tuple(tuple(map(str, released.row(r))) for r in range(released.n)))


def _audited(mutant: Mutant) -> str | None:
    """The first check that rejects a release of 60 records."""
    random, k = Random(20200101), 6
    rows = [[random.randrange(1000), random.randrange(1000)] for _ in range(60)]
    made, given = made_by(mutant, rows, k), mutant.settings
    forming, assigning = (_fuzziness(given, stage) for stage in "12")
    published = Published(
        forming,
        assigning,
        len(rows) // k,
        centre_values(made),
        guarantee=given["guarantee"],
        last_move=made.clustering.moved,
    )
    case = AuditedRelease(table_of(rows), released_by(rows, made), k, None, [])
    scaled = standardise(case.original, "none")
    at_hand, _ = fuzzy_facts(case, scaled, published, Fraction(1, 10**9))
    checks = list(driven(at_hand))
    failed = [
        check.name for check in checks if check.status == "fails" and check.name != "raw records"
    ]
    return f"audit, {failed[0]}, at n = {len(rows)}, k = {k}" if failed else None


def _fuzziness(given: dict[str, Any], stage: str) -> Fuzziness:
    if given["kind"] == "efcm":
        return Fuzziness("efcm", float(given[f"lambda{stage}"]))
    m = float(given[f"m{stage}"])
    return Fuzziness("crisp") if m == 1 else Fuzziness("fcm", m)


def _counted(mutant: Mutant) -> str | None:
    """The facts about sizes that do not come of all assignments of six records."""
    rows, k = [[0], [1], [3], [4], [6], [9]], 3
    made = made_by(mutant, rows, k)
    chances, facts = made.probabilities, made.sizes
    if len(made.centres) != 2:
        return None
    expected, squares, small, some = [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], 0.0
    for homes in product(range(2), repeat=len(rows)):
        share = prod(row[home] for row, home in zip(chances, homes, strict=True))
        sizes = [homes.count(0), homes.count(1)]
        few = [0 < size < k for size in sizes]
        some += share * any(few)
        for i in range(2):
            expected[i] += share * sizes[i]
            squares[i] += share * sizes[i] ** 2
            small[i] += share * few[i]
    pairs = [
        *zip(facts.expected, expected, strict=False),
        *((s**2, q - e**2) for s, q, e in zip(facts.spread, squares, expected, strict=False)),
        *zip(facts.small, small, strict=False),
        (facts.some_small, some),
    ]
    if all(a is not None and abs(a - b) <= NEAR for a, b in pairs):
        return None
    return f"all assignments at n = {len(rows)}, k = {k}: sizes"
