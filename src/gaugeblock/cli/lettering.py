"""Letters for pictures: pillow's own font, the same on every machine."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

PLAIN_SIGNS = {"×": "x", "−": "-", "–": "-", "≠": "!=", "…": "...", "↔": "/"}
"""What stands for signs that the picture's font lacks."""

FONT_SIGNS = "°±"
"""Signs beyond ASCII that the picture's font has (Aileron, as it ships in pillow)."""

RAISED = {"²": "2", "³": "3"}
"""Signs that the font lacks and that are set as smaller, raised ones."""

RAISED_SIZE = 0.65
"""Height of a raised sign as a part of the others': what most fonts give their exponents."""


def letters(text: str, height: int) -> npt.NDArray[np.uint8]:
    """Set one line in pillow's own font: the same on every machine, no system font needed.

    Args:
        text: Any text; what the font lacks is replaced (ü by u, others by ?), ² and ³ are raised.
        height: Size of the letters in pixels.

    Returns:
        (h, w) coverage, 0 to 255.
    """
    import numpy as np
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.load_default(height)
    small = ImageFont.load_default(height * RAISED_SIZE)
    runs = [
        (small, RAISED[run]) if run in RAISED else (font, "".join(map(_in_font, run)))
        for run in re.split("([²³])", text)
    ]
    width = sum(face.getlength(run) for face, run in runs)
    image = Image.new("L", (int(width) + 2, height + height // 3), 0)
    pen, at = ImageDraw.Draw(image), 0.0
    for face, run in runs:
        pen.text((at, 0), run, font=face, fill=255)
        at += face.getlength(run)
    return np.asarray(image)


def _in_font(sign: str) -> str:
    if sign.isascii() or sign in FONT_SIGNS:
        return sign
    if sign in PLAIN_SIGNS:
        return PLAIN_SIGNS[sign]
    base = unicodedata.normalize("NFKD", sign)[0]
    return base if base.isascii() else "?"
