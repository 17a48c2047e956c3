"""JSON answers: the same values, and nothing that a terminal obeys."""

import io
import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaugeblock.cli.console import print_json

JSON = st.recursive(
    st.none() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def printed(value, encoding="utf-8"):
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    kept, sys.stdout = sys.stdout, stream
    try:
        print_json(value)
    finally:
        sys.stdout = kept
    stream.flush()
    return stream.buffer.getvalue().decode(encoding)


@pytest.mark.parametrize(
    ("sign", "spelled"),
    [
        ("\u202e", r"\u202e"),  # writes from right to left
        ("\x9b", r"\u009b"),  # begins a control sequence
        ("\x7f", r"\u007f"),
        ("\x1b", r"\u001b"),
        ("\u2066", r"\u2066"),
        ("\U000e0041", r"\udb40\udc41"),  # an invisible tag
    ],
)
def test_what_a_terminal_would_obey_is_escaped(sign, spelled):
    name = f"a{sign}b.step"
    text = printed({name: name})
    assert text.count(spelled) == 2
    assert sign not in text
    assert json.loads(text) == {name: name}


def test_what_can_be_read_stays():
    assert '"Ø 12 × µ 漢字 𝛼"' in printed(["Ø 12 × µ 漢字 𝛼"])
    assert r"\u00d8" in printed(["Ø"], "ascii")


@given(JSON)
def test_every_answer_is_printable_and_the_same(value):
    text = printed(value)
    assert all(line.isprintable() for line in text.split("\n"))
    assert json.loads(text) == value
