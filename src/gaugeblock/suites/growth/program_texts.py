"""Texts of `programs/`: joined, with other constants, or with a line for every hole."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path

from gaugeblock.records.errors import WrongUse

Constant = float | tuple[float, ...]
"""What a program may be given in place of a constant of its own. mm."""


def joined(folder: Path, names: Sequence[str]) -> str:
    """Join program texts, without what stands above their first blank line: linter notes."""
    texts = []
    for name in names:
        path = folder / "programs" / f"{name}.py"
        try:
            texts.append(path.read_text(encoding="utf-8").partition("\n\n")[2])
        except OSError as error:
            raise WrongUse(f"suite growth: no program programs/{name}.py") from error
    return "\n".join(texts)


def with_constants(program: str, constants: Mapping[str, Constant]) -> str:
    """Return a program with other constants: those it assigns literals to, outside of functions.

    Args:
        program: the text; ``A, B = 1, (2, 3)`` assigns two.
        constants: name → its new value.

    Raises:
        WrongUse: the program has no such constant.
    """
    lines, left = program.splitlines(), dict(constants)
    for statement in ast.parse(program).body:
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            continue
        target = statement.targets[0]
        if isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
            pairs = list(zip(target.elts, statement.value.elts, strict=True))
        else:
            pairs = [(target, statement.value)]
        names = [name.id for name, _ in pairs if isinstance(name, ast.Name)]
        if not set(names) & set(left) or statement.lineno != statement.end_lineno:
            continue
        old = [ast.unparse(value) for _, value in pairs]
        new = [
            _written(left.pop(name)) if name in left else kept
            for name, kept in zip(names, old, strict=True)
        ]
        lines[statement.lineno - 1] = f"{', '.join(names)} = {', '.join(new)}"
    if left:
        raise WrongUse(f"suite growth: its programs have no constant {', '.join(sorted(left))}")
    return "\n".join(lines) + "\n"


def _written(value: Constant) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_written, value))})"
    return repr(int(value) if float(value).is_integer() else value)


def hole_by_hole(program: str, symbols: Mapping[str, float]) -> str:
    """Return T1's program with a line of its own for every hole, in place of its loop."""
    cols, rows = int(symbols["cols"]), int(symbols["rows"])
    lines = ["holes = []"]
    for column in range(cols):
        x = symbols["firstX"] + symbols["pitchX"] * column
        for row in range(rows):
            y = symbols["firstY"] + symbols["pitchY"] * row
            circle = f"Wire.make_circle(radius, Plane(({x!r}, {y!r}, 0)))"
            lines.append(f"    holes.append({circle})")
    return program.replace("holes = holes_apart()", "\n".join(lines))
