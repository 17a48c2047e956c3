"""How long a report on 100,000 rows takes, beside the mere reading of these rows.

Run it on an idle machine: ``.venv/bin/python benchmarks/report_rows.py``. Synthetic rows of 100
models on the four scale cases and the six rounds of the depth case of suite growth, written as a
run's ``results.jsonl``. Each measurement is a process of its own, so that its peak memory is that
of the report alone. The peer is a process that reads and validates the same file and throws every
row away. The plan names no trial (reports look trials up only for scripted agents), and nothing
is graded: grades are read from a run's folder one by one, which is not measured here.
"""

from __future__ import annotations

import importlib
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from gaugeblock.analysis import render_report, summary
from gaugeblock.analysis.cells import cells
from gaugeblock.records.plan import Plan
from gaugeblock.records.row import Row

importlib.import_module("scipy.stats")  # so that its import is no part of the times

TESTS = Path(__file__).parent.parent / "tests" / "analysis"
"""Its made rows are the templates: what a run of growth leaves."""

MODELS = 100
ROUNDS = {"S1": 1, "S2": 1, "S3′": 1, "S4": 1, "depth": 6}
SIZES = (10_000, 100_000)
MOST_S = 5.0
"""A report on 100,000 rows, s, reading left out."""


def write_rows(folder: Path, count: int) -> None:
    """Write ``plan.json`` and ``results.jsonl`` of so many rows."""
    sys.path.insert(0, str(TESTS))
    from made_rows import MODEL, SCALE, MadeRun, depth_case, make_plan, scale_case

    cases = (*(scale_case(name, n) for name, n in SCALE.items()), depth_case())
    made = MadeRun(make_plan((MODEL,), cases, 1))
    for trial in made.plan.trials:
        made.add(trial, ["passed"] * ROUNDS[trial.case_id])
    profiles = [
        MODEL.model_copy(update={"id": f"model-{number:03d}", "model": f"m-{number}"})
        for number in range(MODELS)
    ]
    plan = made.plan.model_copy(update={"profiles": tuple(profiles), "trials": ()})
    (folder / "plan.json").write_bytes(plan.pretty())
    chance = random.Random(1)
    repetitions = count // (MODELS * len(made.rows))
    templates = [row.model_dump(mode="json") for row in made.rows]
    with (folder / "results.jsonl").open("w", encoding="utf-8") as file:
        for repetition in range(1, repetitions + 1):
            for profile in profiles:
                for template in templates:
                    row = {
                        **template,
                        "trial": f"{repetition:04d}.{profile.id}.{template['case']}",
                        "repetition": repetition,
                        "profile": profile.id,
                        "model": profile.model,
                        **figures(chance),
                    }
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")


def figures(chance: random.Random) -> dict[str, object]:
    """Return what differs from trial to trial."""
    passed = chance.random() < 0.8
    return {
        "outcome": "passed" if passed else "failed",
        "final": passed,
        "reason": "" if passed else "volume is not as asked",
        "first_try": chance.random() < 0.7,
        "tool_calls": chance.randint(3, 20),
        "input_uncached": chance.randint(9_000, 30_000),
        "output": chance.randint(900, 4_000),
        "cost_usd": f"{chance.randint(200, 90_000) / 1_000_000:.6f}",
        "provider_s": chance.lognormvariate(3, 0.5),
        "total_s": chance.lognormvariate(3.5, 0.5),
        "first_commit_s": chance.lognormvariate(3, 0.5),
        "cad_preview_s": chance.lognormvariate(0, 0.5),
        "cad_commit_s": chance.lognormvariate(0, 0.5),
        "host_peak_bytes": chance.randint(280 << 20, 340 << 20),
    }


def rows_of(folder: Path) -> Iterator[Row]:
    """Yield the rows of a file, one at a time."""
    with (folder / "results.jsonl").open("rb") as file:
        yield from map(Row.model_validate_json, file)


def measure(folder: Path, what: str) -> dict[str, float]:
    """Read the rows, and report on them if asked; return seconds and the peak memory, MiB."""
    plan = Plan.load((folder / "plan.json").read_bytes(), "plan.json")
    begun = time.process_time()
    if what == "read":
        for _ in rows_of(folder):
            pass
    else:
        together = cells(rows_of(folder))
        data = summary(plan, together)
        text = render_report(plan, together, {}, closed=True)
        assert len(data["results"]["cells"]) == MODELS * len(ROUNDS)
        assert text.count("### model-") == MODELS
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"s": time.process_time() - begun, "mib": peak}


def child(folder: Path, what: str) -> dict[str, float]:
    """Return the measurement of a fresh process."""
    command = [sys.executable, __file__, what, str(folder)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found: dict[str, float] = json.loads(answer)
    return found


def main() -> None:
    """Measure and print one line a size."""
    if len(sys.argv) == 3:
        print(json.dumps(measure(Path(sys.argv[2]), sys.argv[1])))
        return
    peaks = []
    for size in SIZES:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_rows(folder, size)
            read, whole = child(folder, "read"), child(folder, "report")
        report = whole["s"] - read["s"]
        peaks.append(whole["mib"])
        told = f" (asked ≤ {MOST_S:g} s)" if size == SIZES[-1] else ""
        print(
            f"{size:,} rows: report {report:.2f} s of processor time{told}, reading alone "
            f"{read['s']:.2f} s, ratio {report / read['s']:.2f}; peak memory {whole['mib']:.0f} "
            f"MiB, reading alone {read['mib']:.0f} MiB"
        )
    print(f"peak memory of {SIZES[-1]:,} rows over {SIZES[0]:,}: {peaks[-1] / peaks[0]:.2f}")


if __name__ == "__main__":
    main()
