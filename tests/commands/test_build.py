"""The script that builds what is published: it refuses packages that differ, or are too large."""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from types import SimpleNamespace

import pytest
from places import ROOT

VENV = """#!/bin/sh
mkdir -p "$3/bin"
for tool in pip python twine check-jsonschema yamllint zizmor hadolint oracle; do
  cp "$TOOL" "$3/bin/$tool"
done
"""
"""What stands for python3: all its tools do nothing, but for the one that builds."""

TOOL = """#!/bin/sh
[ "$1 $2" = "-m build" ] || exit 0
mkdir -p "$4"
head -c "$WHEEL" /dev/zero > "$4/refagg-1.whl"
head -c "$SOURCE" /dev/zero > "$4/refagg-1.tar.gz"
[ -z "$DIFFERENT" ] || echo $$ >> "$4/$DIFFERENT"
"""


def built(folder: Path, **given: str) -> subprocess.CompletedProcess[str]:
    """Run the script in a folder where packages are as the names say."""
    for path in (".ci", "bin", "datasets/certificates"):
        (folder / path).mkdir(parents=True)
    shutil.copy(ROOT / ".ci" / "build", folder / ".ci")
    (folder / "datasets" / "certificates" / "one.json").write_text("{}", encoding="utf-8")
    for name, text in (("python3", VENV), ("tool", TOOL)):
        (folder / "bin" / name).write_text(text, encoding="utf-8")
        (folder / "bin" / name).chmod(0o755)
    own = {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "TOOL": str(folder / "bin" / "tool")}
    made = {"WHEEL": "10", "SOURCE": "10", "DIFFERENT": "", "GITHUB_REPOSITORY": ""}
    return subprocess.run(
        ["bash", folder / ".ci" / "build", folder / "dist"],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | own | made | given,
    )


def test_packages_that_are_the_same_are_kept_with_their_hashes(tmp_path: Path) -> None:
    ran = built(tmp_path, WHEEL="2000000", SOURCE="4000000")
    assert ran.returncode == 0, ran.stderr
    found = {path.name for path in (tmp_path / "dist").iterdir()}
    assert found == {"refagg-1.whl", "refagg-1.tar.gz", "refagg-certificates.tar", "SHA256SUMS"}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"DIFFERENT": "refagg-1.whl"}, "refagg-1.whl differ"),
        ({"DIFFERENT": "refagg-1.tar.gz"}, "refagg-1.tar.gz differ"),
        ({"WHEEL": "2000001"}, "refagg-1.whl has more than 2000000 bytes"),
        ({"SOURCE": "4000001"}, "refagg-1.tar.gz has more than 4000000 bytes"),
    ],
)
def test_packages_that_differ_or_are_too_large_are_refused(
    given: dict[str, str], said: str, tmp_path: Path
) -> None:
    ran = built(tmp_path, **given)
    assert ran.returncode == 1
    assert said in ran.stdout
    assert list((tmp_path / "dist").iterdir()) == []


def test_the_archive_of_certificates_does_not_depend_on_permissions(tmp_path: Path) -> None:
    hashes = set()
    for mode in (0o600, 0o644):
        folder = tmp_path / oct(mode)
        old = os.umask(0o777 - mode - 0o111)
        try:
            assert built(folder).returncode == 0
        finally:
            os.umask(old)
        hashes.add((folder / "dist" / "refagg-certificates.tar").read_bytes())
    assert len(hashes) == 1


def test_the_action_runs_the_command_with_its_words_and_ends_as_it_does(tmp_path: Path) -> None:
    """Quotes are read, nothing else is run; a hunt that says nothing ends with status 3."""
    text = (ROOT / ".github/actions/oracle/action.yml").read_text(encoding="utf-8")
    script = textwrap.dedent(text.partition("run: |\n")[2])
    tools = {
        "python": f'#!/bin/sh\n[ "$1 $2" = "-m venv" ] || exec {sys.executable} "$@"\n'
        'mkdir -p "$3/bin"; for tool in python pip oracle; do cp "$TOOLS/$tool" "$3/bin"; done\n',
        "pip": '#!/bin/sh\necho "pip: $3"\n',
        "oracle": '#!/bin/sh\nprintf "<%s>" "$@"\nexit 3\n',
    }
    for name, content in tools.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    own = {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "TOOLS": str(tmp_path),
        "RUNNER_TEMP": str(tmp_path / "temp dir"),
        "GITHUB_ACTION_PATH": "/here",
        "EXTRAS": "hunt",
        "ARGUMENTS": "hunt 'a b.csv' -k 3\n  --x \"$(touch made)\"; touch made",
    }
    ran = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script],
        cwd=tmp_path,
        env=os.environ | own,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 3, ran.stderr
    assert ran.stdout.splitlines() == [
        "pip: /here/../../..[hunt]",
        "<hunt><a b.csv><-k><3><--x><$(touch made);><touch><made>",
    ]
    assert not (tmp_path / "made").exists()


def test_links_of_the_readme_are_absolute_where_a_package_index_shows_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("", ".metadata", ".metadata.plugin", ".metadata.plugin.interface"):
        builder = SimpleNamespace(MetadataHookInterface=object)
        monkeypatch.setitem(sys.modules, f"hatchling{name}", builder)
    made = runpy.run_path(str(ROOT / ".ci" / "addresses.py"))["with_absolute_links"]
    text = "![A](docs/a.svg), [`b`](docs/b.md#c), [d](#d), [e](https://e.org/e) "
    assert made(text, "https://host/own/name") == (
        "![A](https://host/own/name/raw/HEAD/docs/a.svg), "
        "[`b`](https://host/own/name/blob/HEAD/docs/b.md#c), [d](#d), [e](https://e.org/e) "
    )
    readme = made((ROOT / "README.md").read_text(encoding="utf-8"), "https://host/own/name")
    assert readme.count("(https://host/own/name/") > 15
    assert "](docs/" not in readme
