"""Do the checkers agree on altered certificates of small instances?

    python -m tests.certificate.altered AMOUNT [SEED] [CHECKER,CHECKER]

Each certificate is of an instance of at most 15 records, solved here or made by hand, with some
numbers, parts or characters changed, and sealed again in most cases. The checkers (python and, if
none are named, all others that are installed) must accept it with the same bound, or all reject it.
What is accepted of up to 8 records must be true.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from importlib.util import find_spec
from math import lcm
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from unittest.mock import patch

from oracle.certificate.kernel import Rejected
from oracle.commands.verify_command import CHECKERS, program, verdicts
from oracle.functions.optima import Proof, verify
from oracle.optima import columns
from refagg.errors import CheckerUnavailable, InvalidConstraint, NoPartition
from tests.certificate.test_certificate import (
    HANDMADE,
    LIES,
    Json,
    Request,
    at,
    branches,
    changed,
    consistent,
    is_true,
    leaves,
    lie,
    others,
    rows_for,
    scaling,
    sealed,
    solved,
    without,
    written,
)
from tests.places import ROOT

CHECKER = ROOT / "oracle" / "certificate" / "checker.js"
NODE = shutil.which("node")
NUMPY = find_spec("numpy") is not None
EACH = 100
"""So many altered certificates of an instance."""

Rows = list[tuple[int, ...]]
Made = Callable[[], Json]


def drawn(random: Random) -> tuple[Json, Rows]:
    """An instance and its certificate."""
    if random.random() < 0.1:
        data = random.choice(HANDMADE)()
        return data, list(rows_for(data))
    n, k = random.randrange(4, 16), random.randrange(2, 4)
    most = random.choice([3, 20, 1000])
    rows = [(random.randrange(most), random.randrange(most)) for _ in range(max(n, k))]
    pairs = [tuple(sorted(random.sample(range(n), 2))) for _ in range(random.randrange(3))]
    how = random.choice(["none", "none", "population", "sample"])
    request = Request(
        tuple(rows),
        k,
        random.choice([None, k + 1]),
        tuple((a, b) for a, b in pairs[:1]),
        tuple((a, b) for a, b in pairs[1:]),
        scaling(rows, how),
    )
    method = "semidefinite" if NUMPY and random.random() < 0.2 else "columns"
    try:
        return json.loads(json.dumps(solved(request, how=how, method=method))), rows
    except (InvalidConstraint, NoPartition):
        return drawn(random)


def altered(data: Json, rows: Rows, random: Random) -> str:
    """The text of the certificate with something changed."""
    kind = random.randrange(8)
    if kind < 4:
        for _ in range(random.randrange(1, 4)):
            data = lie(data, random, random.choice(LIES))
        data = consistent(data, rows) if kind else data
        return json.dumps(sealed({**data, "bound": root_bound(data)} if kind > 1 else data))
    if kind < 6:
        path = random.choice(list(leaves(data)))
        data = changed(data, path, random.choice(others(at(data, path))))
        return json.dumps(sealed(data))
    if kind < 7:
        return json.dumps(sealed(without(data, random.choice(list(branches(data))))))
    text = json.dumps(sealed(data))
    place = random.randrange(len(text))
    return text[:place] + random.choice(["", "0", "}", " ", text[place] * 2]) + text[place + 1 :]


def root_bound(data: Json) -> str:
    """What the duals of a root that is a leaf prove, in whole costs; 0 for others."""
    sizes = range(max(data["k"], 1), max(data["largest"], data["k"], 1) + 1)
    units = Fraction(data["per_unit"]) * lcm(*sizes) * max(data["parts"], 1)
    n, prices = data["records"], data["proof"].get("duals")
    if prices is None or not data["k"]:
        return "0"
    bound = sum(prices["records"]) + prices["fewest"] * -(-n // max(data["largest"], 1))
    bound += prices["most"] * (n // data["k"])
    for number, price in prices["cuts"]:
        _, weights, divisor = data["cuts"][number]
        bound += price * (sum(weights) // max(divisor, 1))
    return str(min(Fraction(data["value"]), prices["unit"] * bound / units))


def in_words(certificate: Path, table: Path) -> tuple[str, Proof | None]:
    """The verdict of the checker in Python, as the other one would tell it, without reasons."""
    try:
        verdict = verify(certificate, table)
    except Rejected:
        return "rejected", None
    which = "optimal" if verdict.optimal else "bound"
    return f"accepted {which} {verdict.bound}", verdict


def installed() -> list[str]:
    """The checkers but python that can be run here."""
    found = []
    for checker in [checker for checker in CHECKERS if checker != "python"]:
        with suppress(CheckerUnavailable):
            program(checker)
            found.append(checker)
    return found


def batches(amount: int, seed: int, checkers: Sequence[str]) -> Iterator[Counter[str]]:
    """The counts of verdicts, one instance after the other. Raises AssertionError."""
    for number, first in enumerate(range(0, amount, EACH)):
        random = Random(f"{seed} {number}")
        data, rows = drawn(random)
        with TemporaryDirectory() as name:
            table = written(Path(name), rows)
            pairs = []
            for place in range(min(EACH, amount - first)):
                path = Path(name) / f"{place}.json"
                path.write_text(altered(data, rows, random))
                pairs.append((path, table))
            yield compared(pairs, rows, checkers)


def compared(pairs: list[tuple[Path, Path]], rows: Rows, checkers: Sequence[str]) -> Counter[str]:
    """The counts of verdicts on some certificates. Raises AssertionError where they differ."""
    counts: Counter[str] = Counter()
    said = {checker: verdicts(checker, pairs) for checker in checkers}
    for number, (path, table) in enumerate(pairs):
        told, verdict = in_words(path, table)
        for checker, lines in said.items():
            other = lines[number].split(":")[0]
            assert told == other, f"{told!r}, {checker} {other!r}: {path.read_text()}, {rows}"
        if verdict is not None and len(rows) <= 8:
            assert is_true(verdict, json.loads(path.read_text()), rows), path.read_text()
            counts["of which true by enumeration"] += 1
        counts[" ".join(told.split()[:2])] += 1
    return counts


def compare(amount: int, seed: int, checkers: Sequence[str]) -> Counter[str]:
    """How often the checkers said what. Raises AssertionError where they differ."""
    with patch.object(columns, "NARROW", 10**9):
        return sum(batches(amount, seed, checkers), Counter())


def main() -> None:
    amount, seed, named = [*sys.argv[1:], *("1000", "0", "")[len(sys.argv) - 1 :]]
    checkers = named.split(",") if named else installed()
    print(f"{amount} altered certificates, the same by {', '.join(['python', *checkers])}")
    for told, count in sorted(compare(int(amount), int(seed), checkers).items()):
        print(f"{count:>7} {told}")


if __name__ == "__main__":
    main()
