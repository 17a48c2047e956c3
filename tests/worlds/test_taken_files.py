"""Files of a strange server's folder: taken as they are, or refused with the reason."""

import os

import pytest

from gaugeblock.worlds import deliveries
from gaugeblock.worlds.deliveries import Refused, clear, take


def refusal(folder, name="out.step"):
    with pytest.raises(Refused) as caught:
        take(folder, name)
    return str(caught.value)


def test_a_file_is_taken_whole(tmp_path):
    data = b"ISO-10303-21;" * 100_000
    (tmp_path / "out.step").write_bytes(data)
    assert take(tmp_path, "out.step") == data


def test_what_is_no_delivery_is_refused(tmp_path):
    assert refusal(tmp_path) == "there is no file out.step"
    (tmp_path / "out.step").touch()
    assert refusal(tmp_path) == "out.step is empty"
    (tmp_path / "folder").mkdir()
    assert refusal(tmp_path, "folder") == "folder is a folder"
    os.mkfifo(tmp_path / "pipe")
    assert refusal(tmp_path, "pipe") == "pipe is no regular file"


@pytest.mark.parametrize("target", ["/etc/passwd", "other.step", "nowhere", "out.step"])
def test_a_link_is_refused_wherever_it_leads(tmp_path, target):
    (tmp_path / "other.step").write_text("real")
    (tmp_path / "out.step").symlink_to(target)
    assert refusal(tmp_path) == "out.step is a symbolic link, which is refused"


def test_a_folder_that_became_a_link_is_not_followed(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "out.step").write_text("x")
    (tmp_path / "work").symlink_to(tmp_path / "real")
    with pytest.raises(Refused, match="its folder cannot be opened"):
        take(tmp_path / "work", "out.step")


def test_a_file_too_large_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(deliveries, "LARGEST_DELIVERY_BYTES", 1000)
    (tmp_path / "out.step").write_bytes(b"x" * 1000)
    assert len(take(tmp_path, "out.step")) == 1000
    (tmp_path / "out.step").write_bytes(b"x" * 1001)
    assert refusal(tmp_path) == "out.step has more than 1,000 bytes"


def test_clearing_removes_a_link_and_not_what_it_leads_to(tmp_path):
    (tmp_path / "kept").write_text("kept")
    (tmp_path / "out.step").symlink_to("kept")
    clear(tmp_path, "out.step")
    assert not os.path.lexists(tmp_path / "out.step")
    assert (tmp_path / "kept").read_text() == "kept"
    clear(tmp_path, "out.step")  # nothing there: nothing to do
