"""One attempt at a sheet: views placed at a scale, then lines, dimensions, notes, the picture.

In this order: lengths to views and sides, room around each view, views to the paper, lines of the
part, centre lines, marks of sections, stacked dimensions, then all that points at something, the
most hemmed in first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from gaugeblock.ruler.drawing import pointing
from gaugeblock.ruler.drawing.assigning import Assigned, Side, assigned
from gaugeblock.ruler.drawing.canvas import Canvas, Filled
from gaugeblock.ruler.drawing.centre_lines import BEYOND, centre_lines
from gaugeblock.ruler.drawing.collisions import table_boxes
from gaugeblock.ruler.drawing.details import (
    Detail,
    around,
    block_of,
    clipped,
    dims_of,
    layer_of,
    place_block,
    split_off,
)
from gaugeblock.ruler.drawing.frame import drawing_area, frame, scale_text, title_area
from gaugeblock.ruler.drawing.hole_table import place_label, place_table, table_of
from gaugeblock.ruler.drawing.ink import LIFT, label_box
from gaugeblock.ruler.drawing.layout import moved, placed
from gaugeblock.ruler.drawing.leaders import best_column
from gaugeblock.ruler.drawing.lettering import DESCENT, fitted
from gaugeblock.ruler.drawing.paper import Paper
from gaugeblock.ruler.drawing.picture import place_picture
from gaugeblock.ruler.drawing.rooms import PLAIN_ROOM, TITLE_LETTERS, Job, Rooms, Size
from gaugeblock.ruler.drawing.sections import mark
from gaugeblock.ruler.drawing.seen import View
from gaugeblock.ruler.drawing.sheet import (
    Hatch,
    Label,
    LinearDim,
    PlacedView,
    Sheet,
    Stroke,
)
from gaugeblock.ruler.drawing.stacking import Stacked, pitch
from gaugeblock.ruler.drawing.wishes import Note
from gaugeblock.ruler.views.shapes import TURN, Arc, Point

LEAST_CIRCLE = 3.0
"""Radius of the circle that marks a detail, mm."""


def filled(job: Job, size: Size) -> Filled | None:
    """Return a sheet of a given size and scale, or None where the views do not fit.

    Args:
        job: What is to be drawn.
        size: Format and scale.
    """
    return _Filling(job, size).run()


class _Filling(Canvas):
    def __init__(self, job: Job, size: Size) -> None:
        self.job, self.size = job, size
        self.height = size.height
        self.rooms = Rooms(job, size.factor, self.height)
        low, high = drawing_area(size.format, size.landscape)
        title = title_area(size.format, size.landscape)
        self.low, self.high = low, high
        super().__init__(Paper(low, high, [title]), size.factor)
        self.title = title
        self.left_off: list[str] = []
        self.letters: list[list[Label]] = []
        self.origins: dict[str, Point] = {}

    def run(self) -> Filled | None:
        job = self.job
        found, lost = assigned(job.wishes.linear, job.views, self.scale, self.rooms.inner())
        instead = [wish.otherwise for wish in lost if wish.otherwise is not None]
        lost = [wish for wish in lost if wish.otherwise is None]
        found, details = split_off(found, self.scale)
        stacks = self.rooms.stacks(found)
        rooms = {view.place: self.rooms.room(view, stacks, found) for view in job.views}
        floor = self.title.at[1] + 0.5 * self.title.height
        high = (self.high[0] - self.rooms.table_room(), self.high[1])
        origins = placed(rooms, job.convention, (self.low[0], floor), high)
        if origins is None:
            return None
        self.origins = {view.id: origins[view.place] for view in job.views}
        for view in job.views:
            self._draw(view)
        self._marks()
        self._general_notes()
        for (view_id, side), (items, lanes) in stacks.items():
            self._stack(view_id, side, items, lanes)
        self._letters()
        for view in job.views:
            self._title(view)
        self._tables()
        for view in job.views:
            for wish in (a for a in found if a.view is view and a.side == "column"):
                self._column(wish)
        for detail in details:
            self._encircle(detail)
        self._pointing(instead)
        placed_views = [self._placed(view, self.origins[view.id], self.scale) for view in job.views]
        for placed_view in placed_views:
            self.shut(placed_view)
        for detail in details:
            self._detail(detail, placed_views)
        pictured = self._picture(placed_views)
        return Filled(
            self._sheet(placed_views), self.left_off, [wish.text for wish in lost], pictured
        )

    # Lines

    def _draw(self, view: View) -> None:
        origin = self.origins[view.id]
        strokes = [
            Stroke(layer=layer_of(curve), shape=moved(curve.shape, self.scale, origin))
            for curve in view.curves
            if curve.kind != "smooth"
        ]
        rings = [r for r in self.job.wishes.round if r.pitch]
        for stroke in centre_lines(self.job.subject, view, self.scale, rings):
            strokes.append(
                stroke.model_copy(update={"shape": moved(stroke.shape, self.scale, origin)})
            )
        if view.loops:
            loops = tuple(
                tuple(moved(shape, self.scale, origin) for shape in loop) for loop in view.loops
            )
            self.hatches.append(
                Hatch(loops=loops, spacing=2.5 if view.size * self.scale < 150 else 4.0)
            )
            self.paper.add_hatch(self.hatches[-1])
        self.ink(strokes)

    def _marks(self) -> None:
        section = self.job.section
        if section is None:
            return
        for view in self.job.views:
            if view.place == section.parent:
                strokes, letters = mark(view, section.cut, self.scale, self.origins[view.id])
                self.ink(strokes)
                self.letters += letters

    def _letters(self) -> None:
        """Print the letters of sections where the dimensions leave room."""
        for places in self.letters:
            free = [label for label in places if self.paper.free(label_box(label), 0.3)]
            self.print(free[0] if free else places[0])

    def _tables(self) -> None:
        for wish in self.job.wishes.tables:
            shown = [v for v in self.job.views if v.depth == wish.axis]
            table = None if not shown else place_table(self.paper, table_of(wish, shown[0]))
            if table is None:
                self.left_off.append("table of holes")
                continue
            self.tables.append(table)
            for _, box in table_boxes(table):
                self.paper.add_box(box)
            for item in wish.marks:
                at = self.at(shown[0].at(item.centre), self.origins[shown[0].id])
                label = place_label(self.paper, item.label, at, self.scale * item.radius)
                if label is None:
                    self.left_off.append(item.label)
                else:
                    self.print(label)

    def _title(self, view: View) -> None:
        if view.title is None:
            return
        (a, _), (c, d) = view.box
        origin = self.origins[view.id]
        x = origin[0] + 0.5 * self.scale * (a + c)
        y = origin[1] + self.scale * d + max(BEYOND, PLAIN_ROOM) + 2.0
        label = Label(at=(x, y), text=view.title, height=TITLE_LETTERS, anchor="middle")
        for _ in range(40):
            if self.paper.free(label_box(label)):
                break
            label = label.model_copy(update={"at": (x, label.at[1] + 2.0)})
        self.print(label)

    def _general_notes(self) -> None:
        """Print general notes above the title block's left end, or beside it."""
        lines = self.job.wishes.printed
        if not lines:
            return
        height = min(self.height, 2.5) + 0.5
        x = self.title.at[0] - 0.5 * self.title.width
        y = self.title.at[1] + 0.5 * self.title.height + 3.0
        for line in reversed(lines):
            shown = fitted(line, height, self.title.width)
            label = Label(at=(x, y), text=shown, height=height)
            self.print(label)
            y += 1.9 * height

    # Dimensions

    def _stack(
        self, view_id: str, side: Side, items: Sequence[Assigned], lanes: Sequence[Stacked]
    ) -> None:
        view = items[0].view
        origin = self.origins[view_id]
        (a, b), (c, d) = view.box
        edge = {"left": a, "right": c, "below": b, "above": d}[side]
        sign = 1.0 if side in ("above", "right") else -1.0
        n = 0 if side in ("below", "above") else 1
        aside = LIFT + 0.5 * self.height * (1.0 + DESCENT)
        for item, lane in zip(items, lanes, strict=True):
            away = self.rooms.start(view, side) + lane.lane * pitch(self.height)
            line = origin[1 - n] + self.scale * edge + sign * away
            along = origin[n] + lane.middle
            points = tuple(self.at(p, origin) for p in item.points)
            wish = item.wish
            dim = LinearDim(
                view=view_id,
                text=wish.text,
                text_at=(along, line + aside) if n == 0 else (line - aside, along),
                text_angle=0.0 if n == 0 else 0.5 * math.pi,
                height=self.height,
                features=wish.features,
                points=(points[0], points[1]),
                line_at=(along, line) if n == 0 else (line, along),
                angle=0.0 if n == 0 else 0.5 * math.pi,
                diameter=wish.diameter,
            )
            self.keep(dim)

    def _column(self, item: Assigned) -> None:
        origin = self.origins[item.view.id]
        points = [self.at(p, origin) for p in item.points]
        assert item.wish.column is not None
        xs = sorted(origin[0] + self.scale * item.view.value(0, x) for x in item.wish.column)
        dim = best_column(
            self.paper,
            item.view.id,
            (points[0], points[1]),
            (xs[0], xs[1]),
            item.wish.text,
            self.height,
            item.wish.features,
        )
        if dim is None:
            self.left_off.append(item.wish.text)
        else:
            self.keep(dim)

    def _pointing(self, more: Sequence[Note]) -> None:
        outlines = {
            view.id: (
                self.at(view.box[0], self.origins[view.id]),
                self.at(view.box[1], self.origins[view.id]),
            )
            for view in self.job.views
        }
        desk = pointing.Desk(
            self.paper, self.job.views, self.origins, self.scale, self.height, outlines
        )
        for wish in [*pointing.ordered(self.job.wishes), *more]:
            dim = pointing.pointed(desk, wish)
            if dim is None:
                self.left_off.append(wish.text)
            else:
                self.keep(dim)

    # Details

    def _encircle(self, detail: Detail) -> None:
        """Mark what a detail shows in its view."""
        at = self.at(detail.centre, self.origins[detail.view.id])
        radius = max(self.scale * detail.radius, LEAST_CIRCLE)
        circle = Arc(centre=at, radius=radius, start=0.0, sweep=TURN)
        self.ink([Stroke(layer="dimension", shape=circle)])
        places = [
            Label(
                at=p, text=detail.letter, height=TITLE_LETTERS, anchor="middle", baseline="middle"
            )
            for p in around(at, radius)
        ]
        free = [label for label in places if self.paper.free(label_box(label), 0.3)]
        self.print(free[0] if free else places[0])

    def _detail(self, detail: Detail, views: list[PlacedView]) -> None:
        """Draw a detail with its dimensions where there is room for it."""
        block = block_of(detail, self.height)
        middle = place_block(self.paper, block)
        if middle is None:
            self.left_off += [item.wish.text for item in detail.items]
            return
        scale = detail.scale[0] / detail.scale[1]
        origin = (middle[0] - scale * detail.centre[0], middle[1] - scale * detail.centre[1])
        radius = scale * detail.radius
        strokes = [
            Stroke(layer=layer, shape=moved(shape, scale, origin))
            for layer, shape in clipped(detail)
        ]
        circle = Arc(centre=middle, radius=radius, start=0.0, sweep=TURN)
        self.ink([*strokes, Stroke(layer="dimension", shape=circle)])
        title = f"{detail.letter} ({scale_text(detail.scale)})"
        at = (middle[0], middle[1] + block.above - TITLE_LETTERS - 1.0)
        self.print(Label(at=at, text=title, height=TITLE_LETTERS, anchor="middle"))
        for dim in dims_of(detail, origin, self.height):
            self.keep(dim)
        corners = (
            (middle[0] - radius, middle[1] - radius),
            (middle[0] + radius, middle[1] + radius),
        )
        views.append(
            PlacedView(
                id=f"detail-{detail.letter}",
                camera=detail.view.camera,
                origin=origin,
                scale=scale,
                title=title,
                box=corners,
                method=detail.view.method,
            )
        )
        self.shut(views[-1])

    # The whole

    def _picture(self, views: list[PlacedView]) -> bool:
        if self.job.picture is None:
            return True
        found = place_picture(self.job.picture, self.paper, self.scale)
        if found is None:
            return False
        origin, scale = found
        view = self.job.picture
        for curve in view.curves:
            self.strokes.append(
                Stroke(layer=layer_of(curve), shape=moved(curve.shape, scale, origin))
            )
        views.append(self._placed(view, origin, scale))
        return True

    def _placed(self, view: View, origin: Point, scale: float) -> PlacedView:
        cut = None
        if view.cut is not None:
            x, y, z = (float(v) for v in view.cut.normal)
            cut = (x, y, z, view.cut.distance)
        (a, b), (c, d) = view.box
        return PlacedView(
            id=view.id,
            camera=view.camera,
            origin=origin,
            scale=scale,
            title=view.title,
            cut=cut,
            box=(
                (origin[0] + scale * a, origin[1] + scale * b),
                (origin[0] + scale * c, origin[1] + scale * d),
            ),
            method=view.method,
        )

    def _sheet(self, views: list[PlacedView]) -> Sheet:
        size = self.size
        lines, texts = frame(
            size.format,
            size.landscape,
            self.job.title,
            scale_text(size.scale),
            self.job.convention,
        )
        return Sheet(
            format=size.format,
            landscape=size.landscape,
            convention=self.job.convention,
            scale=size.scale,
            title=self.job.title,
            views=tuple(views),
            strokes=tuple(lines + self.strokes),
            labels=tuple(texts + self.labels),
            hatches=tuple(self.hatches),
            dims=tuple(self.dims),
            tables=tuple(self.tables),
            notes=self.job.notes,
        )
