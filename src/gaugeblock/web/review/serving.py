"""The page of a pack on this machine's own loopback, and the reviews it takes.

Nobody signs in, so nobody else may get in: only the loopback is listened on; a request under
another host's name is refused (a foreign page whose name was made to point here); what writes must
come from the page itself, as the Origin header says; and a sample's folder gives four named files.
"""

from __future__ import annotations

import hashlib
import socket
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from threading import Lock
from typing import Any

from pydantic import Field
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gaugeblock.records.base import Record
from gaugeblock.records.errors import DamagedEvidence, WrongUse
from gaugeblock.records.evidence import require_plain
from gaugeblock.records.review import (
    PACK,
    REVIEW,
    REVIEW_BYTES,
    TURNTABLE,
    Line,
    Method,
    Pack,
    Review,
    Sample,
    Scores,
    sample_folder,
)
from gaugeblock.records.store import file_sha256, write_atomic
from gaugeblock.web.review.page import page

LOOPBACK = "127.0.0.1"

KINDS = {".png": "image/png", ".html": "text/html; charset=utf-8"}

HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
}
"""Of every answer. What a page may load is in the page itself, as a content security policy."""

BOXED = {"Content-Security-Policy": "sandbox allow-scripts"}
"""Of a 3-D view: it runs, but as nobody: it reads nothing of the page and can save nothing."""


class Seen(Record):
    """What a page shows as saved."""

    scores: Scores
    notes: str = ""


class Said(Seen):
    """What the page sends; date, number and hash are the server's word."""

    reviewer: Line
    method: Method
    before: Seen | None = Field(default=None, description="What it replaces; none: nothing.")


@dataclass(frozen=True)
class OpenPack:
    """A pack whose files are those that were packed."""

    folder: Path
    pack: Pack

    def sample(self, number: int) -> Sample | None:
        """Return the sample of a number."""
        return {sample.number: sample for sample in self.pack.samples}.get(number)

    def review(self, number: int) -> Review | None:
        """Return what was said of a sample so far.

        Raises:
            WrongUse: the file is no review.
        """
        path = self.folder / sample_folder(number) / REVIEW
        if not path.is_file():
            return None
        if path.stat().st_size > REVIEW_BYTES:
            raise WrongUse(f"{path}: over {REVIEW_BYTES} bytes; no review is so long")
        return Review.load(path.read_bytes(), str(path))


def open_pack(folder: Path) -> OpenPack:
    """Read a pack and hold its pictures to their hashes.

    Raises:
        WrongUse: there is no pack here.
        DamagedEvidence: a picture is missing or another one, or there is a link.
    """
    if not (folder / PACK).is_file():
        raise WrongUse(f"{folder}: no {PACK} here, so this is no pack; see gaugeblock review pack")
    require_plain(folder)
    pack = Pack.load((folder / PACK).read_bytes(), str(folder / PACK))
    for sample in pack.samples:
        for name, expected in sample.files().items():
            path = folder / sample_folder(sample.number) / name
            if not path.is_file() or file_sha256(path) != expected:
                raise DamagedEvidence(f"{path}: not the picture that was packed")
    opened = OpenPack(folder, pack)
    for sample in pack.samples:
        opened.review(sample.number)
    return opened


def listening(port: int) -> socket.socket:
    """Return a socket that listens on the loopback; port 0 takes any free one.

    Raises:
        WrongUse: the port is taken.
    """
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((LOOPBACK, port))
        made.listen()  # who comes before the server is up waits
    except OSError as error:
        made.close()
        raise WrongUse(f"--port {port}: {error.strerror}; give another, or 0 for any") from error
    return made


def serve(pack: OpenPack, bound: socket.socket) -> None:
    """Serve a pack until interrupted."""
    import uvicorn

    config = uvicorn.Config(
        review_app(pack, bound.getsockname()[1]),
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        lifespan="off",
        ws="none",
    )
    uvicorn.Server(config).run(sockets=[bound])


def review_app(opened: OpenPack, port: int) -> ASGIApp:
    """Return the application; it answers under the loopback's names and this port only."""
    writing = Lock()

    async def index(_: Request) -> Response:
        return HTMLResponse(page(opened.pack, served=True))

    def reviews(_: Request) -> Response:
        try:
            found = [opened.review(sample.number) for sample in opened.pack.samples]
        except (WrongUse, OSError) as error:  # changed by another hand since the pack was opened
            return _told(str(error), 500)
        return JSONResponse([item.model_dump(mode="json") for item in found if item])

    def picture(request: Request) -> Response:
        sample, name = opened.sample(request.path_params["number"]), request.path_params["name"]
        known = {} if sample is None else sample.files()
        if sample is None or name not in known:
            return PlainTextResponse("no such picture", 404)
        try:
            data = (opened.folder / sample_folder(sample.number) / name).read_bytes()
        except OSError:
            return PlainTextResponse("the picture that was packed is gone", 409)
        if hashlib.sha256(data).hexdigest() != known[name]:
            return PlainTextResponse("not the picture that was packed", 409)
        boxed = BOXED if name == TURNTABLE else {}
        return Response(data, media_type=KINDS[Path(name).suffix], headers=boxed)

    async def save(request: Request) -> Response:
        if request.headers.get("content-type", "").partition(";")[0] != "application/json":
            return _told("only application/json is taken", 415)
        sample = opened.sample(request.path_params["number"])
        if sample is None:
            return _told("no such sample", 404)
        body = await request.body()
        return await run_in_threadpool(_saved, opened, sample, body, writing)

    routes = [
        Route("/", index),
        Route("/reviews", reviews),
        Route("/samples/{number:int}/{name}", picture),
        Route("/reviews/{number:int}", save, methods=["PUT"], max_body_size=REVIEW_BYTES),
    ]
    return _Guarded(Starlette(routes=routes), port)


def _saved(opened: OpenPack, sample: Sample, body: bytes, writing: Lock) -> Response:
    try:
        said = Said.load(body, "not saved")
        review = Review.build(
            {
                "sample": sample.number,
                "pack": opened.pack.id,
                "artifact_hash": sample.artifact_hash,
                "date": date.today(),
                **said.model_dump(exclude={"before"}),
            },
            "not saved",
        )
        with writing:
            before = opened.review(sample.number)
            if before is not None and before.reviewer != review.reviewer:
                return _told(
                    f"sample {sample.number} was reviewed by {before.reviewer}; a second reviewer "
                    "works on a copy of the pack of his own",
                    409,
                )
            stored = before and Seen(scores=before.scores, notes=before.notes)
            if stored is not None and stored != said.before:
                return _told(
                    f"sample {sample.number} was saved otherwise meanwhile, in another window: "
                    f"{', '.join(map(str, stored.scores.values()))}; save again to replace that",
                    409,
                    stored=stored.model_dump(mode="json"),
                )
            path = opened.folder / sample_folder(sample.number) / REVIEW
            write_atomic(path, review.pretty())
    except WrongUse as error:
        return _told(str(error), 422)
    except OSError as error:
        return _told(f"not saved: {error.strerror or error}", 500)
    return JSONResponse(review.model_dump(mode="json"))


def _told(words: str, status: int, **more: Any) -> Response:
    return JSONResponse({"error": words, **more}, status)


class _Guarded:
    """Turns away what does not come from the page itself, and marks every answer."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self.app = app
        self.hosts = {f"{name}:{port}" for name in (LOOPBACK, "localhost")}
        self.origins = {f"http://{host}" for host in self.hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(Headers(scope=scope), scope)
        if refusal:
            await PlainTextResponse(refusal, 403)(scope, receive, marked)
        else:
            await self.app(scope, receive, marked)

    def _refusal(self, headers: Headers, scope: dict[str, Any] | Any) -> str:
        if headers.getlist("host") not in [[host] for host in self.hosts]:
            return "refused: asked under another name than this machine's own"
        origin = headers.get("origin")
        reading = scope["method"] in ("GET", "HEAD")
        if (origin is not None or not reading) and origin not in self.origins:
            return "refused: this does not come from the page itself"
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return "refused: this does not come from the page itself"
        return ""
