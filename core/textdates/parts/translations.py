"""The translations in a message catalog that one page shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from textdates.compare.catalog import translations

if TYPE_CHECKING:
    from collections.abc import Iterator


class Translations(Struct, frozen=True):
    """The translations of a catalog but those of messages in some files; as a cut."""

    unseen: tuple[str, ...]
    """The ends of the paths of files whose messages the page does not show."""

    def __str__(self) -> str:
        """Return what it is, for messages."""
        return "translations"

    def __call__(self, text: str) -> str:
        """Return the translations; a message without a reference to its files is shown."""
        messages = text.split("\n\n")
        return translations("\n\n".join(each for each in messages if not self._is_unseen(each)))

    def _is_unseen(self, message: str) -> bool:
        files = [*_files_of(message)]
        return bool(files) and all(file.endswith(self.unseen) for file in files)


def _files_of(message: str) -> Iterator[str]:
    """Yield the path of each file that a message is from, with a slash before it."""
    for line in message.splitlines():
        if line.startswith("#: "):
            yield from (f"/{place.rpartition(':')[0]}" for place in line.split()[1:])
