"""Reviews on their way into runs: all or nothing, chained, held to the artifact that was seen."""

import json
import shutil
from datetime import date, timedelta

import pytest
from typer.testing import CliRunner

from gaugeblock.analysis.points import REVIEWED_SUITES
from gaugeblock.cli import app
from gaugeblock.cli.review import pack_runs
from gaugeblock.records.errors import DamagedEvidence, WrongUse
from gaugeblock.records.evidence import Amendment, close_folder, read_amendments
from gaugeblock.records.review import CRITERIA, PackMapping
from gaugeblock.records.run_folder import open_run
from gaugeblock.running.amending import invalidate, void
from gaugeblock.running.audit import audit
from gaugeblock.running.reports import report_of
from gaugeblock.running.reviewing import import_reviews, labels_of, reviewable_runs, subjects


@pytest.fixture(scope="session")
def packed(made_once, short_run):
    """The deliveries of the short run, drawn by the ruler: two artifacts twice, and the mapping."""

    def make(out):
        out.mkdir()
        pack_runs([short_run], out / "pack", None, 2, 7, {"growth"})

    return made_once("review-pack", make)


@pytest.fixture
def place(packed, short_copy, tmp_path):
    """A run, a pack and its mapping that a test may change."""
    shutil.copytree(packed, tmp_path / "review")
    return short_copy, tmp_path / "review" / "pack", next((tmp_path / "review").glob("*.json"))


def fill(pack, reviewer, scores, method="human", numbers=None):
    """Write a review of each sample; ``scores`` gives the four of a number."""
    record = json.loads((pack / "pack.json").read_bytes())
    for sample in record["samples"]:
        if numbers is None or sample["number"] in numbers:
            review = {
                "pack": record["id"],
                "sample": sample["number"],
                "artifact_hash": sample["artifact_hash"],
                "reviewer": reviewer,
                "date": "2026-03-01",
                "method": method,
                "scores": dict(zip(CRITERIA, scores(sample["number"]), strict=True)),
                "notes": "seen",
            }
            path = pack / "samples" / f"{sample['number']:03d}" / "review.json"
            path.write_text(json.dumps(review))


def same(_):
    return (8, 7, 6, 5)


def test_a_real_pack_is_blind_and_shows_what_was_delivered(packed, short_run):
    from gaugeblock.web.review.serving import open_pack

    opened = open_pack(packed / "pack")
    run = open_run(short_run)
    found = subjects([run], {"growth"})
    assert len(opened.pack.samples) == len(found) + 2
    labels = labels_of([run])
    assert {"reference", "mutant:no-holes", run.plan.commitment(), "part.step"} <= set(labels)
    assert all(item.origin.artifact_sha256 in labels for item in found)
    data = b"".join(p.read_bytes() for p in (packed / "pack").rglob("*") if p.is_file()).lower()
    for label in labels:
        if len(label) > 8:  # shorter ones are words of the page or of the task as well
            assert label.lower().encode() not in data, label
    turntable = (packed / "pack/samples/001/turntable.html").read_text()
    assert '"c0":{"nodes":[0,' in turntable
    directions = {view.name: view.direction for view in opened.pack.samples[0].views}
    assert directions["front"] == (0, -1, 0) and directions["right"] == (1, 0, 0)


def test_two_reviewers_are_kept_chained_audited_and_reported(place, tmp_path):
    run, pack, mapping = place
    second = shutil.copytree(pack, tmp_path / "second")
    twins = [s for s in PackMapping.load(mapping.read_bytes(), "m").samples if s.duplicate_of]
    fill(pack, "Ana", lambda n: (8, 7, 6, 5) if n != twins[0].number else (4, 7, 6, 5))
    fill(second, "Ben", lambda _: (6, 7, 6, 5))
    done = import_reviews([run], [pack, second], mapping)
    assert (done.known, done.waiting) == (0, 0)
    (amendment,) = read_amendments(run)
    assert amendment.kind == "review" and len(amendment.content["reviews"]) == done.written
    apart = {item.reviewer: (item.pairs, item.mean_difference) for item in done.consistency}
    assert apart == {"Ana": (2, 4 / 8), "Ben": (2, 0)}
    text = report_of(open_run(run))
    assert "## Review" in text and "### Spread between reviewers" in text and "seen" in text
    found = audit(run)
    assert found.sound, found.mismatches
    with pytest.raises(WrongUse, match="imported already"):
        import_reviews([run], [pack], mapping)
    fill(pack, "Ana", lambda _: (1, 1, 1, 1))
    with pytest.raises(WrongUse, match="otherwise in an earlier import"):
        import_reviews([run], [pack], mapping)
    assert len(read_amendments(run)) == 1


def altered_score(run, pack, mapping):
    path = pack / "samples/002/review.json"
    path.write_text(path.read_text().replace('"finish": 5', '"finish": 50'))
    return WrongUse, r"002.review\.json: scores\.finish"


def altered_hash(run, pack, mapping):
    path = pack / "samples/002/review.json"
    review = json.loads(path.read_bytes())
    review["artifact_hash"] = "0" * 64
    path.write_text(json.dumps(review))
    return DamagedEvidence, r"002.review\.json: its artifact hash"


def another_number(run, pack, mapping):
    shutil.copy(pack / "samples/001/review.json", pack / "samples/002/review.json")
    return WrongUse, "says it is of sample 1"


def another_pack(run, pack, mapping):
    path = pack / "samples/002/review.json"
    path.write_text(path.read_text().replace(json.loads(path.read_bytes())["pack"], "f" * 32))
    return WrongUse, "of another pack"


def altered_pack(run, pack, mapping):
    with (pack / "pack.json").open("a") as file:
        file.write(" ")
    return DamagedEvidence, "not the pack of this mapping"


def altered_artifact(run, pack, mapping):
    path = next(run.glob("trials/*reference*/S1/part.step"))
    path.chmod(0o644)
    path.write_bytes(path.read_bytes() + b"\n")
    return DamagedEvidence, r"S1/part\.step: content changed"


def altered_artifact_with_a_forged_manifest(run, pack, mapping):
    altered_artifact(run, pack, mapping)
    (run / "manifest.json").unlink()
    close_folder(run, open_run(run).plan.commitment())
    return DamagedEvidence, r"S1.part\.step: changed since it was packed"


def altered_picture(run, pack, mapping):
    (pack / "samples/002/front.png").write_bytes((pack / "samples/002/right.png").read_bytes())
    return DamagedEvidence, r"002.front\.png: not the picture that was packed"


def swapped_turntables(run, pack, mapping):
    first, second = (pack / f"samples/00{n}/turntable.html" for n in (1, 2))
    held = first.read_bytes()
    first.write_bytes(second.read_bytes() + b" ")
    second.write_bytes(held + b" ")
    return DamagedEvidence, r"001.turntable\.html: not the picture"


def a_review_of_tomorrow(run, pack, mapping):
    path = pack / "samples/002/review.json"
    late = str(date.today() + timedelta(days=3))
    path.write_text(path.read_text().replace("2026-03-01", late))
    return WrongUse, r"002.review\.json: date: .* is yet to come"


def a_date_that_is_a_number(run, pack, mapping):
    path = pack / "samples/002/review.json"
    path.write_text(path.read_text().replace('"2026-03-01"', "0"))
    return WrongUse, "date: .*YYYY-MM-DD"


def a_folder_for_a_review(run, pack, mapping):
    path = pack / "samples/002/review.json"
    path.unlink()
    path.mkdir()
    return WrongUse, r"002.review\.json: no file"


def one_name_spelled_in_two_ways(run, pack, mapping):
    path = pack / "samples/002/review.json"
    path.write_text(path.read_text().replace("Ana", "ana"))
    return WrongUse, "reviewer 'ana' is 'Ana'"


def no_review(run, pack, mapping):
    for path in pack.rglob("review.json"):
        path.unlink()
    return WrongUse, "nothing to import"


def changed_mapping(mapping, change):
    key = json.loads(mapping.read_bytes())
    change(key)
    mapping.write_text(json.dumps(key))


def a_run_that_was_not_packed(run, pack, mapping):
    changed_mapping(mapping, lambda key: [s.update(run="0" * 64) for s in key["samples"]])
    return WrongUse, "no sample of the pack comes from this run"


def a_run_that_is_not_given(run, pack, mapping):
    one = {"trial": "t", "round": "r", "artifact_sha256": "1" * 64, "reason": "not drawn"}
    changed_mapping(mapping, lambda key: key["not_shown"].append({"run": "0" * 64, **one}))
    return WrongUse, "samples of 1 more runs"


@pytest.mark.parametrize(
    "alter",
    [
        altered_score,
        altered_hash,
        another_number,
        another_pack,
        altered_pack,
        altered_artifact,
        altered_artifact_with_a_forged_manifest,
        altered_picture,
        swapped_turntables,
        a_review_of_tomorrow,
        a_date_that_is_a_number,
        a_folder_for_a_review,
        one_name_spelled_in_two_ways,
        no_review,
        a_run_that_was_not_packed,
        a_run_that_is_not_given,
    ],
)
def test_one_fault_refuses_the_whole_import(place, alter):
    run, pack, mapping = place
    fill(pack, "Ana", same)
    kind, words = alter(run, pack, mapping)
    with pytest.raises(kind, match=words):
        import_reviews([run], [pack], mapping)
    assert not (run / "amendments").exists()


def test_one_reviewer_in_two_folders_is_refused(place, tmp_path):
    run, pack, mapping = place
    fill(pack, "Ana", same)
    second = shutil.copytree(pack, tmp_path / "second")
    with pytest.raises(WrongUse, match="Ana reviewed sample 1 in"):
        import_reviews([run], [pack, second], mapping)
    assert not (run / "amendments").exists()


@pytest.mark.parametrize(
    ("first", "second"),
    [("Zo\u00eb", "Zoe\u0308"), ("Ana", "ANA"), ("Ana", "Ana\u200b"), ("Ana B", "Ana \u3000B")],
)
def test_one_person_has_one_voice_however_the_name_is_written(place, tmp_path, first, second):
    run, pack, mapping = place
    fill(pack, first, same)
    other = shutil.copytree(pack, tmp_path / "second")
    fill(other, second, same)
    with pytest.raises(WrongUse, match="spell one person in one way"):
        import_reviews([run], [pack, other], mapping)
    assert not (run / "amendments").exists()
    import_reviews([run], [pack], mapping)
    with pytest.raises(WrongUse, match="an earlier import"):
        import_reviews([run], [other], mapping)
    fill(other, "Anna", same)
    assert import_reviews([run], [other], mapping).written


def test_reviews_are_taken_without_the_pictures(place, tmp_path):
    run, pack, mapping = place
    fill(pack, "Ana", same)
    for path in [*pack.rglob("*.png"), *pack.rglob("turntable.html")]:
        path.unlink()
    assert import_reviews([run], [pack], mapping).written


def test_a_void_cell_is_not_packed_and_waits_for_nobody(place):
    run, pack, mapping = place
    before = subjects(reviewable_runs([run]), {"growth"})
    profile = before[0].origin.trial.split(".S1")[0].partition(".")[2].replace("mutant.", "mutant:")
    void(run, "S1", profile, "the limit was wrong")
    after = subjects(reviewable_runs([run]), {"growth"})
    gone = [item for item in before if item not in after]
    assert gone and after and {item.origin.trial for item in gone} == {before[0].origin.trial}
    fill(pack, "Ana", same)
    for sample in PackMapping.load(mapping.read_bytes(), "m").samples:
        if sample.trial == before[0].origin.trial:  # nobody looks at it any more
            (pack / f"samples/{sample.number:03d}/review.json").unlink()
    assert import_reviews([run], [pack], mapping).waiting == 0


def test_a_withdrawn_suite_waits_for_nobody(place):
    run, pack, mapping = place
    fill(pack, "Ana", same, numbers={1})
    invalidate(run, "a wrong formula", "growth")
    assert import_reviews([run], [pack], mapping).waiting == 0


def test_an_import_that_was_cut_off_can_be_repeated(place):
    run, pack, mapping = place
    fill(pack, "Ana", same, numbers={1, 2})
    first = import_reviews([run], [pack], mapping)
    fill(pack, "Ana", same)
    second = import_reviews([run], [pack], mapping)
    assert (first.written, second.known, second.waiting) == (2, 2, 0)
    assert first.waiting > 0
    assert len(open_run(run).reviews()) == second.written + 2


def test_reviews_of_a_model_leave_quality_pending(place):
    run, pack, mapping = place
    fill(pack, "some model", same, method="ai")
    assert import_reviews([run], [pack], mapping).waiting == len(
        subjects(reviewable_runs([run]), {"growth"})
    )
    text = report_of(open_run(run))
    assert "### Provisional" in text and "*pending*" in text


def test_a_touched_review_breaks_the_chain_and_a_wrong_one_the_run(place):
    run, pack, mapping = place
    fill(pack, "Ana", same)
    import_reviews([run], [pack], mapping)
    path = run / "amendments/0001.json"
    held = json.loads(path.read_bytes())
    path.chmod(0o644)
    held["content"]["reviews"][0]["artifact_sha256"] = "0" * 64
    path.write_bytes(Amendment.build(held, "forged").sealed().pretty())
    lines = audit(run).mismatches
    assert any("by Ana: not the artifact that was reviewed" in line for line in lines)
    held["content"]["reviews"][0]["scores"]["finish"] = 11
    path.write_bytes(Amendment.build(held, "forged").sealed().pretty())
    assert any("scores.finish" in line for line in audit(run).mismatches)


def test_the_command_line_tells_in_one_line(place, tmp_path):
    run, pack, mapping = place

    def call(*words):
        done = CliRunner().invoke(app, ["review", *map(str, words)])
        return done.exception, done

    error, _ = call("pack", run, "--out", tmp_path / "new")
    assert "growth" not in REVIEWED_SUITES
    assert isinstance(error, WrongUse) and "no delivery of assembly" in str(error)
    error, _ = call("pack", run, "--out", pack)
    assert isinstance(error, WrongUse) and "exists already" in str(error)
    error, _ = call("serve", run)
    assert isinstance(error, WrongUse) and "no pack" in str(error)
    fill(pack, "Ana", same)
    error, _ = call("import", run, "--reviews", pack, "--mapping", tmp_path / "none.json")
    assert isinstance(error, WrongUse) and "give the pack's mapping" in str(error)
    error, done = call("import", run, "--reviews", pack, "--mapping", mapping)
    assert error is None and "reviews imported" in done.output and "2 duplicates" in done.output
