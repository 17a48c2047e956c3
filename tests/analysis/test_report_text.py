"""The report: what stands where, and that hostile text stays text."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_rows import MODEL, make_plan, scale_case
from made_runs import full_run, one_cell, sequences, wiring_run
from markdown_it import MarkdownIt

from gaugeblock.analysis import render_report, summary
from gaugeblock.analysis.formats import deviation, exact, quantity
from gaugeblock.analysis.markdown import clean, code, escape, table
from gaugeblock.records.evidence import Amendment
from gaugeblock.records.host_description import HostDescription

HOSTILE = [
    "a | b | c",
    "line\nbreak\r\nand\u2028more",
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "`code` ``more`` ```",
    "\x1b[31mred\x1b[0m \x00\x07\x9b",
    "[link](javascript:alert(1)) ![img](http://x.example/a.png)",
    "http://x.example www.x.example me@x.example @someone",
    "**bold** _it_ ~~gone~~ \\| \\",
    "# title",
    "- item",
    "1. item",
    "| --- |",
    "&lt;b&gt; &#60;b&#62; &amp;",
    "\u202ereversed\u202c \ufeff\u200b",
    "$x$ <!-- gone -->",
    "x" * 5_000,
    "",
    " ",
]
MARKDOWN = MarkdownIt("gfm-like", {"html": True, "linkify": False})


def render(run, **changes):
    values = {"closed": True, "amendments": (), "errata": (), **changes}
    return render_report(run.plan, run.rows, run.grades, **values)


def section(text, title):
    return text.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]


def shape(markdown):
    """The tags of the rendered text, without its words."""
    return [tag for tag in re.findall(r"<[^>]*>", MARKDOWN.render(markdown)) if "code" not in tag]


@pytest.mark.parametrize("write", [escape, code])
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_in_its_cell(write, text):
    lines = table(["a", "b"], [[write(text), "end"]])
    plain = table(["a", "b"], [["word", "end"]])
    assert len(lines) == len(plain)
    assert shape("\n".join(lines)) == shape("\n".join(plain))
    assert shape(f"- {write(text)}") in (shape("- word"), shape("- "))


@settings(deadline=None)
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=60))
def test_any_text_stays_in_its_cell(text):
    for write in (escape, code):
        cell = write(text)
        assert "\n" not in cell and "<" not in cell
        assert shape("\n".join(table(["a"], [[cell]]))) == shape("\n".join(table(["a"], [["w"]])))


@settings(deadline=None)
@given(st.text(alphabet="ab|`*_[]()<>&#!\\~$@:/.-+= 1", max_size=40))
def test_punctuation_renders_as_itself(text):
    html = MARKDOWN.renderInline(escape(text))
    shown = re.sub(r"<[^>]*>", "", html)
    for entity, char in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
        shown = shown.replace(entity, char)
    assert shown.strip() == clean(text)


@pytest.mark.parametrize("text", ["http://x.example/a", "see www.x.example", "me@x.example"])
def test_no_link_is_made_of_text(text):
    assert "://" not in escape(text) and "www." not in escape(text) and "@" not in escape(text)


@pytest.mark.parametrize(
    "path",
    ["/" + "home/zoe/run/x", "/" + "root/a", "/srv/data/x.step", "C:\\Users\\zoe\\x", "~/x/y"],
)
def test_machine_paths_are_hidden(path):
    assert "zoe" not in clean(f"cannot read {path}: denied")
    assert "[path]" in clean(f"cannot read {path}: denied")


@pytest.mark.parametrize("text", ["90/31", "mm/s", "1/2/3", "passed 3/5", "h/6*(A1 + 4*Am + A2)"])
def test_fractions_are_no_paths(text):
    assert clean(text) == text


def test_a_hostile_row_cannot_break_the_report():
    run = one_cell(["failed"])
    good = shape(render(run))
    key = next(iter(run.grades))
    bad = "x|y\n\n# <b>`z\x1b[0m"
    grade = run.grades[key]
    checks = tuple(c.model_copy(update={"name": bad, "finding": bad}) for c in grade.checks[:1])
    run.grades[key] = grade.model_copy(update={"checks": (*checks, *grade.checks[1:])})
    run.rows[0] = run.rows[0].model_copy(update={"reason": bad, "failed_checks": (bad,)})
    assert shape(render(run)) == good


def test_scripted_rows_are_never_results():
    text = render(wiring_run())
    assert section(text, "Results").strip() == "No model was measured in this run."
    run = full_run()
    results = section(render(run), "Results")
    assert "model-a" in results and "model-b" in results
    for name in ("reference", "null", "mutant"):
        assert name not in results
    data = summary(run.plan, run.rows)
    assert {cell["profile"] for cell in data["results"]["cells"]} == {"model-a", "model-b"}
    assert "model-a" not in str(data["wiring"])


def test_wiring_says_when_a_mutant_survived():
    run = wiring_run()
    tally = section(render(run), "Wiring proof")
    assert "- mutants: 20 of 20 rounds as they must\n" in tally
    place = next(i for i, row in enumerate(run.rows) if row.agent.startswith("mutant"))
    row = run.rows[place]
    run.rows[place] = row.model_copy(update={"outcome": "passed", "failed_checks": ()})
    assert "mutants: 19 of 20 rounds as they must: **1 did not" in render(run)


def test_a_mutant_caught_by_another_check_is_not_as_it_must():
    run = wiring_run()
    place = next(i for i, row in enumerate(run.rows) if row.agent.startswith("mutant"))
    run.rows[place] = run.rows[place].model_copy(update={"failed_checks": ("bounds",)})
    assert "the wiring is not proven" in render(run)


@pytest.mark.parametrize("end", ["error:host", "failed", "not-run", "could-not-grade"])
def test_wiring_says_when_the_reference_did_not_pass(end):
    run = wiring_run()
    place = next(i for i, row in enumerate(run.rows) if row.agent == "reference")
    run.rows[place] = run.rows[place].model_copy(update={"outcome": end, "attempted": False})
    assert "the wiring is not proven" in render(run)


def test_figures_stand_beside_their_formulas():
    text = section(render(wiring_run()), "Figures beside their formulas")
    assert "`120*80*40 - 116*76*38 - N*pi*3**2*2`" in text
    assert "| 48,313.41599 | 48,313.41599 | 3.0e-13 | 1.0e-06 | pass |" in text
    assert "mutant" not in text


def test_the_worst_repetition_is_shown():
    run = one_cell(["passed", "failed", "passed"])
    text = section(render(run), "Figures beside their formulas")
    assert "fail (2/3 pass)" in text


def test_weaker_criterion_stands_apart():
    text = section(render(full_run()), "Weaker criteria of the source, apart")
    assert "S4" in text and "source: valid, 1 solid, bounds" in text


def test_state_and_labels():
    run = wiring_run()
    assert "| State | closed |" in render(run)
    assert "**not closed**" in render(run, closed=False)
    gone = Amendment(
        number=1, kind="invalidation", reason="wrong |start", at="2026", previous_sha256="0"
    )
    text = render(run, amendments=[gone])
    assert "**INVALIDATED.** wrong &#124;start" in text
    assert "self-attested" in text
    assert run.plan.commitment() in text


def test_unsealed_and_unsafe_runs_are_labelled():
    plan = make_plan((MODEL,), (scale_case("S1", 12),), 1, unsafe=True, dirty=True)
    run = one_cell(["passed"])
    run.plan = plan
    text = render(run)
    assert "**unsealed**; a missing sandbox was accepted" in text
    assert "Unsealed run: not for headline tables" in text
    assert "with uncommitted changes" in text
    assert "The run is unsealed" in section(text, "What these figures cannot say")


@pytest.mark.parametrize(
    ("host", "told"),
    [
        ({"source": "own"}, "tools shown: 3 (program) |"),
        ({"source": "checkout"}, "from another checkout, of unknown commit |"),
        (
            {"source": "checkout", "commit": "a4c76bdc", "dirty": True},
            "another checkout, commit `a4c76bdc` **with uncommitted changes** |",
        ),
    ],
)
def test_a_host_of_another_checkout_is_named(host, told):
    run = one_cell(["passed"])
    controls = run.plan.host.model_copy(update=host)
    run.plan = run.plan.model_copy(update={"host": controls})
    text = render(run)
    line = next(line for line in text.splitlines() if line.startswith("| Host |"))
    assert told in line


def test_not_run_and_errors_are_listed_with_their_reasons():
    run = sequences([["passed"] * 3 + ["failed"], ["error:provider"], []])
    text = render(run)
    assert "host lacks threads" in section(text, "Not run")
    assert "k5, k6" in section(text, "Not run")
    assert "| provider | model-a |" in section(text, "Errors by layer")


def test_errata_and_regrades_are_shown():
    grades = {"grades": [{"trial": "0001.S1", "round": "create", "outcome": "failed"}]}
    regrade = Amendment(
        number=1, kind="regrade", reason="ruler 2", at="2026", previous_sha256="0", content=grades
    )
    errata = ["S3 is ill-posed", {"source": "growth", "text": "T5 has two readings"}]
    text = section(
        render(wiring_run(), amendments=[regrade], errata=errata), "Corrections and errata"
    )
    assert "0001.S1 create → failed" in text
    assert "Erratum: S3 is ill-posed" in text
    assert "source: growth; text: T5 has two readings" in text


def test_every_unknown_has_its_note():
    text = section(render(one_cell(["passed", "interrupted", "passed"])), "Results")
    assert "—⁽¹⁾" in text
    assert re.search(r"- ⁽¹⁾ unknown in 1 of 3 rows: interrupted: killed", text)


def test_every_report_ends_with_its_limits():
    for run in (wiring_run(), one_cell(["passed"]), one_cell(["not-run"])):
        text = render(run)
        assert text.rsplit("\n## ", 1)[1].startswith("What these figures cannot say")
        assert "training data" in text


def test_figures_for_people():
    assert quantity(1_234.567, "s") == "1,234.57"
    assert quantity(300 << 20, "bytes") == "300.0"
    assert exact(48_313.415991) == "48,313.41599"
    assert exact(-0.0) == "0"
    assert deviation(3e-13) == "3.0e-13"


def test_a_server_that_takes_our_name_is_not_taken_for_our_host():
    run = full_run()
    assert "another CAD server than ours" not in render(run)
    entry = {
        "id": "mycad",
        "label": "My CAD",
        "command": ["cad"],
        "capabilities": ["step"],
        "export": {"tool": "export"},
    }
    update = {"source": "described", "description": HostDescription.build(entry, "test")}
    run.plan = run.plan.model_copy(update={"host": run.plan.host.model_copy(update=update)})
    (line,) = [line for line in render(run).splitlines() if line.startswith("| Host |")]
    assert "another CAD server than ours, described as `mycad`" in line
