"""Keys: found, refused where no header carries them, and never told."""

import os
from pathlib import Path

import pytest

from gaugeblock.records.errors import WrongUse
from gaugeblock.records.profile import Profile
from gaugeblock.running.keys import LONGEST_KEY, require_kept, require_keys
from gaugeblock.running.readiness import readiness

KEY = "sk-SECRET-7f3a"


@pytest.fixture
def profile(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MK", raising=False)
    return Profile.build(
        {
            "id": "p",
            "label": "p",
            "agent": "api",
            "dialect": "openai-responses",
            "model": "m",
            "billing": "subscription",
            "base_url": "http://127.0.0.1:9/v1",
            "key_variable": "MK",
        },
        "p",
    )


def keys_file(data):
    Path(".env.benchmark").write_bytes(data if isinstance(data, bytes) else data.encode())


@pytest.mark.parametrize(
    "text",
    [
        f"MK={KEY}\n",
        f"# keys\n\nexport MK='{KEY}'\nOTHER=x\n",
        f"\ufeffMK={KEY}\r\n",
        f"MK={KEY}   # mine\n",
        f"A=$B\nMK={KEY}",
    ],
)
def test_a_key_of_the_file_is_found(profile, text):
    keys_file(text)
    assert require_keys([profile]) == {"p": KEY}
    assert readiness(profile, None)[0] == []


@pytest.mark.parametrize(
    "value",
    [
        f'"{KEY}\\nmore"',
        f'"{KEY}\nmore"',
        f'"{KEY}\\rmore"',
        f"'{KEY} more'",
        f"{KEY}é",
        f"{KEY}\u200b",
        f"{KEY}\x7f",
        f"{KEY}\0",
        KEY * (LONGEST_KEY // len(KEY) + 1),
    ],
)
def test_a_key_that_no_header_carries_is_refused_and_not_told(profile, value):
    keys_file(f"MK={value}\n")
    with pytest.raises(WrongUse) as refused:
        require_keys([profile])
    lacks, _ = readiness(profile, None)
    for told in (str(refused.value), *lacks):
        assert "MK" in told and "SECRET" not in told and "\n" not in told
    assert len(lacks) == 1


@pytest.mark.parametrize("value", [f"{KEY}\nmore", f"\ufeff{KEY}", f"{KEY}\udcff"])
def test_so_is_one_of_the_environment(profile, monkeypatch, value):
    monkeypatch.setenv("MK", value)
    with pytest.raises(WrongUse, match="MK") as refused:
        require_keys([profile])
    assert "SECRET" not in str(refused.value)


def test_the_longest_key_is_sent(profile, monkeypatch):
    monkeypatch.setenv("MK", "k" * LONGEST_KEY)
    assert require_keys([profile])["p"] == "k" * LONGEST_KEY


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (f"MK={KEY}\nthis is {KEY} no line\n'\n", "line 2"),
        (f"MK='{KEY}\n", "line 1"),
        (f"MK={KEY}\n".encode("utf-16"), "not UTF-8"),
        (f"MK={KEY}\xff\n".encode("latin-1"), "not UTF-8"),
        (b"#" * 200_000, "larger"),
    ],
)
def test_a_garbled_file_is_one_line_without_its_content(profile, data, word, capfd, caplog):
    keys_file(data)
    for ask in (lambda: require_keys([profile]), lambda: readiness(profile, None)):
        with pytest.raises(WrongUse, match=word) as refused:
            ask()
        message = str(refused.value)
        assert message.startswith(".env.benchmark") and "\n" not in message
        assert "SECRET" not in message
    assert caplog.records == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to(path)])
def test_a_folder_or_fifo_of_the_name_is_not_passed_over(profile, make):
    make(Path(".env.benchmark"))
    with pytest.raises(WrongUse, match=r"\.env\.benchmark"):
        require_keys([profile])


def test_the_environment_wins_and_the_file_is_then_not_read(profile, monkeypatch):
    keys_file(b"\xff")
    monkeypatch.setenv("MK", KEY)
    assert require_keys([profile]) == {"p": KEY}


def test_no_server_is_handed_a_profiles_key_whatever_it_is_called(profile):
    require_kept([profile], ["MKX", "SITE"])
    with pytest.raises(WrongUse, match="pass_variables: MK holds the key of profile p"):
        require_kept([profile], ["SITE", "MK"])
