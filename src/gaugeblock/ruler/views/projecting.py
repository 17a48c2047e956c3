"""The projections of solids, each in a child process, exact where that can be had.

For every camera a child removes hidden lines exactly, while another one triangulates the solids; by
the triangles the lines are then checked. Where exact lines crash the kernel, take too long or are
not confirmed, the lines of the triangles stand in. Whatever happens to one view, the others come.
"""

from __future__ import annotations

import resource
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gaugeblock.ruler.header import Refused
from gaugeblock.ruler.overlap.forked import Child
from gaugeblock.ruler.reading import ReadSolid
from gaugeblock.ruler.views.body import EDGE_KINDS, Body
from gaugeblock.ruler.views.cameras import Camera
from gaugeblock.ruler.views.checking import Facets, Screen, check_exact, check_polygonal
from gaugeblock.ruler.views.edges import mark
from gaugeblock.ruler.views.hidden_lines import NoSilhouette, exact_lines
from gaugeblock.ruler.views.meshing import body_of, meshed
from gaugeblock.ruler.views.polygonal import polygonal_lines, shell_of
from gaugeblock.ruler.views.projection import MOST_CURVES, Check, Curve, Projection

EXACT_SECONDS = 5
"""Ceiling of exact hidden-line removal of one view, in s of processor time, so that the method does
not depend on what else the machine does. Parts of elementary faces take 0.1 s, the largest real
file 2 s; a screw with a modelled thread takes 40 s and is drawn from its triangles in 0.1 s."""

SHARE = 0.4
"""Part of the whole time, on the clock, that exact lines and triangles may take, which are made
side by side; the triangles' lines may take as much after them."""

KILLED = f"the kernel crashed (signal {int(signal.SIGXCPU)})"
OUT_OF_TIME = f"not done within {EXACT_SECONDS} s of processor time"
"""What a child that used up its processor time leaves behind, and what that means."""

BEZIER = 1e-5
"""Tolerance of Béziers as a part of the diagonal: 0.002 mm on paper."""

POLYGONAL = 3.0
"""Tolerance of polylines in sags of the triangles: the kernel asks for one sag, keeps within 2.1 on
spheres, and its outlines between triangles stray as far to the other side."""

CLOSE = 1e-6
"""Ends of polygonal pieces this close, as a part of the diagonal, are the same."""


@dataclass(frozen=True)
class Views:
    """What could be had of the views of some solids."""

    projections: dict[str, Projection | str]
    """By name of the camera; a line that says why there is none."""
    body: Body | str
    """For shaded views; a line that says why there is none."""


class Started:
    """The views of some solids while they are made, in child processes: several bodies at a time.

    Args:
        solids: What is seen; all hide each other.
        cameras: The views.
        diagonal: Size of all of it together, mm.
        seconds: Ceiling of everything in s.
    """

    def __init__(
        self,
        solids: Sequence[ReadSolid],
        cameras: Sequence[Camera],
        diagonal: float,
        seconds: float,
    ) -> None:
        self.solids, self.cameras = solids, cameras
        self.diagonal, self.seconds = diagonal, SHARE * seconds
        shapes = [solid.shape for solid in solids]
        mark(shapes)
        self._exact = [Child(_exact_work(shapes, c, diagonal), self.seconds) for c in cameras]
        self._triangles = Child(_body_work(solids, diagonal), self.seconds)

    def views(self) -> Views:
        """Wait for the views."""
        answers = [child.result() for child in self._exact]
        received = self._triangles.result()
        body = received if isinstance(received, str) else _received(received)
        projections = {
            camera.name: _confirmed(camera, found, body, self.diagonal)
            for camera, found in zip(self.cameras, answers, strict=True)
        }
        failed = [camera for camera in self.cameras if isinstance(projections[camera.name], str)]
        if failed and not isinstance(body, str):
            work = _polygonal_work(self.solids, failed, self.diagonal, self.seconds)
            coarse = Child(work, self.seconds).result()
            for number, camera in enumerate(failed):
                lines = coarse if isinstance(coarse, str) else coarse["lines"][number]
                reason = str(projections[camera.name])
                projections[camera.name] = _stand_in(camera, lines, body, reason)
        return Views(projections, body)


def views_of(
    solids: Sequence[ReadSolid], cameras: Sequence[Camera], diagonal: float, seconds: float
) -> Views:
    """Project solids; see `Started`."""
    return Started(solids, cameras, diagonal, seconds).views()


def _exact_work(shapes: Sequence[Any], camera: Camera, diagonal: float) -> Any:
    def work() -> dict[str, Any] | str:
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (EXACT_SECONDS, most))
        try:
            sight = exact_lines(shapes, camera, diagonal, BEZIER * diagonal)
        except NoSilhouette as error:
            return str(error)
        if len(sight.curves) > MOST_CURVES:
            raise ValueError(f"more than {MOST_CURVES} lines")
        return {
            "curves": [curve.model_dump(mode="json") for curve in sight.curves],
            "depths": sight.depths,
            "seconds": time.process_time(),
        }

    return work


def _body_work(solids: Sequence[ReadSolid], diagonal: float) -> Any:
    def work() -> dict[str, Any] | str:
        try:
            meshes, relative = meshed(solids, diagonal)
            return _sent(body_of(solids, meshes, relative * diagonal))
        except Refused as refusal:
            return refusal.reason

    return work


def _polygonal_work(
    solids: Sequence[ReadSolid], cameras: Sequence[Camera], diagonal: float, seconds: float
) -> Any:
    """Triangulate once more, and look from each camera in a child of its own."""

    def work() -> dict[str, Any]:
        shells = [shell_of(mesh) for mesh in meshed(solids, diagonal)[0]]
        children = [Child(_look_work(shells, c, diagonal), seconds) for c in cameras]
        return {"lines": [child.result() for child in children]}

    return work


def _look_work(shells: Sequence[Any], camera: Camera, diagonal: float) -> Any:
    def work() -> dict[str, Any]:
        curves = polygonal_lines(shells, camera, CLOSE * diagonal)
        if len(curves) > MOST_CURVES:
            raise ValueError(f"more than {MOST_CURVES} lines")
        return {
            "curves": [curve.model_dump(mode="json") for curve in curves],
            "seconds": time.process_time(),
        }

    return work


def _confirmed(
    camera: Camera, found: dict[str, Any] | str, body: Body | str, diagonal: float
) -> Projection | str:
    """Return the exact projection if it is confirmed or cannot be checked, else why it is not."""
    if isinstance(found, str):
        return f"exact hidden-line removal: {OUT_OF_TIME if found == KILLED else found}"
    curves = _curves(found)
    check, why = None, None
    if isinstance(body, str):
        why = f"no triangles to check by: {body}"
    else:
        check = check_exact(curves, found["depths"], Screen(facets_of(body), camera))
        if not check.agrees:
            return f"exact hidden-line removal is not confirmed: {_told(check)}"
    return Projection(
        camera=camera,
        curves=curves,
        method="exact",
        tolerance=BEZIER * diagonal,
        check=check,
        check_reason=why,
        seconds=found["seconds"],
    )


def _stand_in(
    camera: Camera, found: dict[str, Any] | str, body: Body, reason: str
) -> Projection | str:
    """Return the lines of the triangles, with the reason why they are these."""
    if isinstance(found, str):
        return f"{reason}; polygonal: {found}"
    curves = _curves(found)
    return Projection(
        camera=camera,
        curves=curves,
        method="polygonal",
        reason=reason,
        tolerance=POLYGONAL * body.sag,
        check=check_polygonal(curves, Screen(facets_of(body), camera)),
        seconds=found["seconds"],
    )


def _told(check: Check) -> str:
    parts = (
        ("of the visible length lies behind a surface", check.contradicted),
        ("of the occluding edges have no line", check.missing),
        ("of the silhouette has no line", check.bare),
    )
    return ", ".join(f"{100 * share:.1f} % {words}" for words, share in parts if share)


def _curves(answer: dict[str, Any]) -> tuple[Curve, ...]:
    return tuple(Curve.model_validate(curve) for curve in answer["curves"])


def facets_of(body: Body) -> Facets:
    """Return a body's triangles where the part is, mm."""
    points = body.points.astype(float) + np.array(body.centre)
    return Facets(points, body.triangles.astype(np.int64), body.sag)


def _sent(body: Body) -> dict[str, Any]:
    return {
        "centre": list(body.centre),
        "points": body.points,
        "triangles": body.triangles.astype(np.int64),
        "colours": body.colours.astype(np.int64),
        "palette": list(body.palette),
        "edges": dict(body.edges),
        "sag": body.sag,
        "notes": list(body.notes),
    }


def _received(answer: dict[str, Any]) -> Body:
    x, y, z = answer["centre"]
    return Body(
        centre=(x, y, z),
        points=answer["points"].astype(np.float32),
        triangles=answer["triangles"].astype(np.uint32),
        colours=answer["colours"].astype(np.uint32),
        palette=tuple(answer["palette"]),
        edges={kind: answer["edges"][kind].astype(np.float32) for kind in EDGE_KINDS},
        sag=answer["sag"],
        notes=tuple(answer["notes"]),
    )
