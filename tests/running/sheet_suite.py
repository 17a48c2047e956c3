"""A suite for tests: a plate from a sheet in a workspace, whose truth is a closed formula."""

import struct
import zlib
from pathlib import Path

from gaugeblock.records.case import Case, Limits, Round, Truth
from gaugeblock.records.plan import SuiteControls
from gaugeblock.suites import Script, ScriptedAgent, ToolCall, grading

NAME = "sheets"
PROGRAM = "result = {'plate': Box(length, 20, 5)}"
PARAMETERS = {"length": 40}
BUILD = ToolCall(tool="propose", arguments={"program": PROGRAM, "parameters": PARAMETERS})
FILES = {
    "vector": {"/drawing/drawing.svg": b"<svg>\n<text>40</text>\n<text>20</text>\n</svg>\n"},
    "raster": {},
}
RULEBOOK = {"/rulebook/rulebook.md": b"# Rules\nBuild the nominal size.\n"}


def _chunk(kind, data):
    check = struct.pack(">I", zlib.crc32(kind + data))
    return struct.pack(">I", len(data)) + kind + data + check


def picture():
    """Return a whole PNG of one grey dot."""
    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    parts = [_chunk(b"IHDR", head), _chunk(b"IDAT", zlib.compress(b"\0\x80")), _chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


FILES["raster"]["/drawing/drawing.png"] = picture()


def _case(track):
    asked = Round(
        id=f"plate-{track}",
        growth=1,
        instruction={"en": "Build the part on the sheet in /drawing."},
        parameters=PARAMETERS,
        truth=Truth(volume="length*20*5", solids="1"),
    )
    return Case(
        id=f"plate.{track}",
        suite=NAME,
        version=1,
        title="plate",
        axis=track,
        needs=("program", "step", "workspace", *(("image",) if track == "raster" else ())),
        rounds=(asked,),
        limits=Limits(wall_s=120, tool_calls=12, turns=12, program_s=30, evaluation_s=60),
    )


class SheetSuite:
    """Two cases of one plate; a file that somebody else made is what `mutant:file` delivers."""

    name = NAME
    rubric = None
    step = ""
    """What `mutant:file` writes; a test sets it."""

    def __init__(self):
        self._cases = {case.id: case for case in map(_case, ("vector", "raster"))}

    def cases(self):
        return tuple(self._cases.values())

    def case(self, case_id):
        return self._cases[case_id]

    def shown(self, case):
        return {**FILES[case.axis], **RULEBOOK}

    def grade(self, asked, delivered, *, ruler_fingerprint):
        return grading.grade(asked, delivered, ruler_fingerprint=ruler_fingerprint)

    def agents(self):
        every = tuple(self._cases)
        fails = {case.rounds[0].id: ("delivered",) for case in self._cases.values()}
        return (
            ScriptedAgent("reference", "builds the plate", every),
            ScriptedAgent("null", "does nothing", every, must_fail=fails),
            ScriptedAgent("mutant:file", "delivers a file, and commits nothing", every),
        )

    def script(self, case, asked, agent):
        name = "drawing.png" if case.axis == "raster" else "drawing.svg"
        if agent == "mutant:file":
            path = str(Path("/work", "part.step"))
            write = ToolCall(tool="write_file", arguments={"path": path, "text": self.step})
            look = ToolCall(tool="list_files", arguments={"path": "/drawing"})
            return Script(calls=(look, write))
        if agent == "reference":
            search = ToolCall(tool="search_files", arguments={"pattern": name})
            return Script(calls=(search, BUILD))
        return Script()

    def controls(self):
        return SuiteControls(name=NAME, digest="0" * 64, criteria=grading.CRITERIA)

    def start_document(self, case):
        return None


SUITE = SheetSuite()


def load():
    """Return the suite, always the same one."""
    return SUITE
