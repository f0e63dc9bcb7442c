"""Time and memory of every algorithm by n, beside peers: `python -m tests.benchmarks.growth`.

Each algorithm, and the audit, runs on made data of 100 to 100 000 records with
five attributes (or one), k = 5, in a process of its own with a limit of CPU seconds and of memory;
after a run that is stopped no larger n is tried. Peers that are installed run in turn with it.
CPU seconds are those of the work alone, without imports, the least of up to three runs while these
take less than a second together; memory is the peak of the whole process.

What was measured is kept in `growth.json` beside this file; names measure these alone again. At the
end the ratios are printed, and the marked parts of docs/benchmarks.md are written, as they are with
--page alone; the site draws its pictures from the same file. All takes some 12 CPU minutes.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import math
import os
import platform
import random
import re
import signal
import tempfile
from array import array
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from resource import (
    RLIMIT_AS,
    RLIMIT_CPU,
    RUSAGE_CHILDREN,
    RUSAGE_SELF,
    getrusage,
    setrlimit,
)
from typing import Any, NamedTuple

from refagg.catalogue import CATALOGUE
from refagg.engine.filtered_pool import COLD
from refagg.functions.describing import python_name
from refagg.language.specification import Specification
from tests.benchmarks.forked import forked
from tests.benchmarks.growth_peers import PEERS, K, Rows, Work, version_of
from tests.places import ROOT

SIZES = (100, 300, 1000, 3000, 10_000, 30_000, 100_000)
ATTRIBUTES = 5
OWN = "refagg"
AUDITS = {"audit in Python": "python", "audit by DuckDB": "duckdb"}
"""The engine of each audit that is measured."""

RESULTS = Path(__file__).with_name("growth.json")
PAGE = ROOT / "docs" / "benchmarks.md"

Entry = dict[str, Any]
"""What was measured of one program: lists by n as far as it came, and why it ended."""


class Limits(NamedTuple):
    """CPU seconds, and bytes of address space."""

    seconds: float = 5.0
    size: int = 4 << 30


# What is run


def write_data(folder: Path, n: int) -> None:
    """Write n records of independent normal numbers, and two files for an audit."""
    draw = random.Random(f"growth {n}")
    values = array("q", (round(draw.gauss(0, 10**6)) for _ in range(n * ATTRIBUTES)))
    (folder / f"{n}.values").write_bytes(values.tobytes())
    rows = rows_of(folder, n, ATTRIBUTES)
    released: list[list[str]] = [[]] * n
    order = sorted(range(n), key=lambda record: sum(rows[record]))
    for first in range(0, n, K):
        group = order[first : first + K]
        means = [f"{sum(rows[r][j] for r in group) / K:.1f}" for j in range(ATTRIBUTES)]
        for record in group:
            released[record] = means
    header = ",".join(f"x{j}" for j in range(ATTRIBUTES))
    for name, cells in (("original", rows), ("released", released)):
        lines = [header, *(",".join(map(str, row)) for row in cells)]
        (folder / f"{name}-{n}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def rows_of(folder: Path, n: int, attributes: int) -> Rows:
    """Return the records, of the first attributes."""
    values = array("q")
    values.frombytes((folder / f"{n}.values").read_bytes())
    return [values[i : i + attributes].tolist() for i in range(0, len(values), ATTRIBUTES)]


def grouping(spec: Specification, rows: Rows) -> Work:
    """Return the call of an algorithm's function, with its defaults."""
    import numpy  # noqa: F401  (its loading is no part of the time)

    import refagg

    given: dict[str, Any] = {"seed": 1} if spec.random else {}
    given |= dict.fromkeys(spec.first_attributes(), "0") | ({"k": K} if spec.takes_k else {})
    return partial(getattr(refagg, python_name(spec)), rows, **given)


def auditing(engine: str, original: Path, released: Path) -> Work:
    """Return the call of `oracle audit`: groups, aggregates, losses and risks."""
    import refagg.release.arrays  # noqa: F401  (NumPy, whose loading is no part of the time)
    from oracle.commands.main import main as oracle

    words = ["audit", str(original), str(released), "-k", str(K), "--engine", engine]

    def work() -> None:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            assert oracle(words) == 0

    return work


def programs(what: str) -> dict[str, Callable[[Path, int], Work]]:
    """Return our program and the peers that are installed, by name."""
    if what in AUDITS:
        found: dict[str, Callable[..., Work]] = {OWN: partial(auditing, AUDITS[what])}
    else:
        found = {OWN: partial(grouping, CATALOGUE[what])}
    found |= {peer.name: peer.prepare for peer in PEERS.get(what, ()) if version_of(peer)}
    attributes = 1 if what in CATALOGUE and CATALOGUE[what].attributes == "one" else ATTRIBUTES

    def prepared(prepare: Callable[..., Work], folder: Path, n: int) -> Work:
        if what in AUDITS:
            return prepare(folder / f"original-{n}.csv", folder / f"released-{n}.csv")
        return prepare(rows_of(folder, n, attributes))

    return {name: partial(prepared, prepare) for name, prepare in found.items()}


# One run


def used() -> float:
    """CPU seconds of this process and of those that it waited for."""
    both = (getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)


def peak() -> int:
    """Bytes that this process, or one that it waited for, had at once."""
    return 1024 * max(getrusage(who).ru_maxrss for who in (RUSAGE_SELF, RUSAGE_CHILDREN))


def timed(work: Work) -> float:
    """Return the least CPU seconds of up to three runs, while these take less than a second."""
    times: list[float] = []
    while len(times) < 3 and sum(times) < 1:
        start = used()
        own = work()
        times.append(own if isinstance(own, float) else used() - start)
    return min(times)


def run(prepare: Callable[[], Work], limits: Limits) -> tuple[str, float, int]:
    """Return how one run ended, its CPU seconds and its bytes, in a process of its own."""

    def child() -> tuple[str, float, int]:
        try:
            setrlimit(RLIMIT_AS, (limits.size, limits.size))
            work = prepare()
            last = math.ceil(used() + limits.seconds)
            setrlimit(RLIMIT_CPU, (last, last + 1))
            return "", timed(work), peak()
        except MemoryError:
            return "memory", 0.0, 0

    answer, exitcode = forked(child)
    found = answer or ("", 0.0, 0)
    if found[1] > limits.seconds or exitcode in (-signal.SIGXCPU, -signal.SIGKILL):
        return "time", 0.0, 0
    return found if found[1] or found[0] else ("error", 0.0, 0)


def measured(what: str, folder: Path, limits: Limits) -> Iterator[Entry]:
    """Yield what was measured of an algorithm or audit and its peers, which run in turn."""
    date = datetime.now(UTC).date().isoformat()
    going = programs(what)
    entries = {by: Entry(what=what, by=by, seconds=[], megabytes=[], end="") for by in going}
    for n in SIZES:
        for by, prepare in [*going.items()]:
            end, seconds, size = run(partial(prepare, folder, n), limits)
            if end:
                entries[by]["end"] = end
                del going[by]
            else:
                entries[by]["seconds"].append(float(f"{seconds:.3g}"))
                entries[by]["megabytes"].append(round(size / 1e6))
    for entry in entries.values():
        yield entry | {"date": date}


def measure_all(names: Sequence[str], limits: Limits) -> None:
    """Measure, and keep what was measured after each name."""
    known = read() if RESULTS.exists() else {"runs": []}
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        folder = Path(name)
        for n in SIZES:
            forked(partial(write_data, folder, n))
        warm(folder)
        for what in names:
            start = sum(os.times()[:4])
            entries = [*measured(what, folder, limits)]
            kept = [e for e in known["runs"] if e["what"] != what and e["what"] in wanted()]
            known = {**machine(limits), "runs": sorted([*kept, *entries], key=place)}
            write(known)
            for entry in entries:
                print(told(entry), flush=True)
            print(f"  ({sum(os.times()[:4]) - start:.0f} CPU seconds)", flush=True)


def warm(folder: Path) -> None:
    """Compile what is compiled only once before it is measured."""
    large = next(n for n in SIZES if n >= COLD)
    works = [(programs(what)[OWN], large) for what in ("mdav", *AUDITS)]
    works += [(prepare, SIZES[-1]) for prepare in programs("hansen-mukherjee").values()]
    for prepare, n in works:
        run(partial(prepare, folder, n), Limits(seconds=300))


def told(entry: Entry) -> str:
    """Return one line of what was measured."""
    both = zip(entry["seconds"], entry["megabytes"], strict=True)
    cells = [f"{seconds:g} s {size} MB" for seconds, size in both]
    return f"{entry['what']}, {entry['by']}: {', '.join(cells)} {entry['end']}"


def place(entry: Entry) -> tuple[int, int]:
    """The place of an entry: in the order of the catalogue, then of the peers."""
    names = [OWN, *(peer.name for peer in PEERS.get(entry["what"], ()))]
    return wanted().index(entry["what"]), names.index(entry["by"])


def wanted() -> list[str]:
    """The names of all that is measured."""
    return [*CATALOGUE, *AUDITS]


# What is kept


def machine(limits: Limits) -> Entry:
    """Return what the figures depend on."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    peers = {peer.name: version_of(peer) for some in PEERS.values() for peer in some}
    return {
        "machine": f"{names[0] if names else platform.machine()}, {platform.system()}",
        "python": platform.python_version(),
        "seconds": limits.seconds,
        "gigabytes": round(limits.size / (1 << 30)),
        "sizes": SIZES,
        "peers": peers,
    }


def read() -> Entry:
    """Return what was measured."""
    found: Entry = json.loads(RESULTS.read_text(encoding="utf-8"))
    return found


def write(found: Entry) -> None:
    """Write a line for each program, so that a change of one is a change of one line."""
    head = json.dumps({name: one for name, one in found.items() if name != "runs"})
    lines = ",\n".join(f" {json.dumps(entry)}" for entry in found["runs"])
    RESULTS.write_text(f'{head[:-1]}, "runs": [\n{lines}\n]}}\n', encoding="utf-8")


# The ratios


def ratios(found: Entry, what: str) -> list[list[str]]:
    """Return a row for each peer: what is measured, the peer, and the ratio at each n.

    Above 1 the peer needs less. A run that was stopped took more than the limit: the ratio is a
    bound. Where neither came so far there is none.
    """
    own = {e["what"]: e for e in found["runs"] if e["by"] == OWN}
    rows = []
    for peer in found["runs"]:
        if peer["by"] != OWN:
            both, limit = (own[peer["what"]], peer), found["seconds"]
            cells = [ratio(*both, i, what, limit) for i in range(len(found["sizes"]))]
            rows.append([peer["what"], peer["by"], *cells])
    return rows


def ratio(own: Entry, peer: Entry, i: int, what: str, limit: float) -> str:
    """Return the ratio of our figure to the peer's for the size number i."""
    ours, theirs = (dict(enumerate(entry[what])).get(i) for entry in (own, peer))
    if ours is not None and theirs is not None:
        return short(ours / theirs)
    if what != "seconds" or (ours is None and theirs is None):
        return ""
    if theirs is None:
        return f"below {short(ours / limit)}" if len(peer[what]) == i else ""
    return f"above {short(limit / theirs)}" if len(own[what]) == i else ""


def short(number: float) -> str:
    """Return two digits of a number.

    >>> [short(x) for x in (0.01234, 0.5, 9.96, 1234.0)]
    ['0.012', '0.50', '10', '1200']
    """
    digits = 1 - math.floor(math.log10(number))
    rounded = round(number, digits)
    return f"{rounded:.{max(0, 1 - math.floor(math.log10(rounded)))}f}"


def show(found: Entry) -> None:
    """Print both tables of ratios."""
    for what in ("seconds", "megabytes"):
        print(f"\n{what} of {OWN} by those of the peer")
        for row in [["", "peer", *map(str, found["sizes"])], *ratios(found, what)]:
            print(f"{row[0]:<18}{row[1]:<12}" + "".join(f"{cell:>12}" for cell in row[2:]))
    for name, own in found["peers"].items():
        if not own:
            print(f"{name} is absent")


# The page


def page(found: Entry, text: str) -> str:
    """Return docs/benchmarks.md with what was measured in its marked parts."""
    head = ("measured", "beside", *map(spaced, found["sizes"]))
    parts = {
        "machine": machine_line(found),
        "peers": table_of(("measured", "beside", "version", "what it does"), peers(found), 4),
        "seconds": table_of(head, ratios(found, "seconds"), 2),
        "megabytes": table_of(head, ratios(found, "megabytes"), 2),
    }
    for name, made in parts.items():
        marks = re.compile(f"(<!-- {name} -->\n).*?(\n<!-- end -->)", re.DOTALL)
        assert marks.search(text), name
        text = marks.sub(lambda found, made=made: f"{found[1]}\n{made}\n{found[2]}", text)
    return text


def machine_line(found: Entry) -> str:
    """Return when and on what was measured, and the limits."""
    dates = sorted({entry["date"] for entry in found["runs"]})
    when = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    return (
        f"Measured on {when}: {found['machine']}, Python {found['python']}, one processor. "
        f"Limits of a run: {found['seconds']:g} CPU seconds, {found['gigabytes']} GB."
    )


def peers(found: Entry) -> list[list[str]]:
    """Return a row for each peer, with its version."""
    return [
        [what, peer.name, found["peers"][peer.name] or "absent here", peer.about]
        for what, some in PEERS.items()
        for peer in some
    ]


def table_of(head: Sequence[str], rows: Sequence[Sequence[str]], names: int) -> str:
    """Return a table of Markdown; all columns but the first ones are numbers."""
    line = "|" + "---|" * names + "---:|" * (len(head) - names)
    first, *others = (f"| {' | '.join(cells)} |" for cells in [head, *rows])
    return "\n".join([first, line, *others])


def spaced(n: int) -> str:
    """Return a number with a space before its thousands.

    >>> spaced(1000), spaced(10_000)
    ('1000', '10 000')
    """
    return f"{n:,}".replace(",", " ") if n >= 10_000 else str(n)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.growth")
    parser.add_argument("names", nargs="*", help="what is measured (default: all)")
    parser.add_argument("--seconds", type=float, default=5.0, help="CPU seconds of one run")
    parser.add_argument("--gigabytes", type=float, default=4.0, help="its address space")
    parser.add_argument("--page", action="store_true", help="write the page of what is known")
    given = parser.parse_args()
    if unknown := set(given.names) - set(wanted()):
        parser.error(f"not measured: {', '.join(sorted(unknown))}; names are {', '.join(wanted())}")
    if not given.page:
        os.nice(5)
        threads = ("OMP_NUM", "OPENBLAS_NUM", "NUMBA_NUM", "POLARS_MAX")
        os.environ |= dict.fromkeys([f"{one}_THREADS" for one in threads], "1")
        limits = Limits(given.seconds, int(given.gigabytes * (1 << 30)))
        measure_all(given.names or wanted(), limits)
    show(read())
    PAGE.write_text(page(read(), PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
