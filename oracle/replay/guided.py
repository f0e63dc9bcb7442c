"""Guided replay: run the algorithm with the ties of a claim.

At every tie it takes what the claim says.

A claim is a released file or a partition. Where the specification leaves no choice and
the claim differs, the replay stops; if no way of breaking the ties leads further, the
farthest point reached is the witness: the first step at which the claim leaves the
specification, with the numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from math import comb, factorial, inf, log2
from time import process_time
from typing import Any, TypeVar

from oracle.replay.explore import Algorithm, MemoisedSpace, Pruned, Script, Undecided, explored_runs
from refagg.errors import RefaggError
from refagg.language.choices import Choices
from refagg.language.number_texts import number_text
from refagg.language.partition import Group, Partition, Record
from refagg.language.specification import FIXED, OpenChoice, Specification
from refagg.language.ties import (
    HIGHEST,
    LOWEST,
    Comparison,
    Nearest,
    Number,
    TiedCandidates,
    TieRule,
)
from refagg.spaces.mixed import TIES

T = TypeVar("T")

SIZE, ORDER = "group size", "order"

ANOTHER = "another explanation of the groups:"
"""The line of a witness between two explanations."""

NO_CHOICE = "no choice agrees with the groups: "
"""The beginning of a line where a replay ended, whatever it chose: no explanation of the groups."""

OF_CENTROIDS = {tie.name for tie in TIES}

MOST_CHOICES = 4
"""The most choices of an iteration that a witness shows."""


@dataclass(frozen=True, slots=True)
class ClaimedGroups:
    """The claimed groups: which records are said to share a group.

    `classes[label[r]]` are the records that the claim does not tell from r. A class may
    be several groups with the same aggregates, where the claim is a released file:
    `one_of_several(group)` says whether a group that is a part of its class could be one
    of them. For a claimed partition it always says no. `all_of(groups)` says the same of all
    groups together, if each could be one of them.
    """

    labels: Sequence[int]
    classes: Sequence[Group]
    one_of_several: Callable[[Group], bool]
    all_of: Callable[[Sequence[Group]], bool] = lambda groups: True
    exact: bool = False
    """Is each class one group?"""

    @staticmethod
    def of_partition(partition: Partition) -> ClaimedGroups:
        """Return the claim that the groups are exactly these."""
        labels, groups = partition.labels(), partition.groups
        return ClaimedGroups(labels, groups, lambda group: False, exact=True)

    def class_of(self, record: Record) -> Group:
        return self.classes[self.labels[record]]

    def joins(self, records: Sequence[Record]) -> bool:
        """Return True if all these records are in one class."""
        return len({self.labels[record] for record in records}) == 1

    def accepts(self, group: Group) -> bool:
        """Return True if this can be a whole group."""
        if not self.joins(group):
            return False
        return len(group) == len(self.class_of(group[0])) or self.one_of_several(group)

    def is_made_of(self, groups: Sequence[Group]) -> bool:
        """Return True if these can be all groups."""
        whole = len(groups) == len(self.classes)
        return all(map(self.accepts, groups)) and (whole or self.all_of(groups))


@dataclass(frozen=True, slots=True)
class Divergence:
    """Place where a claim departs from the specification.

    Records are numbered from 0.

    `choices` are the records that were chosen in this iteration before, and among which.
    """

    iteration: int
    step: str
    specification: str
    claim: str
    choices: tuple[str, ...] = ()
    also: tuple[Divergence, ...] = ()
    """Others that explain the groups as well."""
    grown: bool = False
    """Is it a group that was formed, and is to take in one more record?"""
    too_large: bool = False
    """Is the seed grouped with the records nearest to it, but with more of them?"""
    within: str = ""
    """Which records are numbered, if not all."""

    @property
    def choice(self) -> str:
        """Return the name of the last choice."""
        return self.step.partition(": ")[2].partition(",")[0]

    @property
    def named(self) -> set[str]:
        """Return the names of all choices, one of which is wrong."""
        return {self.choice, *(other.choice for other in self.also)}

    def lines(self) -> list[str]:
        chosen = "; ".join(self.choices)
        return [
            *([self.within] if self.within else []),
            f"iteration {self.iteration}, {self.step}",
            *([f"{NO_CHOICE}{chosen}"] if chosen else []),
            f"the algorithm: {self.specification}",
            f"the release: {self.claim}",
            *[line for other in self.also for line in (ANOTHER, *other.lines())],
        ]


@dataclass(frozen=True, slots=True)
class Admissibility:
    """The verdict on a claim.

    `verdict` is "admissible", "not admissible" or "undecided" (more ties than the limit
    allows to look at). `slack` is the greatest relative difference of squared distances
    that the accepted run treats as a tie: 0 where it is a run in exact arithmetic. `ties` is
    how many choices among equals the accepted run met, `partition` what it gave.
    """

    verdict: str
    slack: Fraction
    divergence: Divergence | None
    runs: int
    ties: int = 0
    partition: Partition | None = None


def judge_claim(
    specification: Specification,
    algorithm: Algorithm,
    claim: ClaimedGroups,
    limit: int = 2000,
    memory: MemoisedSpace | None = None,
    seconds: float = inf,
    plain: Algorithm | None = None,
) -> Admissibility:
    """Judge whether the claim is a possible run of the algorithm.

    The runs of the tie rules for ties are examined first: most claims are one of these. `limit`
    and `seconds` bound the others, in number and in time: where the first take more, none is
    started. `memory` is the space of the algorithm, if that is one that remembers; `plain` is then
    the algorithm in a space that does not, for single runs.
    """
    search, named = _Search(), named_in(specification)

    def tie_breaker(
        script: Sequence[int],
        finished: Collection[Hashable],
        memory: MemoisedSpace | None,
        rules: _Rules | None = None,
    ) -> _Guide:
        search.runs += 1
        return _Guide(script, finished, memory, named, claim, search, rules)

    def by_tie_rules(*tried: _Rules) -> Iterator[tuple[Partition, Script]]:
        for rules in tried:
            if memory:  # which may remember another run
                memory.rewind(0)
            guide = tie_breaker((), (), memory, rules)
            with suppress(Pruned):
                yield (plain or algorithm)(Choices(guide)), guide
            if memory:
                memory.rewind(0)
            if not guide.ties:  # every run is this one
                search.settled = True
                return

    accepted = partial(_accepted, claim, search)
    otherwise, began = "not admissible", process_time()
    found = accepted(by_tie_rules((LOWEST, LOWEST), (HIGHEST, HIGHEST)))
    in_time = process_time() - began <= seconds
    mixed = ((LOWEST, HIGHEST), (HIGHEST, LOWEST)) if in_time else ()
    more = limit if in_time else 0
    try:
        if not search.settled:
            found = found or accepted(explored_runs(algorithm, more, tie_breaker, memory, seconds))
    except Undecided:
        found, otherwise = accepted(by_tie_rules(*mixed)), "undecided"
    deepest = search.deepest
    if deepest and otherwise == "undecided":
        deepest = replace(deepest, choices=())  # others were not looked at
    return found or Admissibility(otherwise, Fraction(0), deepest, search.runs)


@dataclass(slots=True)
class Work:
    """Budget of the runs: choices left, limits, and cost.

    It says how many choices may still be made in all runs, at which number to stop, and at what
    cost.

    The departures of a run cost less, in bits, than those of the best so far. None is started when
    the process has taken `ends` CPU seconds.
    """

    left: int
    end: int = 0
    bits: float = inf
    ends: float = inf

    met: set[str] = field(default_factory=set)
    """The names of the choices that were made."""

    def spend(self) -> None:
        """Count a choice. Raises Undecided."""
        self.left -= 1
        if self.left < self.end:
            raise Undecided("too many choices")


def departing(
    specification: Specification,
    algorithm: Algorithm,
    claim: ClaimedGroups,
    free: Collection[str],
    work: Work,
    share: int,
    memory: MemoisedSpace | None = None,
    bits: float = inf,
    habit: str = "",
) -> Iterator[tuple[list[Departure], Counter[str]]]:
    """Yield the departures of runs that give the claim.

    The choices of the names in `free` are free.

    At most a `share` of the work is spent. With them comes how often each of these was made. All
    others are as the algorithm makes them. Each has fewer bits than the one before, and than
    `bits`. With a habit they are not free, but all are made in this way. Raises Undecided.
    """
    search, named = _Search(), named_in(specification)
    work.end, work.bits = work.left - share, inf if habit else bits

    def tie_breaker(
        script: Sequence[int], finished: Collection[Hashable], memory: MemoisedSpace | None
    ) -> _Guide:
        work.spend()
        given = named, claim, search, None, free, work, habit
        return _Guide(script, finished, memory, *given)

    def freely(choices: Choices) -> Partition:
        try:
            return algorithm(_Free(choices.tie_breaker, free=free))
        except (RefaggError, LookupError, ValueError, ArithmeticError) as error:
            raise Pruned from error  # a text need not bear such a choice

    if memory:
        memory.rewind(0)
    for partition, guide in explored_runs(
        freely, work.left, tie_breaker, memory, work.ends - process_time()
    ):
        if claim.is_made_of(partition.groups):
            assert isinstance(guide, _Guide)
            work.bits = bits_of(guide.departures)
            yield guide.departures, guide.made


YES, NO, OPPOSITE = "always yes", "always no", "always the opposite"
COUNTED = {"always one more": 1, "always one less": -1}
OTHER_END, FIRST = "always from the other end", "always the first of the file"

HABITS = {"test": (YES, NO, OPPOSITE, *COUNTED), "size": (*COUNTED,), "cut": (*COUNTED,)}
HABITS |= {"first": (OPPOSITE,), "order": (), "number": (), "record": (OTHER_END, FIRST)}
"""The ways in which a choice is often wrong wherever it is made, by what the candidates are.

Those of records are those of all that is ranked.
"""


def _by_habit(habit: str, pairs: list[Any], best: Any) -> list[Any]:
    """Return pairs of values and items in a habit's order.

    It is the order in which the habit takes them; `best` is the right value.
    """
    if habit == FIRST:
        return pairs
    return sorted(pairs, key=lambda pair: abs(pair[0] - best), reverse=habit == OTHER_END)


def _value_by_habit(habit: str, options: Sequence[Any], beside: Sequence[Any]) -> Any:
    """Return the option that a habit takes.

    The first option is the right one.
    """
    right = options[0]
    if habit in COUNTED and not isinstance(right, bool):
        beyond = [value for value in options if (value - right) * COUNTED[habit] > 0]
        return min(beyond, key=lambda value: abs(value - right), default=right)
    if habit in COUNTED:
        return beside[COUNTED[habit] < 0] if beside else right
    wanted = {YES: True, NO: False, OPPOSITE: options[-1]}[habit]
    return wanted if wanted in options else right


def _ways(chosen: object, options: Sequence[Any]) -> int:
    """Return how many ways there are.

    One beside the right one is as likely as all others together.
    """
    right = options[0]
    if isinstance(right, bool) or len(options) < 4:
        return len(options)
    between = any(min(right, chosen) < other < max(right, chosen) for other in options)
    return 2 * len(options) if between else 4


def fixed_in(specification: Specification) -> list[OpenChoice]:
    """Return FIXED under all names in the algorithm.

    They have other names in the algorithms that run within one.
    """
    within = ("".join(tied.name.rpartition(": ")[:2]) for tied in specification.ties)
    before = dict.fromkeys(["", *within])
    return [replace(fixed, name=name + fixed.name) for name in before for fixed in FIXED]


def named_in(specification: Specification) -> dict[str, OpenChoice]:
    """Return fixed, open and common choices, by name."""
    return {tie.name: tie for tie in (*fixed_in(specification), *specification.ties, *TIES)}


def bits_of(departures: Iterable[Departure]) -> float:
    """Return the cost of departures in bits.

    It is the binary logarithm of the number of options.
    """
    return sum(log2(one.ways) for one in departures)


@dataclass(slots=True)
class _Free(Choices):
    """Run in which some choices are free.

    Any records may then be the nearest, or any value settled.
    """

    def settled(self, name: str, value: T, others: Sequence[T] = (), beside: Sequence[T] = ()) -> T:
        if name not in self.free:
            return value
        assert isinstance(self.tie_breaker, _Guide)
        return self.tie_breaker.any_value(name, value, others, beside)

    def divided(self, first: Collection[Record], second: Collection[Record]) -> None:
        assert isinstance(self.tie_breaker, _Guide)
        self.tie_breaker.stay_apart(first, second)

    def choose_nearest(
        self, name: str, near: Nearest[Record], same_group_as: Record | None
    ) -> tuple[Record, ...]:
        guide, claimed = self.tie_breaker, None
        assert isinstance(guide, _Guide)
        if guide.habit:
            counted = same_group_as is not None and SIZE in self.free
            claimed = guide.near_by_habit(name, near) if counted or name in self.free else None
        elif same_group_as is not None and SIZE in self.free:
            claimed = guide.claimed_size(name, near, same_group_as)
        elif same_group_as is not None and name in self.free:
            claimed = guide.claimed_neighbours(name, near, same_group_as)
        if claimed is None:
            return Choices.choose_nearest(self, name, near, same_group_as)
        return claimed


_Rules = tuple[TieRule, TieRule]
"""A tie rule for the choices of an algorithm, and one for those of centroids."""


def _accepted(
    claim: ClaimedGroups, search: _Search, tried: Iterable[tuple[Partition, Script]]
) -> Admissibility | None:
    """Return the verdict if a run gives the claim.

    It is one of the runs tried; None where none does.
    """
    for made, guide in tried:
        if claim.is_made_of(made.groups):
            assert isinstance(guide, _Guide)
            return Admissibility("admissible", guide.slack, None, search.runs, guide.ties, made)
    return None


@dataclass(slots=True)
class _Search:
    """State that the runs of one judgement share.

    It has their number and the farthest divergence.

    It is settled where a run met no tie: there is no other.
    """

    runs: int = 0
    depth: int = -1
    deepest: Divergence | None = None
    settled: bool = False

    def note(self, depth: int, divergence: Callable[[], Divergence]) -> None:
        """Keep a divergence if it is the farthest so far.

        It is met after more choices than any before.
        """
        if depth > self.depth:
            self.depth, self.deepest = depth, divergence()


@dataclass(frozen=True, slots=True)
class Departure:
    """Choice of none of the candidates, in an otherwise right run.

    It is one of `ways` ways.
    """

    iteration: int
    step: str
    name: str
    ways: int
    texts: Callable[[], tuple[str, str]]
    """What the algorithm chooses, and what the groups have."""

    def told(self, more: int) -> Divergence:
        """Return the divergence as reported.

        The run has `more` more departures.
        """
        right, claimed = self.texts()
        also = f" (and {more} more such choice{'s' * (more > 1)})" if more else ""
        return Divergence(self.iteration, self.step, right, f"{claimed}{also}")


class _Guide(Script):
    """The tie-breaker of a guided replay."""

    def __init__(
        self,
        script: Sequence[int],
        finished: Collection[Hashable],
        memory: MemoisedSpace | None,
        named: Mapping[str, OpenChoice],
        claim: ClaimedGroups,
        search: _Search,
        rules: _Rules | None,
        free: Collection[str] = (),
        work: Work | None = None,
        habit: str = "",
    ) -> None:
        super().__init__(script, finished, memory)
        self._free = free
        self._work = work
        self.habit = habit
        self.departures: list[Departure] = []
        self.made: Counter[str] = Counter()
        self._strayed: dict[str, object] = {}
        self._near: tuple[Record, Nearest[Record]] | None = None
        self._rule = rules[0] if rules else None
        self._rule_of_centroids = rules[1] if rules else None
        self.slack = Fraction(0)
        self.ties = 0
        self._choices = 0
        self._iteration = 0
        self._ties = named
        self._claim = claim
        self._search = search
        self._step = "", "before the first choice"
        self._chosen: list[tuple[str, TiedCandidates[Any]]] = []

    def iteration(self, remaining: Collection[Record], kept: Hashable) -> None:
        self._iteration += 1
        super().iteration(remaining, kept)

    def reached(self, state: Hashable) -> None:
        self._chosen.clear()
        super().reached((state, round(bits_of(self.departures), 6)) if self._free else state)

    def choose(self, name: str, tie: TiedCandidates[T]) -> T:
        self._enter(name)
        rule = self._rule_of_centroids if name in OF_CENTROIDS else self._rule
        if name in self._free:
            freely: T = self._anything(name, tie)
            return freely
        chosen = rule.choose(name, tie) if rule else super().choose(name, tie)
        if self._tie(name).what == "record":
            self._chosen.append((name, tie))
        if len(tie.candidates) > 1:
            self.ties += 1
            self._loosen(tie.measured.of(chosen), tie.value)
        return chosen

    def choose_nearest(
        self, name: str, near: Nearest[Record], same_group_as: Record | None
    ) -> tuple[Record, ...]:
        self._enter(name)
        fitting: Sequence[Record] = near.tied
        if same_group_as is not None:
            self._near = same_group_as, near
            label = self._claim.labels[same_group_as]
            fitting = [r for r in near.tied if self._claim.labels[r] == label]
            strange = [r for r in near.certain if self._claim.labels[r] != label]
            if strange or len(fitting) < near.places:
                measure = self._tie(name).measure
                self._diverge(partial(_nearest_witness, near, same_group_as, self._claim, measure))
        chosen = self.combination(fitting, near.places)
        if len(near.tied) > near.places:
            self.ties += 1
            values = {record: value for value, record in near.measured.pairs()}
            inside = {values[record] for record in chosen}
            outside = {values[record] for record in set(near.tied).difference(chosen)}
            farthest_in = max(map(near.measured.shown, inside), default=Fraction(0))
            self._loosen(farthest_in, min([farthest_in, *map(near.measured.shown, outside)]))
        return chosen

    def _anything(self, name: str, tie: TiedCandidates[Any]) -> Any:
        """Return any measured item, the candidates first; note a departure."""
        right = set(tie.candidates)
        others = [item for item in tie.raw_of_all() if item not in right]
        what, measure = self._tie(name).what, self._tie(name).measure
        if what == "record":
            labels = self._claim.labels
            classes = {labels[record] for record in right}
            others.sort(key=lambda record: labels[record] not in classes)
        options = [*tie.candidates, *others]
        if self.habit:
            pairs = _by_habit(self.habit, tie.measured.pairs(tie.without), tie.best)
            options = [item for value, item in pairs if value == pairs[0][0]]
        chosen = options[self.branch(len(options))]

        if chosen not in right:
            shown = [*tie.candidates[:12], chosen]
            values = [tie.measured.of(item) for item in shown]  # now: what is measured can change

            def texts() -> tuple[str, str]:
                *ones, other = [
                    f"{what} {item} at {measure} {number_text(value)}"
                    for item, value in zip(shown, values, strict=True)
                ]
                right_ones = " or ".join(ones) + " or ..." * (len(tie.candidates) > 12)
                claimed = f"the groups follow from another choice, {other}"
                return f"{name} is {right_ones}", claimed

            again = what == "group" and self._strayed.get(name) == chosen
            self._strayed[name] = chosen
            self._depart(name, 2 if again else len(options), texts)
        return chosen

    def claimed_neighbours(
        self, name: str, near: Nearest[Record], seed: Record
    ) -> tuple[Record, ...]:
        """Return the nearest claimed members of a seed's group.

        A departure is noted.
        """
        self._enter(name)
        label, size = self._claim.labels[seed], len(near.certain) + near.places
        pairs = sorted(near.measured.pairs(near.without))
        fitting = [pair for pair in pairs if self._claim.labels[pair[1]] == label]
        if len(fitting) < size:
            raise Pruned

        def texts() -> tuple[str, str]:
            return _nearest_witness(near, seed, self._claim, self._tie(name).measure)

        if size and fitting[size - 1][0] > near.measured.tolerance.greatest_tied(near.boundary):
            self._depart(name, comb(len(pairs), size), texts)
        return tuple([record for _, record in fitting[:size]])

    def near_by_habit(self, name: str, near: Nearest[Record]) -> tuple[Record, ...]:
        """Return neighbours chosen by a habit; note a departure."""
        name, place = (SIZE, self._tie(name).place) if self.habit in COUNTED else (name, "")
        self._enter(name, place)
        pairs = near.measured.pairs(near.without)
        right = len(near.certain) + near.places
        size = max(0, right + COUNTED.get(self.habit, 0))
        ordered = _by_habit(self.habit, pairs, min(pairs)[0] if pairs else 0)
        taken = tuple([record for _, record in ordered[:size]])
        if len(taken) != size:
            raise Pruned
        told = "the nearest records are chosen", "the groups follow from other records"
        if size != right:
            told = f"a group has {right + 1} records", f"this one has {size + 1}"
        if size != right or not set(near.certain) <= set(taken) <= {*near.certain, *near.tied}:
            self._depart(name, 2, lambda: told)
        return taken

    def claimed_size(
        self, name: str, near: Nearest[Record], seed: Record
    ) -> tuple[Record, ...] | None:
        """Return the claimed group of a seed, if of another size.

        It has to be of the records nearest to the seed.

        None if it has as many as it must have.
        """
        self._enter(SIZE, self._tie(name).place)
        pairs = sorted(near.measured.pairs(near.without))
        label, size = self._claim.labels[seed], len(near.certain) + near.places
        members = [r for _, r in pairs if self._claim.labels[r] == label and r != seed]
        if len(members) == size:
            return None
        nearest = {r for _, r in [pair for pair in pairs if pair[1] != seed][: len(members)]}
        bound = max((value for value, r in pairs if r in nearest), default=0)
        most = near.measured.tolerance.greatest_tied(bound)
        if any(value > most for value, r in pairs if r in members):
            raise Pruned

        def texts() -> tuple[str, str]:
            return f"a group has {size + 1} records", f"this one has {len(members) + 1}"

        self._depart(SIZE, max(2, len(pairs)), texts)
        return tuple(members)

    def any_value(self, name: str, value: T, others: Sequence[T], beside: Sequence[T]) -> T:
        """Return the fixed value, or one of the others.

        The source fixes the first. A departure is noted.
        """
        if name == ORDER and self._claim.exact:
            order: T = self._claimed_order(value)
            return order
        self._enter(name)
        options = list(dict.fromkeys([value, *others])) if others else [value]
        if self.habit:
            chosen: T = _value_by_habit(self.habit, options, beside)
        else:
            chosen = options[self.branch(len(options))] if len(options) > 1 else value

        def texts() -> tuple[str, str]:
            what = self._tie(name).meaning
            return f"{what}: {_word(value)}", f"the groups follow from {_word(chosen)}"

        if chosen != value:
            self._depart(name, _ways(chosen, options), texts)
        return chosen

    def _claimed_order(self, values: Any) -> Any:
        """Return record places in an order that gives the claimed groups.

        A departure is noted.

        The group of another number of records than most is the last.
        """
        self._enter(ORDER)
        sizes = Counter(map(len, self._claim.classes))
        [(usual, most)] = sizes.most_common(1)

        def place(group: Group) -> tuple[bool, Any]:
            return len(group) != usual, min(values[record] for record in group)

        ordered = enumerate(sorted(self._claim.classes, key=place))
        places = {record: at for at, group in ordered for record in group}
        ways = factorial(len(places)) // factorial(most)
        for size, count in sizes.items():
            ways //= factorial(size) ** count
        told = "the order of their values", "the groups follow from another order"
        self._depart(ORDER, ways, lambda: told)
        return [places[record] for record in range(len(places))]

    def stay_apart(self, first: Collection[Record], second: Collection[Record]) -> None:
        """Give up the run if a claimed group crosses sides.

        It has records on both sides.
        """
        if self._claim.exact:
            labels = self._claim.labels
            if not {labels[r] for r in first}.isdisjoint(labels[r] for r in second):
                raise Pruned

    def _any_answer(self, name: str, test: Comparison) -> bool:
        """Return either answer, the right one first; note a departure."""
        right = test.answers[0]
        if self.habit:
            answer: bool = _value_by_habit(self.habit, (right, not right), ())
        else:
            answer = right is not bool(self.branch(2))

        def texts() -> tuple[str, str]:
            less = f"{number_text(test.left)} < {number_text(test.right)}"
            return f"{name}: {less} is {not answer}", f"the groups follow from {answer}"

        if answer not in test.answers:
            self._depart(name, 2, texts)
        return answer

    def _depart(self, name: str, ways: int, texts: Callable[[], tuple[str, str]]) -> None:
        self.departures.append(Departure(self._iteration, self._last, name, ways, texts))
        if self._work and bits_of(self.departures) >= self._work.bits:
            raise Pruned

    def combination(self, items: Sequence[T], m: int) -> tuple[T, ...]:
        return tuple(self._rule.pick(m, items)) if self._rule else super().combination(items, m)

    def decide(self, name: str, comparison: Comparison) -> bool:
        self._enter(name)
        if name in self._free:
            return self._any_answer(name, comparison)
        answer = comparison.answers[0] if self._rule else super().decide(name, comparison)
        self.ties += len(comparison.answers) > 1
        if answer != comparison.answers[0]:
            self._loosen(comparison.left, comparison.right)
        return answer

    def together(self, records: Sequence[Record]) -> None:
        if not self._claim.joins(records):
            before = tuple(sorted(records[:-1]))
            grown = len(before) > 0 and self.formed.get(before[0]) == before
            self._diverge(partial(self._claimed, records, "share a group"), grown)
        super().together(records)

    def closed(self, records: Sequence[Record]) -> None:
        group = tuple(records)
        if self._claim.accepts(group):
            super().together(group)
            return
        self.together(group)
        if "loop" not in self._free:  # else groups are closed that get others that are left
            self._diverge(partial(self._claimed, group, "are a whole group"), whole=group)

    def _too_large(self, records: Sequence[Record]) -> bool:
        """Return True if the claimed group of these records is larger.

        It has to be of the records nearest to the last seed.
        """
        if self._near is None or self._near[0] not in records:
            return False
        seed, near = self._near
        claimed = set(self._claim.class_of(seed)) - {seed}
        pairs = [pair for pair in near.measured.pairs(near.without) if pair[1] != seed]
        nearest = sorted(pairs)[: len(claimed)]
        return len(claimed) >= len(records) and claimed == {record for _, record in nearest}

    def _enter(self, name: str, place: str = "") -> None:
        if self._work:
            self._work.spend()
            self._work.met.add(name)
        self._choices += 1
        self.made[name] += 1
        self._step = name, place

    @property
    def _last(self) -> str:
        """Return the last choice and its place, for a reader."""
        tie, place = self._tie(self._step[0]), self._step[1]
        return f"{place or tie.place}: {tie.name}, {tie.meaning}" if tie.name else place

    def _tie(self, name: str) -> OpenChoice:
        """Return the choice of this name.

        An algorithm from elsewhere may declare none.
        """
        return self._ties.get(name) or OpenChoice(name, "not stated", name)

    def _claimed(self, records: Sequence[Record], what: str) -> tuple[str, str]:
        """Return what these records are, and their claimed groups."""
        groups = sorted({self._claim.class_of(record) for record in records})
        claimed = "; ".join(f"{_named(group)} share a group" for group in groups)
        return f"{_named(records)} {what}", claimed

    def _loosen(self, a: Number, b: Number) -> None:
        """Note that a and b were treated as equal."""
        if a != b:
            size = max(abs(Fraction(a)), abs(Fraction(b)))
            self.slack = max(self.slack, abs(Fraction(a) - Fraction(b)) / size)

    def _diverge(
        self, texts: Callable[[], tuple[str, str]], grown: bool = False, whole: Group = ()
    ) -> None:
        """Note the divergence and end the run.

        `texts` are what the algorithm says and what is claimed, `whole` the group they are about.
        """

        def divergence() -> Divergence:
            return Divergence(
                self._iteration,
                self._last,
                *texts(),
                choices=tuple(self._choice(*one) for one in self._chosen[-MOST_CHOICES:]),
                grown=grown,
                too_large=self._too_large(whole),
            )

        self._search.note(self._choices, divergence)
        raise Pruned

    def _choice(self, name: str, tie: TiedCandidates[Any]) -> str:
        """Return the records that could be chosen, with the number that decided."""
        measure = self._tie(name).measure
        which = "one of records " if len(tie.candidates) > 1 else "record "
        shown = " ".join(map(str, tie.candidates[:12])) + " ..." * (len(tie.candidates) > 12)
        return f"{name} is {which}{shown} at {measure} {number_text(tie.value)}"


def _nearest_witness(
    near: Nearest[Record], same_group_as: Record, claim: ClaimedGroups, measure: str
) -> tuple[str, str]:
    """Return a seed's nearest records beside its group's claimed members.

    Both come with their measures.

    The seed can be one of those that are measured, where they are next in an order.
    """
    there = set(near.measured.items).difference(near.without)
    claimed = [r for r in claim.class_of(same_group_as) if r in there]
    needed = [*near.certain, *near.tied]

    def at(record: Record) -> str:
        return f"{record} at {measure} {number_text(near.measured.of(record))}"

    def others(records: Sequence[Record]) -> str:
        ordered = sorted(records, key=near.measured.of)
        return ", ".join(at(record) for record in ordered if record != same_group_as)

    seed = f"record {at(same_group_as)}" if same_group_as in there else f"record {same_group_as}"
    gone = [r for r in claim.class_of(same_group_as) if r not in there and r != same_group_as]
    has = f"record {same_group_as} is grouped with {others(claimed) or 'none of these'}"
    away = f" ({_named(gone)} being assigned already)" if gone else ""
    some = f"{near.places} of the last {len(near.tied)}" if len(near.tied) > near.places else "all"
    return f"{seed} must be grouped with {others(needed)} ({some})", f"{has}{away}"


def _word(value: object) -> str:
    """Return a settled value for a reader."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number_text(value) if isinstance(value, Fraction) else str(value)


def _named(records: Sequence[Record]) -> str:
    """Return records by number; of many, the first few."""
    ordered = sorted(records)
    shown = " ".join(map(str, ordered[:12]))
    more = f" and {len(ordered) - 12} more" if len(ordered) > 12 else ""
    return f"record{'s' if len(ordered) > 1 else ''} {shown}{more}"
