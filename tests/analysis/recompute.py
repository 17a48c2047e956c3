"""Every figure of a run's report, reckoned again from ``results.jsonl`` alone.

    python tests/analysis/recompute.py RUN [FOLDER]

This script shares no code with the package and needs only Python: whoever doubts a figure can
read here how it comes about. It compares what it finds with ``summary.json`` and with the tables
of ``report.md``, names every difference in a line of its own, and ends with code 1 if there is
one. FOLDER holds both as they were made after the run was closed. Then the amendments count: newer
grades take the place of the run's own, void cells and withdrawn suites are left out, and reviewed
quality is reckoned from what each reviewer said.
Definitions: ``docs/metrics/statistics.md``, ``docs/review.md``.
"""

import hashlib
import json
import re
import sys
from collections import Counter, defaultdict
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from math import ceil, comb, factorial, floor, isclose, prod, sqrt
from pathlib import Path
from statistics import NormalDist, median

Z = NormalDist().inv_cdf(0.975)
ERRORS = {f"error:{layer}" for layer in "provider adapter tool-runtime host grader".split()}
NOT_VALID = ERRORS | {"could-not-grade", "interrupted"}
COHORT = (
    "fingerprint_ruler fingerprint_harness fingerprint_host fingerprint_protocol suite_digest "
    "host_runtime agent model settings"
).split()
KEY = "suite profile visibility axis language cohort case case_version case_digest".split()
CAD = ["cad_preview_s", "cad_validate_s", "cad_commit_s", "cad_readback_s"]
INPUT = ["input_uncached", "cache_read", "cache_write_5min", "cache_write_1h"]
SUMS = {"input_tokens": INPUT, "output_tokens": ["output"], "cad_s": CAD}
SETTLED = {"cost_usd", "input_tokens", "output_tokens"}
SLOPES = (
    "input_tokens output_tokens cost_usd total_s first_commit_s provider_s cad_s host_peak_bytes"
).split()
MISSING = object()


def began(row):
    return row["attempted"] and row["outcome"] != "not-run"


def figure(row, metric):
    """A metric of a row; None where it is not known."""
    if metric in SETTLED and row["unsettled_calls"] != 0:
        return None
    if metric == "cost_usd":
        told = row.get("reported_cost_usd") or row["cost_usd"]
        return None if told is None else Decimal(told)
    parts = [row[name] for name in SUMS.get(metric, [metric])]
    return None if None in parts else sum(parts)


def with_cohort(row):
    held = {name: row[name] for name in COHORT}
    text = json.dumps(held, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    tools = "without tools" if row["axis"] == "baseline" else "with tools"
    return {**row, "tools": tools, "cohort": hashlib.sha256(text.encode()).hexdigest()[:12]}


def wilson(passed, n):
    if n == 0:
        return {"passed": 0, "n": 0, "low": None, "high": None}
    return {"passed": passed, "n": n, **score(passed / n, n)}


def score(p, n):
    middle = p + Z * Z / (2 * n)
    half = Z * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
    whole = 1 + Z * Z / n
    return {"low": max(0.0, (middle - half) / whole), "high": min(1.0, (middle + half) / whole)}


def both(outcomes, valid=None):
    """The two rates of outcomes; ``valid``: how many are, where another rule than theirs says."""
    passed = sum(end == "passed" for end in outcomes)
    if valid is None:
        valid = sum(end not in NOT_VALID for end in outcomes)
    return {"attempted": wilson(passed, len(outcomes)), "valid": wilson(passed, valid)}


def clustered(counts):
    counts = [(c, n) for c, n in counts if n]
    passed, n, m = sum(c for c, _ in counts), sum(n for _, n in counts), len(counts)
    if m < 10:
        return {"passed": passed, "n": n, "low": None, "high": None}
    p = passed / n
    v = m / (m - 1) * sum((c - p * k) ** 2 for c, k in counts) / n**2
    size = min(n, p * (1 - p) / v) if v > 0 and 0 < p < 1 else m
    return {"passed": passed, "n": n, **score(p, size)}


def bootstrap_rank(n):
    """Least k with P(Binomial(n, k/n) ≥ h) ≥ 1/40, h the lower middle of n: in whole numbers."""
    h = (n + 1) // 2
    for k in range(1, n + 1):
        ways = sum(comb(n, i) * k**i * (n - k) ** (n - i) for i in range(h, n + 1))
        if Fraction(ways, n**n) >= Fraction(1, 40):
            return k
    raise AssertionError("k = n always does")


def aggregate(rows, metric):
    rows = [row for row in rows if began(row)]
    values = [figure(row, metric) for row in rows]
    unknown = values.count(None)
    if metric.endswith("_s") and len({row["machine"] for row in rows}) > 1:
        unknown = len(rows)
    found = {"n": len(rows), "unknown": unknown}
    if unknown or not values:
        return {**found, "median": None, "maximum": None, "low": None, "high": None}
    values.sort()
    low = high = None
    if len(values) >= 3:
        rank = bootstrap_rank(len(values))
        low, high = values[rank - 1], values[-rank]
    return {**found, "median": median(values), "maximum": values[-1], "low": low, "high": high}


def per_solved(rows, solved):
    values = [figure(row, "cost_usd") for row in rows if began(row)]
    if None in values or not values:
        return {"usd": None, "total_usd": None, "solved": solved}
    total = sum(values)
    usd = (total / solved).quantize(Decimal("0.000001")) if solved else None
    return {"usd": usd, "total_usd": total, "solved": solved}


def slope(rows, metric):
    """Theil and Sen over blocks: each sequence is one, single rounds are one all together."""
    rows = [row for row in rows if began(row)]
    values = [figure(row, metric) for row in rows]
    places = {row["growth"] for row in rows}
    machines = {row["machine"] for row in rows}
    split = metric.endswith("_s") and len(machines) > 1
    nothing = {"n": len(rows), "value": None, "low": None, "high": None}
    if None in values or split or len(places) < 3:
        return nothing
    trials = Counter((row["run"], row["trial"]) for row in rows)
    sequences = max(trials.values()) > 1
    blocks = defaultdict(list)
    for row, value in zip(rows, values, strict=True):
        block = (row["run"], row["trial"]) if sequences else None
        blocks[block].append((row["growth"], float(value)))
    slopes = sorted(
        (b[1] - a[1]) / (b[0] - a[0]) if b[0] > a[0] else (a[1] - b[1]) / (a[0] - b[0])
        for points in blocks.values()
        for a, b in combinations(points, 2)
        if a[0] != b[0]
    )
    if not slopes:
        return nothing
    found = {**nothing, "value": median(slopes)}
    ways = 1
    for points in blocks.values():
        ties = Counter(x for x, _ in points).values()
        ways *= factorial(len(points)) // prod(map(factorial, ties))
    if ways < 40:
        return found
    reach = Z * sqrt(sum(kendall_variance(points) for points in blocks.values()))
    first = max(floor((len(slopes) - reach) / 2) - 1, 0)
    last = min(ceil((len(slopes) + reach) / 2), len(slopes) - 1)
    return {**found, "low": slopes[first], "high": slopes[last]}


def kendall_variance(points):
    n = len(points)
    if n < 2:
        return 0.0
    xs, ys = (list(Counter(side).values()) for side in zip(*points, strict=True))

    def v(ties):
        return sum(t * (t - 1) * (2 * t + 5) for t in ties)

    def falling(ties, k):
        return sum(prod(t - i for i in range(k)) for t in ties)

    total = (v([n]) - v(xs) - v(ys)) / 18
    total += falling(xs, 2) * falling(ys, 2) / (2 * falling([n], 2))
    if n > 2:
        total += falling(xs, 3) * falling(ys, 3) / (9 * falling([n], 3))
    return max(total, 0.0)


def trials_of(rows):
    trials = defaultdict(list)
    for row in rows:
        trials[row["run"], row["trial"]].append(row)
    return [trial for trial in trials.values() if any(map(began, trial))]


def whole(rows):
    ends = [{row["outcome"] for row in trial} for trial in trials_of(rows)]
    passed, valid = sum(e == {"passed"} for e in ends), sum(not e & NOT_VALID for e in ends)
    return {"attempted": wilson(passed, len(ends)), "valid": wilson(passed, valid)}


def round_of(rows, name, growth, metrics):
    mine = [row for row in rows if row["round"] == name]
    reached = [row for row in mine if began(row)]
    begun = trials_of(rows)
    ends = [row["outcome"] for row in reached]
    passed = ends.count("passed")
    bad = [any(r["growth"] <= growth and r["outcome"] in NOT_VALID for r in t) for t in begun]
    headline = {"attempted": wilson(passed, len(begun)), "valid": wilson(passed, bad.count(False))}
    tries = [row["first_try"] for row in reached]
    first = wilson(tries.count(True), len(tries))
    probes = Counter(row["probe"] for row in mine)
    held = wilson(probes["held"], probes["held"] + probes["missed"])
    if None in tries:
        first = {"passed": 0, "n": len(tries), "low": None, "high": None}
    return {
        "headline": headline,
        "reached": both(ends),
        "first_try": first,
        "outcomes": dict(Counter(row["outcome"] for row in mine)),
        "metrics": {name: aggregate(mine, name) for name in metrics},
        "cost_per_solved": per_solved(mine, passed),
        "probe": {"held": held, "could_not_grade": probes["could-not-grade"]},
        "points": points_of(reached),
    }


def points_of(rows):
    """Points of the trials that were begun: none, or figures over those that are valid."""
    if all(row["points"] is None for row in rows):
        return None
    valid = [row for row in rows if row["points"] is not None and row["outcome"] not in NOT_VALID]
    scores = sorted(row["points"] for row in valid)
    totals = {row["points_of"] for row in valid}
    told = len(totals) == 1
    shared = [row["interference_pairs"] for row in valid if "delivered" not in row["failed_checks"]]
    pairs = [value for value in shared if value is not None]
    return {
        "n": len(valid),
        "not_graded": len(rows) - len(valid),
        "out_of": totals.pop() if told else None,
        "median": float(median(scores)) if told else None,
        "least": scores[0] if told else None,
        "most": scores[-1] if told else None,
        "lost": dict(Counter(name for row in valid for name in row["failed_checks"])),
        "interference": {
            "n": len(pairs),
            "unknown": len(shared) - len(pairs),
            "pairs": float(median(pairs)) if pairs else None,
            "most_pairs": max(pairs, default=None),
        },
    }


def cell_of(rows, metrics):
    rounds = sorted({(row["growth"], row["round"]) for row in rows})
    trials = whole(rows)
    c, n = trials["attempted"]["passed"], trials["attempted"]["n"]
    return {
        "trials": trials,
        "pass_hat_k": {str(k): comb(c, k) / comb(n, k) for k in range(1, n + 1)},
        "cost_per_solved": per_solved(rows, c),
        "rounds": {name: round_of(rows, name, growth, metrics) for growth, name in rounds},
    }


def pooled(rows):
    """A profile across its cases."""
    cases = [whole(same) for same in grouped(rows, KEY).values()]
    rates = {
        kind: clustered([(case[kind]["passed"], case[kind]["n"]) for case in cases])
        for kind in ("attempted", "valid")
    }
    solved = rates["attempted"]["passed"]
    return {"cases": len(cases), "trials": rates, "cost_per_solved": per_solved(rows, solved)}


def grouped(rows, names):
    groups = defaultdict(list)
    for row in rows:
        groups[tuple(row[name] for name in names)].append(row)
    return groups


def differences(folder, later=None):
    """Return a line for each figure of summary.json and report.md that the rows do not give."""
    lines = (folder / "results.jsonl").read_text(encoding="utf-8").splitlines()
    rows = list(map(json.loads, lines))
    amended = sorted((folder / "amendments").glob("*.json")) if later else []
    notes = [json.loads(path.read_text(encoding="utf-8")) for path in amended]
    void = [note["content"] for note in notes if note["kind"] == "void"]
    gone = [note["content"]["suite"] for note in notes if note["kind"] == "invalidation"]
    imports = [note["content"]["reviews"] for note in notes if note["kind"] == "review"]
    rows = regraded(rows, [note["content"] for note in notes if note["kind"] == "regrade"])
    parts = ([], [])
    for row in rows:
        cell = {name: row[name] for name in ("case", "profile")}
        parts[row["voided"] or cell in void or row["suite"] in gone].append(row)
    rows, voided = parts
    summary = json.loads(((later or folder) / "summary.json").read_text(encoding="utf-8"))
    report = ((later or folder) / "report.md").read_text(encoding="utf-8")
    models = [row for row in rows if not row["scripted"]]
    scripts = [row for row in rows if row["scripted"]]
    return [
        *unlike("outcomes", summary["outcomes"], dict(Counter(row["outcome"] for row in rows))),
        *of_part("results", summary["results"], models),
        *of_part("wiring", summary["wiring"], scripts),
        *of_report(report, models),
        *of_void(summary["void"], report, voided),
        *of_review(summary["review"]["quality"], rows, [one for each in imports for one in each]),
    ]


def regraded(rows, contents):
    """The rows under the newest grade of each, and under the evaluator that gave it."""
    for content in contents:
        newer = {(item["trial"], item["round"]): item for item in content["grades"]}
        for row in rows:
            if row["suite"] in content["evaluators"]:
                now = content["evaluators"][row["suite"]]["after"]
                row.update(fingerprint_ruler=now["ruler"], suite_digest=now["suite"])
            if (row["trial"], row["round"]) in newer:
                row.update(under(row, newer[row["trial"], row["round"]]))
    return list(map(with_cohort, rows))


def under(row, item):
    """What a newer grade says in a row."""
    score = item["grade"]["score"] or {"points": None, "out_of": None}
    probe = item["probe"]["verdict"] if item["probe"] else row["probe"]
    lost = [check["name"] for check in item["grade"]["checks"] if check["verdict"] == "fail"]
    return {
        "outcome": item["outcome"],
        "failed_checks": lost,
        "points": score["points"],
        "points_of": score["out_of"],
        "probe": probe if item["outcome"] == "passed" else None,
    }


CRITERIA = "recognisability coherence details finish".split()


def of_review(shown, rows, reviews):
    """Yield where reviewed quality is not what people said, sample by sample."""
    trials = {review["trial"] for review in reviews}
    suites = {"assembly", *(row["suite"] for row in rows if row["trial"] in trials)}
    groups = grouped([row for row in rows if row["suite"] in suites], "profile case round".split())
    several = Counter(case for case, _ in {(row["case"], row["round"]) for row in rows})
    found = {
        (profile, case if several[case] == 1 else f"{case} {name}"): quality(mine, reviews)
        for (profile, case, name), mine in groups.items()
    }
    told = {(one["profile"], one["case"]): one for one in shown}
    yield from unlike("review: who is reviewed", sorted(told), sorted(found))
    for who in told.keys() & found.keys():
        yield from unlike(f"review: {who[0]} on {who[1]}", told[who], found[who])


def quality(rows, reviews):
    """Medians over people, then over samples; none while a sample waits."""
    shown = [row for row in rows if row["artifact_sha256"] is not None]
    samples, people, totals = {}, set(), []
    for row in shown:
        voices = voices_of(row, reviews)
        if voices:
            samples[row["trial"]] = list(voices.values())
            people |= voices.keys()
            totals.append((row["points"], median(map(sum, voices.values()))))
    whole = bool(shown) and len(samples) == len(shown)
    medians = [[median(column) for column in zip(*said, strict=True)] for said in samples.values()]
    scores = (
        [float(median(c)) for c in zip(*medians, strict=True)] if whole else [None] * len(CRITERIA)
    )
    points, out_of = [row["points"] for row in shown], {row["points_of"] for row in shown}
    measured = bool(shown) and None not in points
    both = whole and measured and out_of == {60}
    return {
        "artifacts": len(shown),
        "undelivered": len(rows) - len(shown),
        "geometry": {
            "median": float(median(points)) if measured else None,
            "out_of": out_of.pop() if len(out_of) == 1 else None,
        },
        "reviewed": len(samples),
        "reviewers": {
            "people": len(people),
            "least_of_an_artifact": min(map(len, samples.values())) if whole else 0,
        },
        "scores": dict(zip(CRITERIA, scores, strict=True)),
        "sum": float(median(total for _, total in totals)) if whole else None,
        "both": float(median(p + total for p, total in totals)) if both else None,
        "spread": spread([said for said in samples.values() if len(said) > 1]),
    }


def voices_of(row, reviews):
    """Reviewer → mean of what he said of a sample, under however many numbers he met it."""
    said = defaultdict(list)
    for one in reviews:
        place = (one["trial"], one["round"], one["method"])
        if place == (row["trial"], row["round"], "human"):
            said[one["reviewer"]].append([one["scores"][name] for name in CRITERIA])
    return {
        who: [sum(c) / len(c) for c in zip(*scores, strict=True)] for who, scores in said.items()
    }


def spread(samples):
    """How far people are apart, of samples that two or more of them saw."""
    found = {}
    for place, name in enumerate(CRITERIA):
        columns = [[voice[place] for voice in said] for said in samples]
        ranges = [max(column) - min(column) for column in columns]
        apart = [abs(a - b) for column in columns for a, b in combinations(column, 2)]
        found[name] = {
            "artifacts": len(samples),
            "median_range": float(median(ranges)) if ranges else None,
            "largest_range": max(ranges, default=None),
            "mean_difference": sum(apart) / len(apart) if apart else None,
        }
    return found if samples else None


def of_void(shown, report, rows):
    """Yield where what is said of void cells is not what their rows say."""
    found = {}
    for (profile, case, name), mine in grouped(rows, ["profile", "case", "round"]).items():
        found[f"{profile} on {case}, {name}"] = ends = dict(Counter(r["outcome"] for r in mine))
        words = ", ".join(f"{n} {end}" for end, n in sorted(ends.items()))
        if not any(f"| {profile} | {s} | {words} |" in report for s in (case, f"{case} {name}")):
            yield f"report: void {profile} on {case}: no line of {name} with {words}"
    told = {
        f"{cell['profile']} on {cell['case']}, {one['round']}": one["outcomes"]
        for cell in shown
        for one in cell["rounds"]
    }
    yield from unlike("void", told, found) if told.keys() == found.keys() else [f"void: {told}"]


def of_part(part, shown, rows):
    yield from of_cells(part, shown["cells"], rows)
    names = ["profile", "suite", "visibility", "language", "cohort", "tools"]
    groups = grouped(rows, names)
    yield from unlike(f"{part}: profiles", len(shown["profiles"]), len(groups))
    for one in shown["profiles"]:
        found = pooled(groups[tuple(one[name] for name in names)])
        yield from unlike(f"{part}: {one['profile']} across cases", one, found)
    yield from of_growth(part, shown["growth"], rows)


def of_cells(part, shown, rows):
    groups = grouped(rows, KEY)
    yield from unlike(f"{part}: cells", len(shown), len(groups))
    for cell in shown:
        where = f"{part}: {cell['profile']} on {cell['case']}"
        rounds = {one["round"]: one for one in cell["rounds"]}
        for one in rounds.values():
            one["metrics"] = {metric["metric"]: metric for metric in one["metrics"]}
        metrics = [name for one in rounds.values() for name in one["metrics"]]
        found = cell_of(groups[tuple(cell[name] for name in KEY)], dict.fromkeys(metrics))
        yield from unlike(where, {**cell, "rounds": rounds}, found)


def of_growth(part, shown, rows):
    names = ["suite", "profile", "visibility", "axis"]
    groups = grouped(rows, names)
    for table in shown:
        where = f"{part}: growth of {table['profile']} along {table['axis']}"
        slopes = {one["metric"]: one for one in table["slopes"]}
        mine = groups[tuple(table[name] for name in names)]
        found = {name: slope(mine, name) for name in SLOPES}
        yield from unlike(where, slopes, found)


def unlike(where, shown, found):
    """Yield where what is shown is not what was found; of what is shown there may be more."""
    if isinstance(found, dict):
        for name, value in found.items():
            inside = shown.get(name, MISSING) if isinstance(shown, dict) else MISSING
            yield from unlike(f"{where}, {name}", inside, value)
    elif shown is MISSING:
        yield f"{where}: not shown, recomputed {found}"
    elif not same(shown, found):
        yield f"{where}: shown {shown}, recomputed {found}"


def same(shown, found):
    if isinstance(found, Decimal):
        return isinstance(shown, str) and Decimal(shown) == found
    numbers = isinstance(found, float) and isinstance(shown, int | float)
    return isclose(shown, found, rel_tol=1e-9, abs_tol=1e-12) if numbers else shown == found


def of_report(report, rows):
    """Yield where a line of the results or growth tables is not what the rows give."""
    for (profile, suite, visibility, language, tools), mine in grouped(
        [row for trial in trials_of(rows) for row in trial],
        ["profile", "suite", "visibility", "language", "tools"],
    ).items():
        apart = f", **{tools}**" if tools == "without tools" else ""
        title = f"### {profile} · {suite}, {visibility} cases, {language}{apart}\n"
        if title not in report:
            yield f"report: no section {title.strip()}"
            continue
        section = report.split(title, 1)[1].split("\n#", 1)[0]
        section = re.sub(r"⁽[⁰¹²³⁴⁵⁶⁷⁸⁹]+⁾", "", section)  # the marks of notes
        for case, same_case in grouped(mine, ["case"]).items():
            several = len({row["round"] for row in same_case}) > 1
            for growth, name in sorted({(row["growth"], row["round"]) for row in same_case}):
                step = f"{case[0]} {name}" if several else case[0]
                found = round_of(same_case, name, growth, MONEY + TIME)
                where = f"report: {profile} on {step}"
                lines = [rates_line(step, growth, found, several), *spent(step, found)]
                if found["points"] is not None:
                    lines.append(points_line(step, found["points"]))
                for expected in lines:
                    if expected not in section:
                        yield f"{where}: no line {expected}"


MONEY = ["cost_usd", "input_tokens", "output_tokens"]
TIME = ["total_s", "first_commit_s", "cad_s", "host_peak_bytes"]


def rates_line(step, growth, found, several):
    rates = [found["headline"]["attempted"], found["headline"]["valid"]]
    rates += [found["reached"]["attempted"], found["reached"]["valid"]] if several else []
    c, n = rates[0]["passed"], rates[0]["n"]
    hat = f"{comb(c, 3) / comb(n, 3):.2f}" if n >= 3 else "n < 3"
    first = found["first_try"]
    cells = [step, f"{growth:g}", *map(share, rates), "—" if first["low"] is None else share(first)]
    return "| " + " | ".join([*cells, hat]) + " |"


def points_line(step, found):
    """The first cells of a line of points, up to what was lost."""
    of = "" if found["out_of"] is None else f"/{found['out_of']}"
    figures = (found[name] for name in ("median", "least", "most"))
    told = ["—" if value is None else f"{value:g}{of}" for value in figures]
    return "| " + " | ".join([step, str(found["n"]), *told]) + " |"


def share(rate):
    counts = f"{rate['passed']}/{rate['n']}"
    if rate["low"] is None:
        return counts
    return f"{counts} ({100 * rate['low']:.0f}–{100 * rate['high']:.0f}\u00a0%)"


def spent(step, found):
    for names in (MONEY, TIME):
        cells = [step]
        for name in names:
            one = found["metrics"][name]
            if one["median"] is None:
                cells += ["—", "—"]
                continue
            shown = [
                text(one[key], name) for key in ("median", "low", "high") if one[key] is not None
            ]
            wide = len(shown) == 3 and one["low"] != one["high"]
            cells.append(f"{shown[0]} [{shown[1]}–{shown[2]}]" if wide else shown[0])
            cells.append(text(one["maximum"], name))
        yield "| " + " | ".join(cells) + " |"


def text(value, name):
    if name == "cost_usd":
        return f"{value:.4f}"
    if name.endswith("_s"):
        return f"{value:,.2f}"
    return f"{value / 2**20:,.1f}" if name.endswith("_bytes") else f"{float(value):,.0f}"


if __name__ == "__main__":
    found = differences(*map(Path, sys.argv[1:3]))
    print("\n".join(found) or "every figure comes out of the rows")
    sys.exit(bool(found))
