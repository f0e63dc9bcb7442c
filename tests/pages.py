"""Result pages as a reader's program sees them."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
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
