"""The one program in an answer: which fenced block it is, and when there is none."""

import pytest

from gaugeblock.running.answers import NoProgram, only_program

PROGRAM = "a = Box(1, 2, 3)\n\nresult = {'base': a}"


@pytest.mark.parametrize(
    "answer",
    [
        f"```python\n{PROGRAM}\n```",
        f"Here it is.\n\n```py\n{PROGRAM}\n```\nThat `inline` code is no block.",
        f"```\n{PROGRAM}\n```",
        f"~~~python\n{PROGRAM}\n~~~",
        f"````\n{PROGRAM}\n````  ",
        f"  ```python\n{PROGRAM}\n   ```",
        f"```python\r\n{PROGRAM}\r\n```\r\n".replace("\n\n", "\r\n\r\n"),
    ],
)
def test_the_one_fenced_block_is_the_program(answer):
    assert only_program(answer).replace("\r", "") == PROGRAM


def test_a_fence_inside_a_longer_one_is_part_of_the_program():
    text = '"""\n```\n"""'
    assert only_program(f"````\n{text}\n````") == text
    assert only_program("~~~\nx = 1\n```\n~~~") == "x = 1\n```"


def test_three_backticks_within_a_line_open_nothing():
    assert only_program("Use ```x``` so:\n```\ny\n```") == "y"
    assert only_program("```x``` is inline\n```\ny\n```") == "y"


def test_an_indented_program_keeps_its_indentation():
    assert only_program("```\nif 1:\n    result = 2\n```") == "if 1:\n    result = 2"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("", "no fenced block"),
        (PROGRAM, "no fenced block"),
        ("```x```", "no fenced block"),
        (f"```\n{PROGRAM}\n```\nor\n```\n{PROGRAM}\n```", "2 fenced blocks"),
        (f"```\n{PROGRAM}\n```\n```text\nNote.\n```", "2 fenced blocks"),
        (f"```python\n{PROGRAM}", "never closed"),
        (f"````\n{PROGRAM}\n```", "never closed"),
        (f"```\n{PROGRAM}\n~~~", "never closed"),
        (f"```\n{PROGRAM}\n``` python", "never closed"),
    ],
)
def test_anything_but_one_whole_block_is_no_program(answer, why):
    with pytest.raises(NoProgram, match=why):
        only_program(answer)
