"""Write a document's objects as one STEP file with their names and colours."""

from __future__ import annotations

import contextlib
import io
import re
from importlib import metadata
from typing import Any

import build123d
from OCP.TopoDS import TopoDS_Shape

from gaugeblock.host.worker.checking import decode
from gaugeblock.host.worker.step_order import ordered

BEYOND_ASCII = re.compile(rb"[\x80-\xff]+")


def export(
    value: dict[str, Any], blobs: list[bytes], files: list[int]
) -> tuple[dict[str, Any], list[bytes]]:
    """Return one STEP file.

    Args:
        value: ``objects`` (name, colour, group) in the blobs' order; ``timestamp`` for the header,
            so that the same version exports the same bytes.
        blobs: binary B-rep of each object.
        files: unused.
    """
    del files
    groups: dict[str, list[build123d.Shape]] = {}  # those of one group are one assembly
    top: list[build123d.Shape | str] = []
    for data, item in zip(blobs, value["objects"], strict=True):
        labelled, group = _labelled(decode(data), item["name"], item["colour"]), item.get("group")
        if group is None:
            top.append(labelled)
        elif group in groups:
            groups[group].append(labelled)
        else:
            groups[group] = [labelled]
            top.append(group)
    children = [
        build123d.Compound(label=item, children=groups[item]) if isinstance(item, str) else item
        for item in top
    ]
    if len(children) == 1:
        whole = children[0]
    else:
        whole = build123d.Compound(label="document", children=children)
    stream = io.BytesIO()
    build123d.export_step(whole, stream, timestamp=value["timestamp"])
    return {}, [BEYOND_ASCII.sub(_escaped, ordered(stream.getvalue()))]


def _escaped(found: re.Match[bytes]) -> bytes:
    r"""Return signs beyond ASCII as ISO 10303-21 writes them: ``\X2\00D6\X0\`` is Ö.

    The kernel writes the bytes of their UTF-8 form, each as a sign of its own.
    """
    signs = found[0].decode("utf-8", "replace")
    with contextlib.suppress(UnicodeError):
        signs = signs.encode("latin-1").decode("utf-8")
    return b"".join(
        b"\\X4\\%08X\\X0\\" % ord(sign) if ord(sign) > 0xFFFF else b"\\X2\\%04X\\X0\\" % ord(sign)
        for sign in signs
    )


def _labelled(shape: TopoDS_Shape, name: str, colour: list[float] | None) -> build123d.Shape:
    made = build123d.Shape.cast(shape) if hasattr(build123d.Shape, "cast") else None
    item = made if made is not None else build123d.Compound(shape)
    item.label = name
    if colour is not None:
        item.color = build123d.Color(*colour)
    return item


def about(
    value: dict[str, Any], blobs: list[bytes], files: list[int]
) -> tuple[dict[str, Any], list[bytes]]:
    """Return the versions of the modelling library and its kernel."""
    del value, blobs, files
    names = ("build123d", "cadquery-ocp-novtk")
    return {"versions": {name: metadata.version(name) for name in names}}, []
