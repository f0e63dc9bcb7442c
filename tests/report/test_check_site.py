"""The checks of the built site find what is planted, and nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

HEAD = '<!doctype html><html lang="en"><head><title>A page</title></head><body data-theme="light">'
LANDING = (
    HEAD + '<main><h1>Site</h1><div class="starts"><a href="#a">1</a><a href="page.html">2</a>'
    '<a href="page.html">3</a><a href="page.html">4</a></div><p class="news" id="a">New</p>'
    '<p class="picture"><img alt="A picture" src="dot.svg" width="20" height="20"></p></main>'
)
SEARCH = HEAD + (
    '<h1>Search</h1><ul id="search-results"></ul><script>if (location.search.includes("control"))'
    'document.getElementById("search-results").innerHTML = "<li><a href=\'page.html\'>A</a></li>"'
    "</script>"
)
PLANTED = {
    "leads nowhere": '<a href="gone.html">gone</a>',
    "no such anchor": '<a href="index.html#gone">gone</a>',
    "loads http": '<img alt="" src="http://example.invalid/a.png">',
    "a request to another host": "<script>fetch('http://example.invalid/').catch(() => 0)</script>",
    "overflow": '<p style="width: 500px">wide</p>',
    "contrast": '<p style="color: #999; background: #fff">pale</p>',
    "without a description": '<img src="dot.svg">',
    "an id twice": '<p id="b">x</p><p id="b">x</p>',
    "skips a level": "<h3>deep</h3>",
    "without a label": "<input>",
}


def checked(site: Path) -> list[str]:
    if not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
        pytest.skip("Chromium is not installed here")
    (site / "dot.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'
    )
    (site / "search.html").write_text(SEARCH)
    words = [sys.executable, str(ROOT / "docs" / "check_site.py"), str(site), "--seconds", "200"]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    *found, last = ran.stdout.splitlines()
    assert ran.returncode == (1 if found else 0), ran.stderr
    assert last.endswith(f"{len(found)} findings")
    return found


@pytest.mark.long
def test_a_good_site_has_no_finding(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(LANDING)
    (tmp_path / "page.html").write_text(HEAD + "<main><h1>Page</h1><h2>Part</h2></main>")
    assert checked(tmp_path) == []


@pytest.mark.long
def test_each_planted_defect_is_found(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(LANDING.replace("<h1>", '<h1 style="margin-top: 50rem">'))
    planted = "".join(PLANTED.values())
    (tmp_path / "page.html").write_text(f"{HEAD}<main><h1>Page</h1>{planted}</main>")
    found = checked(tmp_path)
    for words in PLANTED:
        assert any(line.startswith("page.html") and words in line for line in found), words
    assert any("index.html at 390" in line and "below the first screen" in line for line in found)
    assert not any("not checked" in line for line in found)
