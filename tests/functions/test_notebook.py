"""Results in a notebook: texts and pages without records, frames, pictures, copies, progress."""

from __future__ import annotations

import copy
import pickle
import re
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import cache
from inspect import signature
from io import BytesIO
from itertools import islice
from types import SimpleNamespace
from typing import Any

import joblib
import matplotlib
import pandas
import polars
import pyarrow
import pytest

import oracle
import refagg
from refagg import terminal
from refagg.errors import BeyondFloats, InvalidParameter
from refagg.functions import FUNCTIONS
from refagg.literature import reproducing
from refagg.notebook import LONGEST, MOST_ROWS, bars, lines

matplotlib.use("Agg")

SECRETS = [987_651 + 1001 * record for record in range(45)]
"""Values that no text and no page may show."""

ROWS = [[float(value), float(record % 7)] for record, value in enumerate(SECRETS)]


def in_order(rows: list[list[float]], k: int) -> list[int]:
    return [min(record // k, len(rows) // k - 1) for record in range(len(rows))]


@cache
def results() -> dict[str, Any]:
    """A result of every kind."""
    release = refagg.microaggregate(ROWS, 3, trace=True)
    few, k = ROWS[:9], 3
    optimum = oracle.optimum(few, k, method="columns", standardise="none")
    return {
        "release": release,
        "release apart": refagg.microaggregate([[None, 1.0]] * 3 + ROWS, 3, missing="group-apart"),
        "partition": refagg.mdav(ROWS, 3),
        "evaluation": refagg.evaluate(ROWS, release.partition, 3),
        "comparison": refagg.compare(ROWS, [3, 4], algorithms=["mdav", "fuzzy"]),
        "fuzzy": refagg.fuzzy(ROWS, 3, seed=1),
        "clustering": refagg.fuzzy_c_means(ROWS, 3, seed=1),
        "audit": oracle.audit(ROWS, release.to_frame(), k=3, algorithm="mdav", sets=[["x1"]]),
        "failed audit": oracle.audit(ROWS, ROWS, k=3, algorithm="mdav"),
        "release alone": oracle.audit_release(release.to_frame(), k=3),
        "identification": oracle.identify(
            few, refagg.microaggregate(few, 3).to_frame(), algorithm=["mdav", "md", "v-mdav"]
        ),
        "conformance": oracle.conform(in_order, "mdav", flags=["order"]),
        "hunt": oracle.hunt(in_order, "mdav", max_questions=40),
        "optimum": optimum,
        "proof": oracle.verify(optimum.certificate or {}, few),
    }


NAMES = (
    *("release", "release apart", "partition", "evaluation", "comparison", "fuzzy", "clustering"),
    *("audit", "failed audit", "release alone", "identification", "conformance", "hunt"),
    *("optimum", "proof"),
)


@pytest.fixture(scope="module", params=NAMES)
def result(request: pytest.FixtureRequest) -> Any:
    return results()[request.param]


def test_texts_and_pages_are_short_and_show_no_record(result: Any) -> None:
    assert len(repr(result)) <= LONGEST
    page = result._repr_html_()
    assert page.count("<tr>") <= MOST_ROWS + 1
    assert not any(str(secret) in text for secret in SECRETS for text in (repr(result), page))


LONG = "n" * 50
"""Names of which the first 40 characters are the same are two names."""


@pytest.mark.parametrize("names", [("$a_{b$", "_b"), (f"{LONG}1", f"{LONG}2"), ("$x^2$", "<b>&")])
def test_names_in_pictures_are_those_of_the_user(names: tuple[str, str]) -> None:
    axes = matplotlib.pyplot.figure().add_subplot()
    lines({name: {2: 1.0, 3: 2.0} for name in names}, "k", "loss")(axes)
    legend = axes.get_legend()
    assert legend
    assert [text.get_text() for text in legend.get_texts()] == list(names)
    bars_at = matplotlib.pyplot.figure().add_subplot()
    bars(dict.fromkeys(names, 1.0), "records")(bars_at)
    assert len({bar.get_y() for bar in bars_at.patches}) == 2
    assert [text.get_text()[:5] for text in bars_at.get_yticklabels()] == [n[:5] for n in names]
    for figure in map(matplotlib.pyplot.figure, matplotlib.pyplot.get_fignums()):
        figure.savefig(BytesIO(), format="svg")
    matplotlib.pyplot.close("all")


def test_numbers_beyond_binary64_are_named() -> None:
    rows = [[10**400], [1], [2], [3]]
    with pytest.raises(BeyondFloats, match="a centre is beyond binary64"):
        refagg.fuzzy_c_means(rows, 2, seed=1)
    with pytest.raises(BeyondFloats, match="a value beyond binary64"):
        refagg.compare(rows, [2], algorithms=["mdav"], heuristics={"own": lambda *_: [0, 0, 1, 1]})


def test_pictures_and_frames(result: Any) -> None:
    axes = result.plot()
    assert max(map(len, axes.get_title().splitlines())) <= 70
    title, says = ("".join(text.split()) for text in (axes.get_title(), result.overview().says))
    assert title[:100] == says[:100]
    assert axes.has_data()
    assert result.plot(axes) is axes
    matplotlib.pyplot.close("all")
    if type(result).__name__.startswith("Release"):  # the frame is the released table
        return
    frames = [result.to_frame(library) for library in ("pandas", "polars", "pyarrow")]
    assert list(map(type, frames)) == [pandas.DataFrame, polars.DataFrame, pyarrow.Table]
    assert {tuple(map(str, frame.columns)) for frame in frames[:2]} == {
        tuple(frames[2].column_names)
    }
    with pytest.raises(InvalidParameter, match="library is 'numpy'"):
        result.to_frame("numpy")


def test_texts_of_what_results_hold_are_short_and_show_no_record() -> None:
    release = results()["release"]
    weighted = refagg.method_of("mdav", 3, sampling_weights=SECRETS)
    drawn = refagg.microaggregate(ROWS, 3, "fuzzy", seed=1, trace=True).blocks
    held = [release.method, weighted, release.original, *refagg.CATALOGUE.values()]
    for text in map(repr, [*held, drawn[0].centres]):
        assert len(text) <= LONGEST
        assert not any(str(secret) in text for secret in SECRETS)
    assert repr(release.method) == "<Method mdav, k = 3>"


def held_by(made: Any, depth: int) -> Iterator[Any]:
    """Yield what a result is of, and what it holds, of the types of this project."""
    if isinstance(made, dict | list | tuple) and not hasattr(made, "_fields"):
        for one in list(made.values() if isinstance(made, dict) else made)[:5]:
            yield from held_by(one, depth)
    elif depth and type(made).__module__.partition(".")[0] in ("refagg", "oracle"):
        yield made
        names = {f.name for f in fields(made)} if is_dataclass(made) else set()
        public = [n for n in dir(type(made)) if not n.startswith("_")]
        names |= {n for n in public if isinstance(getattr(type(made), n), property)}
        for name in sorted(names):
            yield from held_by(getattr(made, name), depth - 1)


def test_texts_of_all_that_results_hold_are_short_and_show_no_record(result: Any) -> None:
    found = list(held_by(result, 4))
    assert found
    for one in found:
        text = repr(one)
        assert len(text) <= LONGEST, text
        assert not any(re.search(rf"(?<![\w.]){secret}(?!\w)", text) for secret in SECRETS), text
        assert repr(pickle.loads(pickle.dumps(one))) == text or " at 0x" in text


def test_the_text_of_a_suppression_shows_no_record() -> None:
    made = refagg.with_suppression(SECRETS, 3, most=2)
    assert len(repr(made)) <= LONGEST
    assert "(0, 1" not in repr(made)
    assert pickle.loads(pickle.dumps(made)) == copy.deepcopy(made) == made


def same(result: Any) -> Any:
    return result


def test_results_are_pickled_copied_and_sent_to_other_processes(result: Any) -> None:
    text = repr(result)
    assert repr(pickle.loads(pickle.dumps(result))) == text
    assert repr(copy.copy(result)) == repr(copy.deepcopy(result)) == text
    assert [repr(one) for one in joblib.Parallel(n_jobs=1)([joblib.delayed(same)(result)])] == [
        text
    ]


def test_all_results_come_back_from_another_process() -> None:
    with ProcessPoolExecutor(1) as pool:
        made = list(pool.map(same, results().values()))
    assert list(map(repr, made)) == list(map(repr, results().values()))
    release = made[0]
    assert release.method.specification is refagg.specification("mdav")
    assert release.to_frame() == results()["release"].to_frame()


def shared(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    return len({*a} ^ {*b})


def test_what_callers_give_is_pickled_with_a_result() -> None:
    own: Any = {"algorithms": ["mdav"], "groups": {"mine": in_order(ROWS, 3)}}
    compared = refagg.compare(ROWS, 3, heuristics=[in_order], **own)
    routes = {"route": ["a>b", "b", "c>d>e", "a"]}
    how: Any = {"kinds": {"route": "sequence:>"}, "algorithm": "kshc"}
    matrix = [[float(a != b) for a in range(4)] for b in range(4)]
    released = [refagg.microaggregate(routes, 2, dissimilarity=d, **how) for d in (shared, matrix)]
    for made in (compared, *released):
        for again in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
            assert repr(again) == repr(made)
    again = pickle.loads(pickle.dumps(released[0])).method.dissimilarity
    assert repr(again) == "Dissimilarity(name='own', meaning='')"  # no sequence, and no matrix
    assert again(("a", "b"), ("b", "x")) == 2  # of a sequence that no record has, too


def test_a_copy_of_printed_numbers_goes_on_where_they_are() -> None:
    rows = refagg.reproduce("vg", random=False)
    first, second = islice(refagg.reproduce("vg", random=False), 2)
    assert next(pickle.loads(pickle.dumps(rows))) == next(rows) == first != second
    for again in (pickle.loads(pickle.dumps(rows)), copy.copy(rows), copy.deepcopy(rows)):
        assert next(again) == second
    assert next(rows) == second


def test_a_function_is_pickled_by_its_name() -> None:
    for function in (refagg.mdav, refagg.microaggregate, oracle.audit):
        assert pickle.loads(pickle.dumps(function)) is function


def test_the_table_of_a_partition_is_the_group_of_each_record() -> None:
    frame = refagg.mdav([[1], [2], [8], [9]], 2).to_frame()
    assert frame.to_dict("list") == {"record": [0, 1, 2, 3], "group": [0, 0, 1, 1]}


def slow(rows: list[list[float]], k: int) -> list[int]:
    time.sleep(0.05)
    return in_order(rows, k)


def test_progress_is_a_line_on_standard_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(terminal, "PATIENCE", 0.02)
    oracle.conform(slow, "any k-partition", flags=["order"])
    assert capsys.readouterr().err == ""
    oracle.conform(slow, "any k-partition", flags=["order"], progress=True)
    assert " vectors done" in capsys.readouterr().err


def test_what_takes_long_can_be_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    @contextmanager
    def watched(what: str, quiet: bool, command: bool) -> Iterator[None]:
        assert not quiet
        assert not command
        seen.append(what)
        yield

    monkeypatch.setattr(terminal, "watched", watched)
    monkeypatch.setattr(reproducing, "watched", watched)
    proof = oracle.optimum([[1], [2], [9], [8]], 2, method="columns", standardise="none")
    calls: dict[str, Callable[[bool], object]] = {
        "verify": lambda p: oracle.verify(proof.certificate, [[1], [2], [9], [8]], progress=p),
        "fuzzy_c_means": lambda p: refagg.fuzzy_c_means([[1], [5]], 2, seed=1, progress=p),
        "with_suppression": lambda p: refagg.with_suppression([1, 2], 2, progress=p),
        "reproduce, number 1": lambda p: next(refagg.reproduce("tor", progress=p)),
    }
    for name, call in calls.items():
        call(False)
        assert seen == []
        call(True)
        assert seen == [name]
        seen.clear()


@pytest.mark.parametrize("module", [refagg, oracle])
def test_all_that_takes_long_has_the_option_progress(module: Any) -> None:
    long = {"microaggregate", "compare", "evaluate", "measure", "fuzzy_c_means", "reproduce"}
    long |= {"with_suppression", "audit", "audit_release", "conform", "hunt", "identify"}
    long |= {"optimum", "verify"}
    for name in long & set(dir(module)) - set(FUNCTIONS):
        assert not signature(getattr(module, name)).parameters["progress"].default


def test_progress_is_a_bar_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[dict[str, str]] = []
    handle = SimpleNamespace(update=lambda data, raw: shown.append(data))
    display = SimpleNamespace(display=lambda data, raw, display_id: handle)
    shell = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=1))
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    monkeypatch.setattr(terminal, "PATIENCE", 0.15)
    oracle.hunt(slow, "any k-partition", max_questions=40, time_limit=2, progress=True)
    assert "<progress" in shown[0]["text/html"]
    assert shown[-1] == {"text/plain": "", "text/html": ""}


def test_ctrl_c_ends_a_function_that_is_watched() -> None:
    def interrupted(rows: Any, k: int) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        oracle.conform(interrupted, "any k-partition", flags=["order"], progress=True)
    assert not terminal.NOW.commanded
