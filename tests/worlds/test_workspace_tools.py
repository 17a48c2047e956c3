"""The workspace's tools: pages, searches, writes, edits, their bounds, what they say as data."""

import hashlib
import json

import pytest

from gaugeblock.worlds.workspace import TOOLS, Root, announced, expressions, folders
from gaugeblock.worlds.workspace.operations import MOST_HITS, MOST_LISTED, PAGE_SIGNS
from gaugeblock.worlds.workspace.paths import Refused


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def body(answer):
    return answer.text.partition("\n")[2]


def test_a_page_says_which_lines_it_is_of_how_many(place):
    answer = place.read("/sheets/sheet.txt", 2, 1)
    head, _, shown = answer.text.partition("\n")
    assert shown == "two"
    assert head.startswith("/sheets/sheet.txt: lines 2 to 2 of 3 (go on with offset 3); SHA-256 ")
    whole = sha256("one\ntwo\nthree\n")
    assert head.endswith(whole)
    assert answer.data == {
        "path": "/sheets/sheet.txt",
        "sha256_before": whole,
        "sha256_after": whole,
        "bytes": 14,
        "lines": [2, 2],
        "column": 1,
        "cut_at": None,
        "total_lines": 3,
    }


@pytest.mark.parametrize(
    "text",
    [
        "a\nb\nc",
        "a\nb\nc\n",
        "\n\n\n",
        "one line",
        "line\r\nwith\r\nreturns\r\n",
        "x" * (2 * PAGE_SIGNS + 7) + "\nshort\n" + "ü漢🜚" * PAGE_SIGNS,
        "".join(f"{number}\n" for number in range(5000)),
        "a\u2028b\x0cc\x1ed\n",  # line ends to some, and none to us
    ],
)
def test_page_by_page_all_of_a_file_is_read(place, text):
    (place.readable / "any.txt").write_bytes(text.encode())
    offset, column, lines, partial, seen = 1, 1, [], "", set()
    while True:
        answer = place.read("/sheets/any.txt", offset, 2000, column)
        shown, data = body(answer), answer.data
        assert len(shown) <= PAGE_SIGNS
        first, last = data["lines"]
        assert (first, column) not in seen
        seen.add((first, column))
        if data["cut_at"] is not None:
            partial, column = partial + shown, data["cut_at"] + 1
            continue
        page = shown.split("\n")
        page[0], partial, column = partial + page[0], "", 1
        lines += page
        assert len(lines) == last
        if last == data["total_lines"]:
            break
        offset = last + 1
    assert "\n".join(lines) == text.removesuffix("\n")


def test_an_empty_file_is_told_as_such(place):
    (place.readable / "none.txt").write_bytes(b"")
    answer = place.read("/sheets/none.txt")
    assert answer.text.startswith("/sheets/none.txt: empty; SHA-256 ")
    assert (answer.data["lines"], answer.data["total_lines"]) == ([], 0)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x89PNG\r\n\x1a\n", "a PNG picture of 8 bytes"),
        (b"%PDF-1.7\x00\xff", "a PDF document of 10 bytes"),
        (b"text\x00text", "no UTF-8 text of 9 bytes"),
        (b"caf\xe9", "no UTF-8 text of 4 bytes"),
    ],
)
def test_what_is_no_text_is_refused_with_its_kind_and_size(place, content, said):
    (place.own / "odd").write_bytes(content)
    with pytest.raises(Refused, match=said) as met:
        place.read("/own/odd")
    assert met.value.code == "binary"
    assert place.refusal("edit_file", "/own/odd", "text", "x") == "binary"
    assert (place.own / "odd").read_bytes() == content


def test_a_write_says_what_was_there_before_and_is_there_after(place):
    first = place.call("write_file", "/own/new/deep/a.txt", "eins\n")
    again = place.call("write_file", "/own/new/deep/a.txt", "zwei\n")
    same = place.call("write_file", "/own/new/deep/a.txt", "zwei\n")
    hashes = [(a.data["sha256_before"], a.data["sha256_after"]) for a in (first, again, same)]
    one, two = sha256("eins\n"), sha256("zwei\n")
    assert hashes == [(None, one), (one, two), (two, two)]
    assert "nothing changed" in same.text and "nothing changed" not in again.text
    assert (place.own / "new" / "deep" / "a.txt").read_text() == "zwei\n"
    assert sorted(path.name for path in place.own.rglob("*")) == [
        "a.txt",
        "deep",
        "mine.txt",
        "new",
    ]


def test_an_edit_replaces_what_stands_there_exactly_once(place):
    place.call("write_file", "/own/a.txt", "aaa b c b\n")
    assert place.refusal("edit_file", "/own/a.txt", "b", "x") == "not-unique"
    assert place.refusal("edit_file", "/own/a.txt", "aa", "x") == "not-unique"  # they overlap
    assert place.refusal("edit_file", "/own/a.txt", "d", "x") == "no-match"
    assert place.refusal("edit_file", "/own/a.txt", "", "x") == "arguments"
    assert place.refusal("edit_file", "/own/none.txt", "a", "x") == "not-found"
    assert (place.own / "a.txt").read_text() == "aaa b c b\n"
    place.call("edit_file", "/own/a.txt", "b c b", r"\1 $1")
    assert (place.own / "a.txt").read_text() == "aaa \\1 $1\n"


def test_what_is_only_read_stays_as_it_is(place):
    for tool, rest in (("write_file", ("x",)), ("edit_file", ("one", "x"))):
        assert place.refusal(tool, "/sheets/sheet.txt", *rest) == "read-only"
    assert place.refusal("write_file", "/sheets/new.txt", "x") == "read-only"
    assert place.refusal("write_file", "/sheets", "x") == "read-only"
    assert sorted(path.name for path in place.readable.rglob("*")) == [
        "deep",
        "note.txt",
        "sheet.txt",
    ]


def test_a_search_tells_path_line_and_text(place):
    found = place.call("search_files", "t", "/", False)
    assert found.text.splitlines() == [
        "/sheets/deep/note.txt:1: a note",
        "/sheets/sheet.txt:2: two",
        "/sheets/sheet.txt:3: three",
    ]
    assert place.call("search_files", "^t.o$", "/sheets", True).data["hits"] == 1
    assert place.call("search_files", "^t.o$", "/sheets", False).text == "(no line)"
    (place.own / "picture").write_bytes(b"\x89PNG\xff")
    partly = place.call("search_files", "mine", "/own", False)
    assert partly.data["unread"] == 1 and "1 files are no text" in partly.text


def test_a_search_is_bounded_in_hits_and_in_what_it_shows_of_a_line(place):
    (place.own / "many.txt").write_text("hit\n" * (MOST_HITS + 5))
    many = place.call("search_files", "hit", "/own", False)
    assert (many.data["hits"], many.data["complete"]) == (MOST_HITS, False)
    assert len(many.text.splitlines()) == MOST_HITS + 1
    (place.own / "many.txt").write_text("-" * 50_000 + "needle" + "-" * 50_000)
    (line,) = place.call("search_files", "needle", "/own", False).text.splitlines()
    assert "needle" in line and len(line) < 400
    assert "(from column 49,941 of 100,006)" in line  # 60 signs before the hit


def test_an_expression_that_never_ends_is_stopped(place, monkeypatch):
    monkeypatch.setattr(expressions, "SEARCH_S", 0.2)
    (place.own / "trap.txt").write_text("a" * 5000 + "!\n")
    assert place.refusal("search_files", "(a+)+$", "/own", True) == "timeout"
    found = place.call("search_files", "a!", "/own", False)  # the clock is off again
    assert found.data["hits"] == 1


@pytest.mark.parametrize(
    ("pattern", "code"), [("(", "expression"), ("", "arguments"), ("a" * 201, "arguments")]
)
def test_a_pattern_that_is_none_is_refused(place, pattern, code):
    assert place.refusal("search_files", pattern, "/", True) == code


def test_a_root_takes_so_many_files_and_bytes(place, monkeypatch):
    monkeypatch.setattr(folders, "MOST_FILES", 4)
    place.call("write_file", "/own/a/b.txt", "x")  # with mine.txt three
    assert place.refusal("write_file", "/own/c/d.txt", "x") == "limit"
    place.call("write_file", "/own/e.txt", "x")
    assert place.refusal("write_file", "/own/f.txt", "x") == "limit"
    monkeypatch.setattr(folders, "MOST_FILES", 100)
    monkeypatch.setattr(folders, "MOST_BYTES", 20)
    assert place.refusal("write_file", "/own/g.txt", "x" * 20) == "limit"
    place.call("write_file", "/own/e.txt", "x" * 10)
    assert not (place.own / "g.txt").exists() and not (place.own / "c").exists()


def test_a_file_too_large_is_neither_read_nor_written(place, monkeypatch):
    monkeypatch.setattr(folders, "LARGEST_FILE_BYTES", 13)
    assert place.refusal("read_file", "/sheets/sheet.txt", 1, 1, 1) == "limit"
    monkeypatch.setattr("gaugeblock.worlds.workspace.operations.LARGEST_WRITE_BYTES", 3)
    assert place.refusal("write_file", "/own/a.txt", "ä€") == "limit"
    place.call("write_file", "/own/a.txt", "äx")


def test_a_name_that_differs_only_by_case_is_not_made(place):
    assert place.refusal("write_file", "/own/MINE.txt", "x") == "path"
    place.call("write_file", "/own/deep/a.txt", "x")
    assert place.refusal("write_file", "/own/Deep/b.txt", "x") == "path"


def test_a_listing_is_bounded_and_says_so(place, monkeypatch):
    assert place.call("list_files", "/").text.splitlines() == [
        "/sheets (read)",
        "/sheets/deep/",
        "/sheets/deep/note.txt  7 bytes",
        "/sheets/sheet.txt  14 bytes",
        "/own (read and write)",
        "/own/mine.txt  5 bytes",
    ]
    for number in range(MOST_LISTED):
        (place.own / f"{number:04d}.txt").touch()
    long = place.call("list_files", "/own/")
    assert (long.data["entries"], long.data["complete"]) == (MOST_LISTED + 1, False)
    assert long.text.splitlines()[-1] == "(1 more: list a folder of them)"
    monkeypatch.setattr(folders, "MOST_WALKED", 100)
    assert place.refusal("list_files", "/own") == "limit"


def test_every_tool_names_all_roots_with_their_modes(tmp_path):
    tools = announced((Root("sheets", tmp_path, False), Root("own", tmp_path, True)))
    assert [tool.name for tool in tools] == [tool.name for tool in TOOLS]
    for tool in tools:
        assert tool.description.endswith("Roots: /sheets (read), /own (read and write).")
        assert tool.schema["additionalProperties"] is False
        assert str(tmp_path) not in json.dumps(tool.wire())
    with pytest.raises(ValueError, match="lower case"):
        Root("../own", tmp_path, True)
