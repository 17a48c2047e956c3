"""What a dimension's text says, with its deviations: ``2× ⌀20 H7 ↧16 +0.2/−0.1``.

A text is read from its beginning to its end. What is no size, deviation or known word is left over,
and whoever asked decides whether the rest may be believed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from gaugeblock.records.spectrum import SheetDimension
from gaugeblock.ruler.drawing.printed import CHAIN, SizeType
from gaugeblock.ruler.sheet_reading.fits import fit_deviations
from gaugeblock.ruler.sheet_reading.notation import AMBIGUOUS, TEXT_LIMIT, respelt
from gaugeblock.ruler.text import clean_text

LARGEST = 1e6
"""Greatest value that is a size, mm: a kilometre. Numbers beyond are part or order numbers."""

MOST_PLACES = 10_000
"""Greatest count, as `SheetDimension` has it."""

_NUMBER = r"\d+(?:\.\d+)?"
_COUNT = re.compile(r"\s*(\d{1,4})(?:\s*×\s*(?=[⌀RM⌴])|×\s+(?=\d))")
"""``4× ⌀8``, ``4 × M8``, ``2× 45°``; ``2×45°`` and ``2 × 45°`` are chamfers."""
_TWO_MEANINGS = (
    (AMBIGUOUS, "a comma that may part thousands or decimals"),
    (
        re.compile(r"^\s*\d+(?:[.,]\d+)?(?:\s+[x×X]\s*|[x×X])\d+(?:[.,]\d+)?\s*$"),
        "a count or two sizes",
    ),
    (re.compile(r"\d{4}-\d\d?-\d\d?|\d\d?[./]\d\d?[./]\d{2,4}"), "a date"),
)
"""What nobody can tell from the text alone, or is no size."""
_SIZE = re.compile(rf"(?P<sign>[⌀RM↧])?\s*(?P<value>{_NUMBER})(?P<degree>°)?")
_PITCH = re.compile(rf"\s*×\s*P?{_NUMBER}")
_THREAD_CLASS = re.compile(r"\s*[–−-]?\s*\d[A-Ha-h](?:\d[A-Ha-h])?(?:/\d[a-h]\d?[a-h]?)?(?!\w)")
_FIT = re.compile(r"\s*(?P<code>(?:[A-Z]{1,2}|[a-z]{1,2})\d{1,2})(?![\w/])")
_BOTH = re.compile(rf"\s*±\s*(?P<value>{_NUMBER})°?")
_SIGNED = rf"(?:[+−-]\s*{_NUMBER}|0(?:\.0+)?)"
_TWO = re.compile(
    rf"\s*\(?\s*(?P<first>{_SIGNED})°?\s*[/|;,]?\s*(?P<second>{_SIGNED})°?(?![\d.])\s*\)?"
)
_KNOWN = re.compile(
    rf"\s+|[⌴⌵×,;]|THRU(?:\s+ALL)?(?!\w)|THROUGH(?!\w)|TYP\.?(?!\w)|tip(?!\w)|far side"
    r"|all around(?!\w)|around corners(?!\w)|draft(?!\w)|A/F(?!\w)(?:\s+[a-z]+gon)?"
    r"|Unmarked (?:fillets|chamfers)(?!\w)"
    rf"|LH(?!\w)|RH(?!\w)|\d+ starts(?!\w)|×?\s*P{_NUMBER}|[–−-]\s*\d[A-H](?!\w)|[–−-](?=\s|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Size:
    """One size of a text."""

    type: SizeType
    value: float
    count: int = 1
    lower: float | None = None
    upper: float | None = None
    signed: bool = False
    """Whether a sign says what it is; a bare number is a length only by where it stands."""


@dataclass(frozen=True)
class CallOut:
    """What a text says."""

    text: str
    sizes: list[Size]
    rest: str
    """What could not be read of it."""
    remarks: list[str] = field(default_factory=list)
    chain: bool = False
    """Whether it is a chain of equal steps with its sum: ``3× 20 (= 60)``."""

    def dimensions(self) -> list[SheetDimension]:
        """Return its sizes as the entries of a sheet's list."""
        return [
            SheetDimension(
                label=self.text,
                type=size.type,
                value=size.value,
                count=size.count,
                lower=size.lower,
                upper=size.upper,
            )
            for size in self.sizes
        ]


def read(text: str) -> CallOut:
    """Read one text.

    Args:
        text: As it stands on the drawing, without the format's commands; hostile.
    """
    shown = clean_text(text)
    for pattern, meaning in _TWO_MEANINGS:
        if pattern.search(text[:TEXT_LIMIT]):
            return CallOut(shown, [], meaning)
    line = respelt(text)
    chain = CHAIN.match(line)
    if chain and float(chain[2]) > 0:
        steps = Size("length", float(chain[2]), max(1, int(chain[1])))
        return CallOut(shown, [steps, Size("length", float(chain[3]))], "", chain=True)
    head = _COUNT.match(line)
    count = min(max(1, int(head[1])), MOST_PLACES) if head else 1
    at = head.end() if head else 0
    sizes: list[Size] = []
    remarks: list[str] = []
    rest = ""
    while at < len(line):
        found = _SIZE.match(line, at)
        known = _KNOWN.match(line, at)
        if known and (found is None or known.end() > found.end()):
            at = known.end()
        elif found and not (at and line[at - 1].isalnum()) and 0 < float(found["value"]) <= LARGEST:
            size, at = _size(line, found, count, remarks)
            sizes.append(size)
        else:
            rest += line[at]
            at += 1
    return CallOut(shown, sizes, rest.strip(), remarks)


def _size(line: str, found: re.Match[str], count: int, remarks: list[str]) -> tuple[Size, int]:
    """Return a size with what stands behind it, and where that ends."""
    value, at = float(found["value"]), found.end()
    kind: SizeType = "length"
    if found["degree"]:
        kind = "angle"
    elif found["sign"] in ("⌀", "M"):
        kind = "diameter"
    elif found["sign"] == "R":
        kind = "radius"
    size = Size(kind, value, count, signed=bool(found["sign"] or found["degree"]))
    if found["sign"] == "M":
        for part in (_PITCH, _THREAD_CLASS):
            more = part.match(line, at)
            at = more.end() if more else at
        return size, at
    fit = _FIT.match(line, at)
    if fit:
        limits = fit_deviations(fit["code"], value)
        if limits is None:
            remarks.append(f"the deviations of {value:g} {fit['code']} are not known here")
        else:
            size = replace(size, lower=limits[0], upper=limits[1])
        at = fit.end()
    both, two = _BOTH.match(line, at), _TWO.match(line, at)
    if both:
        return replace(size, lower=-float(both["value"]), upper=float(both["value"])), both.end()
    if two and not (two["first"][0] == two["second"][0] == "0"):
        low, high = sorted((_signed(two["first"]), _signed(two["second"])))
        return replace(size, lower=low, upper=high), two.end()
    return size, at


def _signed(text: str) -> float:
    return float(text.replace("−", "-").replace(" ", ""))
