"""Conversion of given options to a checked Grouping."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from refagg.data.standardise import RANGE, SCALES, check_significant_digits, weights_by_name
from refagg.errors import InvalidK, InvalidParameter, UnsupportedArithmetic
from refagg.language.lists import check_one_of, listed
from refagg.language.random_stream import stream_of
from refagg.language.specification import Specification
from refagg.language.ties import TIE_RULES
from refagg.options import readers
from refagg.options.fields import AGGREGATES, DRAWS, MEANS, SLOPES, Z_SCORES, options_of
from refagg.options.grouping import Grouping
from refagg.spaces.series import DISTANCES

OPTIONS = options_of(Grouping, without=("algorithm", "similarity"))
"""The options of a Grouping; a similarity becomes a dissimilarity."""


def grouping_of(spec: Specification, k: int, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a Grouping, checked, from options that are given.

    Raises UnknownParameter, InvalidParameter, UnsupportedArithmetic, InvalidK.
    """
    settings = spec.settings(given.get("parameters") or {})
    arithmetic = given.get("arithmetic")
    if arithmetic is None:
        arithmetic = spec.arithmetics(settings)[0]
    check_arithmetic(spec, settings, arithmetic)
    if not spec.takes_k and k != 1:
        raise InvalidK(f"k is {k}; {spec.name} forms no groups, so it can be 1 only")
    ties, seed = given.get("ties") or "lowest", given.get("seed")
    _check_draws(spec, ties, seed)
    series, times = given.get("series"), given.get("times")
    _check_series(spec, series)
    how = "none" if series else given.get("standardise") or "population"
    check_one_of(how, SCALES, "standardisation is")
    digits = given.get("significant_digits")
    if digits is not None:
        check_significant_digits(how, digits)
    return {name: given.get(name, one.default) for name, one in OPTIONS.items()} | {
        "specification": spec,
        "k": k,
        "parameters": settings,
        "standardise": how,
        "significant_digits": digits,
        "arithmetic": arithmetic,
        "ties": ties,
        "seed": seed,
        "trace": bool(given.get("trace")),
        "series": series,
        "times": None if times is None else _times(times),
        "dissimilarity": "oss" if (measure := given.get("dissimilarity")) is None else measure,
        "weights": {} if given.get("weights") is None else _weights(given["weights"]),
    }


def unmet_by_grouping(spec: Specification, given: Mapping[str, object]) -> dict[str, str]:
    """Return what is not there for options, each with the reason."""
    unmet = unmet_of(spec)
    how = "none" if given.get("series") else given.get("standardise")
    if how in ("none", RANGE):
        unmet[Z_SCORES] = "series have none" if given.get("series") else f"standardise is {how}"
    if not spec.random and given.get("ties") != "random":
        unmet[DRAWS] = f"{spec.name} draws nothing, and ties are not random"
    if given.get("series") != "sts":
        unmet[SLOPES] = f"series is {given.get('series')}"
    return unmet


def unmet_of(spec: Specification) -> dict[str, str]:
    """Return the unmet conditions of options for an algorithm.

    Each has its reason.
    """
    if spec.yields == "centres":
        return {AGGREGATES: f"{spec.name} releases centres"}
    if not spec.takes_k:
        return dict.fromkeys((AGGREGATES, MEANS), f"{spec.name} forms no groups")
    if spec.publish:
        return dict.fromkeys((AGGREGATES, MEANS), f"{spec.name} publishes values of its own")
    return {}


def _check_draws(spec: Specification, ties: str, seed: int | None) -> None:
    """Raise InvalidParameter for an unknown tie rule or invalid seed.

    A seed is invalid if it is missing but needed, or is not an integer.
    """
    check_one_of(ties, TIE_RULES, "the rule for ties is")
    if seed is None and (ties == "random" or spec.random):
        who = spec.name if spec.random else "a random choice among ties"
        raise InvalidParameter(f"{who} draws from the random stream of a seed; give a seed")
    stream_of(seed)  # raises InvalidParameter


def _weights(given: object) -> dict[str, Fraction]:
    """The weights of attributes, exact. Raises InvalidParameter."""
    named = weights_by_name(given).items()
    return {name: readers.exact(weight, f"the weight of {name!r}") for name, weight in named}


def _times(given: object) -> tuple[Fraction, ...]:
    """The times of series. Raises InvalidParameter."""
    expected = "give a list with the time of each point"
    return tuple(readers.exact(time, "a time") for time in listed(given, "times are", expected))


def _check_series(spec: Specification, series: str | None) -> None:
    """Raise InvalidParameter for an unknown or unusable distance of series.

    It is unusable if the algorithm cannot work with it.
    """
    if series is not None:
        check_one_of(series, DISTANCES, "series is")
    if series == "sts" and spec.yields != "partition":
        raise InvalidParameter(
            f"{spec.name} yields {spec.yields}; the distance sts of series is for groups"
        )


def check_arithmetic(spec: Specification, settings: Mapping[str, object], arithmetic: str) -> None:
    """Raise UnsupportedArithmetic unless the algorithm can be run in it.

    That depends on these settings.
    """
    possible = spec.arithmetics(settings)
    if arithmetic in possible:
        return
    reason = spec.irrational(**settings) if arithmetic in spec.arithmetic else ""
    raise UnsupportedArithmetic(
        f"arithmetic is {arithmetic!r}; {spec.name} can be run in {', '.join(possible)}"
        + (f" with these parameters: {reason}" if reason else "")
    )
