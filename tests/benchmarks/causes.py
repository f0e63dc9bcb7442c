"""`python -m tests.benchmarks.causes [TABLES] [SEED] [ALGORITHM]`: is the wrong step named?

Of every planted mistake in a step that has a name, the list of mistakes says which `step` it is:
one name, or several where a reader would look in the same place. Its answers to so many random
tables are judged as `conform` judges them, and the cause is the name that most of its wrong answers
share. Printed are, for each mistake, whether that is the step; and over all, how many answers are
given the right name, and how many the name of another choice, which is right. Mistakes that fail
before a run is looked at, as those that leave groups below k, have other causes and do not count.
"""

from __future__ import annotations

import signal
import sys
from collections import Counter
from collections.abc import Iterator
from random import Random

from oracle.conformance.judge.causes import shared_names
from oracle.conformance.judge.judging import judge
from oracle.conformance.judge.model import Answer, Case, Judgement
from oracle.conformance.judge.strictness import Strictness
from refagg import exact_space, float_space
from refagg.catalogue import specification
from refagg.errors import InvalidPartition
from refagg.language.specification import parameter_text
from tests.planted.mutant import SEED, Mutant
from tests.planted.mutants import MUTANTS

HOW = Strictness(explain=False, limit=300, replay_seconds=1.0)

SECONDS = 15.0
"""CPU time after which a mistake that does not end is given up."""

Table = list[list[int]]


def tables(count: int, seed: int, width: int) -> Iterator[tuple[Table, int]]:
    """Tables of the numbers of records at which loops end; all attributes but one are skew.

    They have so many attributes, or where that is 0 two or three.
    """
    random = Random(seed)
    for number in range(count):
        k = 2 + number % 2
        n = (3 * k, 2 * k, 3 * k - 1, 3 * k + 1, 4 * k + 1, 5 * k - 1, 6 * k, 12, 16)[number % 9]
        size, skew = (3, 20, 20)[number // 2 % 3], width - 1 if width else (1, 1, 2)[number % 3]
        yield (
            [
                [random.randrange(100), *(random.randrange(size) ** 3 for _ in range(skew))]
                for _ in range(n)
            ],
            k,
        )


def answered(mutant: Mutant, rows: Table, k: int) -> Answer | None:
    """What the wrong program answers; None if it fails, or does not end."""

    def stop(*_: object) -> None:
        raise TimeoutError

    exact = "exact" in specification(mutant.algorithm).arithmetics(mutant.settings)
    space = (exact_space if exact else float_space)(rows)
    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        groups = mutant.partition(space, k).groups
    except (InvalidPartition, ValueError, LookupError, ArithmeticError, TimeoutError):
        return None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return Answer(groups=tuple(map(tuple, groups)))


def failures(mutant: Mutant, count: int, seed: int) -> Iterator[Judgement]:
    """The judgements of answers that are no run."""
    spec = specification(mutant.algorithm)
    parameters = {name: parameter_text(value) for name, value in dict(mutant.parameters).items()}
    for rows, k in tables(count, seed, 1 if spec.attributes == "one" else 0):
        answer = answered(mutant, rows, k)
        if answer is not None:
            records = tuple(tuple(map(str, row)) for row in rows)
            asked = SEED if spec.random else None
            case = Case("a table", spec.name, k, records, parameters=parameters, seed=asked)
            judgement = judge(case, answer, strict=HOW)
            if (judgement.status, judgement.check) == ("failed", "run"):
                yield judgement


def main(count: int = 9, seed: int = 16, algorithm: str = "") -> None:
    """Print of which mistakes the cause names the step, and how many."""
    verdicts, answers = Counter[str](), Counter[bool]()
    for mutant in MUTANTS:
        if algorithm not in ("", mutant.algorithm):
            continue
        if not mutant.steps or specification(mutant.algorithm).yields != "partition":
            continue
        steps = {f"run/{step.replace(' ', '-')}" for step in mutant.steps}
        names = Counter(shared_names(list(failures(mutant, count, seed))))
        [(cause, _)] = names.most_common(1) or [("", 0)]
        verdict = "right" if cause in steps else "WRONG" if cause else "never"
        verdicts[verdict] += 1
        for name, times in names.items():
            answers[name in steps] += times
        told = ", ".join(f"{name} {times}" for name, times in names.most_common())
        print(f"{verdict}  {mutant.algorithm}: {mutant.mistake}: {told}", flush=True)
    seen = verdicts["right"] + verdicts["WRONG"]
    share = f"{verdicts['right']} of {seen} ({verdicts['right'] / seen:.0%})"
    print(f"{share} name the step of the mistake; {verdicts['never']} never failed as a run")
    print(f"of {answers.total()} answers {answers[True]} name it, {answers[False]} another choice")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]), *sys.argv[3:])
