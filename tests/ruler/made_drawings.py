"""Drawings as other offices make them, with sizes that are known by construction."""

from __future__ import annotations

import io
from typing import Any

import ezdxf
import ezdxf.math
import ezdxf.render
from ezdxf.document import Drawing
from ezdxf.enums import TextEntityAlignment
from reportlab.pdfgen.canvas import Canvas

MM = 72.0 / 25.4


def new(insunits: int = 4) -> Drawing:
    doc = ezdxf.new("R2010", setup=True)
    doc.header["$INSUNITS"] = insunits
    return doc


def linear(doc: Drawing, long: float, text: str = "", at: float = 0.0, **override: Any) -> Any:
    """A level dimension between two points `long` apart in the file's units."""
    dim = doc.modelspace().add_linear_dim(
        base=(0, at + 10),
        p1=(0, at),
        p2=(long, at),
        text=text,
        dimstyle="Standard",
        override=override,
    )
    dim.render()
    return dim.dimension


def mechanical(doc: Drawing) -> None:
    """One of each kind, in the habits of AutoCAD Mechanical: half scale, stacked deviations."""
    space = doc.modelspace()
    half = {"dimlfac": 2.0, "dimdec": 2, "dimzin": 8}
    linear(doc, 50.0, **half)  # 100
    linear(doc, 20.0, r"<>{\H0.7x;\S+0.2^ -0.1;}", 30, **half)  # 40
    linear(doc, 10.0, "%%c<> H7", 60, **half)  # ⌀20 H7
    linear(doc, 15.0, "", 90, **half, dimtol=1, dimtp=0.1, dimtm=0.1)  # 30 ±0.1
    linear(doc, 16.0, "", 120, **half, dimlim=1, dimtp=0.0, dimtm=0.05)  # 32 0/−0.05
    linear(doc, 12.5, "", 150, **half, dimpost="%%c<>")  # ⌀25
    space.add_aligned_dim(
        dimstyle="Standard", p1=(0, 0), p2=(15, 20), distance=5, override=half
    ).render()  # 50
    space.add_diameter_dim(
        dimstyle="Standard", center=(0, 0), radius=4, angle=30, text="4x <>", override=half
    ).render()
    space.add_radius_dim(
        dimstyle="Standard", center=(9, 9), radius=2.5, angle=45, override=half
    ).render()  # R5
    space.add_angular_dim_3p(
        dimstyle="Standard", base=(0, 30), center=(0, 0), p1=(9, 0), p2=(0, 9)
    ).render()  # 90°
    space.add_angular_dim_2l(
        dimstyle="Standard",
        base=(20, 4),
        line1=((0, 0), (30, 0)),
        line2=((0, 0), (30, 30)),
        override={"dimadec": 1},
    ).render()  # 45°
    space.add_ordinate_x_dim(
        (17, 0), (0, 20), origin=(0, 0), dimstyle="Standard", override=half
    ).render()  # 34


MECHANICAL = [
    ("length", 100.0, 1, None, None),
    ("length", 40.0, 1, -0.1, 0.2),
    ("diameter", 20.0, 1, 0.0, 0.021),
    ("length", 30.0, 1, -0.1, 0.1),
    ("length", 32.0, 1, -0.05, 0.0),
    ("diameter", 25.0, 1, None, None),
    ("length", 50.0, 1, None, None),
    ("diameter", 16.0, 4, None, None),
    ("radius", 5.0, 1, None, None),
    ("angle", 90.0, 1, None, None),
    ("angle", 45.0, 1, None, None),
    ("length", 34.0, 1, None, None),
]
"""What `mechanical` dimensions, in its order."""


def notes(doc: Drawing) -> None:
    """Call-outs at leaders and free, and a title block ruled around its numbers."""
    space = doc.modelspace()
    note = space.add_mtext(r"4x %%c8 \U+21A716", dxfattribs={"insert": (50, 50), "char_height": 3})
    space.add_leader(
        [(0, 0), (40, 50)],
        dxfattribs={"annotation_type": 0, "annotation_handle": note.dxf.handle},
    )
    builder = space.add_multileader_mtext("Standard")
    builder.set_content("M8x1.25")
    builder.add_leader_line(ezdxf.render.ConnectionSide.left, [ezdxf.math.Vec2(0, 0)])
    builder.build(insert=ezdxf.math.Vec2(20, 80))
    space.add_text("2x45%%d", height=3).set_placement((10, 10), align=TextEntityAlignment.LEFT)
    space.add_text("17", height=3).set_placement((200, 200))
    table(doc, (300.0, 0.0), [["R5", "1:2"], ["%%c12", "2024-05-03"]])


def table(doc: Drawing, at: tuple[float, float], rows: list[list[str]]) -> None:
    """Texts of 2.5 mm in cells of 30 × 5."""
    space = doc.modelspace()
    left, bottom = at
    wide, tall = 30.0 * len(rows[0]), 5.0 * len(rows)
    for row in range(len(rows) + 1):
        y = bottom + 5.0 * row
        space.add_line((left, y), (left + wide, y))
    for column in range(len(rows[0]) + 1):
        x = left + 30.0 * column
        space.add_line((x, bottom), (x, bottom + tall))
    for number, row in enumerate(rows):
        for column, text in enumerate(row):
            place = (left + 30.0 * column + 1.0, bottom + 5.0 * number + 1.2)
            space.add_text(text, height=2.5).set_placement(place)


def dxf_bytes(doc: Drawing) -> bytes:
    out = io.StringIO()
    doc.write(out)
    return out.getvalue().encode()


class PdfSheet:
    """A page in mm, drawn as CAD programs print: text as text, arrows filled."""

    def __init__(self, **settings: Any) -> None:
        self._out = io.BytesIO()
        self.canvas = Canvas(self._out, pagesize=(297 * MM, 210 * MM), invariant=1, **settings)
        self.canvas.scale(MM, MM)
        self.canvas.setLineWidth(0.25)

    def text(self, x: float, y: float, text: str, size: float = 5.0) -> None:
        self.canvas.setFont("Helvetica", size)
        self.canvas.drawString(x, y, text)

    def dimension(self, x: float, y: float, long: float, text: str, arrow: str = "filled") -> None:
        """A level dimension line from x to x + long with its text above the middle."""
        self.canvas.line(x, y, x + long, y)
        for tip, way in ((x, 1.0), (x + long, -1.0)):
            if arrow == "filled":
                path = self.canvas.beginPath()
                path.moveTo(tip, y)
                path.lineTo(tip + 3 * way, y + 0.5)
                path.lineTo(tip + 3 * way, y - 0.5)
                path.close()
                self.canvas.drawPath(path, stroke=0, fill=1)
            elif arrow == "tick":
                self.canvas.line(tip - 1, y - 1, tip + 1, y + 1)
        self.text(x + 0.5 * long - 3, y + 1, text)

    def bytes(self) -> bytes:
        self.canvas.showPage()
        self.canvas.save()
        return self._out.getvalue()
