"""Whatever `refagg mask` writes, `oracle audit` accepts, with the same options; corrupted, not.

`python -m tests.black_box.round_trips 2000 --seed 1` masks so many random tables (see
`random_cases`), audits each release, and prints how many ended how. An audit may end with status
0, or with 2 and a reason; 1 rejects a right release and is a failure, as is an exception. Without
the option that says what a release promises, one that is not jointly k-anonymous must fail.
A harmless change must not change the status; after a corruption (see `corruptions`) the audit must
not end with 0, unless it names what was done.
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
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from .corruptions import CORRUPTIONS, HARMLESS, Written
from .random_cases import RandomCase, random_case
from .session import Ran, run_words


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a round trip ended: "refused", "holds", "not judged" or "failure", and why.

    Of a corruption: "found", "named", "not judged", "accepted"; `change` is its name.
    """

    kind: str
    reason: str = ""
    change: str = ""


def round_trip(case: RandomCase, folder: Path) -> Outcome:
    """Mask, audit with what is promised, and audit without."""
    (folder / "in.csv").write_text(case.text(), encoding="utf-8")
    words = ["refagg", "mask", "in.csv", *case.common, *case.masking, "-o", "out.csv"]
    made = run_words(words, folder)
    if made.status == 2:
        return Outcome("refused", made.err.strip())
    if made.status != 0:
        return Outcome("failure", f"mask ended with {made.status}: {made.err}")
    judged = audit(case, folder, "out.csv")
    if judged.status not in (0, 2) or judged.err.startswith("usage:"):
        return Outcome("failure", f"audit ended with {judged.status}:\n{judged.out}{judged.err}")
    refused = judged.err.startswith("error:")
    promised = case.anonymity != "joint"
    if promised and not refused and _smallest_class(case, folder / "out.csv") < case.k:
        plain = audit(case, folder, "out.csv", promised=False)
        if plain.status != 1:
            return Outcome("failure", f"not k-anonymous, status {plain.status}:\n{plain.out}")
    if wrong := _asked_otherwise(case, folder):
        return Outcome("failure", wrong)
    if judged.status == 2:
        return Outcome("not judged", _reason(judged.out, judged.err))
    return Outcome("holds")


def _asked_otherwise(case: RandomCase, folder: Path) -> str:
    """What is wrong with audits of the release alone, by each rule, and of undeclared kinds."""
    names = ["--columns", ",".join(name for name in case.header if name not in case.outside)]
    k = ["-k", str(case.k)]
    anonymous = _smallest_class(case, folder / "out.csv") >= case.k
    for rule in ("own-category", "matches-anything", "suppressed"):
        ran = run_words(["oracle", "audit", "out.csv", *k, *names, "--missing", rule], folder)
        right = ran.status == (0 if anonymous else 1)
        looser = rule != "own-category" and ran.status in (0, 2)
        if (not right and not looser) or ran.err.startswith("error:"):
            return f"alone, {rule}, {ran.status}:\n{ran.out}{ran.err}"
    if case.feature == "kinds" and anonymous and "--aggregate" not in case.shared:
        ran = run_words(["oracle", "audit", "in.csv", "out.csv", *k, *names], folder)
        if ran.status not in (0, 2) and "] aggregates of" in ran.out:
            return f"of undeclared kinds, {ran.status}:\n{ran.out}{ran.err}"
    return ""


def audit(case: RandomCase, folder: Path, released: str, promised: bool = True) -> Ran:
    """The audit of a released file, with its promise if it is not the usual one."""
    k = [] if "-k" in case.common else ["-k", str(case.k)]
    words = ["oracle", "audit", "in.csv", released, *case.common, *k, "--json", "audit.json"]
    words += ["--key", case.key] if case.key else []
    if promised and case.anonymity != "joint":
        words += ["--anonymity", case.anonymity]
    return run_words(words, folder)


def harmless_trip(case: RandomCase, folder: Path, random: Random) -> Outcome:
    """Audit the release after a harmless change, if one applies."""
    for name in random.sample(list(HARMLESS), len(HARMLESS)):
        changed = HARMLESS[name](random, case, released(folder))
        if changed:
            (folder / "changed.csv").write_text(changed.text(), encoding="utf-8")
            judged = audit(case, folder, "changed.csv")
            if judged.status not in (0, 2) or judged.err.startswith("error:"):
                text = f"{name}, {judged.status}:\n{changed.text()}{judged.out}{judged.err}"
                return Outcome("failure", text, name)
            return Outcome("holds", change=name)
    return Outcome("none applies")


def corrupted_trip(case: RandomCase, folder: Path, random: Random) -> Outcome:
    """Audit a corruption of the release, if one applies: "found", "named" or "accepted"."""
    for name in random.sample(list(CORRUPTIONS), len(CORRUPTIONS)):
        wrong = CORRUPTIONS[name](random, case, released(folder))
        if wrong:
            (folder / "wrong.csv").write_text(wrong.release.text(), encoding="utf-8")
            judged = audit(case, folder, "wrong.csv")
            if judged.status != 0:
                found = judged.status == 1 or judged.err.startswith("error:")
                return Outcome("found" if found else "not judged", change=name)
            if wrong.named and wrong.named in judged.out:
                return Outcome("named", change=name)
            return Outcome("accepted", f"{name}:\n{wrong.release.text()}{judged.out}", name)
    return Outcome("none applies")


def released(folder: Path) -> Written:
    with open(folder / "out.csv", encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    return Written(header, rows)


def _reason(out: str, err: str) -> str:
    """The first line that says what could not be judged; its numbers do not matter."""
    lines = [line for line in out.splitlines() if line.startswith("[not judged]")]
    text = (lines or err.strip().splitlines() or ["no reason is given"])[0]
    return re.sub(r"\d[\d.e+/-]*", "N", text)


def _smallest_class(case: RandomCase, path: Path) -> int:
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = [name for name in case.header if name not in case.outside]
    blank = {"NA": ""}
    return min(
        Counter(tuple(blank.get(row[name], row[name]) for name in names) for row in rows).values()
    )


def round_trip_of(seed: int) -> tuple[RandomCase, Outcome]:
    """The case of a seed, and how it ended."""
    case, [outcome, *_] = trips_of(seed, right_only=True)
    return case, outcome


def trips_of(seed: int, right_only: bool = False) -> tuple[RandomCase, list[Outcome]]:
    """The case of a seed, and how its release ended; then after changes, where it was accepted."""
    random = Random(seed)
    case = random_case(random)
    made: list[Outcome] = []
    with tempfile.TemporaryDirectory() as name:
        try:
            made.append(round_trip(case, Path(name)))
            if made[0].kind == "holds" and not right_only:
                made.append(harmless_trip(case, Path(name), random))
                made.append(corrupted_trip(case, Path(name), random))
        except Exception as error:  # a traceback that a user would see
            made.append(Outcome("failure", f"Traceback: {type(error).__name__}: {error}"))
    return case, made


def described(case: RandomCase) -> str:
    """A case as somebody could run it."""
    words = shlex.join(["refagg", "mask", "in.csv", *case.common, *case.masking])
    key = f" --key {case.key}" if case.key else ""
    return f"{case.text()}{words} -o out.csv\n--anonymity {case.anonymity}{key}"


@dataclass(slots=True)
class Tally:
    """How many releases ended how: right ones, harmlessly changed ones, corrupted ones."""

    right: Counter[str] = field(default_factory=Counter)
    changed: Counter[str] = field(default_factory=Counter)
    corrupted: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, case: RandomCase, outcomes: list[Outcome]) -> None:
        for counts, outcome in zip(
            (self.right, self.changed, self.corrupted), outcomes, strict=False
        ):
            counts[outcome.kind] += 1
            if outcome.kind == "not judged":
                self.reasons[outcome.reason or f"not judged: {outcome.change}"] += 1
            if outcome.kind in WRONG:
                what = outcome.change or "right release"
                self.reasons[f"{outcome.kind}: {what}, {case.algorithm}, {case.feature}"] += 1

    @property
    def rejected(self) -> int:
        return self.right["failure"] + self.changed["failure"]

    @property
    def accepted(self) -> int:
        return self.corrupted["accepted"] + self.corrupted["failure"]


WRONG = ("failure", "accepted")
"""Outcomes that must not be."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", type=int)
    parser.add_argument("--seed", type=int, default=None, help="default: a fresh one")
    parser.add_argument("--max-failures", type=int, default=5, help="failures that are shown")
    parser.add_argument("--feature", help="only cases with this feature")
    given = parser.parse_args()
    first = secrets.randbelow(10**9) if given.seed is None else given.seed
    print(f"{given.tables} tables from seed {first}")
    tally, slowest, seed, shown = Tally(), (0.0, 0), first - 1, 0
    while tally.right.total() < given.tables:
        seed += 1
        before = time.process_time()
        if given.feature and random_case(Random(seed)).feature != given.feature:
            continue
        case, outcomes = trips_of(seed)
        slowest = max(slowest, (time.process_time() - before, seed))
        tally.add(case, outcomes)
        for outcome in outcomes:
            if outcome.kind in WRONG and (shown := shown + 1) <= given.max_failures:
                print(f"== seed {seed}\n{described(case)}\n{outcome.reason}", flush=True)
    for counts in (tally.right, tally.changed, tally.corrupted):
        print(json.dumps(counts))
    for reason, count in tally.reasons.most_common():
        print(f"{count:6} {reason}")
    print(f"slowest: {slowest[0]:.1f} s, seed {slowest[1]}")
    print(f"right releases rejected: {tally.rejected}")
    print(f"corruptions accepted without being named: {tally.accepted}")
    return 1 if tally.rejected or tally.accepted else 0


if __name__ == "__main__":
    sys.exit(main())
