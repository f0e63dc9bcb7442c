"""A player as self-contained HTML: part of a page, or page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from refagg.comparison.player.frames import ALONE, Frame
from refagg.comparison.player.places import ALIKE, NUMBER, STACKED
from refagg.comparison.player.scene import Run, Scene
from refagg.comparison.player.text import SourceFunction, texts_of
from refagg.data.csvfiles import write_bytes

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"

BUTTONS = (
    ("first", "First step", "M6 5v14M18 5l-8 7 8 7z"),
    ("back", "One step back", "M16 5l-8 7 8 7z"),
    ("play", "Play", "M7 4l12 8-12 8z"),
    ("on", "One step on", "M8 5l8 7-8 7z"),
    ("last", "Last step", "M18 5v14M6 5l8 7-8 7z"),
)
"""Each with its label and its picture."""


def write_player(path: Path, scene: Scene, title: str) -> None:
    """Write a page that plays a scene.

    It needs no other file. Raises OutputUnwritable.
    """
    write_bytes(path, page_of(scene, title).encode(errors="backslashreplace"))


def page_of(scene: Scene, title: str) -> str:
    """A page that plays a scene."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>{escape(title)}</title>\n</head>\n"
        '<body class="run-player-page">\n<main>\n'
        f"<h1>{escape(title)}</h1>\n{fragment(scene, title)}\n</main>\n</body>\n</html>\n"
    )


def fragment(scene: Scene, title: str) -> str:
    """Return a part of a page that plays a scene.

    It has its style and its script.
    """
    data = json.dumps(_data(scene), separators=(",", ":"), ensure_ascii=False)
    safe = data.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return "\n".join(
        [
            f'<section class="run-player" tabindex="0" aria-label="Steps: {escape(title)}">',
            f"<style>\n{_file('player.css')}</style>",
            _controls(scene.runs),
            '<p class="rp-now" aria-live="polite"></p>',
            f'<div class="rp-both">\n{_picture(scene)}\n{_text(scene)}\n</div>',
            *map(_sentences, scene.runs),
            f'<script type="application/json">{safe}</script>',
            f"<script>\n{_file('player.js')}</script>",
            "</section>",
        ]
    )


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _controls(runs: Sequence[Run]) -> str:
    buttons = "".join(
        f'<button type="button" class="rp-{name}" aria-label="{label}" title="{label}">'
        f'<svg viewBox="0 0 24 24" aria-hidden="true"><path d="{path}"/></svg></button>'
        for name, label, path in BUTTONS
    )
    options = "".join(f"<option>{escape(run.title)}</option>" for run in runs)
    hidden = " hidden" if len(runs) < 2 else ""
    return (
        f'<label class="rp-runs"{hidden}>Run <select class="rp-run">{options}</select></label>\n'
        f'<div class="rp-bar">{buttons}'
        '<input type="range" class="rp-step" min="0" value="0" aria-label="Step">'
        '<span class="rp-count"></span></div>'
    )


def _picture(scene: Scene) -> str:
    tree = '<svg class="rp-tree" role="img" aria-label="Dendrogram"></svg>'
    grows = any(run.growth for run in scene.runs)
    words = " ".join(_legend(scene))
    chooser = "".join(
        f'<label>{name} axis <select class="rp-{key}"></select></label>'
        for name, key in (("Horizontal", "x"), ("Vertical", "y"))
    )
    return (
        '<div class="rp-pictures"><svg class="rp-plot" role="img"></svg>'
        f'{tree * grows}<ul class="rp-named" aria-label="The records" hidden></ul><details>'
        f"<summary>What the picture shows</summary>"
        f'<p>{words}</p><p class="rp-axes">{chooser}<label>Speed <select class="rp-speed">'
        '<option value="2600">slow</option><option value="1400" selected>medium</option>'
        '<option value="500">fast</option></select></label></p></details></div>'
    )


def _legend(scene: Scene) -> Iterator[str]:
    yield "Each dot is a record, with its number where there are few."
    if scene.specification.yields == "partition":
        yield (
            "A coloured shape is a group so far, with a diamond at its average; hollow dots are "
            "records that remain, and the cross is their average. A ring marks a record that the "
            "step has chosen, a dashed line from what it was measured, a dashed ring a tie, and a "
            "dashed outline the groups that the step is about."
        )
    elif scene.specification.yields == "centres":
        yield (
            "A diamond is a centre. A record has the colour of the centre in which its membership "
            "is greatest; the darker a line from a record to a centre, the greater its membership "
            "there. When records are drawn to a centre, only the lines to this centre are left."
        )
    else:
        yield "An arrow leads from the original values of a record to those that are released."
    if any(run.growth for run in scene.runs):
        yield (
            "In the dendrogram each bar is a merger, as high as the two clusters were apart; "
            "records that another step put together are joined by a dashed bar."
        )
    for value, said in scene.places.lines.values():
        yield f"The line at {value:g} is where the constraint is met: {escape(said)}."
    if scene.places.categories:
        yield "Records of the same category are spread around its tick."
    yield scene.places.remark


def _text(scene: Scene) -> str:
    """The steps in words, and the functions."""
    steps = "".join(
        f'<p data-step="{step.label}"><b>{step.label}.</b> {_prose(step.text)}</p>'
        if step.label
        else f"<p>{_prose(step.text)}</p>"
        for step in scene.text.steps
    )
    own = [f for f in scene.functions if f.module == scene.text.module]
    shown = "".join(_function(f, f in own, f == scene.text.main) for f in scene.functions)
    return (
        f'<div class="rp-text"><div class="rp-steps">{steps}</div>'
        f'<div class="rp-code" role="group" aria-label="The code">{shown}</div></div>'
    )


def _prose(text: str) -> str:
    return re.sub(r"`(.+?)`", r"<code>\1</code>", escape(text))


def _function(function: SourceFunction, own: bool, main: bool) -> str:
    lines = "".join(
        f'<span data-line="{number}"><i>{number}</i>{escape(line) or " "}</span>'
        for number, line in enumerate(function.lines(), function.first)
    )
    path = f"{function.module.replace('.', '/')}.py"
    label = f"<figcaption>{path}</figcaption>" if main or not own else ""
    keeps = " data-main" * main
    return f'<figure data-module="{function.module}"{keeps}>{label}<pre>{lines}</pre></figure>'


def _sentences(run: Run) -> str:
    lines = "".join(f"<li><button type=button>{escape(f.text)}</button></li>" for f in run.frames)
    return (
        f"<details class=rp-all><summary>All {len(run.frames) - 1} steps as text</summary>"
        f'<ol start="0">{lines}</ol></details>'
    )


# Data


def _data(scene: Scene) -> dict[str, object]:
    places = scene.places
    return {
        "axes": {name: [float(f"{x:.15g}") for x in xs] for name, xs in places.axes.items()},
        "categories": places.categories,
        "number": NUMBER,
        "stacks": [name for name in places.axes if name.endswith(STACKED)],
        "alike": [n for n in places.axes if n in ALIKE or n.startswith("principal component")],
        "lines": places.lines,
        "sums": places.sums,
        "texts": places.texts,
        "runs": [_run(scene, run) for run in scene.runs],
    }


def _run(scene: Scene, run: Run) -> dict[str, Any]:
    first = scene.places.first
    if len(run.names) == 1 and run.names[0] + STACKED in scene.places.axes:
        first = run.names[0], run.names[0] + STACKED
    data: dict[str, Any] = {"title": run.title, "first": first, "records": list(run.records)}
    data["frames"] = _changes(run.frames)
    if run.growth:
        data["leaves"], data["bars"] = run.growth.leaves, run.growth.bars
        before: frozenset[int] = frozenset()
        for frame, now in zip(data["frames"], run.growth.after, strict=True):
            frame |= {"b": sorted(before ^ now)} if before != now else {}
            before = now
    return data


def _changes(frames: Sequence[Frame]) -> list[dict[str, Any]]:
    """Each frame by what it changes in the one before."""
    found: list[dict[str, Any]] = []
    before = Frame("", (ALONE,) * len(frames[0].group_of), frozenset())
    for frame in frames:
        change = {**_of_groups(before, frame), **_of_step(frame)}
        for key, was, now in (
            ("o", before.order, frame.order),
            ("c", before.centres, frame.centres),
            ("u", before.memberships, frame.memberships),
        ):
            change[key] = [] if was == now else now
        change["u"] = [[round(u, 3) for u in row] for row in change["u"]]
        change["v"] = frame.moved[len(before.moved) :]
        found.append({key: value for key, value in change.items() if value})
        before = frame
    return found


def _of_groups(before: Frame, frame: Frame) -> Mapping[str, Any]:
    pairs = enumerate(zip(before.group_of, frame.group_of, strict=True))
    return {
        "g": [(record, now) for record, (was, now) in pairs if was != now],
        "r": sorted(before.remaining ^ frame.remaining),
        "e": sorted(before.edges ^ frame.edges),
    }


def _of_step(frame: Frame) -> Mapping[str, Any]:
    return {
        "m": frame.marks,
        "d": frame.tied,
        "l": frame.links,
        "h": frame.shown,
        "s": frame.labels,
        "n": texts_of(frame.lines),
    }
