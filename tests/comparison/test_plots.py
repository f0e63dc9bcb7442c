"""Pictures: that they are drawn, whole or not at all, and of what; how they look was looked at."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from suites import one_in

import refagg.commands.main
from refagg.commands.compare_command import panels_of, series_of
from refagg.comparison.compare import ComparisonSetting, compare_contenders, contenders_of
from refagg.comparison.principal import plane
from refagg.data.csvfiles import write_csv
from refagg.data.standardise import standardise
from refagg.data.tables import table_of
from refagg.datasets import load, shipped_folder
from refagg.errors import InvalidParameter, OutputUnwritable

Ran = Callable[..., tuple[int, str, str]]

FIRMS = shipped_folder() / "eleven-firms.csv"
STARTS = {"png": b"\x89PNG\r\n\x1a\n", "svg": b"<?xml", "pdf": b"%PDF-"}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Ran:
    def ran(*arguments: object) -> tuple[int, str, str]:
        status = refagg.commands.main.main(["compare", *map(str, arguments)])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return ran


@pytest.fixture
def pictures() -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")


def texts_of(path: Path) -> list[str]:
    """The texts of an SVG picture, which matplotlib writes as comments."""
    return re.findall(r"<!-- (.*?) -->", path.read_text(encoding="utf-8"))


# Without matplotlib


@pytest.mark.parametrize("option", ["--plot", "--scatter"])
def test_without_matplotlib_nothing_is_done(
    run: Ran, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, option: str
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "refagg.comparison.plots", raising=False)
    monkeypatch.setattr(
        "refagg.comparison.compare.masked", lambda *given: pytest.fail("work was done")
    )
    arguments = (FIRMS, "-k", 3, "--csv", tmp_path / "out.csv", option, tmp_path / "out.png")
    assert run(*arguments) == (
        2,
        "",
        "error: matplotlib is not installed: pip install '.[report]' in the checkout\n",
    )
    assert list(tmp_path.iterdir()) == []


def test_tables_need_no_matplotlib(
    run: Ran, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "refagg.comparison.plots", raising=False)
    status, _, complaint = run(
        FIRMS, "-k", 3, "--algorithm", "mdav", "--json", tmp_path / "out.json"
    )
    assert (status, complaint) == (0, "")


# What is drawn


def test_series_and_panels_of_a_comparison() -> None:
    table = table_of([[0], [1], [10], [11]])
    results = compare_contenders(
        table, contenders_of("mdav,md"), [2, 1], ComparisonSetting("none", "exact")
    )
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    series = series_of(results)
    assert [one.label for one in series] == ["mdav", "md"]
    assert series[0].losses == {1: 0, 2: pytest.approx(100 / 101)}
    assert series[0].comparable
    panels = panels_of(results)
    assert panels[0].title == "mdav, k = 2: 2 groups, IL 0.99 %"
    assert panels[0].groups == ((0, 1), (2, 3))
    assert len(panels) == 4


def test_the_plane_of_principal_axes() -> None:
    # The two attributes are one line, in z-scores too: all the variance is on the first axis.
    points, labels = plane(standardise(table_of([[0, 0], [1, 10], [3, 30]])))
    assert labels == (
        "principal axis 1 (100 % of the variance)",
        "principal axis 2 (0 % of the variance)",
    )
    assert [y for _, y in points] == pytest.approx([0, 0, 0], abs=1e-9)
    first = [x for x, _ in points]
    assert (first[2] - first[0]) == pytest.approx(3 * (first[1] - first[0]))


def test_the_plane_of_one_attribute_has_ranks() -> None:
    points, labels = plane(standardise(table_of([[5], [-1], [2]]), "none"))
    assert [y for _, y in points] == [2, 0, 1]
    assert [x for x, _ in points] == pytest.approx([3, -3, 0])
    assert labels == ("x1", "rank")


@pytest.mark.usefixtures("pictures")
def test_the_labels_of_a_plot(run: Ran, tmp_path: Path) -> None:
    several, one = tmp_path / "several.svg", tmp_path / "one.svg"
    names = "mdav,mdav-single,v-mdav:gamma=1"
    assert run(FIRMS, "-k", "3,4", "--algorithm", names, "--plot", several)[0] == 0
    assert {"mdav", "mdav-single", "v-mdav:gamma=1", "3", "4", "k"} <= set(texts_of(several))
    assert run(FIRMS, "-k", 3, "--algorithm", names, "--plot", one)[0] == 0
    # README: MDAV loses 54.94500981 % of the eleven firms.
    assert {"mdav", "mdav-single", "v-mdav:gamma=1", "k = 3", "54.945"} <= set(texts_of(one))


@pytest.mark.usefixtures("pictures")
def test_what_is_known_is_in_the_plot(tmp_path: Path) -> None:
    from refagg.comparison.plots import Series, draw_losses

    path = tmp_path / "plot.svg"
    series = [Series("a", {3: 5.0, 4: 6.0}), Series("b", {3: 5.5}), Series("c", {4: 1.0}, False)]
    draw_losses(series, {3: ("optimum", 4.5), 4: ("bound", 5.5)}, path)
    assert {"optimum", "bound", "a", "b", "c"} <= set(texts_of(path))
    draw_losses([Series("a", {3: 5.0}), Series("c", {3: 1.0}, False)], {3: ("bound", 4)}, path)
    assert "k = 3; the line is the bound, 4.000" in texts_of(path)
    assert any("hollow" in text for text in texts_of(path))


@pytest.mark.usefixtures("pictures")
def test_forty_algorithms_can_be_told_apart() -> None:
    from refagg.comparison.plots.losses import _Line

    looks = [_Line("", number, []).look for number in range(60)]
    shown = {(look["color"], look["marker"], look["linestyle"]) for look in looks}
    assert len(shown) == 60


@pytest.mark.usefixtures("pictures")
def test_nothing_to_draw(tmp_path: Path) -> None:
    from refagg.comparison.plots import Series, draw_losses

    with pytest.raises(InvalidParameter, match="no algorithm has an information loss"):
        draw_losses([Series("a", {})], {}, tmp_path / "plot.png")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("pictures")
@pytest.mark.parametrize("n", [11, 500])
def test_a_scatter_has_a_panel_for_each_algorithm(run: Ran, tmp_path: Path, n: int) -> None:
    path, table = tmp_path / "scatter.svg", tmp_path / "in.csv"
    write_csv(table, ["a", "b"], [[str(i * i % 83), str(i * 7 % 31)] for i in range(n)])
    status, text, _ = run(table, "-k", 5, "--algorithm", "mdav,mdav-2k", "--scatter", path)
    assert status == 0
    titles = [t for t in texts_of(path) if t.startswith("mdav")]
    assert [title.split(",")[0] for title in titles] == ["mdav", "mdav-2k"]
    assert f"{n // 5} groups" in titles[0]
    assert any("enlarged" in t or "the middle" in t for t in texts_of(path)) == (n > 200)
    assert "mdav-2k" in text


@pytest.mark.usefixtures("pictures")
@pytest.mark.parametrize("rows", [["5"] * 9, [str(i) for i in range(9)]])
def test_scatters_of_degenerate_tables(run: Ran, tmp_path: Path, rows: list[str]) -> None:
    path, table = tmp_path / "scatter.png", tmp_path / "in.csv"
    write_csv(table, ["a"], [[cell] for cell in rows])
    assert run(table, "-k", 4, "--algorithm", "mdav", "--scatter", path)[0] == 0
    write_csv(table, ["a", "b"], [[cell, "1"] for cell in rows])
    assert run(table, "-k", 4, "--algorithm", "mdav", "--scatter", path)[0] == 0


@pytest.mark.usefixtures("pictures")
def test_dendrograms(tmp_path: Path) -> None:
    from refagg.comparison.plots import draw_dendrogram

    path = tmp_path / "tree.svg"
    draw_dendrogram([(3, 1, 1.0), (0, 2, 2.0), (5, 6, 5.0)], 5, path, "SSE")
    assert [t for t in texts_of(path) if t.isdecimal()][:5] == ["0", "2", "1", "3", "4"]
    assert "SSE" in texts_of(path)
    draw_dendrogram([(0, 1, 1.0), (300, 2, 0.5)], 300, path)
    assert "300 records" in texts_of(path)
    draw_dendrogram([], 1, path)
    with pytest.raises(InvalidParameter):
        draw_dendrogram([(0, 0, 1.0)], 2, path)


# Files


@pytest.mark.usefixtures("pictures")
@pytest.mark.parametrize("kind", one_in(3, STARTS))
def test_the_end_of_the_name_chooses_the_format(run: Ran, tmp_path: Path, kind: str) -> None:
    plot, scatter = tmp_path / f"plot.{kind}", tmp_path / f"scatter.{kind.upper()}"
    arguments = (FIRMS, "-k", "3,4", "--algorithm", "mdav,md")
    assert run(*arguments, "--plot", plot, "--scatter", scatter)[0] == 0
    first = plot.read_bytes(), scatter.read_bytes()
    assert all(content.startswith(STARTS[kind]) for content in first)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([plot.name, scatter.name])
    assert run(*arguments, "--plot", plot, "--scatter", scatter)[0] == 0
    assert (plot.read_bytes(), scatter.read_bytes()) == first


@pytest.mark.usefixtures("pictures")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--plot", "out.jpg"], "out.jpg is not a picture file; the name can end in png, svg, pdf"),
        (["--scatter", "out"], "out is not a picture file"),
        (["--plot", "nowhere/out.png"], "no folder nowhere"),
        (["--plot", "out.png", "--scatter", "out.png"], "another output of the same command"),
        (["--scatter", "out.png", *["-k", "2"] * 16], "panels; 30 are possible"),
    ],
)
def test_wrong_pictures_are_refused_before_any_work(
    run: Ran,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        "refagg.comparison.compare.masked", lambda *given: pytest.fail("work was done")
    )
    status, text, complaint = run(FIRMS, "-k", 3, *arguments)
    assert (status, text) == (2, "")
    assert message in complaint
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("pictures")
@pytest.mark.parametrize(
    ("cells", "option", "message"),
    [
        (["5", "5", "5"], "--plot", "SST is 0"),
        (["1e300", "-1e300", "3e300"], "--scatter", "outside the range of binary64"),
    ],
)
def test_tables_that_cannot_be_drawn_are_refused_before_any_work(
    run: Ran,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    cells: list[str],
    option: str,
    message: str,
) -> None:
    monkeypatch.setattr(
        "refagg.comparison.compare.masked", lambda *given: pytest.fail("work was done")
    )
    table = tmp_path / "in.csv"
    write_csv(table, ["a"], [[cell] for cell in cells])
    drawn = ("--algorithm", "mdav", option, tmp_path / "out.png")
    arguments = (table, "-k", 2, "--standardise", "none", *drawn)
    status, _, complaint = run(*arguments)
    assert status == 2
    assert message in complaint


@pytest.mark.usefixtures("pictures")
def test_an_unwritable_picture(tmp_path: Path) -> None:
    from refagg.comparison.plots import Series, draw_losses

    with pytest.raises(OutputUnwritable):
        draw_losses([Series("a", {3: 5.0})], {}, tmp_path / "nowhere" / "plot.png")


@pytest.mark.long
@pytest.mark.usefixtures("pictures")
def test_census_is_drawn_in_seconds(tmp_path: Path) -> None:
    """As many records as Census has, in two panels and their enlarged middles."""
    from refagg.comparison.plots import Panel, draw_scatter

    table = load("synthetic-clustered")
    points, labels = plane(standardise(table))
    groups = [tuple(range(i, i + 3)) for i in range(0, 999, 3)]
    panels = [Panel("one", groups), Panel("two", groups[::2])]
    path = tmp_path / "scatter.png"
    draw_scatter(points, labels, panels, path)
    assert path.stat().st_size > 50_000


def test_labels_are_no_formulas(
    run: Ran, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pictures: None
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(r"$\foo$.csv").write_text("record,group\n" + "".join(f"{r},{r // 4}\n" for r in range(8)))
    Path("in.csv").write_text("x\n" + "".join(f"{x * x}\n" for x in range(8)))
    own = ("in.csv", "--algorithm", "mdav", "--groups", r"$\foo$.csv")
    assert run(*own, "-k", 3, "--plot", "one.svg", "--scatter", "s.svg")[0] == 0
    assert run(*own, "-k", "3,4", "--plot", "two.svg")[0] == 0
    for name in ("one.svg", "two.svg", "s.svg"):
        assert any(text.startswith(r"$\foo$.csv") for text in texts_of(Path(name)))


def test_the_best_of_no_loss_is_above_itself_by_nothing() -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    from refagg.comparison.plots.losses import _above

    best = {3: 2.0, 4: 0.0, 5: 5.0}
    assert _above(best, best) == {3: 0, 4: 0, 5: 0}
    assert _above({3: 3.0, 4: 1.0, 6: 1.0}, best) == {3: 50}
