"""`python -m tests.benchmarks.found [PROGRAMS] [SEED] [SECONDS]`: how many wrong ones are found?

So many of the planted mistakes and of the wrong programs of `tests/faulty` are drawn, by default 40
(0: all). Each is asked the vectors of what it claims until one fails, and is hunted with at most
1 000 questions and so many seconds of the processor; questions that make a failure smaller come
after it was found and do not count. Printed are those that either overlooks, and the hint of each
hunt at other data or another scale; the last lines have the numbers. As everywhere in
`tests/faulty`, invalid input is not asked in the vectors, as it would find bare algorithms.
"""

from __future__ import annotations

import sys
import time
from random import Random
from statistics import median

from oracle.conformance.judge.hints import hint_of
from tests.faulty.by_vectors import conformed
from tests.faulty.hunt_all import hunted
from tests.faulty.wrong import WRONG, lines

QUESTIONS = 1000


def main(programs: int = 40, seed: int = 0, seconds: float = 20.0) -> None:
    """Print what neither or only one of both finds, and the numbers."""
    every = [*WRONG, *lines()]
    drawn = Random(seed).sample(every, programs) if programs else every
    by_conform, after = 0, list[int]()
    for one in drawn:
        start = time.process_time()
        failed = conformed(one).first is not None
        hunt = hunted(one, seconds, QUESTIONS)
        found = bool(hunt.findings) and hunt.findings[0].tries <= QUESTIONS
        by_conform += failed
        after += [hunt.findings[0].tries] * found
        overlooked = [how for how, ok in (("conform", failed), ("a hunt", found)) if not ok]
        told = [f"not found by {' or '.join(overlooked)}"] if overlooked else []
        hint = hint_of(hunt.answers, 1)
        told += [hint.text] if hint else []
        if told:
            spent = time.process_time() - start
            print(f"{spent:5.1f} s  {one.name}: {'; '.join(told)}", flush=True)
    of = f"of {len(drawn)}"
    print(f"found by conform alone: {by_conform} {of}; by hunts within 1 000 questions: ", end="")
    print(f"{len(after)} {of} (drawn from {len(every)})")
    print(f"a hunt needed {median(after):g} questions in the middle, {max(after)} at most")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
