"""Both programs and the functions asked nonsense, in process.

No traceback, no endless run, no half-written file.

    python -m tests.black_box.fuzz --cases 2000 --seed 1 --jobs 1

prints what was asked and what was found, with the smallest input for each finding, and ends with
status 1 if there is any. `--only N` shows and runs one case again. A finding is an exception other
than SystemExit, an exit status that is not documented, an error message of several lines, a
control character on standard output or error, a file that is left over, a run that
takes more than `--seconds` and did not say so before, or memory beyond `--megabytes`.
"""

from __future__ import annotations

import argparse
import io
import multiprocessing
import os
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

import oracle.commands.main
import refagg.commands.main
from refagg.data.tables import Table
from refagg.terminal import UNKNOWN
from tests.black_box.fuzz_calls import called
from tests.black_box.fuzz_cases import (
    CERTIFICATE,
    REFERENCE,
    REPORT,
    STATE,
    TABLE,
    VECTORS,
    FuzzCase,
    case_of,
)

PROGRAMS = {
    "refagg": refagg.commands.main.main,
    "oracle": oracle.commands.main.main,
    "python": called,
}
STATUSES = {"compare": {0, 1, 2}, "refagg": {0, 2}, "oracle": {0, 1, 2}, "python": {0, 2}}
CONTROLS = {*map(chr, range(32)), *map(chr, range(127, 160))} - {"\n", "\t"}
CONTROLS |= {
    "\u061c",
    "\u200e",
    "\u200f",
    *map(chr, range(0x202A, 0x202F)),
    *map(chr, range(0x2066, 0x206A)),
}
ROOT = Path(__file__).parents[2]
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
"""Where folders are made and removed quickest."""

TOLD = re.compile(r"about [\d.]+ (s|min|h)\b")
"""How a command says how long it will take, beforehand or on its way."""

BESIDE = re.compile(rf"note: |warning: |\w+: .*({UNKNOWN}|{TOLD.pattern} left)$")
"""Lines beside an error that are none: remarks, and progress on a busy machine."""

ASKING = 6
"""How many times as long a program may be asked: some 200 questions, each with an explanation."""

WAITING = 4
"""How many times as long a run may take by the clock as by the processor, on a busy machine."""

GRACE = 5.0
"""Seconds that a run has beyond its time before its process is ended."""


class Overtime(BaseException):
    """A run took too long."""


@dataclass(frozen=True)
class Outcome:
    """What became of a case."""

    number: int
    command: str
    size: int
    status: str
    seconds: float
    megabytes: float
    findings: tuple[tuple[str, str], ...]
    """Cause and details."""

    beyond: bool = False
    """The input was read: a table was made, or there is a result; what was found came later."""


def made() -> dict[str, bytes]:
    """Files that the programs write, to be spoilt and given back to them."""
    rows = ("0,3", "1,9", "2,27", "10,4", "11,20", "12,31", "30,7", "33,5")
    table = "\n".join(["x0,x1", *rows]) + "\n"
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        Path(TABLE).write_text(table)
        quiet = io.StringIO()
        with redirect_stdout(quiet), redirect_stderr(quiet):
            optimum = ["optimum", TABLE, "-k", "2", "--quiet", "--method", "columns"]
            optimum += ["--certificate", CERTIFICATE, "--json", REFERENCE, "--state", STATE]
            oracle.commands.main.main([*optimum, "--time-limit", "20"])
            mask = ["mask", TABLE, "-k", "3", "--algorithm", "mdav", "-o", "out.csv"]
            refagg.commands.main.main([*mask, "--json", REPORT])
            target = ["--python", "tests.black_box.answers:blocks", "--save", VECTORS]
            oracle.commands.main.main(
                ["hunt", "--algorithm", "mdav", "--max-questions", "60", *target]
            )
        names = (TABLE, CERTIFICATE, REFERENCE, STATE, REPORT, VECTORS)
        return {name: Path(name).read_bytes() if Path(name).exists() else b"{}" for name in names}


# One case


def run_case(number: int, case: FuzzCase, seconds: float) -> Outcome:
    """Run a case in a folder of its own, and look at everything that it left."""
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=MEMORY) as name, chdir(name):
        _prepare(case)
        before = _tree()
        memory, tables = _memory_from_now(), _TABLES[0]
        start = time.process_time()
        status, out, err, found = _called(case, seconds)
        if found and found[0].startswith("too slow") and "run_cases" in found[0]:
            status, out, err, found = _called(case, ASKING * seconds)
        spent = time.process_time() - start
        if found and found[0].startswith("too slow") and TOLD.search(err):
            status, found = "slow, as said", None
        findings = [found] if found else []
        if not found and status != "slow, as said":
            findings += _statuses(case, status, err) + _texts(out, err)
        failed = found is not None or ("error: " in err and "No space left" not in err)
        findings += _left(failed, before)
    command = case.arguments[0] if case.arguments else ""
    command = command if command.isidentifier() else "other"
    return Outcome(
        number,
        f"{case.program} {command}",
        case.size,
        status,
        spent,
        memory(),
        tuple(findings),
        _TABLES[0] > tables or status in ("0", "1"),
    )


def _prepare(case: FuzzCase) -> None:
    """The files of a case, and the odd places that its arguments may name."""
    for name, content in case.files.items():
        Path(name).write_bytes(content)
    for loop in ("loop", "loop.csv"):
        os.symlink(loop, loop)
    os.symlink("no/such/file", "dangling.csv")
    for folder in ("folder", "folder.json"):
        os.mkdir(folder)
    Path("empty.csv").touch()


def _tree() -> dict[str, bytes]:
    """Every file below the folder, but no link, with its content."""
    return {
        os.path.join(top, name): Path(top, name).read_bytes()
        for top, _, names in os.walk(".")
        for name in names
        if not os.path.islink(os.path.join(top, name))
    }


def _called(case: FuzzCase, seconds: float) -> tuple[str, str, str, tuple[str, str] | None]:
    """The exit status, both outputs, and an exception that came out."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace") for _ in "oe")
    found = None
    arguments, sys.argv = sys.argv, [case.program]
    signal.signal(signal.SIGALRM, _overtime)
    signal.signal(signal.SIGPROF, _overtime)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            signal.setitimer(signal.ITIMER_PROF, seconds)
            signal.setitimer(signal.ITIMER_REAL, WAITING * seconds)
            status = str(PROGRAMS[case.program](case.arguments))
    except SystemExit as end:
        status = f"exit {end.code}"
    except BaseException as error:
        status = type(error).__name__
        found = _cause(error), "".join(traceback.format_exception(error, limit=-12))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.argv = arguments
    return status, _text(out), _text(err), found


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.detach()
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8", "replace")


def _overtime(*_: object) -> None:
    raise Overtime


def _cause(error: BaseException) -> str:
    """The kind of an exception and the last line of ours that it went through."""
    places = [
        f"{Path(frame.filename).relative_to(ROOT)}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.startswith((str(ROOT / "refagg"), str(ROOT / "oracle")))
    ]
    kind = type(error).__name__
    if kind == "Overtime":  # wherever it was interrupted
        return f"too slow: {' > '.join(place.split(' ')[-1] for place in places[1:5])}"
    return f"{kind} at {places[-1] if places else 'no line of ours'}"


def _statuses(case: FuzzCase, status: str, err: str) -> list[tuple[str, str]]:
    command = case.arguments[0] if case.arguments else ""
    allowed = STATUSES.get(command if case.program == "refagg" else "", STATUSES[case.program])
    if status in ("exit 0", "exit 2"):
        return []
    if status not in map(str, allowed):
        return [(f"exit status {status}", err)]
    lines = [line for line in err.splitlines() if line and not BESIDE.match(line)]
    if "Traceback" in err:
        return [(f"a traceback on standard error: {lines[-1]}", err)]
    if status == "2" and case.program == "refagg" and len(lines) != 1 and command != "compare":
        return [(f"status 2 with {min(len(lines), 2)} lines on standard error", err)]
    return []


def _texts(out: str, err: str) -> list[tuple[str, str]]:
    both = {"output": out, "error": err}
    signs = {name: sorted(CONTROLS.intersection(text)) for name, text in both.items()}
    return [
        (f"control characters on standard {name}", f"{found!a}\n{both[name]!a}"[:3000])
        for name, found in signs.items()
        if found
    ]


def _left(failed: bool, before: Mapping[str, bytes]) -> list[tuple[str, str]]:
    """Files that nobody asked for, files that a failed command left, files that were spoilt."""
    findings = []
    after = _tree()
    for name, content in after.items():
        if name not in before:
            if any(part.startswith(".") for part in name.split("/")[1:]):
                findings.append(("a temporary file is left", name))
            elif failed:
                findings.append(("a failed command left an output", f"{name}: {content[:200]!r}"))
        elif before[name] != content and failed:
            findings.append(("a failed command changed a file", f"{name}: {content[:200]!r}"))
    gone = [name for name in before if name not in after]
    return findings + ([("a file is gone", ", ".join(gone))] if gone else [])


_TABLES = [0]
"""How many tables were made, in a process that counts them."""


def _count_tables() -> None:
    """A table is made when all of its cells were read."""
    made = Table.__init__

    def counted(self: Table, *args: Any, **options: Any) -> None:
        made(self, *args, **options)
        _TABLES[0] += 1

    Table.__init__ = counted  # type: ignore[method-assign]


def _memory_from_now() -> Callable[[], float]:
    """Begins to measure; the result says the greatest memory in megabytes since."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")

    def peak() -> float:
        with suppress(OSError):
            for line in Path("/proc/self/status").read_text().splitlines():
                if line.startswith("VmHWM"):
                    return int(line.split()[1]) / 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    return peak


# Many cases


@dataclass
class Job:
    """A process that runs every so many-th case."""

    process: multiprocessing.process.BaseProcess
    pipe: Connection
    first: int
    running: int
    since: float


def outcomes(cases: int, seed: str, jobs: int, limits: argparse.Namespace) -> Iterator[Outcome]:
    """Every case, in as many processes; one that does not end is ended, and the others go on."""
    context = multiprocessing.get_context("fork")
    with context.Pool(1) as apart:  # a process that has asked a solver is not to be forked
        files = apart.apply(made)

    def started(first: int) -> Job:
        ours, theirs = context.Pipe()
        numbers = range(first, cases, jobs)
        process = context.Process(
            target=_work, args=(theirs, numbers, seed, files, limits), daemon=True
        )
        process.start()
        theirs.close()
        return Job(process, ours, first, first, time.monotonic())

    running = [started(first) for first in range(min(jobs, cases))]
    while running:
        for job in list(running):
            try:
                yield from _heard(job)
            except EOFError:
                job.process.join()
                running.remove(job)
                if job.process.exitcode:
                    cause = f"the process ended with {job.process.exitcode}"
                    yield _lost(job.running, seed, files, cause)
                if job.running + jobs < cases:
                    running.append(started(job.running + jobs))
                continue
            if time.monotonic() - job.since > WAITING * (1 + ASKING) * limits.seconds + GRACE:
                job.process.kill()
                job.process.join()
                running.remove(job)
                yield _lost(job.running, seed, files, "does not end and cannot be interrupted")
                running.append(started(job.running + jobs))


def _heard(job: Job) -> Iterator[Outcome]:
    """The outcomes that a process has told; waits a little for the first. Raises EOFError."""
    while job.pipe.poll(0.05):
        told = job.pipe.recv()
        job.since = time.monotonic()
        if isinstance(told, Outcome):
            yield told
        else:
            job.running = told


def _lost(number: int, seed: str, files: Mapping[str, bytes], cause: str) -> Outcome:
    case = numbered(seed, number, files)
    command = f"{case.program} {case.arguments[0] if case.arguments else ''}"
    return Outcome(number, command, case.size, "lost", 0.0, 0.0, ((f"{command}: {cause}", ""),))


def numbered(seed: str, number: int, files: Mapping[str, bytes]) -> FuzzCase:
    """A case by its number."""
    return case_of(Random(f"{seed}/{number}"), files)


def _bounded(megabytes: int) -> None:
    """A process takes hardly more memory than this; beyond it, a MemoryError is a finding."""
    used = resource.getrlimit(resource.RLIMIT_AS)[1]
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + (megabytes + 500 << 20)
    resource.setrlimit(resource.RLIMIT_AS, (most, used))


def _work(
    pipe: Connection,
    numbers: range,
    seed: str,
    files: Mapping[str, bytes],
    limits: argparse.Namespace,
) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    os.dup2(sys.stdin.fileno(), 0)
    _bounded(limits.megabytes)
    _count_tables()
    for number in numbers:
        pipe.send(number)
        outcome = run_case(number, numbered(seed, number, files), limits.seconds)
        if outcome.megabytes > limits.megabytes:
            more = (f"{outcome.command}: more than {limits.megabytes} MB", "")
            outcome = Outcome(**{**vars(outcome), "findings": (*outcome.findings, more)})
        pipe.send(outcome)
        if outcome.megabytes > limits.megabytes:
            break  # what was taken is not always given back: another process goes on


def main() -> int:
    """Ask, count, tell; 1 if there is any finding."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--seed", default=None, help="another each time, if none is given")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--seconds", type=float, default=10.0, help="of the processor that a case may take"
    )
    parser.add_argument("--megabytes", type=int, default=1000, help="that a process may take")
    parser.add_argument("--only", type=int, metavar="N", help="show and run this case")
    given = parser.parse_args()
    seed = given.seed if given.seed is not None else str(Random().randrange(10**9))
    if given.only is not None:
        return _again(seed, given)
    tally = Tally(seed)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for outcome in outcomes(given.cases, seed, given.jobs, given):
            tally.add(outcome)
    except KeyboardInterrupt:
        print("interrupted")
    tally.tell()
    return 1 if tally.smallest else 0


def _again(seed: str, given: argparse.Namespace) -> int:
    case = numbered(seed, given.only, made())
    _bounded(given.megabytes)
    print(case.program, *map(ascii, case.arguments))
    for name, content in case.files.items():
        print(f"--- {name}\n{content[:2000]!a}")
    outcome = run_case(given.only, case, given.seconds)
    print(outcome.status, f"{outcome.seconds:.2f} s", f"{outcome.megabytes:.0f} MB")
    for cause, details in outcome.findings:
        print(f"{cause}\n{details}")
    return 1 if outcome.findings else 0


class Tally:
    """Counts over outcomes, and the smallest case of each finding."""

    def __init__(self, seed: str) -> None:
        self.seed, self.cases, self.bytes, self.began = seed, 0, 0, time.monotonic()
        self.beyond = 0
        self.statuses: Counter[str] = Counter()
        self.commands: Counter[str] = Counter()
        self.spent: Counter[str] = Counter()
        self.slowest: list[tuple[float, str, int]] = []
        self.largest = (0.0, "", 0)
        self.counts: Counter[str] = Counter()
        self.smallest: dict[str, tuple[int, int, str]] = {}

    def add(self, outcome: Outcome) -> None:
        self.cases += 1
        self.bytes += outcome.size
        self.beyond += outcome.beyond
        self.statuses[outcome.status] += 1
        self.commands[outcome.command] += 1
        self.spent[outcome.command] += round(1000 * outcome.seconds)
        slow = (outcome.seconds, outcome.command, outcome.number)
        self.slowest = sorted([*self.slowest, slow], reverse=True)[:5]
        self.largest = max(self.largest, (outcome.megabytes, outcome.command, outcome.number))
        for cause, details in outcome.findings:
            self.counts[cause] += 1
            known = self.smallest.get(cause)
            if known is None:
                print(f"found in case {outcome.number}: {cause!a}", file=sys.stderr, flush=True)
            if known is None or outcome.size < known[0]:
                self.smallest[cause] = (outcome.size, outcome.number, details)
        if self.cases % 10_000 == 0:
            spent = time.monotonic() - self.began
            print(f"{self.cases} cases, {spent:.0f} s", file=sys.stderr, flush=True)

    def tell(self) -> None:
        spent = time.monotonic() - self.began
        print(f"seed {self.seed}: {self.cases} cases, {self.bytes} bytes, {spent:.0f} s")
        print(f"beyond the reading of the input: {self.beyond}")
        print("statuses:", ", ".join(f"{s} {c}" for s, c in self.statuses.most_common()))
        print("commands:", ", ".join(f"{s} {c}" for s, c in self.commands.most_common()))
        print("milliseconds:", ", ".join(f"{s} {c}" for s, c in self.spent.most_common()))
        print("slowest:", ", ".join(f"{s:.2f} s {c} (case {n})" for s, c, n in self.slowest))
        print(f"largest: {self.largest[0]:.0f} MB {self.largest[1]} (case {self.largest[2]})")
        print(f"findings: {len(self.smallest)}")
        for cause, count in self.counts.most_common():
            size, number, details = self.smallest[cause]
            print(f"\n{count} times: {cause!a}")
            print(f"smallest: {size} bytes, --seed {self.seed} --only {number}")
            print("  " + "\n  ".join(details.strip().splitlines()[-8:]))


if __name__ == "__main__":
    sys.exit(main())
