"""The body of a conversation's requests, kept as bytes: each turn is serialised once."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from gaugeblock.agents.api.raw_json import write
from gaugeblock.agents.protocol import Image
from gaugeblock.metering.costs import Size


class Body:
    """Fixed fields, and behind them the list that grows by every turn."""

    def __init__(self, fields: Mapping[str, Any], turns: str, output_tokens: int) -> None:
        """Start a body.

        Args:
            fields: all but the turns.
            turns: the provider's name for the list of them.
            output_tokens: the ceiling that stands in the fields.
        """
        self._head = write(fields)[:-1] + b"," + write(turns) + b":["
        self._turns: list[bytes] = []
        self._bytes = len(self._head) + len(b"]}")
        self._output_tokens = output_tokens
        self._images = 0
        self._image_bytes = 0

    def add(self, turn: Any, images: tuple[Image, ...] = ()) -> None:
        """Add one turn.

        Args:
            turn: plain data; or text, that is JSON already and stays as it is.
            images: those that are in it, as base64.
        """
        piece = turn.encode("utf-8", "backslashreplace") if isinstance(turn, str) else write(turn)
        self._bytes += len(piece) + (1 if self._turns else 0)
        self._turns.append(piece)
        self._images += len(images)
        self._image_bytes += sum(4 * -(-len(image.data) // 3) for image in images)

    def size(self) -> Size:
        """Return how large the next request is."""
        return Size(
            request_bytes=self._bytes - self._image_bytes,
            output_tokens=self._output_tokens,
            image_bytes=self._image_bytes,
            images=self._images,
        )

    def whole(self) -> bytes:
        """Return the next request's body."""
        return self._head + b",".join(self._turns) + b"]}"


def encoded(image: Image) -> str:
    """Return an image as base64."""
    return base64.b64encode(image.data).decode("ascii")
