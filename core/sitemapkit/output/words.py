"""The words of the sitemap that people read, in the languages that we know them in."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_RIGHT_TO_LEFT = frozenset({"ar", "dv", "fa", "he", "iw", "ps", "sd", "ug", "ur", "yi"})
_TRADITIONAL = frozenset({"hant", "tw", "hk", "mo"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """All texts of the page, as `templates/words.json` has them; `{n}` stands for a number."""

    language: str
    """Language code of the site, as HTML wants it."""

    spoken: str
    """Language code of these words: English where we have no others."""

    title: str
    one: str
    many: str
    search: str
    nothing: str
    sort: str
    by_path: str
    by_date: str
    freshness: str
    earlier: str
    table: str
    month: str
    sections: str
    top: str
    others: str
    page: str
    path: str
    changed: str
    unknown: str
    part: str
    skip: str

    @property
    def direction(self) -> str:
        """The direction of writing: `ltr` or `rtl`."""
        return "rtl" if self.language.partition("-")[0].lower() in _RIGHT_TO_LEFT else "ltr"

    def pages(self, number: int) -> str:
        """Say how many pages there are; digits in groups, as ISO 80000-1 has them."""
        return self.one if number == 1 else self.many.format(n=f"{number:,}".replace(",", "\u202f"))


def words_for(language: str) -> Words:
    """Return the words in the language of a site, or in English where we do not know them."""
    code = language.replace("_", "-") or "en"
    spoken, *rest = code.lower().split("-")
    if spoken == "zh" and "hans" not in rest and not _TRADITIONAL.isdisjoint(rest):
        spoken = "zh-Hant"
    spoken = spoken if spoken in texts() else "en"
    return Words(language=code, spoken=spoken, **texts()[spoken])


@cache
def texts() -> dict[str, dict[str, str]]:
    """Return the texts of each language that we know, by their names."""
    file = files("sitemapkit.output.templates").joinpath("words.json")
    return dict(json.loads(file.read_text(encoding="utf-8")))
