"""The jobs that the warm fork server runs: open STEP files in, one record out.

Imported once by the server (kernel and numpy come with it), then forked per file, so a file that
crashes or hangs the kernel takes only its own process with it.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from typing import Any

from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
from OCP.STEPControl import STEPControl_AsIs, STEPControl_Writer

from gaugeblock.records.base import Record
from gaugeblock.records.conservation import Region
from gaugeblock.ruler.conserving.measuring import conserve_fds
from gaugeblock.ruler.drawing.taking import draw_job
from gaugeblock.ruler.facts.measuring import measure_fd
from gaugeblock.ruler.features.recognising import features_fd
from gaugeblock.ruler.header import Refused, inspect
from gaugeblock.ruler.overlap.comparing import compare_fds
from gaugeblock.ruler.overlap.interference import interfere_fd
from gaugeblock.ruler.picture.portraying import portrait_job
from gaugeblock.ruler.picture.taking import picture_job
from gaugeblock.ruler.reading import silence
from gaugeblock.ruler.spectrum.taking import spectrum_fd
from gaugeblock.ruler.threads.measuring import threads_fd
from gaugeblock.ruler.views.taking import views_job

Job = Callable[[dict[str, Any], list[bytes], list[int]], tuple[dict[str, Any], list[bytes]]]


def inspect_job(
    value: dict[str, Any], blobs: list[bytes], files: list[int]
) -> tuple[dict[str, Any], list[bytes]]:
    """Look at the text of the file open as ``files[0]`` before the kernel does.

    Args:
        value: Unused.
        blobs: Unused.
        files: One descriptor, open for reading.

    Returns:
        ``code`` and ``reason`` of why it is no whole STEP file, or nothing; and no blobs.
    """
    try:
        inspect(files[0])
    except Refused as refusal:
        return {"code": refusal.code, "reason": refusal.reason}, []
    return {}, []


def of_one_file(taken: Callable[[int, str, str | None], Record]) -> Job:
    """Return the job that takes one record of one STEP file.

    Its value holds ``name`` (file name for the record) and ``sha256`` (from the parent), its files
    are one, open for reading; its answer is the record as a JSON-able dict, and no blobs.

    Args:
        taken: Takes the record, from descriptor, name and digest.
    """

    def job(
        value: dict[str, Any], blobs: list[bytes], files: list[int]
    ) -> tuple[dict[str, Any], list[bytes]]:
        record = taken(files[0], str(value["name"]), value.get("sha256"))
        return record.model_dump(mode="json"), []

    return job


def later(module: str, name: str) -> Job:
    """Return a job whose module is imported in its own process, when it is asked for.

    Libraries that read drawings take half a second, which whoever measures a part need not wait
    for.

    Args:
        module: Full name.
        name: Of the job in it.
    """

    def job(
        value: dict[str, Any], blobs: list[bytes], files: list[int]
    ) -> tuple[dict[str, Any], list[bytes]]:
        found: Job = getattr(importlib.import_module(module), name)
        return found(value, blobs, files)

    return job


def compare_job(
    value: dict[str, Any], blobs: list[bytes], files: list[int]
) -> tuple[dict[str, Any], list[bytes]]:
    """Compare the STEP files open as ``files[0]`` and ``files[1]``.

    Args:
        value: ``names`` and ``sha256`` (two each), ``align``, ``wall_s``.
        blobs: Unused.
        files: Two descriptors, open for reading.

    Returns:
        The Overlap as a JSON-able dict, and no blobs.
    """
    found = compare_fds(
        (files[0], files[1]),
        names=(str(value["names"][0]), str(value["names"][1])),
        sha256=(value["sha256"][0], value["sha256"][1]),
        align=bool(value["align"]),
        wall_s=float(value["wall_s"]),
    )
    return found.model_dump(mode="json"), []


def conserve_job(
    value: dict[str, Any], blobs: list[bytes], files: list[int]
) -> tuple[dict[str, Any], list[bytes]]:
    """Compare start (``files[0]``) and delivery (``files[1]``) of an edit outside its region.

    Args:
        value: ``names`` and ``sha256`` (two each), ``region``, ``wall_s``.
        blobs: Unused.
        files: Two descriptors, open for reading.

    Returns:
        The Conservation as a JSON-able dict, and no blobs.
    """
    found = conserve_fds(
        (files[0], files[1]),
        names=(str(value["names"][0]), str(value["names"][1])),
        sha256=(value["sha256"][0], value["sha256"][1]),
        region=Region.model_validate(value["region"]),
        wall_s=float(value["wall_s"]),
    )
    return found.model_dump(mode="json"), []


def interference_job(
    value: dict[str, Any], blobs: list[bytes], files: list[int]
) -> tuple[dict[str, Any], list[bytes]]:
    """Measure the interference of the solids in the STEP file open as ``files[0]``.

    Args:
        value: ``name``, ``sha256``, ``wall_s``.
        blobs: Unused.
        files: One descriptor, open for reading.

    Returns:
        The Interference as a JSON-able dict, and no blobs.
    """
    found = interfere_fd(
        files[0],
        name=str(value["name"]),
        sha256=value.get("sha256"),
        wall_s=float(value["wall_s"]),
    )
    return found.model_dump(mode="json"), []


def warm_up() -> None:
    """Write and measure a box, so that the kernel's lazy tables exist before the first fork."""
    silence()
    # In memory: where only Landlock is to be had, there is no folder to write to yet.
    fd = os.memfd_create("box.step")
    try:
        writer = STEPControl_Writer()
        writer.Transfer(BRepPrimAPI_MakeBox(1.0, 1.0, 1.0).Solid(), STEPControl_AsIs)
        writer.Write(f"/proc/self/fd/{fd}")
        measure_fd(fd, name="box.step", sha256=None)
    finally:
        os.close(fd)


JOBS: dict[str, Job] = {
    "inspect": inspect_job,
    "measure": of_one_file(measure_fd),
    "compare": compare_job,
    "conserve": conserve_job,
    "interference": interference_job,
    "draw": draw_job,
    "features": of_one_file(features_fd),
    "picture": picture_job,
    "portrait": portrait_job,
    "pdf picture": later("gaugeblock.ruler.sheet_reading.pdf", "pdf_picture_job"),
    "read dxf": later("gaugeblock.ruler.sheet_reading.dxf", "read_dxf_job"),
    "read pdf": later("gaugeblock.ruler.sheet_reading.pdf", "read_pdf_job"),
    "spectrum": of_one_file(spectrum_fd),
    "threads": of_one_file(threads_fd),
    "views": views_job,
}
