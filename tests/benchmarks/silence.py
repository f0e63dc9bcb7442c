"""How long every command is silent on Census, and what it says last of what is left.

`python -m tests.benchmarks.silence DATA [--seconds S] [WORD...]`: DATA is the folder that has
census.csv; each command is ended after S seconds (30). With words, only commands whose text has one
of them are run. A command is too silent when it says nothing for MOST seconds.
"""

from __future__ import annotations

import argparse
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from refagg.catalogue import CATALOGUE

MOST = 60.0
"""Seconds."""


def masks(census: Path) -> Iterator[str]:
    """A run of every algorithm in exact arithmetic where it is the default."""
    for spec in CATALOGUE.values():
        words = f"refagg mask {census} -o out.csv --algorithm {spec.name}"
        words += " -k 3" if spec.takes_k else ""
        words += " --seed 1" if spec.random else ""
        words += " --columns AGI" if spec.attributes == "one" else ""
        if any(parameter.name == "confidential" for parameter in spec.parameters):
            words += " --param confidential=1 --param t=1/5"
        yield words


def others(census: Path, kept: Path) -> Iterator[str]:
    """Every other command; `kept` is a release by MDAV."""
    yield f"refagg compare {census} -k 3,5"
    yield f"refagg compare {census} -k 3 --arithmetic exact"
    yield f"refagg measure {census} {kept} --measures all --all-risks"
    yield "refagg reproduce"
    yield f"oracle audit {census} {kept} -k 3 --algorithm mdav,v-mdav,md,kshc --all-risks"
    yield f"oracle audit {census} {kept} -k 3 --optimum --time-limit 300"
    yield f"oracle identify {census} {kept} -k 3"
    yield f"oracle optimum {census} -k 3"
    yield f"oracle optimum {census} -k 3 --method ilp"
    yield f"oracle optimum {census} -k 3 --objective absolute --columns AGI"
    yield f"oracle optimum {census} -k 5 --time-limit 200"
    yield f"oracle verify datasets/certificates/census-3.json.gz {census}"
    yield "oracle conform --algorithm mdav --python refagg:mdav"
    yield "oracle hunt --algorithm mdav --python refagg:mdav --time-limit 60"
    yield "oracle field"
    yield "oracle vectors list"


def silence(words: list[str], folder: str, seconds: float) -> tuple[float, float, str, int | None]:
    """The longest silence, how long it ran, the last line that tells of work, the exit status."""
    environment = os.environ | {"TERM": "dumb", "PYTHONPATH": f"{Path.cwd()}:{folder}"}
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder, env=environment
    ) as process:
        assert process.stdout
        began = heard = time.monotonic()
        longest, told, ended = 0.0, "", False
        os.set_blocking(process.stdout.fileno(), False)
        with selectors.DefaultSelector() as ready:
            ready.register(process.stdout, selectors.EVENT_READ)
            while not ended and time.monotonic() - began < seconds:
                if ready.select(0.2):
                    data = process.stdout.read()
                    longest = max(longest, time.monotonic() - heard)
                    heard, ended = time.monotonic(), data == b""
                    lines = (data or b"").decode(errors="replace").splitlines()
                    told = next((line for line in reversed(lines) if " s" in line), told)
        longest = max(longest, time.monotonic() - heard)
        status = process.poll()
        ran = time.monotonic() - began
        process.send_signal(signal.SIGINT)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
        return longest, ran, told, status if not ended else process.wait()


def main() -> None:
    """A line for each command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("word", nargs="*")
    parser.add_argument("--seconds", type=float, default=30.0)
    given = parser.parse_intermixed_args()
    census, root = (given.data / "census.csv").resolve(), Path.cwd()
    programs = Path(sys.executable).parent
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "kept.csv"
        mask = ["mask", str(census), "--algorithm", "mdav", "-k", "3", "-o", str(kept)]
        subprocess.run([programs / "refagg", *mask], check=True, capture_output=True)
        for text in (*others(census, kept), *masks(census)):
            if given.word and not any(word in text for word in given.word):
                continue
            words = text.replace("tests/", f"{root}/tests/").split()
            words[0] = str(programs / words[0])
            longest, ran, told, status = silence(words, folder, given.seconds)
            what = text.replace(f"{census}", "census.csv").replace(str(kept), "kept.csv")
            flag = "TOO SILENT" if longest >= MOST else ""
            state = "running" if status is None else f"status {status}"
            print(f"{longest:5.1f} of {ran:5.1f} s  {state:9} {what}  |  {told} {flag}", flush=True)


if __name__ == "__main__":
    main()
