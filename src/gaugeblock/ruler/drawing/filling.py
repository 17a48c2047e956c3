"""One attempt at a sheet: views placed at a scale, then lines, dimensions, notes, the picture.

In this order: lengths to views and sides, room around each view, views to the paper, lines of the
part, centre lines, marks of sections, stacked dimensions, then all that points at something, the
most hemmed in first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gaugeblock.ruler.drawing import pointing
from gaugeblock.ruler.drawing.assigning import Assigned, Side, assigned
from gaugeblock.ruler.drawing.canvas import Canvas, Filled
from gaugeblock.ruler.drawing.centre_lines import BEYOND, centre_lines
from gaugeblock.ruler.drawing.collisions import chords
from gaugeblock.ruler.drawing.detail_views import draw_detail, encircle
from gaugeblock.ruler.drawing.details import layer_of, split_off
from gaugeblock.ruler.drawing.frame import drawing_area, frame, scale_text, title_area
from gaugeblock.ruler.drawing.hole_table import draw_table
from gaugeblock.ruler.drawing.ink import LIFT, label_box
from gaugeblock.ruler.drawing.layout import moved, placed
from gaugeblock.ruler.drawing.leaders import Outline, best_column
from gaugeblock.ruler.drawing.lettering import DESCENT, fitted, width
from gaugeblock.ruler.drawing.paper import Paper
from gaugeblock.ruler.drawing.picture import place_picture
from gaugeblock.ruler.drawing.rooms import PLAIN_ROOM, TITLE_LETTERS, Job, Rooms, Size, Stacks
from gaugeblock.ruler.drawing.running import BEND
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
from gaugeblock.ruler.views.shapes import Point

NOTE_LETTERS, NOTE_PITCH, ABOVE_TITLE = 3.0, 5.7, 3.0
"""Height and pitch of general notes, and their distance from the title block, mm."""

DROPPED = 0.1
"""Part of the lengths, the least important ones, that goes at a time where views do not fit."""


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
        self.rooms = Rooms(job, size)
        low, high = drawing_area(size.format, size.landscape)
        title = title_area(size.format, size.landscape)
        self.low, self.high = low, high
        super().__init__(Paper(low, high, [title]), size.factor)
        self.title = title
        self.left_off: list[str] = []
        self.unseen: list[str] = []
        self.letters: list[list[Label]] = []
        self.origins: dict[str, Point] = {}

    def run(self) -> Filled | None:
        job = self.job
        found, lost = assigned(job.wishes.linear, job.views, self.scale, self.rooms.inner())
        instead = [wish.otherwise for wish in lost if wish.otherwise is not None]
        lost = [wish for wish in lost if wish.otherwise is None]
        found, details = split_off(found, self.scale)
        origins, found, stacks = self._arranged(found)
        if origins is None or (self.size.running and not self.size.forced and not _runs(stacks)):
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
        for table in job.wishes.tables:
            self.left_off += draw_table(self, table, job.views, self.origins)
        for view in job.views:
            for wish in (a for a in found if a.view is view and a.side == "column"):
                self._column(wish)
        for detail in details:
            encircle(self, detail, self.origins[detail.view.id])
        self._pointing(instead)
        placed_views = [self._placed(view, self.origins[view.id], self.scale) for view in job.views]
        for placed_view in placed_views:
            self.shut(placed_view)
        for detail in details:
            enlarged = draw_detail(self, detail, self.height)
            if enlarged is None:
                self.left_off += [item.wish.text for item in detail.items]
            else:
                placed_views.append(enlarged)
                self.shut(enlarged)
        pictured = self._picture(placed_views)
        return Filled(
            self._sheet(placed_views),
            self.wishes,
            self.paper,
            self.left_off,
            [wish.text for wish in lost] + self.unseen,
            pictured,
        )

    def _arranged(
        self, found: list[Assigned]
    ) -> tuple[dict[str, Point] | None, list[Assigned], Stacks]:
        """Return where the zeros of the views stand, which lengths are kept, and their stacks.

        Where the views do not fit, lengths are left off if the sheet is forced; else there is None.
        """
        corner = (self.title.at[0] - 0.5 * self.title.width, self._notes_top())
        while True:
            stacks = self.rooms.stacks(found)
            rooms = {v.place: self.rooms.room(v, stacks, found) for v in self.job.views}
            origins = placed(
                rooms,
                self.job.convention,
                self.low,
                self.high,
                corner,
                self.rooms.table_room(),
            )
            if origins is not None or not self.size.forced or not found:
                return origins, found, stacks
            order = sorted(range(len(found)), key=lambda n: (found[n].wish.rank, n))
            keep = set(order[: int((1.0 - DROPPED) * len(order))])
            self.left_off += [a.wish.text for n, a in enumerate(found) if n not in keep]
            found = [a for n, a in enumerate(found) if n in keep]

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
        x = self.title.at[0] - 0.5 * self.title.width
        y = self.title.at[1] + 0.5 * self.title.height + ABOVE_TITLE
        for line in reversed(self.job.wishes.printed):
            shown = fitted(line, NOTE_LETTERS, self.title.width)
            self.print(Label(at=(x, y), text=shown, height=NOTE_LETTERS))
            y += NOTE_PITCH

    def _notes_top(self) -> float:
        """Return the y up to which the title block and the general notes above it reach."""
        top = self.title.at[1] + 0.5 * self.title.height
        lines = len(self.job.wishes.printed)
        return top + (ABOVE_TITLE + lines * NOTE_PITCH if lines else 0.0)

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
            if lane.origin is not None:
                self.keep(self._running(item, lane.origin + origin[n], line, along, sign), wish)
                continue
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
            self.keep(dim, wish)

    def _running(
        self, item: Assigned, start: float, line: float, along: float, sign: float
    ) -> LinearDim:
        """Return one of several dimensions along one line."""
        n = item.across
        points = sorted(
            (self.at(p, self.origins[item.view.id]) for p in item.points),
            key=lambda p: abs(p[n] - start),
        )
        text = line + sign * (BEND + 0.5 * width(item.wish.text, self.height))
        return LinearDim(
            view=item.view.id,
            text=item.wish.text,
            text_at=(along, text) if n == 0 else (text, along),
            text_angle=0.5 * math.pi if n == 0 else 0.0,
            height=self.height,
            features=item.wish.features,
            points=(points[0], points[1]),
            line_at=(start, line) if n == 0 else (line, start),
            angle=0.0 if n == 0 else 0.5 * math.pi,
            diameter=item.wish.diameter,
            running=True,
        )

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
            self.keep(dim, item.wish)

    def _pointing(self, more: Sequence[Note]) -> None:
        outlines = [self._outline(view) for view in self.job.views]
        desk = pointing.Desk(
            self.paper, self.job.views, self.origins, self.scale, self.height, outlines
        )
        for wish in [*pointing.ordered(self.job.wishes), *more]:
            dim = pointing.pointed(desk, wish)
            if dim is not None:
                self.keep(dim, wish)
            elif pointing.shown(self.job.views, wish):
                self.left_off.append(wish.text)
            else:
                self.unseen.append(wish.text)

    def _outline(self, view: View) -> Outline:
        origin = self.origins[view.id]
        seen = [moved(c.shape, self.scale, origin) for c in view.curves if c.visible]
        return Outline(
            self.at(view.box[0], origin),
            self.at(view.box[1], origin),
            np.concatenate([np.empty((0, 4)), *map(chords, seen)]),
        )

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
        self.shut(views[-1])
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


def _runs(stacks: Stacks) -> bool:
    """Whether some dimensions run from one origin; else the sheet is the one without any."""
    return any(lane.origin is not None for _, lanes in stacks.values() for lane in lanes)
