"""A whole run through the real host and the real ruler, and what its folder holds."""

import json
from itertools import pairwise

import jsonschema
import pytest

from gaugeblock.records.errors import WrongUse
from gaugeblock.records.run_folder import START, open_run, read_conservation
from gaugeblock.records.store import file_sha256, read_journal
from gaugeblock.running.plans import Wish, lay_out
from gaugeblock.running.run import Watch, plan_only, resume, run


@pytest.fixture(scope="session")
def rows(finished_run):
    return {(row.agent, row.round): row for row in open_run(finished_run).rows()}


# Volumes printed in the specification of the suite, mm³.
DEPTH = {
    "k1": 47_634.83,
    "k2": 47_433.77,
    "k3": 47_848.46,
    "k4": 70_152.69,
    "k5": 70_067.87,
    "k6": 69_596.63,
}


def test_the_reference_passes_every_round_with_the_known_volumes(rows):
    assert rows["reference", "S1"].outcome == "passed"
    assert rows["reference", "S1"].volume_mm3 == pytest.approx(48_313.42, abs=0.005)
    for name, volume in DEPTH.items():
        row = rows["reference", name]
        assert (row.outcome, row.first_try, row.repairs, row.commits) == ("passed", True, 0, 1)
        assert row.volume_mm3 == pytest.approx(volume, abs=0.005)


def test_every_round_begins_on_what_the_last_one_saved(finished_run):
    rounds = next(
        trial.rounds
        for trial in open_run(finished_run).trials
        if trial.planned.profile_id == "reference" and trial.planned.case_id == "depth"
    )
    for before, after in pairwise(rounds):
        assert after.result.start_sha256 == before.result.document_sha256


def test_every_edit_was_compared_with_what_the_host_exported_before_it(finished_run):
    """The start of a round is the part that the round before delivered, to the byte."""
    rounds = next(
        trial.rounds
        for trial in open_run(finished_run).trials
        if trial.planned.profile_id == "reference" and trial.planned.case_id == "depth"
    )
    found = [read_conservation(state.folder) for state in rounds]
    for state, compared in zip(rounds, found, strict=True):
        assert file_sha256(state.folder / START) == compared.start.sha256
        assert compared.delivery.sha256 == state.result.artifact_sha256
        assert compared.outside.value <= 1e-9 * compared.volume.value
        assert state.grade.conservation_sha256 == compared.content_sha256()
        (check,) = (item for item in state.grade.checks if item.name == "conserved")
        assert check.verdict == "pass"
    for before, after in pairwise(rounds):
        assert file_sha256(after.folder / START) == before.result.artifact_sha256


def test_what_makes_something_is_compared_with_nothing(finished_run):
    for trial in open_run(finished_run).trials:
        if trial.planned.case_id == "S1":
            (state,) = trial.rounds
            assert not (state.folder / START).exists()
            assert read_conservation(state.folder) is None


def test_null_delivers_nothing_and_a_sequence_ends_at_its_first_failure(rows):
    assert rows["null", "S1"].outcome == "no-delivery"
    assert rows["null", "S1"].failed_checks == ("delivered",)
    assert rows["null", "k1"].outcome == "no-delivery"
    for name in ("k2", "k3", "k4", "k5", "k6"):
        row = rows["null", name]
        assert (row.outcome, row.attempted) == ("not-run", False)
        assert row.reason == "round k1 did not pass"


def test_the_kept_floor_fails_in_k4_and_is_recognised(rows):
    assert [rows["mutant:floor-kept", name].outcome for name in ("k1", "k2", "k3")] == [
        "passed"
    ] * 3
    row = rows["mutant:floor-kept", "k4"]
    assert (row.outcome, row.failed_checks) == ("failed", ("volume",))
    assert row.matched_reading == "floor-kept"
    assert row.volume_mm3 == pytest.approx(62_187.93, abs=0.005)
    assert rows["mutant:floor-kept", "k5"].outcome == "not-run"


def test_the_box_without_holes_is_caught(rows):
    row = rows["mutant:no-holes", "S1"]
    assert (row.outcome, row.failed_checks) == ("failed", ("volume", "faces"))
    assert row.volume_mm3 == pytest.approx(48_992)


def test_rows_hold_their_controls_and_every_null_has_a_reason(finished_run, rows):
    schema = json.loads((finished_run / "schemas" / "row.schema.json").read_text())
    lines = (finished_run / "results.jsonl").read_text().splitlines()
    assert len(lines) == len(rows)
    for line in lines:
        row = json.loads(line)
        jsonschema.validate(row, schema)
        for name, value in row.items():
            assert value is not None or row["unknown"][name]
    first = rows["reference", "S1"]
    assert first.sandbox == "bubblewrap"
    assert first.host_tools == 7
    assert first.cost_usd is None
    assert first.provider_calls == 0
    assert first.host_peak_bytes > 50e6
    assert 0 < first.first_commit_s <= first.total_s
    assert first.cad_preview_s > 0
    assert first.cad_readback_s > 0
    assert first.signatures_bytes > 3000
    assert first.scripted


def test_where_nothing_was_delivered_the_read_back_took_no_time_that_is_known(finished_run, rows):
    """A zero would pull the median of CAD time down the more often a model delivers nothing."""
    row = rows["null", "S1"]
    assert (row.outcome, row.cad_readback_s) == ("no-delivery", None)
    assert row.unknown["cad_readback_s"] == "nothing was delivered to read back"
    summary = json.loads((finished_run / "summary.json").read_text())
    (cell,) = (
        cell
        for cell in summary["wiring"]["cells"]
        if (cell["profile"], cell["case"]) == ("null", "S1")
    )
    figures = {item["metric"]: item for item in cell["rounds"][0]["metrics"]}
    assert (figures["cad_s"]["median"], figures["cad_s"]["unknown"]) == (None, 1)


def test_every_record_on_disk_validates_with_its_schema(finished_run):
    def schema(name):
        return json.loads((finished_run / "schemas" / f"{name}.schema.json").read_text())

    places = {
        "plan": ["plan.json"],
        "closing-manifest": ["manifest.json"],
        "trial-manifest": finished_run.glob("trials/*/manifest.json"),
        "trial-end": finished_run.glob("trials/*/trial.json"),
        "round-result": finished_run.glob("trials/*/*/result.json"),
        "grade": finished_run.glob("trials/*/*/grade.json"),
        "measurement": finished_run.glob("trials/*/*/measurement.json"),
        "conservation": finished_run.glob("trials/*/*/conservation.json"),
        "probe": finished_run.glob("trials/*/*/probe.json"),
    }
    for name, paths in places.items():
        validator = jsonschema.Draft202012Validator(schema(name))
        found = [finished_run / path for path in paths]
        assert found, name
        for path in found:
            validator.validate(json.loads(path.read_text()))
    result = json.loads(next(finished_run.glob("trials/*/*/result.json")).read_text())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**result, "outcom": "passed"}, schema("round-result"))


def test_the_journal_tells_the_round_in_order(finished_run):
    trial = open_run(finished_run).trials[0]
    kinds = [event["kind"] for event in read_journal(trial.folder / "events.jsonl")]
    assert kinds == [
        "trial-started",
        "round-started",
        "host-started",
        "instruction",
        "tool-call",
        "tool-result",
        "agent-done",
        "measured",
        "graded",
        "round-ended",
        "probe-started",
        "probed",
        "trial-ended",
    ]


def test_no_machine_path_is_in_the_folder(finished_run):
    places = [
        str(finished_run.parent).encode(),
        b"/root/",
        b"/home/",
        b"gaugeblock-world",
    ]
    for path in finished_run.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert not [place for place in places if place in content], path


def test_an_existing_folder_is_refused_untouched(tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "precious.txt").write_text("x")
    with pytest.raises(WrongUse, match="exists already"):
        run(Wish(("growth/S1",), ("null",), 1), out, Watch())
    assert [path.name for path in out.iterdir()] == ["precious.txt"]


def test_a_closed_run_cannot_be_resumed(finished_run):
    with pytest.raises(WrongUse, match="closed"):
        resume(finished_run, Watch())


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        (Wish(("growht",), ("null",), 1), "growth"),
        (Wish(("growth/S9",), ("null",), 1), "S9"),
        (Wish(("growth",), ("gpt",), 1), "mutant:no-holes"),
        (Wish(("growth",), (), 1), "--profile"),
        (Wish((), ("null",), 1), "SUITE/CASE"),
        (Wish(("growth/depth",), ("mutant:shifted",), 1), "applies"),
        (Wish(("growth",), ("null",), 5000), "at most 9999"),
        (Wish(("growth",), ("null",), 0), "at least 1"),
    ],
)
def test_a_wish_that_cannot_be_is_refused_with_the_mend(wish, message):
    with pytest.raises(WrongUse, match=message) as told:
        lay_out(wish)
    assert "\n" not in str(told.value)


def test_plans_are_committed_to_and_the_order_rotates():
    wish = Wish(("growth/S1",), ("reference", "null"), 2)
    plan = plan_only(wish)
    assert [(t.profile_id, t.repetition) for t in plan.trials] == [
        ("reference", 1),
        ("null", 1),
        ("null", 2),
        ("reference", 2),
    ]
    assert set(plan.fingerprints) >= {"ruler", "host", "harness", "protocol"}
    assert plan.model_copy(update={"language": "zh"}).commitment() != plan.commitment()


def test_a_changed_protocol_is_another_cohort_and_nothing_else(finished_run):
    before = open_run(finished_run).plan.fingerprints
    other = plan_only(Wish(("growth/S1",), ("reference",), 1, language="zh")).fingerprints
    changed = {name for name in before if before[name] != other[name]}
    assert changed == {"protocol"}
