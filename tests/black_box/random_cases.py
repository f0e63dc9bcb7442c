"""Random tables and options of `refagg mask`, over the whole catalogue, as words of a command."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any

from refagg.catalogue import CATALOGUE
from refagg.language.specification import Specification

ONE_ATTRIBUTE = "one"
CATEGORIES = ("p", "q", "r", "s")
DEGREES = ("none", "first", "second", "third")


@dataclass(slots=True)
class RandomCase:
    """A file, and how it is masked; `shared` are options that the audit takes too."""

    algorithm: str
    k: int
    header: list[str]
    rows: list[list[str]]
    shared: list[str] = field(default_factory=list)
    masking: list[str] = field(default_factory=list)
    """Options of `refagg mask` alone."""
    anonymity: str = "joint"
    """What the release promises, as `oracle audit --anonymity` takes it."""
    outside: list[str] = field(default_factory=list)
    """Columns that are no quasi-identifiers."""
    labels: list[str] = field(default_factory=list)
    """Those of them that say how the release was made: strata, sampling weights."""
    key: str | None = None
    """The column by which the audit matches records."""
    feature: str = "plain"

    def text(self) -> str:
        lines = [self.header, *self.rows]
        return "".join(",".join(cells) + "\n" for cells in lines)

    @property
    def common(self) -> list[str]:
        k = ["-k", str(self.k)] if CATALOGUE[self.algorithm].takes_k else []
        return ["--algorithm", self.algorithm, *k, *self.shared]


def numbers(random: Random, n: int, style: str) -> list[str]:
    """A column of so many numbers, as they stand in files."""
    draw = {
        "ties": lambda: str(random.randrange(4)),
        "whole": lambda: str(random.randrange(-50, 100)),
        "prices": lambda: f"{random.randrange(10000) / 100:.2f}",
        "continuous": lambda: repr(random.gauss(0, 1)),
        "offset": lambda: str(10**12 + random.randrange(20)),
        "decades": lambda: repr(10 ** random.uniform(-6, 9)),
        "constant": lambda: "7",
        "tiny": lambda: f"{random.randrange(9)}e-12",
        "extreme": lambda: f"{random.randrange(1, 9)}e150",
        "zeros": lambda: random.choice(("0", "0", "0", "-3", "2.5", "4")),
        "far": lambda: str(10**15 + random.randrange(1000)),
        "coarse": lambda: str(random.randrange(-3, 4)),
    }[style]
    column = [draw() for _ in range(n)]
    if random.random() < 0.2:  # duplicates
        column = [random.choice(column[: max(1, n // 2)]) for _ in range(n)]
    return column


STYLES = (
    *("ties", "ties", "ties", "whole", "whole", "prices", "prices", "continuous", "continuous"),
    *("offset", "decades", "constant", "tiny", "extreme", "zeros", "far", "far"),
)
FEATURES = (
    *("plain", "plain", "plain", "float", "decimals", "blocks", "each", "strata", "aggregate"),
    *("series", "constraints", "constraints-decimals", "kinds", "kinds", "sequences", "scale"),
    *("ties-option", "ranking", "sampling-weights", "dates", "dates", "coarse", "coarse"),
    *("apart", "apart"),
)


def random_case(random: Random) -> RandomCase:
    """One case; some are refused by `refagg mask`, with a reason."""
    spec = CATALOGUE[random.choice(list(CATALOGUE))]
    feature = random.choice(FEATURES)
    if feature == "ranking":
        spec = CATALOGUE["individual-ranking"]
    k = random.choice((2, 2, 3, 4))
    n = random.choice((k, 2 * k - 1, 2 * k, 3 * k - 1, 3 * k, 4 * k + 1, 13, 17))
    attributes = 1 if spec.attributes == ONE_ATTRIBUTE else random.choice((1, 2, 2, 3, 4))
    header = [f"x{number}" for number in range(attributes)]
    style = random.choice(STYLES)
    columns = [
        numbers(random, n, style if random.random() < 0.7 else random.choice(STYLES))
        for _ in header
    ]
    case = RandomCase(spec.name, k, header, [list(row) for row in zip(*columns, strict=True)])
    case.feature = feature
    if spec.random:
        case.shared += ["--seed", str(random.randrange(100))]
    case.shared += _parameters(random, spec)
    if spec.yields == "centres":
        case.anonymity = "on-average"
    if spec.yields == "deviations" or "repair=none" in case.shared:
        case.anonymity = "none"
    FEATURE[feature](random, case, spec)
    if case.algorithm == "individual-ranking" and len(case.header) - len(case.outside) > 1:
        _each_block(case)
    if random.random() < 0.5:
        _other_columns(random, case)
    return case


def _other_columns(random: Random, case: RandomCase) -> None:
    """Columns that are not masked: numbers of records, names, amounts, one among the others."""
    n = len(case.rows)
    masked = [name for name in case.header if name not in case.outside]
    columns = {
        "number": [str(number) for number in random.sample(range(100, 100 + 2 * n), n)],
        "person": [f"{random.choice('ABC')}. {random.choice(CATEGORIES)}" for _ in range(n)],
        "income": numbers(random, n, random.choice(("ties", "prices", "whole"))),
    }
    chosen = random.sample(list(columns), random.randrange(1, 4))
    for name in chosen:
        place = random.randrange(len(case.header) + 1)
        case.header.insert(place, name)
        for row, cell in zip(case.rows, columns[name], strict=True):
            row.insert(place, cell)
    if "--confidential" in case.shared or random.random() < 0.5:
        case.shared += ["--columns", ",".join(masked)]
    else:
        case.shared += ["--confidential", ",".join(chosen)]
    case.outside += chosen
    if "number" in chosen and random.random() < 0.5:
        case.key = "number"


def _parameters(random: Random, spec: Specification) -> list[str]:
    words: list[str] = []
    for parameter in spec.parameters:
        value: Any = None
        if parameter.name == "iterations":
            value = 20
        elif parameter.stated:
            value = 0
        elif random.random() < 0.6:
            continue
        elif parameter.kind == "choice":
            value = random.choice(parameter.values)
        elif parameter.kind == "integer":
            value = parameter.default or None
        elif parameter.kind == "attribute":
            value = 0
        elif parameter.name == "gamma":
            value = random.choice(("0.2", "1.1", "1", "1/3"))
        if value is not None:
            words += ["--param", f"{parameter.name}={value}"]
    return words


def _plain(random: Random, case: RandomCase, spec: Specification) -> None:
    """Nothing more."""


def _float(random: Random, case: RandomCase, spec: Specification) -> None:
    case.masking += ["--arithmetic", "float"]


def _decimals(random: Random, case: RandomCase, spec: Specification) -> None:
    case.masking += ["--decimals", str(random.randrange(5))]


def _coarse(random: Random, case: RandomCase, spec: Specification) -> None:
    """Coarse integers with few decimals, which make groups fall together."""
    columns = [numbers(random, len(case.rows), "coarse") for _ in case.header]
    case.rows[:] = [list(row) for row in zip(*columns, strict=True)]
    case.masking += ["--decimals", str(random.choice((0, 0, 1, 2)))]


def _blocks(random: Random, case: RandomCase, spec: Specification) -> None:
    if len(case.header) > 1:
        cut = random.randrange(1, len(case.header))
        text = f"{','.join(case.header[:cut])};{','.join(case.header[cut:])}"
        case.shared += ["--blocks", text]
        _each_block(case)


def _each(random: Random, case: RandomCase, spec: Specification) -> None:
    case.shared += ["--blocks", "each"]
    if len(case.header) > 1:
        _each_block(case)


def _each_block(case: RandomCase) -> None:
    if case.anonymity == "joint":
        case.anonymity = "each-block"


def _strata(random: Random, case: RandomCase, spec: Specification) -> None:
    strata = ["n"] * (len(case.rows) // 2) + ["s"] * (len(case.rows) - len(case.rows) // 2)
    random.shuffle(strata)
    case.header.append("region")
    for row, label in zip(case.rows, strata, strict=True):
        row.append(label)
    case.outside.append("region")
    case.labels.append("region")
    case.shared += ["--strata", "region"]


def _sampling_weights(random: Random, case: RandomCase, spec: Specification) -> None:
    case.header.append("weight")
    for row in case.rows:
        row.append(str(random.randrange(1, 6)))
    case.outside.append("weight")
    case.labels.append("weight")
    case.shared += ["--sampling-weights", "weight"]


def _aggregate(random: Random, case: RandomCase, spec: Specification) -> None:
    how = random.choice(("median", "mode", "trimmed-mean", "onestep"))
    case.shared += ["--aggregate", how, *(["--trim", "1/4"] if how == "trimmed-mean" else [])]


def _series(random: Random, case: RandomCase, spec: Specification) -> None:
    how = random.choice(("euclidean", "sts"))
    case.shared += ["--series", how]
    if how == "sts" and random.random() < 0.5:
        times = ",".join(str(number * number) for number in range(1, len(case.header) + 1))
        case.shared += ["--times", times]


def _constraints(random: Random, case: RandomCase, spec: Specification) -> None:
    """Two addends and their sum, and in some cases a share of one of them."""
    case.header[:] = ["a", "b", "total"]
    case.rows[:] = []
    share = random.random() < 0.3
    for _ in range(max(case.k, random.choice((6, 9, 13)))):
        a, b = random.randrange(500), random.randrange(90)
        b = a // 10 if share else b
        a = 10 * b if share else a
        case.rows.append([str(a), str(b), str(a + b)])
    case.shared += ["--constraint", "a + b = total"]
    case.shared += ["--constraint", "b = 0.1 * a"] if share else []
    case.shared[:] = [w for w in case.shared if w not in ("attribute=1", "attribute=2")]


def _constraints_decimals(random: Random, case: RandomCase, spec: Specification) -> None:
    _constraints(random, case, spec)
    _decimals(random, case, spec)


def _kinds(random: Random, case: RandomCase, spec: Specification) -> None:
    n = len(case.rows)
    extra = {
        "job": [random.choice(CATEGORIES[: random.choice((2, 4))]) for _ in range(n)],
        "degree": [random.choice(DEGREES) for _ in range(n)],
    }
    kinds = {"job": "nominal", "degree": f"ordinal:{'<'.join(DEGREES)}"}
    chosen = random.choice((["job"], ["degree"], ["job", "degree"]))
    case.header[:] = case.header[: random.randrange(3)]
    case.rows[:] = [row[: len(case.header)] for row in case.rows]
    for name in case.header:
        kinds[name] = "numeric"
    for name in chosen:
        case.header.append(name)
        for row, value in zip(case.rows, extra[name], strict=True):
            row.append(value)
    for name in case.header:
        case.shared += ["--kind", f"{name}={kinds[name]}"]
    if random.random() < 0.3:
        case.shared += ["--weight", f"{case.header[0]}={random.choice(('1', '2', '1/3'))}"]
    if random.random() < 0.3 and "job" in chosen:
        case.shared += ["--aggregate-kind", "nominal=mode"]
    if random.random() < 0.3:
        case.masking += ["--decimals", str(random.randrange(4))]
    if len(case.header) > len(chosen) and random.random() < 0.3:
        case.shared += ["--standardise", random.choice(("none", "population", "sample"))]
    also = random.choice((_plain, _plain, _blocks, _each, _strata))
    also(random, case, spec)


TIMED: dict[str, tuple[str, str, str, int]] = {
    "born": ("date", "2019-12-30", "%Y-%m-%d", 86400),
    "sold": ("date:%d.%m.%Y", "1999-02-25", "%d.%m.%Y", 86400),
    "seen": ("datetime", "2021-10-31 23:59:58", "%Y-%m-%d %H:%M:%S", 1),
    "sent": ("datetime", "2021-10-31 23:58", "%Y-%m-%dT%H:%MZ", 60),
    "paid": ("datetime:%d/%m/%y %H:%M", "2024-02-28 12:00", "%d/%m/%y %H:%M", 60),
}
"""Columns of dates and times: kind, first value, how they are written, seconds of their unit."""

BOOLEANS = {
    "ok": ("boolean", "TRUE", "FALSE"),
    "flag": ("boolean", "1", "0"),
    "wed": ("boolean:ja|nein", "ja", "nein"),
}
"""Columns of booleans, with their words for true and false."""


def _dates(random: Random, case: RandomCase, spec: Specification) -> None:
    """Some dates and times, and booleans or not, beside numbers or not; some cells are missing."""
    n = len(case.rows)
    case.header[:] = case.header[: random.randrange(3)]
    columns = {name: [row[j] for row in case.rows] for j, name in enumerate(case.header)}
    kinds = dict.fromkeys(case.header, "numeric")
    for name in random.sample(list(TIMED), random.randrange(1, 4)):
        kinds[name], first, pattern, unit = TIMED[name]
        start, most = datetime.fromisoformat(first), random.choice((4, 40, 4000))
        steps = [timedelta(seconds=unit * random.randrange(most)) for _ in range(n)]
        columns[name] = [(start + step).strftime(pattern) for step in steps]
    if random.random() < 0.5:
        name = random.choice(list(BOOLEANS))
        kinds[name], *words = BOOLEANS[name]
        columns[name] = [random.choice(words) for _ in range(n)]
    if random.random() < 0.3:
        policy = random.choice(("drop", "drop", "group-apart"))
        case.shared += ["--missing", policy]
        gap = random.choice(("", "NA"))
        for column in columns.values():
            column[:] = [gap if random.random() < 0.1 else cell for cell in column]
    case.header[:] = list(columns)
    case.rows[:] = [list(row) for row in zip(*columns.values(), strict=True)]
    timed = all(kind.startswith(("date", "numeric")) for kind in kinds.values())
    undeclared = "numeric" if timed and random.random() < 0.5 else ""
    for name, kind in kinds.items():
        if kind != undeclared:
            case.shared += ["--kind", f"{name}={kind}"]
    if random.random() < 0.3:
        case.masking += ["--decimals", str(random.randrange(4))]
    random.choice((_plain, _plain, _blocks, _each, _strata))(random, case, spec)


def _sequences(random: Random, case: RandomCase, spec: Specification) -> None:
    events = "abcdef"
    case.header[:] = ["id", "route"]
    routes = [
        ">".join(
            random.choice(events[: random.choice((2, 6))]) for _ in range(random.randrange(1, 6))
        )
        for _ in case.rows
    ]
    case.rows[:] = [[str(number), route] for number, route in enumerate(routes)]
    case.outside.append("id")
    case.shared += ["--confidential", "id", "--kind", "route=sequence:>"]
    if random.random() < 0.5:
        name = random.choice(("oss", "levenshtein", "normalised-levenshtein", "lcs"))
        case.shared += ["--dissimilarity", name]
    if random.random() < 0.7:
        case.algorithm, case.anonymity = "kshc", "joint"
        linkage = random.choice(("single", "complete", "average"))
        case.shared[:] = [*_without_parameters(case.shared), "--param", f"linkage={linkage}"]


def _without_parameters(words: list[str]) -> list[str]:
    kept: list[str] = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word in ("--param", "--seed"):
            skip = True
        else:
            kept.append(word)
    return kept


def _scale(random: Random, case: RandomCase, spec: Specification) -> None:
    case.shared += ["--standardise", random.choice(("none", "sample"))]


def _ties(random: Random, case: RandomCase, spec: Specification) -> None:
    how = random.choice(("highest", "random"))
    case.masking += ["--ties", how]
    if how == "random" and not spec.random:
        case.masking += ["--seed", str(random.randrange(100))]


def _apart(random: Random, case: RandomCase, spec: Specification) -> None:
    """Records that lack a number, at least k of them, as at least k others do not."""
    n, k = len(case.rows), case.k
    case.shared += ["--missing", "group-apart"]
    place = random.randrange(len(case.header))
    if n >= 2 * k:
        for record in random.sample(range(n), random.randint(k, n - k)):
            case.rows[record][place] = random.choice(("", "NA"))


FEATURE = {
    "apart": _apart,
    "plain": _plain,
    "float": _float,
    "decimals": _decimals,
    "coarse": _coarse,
    "blocks": _blocks,
    "each": _each,
    "strata": _strata,
    "aggregate": _aggregate,
    "series": _series,
    "constraints": _constraints,
    "constraints-decimals": _constraints_decimals,
    "kinds": _kinds,
    "sequences": _sequences,
    "scale": _scale,
    "ties-option": _ties,
    "ranking": _plain,
    "dates": _dates,
    "sampling-weights": _sampling_weights,
}
