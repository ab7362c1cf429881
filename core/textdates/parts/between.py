"""What is between two markers of a text, as pages that include a section of a file show it."""

from __future__ import annotations

from msgspec import Struct


class Between(Struct, frozen=True):
    """What is between two markers, each time they occur, as the cut of a `Part`."""

    start: str = ""
    end: str = ""

    def __str__(self) -> str:
        """Return what it is, for messages."""
        start = self.start or "the beginning"
        end = self.end or "the end"
        return f"{start} to {end}"

    def __call__(self, text: str) -> str | None:
        """Return it, or None if the text lacks a marker.

        Without a start it is from the beginning, without an end to the end.
        """
        if self.start not in text or self.end not in text:
            return None
        parts = [text]
        if self.start:
            parts = text.split(self.start)[1:]
        if self.end:
            parts = [part.partition(self.end)[0] for part in parts]
        return "".join(parts)
