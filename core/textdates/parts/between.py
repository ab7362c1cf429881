"""What is between two markers of a text, as pages that include a section of a file show it."""

from __future__ import annotations

from msgspec import Struct


class Between(Struct, frozen=True):
    """What is between two markers, each time they occur, as the cut of a `Part`."""

    start: str = ""
    end: str = ""

    def __str__(self) -> str:
        """Return what it is, for messages."""
        return " to ".join((self.start or "the beginning", self.end or "the end"))

    def __call__(self, text: str) -> str | None:
        """Return it, or None if the text lacks a marker.

        Without a start it is from the beginning, without an end to the end.
        """
        if self.start not in text or self.end not in text:
            return None
        _, *parts = text.split(self.start) if self.start else ("", text)
        return "".join(part.partition(self.end)[0] if self.end else part for part in parts)
