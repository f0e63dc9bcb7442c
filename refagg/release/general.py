"""Releases of frames: microaggregation of records whose attributes are of any declared kind.

Groups are formed in the space that fits the kinds (`space_for`). Each attribute of a group is
then replaced by one value: a number by their mean or median, an ordinal category by a median, a
nominal one by a mode, a sequence by a prototype. What is lost is the dissimilarity within groups:

    for each group, the sum of the dissimilarities of its pairs, divided by its size.

For squared Euclidean distances this is the SSE. As a share of the same for the whole file as
one group it is the information loss.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from refagg.catalogue import algorithm_of
from refagg.data.aggregate_kinds import JOINT_AGGREGATES, KIND_AGGREGATES
from refagg.data.frames import Attribute, Events, Frame, Value
from refagg.errors import InvalidParameter, NoCentroid, UnsupportedArithmetic
from refagg.language.numerals import as_json
from refagg.language.partition import Group, Partition, Record, check_k
from refagg.language.run import Event, Run
from refagg.language.space import Dissimilarities
from refagg.language.specification import Specification
from refagg.language.tape import Tape, tape_of
from refagg.language.ties import HouseRule
from refagg.release.facts import loss_json
from refagg.release.measures import check_same_shape
from refagg.spaces.dissimilarities.dissimilarity import weighted
from refagg.spaces.dissimilarities.prototypes import PROTOTYPES
from refagg.spaces.dissimilarities.similarities import dissimilarity as named
from refagg.spaces.encoded import checked_weights
from refagg.spaces.mixed import MixedSpace
from refagg.spaces.sequences import sequence_space

DEFAULTS = {"numeric": "mean", "ordinal": "median", "nominal": "joint-mode", "sequence": "medoid"}
"""How a group's values become one, kind by kind, unless something else is asked for. No combination
of nominal categories is released that no record of the group has.
"""


@dataclass(frozen=True, slots=True)
class Protection:
    """Everything that says how a frame is released, checked and complete."""

    specification: Specification
    k: int
    parameters: dict[str, Any]
    dissimilarity: str
    weights: dict[str, Fraction]
    aggregates: dict[str, str]
    house_rule: HouseRule
    seed: int | None
    trace: bool

    def tape(self) -> Tape:
        """The tape of the seed, or an empty one."""
        return tape_of(self.seed)

    def space(self, frame: Frame, tolerance: Fraction = Fraction(0)) -> Dissimilarities:
        """The space in which a frame is grouped.

        Raises NoCentroid where the algorithm needs averages and there are sequences.
        """
        names = [a.name for a in frame.attributes if a.kind.name == "sequence"]
        if names and self.specification.needed(self.parameters) != "Dissimilarities":
            raise NoCentroid(
                f"{self.specification.name} needs averages, but {names[0]!r} holds sequences, "
                "which have none"
            )
        return space_for(frame, self.dissimilarity, self.weights, tolerance)

    def run(self, space: Dissimilarities, run: Run) -> Partition:
        """One run in a space, which draws from the beginning of its tape.

        It also makes the choices that the centroids of mixed records leave open.
        """
        run.tape = self.tape()
        of_run = space.choosing(run) if isinstance(space, MixedSpace) else space
        partition: Partition = self.specification.run(of_run, self.k, run, **self.parameters)
        return partition


@dataclass(frozen=True, slots=True)
class FrameRelease:
    """A released frame, with what it was made from and what was lost."""

    protection: Protection
    original: Frame
    released: Frame
    partition: Partition
    within: Fraction
    total: Fraction
    ties: int
    trace: tuple[Event, ...]

    def report(self) -> dict[str, Any]:
        """The release in numbers, ready for JSON; records are numbered from 0."""
        how = self.protection
        return {
            "algorithm": how.specification.name,
            "source": how.specification.source,
            "k": how.k,
            "parameters": {name: str(value) for name, value in how.parameters.items()},
            "kinds": {a.name: a.kind.name for a in self.original.attributes},
            "dissimilarity": how.dissimilarity,
            "weights": {name: str(value) for name, value in how.weights.items()},
            "aggregates": dict(how.aggregates),
            "seed": how.seed,
            "records": self.original.n,
            "groups": [list(group) for group in self.partition.groups],
            "sizes": {str(s): c for s, c in self.partition.sizes().items()},
            "ties_met": self.ties,
            "k_reached": frame_classes(self.released).smallest(),
            "within_dissimilarity": as_json(self.within),
            "whole_dissimilarity": as_json(self.total),
            "information_loss_percent": loss_json(self.within, self.total),
        }


def protection_of(
    algorithm: str | Specification | Callable[..., Any],
    k: int,
    house_rule: HouseRule,
    *,
    dissimilarity: str = "oss",
    weights: Mapping[str, Fraction] | None = None,
    aggregates: Mapping[str, str] | None = None,
    seed: int | None = None,
    trace: bool = False,
    parameters: Mapping[str, Any] | None = None,
) -> Protection:
    """A checked way to release a frame. `aggregates` names operators by kind; see DEFAULTS.

    Raises UnknownAlgorithm, UnknownParameter, InvalidParameter, UnsupportedArithmetic.
    """
    spec = algorithm_of(algorithm)
    settings = spec.settings(parameters or {})
    if spec.needed(settings) not in ("Dissimilarities", "Centroids") or spec.yields != "partition":
        raise UnsupportedArithmetic(
            f"{spec.name} works on numbers only: it needs more than dissimilarities and averages"
        )
    if "exact" not in spec.arithmetics(settings):
        raise UnsupportedArithmetic(f"{spec.name} works on numbers only, in binary64")
    if spec.random and seed is None:
        raise InvalidParameter(f"{spec.name} draws from the tape of a seed; give a seed")
    chosen = _aggregates(aggregates or {})
    return Protection(
        spec, k, settings, dissimilarity, dict(weights or {}), chosen, house_rule, seed, trace
    )


def _aggregates(given: Mapping[str, str]) -> dict[str, str]:
    known = {kind: tuple(KIND_AGGREGATES[kind]) for kind in ("numeric", "ordinal", "nominal")}
    known["nominal"] += tuple(JOINT_AGGREGATES)
    known["sequence"] = tuple(PROTOTYPES)
    for kind, name in given.items():
        if kind not in known:
            raise InvalidParameter(f"there is no kind {kind!r}; there are {', '.join(known)}")
        if name not in known[kind]:
            raise InvalidParameter(
                f"a {kind} attribute cannot be aggregated by {name!r}; "
                f"there are {', '.join(known[kind])}"
            )
    return DEFAULTS | dict(given)


def space_for(
    frame: Frame,
    dissimilarity: str,
    weights: Mapping[str, Fraction],
    tolerance: Fraction = Fraction(0),
) -> Dissimilarities:
    """The space of a frame: of sequences where it has one attribute and that is one, else mixed.

    The weight of sequences by themselves is a factor of their dissimilarity. Raises
    InvalidParameter.
    """
    [*others, last] = frame.attributes
    if last.kind.name == "sequence" and not others:
        weight = checked_weights(frame, weights)[last.name]
        values: list[Events] = [tuple(value) for value in last.values]  # type: ignore[arg-type]
        return sequence_space(values, weighted(named(dissimilarity), weight), tolerance)
    return MixedSpace(frame, dict(weights), dissimilarity, tolerance)


def protected(frame: Frame, how: Protection) -> FrameRelease:
    """The release of a frame. Raises InvalidK, KTooLarge, NoCentroid, InvalidParameter."""
    check_k(how.k, frame.n)
    space = how.space(frame)
    run = Run(how.house_rule, trace=[] if how.trace else None)
    partition = how.run(space, run)
    released = aggregated_frame(frame, partition, how)
    return FrameRelease(
        how,
        frame,
        released,
        partition,
        within_dissimilarity(space, partition.groups),
        within_dissimilarity(space, [tuple(range(frame.n))]),
        run.ties,
        tuple(run.trace or ()),
    )


def within_dissimilarity(space: Dissimilarities, groups: Sequence[Group]) -> Fraction:
    """The sum, over groups, of the dissimilarities of their pairs divided by their sizes."""
    total = Fraction(0)
    for group in groups:
        pairs = sum(
            sum(space.raw(record, group[position + 1 :])) for position, record in enumerate(group)
        )
        total += Fraction(space.shown(pairs)) / len(group)
    return total


def pair_cost(matrix: Sequence[Sequence[Fraction]]) -> Any:
    """The same for one group of record numbers, as the cost that `oracle.optima` takes."""

    def cost(group: Sequence[int]) -> Fraction:
        pairs = sum((matrix[a][b] for a, b in combinations(group, 2)), Fraction(0))
        return pairs / len(group)

    return cost


def aggregated_frame(frame: Frame, partition: Partition, how: Protection) -> Frame:
    """The frame in which every record has its group's aggregates."""
    columns: list[list[Value]] = [list(a.values) for a in frame.attributes]
    for group in partition.groups:
        values = [choices[0] for choices in admissible_values(frame, group, how)]
        for column, value in zip(columns, values, strict=True):
            for record in group:
                column[record] = value
    return Frame(
        tuple(
            Attribute(a.name, a.kind, tuple(column))
            for a, column in zip(frame.attributes, columns, strict=True)
        )
    )


def admissible_values(frame: Frame, group: Group, how: Protection) -> list[tuple[Value, ...]]:
    """For each attribute the values that a group may be released with; the first is the house's.

    Nominal attributes that are aggregated together have the values of `admissible_combinations`.
    """
    nominal = [a.name for a in frame.attributes if a.kind.name == "nominal"]
    combinations = admissible_combinations(frame, group, how)
    together = dict(zip(nominal, zip(*combinations, strict=True), strict=False))
    found: list[tuple[Value, ...]] = []
    for attribute in frame.attributes:
        values = [attribute.values[record] for record in group]
        kind = attribute.kind
        if attribute.name in together:
            found.append(together[attribute.name])
        elif kind.name == "sequence":
            prototypes = PROTOTYPES[how.aggregates["sequence"]]
            events: list[Events] = [tuple(value) for value in values]  # type: ignore[arg-type]
            found.append(tuple(prototypes(events, named(how.dissimilarity))))
        else:
            combine = KIND_AGGREGATES[kind.name][how.aggregates[kind.name]]
            found.append(tuple(combine(values, kind)))
    return found


def admissible_combinations(
    frame: Frame, group: Group, how: Protection
) -> tuple[tuple[Value, ...], ...]:
    """The combinations of nominal values that a group may be released with, the house's first.

    None where the attributes are aggregated one by one.
    """
    operator = JOINT_AGGREGATES.get(how.aggregates["nominal"])
    if operator is None:
        return ()
    return operator([nominal_values(frame, record) for record in group])


def nominal_values(frame: Frame, record: Record) -> tuple[Value, ...]:
    """The combination of nominal categories that a record has."""
    return tuple(a.values[record] for a in frame.attributes if a.kind.name == "nominal")


def loss_of(
    frame: Frame, partition: Partition, dissimilarity: str, weights: Mapping[str, Fraction]
) -> tuple[Fraction, Fraction]:
    """The dissimilarity within some groups of a frame, and within the whole of it."""
    space = space_for(frame, dissimilarity, weights)
    everything = [tuple(range(frame.n))]
    return within_dissimilarity(space, partition.groups), within_dissimilarity(space, everything)


def frame_classes(released: Frame) -> Partition:
    """The partition into records with equal released rows."""
    return Partition.from_labels([released.row(record) for record in range(released.n)])


def frame_linkage(
    original: Frame, released: Frame, dissimilarity: str, weights: Mapping[str, Fraction]
) -> Fraction:
    """The expected share of records that an intruder links rightly, by least dissimilarity.

    As `refagg.release.risk.record_linkage`, for any kinds. Raises ShapeMismatch.
    """
    check_same_shape(original, released)
    classes = frame_classes(released)
    both = Frame(
        tuple(
            Attribute(a.name, a.kind, (*a.values, *(b.values[g[0]] for g in classes.groups)))
            for a, b in zip(original.attributes, released.attributes, strict=True)
        )
    )
    space = space_for(both, dissimilarity, weights)
    originals = list(range(original.n))
    right = Fraction(0)
    for number, group in enumerate(classes.groups):
        values = space.raw(original.n + number, originals)
        least = min(values)
        nearest = [
            record for record, value in zip(originals, values, strict=True) if value == least
        ]
        right += Fraction(len(set(group).intersection(nearest)), len(nearest))
    return right / original.n
