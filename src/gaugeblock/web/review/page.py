"""The page of a pack: one file with style, script and the pack's record; no word is put in as HTML.

From a folder it shows the samples; served by `serving` it takes scores too.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from importlib.resources import files

from gaugeblock.records.review import CRITERIA, HIGHEST, NOTES_SIGNS, REVIEWER_SIGNS, Pack

ANCHORS = {
    0: "absent or unusable",
    5: "recognisable, major flaws",
    8: "meets the brief, minor flaws",
    10: "fully convincing, no visible issue",
}
"""What a score means; between them people weigh for themselves."""


def page(pack: Pack, *, served: bool) -> str:
    """Return the page as HTML.

    Args:
        pack: what is shown.
        served: whether a server takes scores.
    """
    folder = files("gaugeblock.web.review")
    style = folder.joinpath("page.css").read_text(encoding="utf-8")
    script = folder.joinpath("page.js").read_text(encoding="utf-8")
    data = {
        "served": served,
        "criteria": CRITERIA,
        "anchors": {str(score): words for score, words in ANCHORS.items()},
        "highest": HIGHEST,
        "longest": {"reviewer": REVIEWER_SIGNS, "notes": NOTES_SIGNS},
        "pack": pack.model_dump(mode="json"),
    }
    parts = {
        "style_hash": _hash(style),
        "script_hash": _hash(script),
        "style": style,
        "script": script,
        "data": json.dumps(data, ensure_ascii=False).replace("<", "\\u003c"),
    }
    frame = folder.joinpath("page.html").read_text(encoding="utf-8")
    # One pass: what a part says is never looked through for marks again.
    return re.sub(r"\{\{(\w+)\}\}", lambda mark: parts[mark[1]], frame)


def _hash(content: str) -> str:
    return base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
