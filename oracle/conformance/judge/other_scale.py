"""Were wrong groups formed on another scale than the one that was asked for?

Many programs standardise by themselves. Then most of their groups are wrong where the records are
to be taken as they are, and the reason is one option, not an error in every step.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from oracle.conformance.judge.judging import judge
from oracle.conformance.judge.model import Judgement
from oracle.conformance.judge.strictness import Strictness
from refagg.data.standardise import STANDARDISATIONS
from refagg.errors import with_options_named

QUICKLY = Strictness(explain=False, blame=False, limit=200, replay_seconds=0.5, seconds=0.5)
"""The most CPU time that a hint may take."""

FEWEST = 3
"""So many wrong answers, or more, say something about a scale; fewer are right on one by chance."""


def other_scale(judgements: Iterable[Judgement], fewest: int = FEWEST) -> str | None:
    """A sentence if most of the wrong groups are right on one other scale.

    Groups that were judged by the run, or by the optimum, are judged again as if that scale had
    been asked for.
    """
    wrong = [
        judgement
        for judgement in judgements
        if (judgement.status, judgement.check) in {("failed", "run"), ("failed", "optimal")}
        and not judgement.case.kinds
    ]
    if len(wrong) < fewest:
        return None
    right = {scale: sum(_right_on(scale, one) for one in wrong) for scale in STANDARDISATIONS}
    scale = max(right, key=right.__getitem__)
    if 2 * right[scale] <= len(wrong):
        return None
    ask = with_options_named(f"ask with --standardise={scale}")
    return (
        f"{right[scale]} of {len(wrong)} answers with wrong groups are right on the scale "
        f"{scale!r}: if the program chooses that scale by itself, {ask}"
    )


def _right_on(scale: str, judgement: Judgement) -> bool:
    case = judgement.case
    if case.standardise == scale:
        return False
    again = judge(replace(case, standardise=scale), judgement.answer, strict=QUICKLY)
    return again.status == "passed"
