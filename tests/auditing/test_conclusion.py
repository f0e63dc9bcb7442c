"""What may be concluded: sentences by hand for audits of every kind, and exact baselines."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import oracle
import refagg
from oracle.auditing.conclusion import baseline_facts
from oracle.commands.main import main
from refagg.data.standardise import standardise
from refagg.data.tables import table_of
from refagg.language.partition import Partition
from refagg.release.measures import groups_sse, sst

ROWS = [[1, 5], [2, 5], [8, 6], [9, 6]]
MEANS = [[1.5, 5], [1.5, 5], [8.5, 6], [8.5, 6]]


def sentences(made: oracle.Audit) -> list[str]:
    return made.verdict.conclusion


def test_a_right_release() -> None:
    made = oracle.audit(ROWS, MEANS, k=2, algorithm="mdav")
    found = sentences(made)
    assert found[0] == (
        "The release is 2-anonymous: each of its 4 records equals at least 1 other in x1 and x2."
    )
    assert found[1] == (
        "The released values are the aggregates of their groups and the release is a possible run "
        "of mdav."
    )
    assert found[2].endswith("(raw file: 0 %; random groups of the same sizes: 66.7 % on average).")
    assert "a guess within the right group: 50 %" in found[3]
    assert 3 <= len(found) <= 6
    assert str(made).startswith(found[0])
    assert json.loads(made.to_json())["conclusion"] == found


def test_wrong_releases_say_so_first() -> None:
    wrong = [[1.5, 5], [1.5, 5], [8.6, 6], [8.6, 6]]
    found = sentences(oracle.audit(ROWS, wrong, k=2, algorithm="mdav"))
    assert "This check fails: aggregates." in found
    assert "The groups are those of a possible run of mdav." in found
    assert not any("are the aggregates" in sentence for sentence in found)
    alone = [[1.5, 5], [1.5, 5], [8.5, 6], [9, 6]]
    found = sentences(oracle.audit(ROWS, alone, k=2))
    assert found[0] == "The release is not 2-anonymous: 2 of 4 records equal no other in x1 and x2."
    assert "Not judged: aggregates." in found


def test_published_values_are_not_called_aggregates() -> None:
    """All records have to be a tenth of their size away; no mean of these groups is."""
    rows = [[100.0], [101.0], [900.0], [910.0]]
    name, parameters = "secure-k-ward", {"rho": 1}
    released = refagg.microaggregate(rows, 2, name, parameters=parameters).values(exact=True)
    assert not {Fraction(201, 2), Fraction(905)}.intersection(released["x1"])
    found = sentences(oracle.audit(rows, released, 2, algorithm=name, parameters=parameters))
    assert found[1] == (
        "The released values are those that the algorithm publishes for its groups and the "
        "release is a possible run of secure-k-ward."
    )


def test_what_is_not_promised_is_not_proved() -> None:
    found = sentences(oracle.audit(ROWS, ROWS, k=3, anonymity="none"))
    assert found[0] == "k-anonymity is not promised, and not judged: k reached is 1."
    each = [[1.5, 5], [1.5, 6], [8.5, 5], [8.5, 6]]
    ours = [[1, 5], [2, 6], [8, 5], [9, 6]]
    blocks = [["x1"], ["x2"]]
    found = sentences(oracle.audit(ours, each, k=2, blocks=blocks, anonymity="each-block"))
    assert found[0].startswith("Within each block of columns every one of the 4 records equals")
    assert "over all columns together, which is not promised, k reached is 1" in found[0]
    found = sentences(oracle.audit(ours, each, k=2, blocks=blocks))
    assert found[0].startswith("The release is not 2-anonymous: 4 of 4 records equal no other")


def test_releases_alone_sets_and_missing_cells() -> None:
    table = {"job": ["a", "a", "a", None], "sex": ["f", "f", "m", "m"]}
    made = oracle.audit_release(table, 2, missing="matches-anything")
    # the third could be the fourth, the fourth could be all but the first two
    assert sentences(made) == [
        "The release is 2-anonymous: each of its 4 records equals at least 1 other in job and sex "
        "(a missing cell matches anything).",
        "Without the original nothing is said of the values, of what was lost, and of the "
        "algorithm.",
        "Whoever knows the values of a record finds it with a probability of 50 % on average and "
        "50 % at most.",
    ]
    made = oracle.audit_release(table, 2)
    assert sentences(made)[0] == (
        "The release is not 2-anonymous: 2 of 4 records equal no other in job and sex (a missing "
        "cell equals a missing cell)."
    )
    made = oracle.audit_release(table, 2, sets=1)
    assert "1 of 4 records equal" in sentences(made)[0]
    assert "in 1 of 2 sets of key variables" in sentences(made)[0]
    made = oracle.audit_release([["a"], ["a"], ["b"], ["b"]], 2, sets=[["x1"]])
    assert sentences(made)[0].startswith("In each of 1 set of key variables every one of the 4")


def test_records_apart_are_counted_together() -> None:
    people = [[1, 2], [3, 4], [5, None], [7, None], [9, None], [None, 1]]
    released = [[2, 3], [2, 3], [7, None], [7, None], [7, None], [None, 1]]
    made = oracle.audit(people, released, k=2, missing="group-apart")
    assert sentences(made)[0] == (
        "The release is not 2-anonymous: 1 of 6 records equals no other in x1 and x2 (a missing "
        "cell equals a missing cell)."
    )
    made = oracle.audit(people[:5], released[:5], k=2, missing="group-apart")
    assert sentences(made)[0].startswith("The release is 2-anonymous: each of its 5 records equals")
    # records 0 and 1 lose all that they have, as two are one group; so do the other three
    assert sentences(made)[-1] == (
        "Information is lost: 100 % of 2 records with all values (random groups: 100 %) and 100 % "
        "of 3 records without x2 (random groups: 100 %)."
    )


def test_k_of_1_promises_nothing() -> None:
    assert sentences(oracle.audit(ROWS, ROWS, k=1))[0].startswith("k = 1: no record has to equal")


@pytest.mark.parametrize("seed", range(5))
def test_the_loss_of_random_groups_is_the_mean_over_all(seed: int) -> None:
    """By enumeration: all orders of six records, cut into groups of the same sizes."""
    rng = random.Random(seed)
    table = table_of([[rng.randrange(9), rng.randrange(9)] for _ in range(6)])
    scaled = standardise(table, "none")
    for sizes in ((2, 4), (3, 3), (2, 2, 2), (1, 5)):
        losses = []
        for order in permutations(range(6)):
            groups, start = [], 0
            for size in sizes:
                groups.append(order[start : start + size])
                start += size
            losses.append(groups_sse(scaled, groups))
        mean = sum(losses, Fraction(0)) / len(losses)
        expected = 100 * mean / sst(scaled)
        groups = Partition.of(_cut(sizes))
        facts = baseline_facts(scaled, [(table.names, groups)], False)["baselines"]
        assert facts["random_groups_loss_percent"] == pytest.approx(float(expected), rel=1e-12)
        blocks = [(("x1",), groups), (("x2",), Partition.of(_cut((6,))))]
        facts = baseline_facts(scaled, blocks, False)["baselines"]
        wholes = [sst(scaled.select([name])) for name in table.names]
        both = (wholes[0] * (6 - len(sizes)) / 5 + wholes[1]) / sum(wholes)
        assert facts["random_groups_loss_percent"] == pytest.approx(float(100 * both), rel=1e-12)


def _cut(sizes: tuple[int, ...]) -> list[list[int]]:
    found, start = [], 0
    for size in sizes:
        found.append(list(range(start, start + size)))
        start += size
    return found


def test_the_optimum_is_beside_the_loss(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Groups 0 2 and 1 3 where 0 1 and 2 3 are best: 98 of 99 against 2 of 99, in x1 alone."""
    rows: list[list[Any]] = [[0], [2], [10], [12]]
    released = [[5], [7], [5], [7]]
    made = oracle.audit(rows, released, k=2, optimum=True, standardise="none")
    # SSE 100 of 104, and the optimum has 4 of 104
    lost = next(sentence for sentence in sentences(made) if "lost" in sentence)
    assert lost.startswith("96.2 % of the information is lost (raw file: 0 %; random groups of the")
    assert lost.endswith("66.7 % on average; optimum: 3.85 %).")
    (tmp_path / "o.csv").write_text("x\n1\n2\n8\n9\n", encoding="utf-8")
    (tmp_path / "r.csv").write_text("x\n1.5\n1.5\n8.5\n8.5\n", encoding="utf-8")
    assert main(["audit", str(tmp_path / "o.csv"), str(tmp_path / "r.csv"), "-k", "2"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("The release is 2-anonymous")
    assert said.index("") < said.index(
        "[  holds   ] well formed: 4 records, 1 numeric attribute in both files"
    )
