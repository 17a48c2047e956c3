"""All modelled threads of a solid, measured; and `Ruler.threads`.

In this order: helical faces gathered by their screw motion, split into connected threads, cut with
radial rays, told from what only looks like a thread, compared with the standards, their ends
found. Two methods give the lead, the fit to the surfaces and the rays: where they contradict each
other the thread is refused.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from OCP.TopAbs import TopAbs_SOLID
from OCP.TopoDS import TopoDS

from gaugeblock.records.features import FeatureSet, Thread
from gaugeblock.records.measurement import FileFacts, Finding
from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.facts.measuring import Clock
from gaugeblock.ruler.facts.outline import Outline, outline_of
from gaugeblock.ruler.header import Refused, inspect
from gaugeblock.ruler.reading import read_step
from gaugeblock.ruler.refusals import refused_features, versions
from gaugeblock.ruler.threads.candidates import candidates
from gaugeblock.ruler.threads.ends import ends_of
from gaugeblock.ruler.threads.judging import Judged, Unlike, judge, unlikely
from gaugeblock.ruler.threads.regions import Boxes, Region, boxes_of, regions
from gaugeblock.ruler.threads.standard import nearest


@dataclass
class Threads:
    """The threads of one solid."""

    threads: list[Thread] = field(default_factory=list)
    """Their ids are empty until the whole file is known."""
    refused: list[Finding] = field(default_factory=list)
    """Helical faces that go round an axis and are no thread, each group with the reason."""

    @property
    def faces(self) -> set[int]:
        """All faces that belong to a thread, in the solid's order."""
        return {face for thread in self.threads for face in thread.faces}

    def refuse(self, unlike: Unlike, solid: int, faces: list[int]) -> None:
        """Note why some faces are no thread, where anybody would ask."""
        if unlike.told:
            where = f"solid {solid}, faces {_listed(faces)}"
            self.refused.append(Finding(code="not-a-thread", message=unlike.reason, where=where))


def threads_of_solid(solid: Any, index: int = 0, outline: Outline | None = None) -> Threads:
    """Measure every modelled thread of one solid.

    A solid without free-form faces is answered at once.

    Args:
        solid: TopoDS_Solid, in the file's coordinates (mm).
        index: Its place in the file.
        outline: Its outline, where that is known already.
    """
    outline = outline or outline_of(solid)
    out = Threads()
    possible = candidates(outline)
    if not possible:
        return out
    boxes = boxes_of(outline)
    for candidate in possible:
        unlike = unlikely(candidate)
        if unlike is not None:
            out.refuse(unlike, index, candidate.members)
            continue
        for region in regions(outline, boxes, candidate):
            if out.faces.issuperset(region.members):
                continue  # measured with another thread, whose motion fits them too
            found: Thread | Judged | Unlike = judge(region)
            if isinstance(found, Judged):
                found = _thread(outline, boxes, region, found, index)
            if isinstance(found, Thread):
                out.threads.append(found)
            else:
                out.refuse(found, index, region.members)
    return out


def threads_of_shape(shape: Any) -> list[Thread]:
    """Measure the threads of an OCP shape (or build123d object) that you trust."""
    shape = getattr(shape, "wrapped", shape)
    solids = [TopoDS.Solid(solid) for solid in explore(shape, TopAbs_SOLID)]
    return numbered([threads_of_solid(solid, index) for index, solid in enumerate(solids)])


def threads_fd(fd: int, name: str, sha256: str | None) -> FeatureSet:
    """Measure the threads of the STEP file open as `fd`, in this process.

    Args:
        fd: Descriptor of a regular file, open for reading.
        name: File name for the record.
        sha256: Digest computed by the caller, or None.
    """
    clock = Clock()
    file = FileFacts(name=name, sha256=sha256, bytes=os.fstat(fd).st_size)
    try:
        header = inspect(fd)
        file = header.told_of(file, header.length_units)
        read = read_step(f"/proc/self/fd/{fd}", units=False)
    except Refused as refusal:
        return refused_features(file, refusal.code, refusal.reason)
    if not read.solids:
        return refused_features(file, "no-solid", "the file holds no solid to have threads")
    clock.lap("read")
    found = [threads_of_solid(solid.shape, index) for index, solid in enumerate(read.solids)]
    clock.lap("threads")
    threads = numbered(found)
    findings = list(read.findings)
    if not threads:
        message = (
            "no thread: no helical ridge is modelled in smooth faces; threads that are only"
            " annotated (cosmetic) or made of flat facets do not count"
        )
        findings.append(Finding(code="no-modelled-thread", message=message))
    return FeatureSet(
        verdict="measured",
        file=file,
        features=list(threads),
        refused=[finding for solid in found for finding in solid.refused],
        findings=findings,
        versions=versions(),
        timings={step: round(seconds, 6) for step, seconds in clock.seconds.items()},
    )


def numbered(found: list[Threads]) -> list[Thread]:
    """Return the threads of all solids by place, with their ids."""
    threads = [thread for solid in found for thread in solid.threads]
    threads.sort(key=lambda t: (t.solid, tuple(round(x, 3) for x in t.position), min(t.faces)))
    return [t.model_copy(update={"id": f"thread-{i}"}) for i, t in enumerate(threads, 1)]


def _thread(
    outline: Outline, boxes: Boxes, region: Region, judged: Judged, index: int
) -> Thread | Unlike:
    form, screw = judged.form, region.screw
    faces = region.faces(form.minor / 2, form.major / 2)
    low, high = region.span(faces)
    middle = screw.origin + 0.5 * (low + high) * screw.axis
    radii = (form.minor / 2, form.major / 2)
    full = judged.full_length
    ends = ends_of(outline, boxes, set(faces), screw, (low, high), radii, judged.internal)
    if ends.absurd is not None:
        return Unlike(f"a thread {ends.absurd}: the solid is inside out or not closed")
    size, lacks = nearest(form, judged.internal)
    findings = list(judged.findings)
    if lacks is not None:
        findings.append(lacks)
    ratio = None
    if size is not None:
        ratio = judged.area(size.minor / 2, size.major / 2) / size.area(judged.internal)
    return Thread(
        id="",
        solid=index,
        faces=sorted(faces),
        position=_triple(middle),
        findings=findings,
        internal=judged.internal,
        axis=_triple(ends.axis),
        designation=None if size is None else size.designation,
        standard=None if size is None else size.standard,
        pitch=form.pitch,
        lead=judged.starts * form.pitch,
        surface_lead=abs(region.fitted_lead),
        starts=judged.starts,
        hand="right" if form.hand > 0 else "left",
        major=form.major,
        minor=form.minor,
        pitch_diameter=form.pitch_diameter,
        flank_angle=form.flank_angle,
        length=high - low,
        full_length=None if full is None else min(full, high - low),
        volume=judged.volume(low, high),
        volume_ratio=ratio,
        residual=form.residual,
        through=ends.through,
    )


def _triple(values: Any) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in np.asarray(values))
    return x + 0.0, y + 0.0, z + 0.0  # no −0.0


def _listed(faces: list[int]) -> str:
    return ", ".join(map(str, faces[:4])) + (", …" if len(faces) > 4 else "")
