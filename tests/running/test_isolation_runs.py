"""Runs of a case that hides a truth: searched before each trial, ended by the first leak."""

import hashlib
from contextlib import nullcontext

import pytest
import typer
from hidden_truth import CANARY

from gaugeblock.cli.running import show_end
from gaugeblock.records.drawing_task import Ceilings, ChanceRates, DrawingTask
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.isolation import Hit, Isolation
from gaugeblock.records.spectrum import SheetDimension
from gaugeblock.running import run as running
from gaugeblock.running.plans import Wish
from gaugeblock.running.run import Watch, run
from gaugeblock.running.soundness import contradictions
from gaugeblock.sandbox import available_isolation
from gaugeblock.suites.growth.suite import GrowthSuite
from gaugeblock.suites.suite import Script

pytestmark = pytest.mark.skipif(
    available_isolation().kind != "bubblewrap", reason="bubblewrap cannot be used here"
)


class HidingGrowth(GrowthSuite):
    """Growth's S1 as if it hid a part."""

    def __init__(self, reference, note=""):
        super().__init__()
        self._reference, self._note = reference, note
        one = SheetDimension(label="40", type="length", value=40)
        case = self._cases["S1"]
        task = DrawingTask(
            track="vector",
            group="own",
            part_class="plate",
            difficulty=1,
            shown={},
            rulebook_sha256=None,
            reference_sha256=hashlib.sha256(reference).hexdigest(),
            dimensions=(one,),
            ceilings=Ceilings(
                asked=1,
                measurable=1,
                measurable_extended=1,
                drawn=1,
                semantic_match=1,
                chance=ChanceRates(length=0, diameter=0, radius=0, angle=0),
            ),
            canary=CANARY,
        )
        self._cases["S1"] = case.model_copy(update={"drawing": task})

    def reference(self, case):
        return self._reference

    def shown(self, case):
        return {}

    def script(self, case, asked, agent):
        told = super().script(case, asked, agent)
        if not self._note:
            return told
        calls = [
            call.model_copy(update={"arguments": self._noted(call.arguments)})
            for call in told.calls
        ]
        return Script(calls=tuple(calls), says=told.says)

    def _noted(self, arguments):
        if "program" not in arguments:
            return arguments
        return {**arguments, "program": f"{arguments['program']}\n# {self._note}\n"}


@pytest.fixture
def hiding(hidden_step, lean_host, gates, monkeypatch):
    """Return a function that makes a run of the hiding S1; libraries are proven once for all."""
    made = running.gatehouse

    def settled(*arguments):
        house = made(*arguments)
        house._settled, house.proof = gates._settled, gates.proof
        return house

    monkeypatch.setattr(running, "gatehouse", settled)
    shown = nullcontext((lean_host, None))
    monkeypatch.setattr(running, "warm_host", lambda unsafe, lean: shown if lean else None)

    def go(out, *profiles, note=""):
        suite = HidingGrowth(hidden_step, note)
        for room in ("plans", "targets"):
            monkeypatch.setattr(f"gaugeblock.running.{room}.load_suite", lambda name: suite)
        return run(Wish(("growth/S1",), profiles, 1), out, Watch())

    return go


def proof(folder, trial):
    path = folder.path / "trials" / folder.trials[trial].planned.id / "isolation.json"
    return Isolation.load(path.read_bytes(), "isolation.json")


def test_each_trial_has_its_entry_ticket(hiding, tmp_path):
    folder = hiding(tmp_path / "run", "reference", "null")
    assert folder.plan.host.sealed is True
    assert [row.outcome for row in folder.rows()] == ["passed", "no-delivery"]
    assert all(row.sealed is True for row in folder.rows())
    for trial in (0, 1):
        kept = proof(folder, trial)
        assert kept.clean and {"host", "job"} <= {view.name for view in kept.views}
        assert {needle.kind for needle in kept.needles} >= {"canary", "sha256", "step", "program"}
        assert CANARY not in kept.pretty().decode()
    assert "unsealed" not in (folder.path / "report.md").read_text()


def test_a_sealed_trial_is_held_to_its_proof(hiding, tmp_path):
    folder = hiding(tmp_path / "run", "reference")
    path = folder.path / "trials" / folder.trials[0].planned.id / "isolation.json"
    kept = Isolation.load(path.read_bytes(), "isolation.json")
    assert contradictions(folder) == []
    path.parent.chmod(0o755)
    for changed, said in (
        (None, "missing"),
        (b"{}", "isolation.json"),
        (kept.model_copy(update={"trial_id": "0009.x.S1.r1"}).pretty(), "speaks of 0009"),
        (kept.model_copy(update={"views": kept.views[:1]}).pretty(), "was not searched"),
        (
            kept.model_copy(
                update={"transcript": (Hit(kind="canary", sha256="0", path="events.jsonl"),)}
            ).pretty(),
            "something was found",
        ),
    ):
        path.unlink(missing_ok=True)
        if changed is not None:
            path.write_bytes(changed)
        assert any(said in line for line in contradictions(folder)), said


def test_a_leak_ends_the_run(hiding, tmp_path, monkeypatch):
    """The room of the suites in a host's view has the reference's program in it."""
    rooms = ("host", "records", "suites")
    monkeypatch.setattr("gaugeblock.worlds.host_world.SHOWN_ROOMS", rooms)
    folder = hiding(tmp_path / "run", "reference", "null")
    first, second = folder.rows()
    assert first.outcome == "error:isolation" and not first.attempted
    assert "/gauge/gaugeblock/suites/" in first.reason
    assert second.outcome == "not-run" and folder.trials[1].manifest is None
    assert not proof(folder, 0).clean
    assert folder.closed
    with pytest.raises(typer.Exit) as end:
        show_end(folder, folder.path)
    assert end.value.exit_code == 1


def test_a_canary_in_the_transcript_withdraws_the_trial(hiding, tmp_path, monkeypatch):
    """Of an agent that is not scripted: the plan knows nothing of it beforehand."""
    monkeypatch.setattr("gaugeblock.running.plans.scripted", lambda profile, suite: None)
    folder = hiding(tmp_path / "run", "reference", note=f"as in {CANARY}")
    (row,) = folder.rows()
    assert row.outcome == "error:isolation" and "events.jsonl" in row.reason
    assert row.attempted and not row.final
    assert proof(folder, 0).transcript and not proof(folder, 0).clean


def test_what_a_scripted_agent_says_is_no_leak(hiding, tmp_path):
    folder = hiding(tmp_path / "run", "reference", note=f"as in {CANARY}")
    assert [row.outcome for row in folder.rows()] == ["passed"]


def test_without_walls_the_run_says_that_it_is_unsealed(hiding, tmp_path, monkeypatch):
    why = "no bubblewrap: this is a test"
    monkeypatch.setattr("gaugeblock.running.plans.why_unsealed", lambda host: why)
    folder = hiding(tmp_path / "run", "reference")
    assert folder.plan.host.sealed is False and folder.plan.host.unsealed_why == why
    (row,) = folder.rows()
    assert row.outcome == "passed" and row.sealed is False
    assert not list(folder.path.glob("trials/*/isolation.json"))
    report = (folder.path / "report.md").read_text()
    assert "unsealed" in report and why in report


def test_a_sealed_plan_does_not_go_on_without_walls(hiding, tmp_path, ruler, monkeypatch):
    folder = hiding(tmp_path / "run", "null")
    monkeypatch.setattr(running, "why_unsealed", lambda host: "no bubblewrap here")
    with pytest.raises(WrongUse, match="hosts are shut in"):
        running._gates(folder.plan, {}, None, ruler)
