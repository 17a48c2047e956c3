"""Writing that survives a kill: atomic files, the journal, the closing manifest, amendments."""

import os
import signal
import stat
import subprocess
import sys

import pytest

from gaugeblock.records.errors import DamagedEvidence, WrongUse
from gaugeblock.records.evidence import (
    Amendment,
    amend,
    close_folder,
    differences,
    read_amendments,
    read_manifest,
    require_plain,
)
from gaugeblock.records.store import Journal, read_journal, write_atomic

WRITER = """
import sys
from pathlib import Path
from gaugeblock.records.store import write_atomic
path = Path(sys.argv[1])
n = 0
while True:
    n += 1
    write_atomic(path, (str(n % 10) * 200_000).encode())
    print("wrote", flush=True)
"""


def test_a_killed_writer_leaves_one_whole_version(tmp_path):
    path = tmp_path / "record.json"
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    )
    for _ in range(5):
        assert writer.stdout.readline() == "wrote\n"
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    content = path.read_text()
    assert len(content) == 200_000
    assert len(set(content)) == 1


def test_a_torn_last_line_is_left_out_and_the_journal_goes_on(tmp_path):
    path = tmp_path / "events.jsonl"
    with Journal(path) as journal:
        journal.append("one", value=1)
        journal.append("two", value="ü\n")
    with path.open("ab") as file:
        file.write(b'{"n":2,"kind":"to')
    assert [event["kind"] for event in read_journal(path)] == ["one", "two"]
    with Journal(path) as journal:
        journal.append("three")
    assert [(e["n"], e["kind"]) for e in read_journal(path)] == [
        (0, "one"),
        (1, "two"),
        (2, "three"),
    ]


def test_a_line_torn_right_before_its_break_is_torn(tmp_path):
    path = tmp_path / "events.jsonl"
    with Journal(path) as journal:
        journal.append("one")
        journal.append("two")
    os.truncate(path, path.stat().st_size - 1)
    assert [event["kind"] for event in read_journal(path)] == ["one"]
    with Journal(path) as journal:
        journal.append("three")
    assert [(e["n"], e["kind"]) for e in read_journal(path)] == [(0, "one"), (1, "three")]


def test_a_draft_that_is_renamed_while_a_folder_is_looked_at_is_no_fault(tmp_path, monkeypatch):
    (tmp_path / "plan.json").write_bytes(b"{}")
    draft = tmp_path / ".report.md.1.draft"
    there = type(tmp_path).rglob
    monkeypatch.setattr(type(tmp_path), "rglob", lambda self, of: [*there(self, of), draft])
    require_plain(tmp_path)


@pytest.mark.parametrize("line", [b"not json", b"[1, 2]"])
def test_a_broken_line_in_the_middle_is_damage(tmp_path, line):
    path = tmp_path / "events.jsonl"
    path.write_bytes(b'{"n":0}\n' + line + b'\n{"n":1}\n')
    with pytest.raises(DamagedEvidence, match="line 2"):
        read_journal(path)


@pytest.fixture
def closed(tmp_path):
    folder = tmp_path / "run"
    write_atomic(folder / "plan.json", b"{}")
    write_atomic(folder / "trials" / "0001" / "part.step", b"ISO-10303-21;")
    (folder / ".lost.1.draft").write_bytes(b"half")
    close_folder(folder, "commitment")
    return folder


def test_closing_hashes_everything_and_makes_it_read_only(closed):
    manifest = read_manifest(closed)
    assert set(manifest.files) == {"plan.json", "trials/0001/part.step"}
    assert differences(closed, manifest) == []
    for name in [*manifest.files, "manifest.json"]:
        mode = (closed / name).stat().st_mode
        assert not mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH)


def test_every_kind_of_tampering_is_named(closed):
    manifest = read_manifest(closed)
    plan = closed / "plan.json"
    plan.chmod(0o644)
    plan.write_bytes(b"{ }")
    (closed / "trials" / "0001" / "part.step").unlink()
    (closed / "extra.txt").write_text("x")
    assert differences(closed, manifest) == [
        "trials/0001/part.step: missing",
        "extra.txt: not in the manifest",
        "plan.json: content changed since closing",
    ]
    (closed / "link").symlink_to("plan.json")
    assert "link" in differences(closed, manifest)[0]


def test_amendments_form_a_chain_that_breaks_where_it_is_touched(closed):
    amend(closed, "erratum", "first", {"text": "a"})
    amend(closed, "invalidation", "second", {})
    assert [a.number for a in read_amendments(closed)] == [1, 2]
    first = closed / "amendments" / "0001.json"
    first.chmod(0o644)
    forged = Amendment.load(first.read_bytes(), "x").model_copy(update={"reason": "FIRST"})
    first.write_bytes(forged.pretty())
    with pytest.raises(DamagedEvidence, match=r"0001\.json: changed since"):
        read_amendments(closed)
    first.write_bytes(forged.sealed().pretty())
    with pytest.raises(DamagedEvidence, match=r"0002\.json: the chain"):
        read_amendments(closed)


def test_a_change_of_what_nothing_else_holds_the_hash_of_is_told(closed):
    """The manifest and the last amendment: each has a seal of its own."""
    amend(closed, "erratum", "why", {"figure": 1e-6})
    for name, read in (("manifest.json", read_manifest), ("amendments/0001.json", read_amendments)):
        path = closed / name
        whole = path.read_bytes()
        path.chmod(0o644)
        for old, new in ((b"gaugeblock", b"gaugeblocx"), (b"T", b"S"), (b"\n}", b"\n }")):
            path.write_bytes(whole.replace(old, new))
            with pytest.raises((DamagedEvidence, WrongUse), match=name):
                read(closed)
        path.write_bytes(whole)
    assert [item.content for item in read_amendments(closed)] == [{"figure": 1e-6}]


def test_a_missing_amendment_is_noticed(closed):
    amend(closed, "erratum", "first", {})
    amend(closed, "erratum", "second", {})
    (closed / "amendments" / "0001.json").unlink()
    with pytest.raises(DamagedEvidence, match=r"expected 0001\.json"):
        read_amendments(closed)


def test_only_a_closed_run_can_be_amended_and_only_with_a_reason(tmp_path, closed):
    with pytest.raises(WrongUse, match="not closed"):
        amend(tmp_path, "erratum", "why", {})
    with pytest.raises(WrongUse, match="reason"):
        amend(closed, "erratum", "  ", {})
    assert read_amendments(closed) == []


def test_the_first_amendment_holds_the_manifests_hash(closed):
    amend(closed, "erratum", "why", {})
    manifest = closed / "manifest.json"
    manifest.chmod(0o644)
    manifest.write_bytes(manifest.read_bytes() + b"\n")
    with pytest.raises(DamagedEvidence, match=r"0001\.json: the chain"):
        read_amendments(closed)
