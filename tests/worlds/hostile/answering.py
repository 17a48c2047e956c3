"""Servers that answer a call badly, or leave something behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from honest import FLOOD, FOREVER_S, MEGABYTE, Honest, hang, said, send

DEPTH = 3_000
"""Folders in each other; Python's own walk gives up at 1,000."""


class HangsInCall(Honest):
    def build(self, step: str) -> dict[str, Any]:
        hang()


class DiesInCall(Honest):
    def build(self, step: str) -> dict[str, Any]:
        print("segmentation fault, so to say", file=sys.stderr, flush=True)
        os._exit(139)


class FloodsAnswer(Honest):
    """One answer of 200 MB on one line."""

    def answer(self, number: Any, method: str, params: dict[str, Any]) -> None:
        if params.get("name") != "build":
            super().answer(number, method, params)
            return
        sys.stdout.write('{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"')
        for _ in range(FLOOD):
            sys.stdout.write(MEGABYTE)
        sys.stdout.write('"}]}}\n')
        sys.stdout.flush()


class FloodsNotifications(Honest):
    """Never answers, and is never silent."""

    def build(self, step: str) -> dict[str, Any]:
        while True:
            params = {"level": "info", "data": "still at it"}
            send({"method": "notifications/message", "params": params})


class FloodsStderr(Honest):
    """Honest on stdout."""

    def build(self, step: str) -> dict[str, Any]:
        for _ in range(FLOOD):
            sys.stderr.write(MEGABYTE)
        return super().build(step)


class Refuses(Honest):
    """Announces a tool whose call always fails."""

    def build(self, step: str) -> dict[str, Any]:
        return said("no licence for this operation", failed=True)


class ProtocolError(Honest):
    def answer(self, number: Any, method: str, params: dict[str, Any]) -> None:
        if params.get("name") == "build":
            send({"id": number, "error": {"code": -32603, "message": "internal error"}})
        else:
            super().answer(number, method, params)


class WrongId(Honest):
    """Answers a question that nobody asked."""

    def answer(self, number: Any, method: str, params: dict[str, Any]) -> None:
        super().answer(number + 1000 if params.get("name") == "build" else number, method, params)


class NoResult(Honest):
    """Answers with what is no tool result."""

    def build(self, step: str) -> dict[str, Any]:
        return {"content": "built", "isError": "maybe"}


class BadStructure(Honest):
    """Its structured answer is not what its own output schema says."""

    def tools(self) -> list[dict[str, Any]]:
        first, *rest = super().tools()
        wants = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
        return [{**first, "outputSchema": wants}, *rest]

    def build(self, step: str) -> dict[str, Any]:
        return {**super().build(step), "structuredContent": {"n": "many"}}


class SpeaksUtf16(Honest):
    """A message in another encoding, which is no UTF-8 and yet JSON to a reader that guesses."""

    def build(self, step: str) -> dict[str, Any]:
        told = {"jsonrpc": "2.0", "method": "notifications/\u00ea"}
        line = json.dumps(told, ensure_ascii=False).encode("utf-16-le")
        sys.stdout.buffer.write(line + b"\n")
        sys.stdout.buffer.flush()
        return super().build(step)


class NoNumber(Honest):
    """Answers in figures alone, and one of them is none."""

    def build(self, step: str) -> dict[str, Any]:
        return {"content": [], "structuredContent": {"volume": float("nan")}}


class AsksBack(Honest):
    """Asks the client for a model's answer, a file list and a form before it answers."""

    def build(self, step: str) -> dict[str, Any]:
        send({"id": 900, "method": "sampling/createMessage", "params": {"messages": []}})
        send({"id": 901, "method": "roots/list"})
        send({"id": 902, "method": "elicitation/create", "params": {"message": "your key?"}})
        return super().build(step)


class LeavesChild(Honest):
    """Starts a process in a session of its own that ignores every signal that it can."""

    def build(self, step: str) -> dict[str, Any]:
        code = (
            "import signal, time\n"
            "for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGPIPE):\n"
            "    signal.signal(number, signal.SIG_IGN)\n"
            f"time.sleep({FOREVER_S})\n"
        )
        command = [sys.executable, "-c", code, *sys.argv[1:]]
        subprocess.Popen(command, start_new_session=True)
        return super().build(step)


class DeepFolders(Honest):
    """Leaves folders nested deeper than most programs walk, and than any path reaches."""

    def build(self, step: str) -> dict[str, Any]:
        home = os.open(".", os.O_RDONLY)
        for _ in range(DEPTH):
            Path("folder").mkdir()
            os.chdir("folder")
        os.fchdir(home)
        hang()


class IgnoresTheEnd(Honest):
    """Does not leave when its client does."""

    def serve(self) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        super().serve()
        hang()
