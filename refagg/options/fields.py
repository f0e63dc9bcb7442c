"""An option is a field of a frozen dataclass.

It has a name, a type, a default, a meaning, and says what it applies to.

Everything else follows by a loop over these fields: the options of commands, the keywords of public
functions (the stub `keywords.pyi`, for type checkers), the refusals and the reference page.

What options apply to, in words: "trim applies to trimmed-mean; the aggregate is median".
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from fractions import Fraction
from textwrap import fill
from typing import Any, TypeVar

from refagg.errors import InvalidParameter
from refagg.language.lists import question_for
from refagg.options.types import explaining
from refagg.terminal import watchable

Rational = int | float | Fraction | Decimal | str
"""A number: of a float, the decimal that it is printed as; a text as "1/3"."""

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Option:
    """One option, in Python and on the command line."""

    meaning: str
    default: Any = None
    name: str = ""
    """That of its field, unless it has another one."""
    type: str = ""
    """What callers may give; the type of the field, unless that is narrower."""
    flags: tuple[str, ...] = ()
    """On a command; by default its name."""
    metavar: str = ""
    choices: Collection[str] = ()
    read: Callable[[str], Any] = str
    """Read a word of a command."""
    repeated: bool = False
    """On a command it can be given several times."""
    value: Callable[[Any], Any] | None = None
    """Make the value from what was read: a word, or a list of those of a repeated option."""
    required: bool = False
    positional: bool = False
    nargs: str = ""
    const: Any = None
    """Of an argument: how many words it has, and what it is without one."""
    per: str = ""
    """Of what it has values: "attribute" by name, "block" of attributes, or "record"."""
    applies: tuple[str, ...] = ()
    """What it applies to; it is refused where one of these is not there."""

    def of(self, **changed: Any) -> Option:
        """Return the option as a command or a function shows it."""
        return replace(self, **changed)

    @property
    def flag(self) -> str:
        """The name of the option on a command."""
        return (self.flags or (f"--{self.name.replace('_', '-')}",))[-1]

    @property
    def dest(self) -> str:
        """The name of what was read of a command."""
        return self.name if self.positional else self.flag.lstrip("-").replace("-", "_")

    def is_given(self, value: object) -> bool:
        """Return True if the value is neither default, None nor empty."""
        if isinstance(value, (str, int, float)):
            return value is not False and value not in (self.default, "")
        return value is not None and not (isinstance(value, (Sequence, Mapping)) and not value)


Options = Mapping[str, Option]
"""Options by name."""


def option(meaning: str, default: Any = None, **about: Any) -> Any:
    """Declare a field to be an option.

    `about` are further attributes of `Option`.
    """
    return field(default=default, metadata={"option": Option(meaning, default, **about)})


def options_of(*tables: type, without: Collection[str] = ()) -> dict[str, Option]:
    """Return the options that are fields of these dataclasses, by name."""
    found: dict[str, Option] = {}
    for table in tables:
        for one in fields(table):
            if (known := one.metadata.get("option")) is not None:
                name = known.name or one.name
                found[name] = known.of(name=name, type=known.type or one.type)
    return {name: one for name, one in found.items() if name not in without}


def only(options: Options, *names: str) -> dict[str, Option]:
    """Return the options of these names, in this order."""
    return {name: options[name] for name in names}


def words_of(one: Option) -> str:
    """Return the name of an option as words.

    They are understood in Python and in a shell.
    """
    return one.name.replace("_", " ")


def given_options(values: Mapping[str, object], options: Options, function: str) -> dict[str, Any]:
    """Return the value of each option, the default where none is given.

    Raises TypeError for a keyword that is no option.
    """
    for name in values:
        if name not in options:
            meant = question_for(name, options)
            what = f"{function}() got an unexpected keyword argument {name!r}"
            raise TypeError(f"{what}; {meant}it takes {', '.join(options)}")
    return {name: values.get(name, one.default) for name, one in options.items()}


def values_of(read: Mapping[str, object], options: Options) -> dict[str, Any]:
    """Return the values of options from what was read of a command.

    An option that can be repeated, and is not given, has its default. Raises what making the
    values raises.
    """
    found = {
        name: one.default if read[one.dest] == [] else read[one.dest]
        for name, one in options.items()
        if one.dest in read
    }
    return {
        name: value if make is None or value == options[name].default else make(value)
        for name, value in found.items()
        for make in [options[name].value]
    }


def refuse(
    given: Mapping[str, object],
    options: Options,
    unmet: Mapping[str, str],
    shown: Callable[[Option], str] = words_of,
) -> None:
    """Raise InvalidParameter for an option that does not apply.

    `unmet` has what is not there, each with the reason; `shown` is how an option is named.
    """
    for name, value in given.items():
        if name not in options or not options[name].is_given(value):
            continue
        for need in options[name].applies:
            if need in unmet:
                raise InvalidParameter(
                    f"the option {shown(options[name])} applies to {need}; {unmet[need]}"
                )


def refuse_others(
    given: Mapping[str, object],
    options: Options,
    taken: Collection[str],
    what: str,
    shown: Callable[[Option], str] = words_of,
) -> None:
    """Raise InvalidParameter for an option that does not apply here.

    It is given and not among those taken. `what` says where only these apply.
    """
    for name, value in given.items():
        if name not in taken and name in options and options[name].is_given(value):
            raise InvalidParameter(f"the option {shown(options[name])} does not apply {what}")


PROGRESS = {
    "progress": Option(
        "show how far the work is, after two seconds: in a notebook, or on standard error",
        False,
        name="progress",
        type="bool",
    )
}
"""An option of functions only: commands always show it."""


def keywords(options: Options, progress: bool = True) -> Callable[[F], F]:
    """Give a function that takes `**options` their signature and their documentation.

    With `progress` it takes that option, too.
    """
    options = {**options, **PROGRESS} if progress else options
    types = types_of(options)

    def decorated(function: F) -> F:
        own = inspect.signature(function)
        function = explaining(function, types)
        function = watchable(function) if progress else function
        stated = [p for p in own.parameters.values() if p.kind is not p.VAR_KEYWORD]
        more = [
            inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=one.default)
            for one in options.values()
            if one.name not in own.parameters
        ]
        function.__signature__ = own.replace(parameters=[*stated, *more])  # type: ignore[attr-defined]
        function.__doc__ = inspect.cleandoc(function.__doc__ or "").replace(
            "OPTIONS", documented(options.values())
        )
        return function

    return decorated


def types_of(options: Options) -> dict[str, str]:
    """Return the types of options by name."""
    return {one.name: one.type for one in options.values()}


def documented(options: Iterable[Option]) -> str:
    """Return the options as a docstring lists them."""
    lines = []
    for one in options:
        default = "" if one.default in (None, False, ()) else f" (default {one.default})"
        meaning = fill(one.meaning, 96, initial_indent="    ", subsequent_indent="    ")
        lines += [f"{one.name} : {one.type}{default}", meaning]
    return "\n".join(lines)


AGGREGATES = "aggregates of groups"
MEANS = "means of groups"
TRIMMED = "trimmed-mean"
UNROUNDED = "z-scores that are not rounded"
UNMOVED = "means that no constraint moves"
Z_SCORES = "z-scores"
DRAWS = "random choices"
SLOPES = "the distance sts of series"
NUMBERS = "numbers"
KINDS = "attributes of declared kinds"
WHOLE = "records that have all their values"
GROUPS = "groups"
ALGORITHM = "a named algorithm"


def unmet_kinds(given: Mapping[str, object]) -> dict[str, str]:
    """Return that no kinds are declared, unless they are."""
    return {} if given.get("kinds") is not None else {KINDS: "none are declared"}
