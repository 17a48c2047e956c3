"""The review server: what it gives, what it takes, and whom it turns away."""

import json

import pytest
from made_packs import origins, pack_of
from serving_packs import SCORES, ask, put, said, served

from gaugeblock.records.errors import DamagedEvidence, WrongUse
from gaugeblock.records.review import Review
from gaugeblock.web.review.serving import listening, open_pack


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served") / "pack"
    pack, _ = pack_of(origins(3), folder)
    with served(folder) as port:
        yield folder, pack, port


def test_a_review_is_saved_with_the_packs_hash(place):
    folder, pack, port = place
    status, _, body = put(port, 1, said(notes="<b>bold</b>\nsecond line"))
    assert status == 200, body
    path = folder / "samples/001/review.json"
    review = Review.load(path.read_bytes(), "review")
    assert review.artifact_hash == pack.samples[0].artifact_hash
    assert (review.scores.model_dump(), review.notes) == (SCORES, "<b>bold</b>\nsecond line")
    seen = {"scores": SCORES, "notes": review.notes}
    again = put(port, 1, said(scores={**SCORES, "finish": 3}, before=seen))
    assert again[0] == 200
    assert json.loads(ask(port, "/reviews")[2])[0]["scores"]["finish"] == 3
    before = path.read_bytes()
    status, _, body = put(port, 1, said(reviewer="Ben"))
    assert status == 409 and b"was reviewed by Ana" in body
    for stale in (None, seen):  # of a window that does not know what another one saved
        status, _, body = put(port, 1, said(before=stale))
        answer = json.loads(body)
        assert status == 409 and "in another window: 8, 7, 10, 3" in answer["error"]
        assert answer["stored"] == {"scores": {**SCORES, "finish": 3}, "notes": ""}
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (said(scores={**SCORES, "finish": 11}), "scores.finish"),
        (said(scores={**SCORES, "finish": -1}), "scores.finish"),
        (said(scores={**SCORES, "finish": 7.5}), "scores.finish"),
        (said(scores={**SCORES, "finish": True}), "scores.finish"),
        (said(scores={"finish": 1}), "scores.recognisability"),
        (said(reviewer="  "), "reviewer"),
        (said(reviewer="a\nb"), "reviewer"),
        (said(method="robot"), "method"),
        (said(notes="x" * 4001), "notes"),
        (said(artifact_hash="0" * 64), "artifact_hash"),
        (b"{", "Invalid JSON"),
    ],
)
def test_what_is_no_review_is_not_saved(place, content, word):
    folder, _, port = place
    status, _, body = put(port, 2, content)
    assert status == 422 and word in body.decode()
    assert not (folder / "samples/002/review.json").exists()


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),  # the 3-D view's own origin: it may look, not write
        ({"Origin": ""}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Sec_Fetch_Site": "same-site"}, 403),
        ({"host": "evil.example"}, 403),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": ""}, 415),
    ],
)
def test_posts_from_elsewhere_are_refused(place, headers, expected):
    folder, _, port = place
    assert put(port, 3, said(), **headers)[0] == expected
    assert not (folder / "samples/003/review.json").exists()


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil:80"])
def test_another_hosts_name_gets_nothing(place, host):
    _, _, port = place
    status, _, body = ask(port, "/", host=host)
    assert status == 403 and b"<html" not in body
    assert ask(port, "/", host=f"localhost:{port}")[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        "/samples/1/../../pack.mapping.private.json",
        "/samples/1/%2e%2e%2f%2e%2e%2f%2e%2e%2fpack.mapping.private.json",
        "/samples/1/..%2freview.json",
        "/samples/1/review.json",
        "/samples/1/front.png%00.html",
        "/samples/4/front.png",
        "/samples/-1/front.png",
        "/pack.mapping.private.json",
        "//etc/passwd",
    ],
)
def test_paths_lead_nowhere_else(place, path):
    _, _, port = place
    assert ask(port, path)[0] == 404


def test_bodies_are_limited(place):
    folder, _, port = place
    assert put(port, 2, b" " * 40_000)[0] == 413
    assert not (folder / "samples/002/review.json").exists()


def test_answers_say_what_a_browser_may_do(place):
    _, _, port = place
    status, headers, body = ask(port, "/samples/1/turntable.html")
    names = {name.lower(): value for name, value in headers.items()}
    assert status == 200 and names["content-security-policy"] == "sandbox allow-scripts"
    assert names["x-content-type-options"] == "nosniff" and b"default-src 'none'" in body
    assert b"default-src 'none'" in ask(port, "/")[2]
    assert ask(port, "/reviews/1", method="DELETE", Origin=f"http://127.0.0.1:{port}")[0] == 405


def test_a_pack_that_was_touched_is_not_opened(tmp_path):
    folder = tmp_path / "pack"
    pack_of(origins(2), folder)
    opened = open_pack(folder)
    assert len(opened.pack.samples) == 2
    picture = folder / "samples/002/iso.png"
    held = picture.read_bytes()
    picture.write_bytes(held + b"\0")
    with pytest.raises(DamagedEvidence, match=r"002/iso\.png: not the picture"):
        open_pack(folder)
    picture.write_bytes(held)
    (folder / "samples/001/review.json").symlink_to(picture)
    with pytest.raises(DamagedEvidence, match="link"):
        open_pack(folder)
    with pytest.raises(WrongUse, match="no pack"):
        open_pack(tmp_path)


def test_files_that_change_while_they_are_served_are_told_and_no_fault(tmp_path):
    folder = tmp_path / "pack"
    pack_of(origins(2), folder)
    with served(folder) as port:
        (folder / "samples/001/review.json").write_text("{")
        (folder / "samples/001/front.png").unlink()
        (folder / "samples/001/iso.png").write_bytes(b"x")
        status, _, body = ask(port, "/reviews")
        assert status == 500 and "review.json" in json.loads(body)["error"]
        assert put(port, 1, said())[0] == 422
        assert ask(port, "/samples/1/front.png")[::2] == (
            409,
            b"the picture that was packed is gone",
        )
        assert ask(port, "/samples/1/iso.png")[0] == 409
        assert ask(port, "/samples/2/iso.png")[0] == 200


def test_only_the_loopback_listens():
    with listening(0) as bound:
        host, port = bound.getsockname()
        assert host == "127.0.0.1"
        with pytest.raises(WrongUse, match=f"--port {port}"):
            listening(port)
