"""Shells: completion, words that are meant, output that is not read, and the extras of pip."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from black_box.session import run
from places import ROOT

import refagg

FIRMS = ROOT / "datasets" / "eleven-firms.csv"


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("refagg m", {"mask", "measure"}),
        ("refagg mask --al", {"--algorithm"}),
        ("refagg mask --ties ''", {"lowest", "highest", "random"}),
        ("refagg mask --algorithm k-w", {"k-ward", "k-ward-univariate"}),
        ("refagg mask datasets/ele", set()),  # files are the shell's
        ("refagg mask ''", set()),
        ("refagg completion z", {"zsh"}),
        ("oracle vectors ''", {"list", "show", "export", "release", "badge"}),
        ("oracle audit a.csv b.csv --cert", {"--certificate"}),
    ],
)
def test_bash_completes(line: str, offered: set[str], tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed here")
    words = shlex.split(line)
    made = run(f"{words[0]} completion bash", tmp_path)
    assert made.status == 0
    script = (
        f'{made.out}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))\n'
        f'_{words[0]}_completed {words[0]} "${{COMP_WORDS[-1]}}" "${{COMP_WORDS[-2]}}"\n'
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    ran = subprocess.run(
        [bash, "-c", script, "-", *words],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert set(ran.stdout.split()) == offered


def test_zsh_completes_where_its_completion_is_not_loaded(tmp_path: Path) -> None:
    """The script makes it known to zsh, once, whether zsh has loaded what completes or not."""
    zsh = shutil.which("zsh")
    if zsh is None:
        pytest.skip("zsh is not installed here")
    (tmp_path / "script").write_text(run("refagg completion zsh", tmp_path).out, encoding="utf-8")
    for before in ("", "autoload -U compinit; compinit; "):
        line = f"{before}. ./script; print $_comps[refagg]"
        ran = subprocess.run(
            [zsh, "-f", "-c", line],
            cwd=tmp_path,
            env=os.environ | {"ZDOTDIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert ran.stderr == ""
        assert "_refagg_completed" in ran.stdout


@pytest.mark.parametrize("program", ["refagg", "oracle"])
def test_fish_completes(program: str, tmp_path: Path) -> None:
    fish = shutil.which("fish")
    if fish is None:
        pytest.skip("fish is not installed here")
    script = run(f"{program} completion fish", tmp_path).out
    asked = {"refagg": "refagg mask --ties l", "oracle": "oracle conform --precision binary3"}
    line = f"{script}\ncomplete -C '{asked[program]}'"
    command = [fish, "--no-config", "-c", line]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == {"refagg": ["lowest"], "oracle": ["binary32"]}[program]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_can_be_read_by_their_shells(shell: str, tmp_path: Path) -> None:
    made = run(f"oracle completion {shell} --for refagg-oracle", tmp_path)
    assert made.status == 0
    assert "refagg-oracle" in made.out
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed here")
    subprocess.run([shell, "-n"], input=made.out, text=True, check=True)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("refagg msk", "did you mean mask?"),
        ("oracle audti a b", "did you mean audit?"),
        ("oracle vectors lst", "did you mean list?"),
        ("oracle vectors list --algorithmm x", "did you mean --algorithm?"),
        ("refagg mask x --algorithm mdav --ties lowst -o o", "did you mean lowest?"),
        ("refagg mask x --algoritm mdav -o o", "did you mean --algorithm instead of --algoritm?"),
        ("refagg mask x --algorithm mdav -o o --jsn=f", "did you mean --json?"),
        ("refagg compare x --algorithms mdav --algorithms md -k 3", "did you mean --algorithm?"),
        ("oracle conform --algorithm mdva --python refagg:mdav", "did you mean mdav?"),
        ("refagg reproduce dfmms6", "did you mean DFMMS06?"),
        ("refagg reproduce genetics", "did you mean genetic?"),
        ("oracle field microag1d", "did you mean microagg1d?"),
        ("oracle vectors show mdav-17-duplicates", "did you mean mdav-017-duplicates?"),
        ("oracle conform --algorithm mdav --case mdav-017-dup -- cat", "mean mdav-017-duplicates?"),
        ("oracle hunt --algorithm mdav --shape serie -- cat", "did you mean series?"),
        (f"refagg mask {FIRMS} --algorithm mdav -k 3 --columns X1 -o o", "did you mean x1?"),
        ("refagg quux", None),
        ("oracle conform --algorithm mdav -- prog --algoritm", None),  # words of the program
    ],
)
def test_a_mistyped_word_is_answered_with_the_one_meant(
    line: str, meant: str | None, tmp_path: Path
) -> None:
    ran = run(line, tmp_path)
    assert ran.status == 2
    assert ran.err.count("did you mean") == (meant is not None)
    assert "?;" not in ran.err
    assert (meant or "") in ran.err


@pytest.mark.parametrize(
    ("line", "files", "status"),
    [
        (f"refagg mask {FIRMS} --algorithm mdav -k 3 --trace -o m.csv --json m.json", 2, 141),
        (f"oracle audit {FIRMS} {FIRMS} {FIRMS} -k 3 --algorithm mdav --json a.json", 1, 141),
        (f"refagg compare {FIRMS} -k 3 --algorithm mdav,hac --json c.json", 1, 141),
        (f"refagg measure {FIRMS} {FIRMS} --columns x1,x2 --json m.json", 1, 141),
        (f"refagg mask {FIRMS} --algorithm mdav -k 3 -o - --json m.json", 1, 141),
        (f"refagg mask {FIRMS} --algorithm mdav -k 3 -o m.csv --json /dev/stdout", 1, 141),
        ("oracle vectors list", 0, 141),
        ("refagg mask --help", 0, 141),
        ("oracle --version", 0, 141),
        ("refagg mask", 0, 2),
    ],
)
def test_files_are_written_though_nothing_reads_the_output(
    line: str, files: int, status: int, tmp_path: Path
) -> None:
    program, *words = shlex.split(line)
    command = [sys.executable, "-u", "-m", program, *words]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as ran:
        assert ran.stdout is not None
        assert ran.stderr is not None
        ran.stdout.close()
        said = ran.stderr.read()
    assert ran.returncode == status, said
    assert "Traceback" not in said
    assert "Exception" not in said
    assert [path.stat().st_size > 100 for path in tmp_path.iterdir()] == [True] * files


def extras() -> dict[str, list[str]]:
    made = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return dict(made["project"]["optional-dependencies"])


def test_there_are_all_and_at_most_eight_extras() -> None:
    """Those of developers, docs and test, count; all has what the others for users have."""
    known = extras()
    users = set(known) - {"all", "docs", "test"}
    assert len(set(known) - {"all"}) <= 8
    [named] = [one for one in known["all"] if one.startswith("refagg[")]
    assert set(re.findall(r"[a-z]+", named)[1:]) == users


def test_extras_that_are_named_exist() -> None:
    found = set()
    for pattern in ("*.md", "docs/**/*.md", "refagg/**/*.py", "oracle/**/*.py"):
        for path in ROOT.glob(pattern):
            text = path.read_text(encoding="utf-8")
            found |= {*re.findall(r"'\.\[([a-z,]+)\]'", text)}
    assert found >= {"oracle", "big"}
    assert {name for one in found for name in one.split(",")} <= set(extras())


def test_what_is_published_names_what_there_is() -> None:
    """The container file, the action, the recipe of conda, the citation and the package for R."""
    container = (ROOT / ".ci" / "Containerfile").read_text(encoding="utf-8")
    [named] = re.findall(r"/source\[([a-z,]+)\]", container)
    action = (ROOT / ".github/actions/oracle/action.yml").read_text(encoding="utf-8")
    [default] = re.findall(r"default: ([a-z,]+)$", action, re.MULTILINE)
    assert {*named.split(","), *default.split(",")} <= set(extras())
    recipe = (ROOT / ".ci/conda/recipe.yaml").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    scripts = {f"{name} = {place}" for name, place in project["scripts"].items()}
    assert set(re.findall(r"- (\S+ = \S+:main)$", recipe, re.MULTILINE)) == scripts
    assert f'version: "{refagg.__version__}"' in recipe
    assert f"python {project['requires-python']}" in recipe
    [solver] = [need for need in extras()["oracle"] if need.startswith("pulp")]
    assert solver in recipe.replace("pulp >=", "pulp>=")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"version: {refagg.__version__}\n" in citation


def test_an_action_is_used_at_a_commit() -> None:
    found = [
        used
        for path in (ROOT / ".github").rglob("*.yml")
        for used in re.findall(r"uses: (.*)", path.read_text(encoding="utf-8"))
    ]
    assert len(found) > 8
    assert all(re.fullmatch(r"\S+@[0-9a-f]{40}  # v[\d.]+", used) for used in found)
