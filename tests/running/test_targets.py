"""What the words of a run name: suites, cases, patterns, folders."""

from pathlib import Path

import pytest

from gaugeblock.records.errors import WrongUse
from gaugeblock.running.targets import find_targets, is_folder


def ids(*words):
    return [case.id for case in find_targets(words)[1]]


def test_suites_cases_and_patterns():
    assert ids("growth/S4", "growth/S1") == ["S4", "S1"]
    assert ids("growth/S*") == ["S1", "S2", "S3p", "S4"]
    assert ids("growth/T[2-4]", "growth/T3") == ["T2", "T3", "T4"]
    assert ids("growth/S?") == ["S1", "S2", "S4"]
    assert len(ids("growth", "growth/S*")) == len(ids("growth"))
    suites, _ = find_targets(["growth/S1", "assembly"])
    assert list(suites) == ["growth", "assembly"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "name a suite"),
        (("grwth",), "did you mean growth"),
        (("growth/S9",), "no case `S9`"),
        (("growth/X*",), "growth/X\\*: fits none of S1, S2"),
        (("own/my-part",), "name the case's own folder"),
        (("./nowhere",), "no such folder"),
    ],
)
def test_what_names_nothing_is_told_in_one_line(words, said):
    with pytest.raises(WrongUse, match=said) as told:
        find_targets(words)
    assert "\n" not in str(told.value)


def test_a_folder_is_named_by_its_path_and_a_suite_comes_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("growth", "part"):
        Path(name).mkdir()
    assert not is_folder("growth")
    assert not is_folder("growth/S1")
    assert is_folder("./growth")
    assert is_folder("part")
    assert not is_folder("nowhere")
    with pytest.raises(WrongUse, match=r"no case\.toml here"):
        find_targets(["part"])
