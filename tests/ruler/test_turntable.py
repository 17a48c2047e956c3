"""The page that turns a part: all its triangles by colour, and no word out of the file."""

import base64
import json
import re

import numpy as np
import pytest

from gaugeblock.ruler.views.body import Body
from gaugeblock.ruler.views.turntable import LAYERS_MAX, frame, turntable


def tetrahedron(colours, palette):
    points = np.array([[0, 0, 0], [3, 0, 0], [0, 4, 0], [0, 0, 5]], dtype=np.float32)
    triangles = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], dtype=np.uint32)
    none = np.zeros((0, 2, 3), dtype=np.float32)
    edges = {"sharp": points[[[0, 1], [0, 2]]], "smooth": none}
    numbers = np.array(colours, dtype=np.uint32)
    return Body((0, 0, 0), points, triangles, numbers, palette, edges, 0.1, ("a word of the file",))


def scene(page):
    return json.loads(re.search(r'id="scene">([^<]*)<', page)[1])


def test_a_layer_a_colour_with_all_its_triangles():
    page = turntable(tetrahedron([0, 1, 0, 0], ("#ff0000", None, "#00ff00")))
    layers = scene(page)["layers"]
    assert {name: layer["indices"][1] for name, layer in layers.items()} == {"c0": 9, "c1": 3}
    assert layers["c0"]["ink"] == [1, 0, 0]  # the colour of no triangle has no layer
    assert all(f'id="layer-{name}"' in page for name in layers)
    assert (scene(page)["low"], scene(page)["high"]) == ([0, 0, 0], [3, 4, 5])
    data = base64.b64decode(re.search(r'id="data">([^<]*)<', page)[1])
    start, count = layers["c1"]["indices"]
    assert np.frombuffer(data, "<u4", count, start).max() == 2  # three nodes, numbered anew
    assert scene(page)["edges"]["sharp"]["nodes"][1] == 4


def test_every_page_differs_from_the_bare_one_in_geometry_alone():
    page = turntable(tetrahedron([0] * 4, ("#123456",)))
    assert "a word of the file" not in page
    bare = re.compile(r'(?<=id="scene">)[^<]*|(?<=id="data">)[^<]*|(?<=<div hidden>).*?(?=</div>)')
    assert bare.sub("", page) == bare.sub("", frame())


def test_more_colours_than_layers_are_refused():
    count = LAYERS_MAX + 1
    one = tetrahedron([0] * 4, ("#123456",))
    many = Body(
        one.centre,
        one.points,
        np.tile(one.triangles[:1], (count, 1)),
        np.arange(count, dtype=np.uint32),
        tuple(f"#0000{n:02x}" for n in range(count)),
        one.edges,
        one.sag,
        (),
    )
    with pytest.raises(ValueError, match="65 colours"):
        turntable(many)
