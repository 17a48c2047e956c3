"""Run one program of the program language and hand out its shapes as serialised B-rep."""

from __future__ import annotations

import ast
import contextlib
import io
import math
import traceback
from typing import Any

import build123d
from OCP.BinTools import BinTools, BinTools_FormatVersion
from OCP.TopAbs import TopAbs_FACE, TopAbs_SOLID
from OCP.TopExp import TopExp_Explorer
from OCP.TopoDS import TopoDS_Shape

PROGRAM_FILE = "<program>"
PRINTED_CHARS = 2_000
"""Printed text handed back to the agent; more would only fill its context."""
MESSAGE_CHARS = 600
"""Length of an error message handed back; kernel messages can run to pages."""

_LANGUAGE = {name: getattr(build123d, name) for name in build123d.__all__}
RESERVED = frozenset(_LANGUAGE) | {"result", "math", "print"} | frozenset(dir(__builtins__))
"""Names a parameter may not take, since the program would lose the thing of that name."""


class Rejected(Exception):
    """A program that makes nothing; carries the diagnostic's code, message and line."""

    def __init__(self, code: str, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.line = code, message[:MESSAGE_CHARS], line

    def value(self) -> dict[str, Any]:
        """Return the diagnostic as plain data."""
        return {"rejected": {"code": self.code, "message": self.message, "line": self.line}}


def build(
    value: dict[str, Any], blobs: list[bytes], files: list[int]
) -> tuple[dict[str, Any], list[bytes]]:
    """Run a program.

    Args:
        value: ``program`` text, ``parameters`` name → number, ``max_faces`` ceiling.
        blobs: unused.
        files: unused.

    Returns:
        ``objects`` (name, colour) with one binary B-rep blob each, and what was printed and
        noticed; or ``rejected`` with code, message, line.
    """
    del blobs, files
    program, parameters = value["program"], value["parameters"]
    try:
        tree = _parse(program)
        result, printed = _run(tree, program, parameters)
        objects = _objects(result)
        encoded = [_encode(name, item, value["max_faces"]) for name, item in objects]
    except Rejected as rejected:
        return rejected.value(), []
    notes = _notes(tree, parameters)
    described = [{"name": name, "colour": _colour(item)} for name, item in objects]
    return {"objects": described, "printed": printed, "notes": notes}, encoded


def _parse(program: str) -> ast.Module:
    try:
        return ast.parse(program, PROGRAM_FILE)
    except SyntaxError as error:
        text = (error.text or "").rstrip()
        raise Rejected("syntax", f"{error.msg}: {text}", error.lineno) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise Rejected("syntax", f"the program cannot be parsed: {error}") from None


def _run(tree: ast.Module, program: str, parameters: dict[str, float]) -> tuple[Any, str]:
    taken = sorted(RESERVED & set(parameters))
    if taken:
        words = ", ".join(taken)
        raise Rejected(
            "parameter-unknown", f"the program language already has {words}; rename the parameter"
        )
    scope: dict[str, Any] = {**_LANGUAGE, "math": math, "__name__": "program", **parameters}
    printed = io.StringIO()
    try:
        code = compile(tree, PROGRAM_FILE, "exec")
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            exec(code, scope)
    except MemoryError:
        raise
    except BaseException as error:  # a program may raise SystemExit or KeyboardInterrupt too
        raise _runtime(error, program) from None
    if "result" not in scope:
        raise Rejected("runtime", "the program never assigned `result`")
    return scope["result"], printed.getvalue()[:PRINTED_CHARS]


def _runtime(error: BaseException, program: str) -> Rejected:
    """Return the diagnostic of an exception: what it says, and the program line it came from."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == PROGRAM_FILE]
    line = frames[-1].lineno if frames else None
    lines = program.splitlines()
    source = f" in: {lines[line - 1].strip()}" if line and line <= len(lines) else ""
    return Rejected("runtime", f"{type(error).__name__}: {error}{source}", line)


def _objects(result: Any) -> list[tuple[str, Any]]:
    if isinstance(result, dict):
        pairs = list(result.items())
    else:
        label = getattr(result, "label", "")
        pairs = [(label if isinstance(label, str) and label else "body", result)]
    if not pairs:
        raise Rejected("no-solid", "`result` is an empty dict")
    named: list[tuple[str, Any]] = []
    for name, item in pairs:
        if not isinstance(name, str) or not name.strip():
            raise Rejected("runtime", f"`result` has the key {name!r}; keys are object names")
        named.append((name.strip(), _shape_of(item)))
    return named


def _shape_of(item: Any) -> Any:
    """Return a build123d Shape for whatever form of one the program gave."""
    if isinstance(item, build123d.BuildPart):
        item = item.part
    if isinstance(item, (list, tuple)):
        item = build123d.Compound([child for child in item if hasattr(child, "wrapped")])
    if getattr(item, "wrapped", None) is None:
        raise Rejected("no-solid", f"`result` holds {type(item).__name__}, which is no shape")
    return item


def _encode(name: str, item: Any, max_faces: int) -> bytes:
    shape: TopoDS_Shape = item.wrapped
    solids, faces = _explore(shape, TopAbs_SOLID), _explore(shape, TopAbs_FACE)
    if not solids:
        raise Rejected("no-solid", f"object {name!r} is a {type(item).__name__} without a solid")
    if len(faces) > max_faces:
        raise Rejected("limit", f"object {name!r} has {len(faces)} faces; at most {max_faces}")
    loose = len(faces) - sum(len(_explore(solid, TopAbs_FACE)) for solid in solids)
    if loose > 0:
        raise Rejected("not-valid", f"object {name!r} has {loose} faces outside any solid")
    only = solids[0] if len(solids) == 1 else shape
    stream = io.BytesIO()
    current = BinTools_FormatVersion.BinTools_FormatVersion_CURRENT
    BinTools.Write_s(only, stream, False, False, current)
    return stream.getvalue()


def _explore(shape: TopoDS_Shape, kind: Any) -> list[TopoDS_Shape]:
    explorer, found = TopExp_Explorer(shape, kind), []
    while explorer.More():
        found.append(explorer.Current())
        explorer.Next()
    return found


def _colour(item: Any) -> list[float] | None:
    colour = getattr(item, "color", None)
    if colour is None:
        return None
    return [float(part) for part in tuple(colour)]


def _notes(tree: ast.Module, parameters: dict[str, float]) -> list[str]:
    """Say which declared parameters cannot steer the program, since a later edit would fail."""
    read = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    bound = {
        n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    notes = []
    unread = sorted(set(parameters) - read)
    if unread:
        notes.append(f"declared but never read by the program: {', '.join(unread)}")
    overwritten = sorted(set(parameters) & bound)
    if overwritten:
        names = ", ".join(overwritten)
        notes.append(f"assigned in the program, so that setting it has no effect: {names}")
    return notes
