"""The relay: messages pass as they are, everything else is bounded, and both ends end together."""

import json
import os
import subprocess
import sys
import time

import psutil
import pytest

from gaugeblock.sandbox import relay
from gaugeblock.sandbox.relay import DEEPEST, Words, is_message, too_deep, usage

START = "from gaugeblock.sandbox import relay; {}; relay.main()"


def relayed(tmp_path, code, *, setting="pass", said=b""):
    """Run a program behind the relay; return exit status, its stdout and the file of last words."""
    work = tmp_path / "work"
    work.mkdir(exist_ok=True)
    plan = {"args": [sys.executable, "-c", code], "env": {}, "work": str(work)}
    with (tmp_path / "words").open("w+b") as words:
        done = subprocess.run(
            [sys.executable, "-c", START.format(setting), json.dumps(plan)],
            input=said,
            stdout=subprocess.PIPE,
            stderr=words,
            timeout=60,
            check=False,
        )
        words.seek(0)
        return done.returncode, done.stdout, words.read()


def test_messages_pass_unchanged_both_ways(tmp_path):
    lines = b'{"jsonrpc":"2.0","method":"m"}\n{"jsonrpc": "2.0", "method": "\xc3\xa4"}\n'
    echo = "import sys\nfor line in sys.stdin.buffer: sys.stdout.buffer.write(line)"
    status, out, _ = relayed(tmp_path, echo, said=lines)
    assert (status, out) == (0, lines)


def test_what_is_no_message_is_told_apart(tmp_path):
    said = ["hello", '{"jsonrpc":"2.0","method":"m"}', "{}", "[1]", "{"]
    status, out, words = relayed(tmp_path, f"for line in {said}: print(line)")
    assert (status, out) == (0, b'{"jsonrpc":"2.0","method":"m"}\n')
    assert words.count(b"no JSON-RPC: ") == 4 and b"no JSON-RPC: hello" in words


@pytest.mark.parametrize(
    ("code", "setting", "told"),
    [
        (
            "print('x' * 5000)",
            "relay.LARGEST_MESSAGE_BYTES = 4000",
            b"more than 4,000 bytes at once",
        ),
        (
            "import sys\nwhile True: sys.stdout.write('x' * 999)",
            "relay.LARGEST_MESSAGE_BYTES = 4000",
            b"more than 4,000 bytes at once",
        ),
        ("while True: print('x')", "relay.STRAY_LINES = 50", b"51 lines that are no JSON-RPC"),
        (
            'while True: print(\'{"jsonrpc":"2.0","method":"m"}\')',
            "relay.ALL_BYTES = 100_000",
            b"said more than 100,000 bytes",
        ),
    ],
)
def test_a_flood_ends_the_program(tmp_path, code, setting, told):
    status, out, words = relayed(tmp_path, code, setting=setting)
    assert status == 1 and told in words and len(out) <= 200_000


def test_a_folder_that_grows_ends_the_program(tmp_path):
    many = f"import os\nos.chdir({str(tmp_path / 'work')!r})\n"
    many += (
        "for n in range(60): open(f'{n}', 'w').write('x')\nimport time\nwhile True: time.sleep(9)"
    )
    status, _, words = relayed(tmp_path, many, setting="relay.WORK_FILES, relay.LOOK_S = 50, 0.05")
    assert status == 1 and b"or 50 files" in words


def test_last_words_stay_short_and_are_the_last(tmp_path):
    code = "import sys\nfor n in range(100_000): sys.stderr.write(f'line {n}\\n')"
    _, _, words = relayed(tmp_path, code)
    assert len(words) <= relay.WORDS_BYTES and words.endswith(b"line 99999\n")


def test_the_file_of_words_holds_what_was_said_when_little_is(tmp_path):
    with (tmp_path / "words").open("w+b") as file:
        words = Words(file.fileno())
        words.add(b"a\n")
        words.add(b"b\n")
        file.seek(0)
        assert file.read() == b"a\nb\n"


@pytest.mark.parametrize("pieces", [[5], [1, 5], [5, 1]])
def test_a_long_piece_is_bounded_too(tmp_path, pieces, monkeypatch):
    monkeypatch.setattr(relay, "WORDS_BYTES", 100)
    with (tmp_path / "words").open("w+b") as file:
        words = Words(file.fileno())
        for number, size in enumerate(pieces):
            words.add(b"." * (size * 80) + f"end {number}".encode())
            file.seek(0)
            held = file.read()
            assert len(held) <= 100 and held.endswith(f"end {number}".encode())


def test_the_programs_exit_is_the_relays(tmp_path):
    assert relayed(tmp_path, "raise SystemExit(7)")[0] == 7


def test_a_killed_relay_takes_the_program_with_it(tmp_path):
    """A bubblewrap sees to it itself; this program ends by its closed input."""
    mark = tmp_path / "pid"
    code = f"import os, sys\nopen({str(mark)!r}, 'w').write(str(os.getpid()))\nsys.stdin.read()"
    plan = {"args": [sys.executable, "-c", code], "env": {}, "work": str(tmp_path)}
    command = [sys.executable, "-c", START.format("pass"), json.dumps(plan)]
    with (tmp_path / "words").open("wb") as words:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=words)
        deadline = time.monotonic() + 60
        while not (mark.exists() and mark.read_text()) and time.monotonic() < deadline:
            os.sched_yield()
        program = psutil.Process(int(mark.read_text()))
        process.kill()
        process.wait()
        assert program in psutil.wait_procs([program], timeout=30)[0]
        process.stdin.close()


@pytest.mark.parametrize(
    ("line", "is_one"),
    [
        (b'{"jsonrpc":"2.0","method":"x"}', True),
        (b'{"jsonrpc":"1.0"}', False),
        (b'[{"jsonrpc":"2.0"}]', False),
        (b'{"jsonrpc":"2.0"', False),
        (b'{"a":' * 100_000, False),
        (b'{"jsonrpc":"2.0","n":' + b"9" * 10_000 + b"}", False),
        (b"\xff\xfe{}", False),
        (b"", False),
        (b'{"jsonrpc":"2.0","id":1,"result":{}}', True),
        (b'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}', True),
        (b'{"jsonrpc":"2.0","id":1,"error":{}}', False),
        (b'{"jsonrpc":"2.0","id":1}', False),
        ('{"jsonrpc":"2.0","method":"\u00ea"}'.encode(), True),
        ('{"jsonrpc":"2.0","method":"\u00ea"}'.encode("utf-16-le"), False),
        (rb'{"jsonrpc":"2.0","method":"\u00ea \ud83d\ude00"}', True),
        (rb'{"jsonrpc":"2.0","method":"\ud800"}', False),
    ],
)
def test_what_a_message_is(line, is_one):
    assert is_message(line) is is_one


@pytest.mark.parametrize(("depth", "deep"), [(DEEPEST, False), (DEEPEST + 1, True), (9999, True)])
def test_what_is_too_deep(depth, deep):
    line = b'{"a":' * (depth - 1) + b"[]" + b"}" * (depth - 1)
    assert too_deep(line) is deep


def test_what_is_only_long_is_not_deep():
    assert not too_deep(json.dumps([{"a": [n]} for n in range(1000)]).encode())
    assert not too_deep(b"1") and not too_deep(b"[" * 300)  # no JSON: another matter


def test_a_message_nested_too_deeply_ends_the_program(tmp_path):
    code = """print('{"jsonrpc":"2.0","a":' + '[' * 200 + ']' * 200 + '}')"""
    status, out, words = relayed(tmp_path, code)
    assert (status, out) == (1, b"") and b"nested more than 128 deep" in words


def test_usage_follows_no_link(tmp_path):
    (tmp_path / "a").write_bytes(b"x" * 10_000)
    (tmp_path / "link").symlink_to("/usr")
    size, files = usage(str(tmp_path))
    assert files == 2 and 10_000 <= size < 100_000
