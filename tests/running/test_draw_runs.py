"""A run with sealed draws: what is hidden while it is open, revealed at closing, and held to."""

import hashlib
import json
import shutil
import stat
from decimal import Decimal

import pytest

from gaugeblock.records.draws import DRAWN, SEED_PRIVATE, STARTS, Drawn
from gaugeblock.records.errors import DamagedEvidence, WrongUse
from gaugeblock.records.evidence import ClosingManifest
from gaugeblock.records.plan import Plan
from gaugeblock.records.run_folder import open_run
from gaugeblock.running import draws
from gaugeblock.running.audit import audit
from gaugeblock.running.ledger import Ledger
from gaugeblock.running.plans import Wish, lay_out
from gaugeblock.running.reports import report_of
from gaugeblock.running.run import Watch, resume, run
from gaugeblock.running.soundness import faults, read_run

PROFILES = (
    "null",
    "reference",
    "mutant:holes-wider",
    "mutant:flange-inwards",
    "mutant:pin-drilled",
)
IDS = ["T1.d1", "T2.d1", "T4.d1"]


class Stopped(Exception):
    """In place of a kill."""


def fresh_only(profile, case):
    return case.id in IDS and (profile.agent != "null" or case.id == "T1.d1")


@pytest.fixture(scope="session")
def left_open(tmp_path_factory, sharing):
    """A run that ended in its first trial, of the null agent."""
    out = tmp_path_factory.mktemp("draws") / "run"

    def stop(trial, result):
        raise Stopped

    wish = Wish(("growth/S1",), PROFILES, 1, draws=1, beacon="block 7", wanted=fresh_only)
    with sharing(), pytest.raises(Stopped):
        run(wish, out, Watch(round_ended=stop))
    return out


@pytest.fixture(scope="session")
def closed(left_open, tmp_path_factory, sharing):
    """The same run, resumed and closed."""
    out = shutil.copytree(left_open, tmp_path_factory.mktemp("draws") / "resumed")
    with sharing():
        resume(out, Watch())
    return out


@pytest.fixture
def open_copy(left_open, tmp_path):
    return shutil.copytree(left_open, tmp_path / "open")


@pytest.fixture
def closed_copy(closed, tmp_path):
    return shutil.copytree(closed, tmp_path / "closed")


def rewrite(path, change):
    """Change a JSON file in place."""
    content = json.loads(path.read_text())
    change(content)
    path.chmod(0o600)
    path.write_text(json.dumps(content))


def test_an_open_run_tells_nobody_what_it_drew(left_open):
    drawn = Drawn.load((left_open / SEED_PRIVATE).read_bytes(), SEED_PRIVATE)
    told = (left_open / "plan.json").read_text()
    plan = Plan.load(told, "plan.json")
    assert [case.id for case in plan.cases] == ["S1"]
    assert [trial.case_id for trial in plan.trials] == ["T1.d1", *IDS, *IDS]
    assert plan.draw.nonce_sha256 == hashlib.sha256(bytes.fromhex(drawn.nonce)).hexdigest()
    for secret in (drawn.nonce, drawn.seed, *(case.title for case in drawn.cases)):
        assert secret not in told
    assert not (left_open / DRAWN).exists()
    private = [left_open / SEED_PRIVATE, *(left_open / STARTS).iterdir()]
    assert [path.name for path in private[1:]] and len(private) == 3
    assert {stat.S_IMODE(path.stat().st_mode) for path in private} == {0o600}
    with pytest.raises(KeyError):
        plan.case("T1.d1")  # the plan alone does not know it
    assert open_run(left_open).plan.case("T1.d1") == drawn.cases[0]
    assert open_run(left_open).plan.commitment() == plan.commitment()


def test_the_seed_follows_from_plan_nonce_and_beacon(closed):
    drawn = Drawn.load((closed / DRAWN).read_bytes(), DRAWN)
    commitment = json.loads((closed / "manifest.json").read_text())["plan_commitment"]
    told = bytes.fromhex(commitment) + bytes.fromhex(drawn.nonce) + b"block 7"
    assert hashlib.sha256(told).hexdigest() == drawn.seed


def test_a_resumed_run_ends_as_it_must(left_open, closed):
    """Reference right, mutants wrong exactly as declared, on the cases of the first process."""
    before = Drawn.load((left_open / SEED_PRIVATE).read_bytes(), SEED_PRIVATE)
    assert Drawn.load((closed / DRAWN).read_bytes(), DRAWN) == before
    assert not (closed / SEED_PRIVATE).exists()
    folder = open_run(closed)
    planned = {trial.id: trial for trial in folder.plan.trials}
    ends = {
        (row.agent, row.case): planned[row.trial].as_it_must(
            row.round, row.outcome, row.failed_checks, row.matched_reading
        )
        for row in folder.rows()
    }
    assert len(ends) == 7 and all(ends.values()), ends
    rows = [row for row in folder.rows() if row.agent == "reference"]
    assert [(row.case, row.outcome) for row in rows] == [(name, "passed") for name in IDS]
    assert {row.visibility for row in folder.rows()} == {"sealed"}
    assert [row.axis for row in rows] == ["fresh-scale", "fresh-editing", "fresh-editing"]
    assert [row.start_sha256 for row in rows[1:]] == list(before.starts.values())


def test_the_closed_run_is_sound(closed):
    found = audit(closed)
    assert found.sound, found.mismatches
    assert found.regraded == 7
    assert not any("other rules" in note for note in found.notes)


def test_the_report_claims_no_headline_of_scripts(closed):
    text = report_of(open_run(closed))
    assert "None: no model was measured on them." in text
    assert "T4.d1" in text and "Open cases are public" in text  # S1 is in the plan


def other(digits):
    return digits[:-1] + ("0" if digits[-1] != "0" else "1")


def change_nonce(content):
    content["nonce"] = other(content["nonce"])


def change_seed(content):
    content["seed"] = other(content["seed"])


def change_case(content):
    content["cases"][2]["rounds"][0]["parameters"]["plate"] += 0.5


def change_text(content):
    content["cases"][0]["rounds"][0]["instruction"]["en"] += " Make it red."


def change_count(content):
    content["rejected"]["T2.d1"]["bend"] = 1_000


def change_start(content):
    content["starts"]["T2.d1.json"] = "0" * 64


TAMPERED = {
    change_nonce: ["its nonce is not the one whose hash the plan holds"],
    change_seed: ["its seed does not follow", "T1.d1 is not the case that its seed draws"],
    change_case: ["T4.d1 is not the case that its seed draws", "not the part that T4.d1 draws"],
    change_text: ["T1.d1 is not the case that its seed draws"],
    change_count: ["T2.d1: not the candidates that its seed has refused"],
    change_start: ["starts/T2.d1.json: not the file that was made for T2.d1"],
}


@pytest.mark.parametrize("change", TAMPERED)
def test_tampering_is_named_open_and_closed(open_copy, closed_copy, change):
    for run_copy, name in ((open_copy, SEED_PRIVATE), (closed_copy, DRAWN)):
        assert list(draws.unsound(open_run(run_copy))) == []
        rewrite(run_copy / name, change)
        lines = list(draws.unsound(open_run(run_copy)))
        for expected in TAMPERED[change]:
            assert any(expected in line for line in lines), lines
    with pytest.raises(DamagedEvidence, match="NOT SOUND"):
        resume(open_copy, Watch())
    assert "drawn.json: content changed since closing" in faults(open_run(closed_copy))


def test_an_audit_tells_of_another_case_than_the_seeds(closed_copy):
    """Even with a manifest that was forged along with it."""
    rewrite(closed_copy / DRAWN, change_text)
    sha = hashlib.sha256((closed_copy / DRAWN).read_bytes()).hexdigest()
    manifest = closed_copy / "manifest.json"
    content = json.loads(manifest.read_bytes())
    content["files"][DRAWN] = sha
    manifest.chmod(0o644)
    manifest.write_bytes(ClosingManifest.build(content, "forged").sealed().pretty())
    found = audit(closed_copy)
    assert not found.sound
    assert any("T1.d1 is not the case that its seed draws" in line for line in found.mismatches)


def test_under_other_rules_nothing_is_drawn_again(closed, monkeypatch):
    """The run stays as sound as its hashes; what could not be checked is a note, no mismatch."""
    folder = open_run(closed)
    monkeypatch.setattr(type(draws.drawing_suite("growth")), "rules_sha256", lambda self: "0" * 64)
    monkeypatch.setattr(draws, "_samples", None)
    assert list(draws.unsound(folder)) == []
    assert "drawn by other rules" in draws.other_rules(folder.plan)


def test_a_start_that_was_swapped_is_named_and_not_begun_on(open_copy):
    start = open_copy / STARTS / "T2.d1.json"
    start.write_bytes((open_copy / STARTS / "T4.d1.json").read_bytes())
    folder = open_run(open_copy)
    assert any("starts/T2.d1.json: not the file" in line for line in draws.unsound(folder))
    case = folder.plan.case("T2.d1")
    suite = draws.drawing_suite("growth")
    with pytest.raises(DamagedEvidence, match=r"T2\.d1\.json"):
        draws.start_document(open_copy, folder.drawn, suite, case)
    start.unlink()
    assert any("missing, though T2.d1 starts" in line for line in draws.unsound(folder))


def test_a_lost_or_early_or_stray_record_is_told(open_copy, closed_copy, tmp_path):
    shutil.copy(open_copy / SEED_PRIVATE, open_copy / DRAWN)
    assert any("revealed, though trials" in line for line in faults(read_run(open_copy)))
    (open_copy / DRAWN).unlink()
    (open_copy / SEED_PRIVATE).unlink()
    with pytest.raises(DamagedEvidence, match="what was drawn is unknown"):
        read_run(open_copy)
    rewrite(closed_copy / DRAWN, lambda content: content["cases"].pop())
    with pytest.raises(DamagedEvidence, match="not the cases that the plan names"):
        read_run(closed_copy)
    rewrite(closed_copy / "plan.json", lambda content: content.update(draw=None, trials=[]))
    stray = list(draws.unsound(open_run(closed_copy)))
    assert stray == [f"{DRAWN}: the plan draws nothing"]


def test_a_kill_between_revealing_and_closing_can_be_resumed(closed_copy, left_open):
    """Both records lie there then; the second closing leaves one."""
    (closed_copy / "manifest.json").unlink()
    for path in closed_copy.rglob("*"):
        if path.is_file():
            path.chmod(0o600)
    shutil.copy(left_open / SEED_PRIVATE, closed_copy / SEED_PRIVATE)
    assert list(draws.unsound(open_run(closed_copy))) == []
    again = open_run(closed_copy)
    draws.reveal(again)
    assert not (closed_copy / SEED_PRIVATE).exists()
    assert Drawn.load((closed_copy / DRAWN).read_bytes(), DRAWN) == again.drawn


def test_a_replay_draws_the_same_and_is_open(closed, tmp_path):
    drawn = Drawn.load((closed / DRAWN).read_bytes(), DRAWN)
    wish = Wish(
        ("growth/S1",),
        ("reference",),
        1,
        draws=1,
        seed=drawn.seed.upper(),
        wanted=lambda profile, case: case.id == "T1.d1",
    )
    folder = run(wish, tmp_path / "replay", Watch())
    again = folder.drawn
    assert (again.nonce, again.seed) == (None, drawn.seed)
    assert [case.visibility for case in again.cases] == ["open"] * 3
    sealed = [case.model_copy(update={"visibility": "sealed"}) for case in again.cases]
    assert tuple(sealed) == drawn.cases
    assert again.rejected == drawn.rejected
    (row,) = folder.rows()
    assert (row.outcome, row.visibility) == ("passed", "open")
    assert list(draws.unsound(folder)) == []
    text = " ".join((tmp_path / "replay" / "report.md").read_text().split())
    assert "replay a seed that was known before: they are open" in text


def test_each_drawn_cell_has_its_budget(left_open):
    plan = open_run(left_open).plan
    ledger = Ledger(plan)
    for name in IDS:
        assert ledger._cells["reference", name].budget == Decimal("1.25")


def test_a_plan_names_what_it_will_draw_and_not_what():
    layout = lay_out(Wish(("growth/S1",), ("reference", "mutant:pin-drilled"), 1, draws=2))
    ids = [trial.case_id for trial in layout.trials]
    assert ids == [
        "S1",
        *(f"{f}.d{n}" for f in ("T1", "T2", "T4") for n in (1, 2)),
        "T4.d1",
        "T4.d2",
    ]
    due = {trial.case_id: trial.must_fail for trial in layout.trials if trial.matches}
    assert due == {name: {name: ("volume", "faces", "conserved")} for name in ("T4.d1", "T4.d2")}
    assert layout.nonce not in repr(layout) and layout.draw.sealed
    again = lay_out(Wish(("growth/S1",), ("reference",), 1, draws=2))
    assert again.nonce != layout.nonce


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"beacon": "x"}, "--draws K"),
        ({"seed": "0" * 64}, "--draws K"),
        ({"draws": 101}, "1 to 100"),
        ({"draws": -1}, "1 to 100"),
        ({"draws": 1, "seed": "0" * 63}, "64 hex digits"),
        ({"draws": 1, "seed": "0" * 64, "beacon": "x"}, "no --beacon"),
        ({"draws": 1, "beacon": "two\nlines"}, "one line"),
        ({"draws": 1, "beacon": "x" * 501}, "one line"),
    ],
)
def test_a_slip_is_told_before_anything_starts(changes, word):
    with pytest.raises(WrongUse, match=word):
        lay_out(Wish(("growth/S1",), ("reference",), 1, **changes))


def test_without_draws_a_plan_is_as_before():
    layout = lay_out(Wish(("growth/S1",), ("reference",), 1))
    assert (layout.draw, layout.nonce, layout.stand_ins) == (None, None, ())
