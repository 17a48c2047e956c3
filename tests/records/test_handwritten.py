"""Files of other people's hands: within bounds, or one line."""

import os
from pathlib import Path

import pytest

from gaugeblock.records.errors import WrongUse
from gaugeblock.records.handwritten import (
    LARGEST_TOML_BYTES,
    LARGEST_WHOLE,
    MOST_DOTS,
    is_there,
    read_toml,
)


def written(folder, text):
    path = folder / "own.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    return path


def test_a_file_is_read_with_and_without_the_mark_of_its_order(tmp_path):
    text = f'a.b = {LARGEST_WHOLE}\nc = "1.5 ≠ 2"\n'.encode()
    for data in (text, b"\xef\xbb\xbf" + text):
        content, told = read_toml(written(tmp_path, data), "file")
        assert content == {"a": {"b": LARGEST_WHOLE}, "c": "1.5 ≠ 2"} and told == data


def test_as_many_dots_as_are_allowed_are_read(tmp_path):
    content, _ = read_toml(written(tmp_path, "a." * MOST_DOTS + "b = 1"), "file")
    for _ in range(MOST_DOTS):
        content = content["a"]
    assert content == {"b": 1}


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("a." * (MOST_DOTS + 1) + "b = 1", "line 1: more than"),
        ("\n[" + "a." * 20_000 + "b]", "line 2: more than"),
        ("'\u2028'." * 5_000 + "b = 1", "line 1: more than"),
        ("a = " + "9" * 5_000, "too long"),
        ("a = [{b = 0x" + "f" * 5_000 + "}]", "too long"),
        (f"a = {-LARGEST_WHOLE - 2}", "too long"),
        ("a = " + "[" * 20_000 + "]" * 20_000, "nested"),
        ("a = " + "{a = " * 20_000 + "1" + "}" * 20_000, "nested"),
        (b"\xff\xfea = 1", "not UTF-8"),
        ("#" * (LARGEST_TOML_BYTES + 1), "larger than"),
        ("a = 2026-02-30", "line 1"),
        ("a = ", "end of document"),
        ("\0", "line 1"),
    ],
)
def test_what_is_beyond_all_use_is_one_line(tmp_path, text, word):
    with pytest.raises(WrongUse, match=word) as told:
        read_toml(written(tmp_path, text), "file")
    message = str(told.value)
    assert "own.toml" in message and "\n" not in message and len(message) < 300


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (Path.mkdir, "a folder"),
        (os.mkfifo, "no regular file"),
        (lambda path: path.symlink_to(path), "no such price file"),
        (lambda path: path.symlink_to("/dev/zero"), "no regular file"),
    ],
)
def test_what_only_has_the_name_of_a_file_is_told(tmp_path, make, word):
    path = tmp_path / "own.toml"
    assert not is_there(path)
    make(path)
    assert is_there(path)
    with pytest.raises(WrongUse, match=word):
        read_toml(path, "price file")
