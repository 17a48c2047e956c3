"""What can be asked of the ruler: one method a question, each answered by one record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaugeblock.records.conservation import Conservation, Region
from gaugeblock.records.errors import CouldNotMeasure
from gaugeblock.records.features import FeatureSet
from gaugeblock.records.measurement import FileFacts, Measurement
from gaugeblock.records.overlap import Interference, Overlap
from gaugeblock.records.spectrum import Spectrum
from gaugeblock.ruler.opening import MAX_BYTES, opened
from gaugeblock.ruler.refusals import (
    refused,
    refused_conservation,
    refused_features,
    refused_interference,
    refused_overlap,
    refused_spectrum,
)
from gaugeblock.ruler.transport import Answer, Transport

if TYPE_CHECKING:
    from gaugeblock.records.overlap import Alignment
    from gaugeblock.records.sheet_reading import SheetReading
    from gaugeblock.ruler.drawing.client import DrawOptions
    from gaugeblock.ruler.drawing.sheet import Sheet
    from gaugeblock.ruler.picture.portrait import Portrait
    from gaugeblock.ruler.picture.scene import Scene
    from gaugeblock.ruler.views.cameras import Camera
    from gaugeblock.ruler.views.client import FileViews

__all__ = ["COMPARE_WALL_SECONDS", "MAX_BYTES", "Ruler"]

COMPARE_WALL_SECONDS = 180.0
"""Default time ceiling of one comparison or interference in s. Its booleans have a ceiling of their
own (`booleans.SECONDS`), after which the other methods stand alone."""


class Ruler(Transport):
    """Measures STEP files in a warm, killable worker.

    Use as a context manager; the worker starts with the first file. Thread-safe.

    Args:
        wall_s: Time ceiling of one file in s.
        max_bytes: Size ceiling of one file in bytes, at most `MAX_BYTES`.
    """

    def measure(self, path: Path | str, wall_s: float | None = None) -> Measurement:
        """Measure one STEP file.

        Args:
            path: The file. Its name is recorded, its folder is not.
            wall_s: Time ceiling of this file in s; None takes the ruler's own.

        Returns:
            A Measurement; whatever the file does to the kernel, a verdict comes back.

        Raises:
            FileNotFoundError: nothing is there.
            PermissionError: the file may not be read.
        """
        return self._of_file("measure", path, wall_s or self.wall_s, Measurement, refused)

    def compare(
        self,
        path_a: Path | str,
        path_b: Path | str,
        *,
        align: bool = True,
        wall_s: float | None = None,
    ) -> Overlap:
        """Compare two STEP files: overlap as posed and after the best rigid motion of the first.

        Args:
            path_a: The file that is moved.
            path_b: The file that stays.
            align: Whether to look for the motion; without it only the posed overlap is measured.
            wall_s: Time ceiling in s; None takes `COMPARE_WALL_SECONDS`.

        Returns:
            An Overlap; whatever the files do to the kernel, a verdict comes back.

        Raises:
            FileNotFoundError: nothing is there.
            PermissionError: a file may not be read.
        """
        wall_s = wall_s or COMPARE_WALL_SECONDS
        asked = {"align": align, "wall_s": wall_s}
        files = {"file a": path_a, "file b": path_b}
        return self._of_pair("compare", files, wall_s, Overlap, refused_overlap, asked)

    def conserved(
        self,
        start: Path | str,
        delivery: Path | str,
        region: Region,
        *,
        wall_s: float | None = None,
    ) -> Conservation:
        """Measure what an edit changed outside the region it was meant for.

        The two files are compared as they lie: there is no alignment.

        Args:
            start: The part before the edit.
            delivery: The part after it.
            region: Where they may differ.
            wall_s: Time ceiling in s; None takes `COMPARE_WALL_SECONDS`.

        Returns:
            A Conservation; whatever the files do to the kernel, a verdict comes back.

        Raises:
            FileNotFoundError: nothing is there.
            PermissionError: a file may not be read.
        """
        wall_s = wall_s or COMPARE_WALL_SECONDS
        asked = {"region": region.model_dump(mode="json"), "wall_s": wall_s}
        files = {"start": start, "delivery": delivery}

        def refuse(a: FileFacts, b: FileFacts, code: str, reason: str) -> Conservation:
            return refused_conservation(a, b, region, code, reason)

        return self._of_pair("conserve", files, wall_s, Conservation, refuse, asked)

    def interference(self, path: Path | str, *, wall_s: float | None = None) -> Interference:
        """Measure which solids of one STEP file share space, pair by pair.

        Args:
            path: The file.
            wall_s: Time ceiling in s; None takes `COMPARE_WALL_SECONDS`.

        Raises:
            FileNotFoundError: nothing is there.
            PermissionError: the file may not be read.
        """
        wall_s = wall_s or COMPARE_WALL_SECONDS
        return self._of_file(
            "interference", path, wall_s, Interference, refused_interference, {"wall_s": wall_s}
        )

    def features(self, path: Path | str, wall_s: float | None = None) -> FeatureSet:
        """Recognise the features of one STEP file: holes, bosses, recesses, grooves, edges.

        Args:
            path: The file.
            wall_s: Time ceiling in s; None takes the ruler's own.

        Returns:
            A FeatureSet; whatever the file does to the kernel, a verdict comes back.

        Raises:
            FileNotFoundError: nothing is there.
            PermissionError: the file may not be read.
        """
        return self._of_file("features", path, wall_s or self.wall_s, FeatureSet, refused_features)

    def spectrum(self, path: Path | str, wall_s: float | None = None) -> Spectrum:
        """Take the dimensions of the solids of one STEP file.

        Args:
            path: The file.
            wall_s: Time ceiling in s; None takes the ruler's own.

        Returns:
            A Spectrum; whatever the file does to the kernel, a verdict comes back.

        Raises:
            FileNotFoundError: nothing is there.
            PermissionError: the file may not be read.
        """
        return self._of_file("spectrum", path, wall_s or self.wall_s, Spectrum, refused_spectrum)

    def threads(self, path: Path | str, wall_s: float | None = None) -> FeatureSet:
        """Measure the modelled screw threads of one STEP file, and nothing else.

        Args:
            path: The file.
            wall_s: Time ceiling in s; None takes the ruler's own.

        Returns:
            A FeatureSet of threads only; whatever the file does to the kernel, a verdict comes
            back.

        Raises:
            FileNotFoundError: nothing is there.
            PermissionError: the file may not be read.
        """
        return self._of_file("threads", path, wall_s or self.wall_s, FeatureSet, refused_features)

    def picture(
        self,
        path_a: Path | str,
        path_b: Path | str,
        *,
        motion: Alignment | None = None,
        wall_s: float | None = None,
    ) -> Scene:
        """Return what a picture of the difference of two STEP files is drawn from.

        Args:
            path_a: The first file; the picture keeps its coordinates.
            path_b: The second file.
            motion: `Overlap.alignment`; None lays the files over each other as they are.
            wall_s: Time ceiling in s; None takes `picture.client.SECONDS`.

        Raises:
            CouldNotMeasure: no picture could be taken; the text says why.
            FileNotFoundError: nothing is there.
            PermissionError: a file may not be read.
        """
        from gaugeblock.ruler.picture.client import RESULT_BYTES, SECONDS, request, scene

        wall_s = wall_s or SECONDS
        with opened(path_a, self.max_bytes) as a, opened(path_b, self.max_bytes) as b:
            for letter, file in (("A", a), ("B", b)):
                if file.refusal is not None:
                    raise CouldNotMeasure(f"picture: file {letter}: {file.refusal[1]}")
            asked = request(motion)
            return scene(self._run("picture", asked, (a.fd, b.fd), wall_s, RESULT_BYTES), wall_s)

    def portrait(self, path: Path | str, *, wall_s: float | None = None) -> Portrait:
        """Return what a picture of one STEP file is drawn from, face by face.

        Args:
            path: The file.
            wall_s: Time ceiling in s; None takes `picture.client.SECONDS`.

        Raises:
            CouldNotMeasure: no picture could be taken; the text says why.
            FileNotFoundError: nothing is there.
            PermissionError: the file may not be read.
        """
        from gaugeblock.ruler.picture.client import RESULT_BYTES, SECONDS, portrait

        wall_s = wall_s or SECONDS
        with opened(path, self.max_bytes) as file:
            if file.refusal is not None:
                raise CouldNotMeasure(f"picture: {file.refusal[1]}")
            return portrait(self._run("portrait", {}, (file.fd,), wall_s, RESULT_BYTES), wall_s)

    def views(
        self,
        path: Path | str,
        cameras: Sequence[Camera] | None = None,
        *,
        wall_s: float | None = None,
    ) -> FileViews:
        """Return the views of one STEP file: its lines as each camera sees them, and its body.

        Args:
            path: The file.
            cameras: Fixed cameras (`views.cameras.CAMERAS`); None takes the usual four.
            wall_s: Time ceiling of all views together in s; None takes `views.client.SECONDS`.

        Raises:
            CouldNotMeasure: there are no views at all; the text says why. A view that alone could
                not be had is told in the answer.
            FileNotFoundError: nothing is there.
            PermissionError: the file may not be read.
        """
        from gaugeblock.ruler.views.cameras import CAMERAS, USUAL
        from gaugeblock.ruler.views.client import RESULT_BYTES, SECONDS, request, views_of_answer

        names = [camera.name for camera in cameras or [CAMERAS[name] for name in USUAL]]
        wall_s = wall_s or SECONDS
        with opened(path, self.max_bytes) as file:
            if file.refusal is not None:
                raise CouldNotMeasure(file.refusal[1])
            asked = request(names, wall_s)
            result = self._run("views", asked, (file.fd,), wall_s, RESULT_BYTES)
            return views_of_answer(result, file.facts, names, wall_s)

    def draw(
        self, path: Path | str, options: DrawOptions | None = None, *, wall_s: float | None = None
    ) -> Sheet:
        """Return the drawing of one STEP file, as plain data on its way to SVG, PDF, PNG or DXF.

        Args:
            path: The file.
            options: What the caller decides; None leaves everything to the part.
            wall_s: Time ceiling in s; None takes `drawing.client.SECONDS`.

        Raises:
            CouldNotMeasure: there is no sheet; the text says why.
            FileNotFoundError: nothing is there.
            PermissionError: the file may not be read.
        """
        from gaugeblock.ruler.drawing.client import RESULT_BYTES, SECONDS, request, sheet_of_answer

        wall_s = wall_s or SECONDS
        with opened(path, self.max_bytes) as file:
            if file.refusal is not None:
                raise CouldNotMeasure(file.refusal[1])
            asked = request(options, Path(path).stem, wall_s)
            return sheet_of_answer(
                self._run("draw", asked, (file.fd,), wall_s, RESULT_BYTES), wall_s
            )

    def read_dxf(self, path: Path | str, *, wall_s: float | None = None) -> SheetReading:
        """Read the dimensions of a DXF drawing that somebody else made.

        Args:
            path: The file.
            wall_s: Time ceiling in s; None takes `sheet_reading.client.SECONDS`.

        Returns:
            A SheetReading; whatever is in the file, a verdict comes back.

        Raises:
            FileNotFoundError: nothing is there.
            PermissionError: the file may not be read.
        """
        return self._reading("read dxf", path, wall_s)

    def read_pdf_text(self, path: Path | str, *, wall_s: float | None = None) -> SheetReading:
        """Read the dimensions that the text of a PDF drawing gives; as `read_dxf`."""
        return self._reading("read pdf", path, wall_s)

    def pdf_picture(self, path: Path | str, *, wall_s: float | None = None) -> bytes:
        """Return the first page of a PDF as PNG, greys at 200 dots per inch.

        Args:
            path: The file.
            wall_s: Time ceiling in s; None takes `sheet_reading.client.SECONDS`.

        Raises:
            CouldNotMeasure: there is no picture; the text says why.
            FileNotFoundError: nothing is there.
            PermissionError: the file may not be read.
        """
        from gaugeblock.ruler.sheet_reading.client import SECONDS, picture_of_answer

        wall_s = wall_s or SECONDS
        with opened(path, self.max_bytes) as file:
            if file.refusal is not None:
                raise CouldNotMeasure(file.refusal[1])
            return picture_of_answer(self._run("pdf picture", {}, (file.fd,), wall_s), wall_s)

    def _reading(self, job: str, path: Path | str, wall_s: float | None) -> SheetReading:
        from gaugeblock.ruler.sheet_reading.client import (
            RESULT_BYTES,
            SECONDS,
            reading_of_answer,
            refused_reading,
        )

        wall_s = wall_s or SECONDS
        with opened(path, self.max_bytes) as file:
            if file.refusal is not None:
                return refused_reading(file.facts, *file.refusal)
            result = self._run(job, {}, (file.fd,), wall_s, RESULT_BYTES)
            return reading_of_answer(result, file.facts, wall_s)

    def _of_file(
        self,
        job: str,
        path: Path | str,
        wall_s: float,
        kind: type[Answer],
        refuse: Callable[[FileFacts, str, str], Answer],
        asked: dict[str, Any] | None = None,
    ) -> Answer:
        """Ask for one record of one file; `refuse` makes it where the file or the job fails."""
        with opened(path, self.max_bytes) as file:
            if file.refusal is not None:
                return refuse(file.facts, *file.refusal)
            request = {"name": file.facts.name, "sha256": file.facts.sha256, **(asked or {})}
            answer = self._ask(job, request, (file.fd,), wall_s, kind)
            return answer if isinstance(answer, kind) else refuse(file.facts, *answer)

    def _of_pair(
        self,
        job: str,
        paths: dict[str, Path | str],
        wall_s: float,
        kind: type[Answer],
        refuse: Callable[[FileFacts, FileFacts, str, str], Answer],
        asked: dict[str, Any],
    ) -> Answer:
        """Ask for one record of two files, each by the word that a refusal calls it."""
        (first, path_a), (second, path_b) = paths.items()
        with opened(path_a, self.max_bytes) as a, opened(path_b, self.max_bytes) as b:
            for word, file in ((first, a), (second, b)):
                if file.refusal is not None:
                    code, reason = file.refusal
                    return refuse(a.facts, b.facts, code, f"{word}: {reason}")
            names, digests = [a.facts.name, b.facts.name], [a.facts.sha256, b.facts.sha256]
            request = {"names": names, "sha256": digests, **asked}
            answer = self._ask(job, request, (a.fd, b.fd), wall_s, kind)
            return answer if isinstance(answer, kind) else refuse(a.facts, b.facts, *answer)
