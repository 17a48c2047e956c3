"""`--budget-usd`: an amount in digits, and nothing that would have to be written out first."""

import pytest
from typer.testing import CliRunner

from gaugeblock.cli import app
from gaugeblock.cli.running import money
from gaugeblock.records.errors import WrongUse


@pytest.mark.parametrize(
    "text",
    [
        "1e9999999999",
        "1e3",
        "1_0",
        "٢",
        " 2.5 ",
        "+2.5",
        "-1",
        "0",
        "0.00",
        "2.",
        ".5",
        "nan",
        "inf",
        "",
        "9" * 13,
        "9" * 100_000,
    ],
)
def test_what_is_no_amount_is_refused_before_anything(tmp_path, monkeypatch, text):
    monkeypatch.chdir(tmp_path)
    words = ["plan", "growth/S1", "--profile", "null", f"--budget-usd={text}"]
    error = CliRunner().invoke(app, words).exception
    assert isinstance(error, WrongUse)
    assert str(error).startswith("--budget-usd") and len(str(error)) < 150


@pytest.mark.parametrize("text", ["2.50", "5", "999999999999", "0.000001"])
def test_an_amount_is_kept_as_it_is(text):
    assert money(text) == text
