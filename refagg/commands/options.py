"""Options that several commands share."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout, suppress
from fractions import Fraction
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

from refagg import errors
from refagg.constraints.equations import Constraint, read_constraints
from refagg.data import csvfiles
from refagg.data import missing as gaps
from refagg.data.kinds import Kind, kind_of
from refagg.data.missing import complete_records
from refagg.data.standardise import RANGE
from refagg.data.tables import Column, Table, check_columns, table_of
from refagg.data.textfiles import STANDARD, Format
from refagg.language.importing import function_named
from refagg.language.number_texts import shortened
from refagg.options import fields, readers
from refagg.options.fields import WHOLE, Option, only, options_of, refuse, values_of
from refagg.options.grouping import Grouping
from refagg.options.layout import Layout
from refagg.options.publishing import Publishing
from refagg.release.measures import check_same_shape
from refagg.spaces.absolute import GOWER
from refagg.spaces.dissimilarities.own import Own
from refagg.spaces.dissimilarities.similarities import DISSIMILARITIES
from refagg.terminal import one_line

Data = Table | csvfiles.Sheet
"""A file as functions take it."""


def add(parser: argparse._ActionsContainer, *tables: Iterable[Option]) -> None:
    """Add the options of these tables to a command."""
    for option in chain(*tables):
        words = [option.name] if option.positional else option.flags or [option.flag]
        parser.add_argument(*words, **_words_of(option))


def declare(parser: argparse.ArgumentParser, package: str, name: str) -> None:
    """Give a parser the options and the function of a subcommand."""
    command = vars(import_module(f"{package}.commands.{name}_command"))
    if "add_options" in command:
        command["add_options"](parser)
        return
    parser.usage, parser.description = command.get("USAGE"), command.get("DESCRIPTION")
    add(parser, command["COMMAND"])
    if FILES[0] in command["COMMAND"]:
        title = "attributes that are not all numbers"
        kinds = parser.add_argument_group(title, "exact; every quasi-identifier must be declared")
        add(kinds, KINDS)
    parser.set_defaults(run=command["run"])


def _words_of(option: Option) -> dict[str, Any]:
    """Return the keywords by which argparse gets an option."""
    told: dict[str, Any] = {"default": option.default, "help": option.meaning or None}
    if option.required and not option.positional:
        told["required"] = True
    if option.default is False:
        return told | {"action": "store_true"}
    if option.read is not str:
        told["type"] = option.read
    if option.choices:
        told["choices"] = tuple(option.choices)
    if option.metavar:
        told["metavar"] = option.metavar
    if option.nargs:
        told |= {"nargs": option.nargs, "const": option.const}
    if option.repeated:
        told |= {"action": "append", "default": []}
    return told


def argument(name: str, metavar: str, meaning: str = "", **about: Any) -> Option:
    """Return an argument that has no flag.

    It is a file, unless something else is read.
    """
    about = {"read": Path} | about
    return Option(meaning, name=name, metavar=metavar, positional=True, **about)


def output(name: str, metavar: str, meaning: str, *applies: str) -> Option:
    """Return an option that names a file.

    The file is written or read; `applies` is what the option applies to.
    """
    return Option(meaning, name=name, metavar=metavar, read=Path, applies=applies)


METHOD = options_of(Grouping, Publishing, Layout)
"""The options of a release."""

DELIMITER = Option(
    "delimiter of cells: a character, or tab",
    ",",
    name="delimiter",
    read=lambda text: "\t" if text in ("tab", r"\t") else text,
)

FILES = (
    METHOD["quasi_identifiers"],
    METHOD["confidential"],
    DELIMITER,
    Option("decimal mark of numbers: . or ,", ".", name="decimal", metavar="SIGN"),
    Option(
        "encoding of CSV files (default: UTF-8, or UTF-16 with a byte order mark)", name="encoding"
    ),
    Option("sheet of an Excel workbook that has several", name="sheet", metavar="NAME"),
    Option(
        "limit on the decompressed size of a compressed file, such as 500MB or 2GB "
        "(default: 100 times its size, at least 10MB)",
        name="max_decompressed",
        metavar="SIZE",
        read=lambda text: bytes_of(text),
    ),
)
"""Which columns of a file are attributes, and how it is read."""

SCALE = (METHOD["standardise"],)

CONSTRAINTS = (
    METHOD["constraints"],
    output("constraints_file", "FILE", "file of equations, one to a line", WHOLE),
)

KINDS = tuple(
    only(METHOD, "kinds", "weights", "dissimilarity", "similarity", "aggregates").values()
)
"""Attributes of other kinds than numbers."""

RUN = only(METHOD, "algorithm", "k", "arithmetic", "ties", "seed", "trace")
"""Which run of which algorithm it is."""

OF_FILES = only(METHOD, "quasi_identifiers", "confidential", "drop", "missing")

HOW_MADE = tuple(
    one
    for name, one in METHOD.items()
    if name not in (*RUN, *OF_FILES, "constraints") and one not in KINDS
)
"""All other options of a release."""

JSON = output("json", "REPORT", "write the results as JSON")

MISSING = METHOD["missing"]

EXECUTOR = Option(
    "where computations run", "local", name="executor", metavar="local|processes|dask://HOST:PORT"
)


def format_of(given: argparse.Namespace) -> Format:
    """Return the format of files, as the options say."""
    most = given.max_decompressed
    return Format(given.delimiter, given.decimal, given.encoding, given.sheet, most)


_SIZE = re.compile(r"([0-9]{1,9}(?:\.[0-9]+)?) ?(MB|GB)", re.IGNORECASE)


def bytes_of(text: str) -> int:
    """A size in bytes. Raises InvalidParameter.

    >>> bytes_of("500MB"), bytes_of("1.5 GB")
    (500000000, 1500000000)
    """
    match = _SIZE.fullmatch(text.strip())
    if not match:
        raise errors.InvalidParameter(f"the size is {shortened(text)}; give it as 500MB or 2GB")
    return int(float(match[1]) * {"MB": 10**6, "GB": 10**9}[match[2].upper()])


def given_constraints(given: argparse.Namespace) -> list[Constraint]:
    """The constraints of the options. Raises InvalidConstraintText, FileUnreadable."""
    found = readers.constraints(given.constraint)
    return found + (read_constraints(given.constraints_file) if given.constraints_file else [])


def check_no_kinds(given: argparse.Namespace) -> None:
    """Raise InvalidParameter for options that apply to declared kinds only, without any."""
    if given.kind:
        return
    for one in KINDS:
        if fields.KINDS in one.applies and one.is_given(getattr(given, one.dest)):
            raise errors.InvalidParameter(f"{one.flag} needs attributes declared by --kind")


def method_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """The shared options as `method_of` takes them. Raises InvalidParameter."""
    check_no_kinds(arguments)
    read_elsewhere = (*RUN, "constraints", "sampling_weights", "dissimilarity", "similarity")
    of_method = options_of(Grouping, Publishing, without=read_elsewhere)
    given = values_of(vars(arguments), of_method)
    if not arguments.kind:
        given = {name: value for name, value in given.items() if of_method[name] not in KINDS}
    return given | {"standardise": scale_of(arguments)}


def scale_of(given: argparse.Namespace) -> Any:
    """Return the scale of numbers.

    It is the given one, or the usual one for the declared kinds. Raises InvalidKind.
    """
    if given.standardise:
        return given.standardise
    mixed = any(kind.name != "numeric" for kind in kinds_of(given).values())
    return RANGE if mixed else "population"


def measure_of(given: argparse.Namespace) -> str | Own | None:
    """The measure of sequences that the options name. Raises InvalidParameter, FileUnreadable."""
    text, alike = given.dissimilarity or given.similarity, given.similarity is not None
    if given.dissimilarity and alike:
        raise errors.InvalidParameter(
            "--dissimilarity and --similarity are two ways to say the same"
        )
    if text is None or (text in (*DISSIMILARITIES, GOWER) and not alike):
        return None if text is None else str(text)
    if text.lower().endswith(".csv"):
        values: Any = csvfiles.read_matrix(Path(text), format_of(given))
    elif ":" in text:
        values = function_named(text)
    else:
        names = "" if alike else f"{', '.join((*DISSIMILARITIES, GOWER))}, "
        what = "similarity" if alike else "dissimilarity"
        raise errors.InvalidParameter(
            f"the {what} is {text!r}; it can be {names}module:function or a file.csv"
        )
    return Own(values, alike, f"1 - {text}" if alike else text)


def kinds_of(given: argparse.Namespace) -> dict[str, Kind]:
    """The declared kinds, by attribute. Raises InvalidKind, InvalidParameter."""
    return {name: kind_of(text) for name, text in kind_texts(given).items()}


def kind_texts(given: argparse.Namespace) -> dict[str, str]:
    """Return the declared kinds as they were written. Raises InvalidParameter."""
    return readers.kinds(getattr(given, "kind", []))


def both_data(given: argparse.Namespace) -> tuple[Data, Data, list[str]]:
    """The original and the release, and the quasi-identifiers.

    Two files for group-apart; else two tables, with drop without the records of the original that
    lack a value. Raises ProbableKey, and what reading files raises.
    """
    header = csvfiles.read_header(given.original, format_of(given))
    names = quasi_identifiers(given, header, given.original)
    original: Data
    released: Data
    if given.missing == gaps.APART:
        how = format_of(given)
        original, released = (
            csvfiles.read_sheet(given.original, how),
            csvfiles.read_sheet(given.released, how),
        )
    else:
        whole = argparse.Namespace(**{**vars(given), "missing": gaps.REJECT})
        original = table_in(given.original, names, given)
        released = table_in(given.released, names, whole)
        check_same_shape(original, released)
    check_no_key(original, released, names, given)
    return original, released, names


def input_table(given: argparse.Namespace) -> Table:
    """Read the quasi-identifiers of the input as a table; see `table_in`."""
    header = csvfiles.read_header(given.input, format_of(given))
    return table_in(given.input, quasi_identifiers(given, header, given.input), given)


def table_in(path: Path, names: Sequence[str], given: argparse.Namespace) -> Table:
    """Read some columns of a file as a table.

    Records that lack values are left out, if the policy is to drop them. A file in which all is
    numbers can be of any length.
    """
    with other_columns(given):
        if given.missing == gaps.REJECT and not given.kind:
            return csvfiles.read_table(path, names, format_of(given))
        sheet = csvfiles.read_sheet(path, format_of(given))
        check_columns(names, sheet.header, str(path))
        kinds = declared(given, sheet, names)
        if given.missing == gaps.DROP:
            kept = complete_records(sheet, names, kinds)
            line = gaps.missing_line(len(sheet.rows), gaps.DROP, [gaps.Part(kept, tuple(names))])
            print(one_line(line), file=sys.stderr, flush=True)
            sheet = sheet.take(kept)
        return table_of(sheet, names, kinds=kinds)


def declared(given: argparse.Namespace, data: Data, names: Sequence[str]) -> dict[str, str] | None:
    """Return the declared kinds of columns.

    Other columns than these are included; None if all are numbers. A table has its own. Where only
    dates are declared, all others are numbers. Raises InvalidKind for one that is not declared
    where others are.
    """
    if not given.kind:
        return None
    if isinstance(data, Table):
        return {}
    kinds = kind_texts(given)
    if not all(kind.timed for kind in kinds_of(given).values()):
        for name in names:
            if name not in kinds:
                raise errors.InvalidKind(
                    f"{data.path}: column {name!r} has no declared kind: "
                    f"add --kind {name}=..., or --confidential {name}"
                )
    return kinds


@contextmanager
def other_columns(given: argparse.Namespace) -> Iterator[None]:
    """Advise how to leave out a column without numbers.

    This is done if no columns were chosen.
    """
    try:
        yield
    except errors.NotANumber as error:
        if given.columns or given.kind or "--" in str(error):
            raise
        raise errors.NotANumber(
            f"{error}; name the columns that are masked with --columns, those that are not with "
            "--confidential, or declare what they are with --kind"
        ) from None


def check_no_key(
    original: Data, released: Data, names: Sequence[str], given: argparse.Namespace
) -> None:
    """Raise ProbableKey for a column that looks like a key.

    Such a column numbers or names the records, and was not chosen.
    """
    if given.columns or (given.k if "k" in given else None) == 1:
        return
    ours = {column.name: column for column in _numberings(original, names)}
    theirs = {column.name: column for column in _numberings(released, list(ours))}
    same = [column for name, column in ours.items() if theirs.get(name) == column]
    if not same or _equal(original, released, names):
        return  # nothing was masked, which is another mistake
    both = original, released
    if not given.kind and not all(_of_numbers(data, names, given.missing) for data in both):
        return  # rows are compared as texts, or reading them raises the error
    for name in [column.name for column in same if column.denominator == 1]:
        key = f"--key {name} matches records by it, " if "key" in given else ""
        raise errors.ProbableKey(
            f"column {name!r} has a different integer in every record, and the same numbers in "
            f"both files: it is probably a key; {key}--confidential {name} leaves it out, "
            f"--columns {','.join(names)} takes it for a quasi-identifier"
        )
    for column in same if len(same[0].numerators) >= FEWEST_NUMBERED else ():
        tell(
            f"column {column.name!r} has a different value in every record, and the same values "
            f"in both files, so it was not masked; if it is a key, or no quasi-identifier, "
            f"--confidential {column.name} leaves it out"
        )


def _numberings(data: Data, names: Sequence[str]) -> Iterator[Column]:
    """Yield the columns of numbers in which each record has another one."""
    if isinstance(data, Table):
        columns = {column.name: column for column in data.columns}
        found = [columns[name] for name in names if name in columns]
    else:
        found = [column for name in names for column in _column_of_numbers(data, name)]
    for column in found:
        if len(set(column.numerators)) == len(column.numerators):
            yield column


def _column_of_numbers(sheet: csvfiles.Sheet, name: str) -> Sequence[Column]:
    """Return the column of this name if its numbers differ."""
    cells = sheet.column(name)
    if len(set(cells)) == len(cells):
        with suppress(errors.NotANumber, errors.NotFinite, errors.MissingValue):
            return sheet.numeric([name]).columns
    return ()


def _of_numbers(data: Data, names: Sequence[str], missing: str) -> bool:
    """Return True unless a cell is not a number.

    A missing cell counts too where that is an error.
    """
    try:
        table_of(data, names)
    except errors.NotANumber:
        return False
    except errors.MissingValue:
        return missing != gaps.REJECT
    return True


def _equal(original: Data, released: Data, names: Sequence[str]) -> bool:
    """Return True if all values are equal, however they are written."""
    try:
        return table_of(original, names) == table_of(released, names)
    except (errors.NotANumber, errors.NotFinite, errors.MissingValue):
        both = [data for data in (original, released) if isinstance(data, csvfiles.Sheet)]
        return all(both[0].column(name) == both[-1].column(name) for name in names)


def tell_of_numbering(names: Iterable[str], n: int, given: argparse.Namespace) -> None:
    """Report columns that number the records.

    They number n records one after the other. Nothing is reported if columns were chosen.
    """
    for name in () if given.columns or n < FEWEST_NUMBERED else names:
        tell(
            f"column {name!r} numbers the records, and is masked as all others are; "
            f"--confidential {name} leaves it as it is"
        )


def numbers_from(column: Column, first: int) -> bool:
    """Return True if a column counts its records, beginning with this number."""
    numbers = range(first, first + len(column.numerators))
    return column.denominator == 1 and [*column.numerators] == [*numbers]


FEWEST_NUMBERED = 10
"""As many records as a column must number to be taken for their numbering."""


def sampling_of(sheet: csvfiles.Sheet, given: argparse.Namespace) -> list[Fraction]:
    """The sampling weights of the records. Raises UnknownColumn, NotANumber."""
    [column] = sheet.numeric([given.sampling_weights]).columns
    return column.values(range(len(column.numerators)))


def names_of(text: str | None) -> list[str] | None:
    """The names in "A,B,..."; None for no text."""
    return None if text is None else readers.names(text)


def quasi_identifiers(
    given: argparse.Namespace,
    header: Sequence[str],
    where: Path,
    released: Sequence[str] | None = None,
) -> list[str]:
    """Return the quasi-identifiers: the columns named, or all without another role.

    Other roles are confidential, strata, and the key, for example. Of a file and its release, with
    the header `released`, these are columns of both. Raises UnknownColumn, DuplicateColumn,
    EmptyTable, InvalidParameter.
    """
    confidential = names_of(given.confidential) or []
    role = dict.fromkeys(confidential, "confidential")
    for option in ("strata", "sampling_weights", "key"):
        if name := getattr(given, option, None):
            check_columns([name], header, str(where))
            role[name] = f"the {option.replace('_', ' ')}"
    check_columns(confidential, header, str(where))
    _check_dropped(given, header, where, role)
    names = names_of(given.columns)
    if names is None:
        left = [name for name in header if name not in role]
        if not left:
            roles = ", ".join(f"{name!r} is {what}" for name, what in role.items())
            raise errors.EmptyTable(f"{where} has no column left for a quasi-identifier: {roles}")
        there = set(left if released is None else released)
        left = [name for name in left if name in there] or left
        return _by_names(left, header, where)
    with csvfiles.other_delimiter(header):
        check_columns(names, header, str(where))
    for name in filter(role.get, names):
        raise errors.InvalidParameter(
            f"column {name!r} is a quasi-identifier and {role[name]} at once"
        )
    return names


def _by_names(left: list[str], header: Sequence[str], where: Path) -> list[str]:
    """Return the columns without R's row names; tell of odd names."""
    told, several = "", len(left) > 1
    if left[:1] == [""] == [*header[:1]] and several:
        told = "the first column has no name, as the row names that R writes; it is no "
        told, left = f"{told}quasi-identifier", left[1:]
    elif "" in left and several:
        told = f"column {header.index('') + 1} has no name, and is a quasi-identifier as all "
        told += "others are; --confidential '' leaves it out"
    elif all(name.replace(".", "").lstrip("+-").isdecimal() for name in header):
        told = "the names of the columns are numbers; if its first line is a record, it is "
        told += "released as it is: add a line of names"
    if told:
        tell(f"{where}: {told}")
    return left


def _check_dropped(
    given: argparse.Namespace, header: Sequence[str], where: Path, role: dict[str, str]
) -> None:
    """Add the columns that are dropped. Raises UnknownColumn, DuplicateColumn, InvalidParameter."""
    dropped = names_of(getattr(given, "drop", None)) or []
    check_columns(dropped, header, str(where))
    for name in dropped:
        if role.get(name) == "confidential":
            raise errors.InvalidParameter(
                f"column {name!r} is confidential and dropped at once: confidential columns are "
                "released unchanged"
            )
        role.setdefault(name, "dropped")


def tell(text: str) -> None:
    """Print a note on standard error.

    It says what is done where something else may be meant.
    """
    print(f"note: {one_line(text)}", file=sys.stderr, flush=True)


@contextmanager
def lines_beside(*outputs: Path | None) -> Iterator[None]:
    """Print to standard error where a file goes to standard output."""
    with redirect_stdout(sys.stderr) if STANDARD in outputs else nullcontext():
        yield


def blocks_of(text: str | None, names: Sequence[str]) -> list[list[str]] | None:
    """Return the blocks in "A,B;C".

    For "each" every name is a block by itself; None for no text.
    """
    if text is None:
        return None
    if text.strip() == "each":
        return [[name] for name in names]
    return list(map(readers.names, text.split(";")))


def of_part(given: argparse.Namespace, part: gaps.Part) -> argparse.Namespace:
    """The options, without the weights of attributes that the records lack."""
    weights = [text for text in given.weight if text.rpartition("=")[0] not in part.lacking]
    return argparse.Namespace(**{**vars(given), "weight": weights})


def refuse_whole(given: argparse.Namespace, options: Iterable[Option]) -> None:
    """Raise InvalidParameter for options that need all attributes of a record."""
    table = {one.dest: one for one in options}
    refuse(vars(given), table, {WHOLE: f"--missing is {given.missing}"}, lambda one: one.flag)


def parts_apart(
    given: argparse.Namespace, k: int
) -> tuple[dict[str, object], str, list[tuple[gaps.Part, Table | None]]]:
    """Return the records of a file by missing pattern.

    Each part has its table if it has any attribute. Before them facts for a report, and a line.
    Raises KTooLarge for too few records.
    """
    sheet = csvfiles.read_sheet(given.input, format_of(given))
    names = quasi_identifiers(given, sheet.header, given.input)
    kinds = declared(given, sheet, names)
    parts = gaps.patterns_of(sheet, names, kinds)[1]
    gaps.check_apart(parts, k)
    with other_columns(given):
        tables = [
            table_of(sheet.take(part.records), part.names, kinds=kinds) if part.names else None
            for part in parts
        ]
    line = one_line(gaps.missing_line(len(sheet.rows), gaps.APART, parts))
    return gaps.pattern_facts(gaps.APART, parts), line, list(zip(parts, tables, strict=True))


def table_words(given: argparse.Namespace) -> str:
    """Return the given options of a table and its scale.

    They are written as in a shell.
    """
    return "".join(
        f" {shlex.quote(word)}"
        for word in command_words(vars(given), (*FILES, MISSING, *SCALE, *KINDS))
    )


def command_words(read: Mapping[str, object], options: Iterable[Option]) -> list[str]:
    """The words of a command that says what was read."""
    words = []
    for option in options:
        value = read.get(option.dest)
        for one in value if isinstance(value, list) else [value]:
            if one is True:
                words.append(option.flag)
            elif option.is_given(one):
                words += [option.flag, f"{one:g}" if isinstance(one, float) else str(one)]
    return words
