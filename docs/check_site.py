"""Check the built site in Chromium, by the standard library alone.

    python docs/check_site.py docs/_site [--axe axe.min.js] [--pages PATTERN]

Each page is opened at 390 and 1280 pixels, light and dark. Reported are: overflow to the right; the
first screen of the landing page, where the picture, the news and four places to start must be seen;
requests to other hosts; links and anchors that lead nowhere; what the search finds; texts of too
little contrast, pictures without a description, fields without a label, ids that occur twice, and
headings that skip a level. With axe-core (`npm pack axe-core`, package/axe.min.js) its rules are
checked, too. The exit status is 0 if nothing was found.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from fnmatch import fnmatch
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import unquote, urlsplit

SIZES = ((390, 844), (1280, 800))
THEMES = ("light", "dark")
SEARCHED = "statistical disclosure control"
FIRST_SCREEN = (".starts a", ".news", ".picture")

QUIET = (
    "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--disable-quic",
)  # fmt: skip
"""What keeps the browser itself from asking other hosts."""

HARNESS = """<!doctype html><meta charset="utf-8"><title>checks</title>
<style>body {{ margin: 0 }} iframe {{ border: 0; display: block }}</style>
<body><script>const given = {given};</script><script src="/check_site.js"></script>
"""


class Server(SimpleHTTPRequestHandler):
    """Serves the site, the page of checks, and takes what they found."""

    files: dict[str, bytes]
    found: ClassVar[list[list[object]]] = []
    pages = -1
    done = threading.Event()

    def do_GET(self) -> None:
        content = self.files.get(self.path.partition("?")[0])
        if content is None:
            with suppress(ConnectionError):  # the browser has left the page
                super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript" if ".js" in self.path else "text/html")
        self.end_headers()
        self.wfile.write(content)

    def do_POST(self) -> None:
        Server.found += json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        Server.pages += 1
        self.send_response(204)
        self.end_headers()
        if self.path == "/end":
            self.done.set()

    def log_message(self, *_: object) -> None:
        """Say nothing of requests."""


class Page(HTMLParser):
    """The links and anchors of a page, and what it loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        self.links += [given["href"]] if tag == "a" and "href" in given else []
        kind = "src" if tag in ("img", "script", "iframe", "source", "video") else "href"
        if tag == "link" and given.get("rel") in ("canonical", "next", "prev", "index", "search"):
            return
        self.loaded += [given[kind]] if tag not in ("a", "area") and kind in given else []


def broken_links(site: Path) -> list[str]:
    """Return the links within the site that lead nowhere, and what is loaded from elsewhere."""
    pages = {path: Page(path) for path in site.rglob("*.html")}
    found = []
    for path, page in pages.items():
        for link in dict.fromkeys([*page.links, *page.loaded]):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loaded and parts.scheme != "data":
                    found.append(f"{path.relative_to(site)}: loads {link}")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                found.append(f"{path.relative_to(site)}: {link} leads nowhere")
            elif target in pages and not _there(unquote(parts.fragment), pages[target]):
                found.append(f"{path.relative_to(site)}: {link} has no such anchor")
    return found


def _there(fragment: str, page: Page) -> bool:
    return fragment in page.anchors | {"", "top"}


def in_chromium(site: Path, pages: list[str], axe: Path | None, seconds: float) -> list[str]:
    """Return what the checks in the browser found."""
    names = ("chromium", "chromium-browser", "google-chrome")
    program = next(filter(None, map(shutil.which, names)), None)
    if program is None:
        sys.exit("Chromium is not installed here")
    given = {
        "pages": pages, "sizes": SIZES, "themes": THEMES, "first": FIRST_SCREEN,
        "searched": SEARCHED, "axe": axe and axe.name,
    }  # fmt: skip
    scripts = [Path(__file__).with_suffix(".js"), *([axe] if axe else [])]
    Server.files = {f"/{path.name}": path.read_bytes() for path in scripts}
    Server.files["/checks"] = HARNESS.format(given=json.dumps(given)).encode()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Server, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}"]
        flags += ["--window-size=1400,1000", "--remote-debugging-port=0", *QUIET]
        address = f"http://127.0.0.1:{server.server_port}/checks"
        quiet: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        browser = subprocess.Popen([program, *flags, address], **quiet)
        try:
            if not Server.done.wait(seconds):
                late = f"only {Server.pages} pages were checked within {seconds:.0f} seconds"
                Server.found.append(["the site", 0, "", late])
        finally:
            browser.terminate()
            browser.wait()
            server.shutdown()
    return [f"{page} at {width}, {theme}: {text}" for page, width, theme, text in Server.found]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("site", type=Path)
    parser.add_argument("--axe", type=Path, help="axe.min.js of axe-core")
    parser.add_argument("--pages", default="*", help="only pages of this pattern")
    parser.add_argument("--seconds", type=float, default=1800)
    given = parser.parse_args()
    site = given.site.resolve()
    pages = sorted(str(path.relative_to(site)) for path in site.rglob("*.html"))
    pages = [p for p in pages if fnmatch(p, given.pages) and not p.startswith("_static")]
    found = broken_links(site) + in_chromium(site, pages, given.axe, given.seconds)
    counts = f"{len(pages)} pages at {len(SIZES)} widths, light and dark: {len(found)} findings"
    print("\n".join([*found, counts]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
