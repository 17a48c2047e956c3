"""The rulebook that agents are shown: without its evidence, and frozen."""

import json

import pytest

from gaugeblock.records.drawing_case import DrawingCaseFile
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.spectrum import SheetDimension
from gaugeblock.suites.case_files import read_toml
from gaugeblock.suites.drawings import rulebook
from gaugeblock.suites.drawings.rulebook import Known, edition_of, leaks

FOLDERS = sorted((rulebook.FOLDER / "cases").glob("*/dimensions.json"))


def known(folder):
    names = [field.alias or name for name, field in DrawingCaseFile.model_fields.items()]
    file = DrawingCaseFile.build(read_toml(folder / "case.toml", names), folder.name)
    entries = json.loads((folder / "dimensions.json").read_text(encoding="utf-8"))
    return Known(file, tuple(SheetDimension.model_validate(item) for item in entries))


CASES = [known(path.parent) for path in FOLDERS]
NUMBERS = [number for group in rulebook.seal().numbers.values() for number in group]


def a_case(*values, **changed):
    file = {
        "id": "odd-plate",
        "title": "Odd plate",
        "group": "independent",
        "class": "plate",
        "difficulty": 1,
        "canary": "gaugeblock-canary-00000000-0000-0000-0000-000000000000",
        "parameters": {},
        "sheet": {"number": "GB-999", "material": "C45"},
        **changed,
    }
    sizes = [SheetDimension(label=str(v), type="length", value=v) for v in values]
    return Known(DrawingCaseFile.build(file, "here"), tuple(sizes))


def test_the_frozen_edition_is_what_is_shown():
    """Mended or extended: freeze it anew in rulebook.toml, which makes another protocol."""
    shown = rulebook.shown_rulebook().decode()
    book = (rulebook.FOLDER / rulebook.BOOK).read_text(encoding="utf-8")
    assert shown == edition_of(book) and len(shown) < len(book)
    assert "evidence" not in shown


def test_no_case_is_in_the_edition():
    assert len(CASES) >= 7
    assert leaks(rulebook.shown_rulebook().decode(), CASES, NUMBERS) == []


def test_every_anchoring_case_gave_evidence_and_no_other_did():
    book = (rulebook.FOLDER / rulebook.BOOK).read_text(encoding="utf-8")
    anchoring = {case.file.id for case in CASES if case.file.group == "anchoring"}
    named = {case.file.id for case in CASES if case.file.id in book}
    assert len(anchoring) == 7 and named == anchoring


def test_the_whole_book_does_leak():
    """The negative control: with its evidence it names cases and sizes."""
    book = (rulebook.FOLDER / rulebook.BOOK).read_text(encoding="utf-8")
    found = leaks(book, CASES, NUMBERS)
    assert any("names bearing-block" in line for line in found)
    assert "it holds a size of bearing-block: 106" in found


def test_blocks_go_with_their_lines():
    book = "- Rule.\n  <!-- evidence -->\n  some-part: 17.3\n  <!-- /evidence -->\n- Next.\n"
    assert edition_of(book) == "- Rule.\n- Next.\n"


@pytest.mark.parametrize(
    "book",
    [
        "a <!-- evidence --> b",
        "a <!-- /evidence --> b",
        "<!-- evidence --> a <!-- evidence --> b <!-- /evidence --> c <!-- /evidence -->",
    ],
)
def test_a_mark_without_its_partner_is_refused(book):
    with pytest.raises(WrongUse, match="partner"):
        edition_of(book)


@pytest.mark.parametrize(
    ("edition", "leak"),
    [
        ("A bore 17.3 wide.", True),
        ("A bore 17.30 wide.", True),
        ("A bore of ⌀17.3.", True),
        ("17 and 3 are others.", False),
        ("117.3 is another.", False),
        ("By ISO 17.", False),
        ("As on the odd plate.", True),
        ("See GB-999.", True),
        ("Odd plates are none.", False),
    ],
)
def test_leaks_are_sizes_and_names(edition, leak):
    assert bool(leaks(edition, [a_case(17.3)], [30])) is leak


def test_numbers_of_standards_may_stand():
    assert leaks("60° between the flanks", [a_case(60)], [60]) == []
    assert leaks("60° between the flanks", [a_case(60)], [30]) == [
        "it holds a size of odd-plate: 60"
    ]


def test_deviations_are_sizes_of_a_case_too():
    toleranced = SheetDimension(label="9", type="length", value=9, upper=0.015, lower=0)
    case = Known(a_case().file, (toleranced,))
    assert leaks("off by 0.015", [case], []) == ["it holds a size of odd-plate: 0.015"]


def test_another_rulebook_is_not_shown(tmp_path, monkeypatch):
    for name in (rulebook.BOOK, rulebook.SEAL):
        (tmp_path / name).write_bytes((rulebook.FOLDER / name).read_bytes())
    monkeypatch.setattr(rulebook, "FOLDER", tmp_path)
    assert rulebook.shown_rulebook()
    with (tmp_path / rulebook.BOOK).open("a", encoding="utf-8") as file:
        file.write("- One rule more.\n")
    with pytest.raises(WrongUse, match="not the frozen one"):
        rulebook.shown_rulebook()
