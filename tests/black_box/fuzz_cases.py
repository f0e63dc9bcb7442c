"""What a fuzzer asks: the arguments of one command, and the files that stand in its folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from tests.black_box.fuzz_inputs import (
    CHOSEN,
    NAMES,
    NUMBERS,
    PLACES,
    TEXTS,
    WHOLES,
    Tools,
    csv_bytes,
    json_bytes,
    released_of,
    spoilt,
    table,
)

ALGORITHMS = (
    *("mdav", "mdav-2k", "mdav-single", "mdav-argus", "v-mdav", "iv-mdav", "md", "local-search"),
    *("kshc", "hansen-mukherjee", "mhm", "mu-approx", "k-ward", "k-ward-univariate", "projection"),
    *("secure-k-ward", "individual-ranking", "blocks-in-file-order", "tfrp-1", "tfrp-2", "fuzzy"),
    *("k-means-split", "k-means", "k-means-spread", "random-seed", "hac", "genetic", "one-step"),
    *("two-step", "gaussian-noise", "k-modes", "mdav-1", "mdav-2", "cbfs", "dbfs", "dba-1"),
    *("dba-2", "gsms", "gsms-t2", "second-phase", "mondrian", "rmd", "rmd-classical"),
    *("pppca", "mstp", "m-d", "m-c", "k-member", "oka", "ona", "imhm"),
    *("mcdpca", "influence", "clustpca", "clustpppca", "clustmcdpca"),
    *("t-closeness-merging", "t-closeness-k-anonymity-first", "t-closeness-first", "insensitive"),
    *("igd", "kd-blocks", "constrained-k-means"),
)
DRAWING = {"fuzzy", "genetic", "one-step", "two-step", "k-means", "random-seed", "local-search"}
DRAWING |= {"gaussian-noise", "k-modes", "rmd", "mcdpca", "influence"}
DRAWING |= {"clustpca", "clustpppca", "clustmcdpca"}
DRAWING |= {"k-member", "oka", "ona", "constrained-k-means"}
PARAMETERS = {
    "mdav-2k": ("leftovers=block", "leftovers=nearest"),
    "v-mdav": ("gamma=1/5", "gamma=1", "test=plain", "cap=2k-1", "gamma=0"),
    "iv-mdav": ("gamma=29/25", "cap=2k-1", "gamma=5"),
    "local-search": ("start=mdav-single", "rounds=3", "start=mdav"),
    "kshc": ("linkage=single", "linkage=average", "linkage=complete"),
    "pppca": ("order=descending", "order=either"),
    "clustmcdpca": ("clusters=2", "starts=1", "attribute=1"),
    "clustpca": ("clusters=2", "clusters=1", "attribute=1"),
    "clustpppca": ("clusters=2", "attribute=1"),
    "influence": ("clusters=2", "clusters=1"),
    "mcdpca": ("starts=1", "starts=3"),
    "rmd": ("starts=1", "starts=3"),
    "ona": ("rounds=3",),
    "t-closeness-merging": ("confidential=1", "t=1/10", "start=cbfs", "t=2"),
    "t-closeness-k-anonymity-first": ("confidential=1", "t=1/10", "t=0"),
    "t-closeness-first": ("confidential=1", "t=1/10", "confidential=9"),
    "insensitive": ("width=10", "lower=-1", "lower=5"),
    "igd": ("start=cbfs",),
    "kd-blocks": ("least=4", "within=cbfs"),
    "constrained-k-means": ("sizes=even", "rounds=2"),
    "mondrian": ("cut=strict", "cut=relaxed"),
    "second-phase": ("start=md", "start=cbfs"),
    "mhm": ("path=cbfs", "path=mdav", "path=md", "path=npn", "path=insertion", "path=2-opt"),
    "imhm": ("path=cbfs", "path=insertion", "path=2-opt"),
    "mu-approx": ("order=shortest",),
    "secure-k-ward": ("eps=1/10", "rho=1/2", "tolerance=relative", "eps=0", "rho=1"),
    "projection": ("by=first-component", "by=attribute", "attribute=1", "order=either", "by=sum"),
    "individual-ranking": ("order=ascending", "order=descending"),
    "k-means-split": ("rounds=10",),
    "k-means": ("repair=yes", "repair=no", "rounds=10"),
    "k-means-spread": ("repair=no", "rounds=10"),
    "random-seed": ("size=fixed", "size=mean", "size=min-max"),
    "hac": ("linkage=ward", "metric=euclidean", "metric=mahalanobis", "linkage=single", "cap=2k-1"),
    "genetic": ("iterations=20", "population=4", "mutation=1/2", "crossover=1"),
    "one-step": ("iterations=20", "macrogroup=6", "population=4", "heuristic=mdav"),
    "two-step": ("iterations=20", "macrogroup=6", "population=4"),
    "gaussian-noise": ("amount=1/10", "kind=correlated", "kind=independent"),
    "k-modes": ("rounds=10",),
    "fuzzy": ("kind=efcm", "kind=fcm", "kind=nc", "c=2", "m1=2", "m2=1", "lambda1=2", "limit=10"),
}
SIZES = {"iterations", "population", "rounds", "limit", "c", "macrogroup", "starts"}
"""Parameters by which work grows: they are not made greater than their defaults."""

MODEST = (
    "0",
    "1",
    "2",
    "5",
    "-1",
    "x",
    "",
    "nan",
    "1e-3",
    "1e999999999",
    "1/0",
    "\u0663",
    "9" * 5000,
)
EQUATIONS = (
    *("x0 + x1 = 10", "x0 = x1", "x0 = 5", "2*x0 = x1/3 - 1.5", "net + tax = gross", "x0 = x0"),
    *(
        "x0 = 1e400",
        "x0 = 1e999999999",
        "x0 = " + "9" * 5000,
        "x0 / 0 = 1",
        "= 1",
        "x0 =",
        "'x0' = 1",
    ),
    *(
        "((((" * 30 + "x0 = 1",
        "x0 = 1e308*1e308",
        "x0 * x1 = 1",
        "x0 >= 1",
        "x0 = \u0663",
        "'x0 = 1",
    ),
    *("x0 = 1\nx1 = 2", "\x1b[31m = 1", "1 = 2", "x0 = 1e-400", "x9 = 1", "x0 + x1 + x2 = 0"),
)
CERTIFICATE, REFERENCE, STATE = "certificate.json", "optimum.json", "state.json"
REPORT, VECTORS, TABLE = "mask.json", "vectors.json", "table.csv"


@dataclass
class FuzzCase:
    """One run: the program, its arguments, its files, and the files that it may write."""

    program: str
    arguments: list[str]
    files: dict[str, bytes] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Of the arguments and the files, in bytes."""
        words = sum(len(word.encode("utf-8", "surrogateescape")) + 1 for word in self.arguments)
        return words + sum(map(len, self.files.values()))


def case_of(random: Random, made: Mapping[str, bytes]) -> FuzzCase:
    """The case that this chance gives."""
    weights = {name: weight for name, (weight, _) in COMMANDS.items()}
    name = random.choices(list(weights), list(weights.values()))[0]
    names, rows, kinds = table(random)
    files = {"in.csv": csv_bytes(random, names, rows)}
    if name in ("verify", "optimum", "compare", "audit") and random.random() < 0.35:
        files, names, kinds = (
            {"in.csv": made[TABLE]},
            ["x0", "x1"],
            dict.fromkeys(["x0", "x1"], "numeric"),
        )
        rows = [line.split(",") for line in made[TABLE].decode().splitlines()[1:]]
        if random.random() < 0.1:
            files["in.csv"] = spoilt(random, made[TABLE])
    wild = random.choice((0.0, 0.0, 0.3, 1.5))
    tools = Tools(random, names, kinds, len(rows), made, files, wild)
    program, arguments = COMMANDS[name][1](tools, rows)
    if random.random() < 0.03 * wild:
        arguments = _disturbed(tools, arguments)
    return FuzzCase(program, [word.replace("\0", "") for word in arguments], files)


def _disturbed(t: Tools, arguments: list[str]) -> list[str]:
    """One argument left out, written twice, or one too many."""
    words, at = list(arguments), t.random.randrange(len(arguments) + 1)
    how = t.random.randrange(4)
    if how == 0 and at < len(words):
        del words[at]
    elif how == 1 and at < len(words):
        words.insert(at, words[at])
    elif how == 2 and at < len(words):
        words[at] = t.one((*NAMES, *NUMBERS, *WHOLES, *PLACES, *TEXTS))
    else:
        words.insert(
            at, t.one(("--help", "-h", "--version", "--", "--bogus", "\x1b[31m", "@in.csv", "-k"))
        )
    return words


# Options


def _input(t: Tools, name: str = "in.csv") -> str:
    return str(t.one((*PLACES, "in.csv"))) if t.odd(0.04) else name


def _maybe(t: Tools, share: float, option: str, value: Callable[[], str]) -> list[str]:
    """The option with its value, sometimes."""
    if not t.chance(share):
        return []
    text = value()
    return (
        [f"{option}={text}"] if text.startswith("-") and option.startswith("--") else [option, text]
    )


def _choice(t: Tools, option: str, share: float = 0.1) -> list[str]:
    return _maybe(t, share, option, lambda: t.name() if t.odd(0.05) else t.one(CHOSEN[option]))


def _table_options(t: Tools) -> list[str]:
    return [
        *_maybe(t, 0.15, "--columns", t.listed),
        *_maybe(t, 0.1, "--confidential", t.name),
        *_choice(t, "--delimiter", 0.05),
        *_choice(t, "--missing", 0.03),
    ]


def _constraint_options(t: Tools) -> list[str]:
    if any(kind != "numeric" for kind in t.kinds.values()) and not t.odd(0.1):
        return []
    words = _maybe(t, 0.05, "--constraint", lambda: _equation(t))
    words += _maybe(t, 0.03, "--constraint", lambda: _equation(t))
    lines = "\n".join(t.random.choices(EQUATIONS, k=t.random.randint(0, 2))) + "\n# so\n"
    content = lines.encode("utf-8", "surrogateescape")
    return words + _maybe(t, 0.03, "--constraints-file", lambda: t.input("c.txt", lambda: content))


def _equation(t: Tools) -> str:
    return str(t.one(EQUATIONS if t.odd(0.5) else EQUATIONS[:5]))


def _kind_options(t: Tools) -> list[str]:
    declared = any(kind != "numeric" for kind in t.kinds.values())
    if not (declared or t.odd(0.03)) or t.odd(0.1):
        return []
    odd = ("nominal:", "ordinal:", "ordinal:p<p", "sequence:", "x", "nominal:p|", "numeric:1")
    words = []
    for name in t.names:
        if not t.odd(0.03):
            kind = t.one(odd) if t.odd(0.03) else t.kinds[name]
            words += ["--kind", f"{name}={kind}"]
    words += _maybe(t, 0.2, "--weight", lambda: f"{t.name()}={t.number()}")
    words += _choice(t, "--dissimilarity", 0.15)
    operators = (
        "ordinal=median",
        "ordinal=mode",
        "nominal=mode",
        "sequence=vgt",
        "sequence=medoid",
    )
    more = ("sequence=median-string", "ordinal=convex-median", "x=y", "", "nominal=joint-mode")
    return words + _maybe(t, 0.15, "--aggregate-kind", lambda: t.one(operators + more))


def _parameter(t: Tools, algorithm: str) -> str:
    good = PARAMETERS.get(algorithm, ("gamma=1",))
    text = str(t.one(PARAMETERS[t.one(list(PARAMETERS))]) if t.odd(0.1) else t.one(good))
    name, _, _ = text.partition("=")
    if t.odd(0.15):
        return f"{name}={t.one(MODEST if name in SIZES else NUMBERS)}"
    return str(t.one(("", "=", "x", "x=", "\x1b=1"))) if t.odd(0.03) else text


def _method_options(t: Tools, algorithm: str) -> list[str]:
    declared = any(kind != "numeric" for kind in t.kinds.values())
    if declared and not t.odd(0.1):
        return []
    words = _choice(t, "--standardise", 0.3)
    words += _maybe(t, 0.05, "--significant-digits", t.whole)
    many = t.one((0, 0, 0, 1, 2)) if algorithm in PARAMETERS or t.odd(0.2) else 0
    given = {_parameter(t, algorithm) for _ in range(many)}
    if not t.odd(0.1):  # each name once
        given = set({text.partition("=")[0]: text for text in sorted(given)}.values())
    if algorithm in ("genetic", "one-step", "two-step") and not t.odd(0.05):
        given = {text for text in given if "iterations" not in text} | {"iterations=20"}
    for text in sorted(given):
        words += ["--param", text]
    words += _choice(t, "--series", 0.05)
    words += _maybe(t, 0.02, "--times", lambda: ",".join(t.number() for _ in t.names))
    words += _choice(t, "--aggregate", 0.1)
    if "trimmed-mean" in words or t.odd(0.02):
        words += ["--trim", t.number("0", "0.1", "1/4", "0.5")]
    words += _maybe(t, 0.06, "--blocks", lambda: t.listed(t.one(",;")))
    return words + _maybe(t, 0.04, "--strata", t.name)


def _algorithm(t: Tools) -> str:
    return t.name() if t.chance(0.01) else str(t.one(ALGORITHMS))


def _k(t: Tools) -> list[str]:
    return _maybe(t, 0.97, "-k", lambda: t.one(WHOLES) if t.odd(0.06) else t.one("12233"))


def _seed(t: Tools, algorithm: str) -> list[str]:
    return _maybe(t, 0.95 if algorithm in DRAWING else 0.1, "--seed", t.whole)


# Commands


def _mask(t: Tools, rows: list[list[str]]) -> tuple[str, list[str]]:
    algorithm = _algorithm(t)
    words = ["mask", _input(t), "--algorithm", algorithm, *_k(t), "-o", t.output("out.csv")]
    words += _maybe(t, 0.25, "--json", lambda: t.output("report.json"))
    words += _choice(t, "--arithmetic", 0.25) + _choice(t, "--ties", 0.15) + _seed(t, algorithm)
    words += _maybe(t, 0.15, "--decimals", lambda: t.whole("0", "1", "3"))
    words += ["--trace"] * t.chance(0.1)
    drawn = "tree.txt" if t.chance(0.99) else "tree.svg"
    words += _maybe(t, 0.06, "--dendrogram", lambda: t.output(drawn))
    words += _table_options(t) + _method_options(t, algorithm)
    return "refagg", words + _constraint_options(t) + _kind_options(t)


def _measure(t: Tools, rows: list[list[str]]) -> tuple[str, list[str]]:
    _write_released(t, rows)
    words = ["measure", _input(t), _input(t, "released.csv")]
    words += _maybe(t, 0.2, "--json", lambda: t.output("report.json")) + ["--all-risks"] * t.chance(
        0.2
    )
    words += _table_options(t) + _choice(t, "--standardise", 0.3)
    return "refagg", words + _constraint_options(t) + _kind_options(t)


def _write_released(t: Tools, rows: list[list[str]]) -> None:
    kinds = [t.kinds[name] for name in t.names]
    released = released_of(t.random, [list(row) for row in rows], kinds)
    t.files["released.csv"] = csv_bytes(t.random, t.names, released)


def _compare(t: Tools, rows: list[list[str]]) -> tuple[str, list[str]]:
    words = [
        "compare",
        _input(t),
        *_k(t),
        *_maybe(t, 0.2, "-k", lambda: t.one(("2,3", "3,2", "2,,3", "2,x", "2,2"))),
    ]
    quick = [a for a in ALGORITHMS if a not in ("genetic", "one-step", "two-step")]
    given = ",".join(t.random.sample(quick, t.random.randint(1, 4)))
    if t.chance(0.1):
        given += t.one((":", ":gamma=1", ",", ",,x", ":x=\x1b", ":gamma=1e999999999"))
    words += ["--algorithm", given] if t.chance(0.99) else []
    words += _choice(t, "--arithmetic", 0.2) + _choice(t, "--sort", 0.2)
    words += _maybe(t, 0.2, "--seed", t.whole) + ["--quiet"] * t.chance(0.5)
    words += _maybe(t, 0.25, "--reference", lambda: _json_input(t, REFERENCE))
    words += _maybe(t, 0.2, "--csv", lambda: t.output("out.csv"))
    words += _maybe(t, 0.2, "--json", lambda: t.output("out.json"))
    words += _maybe(t, 0.004, "--plot", lambda: t.output("out.svg"))
    words += _maybe(t, 0.004, "--scatter", lambda: t.output("out.svg"))
    return "refagg", words + _table_options(t) + _choice(t, "--standardise", 0.3)


def _json_input(t: Tools, name: str) -> str:
    return t.input(name, lambda: json_bytes(t.random, t.made[name]))


def _datasets(t: Tools, rows: list[list[str]]) -> tuple[str, list[str]]:
    if t.chance(0.03):
        return "refagg", ["datasets"]
    known = ("nine-records", "census", "tor-table1", "hm-seven", "eia", "x", "\x1b[31m", "../x", "")
    place = t.one(("out.csv", t.output("out.csv")))
    if t.chance(0.6):
        urls = (
            "file:///dev/zero",
            "file:in.csv",
            "http://127.0.0.1:9/",
            "http://[",
            "x",
            "ftp://a/",
        )
        more = (
            "file:///no",
            "http://\x1b[2J/",
            "https://127.0.0.1:9/\u202e",
            "http://a:b/",
            "file://h/",
        )
        return "refagg", ["datasets", "fetch", t.one(known), t.one(urls + more)]
    return "refagg", ["datasets", t.one(("export", "x")), t.one(known), place]


def _reproduce(t: Tools, rows: list[list[str]]) -> tuple[str, list[str]]:
    source = t.one(("x", "\x1b[31m", "", "VG", "zzz", "RB "))
    return "refagg", ["reproduce", source, *_maybe(t, 0.5, "--json", lambda: t.output("out.json"))]


def _algorithms(t: Tools, rows: list[list[str]]) -> tuple[str, list[str]]:
    return "refagg", [
        "algorithms",
        *([_algorithm(t)] * t.chance(0.8)),
        *(["--json"] * t.chance(0.5)),
    ]


def _audit(t: Tools, rows: list[list[str]]) -> tuple[str, list[str]]:
    if t.chance(0.0003):
        return "oracle", ["audit", "--demo"]
    _write_released(t, rows)
    words = ["audit", _input(t), _input(t, "released.csv"), *_k(t)]
    algorithm = _algorithm(t)
    if named := t.chance(0.7):
        words += ["--algorithm", algorithm, *([_algorithm(t)] * t.chance(0.1))]
    words += _maybe(t, 0.15, "--tolerance", lambda: t.number("1e-9", "0", "0.5"))
    words += _maybe(t, 0.15, "--partition", lambda: _partition(t))
    words += _maybe(t, 0.3 if algorithm in DRAWING else 0.02, "--seed", t.whole)
    words += _maybe(
        t, 0.1, "--max-replays", lambda: t.one(("1", "2", "50", "0", "-1", "x", "9" * 5000))
    )
    words += _maybe(t, 1.0, "--time-limit", lambda: t.one(("1", "2", "2", "2", "0.5")))
    words += _maybe(t, 0.01, "--time-limit", lambda: t.one(("0", "nan", "-1", "x")))
    words += ["--optimum"] * t.chance(0.06)
    words += _maybe(t, 0.06, "--certificate", lambda: _json_input(t, CERTIFICATE))
    words += _maybe(t, 0.08, "--centres", lambda: _centres(t))
    words += _maybe(t, 0.2, "--json", lambda: t.output("verdict.json")) + [
        "--all-risks"
    ] * t.chance(0.1)
    words += _maybe(t, 0.001, "--report", lambda: t.output("page"))
    words += _table_options(t) + _method_options(t, algorithm if named else "")
    return "oracle", words + _constraint_options(t) + _kind_options(t)


def _partition(t: Tools) -> str:
    groups = "[[" + "],[".join(str(r) for r in range(t.records)) + "]]"
    pairs = "[" + ",".join(f"[{r},{r + 1}]" for r in range(0, t.records - 1, 2)) + "]"
    if t.chance(0.5):
        content = json_bytes(t.random, t.one((groups, pairs, f'{{"groups":{pairs}}}')).encode())
        return t.input("groups.json", lambda: content)
    if t.chance(0.3):
        return _json_input(t, REPORT)
    labels = "group\n" + "\n".join(t.one(("a", "b", "1", "\x1b[")) for _ in range(t.records)) + "\n"
    return t.input("groups.csv", lambda: spoilt(t.random, labels.encode()))


def _centres(t: Tools) -> str:
    if t.chance(0.3):
        return _json_input(t, REPORT)
    rows = [[t.number() for _ in t.names] for _ in range(t.random.randint(0, 4))]
    return t.input("centres.csv", lambda: csv_bytes(t.random, t.names, rows))


def _optimum(t: Tools, rows: list[list[str]]) -> tuple[str, list[str]]:
    words = [
        "optimum",
        _input(t),
        *_k(t),
        "--time-limit",
        t.one(("1", "2", "0.2", "0", "1e-9", "1")),
    ]
    if t.chance(0.05):
        words[-1] = t.one(("-1", "nan", "x", ""))
    words += (
        _choice(t, "--method", 0.6) + _choice(t, "--solver", 0.3) + _choice(t, "--executor", 0.05)
    )
    words += _maybe(t, 0.15, "--largest", t.whole)
    pairs = (
        "0-1",
        "0-1,1-2",
        "0-0",
        "0-99",
        "x",
        "",
        "-",
        "1-0,0-1",
        "0-\u0663",
        "9" * 5000 + "-1",
        "0-\u00b2",
    )
    words += _maybe(t, 0.1, "--together", lambda: t.one(pairs)) + _maybe(
        t, 0.1, "--apart", lambda: t.one(pairs)
    )
    words += _maybe(t, 0.15, "--certificate", lambda: t.output("proof.json"))
    words += _maybe(t, 0.2, "--json", lambda: t.output("out.json")) + ["--quiet"] * t.chance(0.5)
    words += _maybe(t, 0.15, "--state", lambda: _json_input(t, STATE))
    return "oracle", words + _table_options(t) + _choice(t, "--standardise", 0.4)


def _verify(t: Tools, rows: list[list[str]]) -> tuple[str, list[str]]:
    words = ["verify", _json_input(t, CERTIFICATE), _input(t)]
    return "oracle", words + _choice(t, "--delimiter", 0.03) + _choice(t, "--checker", 0.05)


def _door(t: Tools) -> list[str]:
    functions = ("blocks", "fails", "odd", "leaves", "nothing", "")
    python = ["--python", f"tests.black_box.answers:{t.one(functions)}"]
    if t.chance(0.85):
        return python
    odd = (
        ["--python", "x"],
        ["--python", "\x1b:y"],
        ["--python", ":"],
        [],
        ["--", "/no/such"],
        ["--", "."],
    )
    programs = (["--", "true"], ["--", "false"], ["--", "cat"], ["--", "printf", "\x1b[31m\x07"])
    return list(t.one(odd + programs))


def _conform(t: Tools, rows: list[list[str]]) -> tuple[str, list[str]]:
    algorithm = t.one(
        ("mdav", "optimal", "any k-partition", "md", "fuzzy", "hac", "\x1b[31m", "kshc")
    )
    words = ["conform", "--algorithm", algorithm]
    words += _maybe(
        t, 0.7, "--case", lambda: f"{algorithm.replace(' ', '-')}-{t.one(('001', 'x', ''))}"
    )
    words += _maybe(t, 0.4, "--vectors", lambda: _json_input(t, VECTORS))
    words += _maybe(
        t, 0.95, "--answer-timeout", lambda: t.one(("0.5", "1", "0", "-1", "nan", "1e9", "x"))
    )
    words += _maybe(t, 0.2, "--tolerance", t.number) + _choice(t, "--precision", 0.2)
    words += ["--nondeterministic"] * t.chance(0.3) + ["--restart-per-case"] * t.chance(0.1)
    words += _maybe(t, 0.2, "--max-failures", t.whole) + _maybe(
        t, 0.2, "--json", lambda: t.output("out.json")
    )
    return "oracle", [*words, *_door(t)]


def _hunt(t: Tools, rows: list[list[str]]) -> tuple[str, list[str]]:
    algorithm = str(
        t.one(("mdav", "optimal", "any k-partition", "md", "hansen-mukherjee", "fuzzy", "x"))
    )
    words = [
        "hunt",
        "--algorithm",
        algorithm,
        "--time-limit",
        t.one(("0.3", "1", "0", "nan", "1e9", "x")),
    ]
    words += ["--max-questions", t.one(("1", "2", "3", "0", "-1"))]
    words += _maybe(t, 0.9, "--answer-timeout", lambda: "0.5") + _maybe(t, 0.2, "--seed", t.whole)
    words += _maybe(
        t, 0.2, "-k", lambda: t.one(("2", "2-3", "3-2", "-", "x", "0", "1-", "9" * 5000))
    )
    words += _maybe(t, 0.2, "--attributes", t.whole) + _maybe(t, 0.2, "--max-records", t.whole)
    words += _maybe(t, 0.1, "--param", lambda: _parameter(t, algorithm)) + _maybe(
        t, 0.1, "--algorithm-seed", t.whole
    )
    words += _maybe(t, 0.3, "--save", lambda: t.output("found.json")) + [
        "--all-failures"
    ] * t.chance(0.2)
    return "oracle", [*words, *_door(t)]


def _vectors(t: Tools, rows: list[list[str]]) -> tuple[str, list[str]]:
    names = ("mdav", "optimal", "any k-partition", "x", "\x1b[31m", "", "fuzzy")
    choice = _maybe(t, 0.8, "--algorithm", lambda: t.one(names))
    choice += _maybe(t, 0.4, "--flag", lambda: t.one(("tie", "kinds", "x", "tape", "\x1b")))
    if t.chance(0.05):
        return "oracle", [
            "vectors",
            "export",
            t.output("folder2"),
            "--algorithm",
            "md",
            "--flag",
            "tie",
        ]
    if t.chance(0.5):
        return "oracle", [
            "vectors",
            "show",
            f"{t.one(names)}-{t.one(('001', '002', '', 'x' * 400))}",
        ]
    return "oracle", ["vectors", "list", *choice]


def _call(t: Tools, rows: list[list[str]]) -> tuple[str, list[str]]:
    return "python", ["call", str(t.random.randrange(10**9))]


Maker = Callable[[Tools, list[list[str]]], tuple[str, list[str]]]

COMMANDS: dict[str, tuple[float, Maker]] = {
    "mask": (42, _mask),
    "measure": (10, _measure),
    "compare": (5, _compare),
    "datasets": (1, _datasets),
    "reproduce": (0.3, _reproduce),
    "algorithms": (0.5, _algorithms),
    "audit": (25, _audit),
    "optimum": (6, _optimum),
    "verify": (8, _verify),
    "conform": (0.5, _conform),
    "hunt": (0.2, _hunt),
    "vectors": (0.5, _vectors),
    "call": (40, _call),
}
