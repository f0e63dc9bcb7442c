"""What catches a planted defect where noise is added: the judge of answers, with the seed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from oracle.conformance.judge.judging import Strictness, judge
from oracle.conformance.judge.model import Answer, Case
from refagg import float_space
from refagg.language.choices import Choices
from refagg.language.random_stream import seeded

from .mutant import SEED, Mutant
from .releases import Rows


def caught_noise(mutant: Mutant, panel: Iterable[tuple[Rows, int]]) -> str | None:
    """What catches a mutant."""
    given = {name: str(value) for name, value in mutant.parameters}
    for rows, k in panel:
        deviations = mutant.result(float_space(rows), k, Choices(stream=seeded(SEED)))
        records = tuple(tuple(map(str, row)) for row in rows)
        case = Case("planted", mutant.algorithm, k, records, given, seed=SEED)
        released = tuple(tuple(map(str, row)) for row in noisy(rows, deviations))
        judged = judge(case, Answer(released=released), strict=Strictness(explain=False))
        if judged.status == "failed":
            return f"conformance, {judged.check}, at n = {len(rows)}, k = {k}"
    return None


def noisy(
    rows: Sequence[Sequence[float]], deviations: Sequence[Sequence[float]]
) -> list[list[float]]:
    """The values with the deviations."""
    pairs = zip(rows, deviations, strict=True)
    return [[x + d for x, d in zip(row, changes, strict=True)] for row, changes in pairs]
