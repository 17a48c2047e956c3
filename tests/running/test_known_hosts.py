"""Files of CAD servers: which there are, and what is told of a slip in one."""

import re

import pytest

from gaugeblock.records.errors import WrongUse
from gaugeblock.running import known_hosts
from gaugeblock.running.described_host import settings_of
from gaugeblock.running.known_hosts import BUILT_IN, find_host

ENTRY = """
[[host]]
id = "{id}"
label = "mine"
command = ["cad"]
capabilities = ["step"]
export = {{ file = "out.step" }}
{more}
"""


def written(tmp_path, *ids, more=""):
    path = tmp_path / "hosts.toml"
    path.write_text("".join(ENTRY.format(id=name, more=more) for name in ids))
    return path


def test_ours_is_ours():
    assert find_host(None, None) is None and find_host("gaugeblock", None) is None


def test_a_file_of_ones_own_is_read_beside_the_known_ones(tmp_path, monkeypatch):
    path = written(tmp_path, "mine")
    assert find_host("mine", path).base == tmp_path
    assert find_host("build123d-mcp", path).base == BUILT_IN.parent
    monkeypatch.chdir(tmp_path)
    assert find_host("mine", None).description.label == "mine"


def test_ones_own_goes_before_a_known_one(tmp_path):
    assert (
        find_host("build123d-mcp", written(tmp_path, "build123d-mcp")).description.label == "mine"
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[host]\nid = 1", "write each host as"),
        ("[[hosts]]\n", "unknown key `hosts`; did you mean host?"),
        ("[[host]]\nid = 'a'", "hosts.toml, host a: label: Field required"),
        ("[[host]]\nid = ", "hosts.toml: "),
        (ENTRY.format(id="a", more="") * 2, "hosts.toml, host a: there are two of this id"),
        (ENTRY.format(id="gaugeblock", more=""), "is our own host"),
        (ENTRY.format(id="a", more="call_s = nan"), "call_s"),
    ],
)
def test_a_slip_is_told(tmp_path, text, told):
    path = tmp_path / "hosts.toml"
    path.write_text(text)
    for name in ("a", None):  # a file that is named is looked at, also where ours is run
        with pytest.raises(WrongUse, match=re.escape(told)):
            find_host(name, path)


def test_an_unknown_host_and_an_absent_file(tmp_path):
    with pytest.raises(WrongUse, match="no host `build123`; did you mean build123d-mcp"):
        find_host("build123", None)
    with pytest.raises(WrongUse, match="no such file of hosts"):
        find_host("a", tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ('folder = "server"', "no server beside its file of hosts"),
        ('environment = ".venv"', r"no \.venv beside its file of hosts"),
        ('package = "cad==1.0"\nlock = "cad.txt"', r"no cad\.txt beside its file of hosts"),
    ],
)
def test_files_that_are_missing_are_told_before_anything_starts(tmp_path, more, told):
    with pytest.raises(WrongUse, match=f"host mine: {told}"):
        settings_of(find_host("mine", written(tmp_path, "mine", more=more)))


def test_a_lock_that_does_not_pin_the_package_is_refused(tmp_path):
    (tmp_path / "cad.txt").write_text("cad==1.1 \\\n    --hash=sha256:00\n")
    more = 'package = "cad==1.0"\nlock = "cad.txt"'
    with pytest.raises(WrongUse, match=r"cad\.txt does not pin cad==1\.0"):
        settings_of(find_host("mine", written(tmp_path, "mine", more=more)))


def test_no_uv_is_told(tmp_path, monkeypatch):
    (tmp_path / "cad.txt").write_text("cad==1.0 \\\n    --hash=sha256:00\n")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("gaugeblock.calibration.pinned.uv_program", lambda: None)
    more = 'package = "cad==1.0"\nlock = "cad.txt"'
    with pytest.raises(WrongUse, match="host mine: there is no uv"):
        settings_of(find_host("mine", written(tmp_path, "mine", more=more)))


def test_locks_of_known_hosts_are_hashed_and_name_no_address():
    for known in known_hosts.known_hosts(None):
        described = known.description
        text = (known.base / described.lock).read_text()
        assert f"{described.package} " in text and "--hash=sha256:" in text
        assert "://" not in text and "--index" not in text
        pins = re.findall(r"^[a-z0-9].*$", text, re.M)
        assert len(pins) > 50 and all("==" in pin for pin in pins)


@pytest.mark.parametrize("folder", [".", "..", "mycad/.."])
def test_a_server_does_not_see_what_lies_beside_its_description(tmp_path, folder):
    """Runs with their deliveries, and files of keys, lie in that folder."""
    (tmp_path / "mycad").mkdir()
    path = written(tmp_path, "a", more=f'folder = "{folder}"')
    with pytest.raises(WrongUse, match="holds the file of hosts itself"):
        settings_of(find_host("a", path))


def test_a_list_of_hashes_is_a_file(tmp_path):
    path = written(tmp_path, "a", more='package = "a==1"\nlock = "mycad"')
    (tmp_path / "mycad").mkdir()
    with pytest.raises(WrongUse, match="a folder; give a list of hashes"):
        settings_of(find_host("a", path))


def test_no_name_looks_like_ours(tmp_path):
    with pytest.raises(WrongUse, match="id: String should match pattern"):
        find_host("a", written(tmp_path, "g\u0430ugeblock"))
