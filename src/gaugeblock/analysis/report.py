"""The report of a run as Markdown: results, wiring proof, figures beside formulas, growth, limits.

Every section is a function that returns lines; ``render_report`` puts them in order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from gaugeblock.analysis.caveats import caveat_lines
from gaugeblock.analysis.cells import Cell, Cells, cells, never_begun
from gaugeblock.analysis.columns import field
from gaugeblock.analysis.dimensions_text import dimension_lines
from gaugeblock.analysis.follow_up import OtherRun, follow_up_lines
from gaugeblock.analysis.formats import quantity
from gaugeblock.analysis.growth import growth_tables
from gaugeblock.analysis.growth_text import growth_lines
from gaugeblock.analysis.headline import headline_lines
from gaugeblock.analysis.markdown import clean, code, escape, table
from gaugeblock.analysis.probes import probe_lines
from gaugeblock.analysis.results import result_lines
from gaugeblock.analysis.review_text import Reviewed, review_lines
from gaugeblock.analysis.revisions import newest_evaluators, revision_lines
from gaugeblock.analysis.run_summary import sealed_off
from gaugeblock.analysis.voided import void_lines, void_names, withdrawn_lines
from gaugeblock.analysis.wiring import figure_lines, weak_criteria_lines, wiring_lines
from gaugeblock.records.draws import Draw
from gaugeblock.records.evidence import Amendment
from gaugeblock.records.follows import Follows
from gaugeblock.records.grade import Grade
from gaugeblock.records.outcome import LAYERS
from gaugeblock.records.plan import Plan, toolset_of
from gaugeblock.records.row import Row
from gaugeblock.records.standing import Revision

Erratum = str | Mapping[str, object]
"""A correction as data: a sentence, or named parts that are told one by one."""


def render_report(
    plan: Plan,
    rows: Iterable[Row] | Cells,
    grades: Mapping[tuple[str, str], Grade],
    *,
    closed: bool,
    amendments: Sequence[Amendment] = (),
    errata: Sequence[Erratum] = (),
    faults: Sequence[str] = (),
    beside: Sequence[OtherRun] = (),
    reviewed: Reviewed | None = None,
    revisions: Sequence[Revision] = (),
    withdrawn: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return the report of one run as Markdown.

    Args:
        plan: the frozen plan.
        rows: the run's rows, amendments applied, in any order, or their cells.
        grades: (trial id, round id) → grade, where something was judged.
        closed: whether the closing manifest was written.
        amendments: what came after closing, in order.
        errata: corrections that touch this run, such as the sources' own.
        faults: what the run's folder lacks, or holds otherwise than it must.
        beside: other runs that are reported with it: what it follows, and what follows it.
        reviewed: what the section on reviewed quality is told from; None: there is none.
        revisions: regrades that the rows stand on.
        withdrawn: suite → why it was withdrawn by itself.

    Raises:
        ValueError: a round of a trial stands twice in the rows.
    """
    together = cells(rows)
    results = [cell for cell in together if not cell.scripted]
    tables = growth_tables(together)
    lines = [
        *_head(
            plan,
            together,
            _state(closed, amendments, faults, withdrawn),
            newest_evaluators(revisions),
        ),
        *follow_up_lines(plan, together, beside),
        *headline_lines(plan, results, sealed_off(plan)),
        *result_lines(plan, results, [cell for cell in together.void if not cell.scripted]),
        *(review_lines(reviewed) if reviewed else []),
        *growth_lines([item for item in tables if not item.scripted], "## Growth"),
        *dimension_lines(results),
        *probe_lines(results),
        *void_lines(plan, together, amendments, beside, withdrawn),
        *withdrawn_lines(together, withdrawn),
        *wiring_lines(
            plan,
            [cell for cell in together if cell.scripted],
            grades,
            [cell for cell in together.void if cell.scripted],
        ),
        *growth_lines(
            [item for item in tables if item.profile == "reference"],
            "### Growth of the scripted reference",
            "Host and ruler alone; no agent decides anything here, so this is no result.",
        ),
        *figure_lines(plan, together, grades),
        *weak_criteria_lines(plan, together, grades),
        *_not_run(together),
        *_errors(together),
        *revision_lines(revisions, together),
        *_corrections(amendments, errata),
        *caveat_lines(plan, [*together, *together.void]),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _head(
    plan: Plan,
    together: Cells,
    state: tuple[str, str],
    evaluators: str,
) -> list[str]:
    suites = ", ".join(escape(suite.name) for suite in plan.suites)
    machine = plan.machine
    facts = [
        ("State", state[0]),
        ("Label", f"{escape(plan.label)}; {plan.run_type} run"),
        ("Plan commitment", code(plan.commitment())),
        (
            "Planned",
            f"{escape(plan.created_at)}; {len(plan.trials)} trials, {together.row_count()} rounds",
        ),
        *([("Void", f"{_void(together)}; in no figure")] if together.void else []),
        *([("Follows", _follows(plan.follows))] if plan.follows else []),
        ("Instructions", escape(plan.language)),
        ("Commit", _commit(plan)),
        (
            "Machine",
            f"{code(machine.id)}: {escape(machine.os)}; {escape(machine.cpu)}, {machine.cores} "
            f"cores, {quantity(machine.memory_bytes, 'bytes')} MiB; Python "
            f"{escape(machine.python)}",
        ),
        (
            "Host",
            f"{escape(plan.host.name)} {escape(plan.host.version)}, "
            f"{escape(plan.host.runtime)}; tools shown: {_toolsets(plan)}{_source(plan)}",
        ),
        ("Sandbox", _sandbox(plan)),
    ]
    if plan.draw is not None:
        facts.append(("Fresh draws", _draws(plan.draw)))
    if evaluators:
        facts.append(("Verdicts graded again by", evaluators))
    for name, record in sorted(plan.fingerprints.items()):
        facts.append((f"Fingerprint: {escape(name)}", code(record.sha256[:16])))
    lines = [f"# gaugeblock report: {suites}", ""]
    if state[1]:
        lines += [f"> {state[1]}", ""]
    return [*lines, *table(["This run", ""], facts)]


def _void(together: Cells) -> str:
    return ", ".join(map(escape, void_names(together.void)))


def _follows(follows: Follows) -> str:
    other = f", under other {escape(follows.other)}" if follows.other else ""
    return f"{follows.kind} of run {code(follows.run)}{other}"


def _invalidation(amendments: Sequence[Amendment]) -> str:
    whole = [a for a in amendments if a.kind == "invalidation" and not a.content.get("suite")]
    return whole[0].reason if whole else ""


def _state(
    closed: bool,
    amendments: Sequence[Amendment],
    faults: Sequence[str],
    withdrawn: Mapping[str, str],
) -> tuple[str, str]:
    """Return the run's state, and the warning that stands above all figures (empty: none)."""
    invalid = _invalidation(amendments)
    unclosed = "" if closed else ", **not closed**"
    if faults:
        more = f" (and {len(faults) - 1} more; `gaugeblock audit` lists them)"
        told = escape(faults[0]) + (more if len(faults) > 1 else "")
        if invalid:
            told += f". The run is invalidated besides: {escape(invalid)}"
        warning = f"**NOT SOUND.** {told}. No figure below is to be used."
        return f"**not sound**{unclosed}: {told}", warning
    if invalid:
        warning = f"**INVALIDATED.** {escape(invalid)} No figure below is to be used."
        return f"**invalidated**: {escape(invalid)}", warning
    if not closed:
        return "**not closed**", "**Not closed.** The run has not ended; figures may still change."
    told = f"closed; {len(amendments)} amendments" if amendments else "closed"
    if withdrawn:
        named = "; ".join(f"suite {escape(name)}: {escape(why)}" for name, why in withdrawn.items())
        return f"{told}; **partly invalidated**", f"**INVALIDATED in part.** {named}"
    return told, ""


def _draws(draw: Draw) -> str:
    what = f"{draw.count} each of {', '.join(map(escape, draw.families))}"
    if draw.seed is not None:
        return f"{what}: **replayed** from the known seed {code(draw.seed[:16])}"
    beacon = f", beacon {code(draw.beacon)}" if draw.beacon else ""
    return f"{what}, sealed by a nonce of SHA-256 {code(str(draw.nonce_sha256)[:16])}{beacon}"


def _commit(plan: Plan) -> str:
    name = code(plan.commit) if plan.commit else "unknown (not run from a checkout)"
    return f"{name} **with uncommitted changes**" if plan.dirty else name


def _source(plan: Plan) -> str:
    """Say which other checkout our host came from, or that a host is none of ours."""
    host = plan.host
    if host.description is not None:  # by our name for it: what it tells of itself may be any name
        return f"; another CAD server than ours, described as {code(host.description.id)}"
    if host.source != "checkout":
        return ""
    name = f"commit {code(host.commit)}" if host.commit else "of unknown commit"
    changed = " **with uncommitted changes**" if host.dirty else ""
    return f"; from another checkout, {name}{changed}"


def _toolsets(plan: Plan) -> str:
    """Say how many tools each set has that a case of the run shows."""
    sets = dict.fromkeys(map(toolset_of, plan.cases))
    return ", ".join(f"{len(plan.host.toolsets[name].names)} ({escape(name)})" for name in sets)


def _sandbox(plan: Plan) -> str:
    name = escape(plan.host.sandbox)
    if sealed_off(plan):
        return name
    accepted = "; a missing sandbox was accepted (unsafe)" if plan.unsafe else ""
    why = f" ({escape(plan.host.unsealed_why)})" if plan.host.unsealed_why else ""
    return f"{name}: **unsealed**{why}{accepted}; kept out of headline tables"


def _not_run(together: Iterable[Cell]) -> list[str]:
    """List what never began; it is in no rate."""
    ends: dict[tuple[str, str, str, str], Counter[str]] = {}
    for cell in together:
        several = len(cell.rounds()) > 1
        for row in sorted(never_begun(cell.rows()), key=lambda row: row.growth):
            key = (row.profile, row.case, row.outcome, clean(row.reason))
            ends.setdefault(key, Counter())[row.round if several else ""] += 1
    lines = ["## Not run", ""]
    if not ends:
        return [*lines, "Every planned round began.", ""]
    rows = [
        [*(escape(text) for text in key), escape(", ".join(rounds)), str(rounds.total())]
        for key, rounds in ends.items()
    ]
    lines += [
        "What never began is in no rate of its own. A later round of a sequence that began is not "
        "passed in that round's headline.",
        "",
    ]
    return [*lines, *table(["Profile", "Case", "Outcome", "Reason", "Rounds", "n"], rows, "lllllr")]


def _errors(together: Iterable[Cell]) -> list[str]:
    """Count what was nobody's failure but ours or the provider's, by layer."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for cell in together:
        ends = zip(*(field(cell.rows(), name) for name in ("outcome", "reason")), strict=True)
        for outcome, reason in ends:
            layer = outcome.removeprefix("error:")
            if layer in LAYERS or outcome in ("could-not-grade", "interrupted"):
                counts[layer, cell.key.profile, clean(reason)] += 1
    lines = ["## Errors by layer", ""]
    if not counts:
        return [*lines, "None.", ""]
    rows = [
        [escape(layer), escape(profile), escape(reason), str(count)]
        for (layer, profile, reason), count in sorted(counts.items())
    ]
    return [*lines, *table(["Layer", "Profile", "Reason", "n"], rows, "lllr")]


def _corrections(amendments: Sequence[Amendment], errata: Sequence[Erratum]) -> list[str]:
    lines = ["## Corrections and errata", ""]
    for item in amendments:
        touched = ", ".join(
            f"{grade.get('trial')} {grade.get('round')} → {grade.get('outcome')}"
            for grade in item.content.get("grades", [])
            if grade.get("before", {}).get("outcome") != grade.get("outcome")
        )
        if item.kind == "invalidation" and item.content.get("suite"):
            touched = f"suite {item.content['suite']}"
        if item.kind == "void":
            touched = f"{item.content.get('profile')} on {item.content.get('case')}"
        more = f" ({escape(touched)})" if touched else ""
        lines.append(
            f"- Amendment {item.number}, {item.kind}, {escape(item.at)}: "
            f"{escape(item.reason)}{more}"
        )
    for erratum in errata:
        if isinstance(erratum, str):
            lines.append(f"- Erratum: {escape(erratum)}")
        else:
            told = "; ".join(f"{escape(str(k))}: {escape(str(v))}" for k, v in erratum.items())
            lines.append(f"- Erratum: {told}")
    if not amendments and not errata:
        lines.append("None.")
    return [*lines, ""]
