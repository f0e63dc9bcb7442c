"""What a replay keeps in memory grows with the records, not with their square."""

from __future__ import annotations

import tracemalloc
from random import Random

import pytest

import oracle
from oracle.replay.explore import Script
from refagg import microaggregate
from tests.suites import only


def bytes_of_a_record(n: int, algorithm: str) -> float:
    """The peak memory of an audit of a run, for each record."""
    random = Random(n)
    rows = [[random.randint(0, 10**9), random.randint(0, 10**9)] for _ in range(n)]
    released = microaggregate(rows, 2, algorithm).released
    tracemalloc.start()
    try:
        assert oracle.audit(rows, released, 2, algorithm=algorithm).ok
        return tracemalloc.get_traced_memory()[1] / n
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("algorithm", only(["mdav", "mdav-argus"], ["mdav"]))
def test_the_memory_of_a_replay_is_linear(algorithm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was not: for four times as many records each took 2.5 times as much."""
    for limit in ("FEW", "FEWER"):  # records are linked without arrays, which have a size of theirs
        monkeypatch.setattr(f"refagg.release.nearest.{limit}", 10**9)
    bytes_of_a_record(20, algorithm)  # imports
    assert bytes_of_a_record(800, algorithm) < 1.5 * bytes_of_a_record(200, algorithm)


def test_a_state_is_what_groups_are_formed_in_whatever_order() -> None:
    def state(*groups: list[int]) -> object:
        script = Script((), ())
        for group in groups:
            script.together(group)
        script.iteration([], ())
        return script.states[-1][1]

    assert state([3, 1], [2, 0]) == state([0, 2], [1, 3])
    assert state([0, 2], [2, 0, 4], [1, 3]) == state([1, 3], [0, 2, 4])
    assert len({state([0, 1], [2, 3]), state([0, 2], [1, 3]), state([0, 1, 2, 3])}) == 3
