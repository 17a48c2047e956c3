"""`gaugeblock price`: what a user sees, and what is left alone."""

import datetime as dt
import json
import re
import shlex
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from gaugeblock.cli import main
from gaugeblock.metering.snapshot import load_snapshot

OWN = """
[[price]]
provider = "acme"
model = "anvil-1"
input = 1.5
output = 6
"""
PROFILES = """
[[profile]]
id = "anvil"
label = "Anvil 1"
agent = "api"
dialect = "openai-chat"
provider = "acme"
base_url = "https://acme.example/v1"
model = "{model}"
"""
PAGE = "https://acme.example/prices"


@pytest.fixture
def call(tmp_path, monkeypatch, capsys):
    (tmp_path / "mine.toml").write_text(OWN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["gaugeblock", "price", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            main()
        told = capsys.readouterr()
        return SimpleNamespace(returncode=end.value.code or 0, stdout=told.out, stderr=told.err)

    return run


def refused(done, word):
    assert done.returncode == 2, done.stdout + done.stderr
    (line,) = done.stderr.strip().splitlines()
    assert line.startswith("gaugeblock: ") and word in line


def test_from_own_prices_to_a_confirmed_row(call, tmp_path):
    done = call("snapshot", "--own", "mine.toml")
    assert done.returncode == 0, done.stderr
    assert "UNCHECKED" in done.stdout and "input: 1.5 USD a million tokens" in done.stdout
    path, today = tmp_path / "gaugeblock-prices.json", dt.date.today().isoformat()
    (row,) = load_snapshot(path).rows
    assert row.source == "mine.toml" and row.checked is None
    done = call("confirm", "anvil-1", "--source", PAGE, "--date", today)
    assert done.returncode == 0, done.stderr
    assert "output: 6 USD a million tokens" in done.stdout and "UNCHECKED" not in done.stdout
    (row,) = load_snapshot(path).rows
    assert (row.checked.source, row.checked.date.isoformat()) == (PAGE, today)
    shown = json.loads(call("show", "anvil-1", "--json").stdout)
    assert shown["frozen"][0]["checked"]["source"] == PAGE and shown["rows"] == []
    done = call("snapshot", "--own", "mine.toml", "--json")
    assert json.loads(done.stdout)["rows"][0]["checked"]["date"] == today


def test_models_of_profiles_are_taken_and_a_lacking_price_is_told(call, tmp_path):
    profiles = tmp_path / "their.toml"
    profiles.write_text(PROFILES.format(model="anvil-2"), encoding="utf-8")
    done = call("snapshot", "--profiles", profiles, "--own", "mine.toml")
    assert done.returncode == 1
    assert "NO PRICE: genai-prices has no provider acme" in done.stdout
    profiles.write_text(PROFILES.format(model="anvil-1"), encoding="utf-8")
    assert call("snapshot", "--profiles", profiles, "--own", "mine.toml").returncode == 0


def test_nothing_to_freeze_writes_nothing(call, tmp_path):
    refused(call("snapshot"), "nothing to freeze")
    refused(call("snapshot", "--model", "acme/anvil-9"), "no provider acme")
    refused(call("snapshot", "--model", "anvil"), "PROVIDER/MODEL")
    refused(call("snapshot", "--own", "none.toml"), "no such file")
    assert not (tmp_path / "gaugeblock-prices.json").exists()


def test_a_file_that_holds_no_prices_is_left_alone(call, tmp_path):
    target = tmp_path / "notes.json"
    target.write_text("{}", encoding="utf-8")
    refused(call("snapshot", "--own", "mine.toml", "--prices", "notes.json"), "left alone")
    refused(call("snapshot", "--own", "mine.toml", "--prices", "mine.toml"), "left alone")
    refused(call("snapshot", "--own", "mine.toml", "--prices", tmp_path), "a folder")
    assert target.read_text(encoding="utf-8") == "{}"
    assert (tmp_path / "mine.toml").read_text(encoding="utf-8") == OWN


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"date": "2999-01-01"}, "future"),
        ({"date": "2020-01-01"}, "more than 30 days"),
        ({"date": "yesterday"}, "write it as"),
        ({"date": dt.date.today().strftime("%Y%m%d")}, "write it as"),
        ({"date": dt.date.today().strftime("%G-W%V-%u")}, "write it as"),
        ({"date": "0001-01-01"}, "date"),
        ({"source": "https://x\x1b[31m"}, "source"),
        ({"source": "acme.example"}, "source"),
        ({"model": "anvil-9"}, "not in the snapshot"),
    ],
)
def test_what_proves_nothing_is_refused(call, tmp_path, change, word):
    call("snapshot", "--own", "mine.toml")
    before = (tmp_path / "gaugeblock-prices.json").read_bytes()
    today = dt.date.today().isoformat()
    given = {"model": "anvil-1", "source": PAGE, "date": today, **change}
    words = (given["model"], "--source", given["source"], "--date", given["date"])
    refused(call("confirm", *words), word)
    assert (tmp_path / "gaugeblock-prices.json").read_bytes() == before


def test_without_a_price_file_nothing_is_confirmed(call):
    words = ("--source", PAGE, "--date", dt.date.today().isoformat())
    refused(call("confirm", "anvil-1", *words), "no such price file")


def test_an_unknown_model_names_its_neighbours(call):
    refused(call("show", "gtp-5.5", "--provider", "openai"), "closest: gpt-5.5")
    refused(call("show", "gtp-5.5"), "closest: gpt-5.5")


def test_the_installed_package_is_shown_as_unchecked(call):
    done = call("show", "gpt-5.5", "--provider", "openai")
    assert done.returncode == 0, done.stderr
    assert "genai-prices" in done.stdout and "UNCHECKED" in done.stdout
    assert "where the input is above" in done.stdout


def test_a_link_that_leads_to_itself_is_no_file(call, tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    refused(call("snapshot", "--own", "loop"), "loop")
    refused(call("snapshot", "--own", "mine.toml", "--prices", "loop"), "loop")


# --- the documentation ---------------------------------------------------------------------------

DOCS = Path(__file__).parents[2] / "docs"


def blocks(page, kind):
    return re.findall(rf"^```{kind}\n(.*?)^```$", (DOCS / page).read_text("utf-8"), re.M | re.S)


def test_the_commands_of_the_documentation_work_in_their_order(call, tmp_path):
    (tmp_path / "profiles.toml").write_text(blocks("profiles.md", "toml")[0], encoding="utf-8")
    (tmp_path / "my-prices.toml").write_text(blocks("prices.md", "toml")[0], encoding="utf-8")
    today = dt.date.today().isoformat()
    lines = "".join(blocks("prices.md", "sh")).replace('"$(date +%F)"', today).splitlines()
    assert {shlex.split(line)[2] for line in lines} == {"show", "snapshot", "confirm"}
    for line in lines:
        program, group, *words = shlex.split(line)
        assert (program, group) == ("gaugeblock", "price")
        done = call(*words)
        assert done.returncode == 0, f"{line}: {done.stderr}"
