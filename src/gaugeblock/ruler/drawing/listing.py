"""What stands printed on a sheet, as the list of dimensions that a part is held against."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gaugeblock.records.drawing import Toleranced
from gaugeblock.records.spectrum import SheetDimension
from gaugeblock.ruler.drawing.printed import Said, located, said
from gaugeblock.ruler.drawing.sheet import Sheet
from gaugeblock.ruler.drawing.tolerancing import tolerance_of

GENERAL = "Unmarked "
"""How general notes begin that tell sizes, such as ``Unmarked fillets R2``."""


def listed(sheet: Sheet, toleranced: Sequence[Toleranced] = ()) -> list[SheetDimension]:
    """Return every size that a sheet prints, in its dimensions and general notes.

    A size has the deviations of the tolerance that is printed behind it, else none of its own: the
    general tolerances hold. Rows of tables are not listed.

    Args:
        sheet: The drawing.
        toleranced: What it was drawn with.
    """
    texts = [dim.text for dim in sheet.dims]
    texts += [label.text for label in sheet.labels if label.text.startswith(GENERAL)]
    return [_entry(text, *part, toleranced) for text in texts for part in _sizes(text)]


def _sizes(text: str) -> Iterator[tuple[Said, str]]:
    """Yield each size with what is printed behind it."""
    sizes = said(text)
    if any(size.step for size in sizes):
        for size in sizes:
            yield size, ""
        return
    for size, end in located(text):
        yield size, text[end:]


def _entry(text: str, size: Said, behind: str, toleranced: Sequence[Toleranced]) -> SheetDimension:
    found = tolerance_of(size.type, size.value, toleranced)
    own = found[1] if found is not None and behind.startswith(f" {found[1].suffix}") else None
    return SheetDimension(
        label=text,
        type=size.type,
        value=size.value,
        count=size.count,
        upper=None if own is None else own.upper,
        lower=None if own is None else own.lower,
    )
