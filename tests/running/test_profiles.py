"""Files of profiles: what is none is refused when it is read, in one line."""

import os
from pathlib import Path

import pytest

from gaugeblock.records.errors import WrongUse
from gaugeblock.records.profile import LONGEST_ID
from gaugeblock.running.profiles import load_profiles, require_own

OWN = """
[[profile]]
id = "a"
label = "l"
agent = "api"
dialect = "openai-responses"
provider = "openai"
model = "gpt-5.6-sol"
key_variable = "K"
"""


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Return the one profile of a text; lines are added, pairs replaced before."""
    monkeypatch.chdir(tmp_path)

    def make(lines="", **changes):
        text = OWN
        for name, value in changes.items():
            rows = [row for row in text.splitlines() if not row.startswith(f"{name} =")]
            text = "\n".join([*rows, f"{name} = {value}\n"])
        Path("profiles.toml").write_text(f"{text}{lines}\n", encoding="utf-8")
        return load_profiles(None)[-1]

    return make


@pytest.mark.parametrize("name", ["reference", "null", "mutant:no-holes", "mutant"])
def test_the_name_of_a_scripted_agent_is_no_id(load, name):
    with pytest.raises(WrongUse, match="scripted agent"):
        load(id=f'"{name}"')
    assert load(id=f'"my-{name}"').id == f"my-{name}"


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:8000/v1",
        "https://api.acme.example",
        "http://[::1]:8080/",
        "https://resource.acme.example:65535/a/b~c%20d",
        "http://my_host/v1/",
    ],
)
def test_an_address_is_taken_as_it_is(load, address):
    assert load(base_url=f'"{address}"').base_url == address


@pytest.mark.parametrize(
    "address",
    [
        "",
        "not a url",
        "localhost:8000",
        "ftp://h",
        "file:///etc/passwd",
        "http://",
        "http:///v1",
        "http://[::1",
        "http://[1::2::3]",
        "http://h:99999",
        "http://h:0",
        "http://h:http",
        "http://1.2.3.999/",
        "http://user:SECRET@h/",
        "http://h/v1?key=SECRET",
        "http://h/#SECRET",
        "http://h /v1",
        "http://h/\\u001b[31m",
        "http://h\\n",
        "http://ü.example",
        "http://a..b",
        "http://.",
        "http://" + "a" * 64,
    ],
)
def test_what_nothing_can_be_sent_to_is_no_address(load, address):
    with pytest.raises(WrongUse, match=r"profile a: base_url") as told:
        load(base_url=f'"{address}"')
    assert "SECRET" not in str(told.value) and "\n" not in str(told.value)


def test_a_dialect_of_many_servers_needs_an_address(load):
    for billing in ("metered", "subscription"):
        with pytest.raises(WrongUse, match="openai-chat needs a base_url"):
            load(dialect='"openai-chat"', billing=f'"{billing}"')
    ours = load(dialect='"openai-chat"', billing='"local"')
    assert ours.base_url is None
    there = load(dialect='"openai-chat"', base_url='"http://h/v1"')
    assert there.base_url == "http://h/v1"
    assert load().base_url is None, "the other dialects know where to send"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tier", "true"),
        ("tier", "'3'"),
        ("tier", "1.0"),
        ("tier", "0"),
        ("tier", "1001"),
        ("tier", "9" * 5000),
        ("tier", "0x" + "f" * 5000),
        ("stream", "'yes'"),
        ("stream", "1"),
        ("image_tokens", "true"),
        ("image_tokens", "'5'"),
        ("pacing", "{requests_per_min = true}"),
        ("pacing", "{tokens_per_min = '5'}"),
        ("pacing", "{tokens_per_min = inf}"),
        ("key_variable", "''"),
        ("key_variable", "'A=B'"),
        ("key_variable", '"K\\u0000"'),
        ("id", "'" + "a" * (LONGEST_ID + 1) + "'"),
        ("id", "2020-01-01"),
    ],
)
def test_a_value_of_another_kind_is_refused(load, name, value):
    with pytest.raises(WrongUse, match=r"profiles\.toml") as told:
        load(**{name: value})
    assert "\n" not in str(told.value) and len(str(told.value)) < 300
    assert load(), "without it the profile is one"


def test_values_of_their_kind_are_taken(load):
    found = load(tier="3", stream="true", pacing="{requests_per_min = 30, tokens_per_min = 0.5}")
    assert (found.tier, found.stream) == (3, True)
    assert (found.pacing.requests_per_min, found.pacing.tokens_per_min) == (30, 0.5)


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to(path)])
def test_a_folder_or_fifo_of_the_name_is_not_passed_over(tmp_path, monkeypatch, make):
    monkeypatch.chdir(tmp_path)
    assert load_profiles(None)
    make(tmp_path / "profiles.toml")
    with pytest.raises(WrongUse, match=r"profiles\.toml"):
        load_profiles(None)


def test_a_key_goes_only_where_a_profile_of_the_users_own_says(load):
    """A run folder can come from anywhere, and its plan names an address and a key."""
    own = load()
    require_own([own], None)
    require_own([own.model_copy(update={"id": "b", "key_variable": None})], None)
    with pytest.raises(WrongUse, match="no profile of yours"):
        require_own([own.model_copy(update={"id": "b"})], None)
    for name, value in (("base_url", "http://elsewhere/v1"), ("key_variable", "OTHER")):
        with pytest.raises(WrongUse, match=name):
            require_own([own.model_copy(update={name: value})], None)
