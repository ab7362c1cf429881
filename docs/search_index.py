"""Makes the search of the manual answer: all words count, in any of their synonyms."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

API_MEMBER = "api/#sitemapkit."

SYNONYMS = (
    "disable deactivate stop",
    "missing absent unlisted",
    "exclude hide omit skip",
    "wrong incorrect bad",
    "lastmod modified updated",
    "navigation nav menu",
    "windows powershell cmd",
    "language multilingual i18n translation translated",
    "host hosting deploy publish",
    "google crawler googlebot",
)
"""Groups of words that mean the same to somebody who searches."""

ALL_WORDS = """
// Pages with all words come first; if none has all, any word counts. Titles count most.
(function (lunr) {
  var search = lunr.Index.prototype.search;
  lunr.Index.prototype.search = function (text) {
    var words = lunr.tokenizer(text).map(function (word) { return lunr.trimmer(word); });
    words = words.filter(lunr.stopWordFilter);
    var found = this.query(function (query) {
      words.forEach(function (word) {
        query.term(word, { presence: lunr.Query.presence.REQUIRED });
        query.term(word, { fields: ["title"], boost: 10 });
      });
    });
    return words.length && found.length ? found : search.call(this, text);
  };
})(typeof module === "object" ? module.exports : self.lunr);
"""


def on_post_build(config: Any) -> None:  # noqa: ANN401 - MkDocs' configuration
    """Finish the search index, and the program that searches it."""
    folder = Path(config.site_dir, "search")
    file = folder / "search_index.json"
    index = json.loads(file.read_text(encoding="utf-8"))
    index["docs"] = [*sections(index["docs"])]
    file.write_text(json.dumps(index, separators=(",", ":"), sort_keys=True), encoding="utf-8")
    with (folder / "lunr.js").open("a", encoding="utf-8") as program:
        program.write(ALL_WORDS)


def sections(docs: list[dict[str, str]]) -> Iterator[dict[str, str]]:
    """Yield the sections: also found by the title of their page, and by synonyms of their words.

    All words must be in one field, so the text has the titles too.

    A whole page would be found by words that are far apart, so it is left out; its beginning is a
    section too. Members of classes are found with their class.
    """
    titles = {doc["location"]: doc["title"] for doc in docs if "#" not in doc["location"]}
    for doc in docs:
        page, _, anchor = doc["location"].partition("#")
        if anchor and not is_member(doc["location"]):
            text = f"{doc['text']} {doc['title']} {titles[page]}"
            text += synonyms(text)
            yield doc | {"text": text}


def is_member(location: str) -> bool:
    """Return whether a section is about a member of a class: `sitemapkit.Page.url`."""
    return location.startswith(API_MEMBER) and location.count(".") > 1


def synonyms(text: str) -> str:
    """Return the synonyms of the words in a text, each after a space."""
    words = {*re.findall(r"\w+", text.lower())}
    groups = [{*group.split()} for group in SYNONYMS]
    return "".join(
        f" {word}" for group in groups if group & words for word in sorted(group - words)
    )
