"""Result pages as a reader's program sees them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

VOID = {"meta", "br", "hr", "img", "link", "input"}


@dataclass
class Element:
    """An element of a page: its name, its attributes, what is in it."""

    name: str
    attributes: dict[str, str]
    parent: Element | None = None
    children: list[Element | str] = field(default_factory=list)

    def all(self, *names: str) -> list[Element]:
        """All elements within of these names, in the order of the page."""
        found = []
        for child in self.children:
            if isinstance(child, Element):
                found += [child] if child.name in names or not names else []
                found += child.all(*names)
        return found

    def by_id(self, identity: str) -> Element:
        (found,) = [e for e in self.all() if e.attributes.get("id") == identity]
        return found

    @property
    def text(self) -> str:
        parts = [child if isinstance(child, str) else child.text for child in self.children]
        return " ".join(" ".join(parts).split())

    def cells(self) -> list[list[str]]:
        """The rows of a table as texts."""
        return [[cell.text for cell in row.all("th", "td")] for row in self.all("tr")]


class _Reader(HTMLParser):
    """Reads a page and sees that everything that is opened is closed."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.top = self.now = Element("", {})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice"
        element = Element(tag, {name: value or "" for name, value in attrs}, self.now)
        self.now.children.append(element)
        if tag not in VOID:
            self.now = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.now.name == tag, f"<{self.now.name}> is closed by </{tag}>"
        assert self.now.parent is not None
        self.now = self.now.parent

    def handle_data(self, data: str) -> None:
        self.now.children.append(data)


def read_page(path: Path) -> Element:
    """The page in a file; everything that it opens is closed."""
    reader = _Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    reader.close()
    assert reader.now is reader.top
    return reader.top


def check_page(page: Element, source: str) -> None:
    """What every page must be."""
    check_self_contained(page, source)
    check_names(page)
    check_headings_and_landmarks(page)
    check_tables_and_pictures(page)


def check_self_contained(page: Element, source: str) -> None:
    assert not page.all("script", "link", "img", "iframe", "object", "image", "base", "form")
    assert not re.search(r"https?:|//[a-z]|@import|url\((?!#)|javascript:", source, re.IGNORECASE)
    for element in page.all():
        for name, value in element.attributes.items():
            assert not name.startswith("on")
            assert name != "href" or value.startswith("#")
            assert name != "src"
    (policy,) = [e for e in page.all("meta") if "http-equiv" in e.attributes]
    assert policy.attributes["content"].startswith("default-src 'none'")


def check_names(page: Element) -> None:
    """No two elements have one id, and what is referred to is there."""
    ids = [e.attributes["id"] for e in page.all() if "id" in e.attributes]
    assert len(ids) == len(set(ids))
    for element in page.all():
        named = element.attributes.get("aria-labelledby", "").split()
        if element.name in ("a", "use"):
            named.append(element.attributes["href"].removeprefix("#"))
        clip = re.search(r"url\(#([^)]+)\)", element.attributes.get("clip-path", ""))
        named += [clip[1]] if clip else []
        assert set(named) <= set(ids)


def check_headings_and_landmarks(page: Element) -> None:
    levels = [int(e.name[1]) for e in page.all("h1", "h2", "h3", "h4", "h5", "h6")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))
    for landmark in ("header", "nav", "main", "footer"):
        assert len(page.all(landmark)) == 1
    assert page.all("html")[0].attributes["lang"] == "en"
    first = page.all("body")[0].all("a")[0]
    assert first.attributes["href"] == "#main"
    assert page.by_id("main").name == "main"


def check_tables_and_pictures(page: Element) -> None:
    for table in page.all("table"):
        assert table.all("caption")[0].text
        assert all(e.attributes.get("scope") in ("col", "row") for e in table.all("th"))
        widths = {len(row) for row in table.cells()}
        assert len(widths) == 1
        box = table.parent
        assert box is not None
        assert "scroll" in box.attributes["class"].split()
        assert (box.attributes["tabindex"], box.attributes["role"]) == ("0", "group")
    for picture in page.all("svg"):
        assert picture.attributes["role"] == "img"
        assert picture.all("title")[0].text
        assert picture.all("desc")[0].text
        colours = " ".join(e.attributes.get("style", "") for e in picture.all())
        assert not re.search(r"#[0-9a-f]{3}", colours), "a colour that does not follow the page"


def table_of(page: Element, caption: str) -> list[list[str]]:
    (table,) = [t for t in page.all("table") if t.all("caption")[0].text.startswith(caption)]
    return table.cells()
