"""Case files: the questions of the vectors, written by hand.

A case begins with its permanent number and its topic; facts follow, one a line. An empty line
ends it, and a line that begins with # is a remark:

    017 duplicates
    k: 2
    records: 0 0, 0 0, 5 5, 5 5
    flags: duplicates
    reason: Equal records may be exchanged, but not counted twice.

Records are separated by commas, their cells by spaces. `offset` and `scale` are added to and
multiplied with all values (first the scale). `kinds` declare the attributes, separated by spaces;
`dissimilarity`, `series`, `times`, `constraint`, `strata`, `blocks` and `sampling_weights` are as
in the protocol.
`common.txt` holds what every claim is asked, with numbers below 200; `kinds.txt` what every claim
is asked that takes other records than numbers; `NAME.txt` what only the claim NAME is asked.
`seeds.txt` holds what every claim is asked that draws, each with the seed of its random stream.
`findings.txt` holds what published programs got wrong, each of one `claim`, and `seen` in which.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from oracle.conformance.judge.texts import numeral
from refagg.errors import InvalidReference

FOLDER = Path(__file__).parent / "cases"

FACTS = (
    *("k", "records", "flags", "reason", "step", "tie", "parameters", "standardise", "seed"),
    *("kinds", "dissimilarity", "series", "times", "constraint", "strata", "blocks"),
    *("sampling_weights", "offset", "scale", "attributes", "reject", "origin", "link", "expect"),
    *("claim", "seen"),
)


@dataclass(frozen=True, slots=True)
class CaseTopic:
    """Case of a case file.

    `attributes` is "any" or "several"; `expect` is an answer found by hand.
    """

    number: str
    name: str
    k: int
    records: tuple[tuple[str, ...], ...]
    reason: str
    flags: tuple[str, ...]
    step: str
    tie: str
    parameters: tuple[tuple[str, str], ...]
    standardise: str
    seed: int | None
    kinds: tuple[str, ...]
    attributes: str
    reject: str
    origin: str
    link: str
    expect: tuple[str, ...]
    shape: Mapping[str, Any]
    claim: str
    seen: tuple[str, ...]
    """What the records are beside a table: keywords of a case."""


@cache
def topics(name: str) -> tuple[CaseTopic, ...]:
    """Return the cases of a file.

    None are returned if there is no such file. Raises InvalidReference.
    """
    path = FOLDER / f"{name}.txt"
    if not path.is_file():
        return ()
    text = path.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    blocks = "\n".join(lines).split("\n\n")
    return tuple(topic_of(block.strip(), path.name) for block in blocks if block.strip())


def topic_of(block: str, where: str) -> CaseTopic:
    """Return the case that some lines describe. Raises InvalidReference."""
    title, *lines = block.splitlines()
    number, _, name = title.partition(" ")
    if not (len(number) == 3 and number.isdecimal() and name.replace("-", "").isalnum()):
        raise InvalidReference(f"{where}: {title!r} is not a number of three digits and a topic")
    facts: dict[str, list[str]] = {}
    for line in lines:
        fact, colon, value = line.partition(": ")
        if not colon or fact not in FACTS:
            raise InvalidReference(f"{where}, {number}: {line!r} is none of {', '.join(FACTS)}")
        facts.setdefault(fact, []).append(value.strip())

    def only(fact: str, default: str = "") -> str:
        return " ".join(facts.get(fact, [default]))

    offset, scale = Fraction(only("offset", "0")), Fraction(only("scale", "1"))
    return CaseTopic(
        number,
        name,
        int(only("k")),
        cells_of_text(only("records"), offset, scale),
        only("reason"),
        tuple(only("flags").split()),
        only("step"),
        only("tie"),
        parameter_pairs(only("parameters")),
        only("standardise", "none"),
        int(only("seed")) if "seed" in facts else None,
        tuple(only("kinds").split()),
        only("attributes", "any"),
        only("reject"),
        only("origin"),
        only("link"),
        tuple(facts.get("expect", ())),
        shape_of(facts),
        only("claim"),
        tuple(filter(None, only("seen").split(", "))),
    )


def shape_of(facts: Mapping[str, Sequence[str]]) -> dict[str, object]:
    """Return the members of SHAPES that facts give.

    Times, strata and weights are separated by spaces, blocks by |; constraints have lines.
    """
    found: dict[str, Any] = {
        name: facts[name][0] for name in ("dissimilarity", "series") if name in facts
    }
    for name in ("times", "strata", "sampling_weights"):
        if name in facts:
            found[name] = tuple(facts[name][0].split())
    if "constraint" in facts:
        found["constraints"] = tuple(facts["constraint"])
    if "blocks" in facts:
        blocks = facts["blocks"][0].split("|")
        found["blocks"] = tuple(tuple(map(int, block.split())) for block in blocks)
    return found


def parameter_pairs(text: str) -> tuple[tuple[str, str], ...]:
    """Return the names and values of "gamma=1/5 cap=none"."""
    pairs = [pair.partition("=") for pair in text.split()]
    return tuple((name, value) for name, _, value in pairs)


def cells_of_text(text: str, offset: Fraction, scale: Fraction) -> tuple[tuple[str, ...], ...]:
    """Return the cells of "0 1, 2 3", moved and scaled.

    "-" is no cell, and "empty" an empty one.
    """
    if not text or text == "none":
        return ()
    rows = []
    for row in text.split(","):
        cells = ["" if cell == "empty" else cell for cell in row.split() if cell != "-"]
        if offset or scale != 1:
            cells = [numeral(Fraction(cell) * scale + offset) for cell in cells]
        rows.append(tuple(cells))
    return tuple(rows)
