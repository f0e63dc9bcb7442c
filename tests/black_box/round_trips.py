"""Whatever `refagg mask` writes, `oracle audit` accepts, with the same options.

`python -m tests.black_box.round_trips 2000 --seed 1` masks so many random tables (see
`random_cases`), audits each release, and prints how many ended how. An audit may end with status
0, or with 2 and a reason; 1 rejects a right release and is a failure, as is an exception. Without
the option that says what a release promises, one that is not jointly k-anonymous must fail.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import secrets
import shlex
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random

from .random_cases import RandomCase, random_case
from .session import run_words


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a round trip ended: "refused", "holds", "not judged" or "failure", and why."""

    kind: str
    reason: str = ""


def round_trip(case: RandomCase, folder: Path) -> Outcome:
    """Mask, audit with what is promised, and audit without."""
    (folder / "in.csv").write_text(case.text(), encoding="utf-8")
    words = ["refagg", "mask", "in.csv", *case.common, *case.masking, "-o", "out.csv"]
    made = run_words(words, folder)
    if made.status == 2:
        return Outcome("refused", made.err.strip())
    if made.status != 0:
        return Outcome("failure", f"mask ended with {made.status}: {made.err}")
    audit = ["oracle", "audit", "in.csv", "out.csv", *_with_k(case), "--json", "audit.json"]
    promised = ["--anonymity", case.anonymity] if case.anonymity != "joint" else []
    judged = run_words([*audit, *promised], folder)
    if judged.status not in (0, 2) or judged.err.startswith("usage:"):
        return Outcome("failure", f"audit ended with {judged.status}:\n{judged.out}{judged.err}")
    refused = judged.err.startswith("error:")
    if promised and not refused and _smallest_class(case, folder / "out.csv") < case.k:
        plain = run_words(audit, folder)
        if plain.status != 1:
            return Outcome("failure", f"not k-anonymous, status {plain.status}:\n{plain.out}")
    if judged.status == 2:
        return Outcome("not judged", _reason(judged.out, judged.err))
    return Outcome("holds")


def _with_k(case: RandomCase) -> list[str]:
    return case.common if "-k" in case.common else [*case.common, "-k", str(case.k)]


def _reason(out: str, err: str) -> str:
    """The first line that says what could not be judged; its numbers do not matter."""
    lines = [line for line in out.splitlines() if line.startswith("[not judged]")]
    text = (lines or err.strip().splitlines() or ["no reason is given"])[0]
    return re.sub(r"\d[\d.e+/-]*", "N", text)


def _smallest_class(case: RandomCase, path: Path) -> int:
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = [name for name in case.header if name not in case.outside]
    return min(Counter(tuple(row[name] for name in names) for row in rows).values())


def round_trip_of(seed: int) -> tuple[RandomCase, Outcome]:
    """The case of a seed, and how it ended."""
    case = random_case(Random(seed))
    with tempfile.TemporaryDirectory() as name:
        try:
            return case, round_trip(case, Path(name))
        except Exception as error:  # a traceback that a user would see
            return case, Outcome("failure", f"Traceback: {type(error).__name__}: {error}")


def described(case: RandomCase) -> str:
    """A case as somebody could run it."""
    words = shlex.join(["refagg", "mask", "in.csv", *case.common, *case.masking])
    return f"{case.text()}{words} -o out.csv\n--anonymity {case.anonymity}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", type=int)
    parser.add_argument("--seed", type=int, default=None, help="default: a fresh one")
    parser.add_argument("--max-failures", type=int, default=5, help="failures that are shown")
    parser.add_argument("--feature", help="only cases with this feature")
    given = parser.parse_args()
    first = secrets.randbelow(10**9) if given.seed is None else given.seed
    print(f"{given.tables} tables from seed {first}")
    counts: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    slowest = (0.0, 0)
    seed = first
    while sum(counts.values()) < given.tables:
        before = time.process_time()
        if given.feature and random_case(Random(seed)).feature != given.feature:
            seed += 1
            continue
        case, outcome = round_trip_of(seed)
        slowest = max(slowest, (time.process_time() - before, seed))
        counts[outcome.kind] += 1
        if outcome.kind == "not judged":
            reasons[outcome.reason] += 1
        if outcome.kind == "failure":
            reasons[f"failure: {case.algorithm}, {case.feature}"] += 1
            if counts["failure"] <= given.max_failures:
                print(f"== seed {seed}\n{described(case)}\n{outcome.reason}", flush=True)
        seed += 1
    print(json.dumps(counts))
    for reason, count in reasons.most_common():
        print(f"{count:6} {reason}")
    print(f"slowest: {slowest[0]:.1f} s, seed {slowest[1]}")
    return 1 if counts["failure"] else 0


if __name__ == "__main__":
    sys.exit(main())
