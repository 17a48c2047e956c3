"""A round judged: the grade of its delivery, its outcome, and the record of both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gaugeblock.records.case import Round
from gaugeblock.records.grade import Grade
from gaugeblock.records.row import instruction_digest
from gaugeblock.records.run_folder import GRADE
from gaugeblock.records.store import Journal, write_atomic
from gaugeblock.records.trial import CadTimes, RoundResult
from gaugeblock.records.usage import scripted_usage
from gaugeblock.running.course import Course, RoundSetup
from gaugeblock.running.readback import ReadBack, sha256
from gaugeblock.running.sharing import Sharing, sharing
from gaugeblock.suites import Delivered

GradeDelivery = Callable[[Round, Delivered], Grade]


def judge(
    setup: RoundSetup, course: Course, found: ReadBack, grade: GradeDelivery, journal: Journal
) -> RoundResult:
    """Grade the delivery and name the outcome: errors and stops come before the grade."""
    judged: Grade | None = None
    fault = ""
    if course.layer is None:
        try:
            judged = grade(setup.asked, found.delivered)
        except Exception as error:  # a grader's own fault must never read as a verdict
            fault = f"{type(error).__name__}: {error}"
        else:
            write_atomic(setup.folder / GRADE, judged.pretty())
            journal.append("graded", verdict=judged.verdict, failed=list(judged.failed()))
    outcome, reason = _outcome(course, judged, fault)
    return _result(setup, course, found, outcome, reason)


def _outcome(course: Course, judged: Grade | None, fault: str) -> tuple[str, str]:
    if course.layer is not None:
        return f"error:{course.layer}", course.reason
    if course.stop is not None:
        return f"stopped:{course.stop}", course.reason
    if judged is None:
        return "error:grader", fault
    filed = course.delivery is not None and course.delivery.taken != ""  # a file needs no commit
    if course.desk is None or (course.desk.uncommitted() and not filed):
        said = course.report.final_text if course.report else ""
        why = course.unproposed or said
        return "no-delivery", f"nothing was committed; {why}".rstrip("; ")
    delivery = course.delivery
    if delivery is not None and delivery.step is None and delivery.reason:
        return "no-delivery", delivery.reason
    if judged.verdict == "passed":
        return "passed", ""
    found = [f"{c.name}: {c.finding}" for c in judged.checks if c.verdict != "pass"]
    outcome = "failed" if judged.verdict == "failed" else "could-not-grade"
    return outcome, "; ".join(found)


def _sharing(setup: RoundSetup, found: ReadBack) -> Sharing:
    if found.interference is not None:
        return sharing(found.interference)
    asked = "nothing was delivered" if setup.interference else "the case does not ask for it"
    return Sharing(None, None, asked)


def _no_document(course: Course) -> str:
    if course.delivery is None:
        return "nothing was delivered"
    if course.delivery.taken:
        return f"{course.delivery.taken} was delivered, and no document of the host"
    return "the host saved no document"


def _result(
    setup: RoundSetup,
    course: Course,
    found: ReadBack,
    outcome: str,
    reason: str,
) -> RoundResult:
    desk = course.desk
    counts = desk.counts if desk else None
    never = f"the agent never began: {course.reason}"
    unknown: dict[str, str] = {}
    measurement = found.delivered.measurement

    uncounted = desk.counting.unknown if desk else {}

    def known(name: str, value: Any, why: str) -> Any:
        if name in uncounted:
            value, why = None, uncounted[name]
        if value is None:
            unknown[name] = why
        return value

    cad = counts and CadTimes(
        preview_s=counts.preview_s,
        validate_s=counts.validate_s,
        commit_s=counts.commit_s,
        readback_s=found.seconds,
    )
    nothing = "nothing was delivered"
    ours = desk is None or desk.counting.described is None
    no_peak = "the host was gone" if ours else "not all processes of the host are known"
    shared = _sharing(setup, found)
    usage = None
    if desk is not None:
        usage = setup.meter.usage() if setup.meter else scripted_usage()
    # An agent of a provider is attempted once something is sent: a stop before that says nothing.
    attempted = desk is not None and (setup.meter is None or setup.meter.sent > 0)
    return RoundResult(
        trial_id=setup.trial_id,
        round=setup.asked.id,
        outcome=outcome,
        reason=reason,
        attempted=attempted,
        started_at=known("started_at", course.started_at, never),
        total_s=known("total_s", course.total_s, never),
        first_commit_s=known(
            "first_commit_s", counts.first_commit_s if counts else None, "nothing was committed"
        ),
        first_try=known("first_try", counts.first_try if counts else None, never),
        plans=known("plans", counts.plans if counts else None, never),
        repairs=known("repairs", counts.repairs if counts else None, never),
        commits=known("commits", counts.commits if counts else None, never),
        tool_calls=known("tool_calls", counts.tool_calls if counts else None, never),
        repeated_calls=known("repeated_calls", counts.repeated_calls if counts else None, never),
        idle_commits=known("idle_commits", counts.idle_commits if counts else None, never),
        look_ups=known("look_ups", len(counts.look_up_queries) if counts else None, never),
        look_up_queries=tuple(counts.look_up_queries) if counts else (),
        program_chars=known("program_chars", counts.program_chars if counts else None, never),
        interference_pairs=known("interference_pairs", shared.pairs, shared.reason),
        interference_mm3=known("interference_mm3", shared.volume, shared.reason),
        cad=known("cad", cad, never),
        host_peak_bytes=known("host_peak_bytes", course.peak_bytes, no_peak),
        context=known("context", course.context, never),
        usage=known("usage", usage, never),
        instruction_sha256=instruction_digest(setup.asked.instruction[setup.language]),
        start_sha256=known("start_sha256", sha256(setup.start), "starts from an empty document"),
        document_sha256=known(
            "document_sha256",
            sha256(course.delivery.document if course.delivery else None),
            _no_document(course),
        ),
        artifact_sha256=known("artifact_sha256", found.delivered.artifact_sha256, nothing),
        measurement_sha256=known(
            "measurement_sha256",
            measurement.content_sha256() if measurement else None,
            nothing,
        ),
        unknown=unknown,
    )
