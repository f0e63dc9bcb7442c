"""The steps of a run as English sentences.

They can be followed beside the source of the algorithm.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from html import escape
from importlib import import_module
from typing import Any

from refagg.constraints.equations import Constraint
from refagg.data.tables import Table
from refagg.errors import InvalidParameter
from refagg.language.event import (
    APART,
    CENTRES,
    CUT,
    DEVIATES,
    DRAW,
    DRAWN,
    LINKED,
    MERGED,
    ORDERED,
    STAND,
    Event,
)
from refagg.language.importing import object_named
from refagg.language.number_texts import as_json, digits_of
from refagg.language.partition import set_text
from refagg.language.specification import OpenChoice, Specification
from refagg.language.ties import Number
from refagg.options.grouping import Grouping
from refagg.spaces.mixed import TIES
from refagg.terminal import in_lines

DIGITS, MOST_DIGITS = 3, 12
"""Significant digits of a number, and the most that are shown to tell two numbers apart."""

LONGEST = 20
"""The most records of a set, or candidates of a tie, that are listed."""

MOST_GROUPS = 8
"""The most groups that a sentence lists."""

SHOWN = 40
"""The most steps in the representation of a trace."""

SYMBOL = re.compile(r"(?:(?:last|next|first) )?[A-Za-z](?:_\w+)?|(?:next|first) centre|seed|root")
"""Names that later steps of a source refer to."""

PAIR = re.compile(r", (\w) and (\w)$")
"""How a choice of two records ends that names both."""

DRAWS = {
    "size": "A group of {} records is drawn from the random stream.",
    "crossing": "Parents {} and {} are crossed after gene {}, as drawn from the random stream.",
    "mutation": "In child {} gene {} becomes {}, as drawn from the random stream.",
    "number": "The number {} of 0 to {} is drawn from the random stream.",
}
"""The draws of what are not records."""

SEVERAL = {
    "first of groups": "each begins a group",
    "first records of a start": "a start begins with them",
    "order": "they are dealt in this order",
}
"""What becomes of several records that are drawn, where it is not what they are."""

NEGATED = {
    "makes": "does not make",
    "costs": "does not cost",
    "has": "does not have",
    "is": "is not",
    "<": ">=",
    ">": "<=",
}
"""The first of these words in a test, and what stands for it where the test fails."""


@dataclass(frozen=True, slots=True)
class Trace(Sequence[Event]):
    """The steps of a run; as text, one sentence for each.

    `choices` are those that the source of the algorithm leaves open.
    """

    events: tuple[Event, ...]
    choices: tuple[OpenChoice, ...]
    player: Callable[[], str] | None = field(default=None, compare=False)
    """Makes the player of the run, as a part of a page, where its records are known."""

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the trace, with its player if possible.

        It is not possible if the run has functions that cannot be pickled.
        """
        import_module("refagg.catalogue")  # which says how specifications are pickled
        try:
            pickle.dumps(self.player)
        except Exception:  # whatever an object of the caller raises
            return Trace, (self.events, self.choices)
        return Trace, (self.events, self.choices, self.player)

    def _repr_html_(self) -> str:
        """The player; without its records, the sentences."""
        first = [repr(self), *Trace(self.events[:SHOWN], self.choices).sentences()]
        told = f"<pre>{escape(in_lines(first))}</pre>"
        try:
            return self.player() if self.player else told
        except InvalidParameter as error:  # there is too much to be shown, or nothing can be drawn
            return f"<p>{escape(str(error))}</p>{told}"

    def __getitem__(self, place: Any) -> Any:
        return self.events[place]

    def __len__(self) -> int:
        return len(self.events)

    def __str__(self) -> str:
        return "\n".join(self.sentences())

    def __repr__(self) -> str:
        return f"<Trace of {len(self)} steps; print() shows them>"

    def sentences(self) -> list[str]:
        """One sentence for each step."""
        teller = _Teller({choice.name: choice for choice in self.choices})
        return [teller.sentence(event) for event in self.events]


def trace_of(
    specification: Specification, events: Iterable[Event], player: Callable[[], str] | None = None
) -> Trace:
    """The steps of a run of this algorithm."""
    return Trace(tuple(events), (*specification.ties, *TIES), player)


def with_trace(
    made: Any, specification: Specification, events: Sequence[Event], player: Callable[..., str]
) -> Any:
    """Return the result of a run, which has groups, with its steps.

    `player` plays events and groups.
    """
    played = partial(player, events, made.groups)
    return replace(made, trace=trace_of(specification, events, played))


def player_of(
    grouping: Grouping,
    table: Table,
    constraints: Sequence[Constraint],
    events: Sequence[Event],
    groups: Sequence[Sequence[int]],
    records: Sequence[int] | None = None,
) -> str:
    """Return the player of a run as a part of a page.

    The run is one on a table, or on these records of it.
    """
    made, fragment = (object_named(f"refagg.comparison.player.{n}") for n in PLAYER)
    scene = made(grouping, table, constraints, events, groups, records)
    return str(fragment(scene, grouping.specification.name))


PLAYER = ("scene:scene_of_run", "page:fragment")
"""They are above this module, and read when a run is shown."""


def trace_lines(specification: Specification, events: Iterable[Event]) -> list[str]:
    """Return a sentence for each step of a run.

    The run is one of this algorithm; records are numbered from 0.

    >>> from refagg import exact_space, specification
    >>> from refagg.language.choices import Choices
    >>> mdav, choices = specification("mdav"), Choices(trace=[])
    >>> partition = mdav.run(exact_space([[1], [2], [3], [10]]), 2, choices)
    >>> for line in trace_lines(mdav, choices.trace):
    ...     print(line)
    4 records remain.
    Step 4: record 3 is farthest from the average of the 4 remaining records (squared distance 36; next 9): it becomes the last x_r.
    Step 4: record 2 is the record nearest to record 3 (squared distance 49; next 64).
    {2, 3} form a group.
    {0, 1} form a group.
    """  # noqa: E501
    return trace_of(specification, events).sentences()


def trace_facts(specification: Specification, events: Sequence[Event]) -> list[dict[str, object]]:
    """Return the steps for a report, with all digits.

    Each step has its sentence, and the facts that it is made of.
    """
    numbers = ("value", "next")
    return [
        {"step": text, "name": event.name, "items": event.items}
        | {n: as_json(x) for n in numbers if (x := getattr(event, n)) is not None}
        | {n: x for n in ("candidates", "members", "ranked") if (x := getattr(event, n))}
        | ({} if event.of is None else {"of": event.of})
        for text, event in zip(trace_lines(specification, events), events, strict=True)
    ]


@dataclass(slots=True)
class _Teller:
    """Makes sentences of the events of a run, one after the other."""

    choices: dict[str, OpenChoice]
    named: dict[str, str] = field(default_factory=dict)
    """What the symbols of the source stand for at present."""
    objectives: list[Number] = field(default_factory=list)
    """Those of the centres, at the start and after each iteration."""

    def sentence(self, event: Event) -> str:
        """The event as a sentence."""
        choice = self.choices.get(event.name)
        if event.name.startswith(DRAW):
            return self._drew(event, event.name.removeprefix(DRAW))
        if event.name == CENTRES and event.value is not None:
            self.objectives.append(event.value)
            return f"{_centres(event.items, len(self.objectives))}; {_fall(self.objectives)}."
        if choice is None:
            return _happened(event)
        said = self._tested(event, choice) if choice.what == "test" else self._chose(event, choice)
        return f"{choice.place[0].upper()}{choice.place[1:]}: {said}"

    def _tested(self, event: Event, choice: OpenChoice) -> str:
        claim = self._resolved(choice.meaning.removeprefix("whether "), event)
        if event.items != (True,):
            claim = negated(claim)
        numbers = " against ".join(_apart(event.value, event.next))
        tied = " Tied: the other answer is possible as well." if event.tied > 1 else ""
        return f"{claim} ({_measure(choice.measure)} {numbers}).{tied}"

    def _chose(self, event: Event, choice: OpenChoice) -> str:
        subject = _subject(event, choice)
        are = "are" if len(event.items) > 1 or re.search("pair| and ", choice.what) else "is"
        meaning = choice.predicate or choice.meaning
        what = _predicate(self._resolved(meaning, event), len(event.items))
        becomes = ""
        if choice.what == "pair":
            becomes = self._name_both(event, what)
        elif len(event.items) == 1 and " and " not in choice.what:
            becomes = self._name(event.name, subject)
        return f"{subject} {are} {what}{_numbers(event, choice)}{becomes}.{_tie(event, choice)}"

    def _drew(self, event: Event, what: str) -> str:
        """Return a sentence on what was drawn from the stream.

        A symbol is kept.
        """
        if what in DRAWS:
            return DRAWS[what].format(*event.items)
        among = f", one of {event.ranked}" if event.ranked else ""
        if what == "chromosome":
            return f"A partition is drawn from the random stream: {_sets(event.items)}."
        if what == "parents":
            text = _listed(event.items)
            return f"Chromosomes {text} are drawn from the random stream: they are the parents."
        if len(event.items) == 1:
            subject = f"record {event.items[0]}"
            one = f": it becomes a {what}" if what not in SEVERAL else ""
            becomes = self._name(what, subject) or one
            return f"Record {event.items[0]} is drawn from the random stream{among}{becomes}."
        are = f"Records {_listed(event.items)} are drawn from the random stream"
        return f"{are}: {SEVERAL.get(what, f'they are the {what}')}."

    def _name(self, name: str, subject: str) -> str:
        """Keep what a symbol stands for; the words that say so."""
        algorithm, _, symbol = name.rpartition(": ")
        symbol = symbol.partition(" of step ")[0]
        if not SYMBOL.fullmatch(symbol):
            return ""
        self.named[name.removesuffix(name.rpartition(": ")[2]) + symbol] = subject
        article = "the " if " " in symbol or symbol in ("seed", "root") else ""
        return f": it becomes {article}{symbol}{f' of {algorithm}' if algorithm else ''}"

    def _name_both(self, event: Event, what: str) -> str:
        """Keep what the two symbols stand for with which the words end."""
        if found := PAIR.search(what):
            start = event.name.removesuffix(event.name.rpartition(": ")[2])
            for symbol, record in zip(found.groups(), event.items[0], strict=True):
                self.named[start + symbol] = f"record {record}"
        return ""

    def _resolved(self, meaning: str, event: Event) -> str:
        """Return the meaning of a choice, with records for symbols.

        The number of remaining records is filled in too.
        """
        if event.ranked and re.search("(average|centroid) of the remaining records", meaning):
            meaning = meaning.replace("remaining", f"{event.ranked} remaining")
        if event.of is not None:
            meaning = re.sub(r"\ba (leftover record|record)\b", rf"\1 {event.of}", meaning)
        start = event.name.removesuffix(event.name.rpartition(": ")[2])
        for name in sorted(self.named, key=len, reverse=True):
            if name.startswith(start):
                symbol = re.escape(name.removeprefix(start))
                pattern = rf"(?:^|(?<=to |om |of ))(?:the )?{symbol}(?=$| than| that| is|,)"
                meaning = re.sub(pattern, self.named[name], meaning)
        return meaning


def negated(claim: str) -> str:
    """A claim denied.

    >>> negated("dissolving makes the SSE less"), negated("d_in < gamma d_out")
    ('dissolving does not make the SSE less', 'd_in >= gamma d_out')
    """
    words = claim.split()
    for place, word in enumerate(words):
        if word in NEGATED:
            return " ".join([*words[:place], NEGATED[word], *words[place + 1 :]])
    return f"not so: {claim}"


def _happened(event: Event) -> str:
    """Return a sentence on an event that is no choice.

    An algorithm from elsewhere may have names of its own.
    """
    if event.name == DRAWN:
        records, shares = zip(*event.items, strict=True)
        chances, are = _listed([few_digits(u, 2) for u in shares]), "are" if shares[1:] else "is"
        return f"{_set(records)} {are} drawn to centre {event.value}, with probability {chances}."
    if event.name == DEVIATES:
        deviations = ", ".join(map(few_digits, event.items[1:]))
        are = "are" if len(event.items) > 2 else "is"
        return f"{deviations} {are} added to the values of record {event.items[0]}."
    if event.name == MERGED:
        first, second = map(_set, event.items)
        height = "" if event.value is None else f" (at height {few_digits(event.value)})"
        return f"{first} and {second} are merged{height}."
    if event.name == STAND:
        sse = "" if event.value is None else f" (SSE {few_digits(event.value)})"
        return f"{_standing(event.items)}{sse}."
    number, items = len(event.items), _set(event.items)
    if event.name.startswith("note: "):
        remark = event.name.removeprefix("note: ")
        return f"{remark[0].upper()}{remark[1:]}{f': {items}' if event.items else ''}."
    if event.name.startswith("group of "):
        return f"{items} form a {event.name}."
    known = {
        ORDERED: f"The records are in the order {_listed(event.items)}.",
        LINKED: f"An edge joins records {_listed(event.items, ' and ')}.",
        CUT: f"The edge between records {_listed(event.items, ' and ')} is removed.",
        APART: f"The clusters of {items} are taken apart.",
        "iteration": "1 record remains." if number == 1 else f"{number} records remain.",
        "together": f"{items} are in one group.",
        "group": f"{items} form a group.",
    }
    return known.get(event.name, f"{event.name}: {items}.")


def _standing(groups: Sequence[Sequence[int]]) -> str:
    """The groups that there are, if they are not too many."""
    if len(groups) > MOST_GROUPS:
        return f"There are {len(groups)} groups now"
    return f"The groups are now {_sets(groups)}"


def _sets(groups: Sequence[Sequence[int]]) -> str:
    return _and([*map(_set, groups[:MOST_GROUPS]), *["others"] * (len(groups) > MOST_GROUPS)])


def _centres(centres: Sequence[Sequence[float]], time: int) -> str:
    """Return a sentence on the centres, if they are few.

    `time` is 1 at the start.
    """
    said = "The centres start" if time == 1 else f"Iteration {time - 1}: the centres move"
    if len(centres) > MOST_GROUPS or len(centres[0]) > MOST_GROUPS:
        return said.replace("the centres", f"{len(centres)} centres")
    texts = [f"({', '.join(few_digits(x, 4) for x in centre)})" for centre in centres]
    return f"{said} {'at' if time == 1 else 'to'} {_and(texts)}"


def _fall(objectives: Sequence[Number]) -> str:
    """The last objective, and by how much it fell."""
    fell = objectives[-2] - objectives[-1] if len(objectives) > 1 else 0
    how = f"falls by {few_digits(fell)} to" if fell > 0 else "is"
    return f"the objective J {how} {few_digits(objectives[-1], 4)}"


def _and(texts: Sequence[str]) -> str:
    return f"{', '.join(texts[:-1])}{' and ' * (len(texts) > 1)}{texts[-1]}"


def _listed(records: Sequence[object], between: str = ", ") -> str:
    more = f" and {len(records) - LONGEST} more" if len(records) > LONGEST else ""
    return between.join(map(str, records[:LONGEST])) + more


def _subject(event: Event, choice: OpenChoice) -> str:
    if len(event.items) > 1:
        return _set(event.items)
    return _thing(choice.what, event.items[0], event.members)


def _thing(what: str, item: Any, members: Sequence[Sequence[int]] = ()) -> str:
    """Return the name of a candidate.

    It is a record, a set of records, two of them, or a number.
    """
    if "pair" in what:
        two = "clusters {} and {}" if "clusters" in what else "records {} and {}"
        return " and ".join(map(_set, members)) if members else two.format(*item)
    if " and " in what:
        return " and ".join(f"{w} {i}" for w, i in zip(what.split(" and "), item, strict=True))
    if members and members[0] and what == "centre":
        return f"the centre of {_set(members[0])}"
    if members and members[0]:
        return f"{'group' if what == 'record' else what} {_set(members[0])}"
    if isinstance(item, Iterable) and not isinstance(item, str):
        return _set(item)
    return f"a group of {item} records" if what == "size" else f"{what} {item}"


def _predicate(meaning: str, number: int) -> str:
    """Return the choice, as it follows "is" or "are"."""
    nearest = re.fullmatch(r"the (?:k-1 |k )?(nearest)(| \w+) records to (.+)", meaning)
    if nearest:
        whose = f"the {number} records" if number > 1 else "the record"
        whose = whose.replace("record", f"{nearest[2].strip()} record".strip())
        return f"{whose} nearest to {nearest[3]}"
    meaning = re.sub(r"^the record most distant from ", "farthest from ", meaning)
    near = r"^the (?:record|centre|mode)(?: that is)? (second )?nearest to "
    return re.sub(near, r"\1nearest to ", meaning)


def _numbers(event: Event, choice: OpenChoice) -> str:
    """The number that decided and the next one, in parentheses."""
    if event.value is None or choice.measure in ("nothing", "number"):
        return ""
    up_to = " up to" if len(event.items) > 1 else ""
    value, after = _apart(event.value, event.next)
    following = f"; next {after}" if after else ""
    return f" ({_measure(choice.measure)}{up_to} {value}{following})"


def _measure(measure: str) -> str:
    return re.sub(r"(\w+)\^2", r"squared \1", measure)


def _tie(event: Event, choice: OpenChoice) -> str:
    """Who else could have been chosen, as a sentence of its own."""
    others = [item for item in event.candidates if item not in event.items]
    if event.tied < 2 or not others:
        return ""
    if PAIR.search(choice.predicate) and others == [tuple(reversed(event.items[0]))]:
        return " Tied: the two could have been named the other way round."
    if len(event.items) > 1 and choice.what == "record":
        inside = [item for item in event.items if item in event.candidates]
        return f" Tied: {_set(others)} could have been chosen instead of {_set(inside)}."
    if len(others) > 1 and all(isinstance(other, int) for other in others):
        return f" Tied: {choice.what}s {_set(others)} could have been chosen as well."
    shown = [_thing(choice.what, other) for other in others[:LONGEST]]
    shown += [f"{len(others) - LONGEST} others"] if len(others) > LONGEST else []
    return f" Tied: {' or '.join(shown)} could have been chosen as well."


def _set(records: Iterable[Any]) -> str:
    """A set of records, not all of them if it is large."""
    items = list(records)
    if all(isinstance(item, int) for item in items):
        return set_text(items, LONGEST)
    return " ".join(map(str, items))  # an algorithm from elsewhere has items of its own


def _apart(value: Number | None, other: Number | None) -> tuple[str, str]:
    """Two numbers, with more digits where fewer would show them alike."""
    for digits in range(DIGITS, MOST_DIGITS + 1):
        texts = ["" if x is None else few_digits(x, digits) for x in (value, other)]
        if value == other or texts[0] != texts[1]:
            break
    return texts[0], texts[1]


def few_digits(value: Number, digits: int = DIGITS) -> str:
    """Format a number with a few significant digits.

    Integers of up to four digits are whole.

    >>> from fractions import Fraction
    >>> few_digits(Fraction(8957, 1548)), few_digits(1234), few_digits(0.5), few_digits(1234567)
    ('5.79', '1234', '0.5', '1.235e+06')
    """
    exact = Fraction(value)
    return digits_of(exact, max(digits, 4) if abs(exact) >= 1000 else digits)
