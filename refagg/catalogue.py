"""The catalogue: every algorithm of the library, by name.

A module of `refagg.algorithms` that holds a `Specification` is in the catalogue; nothing else lists
it. The command line, the functions, the property tests, the judges and the hunt take their lists of
algorithms from here.

An algorithm from elsewhere is known by an entry point of the group `refagg.algorithms`, whose name
is the algorithm's, or it is named as "module:name" where an algorithm is asked for. What is named
is a `Specification`, or the function of an algorithm, `(cursor, k)` or `(space, k, choices)`, of
which nothing more is known.
"""

from __future__ import annotations

import copyreg
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from types import MappingProxyType
from typing import Any

import refagg.algorithms as algorithms
from refagg.cursors.remaining import on_cursor
from refagg.errors import InvalidParameter, UnknownAlgorithm
from refagg.language.importing import object_named
from refagg.language.lists import nearest, question_for
from refagg.language.specification import Algorithm, Specification

ENTRY_POINTS = "refagg.algorithms"
"""The group of the entry points of algorithms from elsewhere."""


def _found() -> Iterator[Specification]:
    """Return the specifications in the modules of `refagg.algorithms`."""
    for module in walk_packages(algorithms.__path__, f"{algorithms.__name__}."):
        for value in vars(import_module(module.name)).values():
            if isinstance(value, Specification):
                yield value


CATALOGUE: dict[str, Specification] = {
    specification.name: specification for specification in sorted(_found(), key=lambda s: s.name)
}


VARIANTS: dict[str, Specification] = {
    name: specification.variant(name)
    for specification in CATALOGUE.values()
    for name in specification.variants
}
"""Algorithms of the catalogue by names that other programs have for them."""


def specification(name: str) -> Specification:
    """The algorithm of this name. Raises UnknownAlgorithm, InvalidParameter.

    >>> import refagg
    >>> refagg.specification("mdav").guarantees
    'all groups have k records but the last, which has k to 2k-1'
    """
    if name in CATALOGUE:
        return CATALOGUE[name]
    if name in VARIANTS:
        return VARIANTS[name]
    if name in installed():
        return installed()[name]
    if ":" in name:
        return specified(object_named(name), name)
    near = meant_by(name)
    meant = question_for(near, [near])
    raise UnknownAlgorithm(f"there is no algorithm {name!r}; {meant}`refagg algorithms` lists them")


def _reduced(one: Specification) -> tuple[Any, ...]:
    """Return how a specification is pickled and copied.

    It is pickled by its name, if it is found by that.
    """
    named = one is (CATALOGUE | VARIANTS | installed()).get(one.name) or ":" in one.name
    return (specification, (one.name,)) if named else tuple(object.__reduce_ex__(one, 4))


copyreg.pickle(Specification, _reduced)


def meant_by(name: str, others: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return the algorithm that a wrong name probably means.

    It is the one whose name, title or choice of a parameter is nearest; the result is empty if none
    is. `others` are further names, with what each means.

    >>> meant_by("MDAV"), meant_by("mdvav"), meant_by("fcm"), meant_by("fuzzy c-means")
    ('mdav', 'mdav', 'fuzzy', 'fuzzy')
    """
    known = {one: one for one in (*CATALOGUE, *VARIANTS, *installed())} | dict(others)
    for spec in CATALOGUE.values():
        values = [value for one in spec.parameters for value in one.values]
        for other in (spec.title.partition(" (")[0].lower(), *values):
            known.setdefault(other, spec.name)
    wanted = name.lower().replace("_", "-")
    words = [word for word in re.split("[ -]", wanted) if word in CATALOGUE]
    near = nearest(wanted, known, 0.8) or "".join(words[:1]) or nearest(wanted, known)
    return known.get(near, "")


def algorithm_of(given: str | Specification | Callable[..., object]) -> Specification:
    """Return an algorithm's specification.

    The algorithm is given by its name, as a specification, or as a function: `refagg.mdav`, or your
    own. Raises UnknownAlgorithm, InvalidParameter.
    """
    if isinstance(given, str):
        return specification(given)
    if isinstance(given, Specification):
        return given
    if not callable(given):
        raise UnknownAlgorithm(f"an algorithm is a name or a function, not {given!r}")
    of_function = getattr(given, "specification", None)
    if isinstance(of_function, Specification):
        return of_function
    return specified(given, f"{given.__module__}:{getattr(given, '__qualname__', '')}")


@cache
def installed() -> dict[str, Specification]:
    """Return the algorithms of other installed packages.

    They are given by the names of their entry points. Raises InvalidParameter for one that cannot
    be loaded or has a name of the library's own.
    """
    from importlib.metadata import entry_points  # slow to import, and seldom needed

    found = {}
    for point in entry_points(group=ENTRY_POINTS):
        if point.name in CATALOGUE or point.name in VARIANTS:
            raise InvalidParameter(
                f"the entry point {point.name} = {point.value} has the name of an algorithm that "
                "refagg has itself"
            )
        found[point.name] = specified(object_named(point.value), point.name)
    return found


def specified(algorithm: object, name: str) -> Specification:
    """An algorithm from elsewhere, under this name. Raises InvalidParameter."""
    if isinstance(algorithm, Specification):
        return algorithm
    if not callable(algorithm):
        raise InvalidParameter(f"{name} is neither a Specification nor a function of an algorithm")
    return Specification(
        name=name,
        title=(inspect.getdoc(algorithm) or name).splitlines()[0],
        source="not stated",
        run=_run_of(algorithm, name),
        largest_group=_any_size,
        guarantees="not stated",
        ties=(),
        decisions=(),
        cost="not stated",
    )


def _any_size(k: int) -> None:
    """Say that a group can have any number of records."""


def _run_of(algorithm: Callable[..., Any], name: str) -> Algorithm:
    """The function of (space, k, choices) that a specification has."""
    try:
        parameters = inspect.signature(algorithm).parameters.values()
    except (TypeError, ValueError):  # as of many functions that are written in C
        raise InvalidParameter(f"{name} does not tell what arguments it takes") from None
    if any(p.kind not in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters):
        raise InvalidParameter(
            f"{name} has parameters of its own; they are declared in a Specification"
        )
    match len(parameters):
        case 2:
            return on_cursor(algorithm)
        case 3:
            return algorithm
    raise InvalidParameter(
        f"{name} takes {len(parameters)} arguments; an algorithm takes (cursor, k), "
        "or (space, k, choices)"
    )
