"""Parameters and what is known about an algorithm, by an algorithm that does nothing."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from refagg.errors import InvalidParameter, UnknownColumn, UnknownParameter
from refagg.language.specification import (
    OpenChoice,
    Parameter,
    Specification,
    attribute,
    choice,
    integer,
    non_negative,
    of_each,
    parameters_of,
    positive,
    proportion,
)

HALF = Fraction(1, 2)


def by_kind() -> dict[str, Parameter]:
    """A parameter of each kind."""
    return {
        "choice": choice("side", ("low", "high"), "which side"),
        "integer": integer("rounds", 5, 2, "how many rounds"),
        "attribute": attribute("by", "the attribute to sort by", stated=True),
        "positive": positive("gamma", HALF, "a factor"),
        "proportion": proportion("rate", HALF, "a rate"),
        "non-negative": non_negative("noise", HALF, "an amount"),
        "ends": of_each("end", HALF, "where to begin"),
        "widths": of_each("width", HALF, "how wide", positive=True),
    }


BY_KIND = by_kind()


def made(*parameters: Parameter, **others: Any) -> Specification:
    """An algorithm that nobody runs."""
    fixed: dict[str, Any] = {"name": "idle", "title": "Does nothing", "source": "this test"}
    fixed |= {"run": print, "guarantees": "none", "ties": (), "decisions": (), "cost": "O(1)"}
    return Specification(**fixed, parameters=parameters, **others)


ALL = made(*BY_KIND.values())


@pytest.mark.parametrize(
    ("kind", "default", "allowed"),
    [
        ("choice", "low", "low, high"),
        ("integer", 5, "an integer of at least 2"),
        ("attribute", 0, "an attribute: its name, or its number, counted from 0"),
        ("positive", HALF, "a number greater than 0"),
        ("proportion", HALF, "a number from 0 to 1"),
        ("non-negative", HALF, "a number of at least 0"),
        ("ends", HALF, "a number, or one for each attribute: 0,-10"),
        ("widths", HALF, "a number greater than 0, or one for each attribute: 5,20"),
    ],
)
def test_a_parameter_says_what_it_is(kind: str, default: object, allowed: str) -> None:
    parameter = by_kind()[kind]
    assert (parameter.kind, parameter.default, parameter.allowed) == (kind, default, allowed)
    assert parameter.stated == (kind == "attribute")
    assert parameter.whole == (kind in ("integer", "attribute"))


@pytest.mark.parametrize(
    ("kind", "given", "value"),
    [
        ("choice", "high", "high"),
        ("integer", "2", 2),
        ("integer", 7, 7),
        ("attribute", 0, 0),
        ("positive", "0.001", Fraction(1, 1000)),
        ("proportion", 0, 0),
        ("proportion", "1", 1),
        ("proportion", 0.3, Fraction(3, 10)),
        ("non-negative", 0, 0),
        ("non-negative", "5/2", Fraction(5, 2)),
        ("ends", "-10", -10),
        ("ends", "0,-10", (0, -10)),
        ("ends", [1, "1/2"], (1, HALF)),
        ("widths", 3, 3),
        ("widths", "5,20", (5, 20)),
    ],
)
def test_what_a_parameter_can_be(kind: str, given: object, value: object) -> None:
    read = BY_KIND[kind].read(given)
    assert read == value
    assert type(read) is (int if kind in ("integer", "attribute") else type(read))


class Unclear:
    """A value of which it is not known whether it is another one, as of missing cells."""

    def __eq__(self, other: object) -> Any:
        return self

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise TypeError


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        ("choice", "middle"),
        ("choice", 1),
        ("choice", Unclear()),
        ("integer", 1),
        ("integer", "2.5"),
        ("integer", None),
        ("integer", "many"),
        ("attribute", -1),
        ("attribute", "0.5"),
        ("positive", 0),
        ("positive", "-1"),
        ("proportion", "-0.1"),
        ("proportion", "1.1"),
        ("non-negative", "-1/9"),
        ("non-negative", "inf"),
        ("ends", "low"),
        ("ends", "1,low"),
        ("widths", 0),
        ("widths", "5,0"),
    ],
)
def test_what_a_parameter_cannot_be(kind: str, given: object) -> None:
    parameter = BY_KIND[kind]
    with pytest.raises(InvalidParameter, match=f"^{parameter.name} is .*; it (must|can) be "):
        parameter.read(given)


def test_a_number_that_is_too_long_is_not_read() -> None:
    with pytest.raises(InvalidParameter, match=r"^gamma: .* power of ten beyond 1000"):
        BY_KIND["positive"].read("1e999999999")


@pytest.mark.parametrize(
    ("step", "place"),
    [
        ("3", "step 3"),
        ("2 and 4", "steps 2 and 4"),
        ("centroid", "centroid"),
        ("", ""),
        ("3a", "step 3a"),
    ],
)
def test_the_place_of_a_choice(step: str, place: str) -> None:
    assert OpenChoice("c", step, "a choice").place == place


def test_what_an_algorithm_is_when_nothing_is_said() -> None:
    assert repr(made()) == "<Specification idle: Does nothing>"
    assert [made().largest_group(k) for k in (1, 2, 5)] == [1, 3, 9]
    assert made().smallest_group(5) == 5
    assert made().inapplicable() == made().enough() == made().irrational() == ""
    assert made().takes_k
    assert not made(yields="deviations").takes_k


def test_settings_are_what_is_given_and_the_defaults() -> None:
    some = made(BY_KIND["choice"], BY_KIND["integer"])
    assert some.settings({"rounds": "9"}) == {"side": "low", "rounds": 9}
    assert made().settings({}) == {}


def test_unknown_parameters_are_refused() -> None:
    with pytest.raises(UnknownParameter, match=r"no parameter 'size'; did you mean side\? its"):
        made(BY_KIND["choice"]).settings({"size": 1})
    with pytest.raises(UnknownParameter, match=r"no parameter 'size'; its parameters are none"):
        made().settings({"size": 1})


def test_values_that_cannot_be_combined_are_refused() -> None:
    def high_is_not_ready(side: str) -> str:
        return "the high side is not ready" if side == "high" else ""

    some = made(BY_KIND["choice"], inapplicable=high_is_not_ready)
    assert some.settings({"side": "low"}) == {"side": "low"}
    with pytest.raises(InvalidParameter, match="idle: the high side is not ready"):
        some.settings({"side": "high"})


# Attributes, by name and by number


@pytest.mark.parametrize(
    ("given", "numbers"),
    [
        ({"by": "b"}, {"by": 1}),
        ({"by": 1}, {"by": 1}),
        ({"by": " 1 "}, {"by": " 1 "}),
        ({"by": None}, {}),
        ({"side": None}, {"side": None}),
        ({"rounds": "a"}, {"rounds": "a"}),
        ({"end": {"b": 2, "a": 1}}, {"end": (1, 2)}),
        ({"end": "1,2"}, {"end": "1,2"}),
        ({"width": 3}, {"width": 3}),
    ],
)
def test_attributes_that_are_named_are_numbered(
    given: Mapping[str, Any], numbers: Mapping[str, Any]
) -> None:
    assert ALL.numbered(given, ["a", "b"]) == numbers


@pytest.mark.parametrize("given", [{"by": "c"}, {"by": "-1"}, {"end": {"a": 1}}])
def test_attributes_that_are_not_there(given: Mapping[str, Any]) -> None:
    with pytest.raises(UnknownColumn, match=r"^(by is|end has no value for b)"):
        ALL.numbered(given, ["a", "b"])


def test_a_value_for_each_attribute_is_one_for_each() -> None:
    with pytest.raises(InvalidParameter, match="end has 3 values, and there are 2 attributes"):
        ALL.numbered({"end": "1,2,3"}, ["a", "b"])


def test_what_must_be_stated_is_asked_for_where_there_is_a_choice() -> None:
    assert ALL.first_attributes() == {"by": "0"}
    assert ALL.stated({}, ["a"]) == {}
    assert ALL.stated({"by": "a"}, ["a", "b"]) == {"by": 0}
    with pytest.raises(InvalidParameter, match="idle: by is not given; name one of a, b"):
        ALL.stated({"rounds": 3}, ["a", "b"])


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"by": "1"}, {"by": "b"}),
        ({"by": 0, "rounds": 1}, {"by": "a", "rounds": 1}),
        ({"by": 2}, {"by": 2}),
        ({"by": 0, "end": "1,2"}, {"by": "a", "end": {"a": "1", "b": "2"}}),
        ({"by": 0, "width": 3}, {"by": "a", "width": 3}),
    ],
)
def test_attributes_that_are_numbered_are_named(
    given: Mapping[str, Any], named: Mapping[str, Any]
) -> None:
    assert ALL.named(given, ["a", "b"]) == named


def test_the_names_of_parameters_about_attributes() -> None:
    assert ALL.of_attributes == ["by"]
    assert ALL.of_each == {"end", "width"}


# Variants, protocols, arithmetics


def test_a_variant_has_other_defaults() -> None:
    three = choice("side", ("low", "middle", "high"), "which side")
    some = made(three, BY_KIND["integer"], variants={"idle-high": {"side": "high"}})
    side, rounds = some.variant("idle-high").parameters
    assert (side.default, side.values) == ("high", ("high", "low", "middle"))
    assert (rounds.default, rounds.values) == (5, ())


def fewer(side: str, **others: object) -> str:
    return "Dissimilarities" if side == "low" else ""


def test_what_a_space_must_offer() -> None:
    some = made(BY_KIND["choice"], enough=fewer)
    assert some.needed({"side": "low"}) == "Dissimilarities"
    assert some.needed({"side": "high"}) == "Centroids"


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ({"enough": fewer}, "side low"),
        ({"needs": "Dissimilarities"}, ""),
        ({}, ""),
        ({"enough": fewer, "inapplicable": lambda side, end: "no" * (side == "low")}, ""),
        ({"enough": fewer, "irrational": lambda side, end: "no" * (side == "low")}, ""),
    ],
)
def test_with_what_no_averages_are_needed(others: Mapping[str, Any], said: str) -> None:
    assert made(BY_KIND["choice"], BY_KIND["ends"], **others).without_averages() == said


def test_several_values_with_which_no_averages_are_needed() -> None:
    three = choice("side", ("low", "middle", "high"), "which side")
    some = made(three, enough=lambda side: "" if side == "middle" else "Dissimilarities")
    assert some.without_averages() == "side low or high"


def test_irrational_settings_have_no_exact_arithmetic() -> None:
    some = made(BY_KIND["choice"], irrational=lambda side: "roots" if side == "high" else "")
    assert some.arithmetics({"side": "low"}) == ("exact", "float")
    assert some.arithmetics({"side": "high"}) == ("float",)


# Parameters as they are given


def test_parameters_come_by_name() -> None:
    assert parameters_of(None) == {}
    assert parameters_of({"a": 1}) == {"a": 1}
    with pytest.raises(InvalidParameter, match="give each with its name, as a dict"):
        parameters_of([("a", 1)])
