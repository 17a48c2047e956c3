"""Measurement records for tests, made of plain facts."""

from gaugeblock.records.measurement import (
    Bounds,
    Check,
    Counts,
    CrossCheck,
    FileFacts,
    Measurement,
    SolidFacts,
    Stray,
    Topology,
    Totals,
    Validity,
    Versions,
    Volume,
)

SHA = "a" * 64


def solid(index=0, *, name="box", volume=1000.0, faces=6, bounds=None, valid=True, error=1e-9):
    """One solid; `volume` None: could not be measured."""
    ok = Check(ok=True)
    measured = volume is not None
    return SolidFacts(
        index=index,
        name=name,
        path=[],
        colour=None,
        valid=valid,
        validity=Validity(
            brepcheck=Check(ok=valid, why=None if valid else "open wire"),
            volume_positive=ok,
            shells_closed=ok,
            mesh_closed_orientable=ok,
        ),
        volume=Volume(
            value=volume,
            method="gauss",
            error_estimate=error if measured else None,
            cross_check=CrossCheck(method="mesh", value=None, error_estimate=None, agrees=None),
            verdict="measured" if measured else "could-not-measure",
            reason=None if measured else "the two methods disagree",
        ),
        area=None,
        centroid=None,
        bounds=made_bounds(bounds),
        counts=Counts(shells=1, faces=faces, edges=12, vertices=8),
        surfaces={},
        topology=Topology(euler=None, genus=None, betti=None, reason="not needed here"),
    )


def made_bounds(bounds):
    low, high = bounds or ([0, 0, 0], [10, 10, 10])
    return Bounds(min=tuple(low), max=tuple(high))


def measurement(*solids, occupied=None, stray_faces=0, stray_edges=0, sha=SHA, valid=None):
    """A measured file; `valid` overrides what the solids say."""
    volumes = [item.volume.value for item in solids]
    known = None not in volumes
    validities = {item.valid for item in solids}
    whole = None if None in validities else bool(solids) and validities == {True}
    totals = Totals(
        solids=len(solids),
        shells=len(solids),
        faces=sum(item.counts.faces for item in solids),
        edges=0,
        volume=sum(volumes) if known else None,
        volume_reason=None if known else "a solid has none",
        occupied_volume=occupied,
        bounds=_hull([item.bounds for item in solids]),
        valid=whole if valid is None else valid,
        names=[item.name for item in solids],
    )
    return Measurement(
        verdict="measured",
        file=FileFacts(name="part.step", sha256=sha, bytes=1),
        solids=list(solids),
        totals=totals,
        stray=Stray(shells=0, faces=stray_faces, edges=stray_edges),
        versions=Versions(ocp=None, numpy=None),
    )


def refused(code="timeout", reason="took longer than 120 s"):
    """A file the ruler could not measure."""
    return Measurement(
        verdict="could-not-measure",
        code=code,
        reason=reason,
        file=FileFacts(name="part.step", sha256=SHA, bytes=1),
        versions=Versions(ocp=None, numpy=None),
    )


def of_facts(facts):
    """The measurement of what `modelling.py` says of one program."""
    return measurement(
        *(
            solid(
                index,
                name=item["name"],
                volume=item["volume"],
                faces=item["faces"],
                bounds=item["bounds"],
                valid=item["valid"],
            )
            for index, item in enumerate(facts["solids"])
        )
    )


def _hull(boxes):
    if not boxes:
        return None
    low = [min(box.min[axis] for box in boxes) for axis in range(3)]
    high = [max(box.max[axis] for box in boxes) for axis in range(3)]
    return made_bounds((low, high))
