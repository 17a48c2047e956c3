"""The page: stands alone, and nothing that a file says can act in it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from gaugeblock.ruler.picture.facts import Row
from gaugeblock.ruler.picture.page import PLACES, PageText, page
from gaugeblock.ruler.picture.scene import EDGES, LAYERS, Layer, Scene

EVIL = "</script></style><img src=x onerror=alert(1)>{{data}}\"'<!--"
STILL = b"\x89PNG\r\n\x1a\nstill"


def tetrahedron(at: float) -> Layer:
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float32) + at
    triangles = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]], dtype=np.uint32)
    return Layer(points.astype(np.float32), triangles)


def scene(reason: str | None = None) -> Scene:
    none = Layer(np.empty((0, 3), np.float32), np.empty((0, 3), np.uint32))
    layers = dict.fromkeys(LAYERS, none) | {"a": tetrahedron(0), "b": tetrahedron(2)}
    if reason is None:
        layers |= {"only_a": layers["a"], "only_b": layers["b"]}
    edge = np.array([[[0, 0, 0], [1, 0, 0]]], dtype=np.float32)
    return Scene(layers, dict.fromkeys(EDGES, edge), {}, 0.01, reason)


def made(text: str = "part", reason: str | None = None) -> str:
    words = PageText(
        title=text,
        verdict=text,
        hints=[text],
        figures=[(text, text)],
        rows=[Row("names", text, "x", True), Row("valid", "yes", "yes", False)],
        notes=[text],
    )
    return page(scene(reason), words, STILL)


class Tags(HTMLParser):
    """Collects what a browser would see as elements, and the text between."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def count(self, tag: str) -> int:
        return sum(1 for name, _ in self.tags if name == tag)


def test_hostile_words_stay_words() -> None:
    plain, hostile = Tags(made()), Tags(made(EVIL))
    assert [tag for tag, _ in hostile.tags] == [tag for tag, _ in plain.tags]
    assert hostile.text.count(EVIL) == 8
    for tag, attributes in hostile.tags:
        assert not any(name.startswith("on") for name in attributes), tag
    assert hostile.count("img") == 1
    assert hostile.count("script") == 3


def test_nothing_is_loaded() -> None:
    source = made()
    assert not re.search(r"https?:|//cdn|@import|url\(|\bimport\b|fetch\(|XMLHttp", source)
    for _, attributes in Tags(source).tags:
        for name in ("src", "href", "action", "data"):
            assert (attributes.get(name) or "data:").startswith("data:")


def test_the_policy_allows_just_this_script_and_style() -> None:
    source = made(EVIL)
    policy = next(
        attributes["content"] or ""
        for tag, attributes in Tags(source).tags
        if attributes.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none'")
    for tag in ("script", "style"):
        content = re.findall(rf"<{tag}>(.*?)</{tag}>", source, flags=re.DOTALL)
        assert len(content) == 1
        digest = base64.b64encode(hashlib.sha256(content[0].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy
    assert ' style="' not in source


def test_the_geometry_comes_back() -> None:
    source = made()
    manifest = json.loads(re.findall(r'id="scene">(.*?)</script>', source)[0])
    data = base64.b64decode(re.findall(r'id="data">(.*?)</script>', source)[0])
    entry = manifest["layers"]["b"]
    start, count = entry["nodes"]
    nodes = np.frombuffer(data, "<u2", count * 6, start).reshape(-1, 6)[:, :3]
    low, high = np.array(manifest["low"]), np.array(manifest["high"])
    points = low + nodes / PLACES * (high - low)
    start, count = entry["indices"]
    corners = points[np.frombuffer(data, "<u4", count, start)].reshape(-1, 3, 3)
    expected = tetrahedron(2)
    assert np.allclose(corners, expected.points[expected.triangles], atol=1e-4)
    assert base64.b64encode(STILL).decode() in source


@pytest.mark.parametrize(("reason", "on"), [(None, "only_a"), ("no booleans", "a")])
def test_what_is_shown_at_first(reason: str | None, on: str) -> None:
    boxes = {
        attributes["id"]: attributes
        for tag, attributes in Tags(made(reason=reason)).tags
        if tag == "input"
    }
    assert "checked" in boxes[f"layer-{on}"]
    assert ("checked" in boxes["layer-b"]) == (reason is not None)
    assert "disabled" in boxes["layer-common"]
    assert ("disabled" in boxes["layer-only_b"]) == (reason is not None)
