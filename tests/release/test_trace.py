"""Traces in sentences: the run of the eleven firms by hand, ties, tests, sets and numbers."""

from __future__ import annotations

import csv
import json
import pickle
import re
import subprocess
import sys
from fractions import Fraction

import pytest
from strategies import quick_options

import refagg
from refagg.catalogue import CATALOGUE
from refagg.datasets import shipped_folder
from refagg.language.choices import Choices
from refagg.language.event import CENTRES, DEVIATES, DRAW, DRAWN, Event
from refagg.language.random_stream import RandomStream, scripted, seeded
from refagg.language.specification import OpenChoice
from refagg.release.trace import Trace, few_digits, negated, trace_lines

with (shipped_folder() / "eleven-firms.csv").open() as file:
    FIRMS = [list(map(int, row)) for row in list(csv.reader(file))[1:]]

BY_HAND = (
    "11 records remain.",
    "Step 1: record 10 is farthest from the average of the 11 remaining records "
    "(squared distance 5.79; next 4.26): it becomes x_r.",
    "Step 2: record 0 is farthest from record 10 (squared distance 14.1; next 13.2): "
    "it becomes x_s.",
    "Step 3: {5, 8} are the 2 records nearest to record 10 "
    "(squared distance up to 3.87; next 5.11).",
    "{5, 8, 10} form a group.",
)
"""The firms standardised: 10 is at (2.4059, -0.0025), with 5.788 from the origin, and so on."""


def test_the_eleven_firms() -> None:
    trace = refagg.mdav(FIRMS, k=3, trace=True).trace
    assert tuple(str(trace).splitlines()[:5]) == BY_HAND
    assert repr(trace) == f"<Trace of {len(trace)} steps; print() shows them>"
    assert pickle.loads(pickle.dumps(trace)) == trace


def test_the_representation_of_a_long_trace_is_short() -> None:
    trace = refagg.mdav([[x * x] for x in range(200)], k=2, trace=True).trace
    assert repr(trace) == f"<Trace of {len(trace)} steps; print() shows them>"
    page = Trace(trace.events, trace.choices)._repr_html_()  # without its player
    assert page.count("\n") < len(trace)
    assert len(str(trace).splitlines()) == len(trace)


@pytest.mark.parametrize(("ties", "one", "other"), [("lowest", 0, 4), ("highest", 4, 0)])
def test_a_tie_names_who_else_could_have_been_chosen(ties: str, one: int, other: int) -> None:
    """0 and 10 are equally far from the average 5."""
    lines = str(refagg.mdav([[0], [1], [5], [9], [10]], k=2, ties=ties, trace=True).trace)
    assert f"record {one} is farthest from the average of the 5 remaining" in lines
    assert f"Tied: record {other} could have been chosen as well." in lines


def test_a_tie_of_neighbours_names_what_is_exchanged() -> None:
    """0, 4 and 4 are near 2: one of the two equal ones has a place."""
    choice = OpenChoice("near", "2", "the k-1 nearest records to x")
    event = Event("near", (0, 1), 4, 9, 2, (1, 3))
    assert str(Trace((event,), (choice,))) == (
        "Step 2: {0, 1} are the 2 records nearest to x (squared distance up to 4; next 9). "
        "Tied: {3} could have been chosen instead of {1}."
    )


def test_every_test_of_the_catalogue_can_be_denied() -> None:
    tests = {t.meaning for s in CATALOGUE.values() for t in s.ties if t.what == "test"}
    assert len(tests) > 8
    for meaning in tests:
        claim = meaning.removeprefix("whether ")
        assert meaning.startswith("whether ")
        assert negated(claim) not in (claim, f"not so: {claim}")


def test_numbers_get_digits_until_they_differ() -> None:
    choice = OpenChoice("r", "1", "the record most distant from x")
    event = Event("r", (1,), Fraction(1234567, 10**6), Fraction(1234560, 10**6))
    (line,) = Trace((event,), (choice,)).sentences()
    assert "(squared distance 1.23457; next 1.23456)" in line  # 7 digits would say no more
    assert few_digits(Fraction(1, 3)) == "0.333"
    assert few_digits(1999) == "1999"


def test_the_report_has_all_digits() -> None:
    release = refagg.microaggregate(FIRMS, 3, algorithm="mdav", trace=True)
    [traced] = json.loads(json.dumps(release.report()))["blocks"][0]["traces"]
    step = traced["steps"][1]
    assert step["step"] == BY_HAND[1]
    means = [Fraction(sum(column), 11) for column in zip(*FIRMS, strict=True)]
    away = [[(x - m) ** 2 for x, m in zip(row, means, strict=True)] for row in FIRMS]
    variances = [sum(column) / 11 for column in zip(*away, strict=True)]
    squared = sum(a / v for a, v in zip(away[10], variances, strict=True))
    assert step["value"] == {"decimal": float(squared), "exact": str(squared)}
    silent = refagg.microaggregate(FIRMS, 3, algorithm="mdav")
    assert "traces" not in silent.report()["blocks"][0]


def test_fuzzy_and_noise_tell_their_runs() -> None:
    """From any two of 0, 2, 10 and 12 crisp centres end at 1 and 11, with J = 4."""
    rows = [[0], [2], [10], [12]]
    given = {"standardise": "none", "seed": 1, "trace": True}
    crisp = {"m1": 1, "m2": 1, "c": 2}
    made = refagg.microaggregate(rows, 2, algorithm="fuzzy", parameters=crisp, **given)
    [(_, events)] = made.blocks[0].traces
    lines = trace_lines(CATALOGUE["fuzzy"], events)
    assert any(line.endswith("to 4.") for line in lines if "the objective J falls by" in line)
    assert sorted(line.partition(" are")[0] for line in lines if "drawn to centre" in line) == [
        "{0, 1}",
        "{2, 3}",
    ]
    made = refagg.microaggregate(rows, 1, algorithm="gaussian-noise", **given)
    [(_, events)] = made.blocks[0].traces
    for record, event in enumerate(events):
        added = float(made.released.row(record)[0]) - rows[record][0]
        assert event.items == (record, pytest.approx(added))
    assert [line[-23:] for line in trace_lines(CATALOGUE["gaussian-noise"], events)] == [
        f"the values of record {record}." for record in range(4)
    ]


def test_a_trace_keeps_its_player_wherever_it_is() -> None:
    """Alone, in a release, and after it was pickled where the catalogue was not read before."""
    options = {"rows": FIRMS, "k": 3, "standardise": "none"}
    trace = refagg.mdav(**options, trace=True).trace
    player = trace._repr_html_()
    assert player.startswith('<section class="run-player"')
    release = refagg.microaggregate(FIRMS, 3, "mdav", standardise="none", trace=True)
    again = pickle.loads(pickle.dumps(release))
    for made in (release, again):
        [(_, kept)] = made.blocks[0].traces
        assert kept._repr_html_() == player
    script = (
        "import pickle, refagg; p = refagg.mdav([[1], [2], [9], [8]], 2, trace=True); "
        "print(pickle.loads(pickle.dumps(p)).trace._repr_html_()[:8])"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "<section\n"


def test_what_was_drawn_is_told() -> None:
    """The example of random-seed by hand: 0 is drawn of six records, the last one of four."""
    space, run = refagg.exact_space([[0], [1], [2], [10], [11], [12]]), CATALOGUE["random-seed"].run
    choices = Choices(stream=scripted([0, 3]), trace=[])
    run(space, 2, choices, size="fixed")
    lines = trace_lines(CATALOGUE["random-seed"], choices.trace or [])
    assert lines[0] == "Record 0 is drawn from the random stream, one of 6: it becomes the seed."
    assert "Record 5 is drawn from the random stream, one of 4: it becomes the seed." in lines
    choices = Choices(stream=scripted([2, 1]), trace=[])  # a size of 2 or 3 is drawn: 3
    run(space, 2, choices, size="random")
    lines = trace_lines(CATALOGUE["random-seed"], choices.trace or [])
    assert lines[1] == "A group of 3 records is drawn from the random stream."


@pytest.mark.parametrize("name", [name for name, spec in CATALOGUE.items() if spec.random])
def test_a_run_that_draws_says_so(name: str) -> None:
    """An event tells of draws if the random stream was asked, and only then."""
    spec, asked = CATALOGUE[name], list[int]()
    seed = seeded(1)

    def randbelow(m: int) -> int:
        asked.append(m)
        return seed.randbelow(m)

    rows = [[7 * i % 31, i * i % 53] for i in range(24)]
    choices = Choices(stream=RandomStream(randbelow), trace=[])
    spaces = {"Real": refagg.float_space, "Coordinates": refagg.float_space}
    space = spaces.get(spec.needs, refagg.exact_space)(rows)
    settings = spec.settings(quick_options(name).get("parameters", {}))
    spec.run(space, 3 if spec.takes_k else 1, choices, **settings)
    told = [e for e in choices.trace or [] if e.name.startswith((DRAW, DRAWN, DEVIATES))]
    assert bool(told) == bool(asked)


def test_two_that_could_be_named_the_other_way_round_are_no_other_pair() -> None:
    lines = str(refagg.md([[0], [1], [4], [9]], 2, trace=True).trace)
    assert lines.count("Tied: the two could have been named the other way round.") == 1
    square = str(refagg.md([[0, 0], [0, 1], [1, 1], [1, 0]], 2, trace=True).trace)
    assert "records 1 and 3 or records 2 and 0 or records 3 and 1 could have been chosen" in square


def test_records_are_told_with_the_memberships_by_which_they_are_drawn() -> None:
    made = refagg.fuzzy(FIRMS, 3, seed=4, trace=True)
    drawn = [event for event in made.trace if event.name == DRAWN]
    assert sorted(record for event in drawn for record, _ in event.items) == list(range(11))
    for event in drawn:
        assert all(share == made.memberships[i][event.value] for i, share in event.items)
        assert {i for i, _ in event.items} == set(made.groups[event.value])


def test_centres_are_told_in_the_units_of_the_data() -> None:
    frame = {"pay": [1000, 1100, 5000, 5100], "age": [20, 21, 60, 61]}
    made = refagg.fuzzy(frame, 2, seed=1, trace=True)
    last = [event for event in made.trace if event.name == CENTRES][-1]
    for name, values in zip(frame, zip(*last.items, strict=True), strict=True):
        assert values == pytest.approx(made.centres[name])
        assert all(min(frame[name]) <= value <= max(frame[name]) for value in values)


def runs() -> list[str]:
    return [name for name, s in CATALOGUE.items() if s.yields == "partition"]


@pytest.mark.parametrize("name", runs())
def test_steps_are_sentences_without_runs_of_digits(name: str) -> None:
    """A capital or a set begins a step, a point ends it; a report of it is JSON."""
    spec = CATALOGUE[name]
    rows = FIRMS if spec.attributes == "any" else [row[:1] for row in FIRMS]
    release = refagg.microaggregate(rows, 3, algorithm=name, trace=True, **quick_options(name))
    json.dumps(release.report())
    [(_, events)] = release.blocks[0].traces
    for line in trace_lines(spec, events):
        assert line[0].isupper() or line[0] in "{1234567890", line
        assert line.endswith("."), line
        assert not re.search(r"\^2|whether|which end", line), line
