"""Packs for the tests of review: stub pictures, so that no kernel is needed."""

import struct
import zlib

from gaugeblock.records.base import digest
from gaugeblock.records.review import Origin
from gaugeblock.ruler.views.turntable import frame
from gaugeblock.web.review.packing import Picture, Shown, ordered, write_pack

CAMERAS = {"front": (0.0, -1.0, 0.0), "right": (1.0, 0.0, 0.0), "iso": (0.6, -0.6, 0.52)}


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(*more: bytes) -> bytes:
    """One grey pixel, with further chunks between head and image."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    image = chunk(b"IDAT", zlib.compress(b"\0\x80\x80\x80"))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(more) + image + chunk(b"IEND", b"")


def shown(origin: Origin, brief: str = "Make a box.", notes: tuple[str, ...] = ()) -> Shown:
    views = tuple(Picture(name, way, (0, 0, 1), 2.0, png()) for name, way in CAMERAS.items())
    return Shown(origin, brief, views, frame().encode(), notes)


def origins(count: int, run: str = "a" * 64) -> list[Origin]:
    return [
        Origin(run=run, trial=f"{n:04d}.model-a.S1.r1", round="S1", artifact_sha256=digest(n))
        for n in range(count)
    ]


def pack_of(items, folder, *, seed=1, duplicates=0, labels=None):
    """Write a pack of `Shown` or origins; return pack and the mapping's path."""
    samples = [item if isinstance(item, Shown) else shown(item) for item in items]
    mapping = folder.with_name(f"{folder.name}.mapping.private.json")
    places = ordered(samples, seed, duplicates)
    pack = write_pack(places, [], labels or {}, frame(), seed=seed, out=folder, mapping=mapping)
    return pack, mapping
