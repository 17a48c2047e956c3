"""The documentation: it builds strictly, stands alone, and says what the program and suites say."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import pytest
import typer

CHECKOUT = Path(__file__).parent.parent
DOCS = CHECKOUT / "docs"
MAKING = DOCS / "making"
ROOMS = CHECKOUT / "src" / "gaugeblock"
OUTSIDE = ("CHANGELOG.md", "CONTRIBUTING.md", "README.md", "benchmarks/README.md")
"""Pages of the site, and the front page of the repository, that lie outside docs/."""


def loaded(name: str) -> ModuleType:
    """Load a module of docs/making by its path: the folder is no package."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", MAKING / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


repository, pictures = loaded("repository"), loaded("pictures")


def build(checkout: Path, site: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    answer = build(CHECKOUT, folder)
    assert answer.returncode == 0, answer.stderr
    return folder


def pages() -> list[Path]:
    """Return every Markdown file that the site shows, or that leads a reader to it."""
    inside = [path for path in DOCS.rglob("*.md") if MAKING not in path.parents]
    return [*inside, *ROOMS.rglob("README.md"), *(CHECKOUT / name for name in OUTSIDE)]


def prose(path: Path) -> str:
    """Return a page's text without its code blocks."""
    return re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)


class Reader(HTMLParser):
    """Collects what a browser fetches of a page, its ids, and the text of its paragraphs."""

    FETCHED = frozenset({"src", "srcset", "data", "poster", "action"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.inline: list[str] = []
        self.classes: set[str] = set()
        self.paragraphs: list[str] = []
        self._tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in self.FETCHED or (name == "href" and tag not in ("a", "area")):
                self.fetched.append(value or "")
            if name == "style":
                self.inline.append(value or "")
            if name == "class":
                self.classes |= set((value or "").split())
        self._tags.append(tag)
        if tag == "p":
            self.paragraphs.append("")

    def handle_endtag(self, tag: str) -> None:
        while self._tags and self._tags.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._tags and self._tags[-1] in ("style", "script"):
            self.inline.append(data)
        elif "p" in self._tags:
            self.paragraphs[-1] += data


ELSEWHERE = re.compile(r"(?:https?:)?//", re.I)
STYLE_ELSEWHERE = re.compile(r"(?:url\(|@import)\s*['\"]?(?:https?:)?//", re.I)


def from_elsewhere(text: str) -> list[str]:
    """Return what a page would fetch from another site; links to click are no such thing."""
    page = Reader(text)
    found = [address for address in page.fetched if ELSEWHERE.match(address.strip())]
    return found + [text for text in page.inline if STYLE_ELSEWHERE.search(text)]


@pytest.mark.parametrize(
    "fetching",
    [
        '<link rel="stylesheet" href="https://fonts.example/css?family=Roboto">',
        '<link rel="preconnect" href="//fonts.example">',
        '<script src="HTTPS://cdn.example/x.js"></script>',
        '<img src="http://example/x.png">',
        "<style>@font-face { src: url(https://example/x.woff2) }</style>",
        "<style>@import '//example/x.css';</style>",
        '<p style="background: url(https://example/x.png)">',
    ],
)
def test_what_is_fetched_from_elsewhere_is_seen(fetching):
    assert from_elsewhere(f"<html><head>{fetching}</head></html>")


def test_a_link_to_click_is_no_fetching():
    assert not from_elsewhere('<a href="https://example.org">elsewhere</a><img src="x.png">')


def test_the_site_fetches_nothing_from_elsewhere(site):
    shown = list(site.rglob("*.html"))
    assert len(shown) > 30
    for path in shown:
        text = path.read_text(encoding="utf-8")
        assert not from_elsewhere(text), path
        # Material's own script fetches Mermaid from elsewhere as soon as a page holds a diagram.
        assert "mermaid" not in Reader(text).classes, path
    for path in site.rglob("*.css"):
        assert not STYLE_ELSEWHERE.search(path.read_text(encoding="utf-8")), path


def test_a_page_opened_from_a_folder_can_search(site):
    index = (site / "search" / "search_index.js").read_text(encoding="utf-8")
    assert index.startswith("var __index = ") and "isoperimetric" in index
    for path in site.rglob("*.html"):
        fetched = Reader(path.read_text(encoding="utf-8")).fetched
        scripts = [address for address in fetched if address.endswith("iframe-worker.js")]
        assert len(scripts) == 1, path
        # 404.html is served from anywhere, so its addresses start at the root.
        assert path.name == "404.html" or (path.parent / scripts[0]).is_file(), path


def test_no_list_or_table_is_shown_as_plain_text(site):
    """A list right after a paragraph, and a bar in a table's code, are such to GitHub alone."""
    plain = re.compile(r"^\s*(?:[-*+]\s|\d+\.\s|\|)", re.M)
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert "\\|" not in text, path
        for paragraph in Reader(text).paragraphs:
            assert not plain.search(paragraph.partition("\n")[2]), f"{path}: {paragraph}"


def test_the_strict_build_refuses_what_is_wrong(tmp_path):
    """Every kind of fault, in a copy of the documentation, is named and fails the build."""
    copy = tmp_path / "checkout"
    shutil.copytree(DOCS, copy / "docs")
    shutil.copy(CHECKOUT / "mkdocs.yml", copy)
    for path in [*ROOMS.rglob("README.md"), *(CHECKOUT / name for name in OUTSIDE)]:
        target = copy / path.relative_to(CHECKOUT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    assert build(copy, tmp_path / "site").returncode == 0
    (copy / "docs" / "left-out.md").write_text("# Not in the navigation\n")
    with (copy / "docs" / "index.md").open("a") as page:
        page.write("\n[a](no-page.md) [b](measure.md#no-heading) [c](../src/gaugeblock/none.py)")
        page.write(" ![d](pictures/none.png) [e](/absolute.md)\n")
    with (copy / "src" / "gaugeblock" / "cli" / "README.md").open("a") as page:
        page.write("\n[f](../../../docs/host.md#none) [g](../nothing/README.md)\n")
    answer = build(copy, tmp_path / "site")
    assert answer.returncode != 0
    warnings = [line for line in answer.stderr.splitlines() if "WARNING" in line or "- " in line]
    for fault in (
        "left-out.md",
        "no-page.md",
        "#no-heading",
        "src/gaugeblock/none.py",
        "pictures/none.png",
        "/absolute.md",
        "host.md#none",
        "nothing/README.md",
    ):
        assert any(fault in line for line in warnings), f"{fault} in\n{answer.stderr}"


PLACES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "src/gaugeblock/ruler/README.md": "rooms/ruler/index.md",
    "src/gaugeblock/ruler/facts/README.md": "rooms/ruler/facts/index.md",
}


@pytest.mark.parametrize(
    ("page", "href", "expected"),
    [
        ("diff.md", "metrics/facts.md", "metrics/facts.md"),
        ("metrics/facts.md", "../diff.md#the-page", "../diff.md#the-page"),
        ("diff.md", "../CONTRIBUTING.md", "contributing.md"),
        ("diff.md", "../README.md", "index.md"),
        ("metrics/facts.md", "../../src/gaugeblock/ruler/README.md", "../rooms/ruler/index.md"),
        ("diff.md", "../src/gaugeblock/ruler", "rooms/ruler/index.md"),
        ("rooms/ruler/index.md", "facts/README.md", "facts/index.md"),
        ("rooms/ruler/index.md", "../../../docs/metrics", "../../metrics/index.md"),
        ("rooms/ruler/facts/index.md", "../../../../docs/diff.md#a", "../../../diff.md#a"),
        ("contributing.md", "docs/architecture.md", "architecture.md"),
        # Files of the repository that are no pages: text alone.
        ("diff.md", "../src/gaugeblock/ruler/client.py", None),
        ("diff.md", "../tests", None),
        ("diff.md", "making/README.md", None),
        # What is wrong stays as it is, for the strict build to refuse.
        ("diff.md", "../src/gaugeblock/none.py", "../src/gaugeblock/none.py"),
        ("diff.md", "none.md", "none.md"),
        ("diff.md", "../../outside.md", "../../outside.md"),
        # Not ours to change.
        ("diff.md", "#the-picture", "#the-picture"),
        ("diff.md", "https://example.org/a.md", "https://example.org/a.md"),
        ("diff.md", "/rooted.md", "/rooted.md"),
    ],
)
def test_links_between_repository_and_site(page, href, expected):
    assert repository.rewritten(href, page, PLACES) == expected


def test_pages_name_only_files_that_exist():
    """Where the repository is browsed no build looks at the links; this does."""
    missing = []
    for path in pages():
        for target in re.findall(r"\]\(([^)\s]+)\)", prose(path)):
            name = target.partition("#")[0]
            if name and "://" not in name and not (path.parent / name).exists():
                missing.append(f"{path.relative_to(CHECKOUT)}: {target}")
    assert not missing, "\n".join(missing)


def commands() -> dict[str, set[str]]:
    """Return the program's commands with their visible options; of groups, their commands too."""
    from gaugeblock.cli import app

    found = {}
    for name, command in typer.main.get_command(app).commands.items():
        inner = getattr(command, "commands", {})
        if getattr(command, "invoke_without_command", False):  # it does something by itself
            found[f"{name} {next(iter(inner))}"] = {
                word
                for each in inner.values()
                for item in each.params
                for word in item.opts
                if word.startswith("-")
            }
            inner = {}
        params = [item for each in (command, *inner.values()) for item in each.params]
        shown = [item for item in params if not getattr(item, "hidden", False)]
        options = {word for item in shown for word in (*item.opts, *item.secondary_opts)}
        found[name] = {word for word in options if word.startswith("-")} | set(inner)
    return found


def test_every_command_is_listed():
    listed = (DOCS / "commands.md").read_text(encoding="utf-8")
    # `case list` and `case show` stand behind `gaugeblock suite list`.
    missing = [name for name in commands() if not re.search(rf"`(gaugeblock )?{name}\b", listed)]
    assert not missing


def test_pages_name_only_commands_that_exist():
    known = commands()
    for path in pages():
        text = path.read_text(encoding="utf-8")
        named = re.findall(
            r"(?:^\$ |^|`|\./dev run )gaugeblock ([a-z]+)(?: ([a-z]+)\b)?", text, re.M
        )
        for command, second in named:
            assert command in known, f"{path}: gaugeblock {command}"
            if command in ("suite", "case", "review"):
                assert second in known[command], f"{path}: gaugeblock {command} {second}"


@pytest.mark.parametrize(
    ("page", "named"),
    {
        "measure": ["measure"],
        "diff": ["diff"],
        "calibrate": ["calibrate"],
        "run": ["plan", "run"],
        "void": ["void", "rerun", "refill"],
        "host": ["host"],
        "hosts": ["host list"],
        "prices": ["price"],
        "review": ["review"],
        "profiles": ["profile"],
    }.items(),
)
def test_tables_of_options_are_the_programs(page, named):
    rows = re.findall(r"^\| `(--[a-z-]+)", (DOCS / f"{page}.md").read_text("utf-8"), re.M)
    words = set().union(*(commands()[name] for name in named))
    options = {word for word in words if word.startswith("--")}
    told = {"--second-kernel", "--no-spectrum"}  # told in the row of their opposite
    assert set(rows) == options - told


def test_figures_of_suite_growth_are_its_formulas():
    from gaugeblock.suites import load_suite
    from gaugeblock.suites.truth import expected_figures

    text = (DOCS / "suites" / "growth.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|.*\| ([\d,.]+) \| (\d+|—) \|$", text, re.M)
    told = {name: (float(value.replace(",", "")), faces) for name, value, faces in rows}
    asked = [round_ for case in load_suite("growth").cases() for round_ in case.rounds]
    assert told.keys() == {round_.id for round_ in asked}
    for round_ in asked:
        truth = expected_figures(round_)
        assert told[round_.id][0] == pytest.approx(truth["volume"]["value"], abs=0.005)
        faces = truth.get("faces", {"value": "—"})  # a line: not judged
        assert told[round_.id][1] == str(faces["value"])
