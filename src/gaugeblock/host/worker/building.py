"""Run one program of the program language and hand out its shapes as serialised B-rep."""

from __future__ import annotations

import ast
import builtins
import contextlib
import io
import keyword
import math
import random
import traceback
from typing import Any

import build123d
from OCP.TopAbs import TopAbs_FACE, TopAbs_SOLID
from OCP.TopExp import TopExp_Explorer
from OCP.TopoDS import TopoDS_Shape

from gaugeblock.host.worker.checking import encode

PROGRAM_FILE = "<program>"
PRINTED_CHARS = 2_000
"""Printed text handed back to the agent; more would only fill its context."""
MESSAGE_CHARS = 600
"""Length of an error message handed back; kernel messages can run to pages."""

SOURCE_CHARS = 120
"""Length of a program line that a message quotes."""

_LANGUAGE = {name: getattr(build123d, name) for name in build123d.__all__}
RESERVED = frozenset(_LANGUAGE) | frozenset(dir(builtins)) | {*keyword.kwlist, "result", "math"}
"""Names a parameter may not take: the program could not read it, or would lose what has the name.

``result`` and ``math`` are the program language's own."""

MEANINGS = {
    "Standard_DomainError": "a size is zero, negative or out of range",
    "Standard_ConstructionError": "the geometry is degenerate: coinciding points, zero directions",
    "StdFail_NotDone": "the kernel could not build this shape: a radius too large for its "
    "neighbours, a profile that is open or cuts itself",
    "Standard_NullObject": "an empty shape was used: a boolean or a selection gave nothing",
    "Standard_NoSuchObject": "a shape was used as a kind that it is not",
    "AssertionError": "an empty shape was used: a boolean or a selection gave nothing",
}
"""What the kernel's exceptions mean that come without a message."""

REPAIRS = {
    "NameError": "Define the name in the program, or declare it in `parameters`; look_up tells "
    "what the program language has.",
    "ImportError": "Do without: a program has build123d, math, numpy and the standard library.",
    "OSError": "Do without: a program has no files, no network and no processes of its own.",
    "SystemExit": "Let the program run to its end and assign `result`.",
}
"""What to do about exceptions that no correction of the named line alone would mend."""


class Rejected(Exception):
    """A program that makes nothing; carries the diagnostic's code, message, line and repair."""

    def __init__(
        self, code: str, message: str, line: int | None = None, repair: str | None = None
    ) -> None:
        super().__init__(message)
        self.code, self.message = code, message[:MESSAGE_CHARS]
        self.line, self.repair = line, repair

    def value(self) -> dict[str, Any]:
        """Return the diagnostic as plain data."""
        fault = {"code": self.code, "message": self.message, "line": self.line}
        return {"rejected": {**fault, "repair": self.repair}}


class Printed(io.StringIO):
    """What a program prints: the beginning is kept, so that endless printing costs no memory."""

    def write(self, text: str) -> int:
        """Keep what still fits; the length is told as if all was kept, as a terminal would."""
        super().write(text[: max(0, PRINTED_CHARS - self.tell())])
        return len(text)


def build(
    value: dict[str, Any], blobs: list[bytes], files: list[int]
) -> tuple[dict[str, Any], list[bytes]]:
    """Run a program.

    Args:
        value: ``program`` text, ``parameters`` name → number.
        blobs: unused.
        files: unused.

    Returns:
        ``objects`` (name, colour) with one binary B-rep blob each, and what was printed and
        noticed; or ``rejected`` with code, message, line, repair.
    """
    del blobs, files
    program, parameters = value["program"], value["parameters"]
    try:
        tree = _parse(program)
        result, printed = _run(tree, program, parameters)
        objects = _objects(result)
        encoded = [_encode(name, item) for name, item in objects]
    except Rejected as rejected:
        return rejected.value(), []
    notes = _notes(tree, parameters)
    described = [{"name": name, "colour": _colour(item)} for name, item in objects]
    return {"objects": described, "printed": printed, "notes": notes}, encoded


def _parse(program: str) -> ast.Module:
    try:
        return ast.parse(program, PROGRAM_FILE)
    except SyntaxError as error:
        text = (error.text or "").strip()[:SOURCE_CHARS]
        raise Rejected("syntax", f"{error.msg}: {text}".rstrip(": "), error.lineno) from None
    except (ValueError, RecursionError, MemoryError) as error:
        why = str(error) or "it is nested too deeply"
        raise Rejected("syntax", f"the program cannot be parsed: {why}") from None


def _run(tree: ast.Module, program: str, parameters: dict[str, float]) -> tuple[Any, str]:
    taken = sorted(RESERVED & set(parameters))
    if taken:
        raise Rejected(
            "parameter-unknown",
            f"the program language already has {', '.join(taken)}",
            repair=f"Give the parameter another name, such as {taken[0]}Value.",
        )
    try:
        code = compile(tree, PROGRAM_FILE, "exec")
    except (SyntaxError, ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        said = getattr(error, "msg", None) or str(error)
        raise Rejected("syntax", f"the program cannot be compiled: {said}", line) from None
    scope: dict[str, Any] = {**_LANGUAGE, "math": math, "__name__": "program", **parameters}
    printed = Printed()
    random.seed(0)  # the same document must build the same shape whenever it is opened
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            exec(code, scope)
    except MemoryError:
        raise
    except BaseException as error:  # a program may raise SystemExit or KeyboardInterrupt too
        raise _runtime(error, program) from None
    if "result" not in scope:
        raise Rejected("no-solid", "the program never assigned `result`")
    return scope["result"], printed.getvalue()


def _runtime(error: BaseException, program: str) -> Rejected:
    """Return the diagnostic of an exception: what it says, and the program line it came from."""
    calls = traceback.extract_tb(error.__traceback__)
    frames = [frame for frame in calls if frame.filename == PROGRAM_FILE]
    line = frames[-1].lineno if frames else None
    if isinstance(error, SyntaxError) and line is None:
        line = error.lineno
    lines = program.splitlines()
    source = (
        f", in: {lines[line - 1].strip()[:SOURCE_CHARS]}" if line and line <= len(lines) else ""
    )
    kind = type(error).__name__
    said = str(error).strip()[: MESSAGE_CHARS - 2 * SOURCE_CHARS]
    own = frames and frames[-1] is calls[-1]  # raised by the program's own line
    if not said and not (own and kind == "AssertionError"):
        said = MEANINGS.get(kind, "")
    repair = next((REPAIRS[c.__name__] for c in type(error).__mro__ if c.__name__ in REPAIRS), None)
    return Rejected("runtime", f"{kind}: {said}".rstrip(": ") + source, line, repair)


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
            shown = repr(name)[:SOURCE_CHARS]
            raise Rejected("runtime", f"`result` has the key {shown}; keys are object names")
        named.append((name.strip(), _shape_of(item)))
    return named


def _shape_of(item: Any) -> Any:
    """Return a build123d Shape for whatever form of one the program gave."""
    if isinstance(item, build123d.BuildPart):
        item = item.part
    if isinstance(item, (list, tuple)):
        children = [_shape_of(child) for child in item]
        item = build123d.Compound([child for child in children if child._wrapped is not None])
    if isinstance(item, type):
        raise Rejected(
            "no-solid",
            f"`result` holds the class {item.__name__}, not a shape made with it",
            repair=f"Call it with its sizes: {item.__name__}(…); look_up tells which.",
        )
    if not isinstance(item, build123d.Shape):
        raise Rejected("no-solid", f"`result` holds {type(item).__name__}, which is no shape")
    return item


def _encode(name: str, item: Any) -> bytes:
    # The attribute behind `wrapped`, which fails for a boolean that left nothing.
    shape: TopoDS_Shape | None = getattr(item, "_wrapped", None)
    solids = [] if shape is None else _explore(shape, TopAbs_SOLID)
    if shape is None or not solids:
        raise Rejected(
            "no-solid",
            f"object {name!r} is a {type(item).__name__} without a solid",
            repair="Make it a solid (extrude, revolve, sweep or loft a profile); where a boolean "
            "left nothing, check that its operands meet.",
        )
    faces = len(_explore(shape, TopAbs_FACE))
    alone = len(solids) == 1 and faces == len(_explore(solids[0], TopAbs_FACE))
    return encode(solids[0] if alone else shape)


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
