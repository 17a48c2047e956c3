"""Needles planted in what a shut-in trial can see: each one is found, and nothing is opened."""

import base64
import gzip
import io
import json
import shutil
import sys
import zipfile
import zlib
from dataclasses import replace

import anyio
import pytest
from hidden_truth import CANARY, UNIQUE

from gaugeblock.host.main import ENTRY, ROOMS
from gaugeblock.records.isolation import Isolation
from gaugeblock.running.isolation import Gatehouse
from gaugeblock.running.isolation.needles import sought
from gaugeblock.sandbox import WarmServer, available_isolation, view
from gaugeblock.sandbox.confined import WORK
from gaugeblock.sandbox.sealed import Mount, sealed_program
from gaugeblock.worlds import HostWorld, WorldLost, shut_in

pytestmark = pytest.mark.skipif(
    available_isolation().kind != "bubblewrap", reason="bubblewrap cannot be used here"
)


@pytest.fixture
def gate(gates, tmp_path):
    """The gate of one trial, whose proof lies in tmp_path / trial."""
    return gates.trial("0001.planted", "case", tmp_path / "trial")


def proof(tmp_path):
    return Isolation.load((tmp_path / "trial" / "isolation.json").read_bytes(), "isolation.json")


def workspace(tmp_path, files, rooms=("records/base.py",)):
    """A program that sees files in /drawing, and writes to /work."""
    shown, work = tmp_path / "drawing", tmp_path / "work"
    work.mkdir()
    for name, content in files.items():
        (shown / name).parent.mkdir(parents=True, exist_ok=True)
        (shown / name).write_bytes(content)
    shown.mkdir(exist_ok=True)
    return sealed_program("none", work=work, rooms=rooms, mounts=(Mount(shown, "/drawing"),))


def zipped(content):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inner.txt", content)
    return out.getvalue()


def features_json(truth):
    return json.dumps([item.model_dump(mode="json") for item in truth.features.features], indent=2)


PLANTED = {
    "canary": lambda truth: CANARY.encode(),
    "canary in the middle of much": lambda truth: (
        bytes(9_000_001) + CANARY.encode() + bytes(5_000_003)
    ),
    "canary across two chunks": lambda truth: bytes((8 << 20) - 20) + CANARY.encode() + bytes(99),
    "canary without its words": lambda truth: UNIQUE.encode(),
    "canary in wide characters": lambda truth: CANARY.encode("utf-16-le"),
    "canary in base64": lambda truth: b"x" + base64.b64encode(b"ab" + CANARY.encode()),
    "canary in lines of base64": lambda truth: base64.encodebytes(bytes(90) + CANARY.encode()),
    "canary in gzip": lambda truth: gzip.compress(b"notes " + CANARY.encode()),
    "canary in zip": lambda truth: zipped(CANARY),
    "canary in gzip in zip": lambda truth: zipped(gzip.compress(CANARY.encode())),
    "canary in a stream of PDF": lambda truth: (
        b"%PDF-1.7\n1 0 obj <</Filter /FlateDecode>>\nstream\n"
        + zlib.compress(b"(" + CANARY.encode() + b") Tj")
        + b"\nendstream\n"
    ),
    "hash": lambda truth: truth.measurement.file.sha256.encode(),
    "the reference itself": lambda truth: truth.reference,
    "a third of the reference": lambda truth: truth.reference[
        len(truth.reference) // 3 : 2 * len(truth.reference) // 3
    ],
    "records of features": lambda truth: features_json(truth).encode(),
    "a line of the program": lambda truth: b"    " + truth.programs[0].encode(),
    "volume to four places": lambda truth: f"{truth.measurement.totals.volume:.4f}".encode(),
    "volume to six digits": lambda truth: f"{truth.measurement.totals.volume:.6g}".encode(),
    "volume with separators": lambda truth: f"V = {truth.measurement.totals.volume:,.2f}".encode(),
    "volume in cubic metres": lambda truth: f"{truth.measurement.totals.volume / 1e9:.9e}".encode(),
    "area": lambda truth: f"{truth.measurement.solids[0].area:.6f}".encode(),
    "centroid": lambda truth: f"{truth.measurement.solids[0].centroid[0]:.9f}".encode(),
    "the file's name": lambda truth: b"see cases/x/reference.step",
}


@pytest.mark.parametrize("what", PLANTED)
def test_a_needle_in_the_workspace_shuts_the_gate(what, gate, truth, tmp_path):
    program = workspace(tmp_path, {"notes/notes.bin": PLANTED[what](truth)})
    with pytest.raises(WorldLost, match=r"/drawing/notes/notes.bin") as lost:
        gate.admit("workspace", program)
    assert lost.value.layer == "isolation"
    kept = proof(tmp_path)
    assert not kept.clean
    (hit, *_) = kept.views[-1].hits
    assert hit in {type(hit)(path=hit.path, **needle.model_dump()) for needle in kept.needles}
    assert UNIQUE not in kept.pretty().decode()


@pytest.mark.parametrize("kind", ["named", "linked", "in the arguments", "in a variable"])
def test_a_needle_beside_the_content_is_found_as_well(kind, gate, tmp_path):
    program = workspace(tmp_path, {"reference.STEP": b""} if kind == "named" else {})
    if kind == "linked":
        (tmp_path / "drawing" / "part").symlink_to(f"/nowhere/{CANARY}")
    elif kind == "in the arguments":
        program = replace(program, command=(*program.command, CANARY))
    elif kind == "in a variable":
        program = replace(program, variables={**program.variables, "NOTE": CANARY})
    with pytest.raises(WorldLost, match="needle"):
        gate.admit("workspace", program)


def test_what_holds_no_needle_opens_the_gate(gate, tmp_path):
    program = workspace(tmp_path, {"drawing.svg": b"<svg>12345.6 4711.08</svg>"})
    gate.admit("workspace", program)
    kept = proof(tmp_path)
    assert kept.clean and kept.views[-1].name == "workspace"
    mounts = {mount.inside: mount.writable for mount in kept.views[-1].mounts}
    assert mounts["/work"] and not mounts["/drawing"] and not mounts["/gauge"]
    assert kept.views[-1].files > 100 and kept.proof.by_record > 10_000


def test_what_stands_on_the_sheet_is_no_needle(truth, gates, tmp_path):
    figure = f"{truth.measurement.totals.volume:.4f}".encode()
    sheet = b"<svg><text>" + figure + b"</text></svg>"
    shown = replace(truth, shown={"/drawing/drawing.svg": sheet})
    house = Gatehouse({"case": sought(shown)})
    house.__dict__.update(_settled=dict(gates._settled), proof=gates.proof)
    gate = house.trial("0001.planted", "case", tmp_path / "trial")
    gate.admit("workspace", workspace(tmp_path, {"drawing.svg": sheet}))
    kept = proof(tmp_path)
    assert kept.clean and kept.dropped["figure"] >= 1


def test_a_canary_on_the_sheet_is_one_all_the_same(truth):
    shown = replace(truth, shown={"/drawing/drawing.svg": CANARY.encode()})
    assert ("canary", CANARY.encode()) in sought(shown).content


def test_a_needle_in_a_shown_room_shuts_the_gate(gate, tmp_path, monkeypatch):
    package = tmp_path / "tree" / view.PACKAGE.name
    package.mkdir(parents=True)
    shutil.copy(view.PACKAGE / "__init__.py", package)
    for room in ("sandbox", "records"):
        shutil.copytree(view.PACKAGE / room, package / room)
    (package / "records" / "notes.md").write_text(CANARY)
    monkeypatch.setattr(view, "PACKAGE", package)
    with pytest.raises(WorldLost, match=r"/gauge/gaugeblock/records/notes.md"):
        gate.admit("workspace", workspace(tmp_path, {}, rooms=("records",)))


@pytest.mark.parametrize("listed", [False, True], ids=["unlisted", "other than listed"])
def test_a_needle_in_an_unproven_file_of_a_library_shuts_the_gate(
    listed, gate, tmp_path, monkeypatch
):
    site = tmp_path / "site-packages"
    (site / "tool-1.dist-info").mkdir(parents=True)
    (site / "tool.py").write_text(f"note = {CANARY!r}")
    record = "tool.py,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0\n" if listed else ""
    (site / "tool-1.dist-info" / "RECORD").write_text(record)
    monkeypatch.setattr("sys.path", [*sys.path, str(site)])
    with pytest.raises(
        WorldLost, match=r"libraries: a needle \(canary\) was found in /site\d?/tool.py"
    ):
        gate.admit("workspace", workspace(tmp_path, {}))


def test_a_needle_in_the_start_of_a_host_shuts_the_gate(gate, lean_host, tmp_path):
    async def opened():
        async with HostWorld.open(shut_in(lean_host, gate), CANARY.encode()):
            pass

    with pytest.raises(WorldLost, match=rf"host: a needle .* {WORK}/document.json"):
        anyio.run(opened)


def test_a_needle_in_a_programs_view_shuts_the_gate(gate, tmp_path):
    module = tmp_path / "notes.py"
    module.write_text(f"note = {CANARY!r}")
    with WarmServer(
        entry=ENTRY, rooms=ROOMS, name="planted", extra_modules=(module,), lean=True
    ) as sandbox:
        sandbox.wait_ready(120)
        with pytest.raises(WorldLost, match=r"job: a needle .* /gauge/notes.py"):
            gate.admit_jobs(sandbox.socket_path)


def test_a_canary_in_what_the_agent_said_withdraws(gate, tmp_path):
    assert gate.withdraw({"events.jsonl": b"nothing"}) == ""
    assert proof(tmp_path).clean
    told = gate.withdraw({"events.jsonl": b'{"text":"' + CANARY.encode() + b'"}'})
    assert "events.jsonl" in told and not proof(tmp_path).clean


def test_what_cannot_be_unpacked_whole_is_no_clean_search(gate, tmp_path):
    bomb = zlib.compress(bytes(80 << 20))
    with pytest.raises(WorldLost, match="not all can be searched"):
        gate.admit("workspace", workspace(tmp_path, {"bomb.z": bomb}))
