"""A pack is blind, in an order that the seed alone decides, and its key lies apart."""

import base64
import json

import pytest
from made_packs import chunk, origins, pack_of, png, shown

from gaugeblock.records.errors import CouldNotMeasure, WrongUse
from gaugeblock.records.review import PackMapping, artifact_hash
from gaugeblock.web.review.blindness import leaks
from gaugeblock.web.review.packing import ordered

LABELS = {"model-a": "profile", "Model A": "profile's label", "first-run": "run folder's name"}


def order(seed, duplicates=0, count=12):
    return [
        (place.shown.origin.trial, place.duplicate_of)
        for place in ordered([shown(item) for item in origins(count)], seed, duplicates)
    ]


def test_the_order_is_the_seeds_alone():
    samples = [shown(item) for item in origins(12)]
    backward = [place.shown.origin.trial for place in ordered(samples[::-1], 1, 0)]
    assert backward == [trial for trial, _ in order(1)] == [trial for trial, _ in order(1)]
    assert order(1) != order(2)
    assert sorted(order(1)) == sorted(order(2))


def test_duplicates_are_the_same_artifact_under_two_numbers_and_never_neighbours():
    for seed in range(20):
        places = order(seed, duplicates=3)
        assert len(places) == 15
        twins = [(n, twin) for n, (_, twin) in enumerate(places, 1) if twin]
        assert len(twins) == 3
        for number, twin in twins:
            assert twin < number - 1
            assert places[twin - 1][0] == places[number - 1][0]
    with pytest.raises(WrongUse, match="there are 2 artifacts"):
        ordered([shown(item) for item in origins(2)], 1, 3)


def test_the_mapping_resolves_every_number_and_lies_apart(tmp_path):
    pack, path = pack_of(origins(4), tmp_path / "pack", duplicates=1)
    assert path.stat().st_mode & 0o077 == 0
    assert path.parent == tmp_path
    mapping = PackMapping.load(path.read_bytes(), "mapping")
    assert [item.number for item in mapping.samples] == [1, 2, 3, 4, 5]
    hashes = {}
    for sample, origin in zip(pack.samples, mapping.samples, strict=True):
        expected = artifact_hash(mapping.salt, origin.number, origin.artifact_sha256)
        assert sample.artifact_hash == expected != origin.artifact_sha256
        hashes[sample.number] = sample.artifact_hash
    assert len(set(hashes.values())) == 5  # a duplicate does not show by its hash
    everything = b"".join(p.read_bytes() for p in (tmp_path / "pack").rglob("*") if p.is_file())
    for secret in (mapping.salt, *(item.artifact_sha256 for item in mapping.samples)):
        assert secret.encode() not in everything


def test_a_mapping_inside_the_pack_is_refused(tmp_path):
    from gaugeblock.web.review.packing import require_apart

    with pytest.raises(WrongUse, match="reviewers must not have it"):
        require_apart(tmp_path / "pack", tmp_path / "pack" / ".." / "pack" / "key.json")
    require_apart(tmp_path / "pack", tmp_path / "pack.json")


def test_a_label_in_what_a_file_says_of_itself_stops_the_packing(tmp_path):
    bad = shown(origins(1)[0], notes=("not drawn: 1 surface beside MODEL-A",))
    with pytest.raises(CouldNotMeasure, match=r"pack\.json: holds the profile 'model-a'|index"):
        pack_of([bad], tmp_path / "pack", labels=LABELS)
    assert list(tmp_path.iterdir()) == []  # nothing is written, no mapping either
    pack_of([shown(origins(1)[0], notes=("not drawn: 1 surface",))], tmp_path / "pack")


def test_what_the_task_says_anyway_is_no_leak(tmp_path):
    item = shown(origins(1)[0], brief="Put the front flange where the reference says.")
    labels = {"reference": "profile", "front": "run folder's name", **LABELS}
    pack_of([item], tmp_path / "pack", labels=labels)


def data_page(content: bytes) -> bytes:
    packed = base64.b64encode(content).decode()
    return f'<script type="text/plain" id="data">{packed}</script>'.encode()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("samples/001/front.svg", b"<svg><title>part of Model A</title></svg>"),
        ("samples/001/front.svg", b"<svg><!-- first-run --></svg>"),
        ("samples/001/front.svg", b"<svg><title>Model&#32;A</title></svg>"),
        ("samples/001/view.glb", b"glTF"),  # not looked through, so not taken
        ("samples/001/front.png", png(chunk(b"tEXt", b"Title\0Model A"))),
        ("samples/001/front.png", png() + b"model-a"),
        ("samples/001/front.png", b"model-a"),
        ("samples/model-a/front.png", png()),
        ("model-a.json", b"{}"),
        ("pack.json", json.dumps({"by": "x model-a."}).encode()),
        ("samples/001/turntable.html", data_page(b"\0\1first-run\2")),
        ("samples/001/turntable.html", b'<script type="text/plain" id="data">model-a!</script>'),
    ],
)
def test_each_way_to_tell_a_name_is_found(name, data):
    assert leaks({name: data}, LABELS, {})


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("samples/001/front.svg", b"<svg><title>a remodel-and-a-half</title></svg>"),
        ("samples/001/front.png", png()),
        ("samples/001/turntable.html", data_page(bytes(range(256)))),
    ],
)
def test_what_tells_nothing_passes(name, data):
    assert leaks({name: data}, LABELS, {}) == []
