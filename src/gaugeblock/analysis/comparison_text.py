"""Comparisons as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from gaugeblock.analysis.contests import (
    RATES,
    SPENDING,
    UNAVAILABLE,
    Contest,
    Contestant,
    Ground,
    ProfileComparison,
)
from gaugeblock.analysis.formats import column, quantity
from gaugeblock.analysis.markdown import DASH, Footnotes, code, escape, table
from gaugeblock.analysis.permutation import LEAST_PAIRS
from gaugeblock.analysis.releases import RELEASE_METRICS, Change, Overall, ReleaseComparison
from gaugeblock.analysis.summaries import METRIC, Aggregate, Unit

NO_SIGNIFICANCE = (
    "Differences of medians between two samples. They are **no significance**: another day, "
    "another run of the same release would differ too."
)
SCRIPTED = "*A script worked: this is the host and the ruler alone, and no result of any model.*"


def render_releases(answer: ReleaseComparison) -> str:
    """Return the answer of ``compare --before --after`` as Markdown."""
    lines = ["# Two releases of the host", ""]
    if answer.refused:
        return _refusal(lines, answer.refused, answer.void)
    assert answer.before is not None and answer.after is not None
    lines += [f"Host {code(answer.before[:16])} before, {code(answer.after[:16])} after.", ""]
    lines += [NO_SIGNIFICANCE, ""]
    for profile in dict.fromkeys(item.profile for item in answer.overall):
        overall = [item for item in answer.overall if item.profile == profile]
        changes = [change for change in answer.changes if change.profile == profile]
        lines += [f"## {escape(profile)}", ""]
        lines += [SCRIPTED, ""] if overall[0].scripted else []
        lines += [*_overall_lines(overall), *_change_lines(changes)]
    return _end(lines, answer.left_out, answer.void)


def _overall_lines(overall: Sequence[Overall]) -> list[str]:
    """Metrics that are unavailable share a line where the reason is the same."""
    rows = [
        [METRIC[item.metric].label, str(item.rounds), percent(item.percent)]
        for item in overall
        if item.percent is not None
    ]
    missing: dict[str, list[str]] = {}
    for item in overall:
        if item.percent is None:
            missing.setdefault(item.reason, []).append(METRIC[item.metric].label)
    lines = table(["Metric", "Rounds", "Median of their changes"], rows, "lrr") if rows else []
    told = [f"- {', '.join(names)}: {escape(why)}." for why, names in missing.items()]
    return [*lines, *told, *([""] if told else [])]


def _change_lines(changes: Sequence[Change]) -> list[str]:
    """Return a table a metric that changed, one line a round, and a line of all that did not."""
    lines: list[str] = []
    still = []
    for name in RELEASE_METRICS:
        mine = [change for change in changes if change.metric == name]
        if all(change.percent == 0 for change in mine):
            still.append(METRIC[name].label)
        elif any(change.percent is not None for change in mine):
            lines += _changes_of(name, mine)
    if still:
        lines += [f"The same in every round: {', '.join(still)}.", ""]
    return lines


def _changes_of(name: str, changes: Sequence[Change]) -> list[str]:
    notes = Footnotes()
    rows = [
        [
            escape(change.case),
            escape(change.round),
            f"{change.before.n} / {change.after.n}",
            _median(change.before),
            _median(change.after),
            notes.missing(change.reason) if change.percent is None else percent(change.percent),
        ]
        for change in changes
    ]
    head = ["Case", "Round", "n before / after", "Median before", "after", "Change"]
    title = column(METRIC[name])
    return [f"### {title[0].upper()}{title[1:]}", "", *table(head, rows, "lllrrr"), *notes.lines()]


def _median(figure: Aggregate) -> str:
    return DASH if figure.median is None else quantity(figure.median, figure.unit)


def percent(value: float | None) -> str:
    """Return a change in % with one decimal and a sign, 0 without one."""
    if value is None:
        return DASH
    text = f"{value:+.1f}"
    if text in ("+0.0", "-0.0"):
        return "0.0\u00a0%"
    return text.replace("-", "−") + "\u00a0%"


def render_profiles(answer: ProfileComparison) -> str:
    """Return the answer of ``compare --by profile`` as Markdown."""
    lines = ["# Models against each other", ""]
    if answer.refused:
        return _refusal(lines, answer.refused, answer.void)
    lines += [
        "Case by case: the two figures of each case are exchanged in every way. p is corrected "
        "for the several pairs of one measure (Holm), not for the several measures. *Not "
        "distinguishable* means just that, and not that the two are alike.",
        "",
    ]
    if len(answer.grounds) > 1:
        lines += [
            f"The runs fall into {len(answer.grounds)} sets that must not be pooled; each stands "
            "by itself.",
            "",
        ]
    for ground in answer.grounds:
        lines += _ground_lines(ground)
    return _end(lines, answer.left_out, answer.void)


def _ground_lines(ground: Ground) -> list[str]:
    sealing = "" if ground.sealing == "sealed off" else ", **unsealed: not for headline tables**"
    apart = ", without tools" if ground.tools == "without tools" else ""
    kind = "" if ground.run_type == "formal" else f", {escape(ground.run_type)} runs"
    lines = [
        f"## {escape(ground.suite)}, {escape(ground.visibility)} cases, "
        f"{escape(ground.language)}{apart}{kind}{sealing}",
        "",
        f"Controls {code(ground.id)}; runs: {', '.join(map(escape, ground.runs))}.",
        "",
    ]
    rows = [
        [
            escape(one.profile),
            DASH if one.model is None else escape(one.model),
            _reported(one),
            str(one.cases),
            str(one.trials),
        ]
        for one in ground.contestants
    ]
    head = ["Profile", "Model asked for", "Model that answered", "Cases", "Trials"]
    lines += table(head, rows, "lllrr")
    if ground.reason:
        return [*lines, f"Nothing to compare here: {escape(ground.reason)}.", ""]
    for measure in (*RATES, *SPENDING):
        lines += _contest_lines([one for one in ground.contests if one.measure == measure])
    return lines


def _reported(one: Contestant) -> str:
    return ", ".join(map(escape, one.reported)) or "no answer names it"


def _contest_lines(contests: Sequence[Contest]) -> list[str]:
    name, unit = contests[0].measure, contests[0].unit
    if name in RATES:
        title = f"{name}: mean of the cases' shares, their difference in percentage points"
    else:
        title = f"{column(METRIC[name])}: mean of the cases' medians of whole trials"
    lines = [f"### {title[0].upper()}{title[1:]}", ""]
    reasons = {one.reason for one in contests}
    if all(one.verdict == UNAVAILABLE for one in contests) and len(reasons) == 1:
        return [*lines, f"Unavailable: {escape(reasons.pop())}.", ""]
    notes = Footnotes()
    rows = []
    for one in contests:
        pair = f"{escape(one.first)} − {escape(one.second)}"
        if one.difference is None:
            rows.append([pair, str(one.cases), *[DASH] * 6, UNAVAILABLE + notes.mark(one.reason)])
            continue
        interval = DASH
        if one.low is not None and one.high is not None:
            interval = f"{_figure(one.low, unit, True)} to {_figure(one.high, unit, True)}"
        rows.append(
            [
                pair,
                str(one.cases),
                _figure(one.first_mean, unit),
                _figure(one.second_mean, unit),
                _figure(one.difference, unit, True),
                interval,
                _chance(one.p),
                _chance(one.p_holm),
                escape(one.verdict) + notes.mark(one.reason),
            ]
        )
    head = [
        "Pair",
        "Cases",
        "First",
        "Second",
        "Difference",
        "95 % interval",
        "p",
        "p, Holm",
        "Answer",
    ]
    return [*lines, *table(head, rows, "lrrrrrrrl"), *notes.lines()]


def _figure(value: float | None, unit: str, signed: bool = False) -> str:
    """Return a share in %, or a metric's figure; a difference has its sign, of shares no unit."""
    if value is None:
        return DASH
    size = abs(value) if signed else value
    if unit:
        text = quantity(size, _unit(unit))
    else:
        text = f"{100 * size:.1f}" if signed else f"{100 * size:.1f}\u00a0%"
    if not signed or not any(digit in text for digit in "123456789"):
        return text
    return ("−" if value < 0 else "+") + text


def _unit(unit: str) -> Unit:
    return next(metric.unit for metric in METRIC.values() if metric.unit == unit)


def _chance(p: float | None) -> str:
    if p is None:
        return DASH
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _void(names: Sequence[str]) -> list[str]:
    """Name the cells that a fault of the protocol took out."""
    return ["", f"Left out as void: {', '.join(map(escape, names))}."] if names else []


def _refusal(lines: list[str], reasons: Sequence[str], void: Sequence[str]) -> str:
    lines += ["**Not compared.** Every reason:", "", *(f"- {escape(why)}" for why in reasons)]
    lines += _void(void)
    return "\n".join(lines) + "\n"


def _end(lines: list[str], left_out: Sequence[str], void: Sequence[str]) -> str:
    if left_out:
        lines += [f"Left out: scripted {', '.join(map(escape, left_out))}.", ""]
    lines += [*_void(void), ""] if void else []
    lines += [
        "*What this cannot say:* a provider's randomness is not controlled, references and "
        "criteria are our own, and the runs are self-attested. Intervals and p hold for cases "
        "like these; whether these cases are like yours is not measured. Under "
        f"{LEAST_PAIRS} cases no difference can stand out."
        if lines[0].startswith("# Models")
        else "*What this cannot say:* whether the next run would show the same.",
        "",
    ]
    return "\n".join(lines).rstrip() + "\n"
