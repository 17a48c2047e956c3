"""MkDocs hook: pages of the repository outside docs/, and links that hold in both places.

Pages and READMEs link each other as files of the repository, so that they read well where the
repository is browsed. In the site three things are done to that end:

- `PAGES` and the README of every room become pages; the rooms get a place in the navigation;
- a link from any page to the file of another becomes a link to that page;
- a link to any other file or folder of the repository becomes plain text, since the site does not
  hold it. A link to what does not exist stays as it is, and the strict build refuses it.
"""

from __future__ import annotations

import posixpath
import xml.etree.ElementTree as etree
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

CHECKOUT = Path(__file__).resolve().parents[2]
ROOMS = "src/gaugeblock"
"""Folder whose READMEs become the pages of the rooms."""

PAGES = {
    "benchmarks/README.md": "benchmarks.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
}
"""Further files of the repository that become pages, each with its place in the site."""

FILLED = "rooms"
"""Entry of the navigation that the rooms' pages take the place of."""

BEFORE_MKDOCS = 5
"""Priority of our look at the links: after Markdown's inline patterns (20) have made them, before
MkDocs resolves and judges them (0)."""


def rooms() -> dict[str, str]:
    """Return repository path → place in the site of every room's README."""
    found = sorted((CHECKOUT / ROOMS).rglob("README.md"))
    inside = [path.relative_to(CHECKOUT / ROOMS).parent.as_posix() for path in found]
    return {f"{ROOMS}/{room}/README.md": f"{FILLED}/{room}/index.md" for room in inside}


def placed() -> dict[str, str]:
    """Return repository path → place in the site of all pages outside docs/."""
    return {"README.md": "index.md", **PAGES, **rooms()}


def on_config(config: MkDocsConfig) -> None:
    """Have links looked at wherever Markdown is rendered."""
    config.markdown_extensions.append(_LINKS)


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add the pages from outside docs/, and the rooms to the navigation."""
    for source, place in {**PAGES, **rooms()}.items():
        files.append(File.generated(config, place, abs_src_path=str(CHECKOUT / source)))
    _fill(config.nav or [])


def on_page_markdown(markdown: str, page: Page, **_: Any) -> None:
    """Remember which page is rendered next."""
    _LINKS.page = page.file.src_uri


def _fill(nav: list[Any]) -> None:
    """Put the rooms' pages where the navigation names `FILLED`."""
    for entry in nav:
        for title, inside in entry.items() if isinstance(entry, dict) else ():
            if inside == FILLED:
                entry[title] = _navigation()
            elif isinstance(inside, list):
                _fill(inside)


def _navigation() -> list[dict[str, Any]]:
    """Return the rooms' navigation: a room with rooms inside is a section that opens on itself."""
    places = {place.removeprefix(f"{FILLED}/"): place for place in rooms().values()}
    found: dict[str, list[Any]] = {}
    for relative, place in places.items():
        room, _, inside = relative.removesuffix("/index.md").partition("/")
        found.setdefault(room, []).append({inside: place} if inside else place)
    return [{room: pages[0] if len(pages) == 1 else pages} for room, pages in found.items()]


class _Links(Extension):
    """Registers the look at the links; knows the page that is being rendered."""

    page = "index.md"

    def extendMarkdown(self, md: Markdown) -> None:
        md.treeprocessors.register(_Rewriting(md, self), "repository", BEFORE_MKDOCS)


class _Rewriting(Treeprocessor):
    def __init__(self, md: Markdown, links: _Links) -> None:
        super().__init__(md)
        self._links = links

    def run(self, root: etree.Element) -> None:
        places = placed()
        for element in root.iter("a"):
            href = element.get("href", "")
            target = rewritten(href, self._links.page, places)
            if target is None:
                element.tag = "span"
                element.attrib.clear()
            else:
                element.set("href", target)


_LINKS = _Links()


def rewritten(href: str, page: str, places: dict[str, str]) -> str | None:
    """Return a link as it must be in the site.

    Args:
        href: the link as it stands in the file.
        page: place in the site of the page that it stands on, such as `metrics/facts.md`.
        places: repository path → place in the site of pages outside docs/.

    Returns:
        The link; None if it leads to something of the repository that is no page.
    """
    parts = urlsplit(href)
    if parts.scheme or parts.netloc or not parts.path or parts.path.startswith("/"):
        return href
    sources = {place: source for source, place in places.items() if source != "README.md"}
    source = sources.get(page, f"docs/{page}")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), unquote(parts.path)))
    target = _place(path, places)
    if target is None:
        return None if not path.startswith("..") and (CHECKOUT / path).exists() else href
    relative = posixpath.relpath(target, posixpath.dirname(page) or ".")
    return relative + (f"#{parts.fragment}" if parts.fragment else "")


def _place(path: str, places: dict[str, str]) -> str | None:
    """Return where something of the repository lies in the site; None if it is not there."""
    for page in (path, f"{path}/README.md", f"{path}/index.md"):  # a folder opens on its first page
        if page in places:
            return places[page]
        inside = page.removeprefix("docs/")
        if inside != page and not inside.startswith("making/") and (CHECKOUT / page).is_file():
            return inside
    return None
