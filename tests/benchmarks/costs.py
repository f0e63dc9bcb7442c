"""What each algorithm costs, for the predictions of commands: `python -m tests.benchmarks.costs`.

Each algorithm masks generated files of growing length, as the command does, in a process of its
own, with NumPy, without it, and with NumPy on numbers beside categories: CPU seconds and the growth
of its memory. What the file itself costs (reading, releasing, writing) is known from an algorithm
that does nothing, and is taken away; the rest is fitted by factor * n^a * p^b * k^d, where a and b
change with p.

--write measures and writes refagg/commands/costs.json, in some two hours of the processor;
named algorithms are measured alone. Without it, 50 pairs of algorithm and size that the fit has not
seen are run as commands, and each prediction is printed with what was measured.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from resource import RLIMIT_CPU, RUSAGE_SELF, getrusage, setrlimit
from typing import Any, NamedTuple, cast

from refagg.catalogue import CATALOGUE
from refagg.commands.costs import (
    COSTS,
    Cost,
    Size,
    engine_for,
    logarithms,
    loop,
    predicted,
)
from refagg.commands.costs import (
    measured as known_costs,
)
from refagg.commands.main import main as refagg
from refagg.engine.filtered_pool import COLD
from refagg.language.specification import Specification
from tests.benchmarks.forked import forked

NOTHING = "blocks-in-file-order"
"""The algorithm that does nothing, so that what it takes is what the file takes."""

VARIANTS = ("hac single", "hac complete", "hac average")
"""Values of a parameter, of which the costs are others: these linkages keep a matrix."""

ENOUGH = {"all": 1.5, "plain": 1.5, "kinds": 2.5}
"""Seconds of a run after which no longer file is tried, by source: with all extras, with none, and
with all on numbers beside categories."""

LONGER = {
    ("hac", "all"): 20.0,
    ("dba-2", "all"): 20.0,
    ("kd-blocks", "all"): 9.0,
    ("genetic", "all"): 9.0,
    ("clustmcdpca", "all"): 9.0,
    ("clustpppca", "all"): 9.0,
    ("mcdpca", "all"): 9.0,
    ("t-closeness-merging", "all"): 9.0,
    ("projection", "all"): 5.0,
    ("secure-k-ward", "all"): 9.0,
    ("gsms", "all"): 9.0,
    ("fuzzy", "all"): 9.0,
    ("local-search", "all"): 15.0,
    ("constrained-k-means", "all"): 9.0,
    ("k-means-split", "all"): 9.0,
    ("k-means-spread", "all"): 9.0,
    ("kshc", "all"): 15.0,
    ("kshc", "plain"): 15.0,
    ("kshc", "kinds"): 15.0,
    ("local-search", "plain"): 15.0,
    ("ona", "plain"): 9.0,
    ("imhm", "plain"): 9.0,
    ("insensitive", "plain"): 5.0,
}
"""The same where shorter runs say too little: what grows with the square of n is hidden in them by
what does not, or large files are what an algorithm is for."""

SOURCES = tuple(ENOUGH)

LENGTHS = (125, 250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000)
LONG, LARGE = 100_000, {"kd-blocks": 200_000}
"""The length that is tried, too, where the others take less than SHORT seconds; that of algorithms
for large files. After less than LITTLE, one is left out."""

SHORT, LITTLE = 2.5, 0.2
MOST = 40
"""Seconds of the processor after which a run is stopped."""

COMPILED = COLD * 5 // 4
"""A length from which on code is compiled. It is tried if it should take less than MOST seconds."""


WITHOUT = {"plain": ("numpy", "scipy", "numba"), "arrays": ("numba",)}
"""Libraries that an engine does without."""


class Run(NamedTuple):
    """One run: its size, its CPU seconds, the growth of its memory, and whether it was compiled.

    `again` are the seconds of the same a second time in this process, where that was asked.
    """

    size: Size
    seconds: float
    grown: int
    compiled: bool = False
    again: float = 0.0


def write_file(path: Path, n: int, p: int, kinds: bool, seed: int) -> None:
    """Write n records of p attributes; the last two are categories if there are other kinds."""
    draw = random.Random(f"{n} {p} {seed}")
    lines = [",".join(f"v{i}" for i in range(p))]
    for _ in range(n):
        cells = [f"{draw.gauss(100, 30):.2f}" for _ in range(p)]
        if kinds:
            cells[-2:] = [draw.choice("abcde"), draw.choice("rstuvwxyz")]
        lines.append(",".join(cells))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def spec_of(name: str) -> Specification:
    """Return the specification of an algorithm, or of one of VARIANTS."""
    return CATALOGUE[name.partition(" ")[0]]


def words_of(name: str, size: Size, path: Path, kinds: bool) -> list[str]:
    """Return the words of the command."""
    spec, linkage = spec_of(name), name.partition(" ")[2]
    words = ["mask", str(path), "--algorithm", spec.name, "-o", os.devnull, "--quiet", "--force"]
    words += ["--param", f"linkage={linkage}"] if linkage else []
    words += ["-k", str(size.k)] if spec.takes_k else []
    words += ["--seed", "1"] if spec.random else []
    for one, value in spec.first_attributes().items():
        words += ["--param", f"{one}={value}"]
    if kinds:
        for i in range(size.p):
            words += ["--kind", f"v{i}={'nominal' if i >= size.p - 2 else 'numeric'}"]
    return words


def loaded() -> bool:
    """Has this process loaded what is compiled?"""
    return sys.modules.get("refagg.engine.compiled") is not None


def resident() -> int:
    """Bytes of this process that are in memory."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def ran(name: str, size: Size, engine: str, folder: Path, twice: bool = False) -> Run | None:
    """Return what one run costs in a process of its own; None if it failed or was stopped."""
    path = folder / f"{engine == 'kinds'}-{size.n}-{size.p}.csv"
    if not path.exists():
        write_file(path, size.n, size.p, engine == "kinds", 1)

    def work() -> Run | None:
        setrlimit(RLIMIT_CPU, (MOST, MOST + 1))
        sys.modules.update(dict.fromkeys(WITHOUT.get(engine, ()), cast(Any, None)))
        if engine != "plain":
            import numpy  # noqa: F401  (its loading is no part of the time)
        before, start = resident(), time.process_time()
        times, words = [start], words_of(name, size, path, engine == "kinds")
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            for _ in range(1 + twice):
                status = refagg(words)
                times.append(time.process_time())
        grown = getrusage(RUSAGE_SELF).ru_maxrss * 1024 - before
        run = Run(size, times[1] - start, grown, loaded(), times[-1] - times[-2])
        return run if status == 0 else None

    return forked(work)[0]


def growing(name: str, engine: str, folder: Path, p: int) -> Iterator[Run]:
    """Yield the runs of an algorithm on longer and longer files, until they take too long."""
    lengths, enough = [*LENGTHS], LONGER.get((name, engine), ENOUGH[engine])
    while lengths:
        run = ran(name, Size(lengths.pop(0), p, 5), engine, folder)
        if run is None:
            break
        yield run
        if run.seconds > enough and not run.compiled:
            break
        if run.seconds < LITTLE and len(lengths) > 1:
            del lengths[0]
        if not lengths and engine == "all" and run.seconds < SHORT and run.size.n < LONG:
            lengths.append(LARGE.get(name, LONG))


def runs_of(name: str, engine: str, folder: Path) -> Iterator[Run]:
    """Yield the runs of an algorithm: on longer and longer files, then with other p and k."""
    p = 1 if spec_of(name).attributes == "one" else 5
    runs = [*growing(name, engine, folder, p)]
    yield from runs
    if not runs:
        return
    last = runs[-1]
    n = last.size.n // (4 if last.size.n >= LONG else 2)
    yield from some_runs(name, engine, folder, sizes_about(n, n // 3, p, 2 + (engine == "kinds")))
    if engine != "all":
        return
    some = (n * 4 // 5, 3, 4), (n * 3 // 5, 8, 8), (n, 6, 4)  # may take more or less by chance
    yield from some_runs(name, "all", folder, [Size(*one) for one in some * (p > 1)])
    if last.compiled:
        sizes = [*sizes_about(8_000, 2_000, p), Size(32_000, p, 5)]
        yield from some_runs(name, "arrays", folder, sizes)
    square, compiled = last.seconds * (COMPILED / last.size.n) ** 2, last.compiled
    if last.size.n < COMPILED and square < 2 * MOST:
        run = ran(name, Size(COMPILED, p, 5), "all", folder)
        if run and run.compiled:
            compiled = True
            yield run
    larger = [(COMPILED, 2), (COMPILED, 13), (COMPILED, 20), (LONG, 13)] * (p > 1) + [(4 * LONG, p)]
    yield from some_runs(name, "all", folder, [Size(*one, 5) for one in larger * compiled])


def sizes_about(many: int, few: int, p: int, least: int = 2) -> list[Size]:
    """Return sizes with other numbers of attributes, where there can be several, and other k."""
    widths = [(least, 5), (13, 5), (20, 5)] * (p > 1)
    sizes = [Size(many, *one) for one in [*widths, (p, 2), (p, 3), (p, 10), (p, 15)]]
    return sizes + [Size(few, *one) for one in widths]


def some_runs(name: str, engine: str, folder: Path, sizes: Sequence[Size]) -> Iterator[Run]:
    """Yield the runs of these sizes that succeed."""
    for size in sizes:
        run = ran(name, size, engine, folder)
        if run:
            yield run


# The fit


def solved(rows: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return the least squares solution, by NumPy."""
    import numpy as np

    return [float(x) for x in np.linalg.lstsq(np.array(rows), np.array(right), rcond=None)[0]]


def of_file(runs: Sequence[Run], what: str) -> list[float]:
    """Return what a file costs: a constant, for each record, for each value."""
    rows = []
    for run in runs:
        weight = 1 / getattr(run, what)
        rows.append([weight, run.size.n * weight, run.size.n * run.size.p * weight])
    return [max(0.0, x) for x in solved(rows, [1.0] * len(runs))]


def fitted(
    left: Sequence[tuple[Size, float]],
    noise: float,
    bounds: Bounds,
    others: Sequence[float],
) -> list[float]:
    """Return the factor and the exponents (`logarithms`), each within its bounds.

    The least squares of logarithms, where long runs count more; an exponent that would be beyond
    its bounds is set to the nearer one, and the others are looked for again. Where all sizes have
    one n, p or k, or too few p, exponents are those of `others`, the coefficients with NumPy.
    """
    most = max((value for _, value in left), default=0.0)
    if most < noise:
        return [0.0] * 6
    kept = [(size, value) for size, value in left if value > max(noise / 4, most / 50)]
    fixed: dict[int, float] = {}
    for i, (of, few) in enumerate([(0, 1), (1, 1), (2, 1), (1, 2), (1, 2)]):
        if len({size[of] for size, _ in kept}) <= few:
            fixed[i] = (*others, 0.0, 0.0)[i + 1] if any(others) else float(i == 0)
    while True:
        rows, right = [], []
        for size, value in kept:
            weight = math.sqrt(value / most)
            logs = logarithms(size)
            rows.append([weight, *(0.0 if i in fixed else weight * logs[i] for i in range(5))])
            known = sum(fixed[i] * logs[i] for i in fixed)
            right.append(weight * (math.log(value) - known))
        start, *powers = solved(rows, right)
        powers = [fixed.get(i, power) for i, power in enumerate(powers)]
        beyond = [i for i in range(5) if not bounds[i][0] <= powers[i] <= bounds[i][1]]
        if not beyond:
            return [*rounded([math.exp(start), *powers[:3]]), *(round(x, 2) for x in powers[3:])]
        low, high = bounds[beyond[0]]
        fixed[beyond[0]] = min(max(powers[beyond[0]], low), high)


USUAL = ([1.0, 1.5, 0.3, -0.5, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0, 0.0, 0.0])
"""Coefficients of time and memory where no others are known: of them the exponents are taken."""

Bounds = Sequence[tuple[float, float]]
OF_TIME = ((1.0, 3.0), (-0.5, 3.0), (-4.0, 1.5), (-0.75, 0.75), (-0.5, 1.0))
OF_MEMORY = ((1.0, 2.0), (0.0, 1.2), (-1.0, 1.0), (0.0, 0.0), (0.0, 0.0))
"""Exponents that are believed: of memory none keeps more than something for each pair."""

FLAT, OF_FLAT = {"genetic"}, ((0.0, 2.0), *OF_MEMORY[1:])
"""Algorithms whose memory soon grows no more: it is of objects that are not yet collected."""


def rounded(values: Sequence[float]) -> list[float]:
    return [float(f"{value:.3g}") for value in values]


def measure_all(names: Sequence[str], kept: Path) -> dict[str, list[Run]]:
    """Return all runs, by source and algorithm; those in the file `kept` are not run again."""
    known = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        ran("mdav", Size(COMPILED, 5, 5), "all", Path(folder))  # compiled now, if it was not
        for source in SOURCES:
            for name in names:
                began, label = time.monotonic(), f"{source} {name}"
                if label not in known:
                    known[label] = [*map(list, runs_of(name, source, Path(folder)))]
                    kept.write_text(json.dumps(known), encoding="utf-8")
                    waited = time.monotonic() - began
                    print(label, len(known[label]), f"runs, {waited:.0f} s", flush=True)
    return {key: [Run(Size(*one[0]), *one[1:]) for one in runs] for key, runs in known.items()}


def fit_all(
    runs: dict[str, list[Run]],
    starts: Mapping[str, Sequence[float]],
    loading: Sequence[float],
    names: Sequence[str] = (),
) -> None:
    """Write the coefficients of all that was measured; with names, of these algorithms only.

    Those of the others are for the machine as it was: beside them, times are made those that it
    would have taken then.
    """
    now = min(loop() for _ in range(20))
    known: dict[str, Any] = known_costs() if names else {"loop": now, "engines": {}}
    engines: dict[str, dict[str, Any]] = known["engines"]
    for engine, source in ENGINES.items():
        file = [of_file(runs[f"{source} {NOTHING}"], what) for what in ("seconds", "grown")]
        start = zip(file, starts[source], strict=True)
        whole = [[one[0] + more, *one[1:]] for one, more in start]
        if engine == "compiled":
            whole = [[one[0] + more, *one[1:]] for one, more in zip(whole, loading, strict=True)]
        made = engines.setdefault(engine, {"file": [*map(rounded, whole)], "algorithms": {}})
        known_file = engines["arrays"]["file"]
        for name in names or [*CATALOGUE, *VARIANTS]:
            own = runs.get(f"{source} {name}", [])
            if own := [run for run in own if run.compiled == (engine == "compiled")]:
                other = engines["arrays"]["algorithms"].get(name, USUAL)
                more = [a[0] - b[0] for a, b in zip(made["file"], known_file, strict=True)]
                left = left_of(own, "seconds", file[0], more[0])
                factor, *powers = fitted(left, 0.05, OF_TIME, other[0])
                grown = left_of(own, "grown", file[1], more[1])
                noise = 3e7 if engine == "compiled" else 3e6
                bounds = OF_FLAT if name in FLAT else OF_MEMORY
                most = fitted(grown, noise, bounds, other[1])[:4]
                made["algorithms"][name] = [
                    [*rounded([factor * known["loop"] / now]), *powers],
                    other[1] if name in FLAT and engine != "arrays" else most,
                ]
    write_costs(known)


def left_of(
    runs: Sequence[Run], what: str, file: Sequence[float], loading: float
) -> list[tuple[Size, float]]:
    """Return what runs cost without the file, and without loading what is compiled."""
    left = []
    for run in runs:
        linear = file[0] + run.size.n * (file[1] + file[2] * run.size.p)
        left.append((run.size, getattr(run, what) - linear - (loading if run.compiled else 0)))
    return left


ENGINES = {"arrays": "all", "compiled": "all", "plain": "plain", "kinds": "kinds"}
"""The source of each engine's runs."""


def of_loading(folder: Path) -> list[float]:
    """Return the seconds and bytes that it takes to load the compiled engine.

    By two runs in one process, the least of some differences, and by one beside one that does
    nothing.
    """
    size = Size(LONG // 4, 5, 5)
    runs = [ran("mdav", size, "all", folder, True) for _ in range(5)]
    loaded = [run for run in runs if run and run.compiled]
    nothing = ran(NOTHING, size, "all", folder)
    if not loaded or nothing is None:
        return [0.0, 0.0]
    least = min(run.seconds - run.again for run in loaded)
    return [max(0.0, least), float(loaded[0].grown - nothing.grown)]


def start_of_command(folder: Path, source: str) -> list[float]:
    """Return the seconds and bytes of a command, beside what is measured of a run in it.

    The middle of three.
    """
    size, kinds, found = Size(1000, 5, 5), source == "kinds", []
    path = folder / f"{source}.csv"
    write_file(path, size.n, size.p, kinds, 1)
    for _ in range(3):
        words = words_of("mdav", size, path, kinds)
        seconds, used = stats_of(words, WITHOUT.get(source, ()))
        run = ran("mdav", size, source, folder)
        assert run
        found.append([seconds - run.seconds, float(used - run.grown)])
    return sorted(found)[1]


def write_costs(found: dict[str, object]) -> None:
    """Write a line for each algorithm, so that a change of one is a change of one line."""
    text = json.dumps(found, indent=1, sort_keys=True)
    flat = re.compile(r"\[\s*([^\[\]{}]*?)\s*\]")
    text = flat.sub(lambda m: "[" + re.sub(r"\s+", " ", m[1]) + "]", text)
    text = re.sub(r"\[\s*(\[[^\[\]]*\]),\s*(\[[^\[\]]*\])\s*\]", r"[\1, \2]", text)
    COSTS.write_text(text + "\n", encoding="utf-8")


# The check


COMMAND = """
import sys
sys.modules.update(dict.fromkeys({without}))
from refagg.commands.main import main
sys.exit(main())
"""


def stats_of(words: Sequence[str], without: Sequence[str] = ()) -> tuple[float, int]:
    """Return the CPU seconds and the bytes of a command, as the system counts them.

    It does without some libraries.
    """
    command = [sys.executable, "-c", COMMAND.format(without=list(without)), *words]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        return math.nan, 0
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def pairs() -> Iterator[tuple[str, Size]]:
    """Yield pairs of algorithm and size that are predicted to take from 2 to 6 seconds."""
    draw = random.Random(36)
    names = [one for one in CATALOGUE if one != NOTHING]
    for name in draw.sample(names, len(names)):
        p = 1 if CATALOGUE[name].attributes == "one" else draw.choice([3, 4, 6, 8, 10])
        k, wanted = draw.choice([3, 4, 6, 8]), draw.uniform(2, 6)
        for n in range(100, 150_000, 100):
            cost = prediction(name, Size(n, p, k))
            if cost and cost.seconds >= wanted:
                yield name, Size(n, p, k)
                break


def prediction(name: str, size: Size) -> Cost | None:
    """Return what a command would tell of a file of numbers."""
    return predicted(CATALOGUE[name], {}, [size], engine_for([size], []))


def check(number: int) -> None:
    """Run pairs of algorithm and size as commands, and print each prediction and its ratio."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "one.csv"
        for name, size in islice(pairs(), number):
            cost = prediction(name, size)
            assert cost
            slower = loop() / known_costs()["loop"]
            write_file(path, size.n, size.p, False, 2)
            seconds, used = stats_of(words_of(name, size, path, False))
            found.append((slower * cost.seconds / seconds, cost.size / used))
            told = Cost(slower * cost.seconds, cost.size)
            print(
                f"{name} {size.n} x {size.p}, k = {size.k}: {told} told, {seconds:.1f} s, "
                f"{used / 1e6:.0f} MB used, ratios {found[-1][0]:.2f} {found[-1][1]:.2f}",
                flush=True,
            )
    times, sizes = (sum(0.5 <= ratio <= 2 for ratio in one) for one in zip(*found, strict=True))
    print(f"within a factor of 2: {times} of {len(found)} times, {sizes} of {len(found)} memories")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("algorithms", nargs="*", help="those that are measured (default: all)")
    parser.add_argument("--write", action="store_true", help="measure, and write what is fitted")
    parser.add_argument("--runs", type=Path, help="a file that keeps what was measured")
    parser.add_argument("--pairs", type=int, default=50, help="how many pairs are checked")
    given = parser.parse_args()
    os.nice(5)
    if not given.write:
        check(given.pairs)
        return
    with tempfile.TemporaryDirectory() as folder:
        names, kept = given.algorithms, given.runs or Path(folder) / "runs.json"
        runs = measure_all([NOTHING, *names] if names else [*CATALOGUE, *VARIANTS], kept)
        starts = {source: start_of_command(Path(folder), source) for source in SOURCES}
        fit_all(runs, starts, of_loading(Path(folder)), names)


if __name__ == "__main__":
    main()
