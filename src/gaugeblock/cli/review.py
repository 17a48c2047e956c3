"""``gaugeblock review pack, serve, import``: quality that people judge without knowing whose."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gaugeblock.cli.console import plain, print_json, progress
from gaugeblock.cli.outputs import require_new_file, require_new_folder, require_open_folder
from gaugeblock.records.errors import CouldNotMeasure

if TYPE_CHECKING:
    from gaugeblock.records.review import NotShown
    from gaugeblock.ruler import Ruler
    from gaugeblock.running.reviewing import Subject
    from gaugeblock.web.review.packing import Shown

VIEWS = ("front", "right", "iso")
"""The fixed views of a sample."""

SIZE = 800
"""Side of a picture in pixels."""

SECONDS = 120.0
"""Time ceiling of one artifact's pictures, s."""

RUNS = typer.Argument(..., metavar="RUN…", help="Folders of closed runs.")
JSON = typer.Option(False, "--json", help="Print the answer as JSON.")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(help="Blind visual review: pack, serve, import.", no_args_is_help=True)
    group.command(name="pack")(pack)
    group.command(name="serve")(serve)
    group.command(name="import")(import_)
    app.add_typer(group, name="review")


def pack(
    runs: list[Path] = RUNS,
    out: Path = typer.Option(..., "--out", metavar="DIR", help="The pack's folder, made anew."),
    mapping: Path | None = typer.Option(
        None,
        "--mapping",
        metavar="FILE",
        help="Whose each number is; keep it. Default: beside DIR, as DIR.mapping.private.json.",
    ),
    duplicates: int = typer.Option(
        0, "--duplicates", min=0, metavar="K", help="Artifacts that stand under two numbers."
    ),
    seed: int | None = typer.Option(None, "--seed", help="Of the order; default: drawn by lot."),
    as_json: bool = JSON,
) -> None:
    """Write what reviewers see: samples under numbers, in random order, without any name.

    Example: gaugeblock review pack runs/first --out review-1 --duplicates 2

    Exit code 3 if no artifact can be shown, or if the pack would tell whose work it holds.
    """
    from gaugeblock.analysis.points import REVIEWED_SUITES

    pack_runs(runs, out, mapping, duplicates, seed, REVIEWED_SUITES, as_json=as_json)


def pack_runs(
    runs: Sequence[Path],
    out: Path,
    mapping: Path | None,
    duplicates: int,
    seed: int | None,
    suites: Collection[str],
    *,
    as_json: bool = False,
) -> None:
    """Pack the deliveries of some suites; arguments as of `pack`."""
    import secrets

    from gaugeblock.records.review import MAPPING
    from gaugeblock.running.reviewing import labels_of, reviewable_runs, subjects
    from gaugeblock.web.review.packing import ordered, require_apart, write_pack

    mapping = mapping or out.with_name(f"{out.name}.{MAPPING}")
    require_new_folder("--out", out)
    require_apart(out, mapping)
    if mapping.parent != out.parent or out.parent.is_dir():  # else it is made with the pack
        require_new_file("--mapping", mapping, mend="an old mapping is never overwritten")
    seed = secrets.randbits(32) if seed is None else seed
    opened = reviewable_runs(runs)
    found = subjects(opened, suites)
    with progress() as bar:
        task = bar.add_task("drawing", total=len(found))
        shown, not_shown = _shown(found, lambda: bar.advance(task))
    if not shown:
        raise CouldNotMeasure(f"no artifact can be shown ({not_shown[0].reason})")
    from gaugeblock.ruler.views.turntable import frame

    places = ordered(shown, seed, duplicates)
    made = write_pack(
        places, not_shown, labels_of(opened), frame(), seed=seed, out=out, mapping=mapping
    )
    if as_json:
        print_json(
            {
                "pack": str(out),
                "mapping": str(mapping),
                "samples": len(made.samples),
                "artifacts": len(shown),
                "not_shown": [item.model_dump(mode="json") for item in not_shown],
            }
        )
        return
    typer.echo(f"{len(made.samples)} samples of {len(shown)} artifacts: {plain(str(out))}")
    typer.echo(f"keep from the reviewers: {plain(str(mapping))}")
    for item in not_shown:
        typer.echo(f"  not shown: {plain(f'{item.trial} {item.round}: {item.reason}')}")
    typer.echo(f"next: gaugeblock review serve {plain(str(out))}")


def _shown(
    found: Sequence[Subject], advance: Callable[[], None]
) -> tuple[list[Shown], list[NotShown]]:
    """Draw every artifact; what cannot be drawn is told, not left out silently."""
    from gaugeblock.records.review import NotShown
    from gaugeblock.ruler import Ruler

    shown: list[Shown] = []
    not_shown: list[NotShown] = []
    with Ruler() as ruler:
        for subject in found:
            try:
                shown.append(_drawn(ruler, subject))
            except (CouldNotMeasure, ValueError) as error:
                values = subject.origin.model_dump()
                not_shown.append(NotShown(**values, reason=str(error)))
            advance()
    return shown, not_shown


def _drawn(ruler: Ruler, subject: Subject) -> Shown:
    """Return one artifact's pictures: colours and edges, and no word out of its file."""
    from gaugeblock.ruler.picture.views import png
    from gaugeblock.ruler.views.cameras import CAMERAS
    from gaugeblock.ruler.views.shading import Shading
    from gaugeblock.ruler.views.turntable import turntable
    from gaugeblock.web.review.packing import Picture, Shown

    cameras = [CAMERAS[name] for name in VIEWS]
    views = ruler.views(subject.path, cameras[:1], wall_s=SECONDS)
    if isinstance(views.body, str):
        raise CouldNotMeasure(views.body)
    shading = Shading(views.body)
    pictures = []
    for camera in cameras:
        drawn = shading.draw(camera, SIZE)
        pictures.append(
            Picture(camera.name, camera.direction, camera.up, drawn.scale, png(drawn.pixels))
        )
    page = turntable(views.body).encode()
    return Shown(
        subject.origin, subject.brief, tuple(pictures), page, (*views.notes, *views.body.notes)
    )


def serve(
    folder: Path = typer.Argument(..., metavar="DIR", help="A pack."),
    port: int = typer.Option(8765, "--port", min=0, max=65535, help="0: any free one."),
) -> None:
    """Show a pack in the browser of this machine and take scores; nobody else can reach it.

    Example: gaugeblock review serve review-1

    Each saved review is a file in the pack: samples/NNN/review.json. Ctrl-C ends it.
    """
    from gaugeblock.web.review.serving import listening, open_pack
    from gaugeblock.web.review.serving import serve as run

    opened = open_pack(folder)
    require_open_folder(folder)
    bound = listening(port)
    host, found = bound.getsockname()[:2]
    typer.echo(f"{len(opened.pack.samples)} samples: http://{host}:{found}/  (Ctrl-C ends)")
    try:
        run(opened, bound)
    except KeyboardInterrupt:
        typer.echo("ended; what was saved is in the pack")


def import_(
    runs: list[Path] = RUNS,
    reviews: list[Path] = typer.Option(
        ..., "--reviews", metavar="DIR", help="A pack as a reviewer gave it back; once for each."
    ),
    mapping: Path = typer.Option(..., "--mapping", metavar="FILE", help="The pack's mapping."),
    as_json: bool = JSON,
) -> None:
    """Write reviews into their runs as amendments; nothing is written unless all are valid.

    Example: gaugeblock review import runs/first --reviews review-1
    --mapping review-1.mapping.private.json

    Exit code 1 if an artifact, a picture or a hash is not the one that was packed.
    """
    from dataclasses import asdict

    from gaugeblock.records.review import HIGHEST
    from gaugeblock.running.reviewing import import_reviews

    for run in runs:
        require_open_folder(run)
    done = import_reviews(runs, reviews, mapping)
    if as_json:
        told = [item.model_dump(mode="json") for item in done.consistency]
        print_json({**asdict(done), "consistency": told})
        return
    known = f"; {done.known} were there already" if done.known else ""
    typer.echo(f"{done.written} reviews imported{known}")
    for item in done.consistency:
        typer.echo(
            f"  {plain(item.reviewer)}: {item.pairs} duplicates, scores "
            f"{item.mean_difference:.2f} of {HIGHEST} apart in the mean"
        )
    if done.waiting:
        typer.echo(f"  {done.waiting} artifacts wait for a review by a person: quality is pending")
