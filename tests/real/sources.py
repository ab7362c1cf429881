"""The sources of a site: which of them a page was made from, and what its author says."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, cached_property
from html import unescape
from typing import TYPE_CHECKING

from built import digest, forbids_indexing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from built import Html

SUFFIXES: Mapping[str, Sequence[str]] = {
    "mkdocs": (".md", ".markdown", ".mdown", ".mkdn", ".mkd"),
    "pelican": (".md", ".markdown", ".mkd", ".mdown", ".rst", ".html"),
    "sphinx": (".rst", ".md", ".txt", ".ipynb"),
}
_TAKEN_IN = re.compile(r"(?m)^\s*(?:\.\. include::|`{3,}\{include\}|:file:)[ \t]+(\S.*?)[ \t]*$")
ON, OFF = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


@dataclass(frozen=True)
class Sources:
    """The folders that a generator builds from, the later ones for what the first lacks.

    MkDocs and Sphinx make `a/b/index.html` or `a/b.html` from `a/b.md` or `a/b/index.md`. A post of
    MkDocs and everything of Pelican is found by its name: the last part of its URL is the slug, the
    title or the file name of the source, and the page shows the source's title.
    """

    folders: Sequence[Path]
    generator: str
    mapped: Sequence[str] = ()
    """Exceptions, `OUTPUT=SOURCE` each; a `*` is the same text in both."""

    @cached_property
    def copied(self) -> set[bytes]:
        """Digests of the HTML files among the sources, which a generator copies as they are."""
        return {digest(file) for file in self._files if file.match("*.htm*")}

    @cached_property
    def _files(self) -> Sequence[Path]:
        found = (file for folder in self.folders for file in sorted(folder.rglob("*")))
        return [file for file in found if file.is_file()]

    def taken_in(self, document: Path) -> Sequence[Path]:
        """Return the files whose text a document of Sphinx takes in, whole or in part."""
        found: dict[Path, None] = {}
        queue = [document]
        while self.generator == "sphinx" and queue:
            for name in _TAKEN_IN.findall(queue.pop().read_text("utf-8", "replace")):
                parent = self.folders[0] if name.startswith("/") else document.parent
                file = (parent / name.lstrip("/")).resolve()
                if file not in found and file.is_file() and _has_text(file):
                    found[file] = None
                    queue.append(file)
        return [*found]

    def of(self, page: Html) -> Path | None:
        """Return the file that a page was made from, if the rules of its generator tell."""
        for rule in self.mapped:
            pattern, _, template = rule.partition("=")
            if found := re.fullmatch(re.escape(pattern).replace(r"\*", "(.*)"), page.path):
                star = found[1] if found.groups() else ""
                return self.folders[0] / template.replace("*", star) if template else None
        stem = re.sub(r"\.html?$", "", page.path)
        if self.generator != "pelican" and (source := self._by_path(stem)):
            return source
        return None if self.generator == "sphinx" else self._by_name(page, stem)

    def _by_path(self, stem: str) -> Path | None:
        parent = stem.removesuffix("index").rstrip("/")
        stems = [stem, parent, f"{parent}/README".lstrip("/")]
        language, _, rest = stem.partition("/")
        if re.fullmatch(r"[a-z]{2}(-[A-Z]{2})?", language):
            stems += [f"{rest}.{language}", f"{rest.removesuffix('/index')}.{language}"]
        names = [f"{each}{suffix}" for each in stems for suffix in SUFFIXES[self.generator]]
        files = (folder / name for folder in self.folders for name in names)
        return next((file for file in files if file.is_file()), None)

    def _by_name(self, page: Html, stem: str) -> Path | None:
        name = _squash(re.sub(r"(.)/index$", r"\1", stem).rpartition("/")[2])
        shown = _squash(page.title)
        files = [
            file
            for file in self._by_own_name.get(name, ())
            if (self.generator == "pelican" or is_post(file)) and _squash(title_of(file)) in shown
        ]
        return files[0] if len(files) == 1 else None

    @cached_property
    def _by_own_name(self) -> Mapping[str, Sequence[Path]]:
        found: dict[str, list[Path]] = {}
        for file in self._files:
            if file.suffix in SUFFIXES[self.generator] and not is_template(file):
                for name in set(_own_names(file)) - {""}:
                    found.setdefault(name, []).append(file)
        return found


def is_post(source: Path) -> bool:
    """Tell whether a source of MkDocs is a post of its blog."""
    return "posts" in source.parts


def is_template(source: Path) -> bool:
    """Tell whether a source of Pelican is a template: what else made its page is not known."""
    return source.suffix == ".html" and "{%" in source.read_text("utf-8", "replace")


def author_forbids(source: Path) -> str:
    """Return why the author does not want the page to be listed, or nothing."""
    meta = front_matter(source)
    excluded = (meta.get(f"sitemap{mark}exclude", "").lower() in ON for mark in "._-")
    if meta.get("sitemap", "").lower() in OFF or any(excluded):
        return "sitemap: false"
    if meta.get("status", "").lower() in ("draft", "hidden", "skip"):
        return meta["status"].lower()
    forbidden = (meta.get(key, "").lower() in ON for key in ("noindex", "private"))
    return "noindex" if forbids_indexing(meta.get("robots", "")) or any(forbidden) else ""


def title_of(source: Path) -> str:
    """Return the title that a source states, or its first heading."""
    if title := front_matter(source).get("title", ""):
        return title
    text = source.read_text("utf-8", "replace")
    if source.suffix == ".rst":
        heading = re.search(r"^(?!\.\.|:)(\S.*)\n([=\-#~*^\"'`+.:_])\2+$", text, re.MULTILINE)
    else:
        heading = re.search(r"^#\s+(.+?)\s*#*$", text, re.MULTILINE)
    return heading[1].strip() if heading else ""


@cache
def front_matter(source: Path) -> Mapping[str, str]:
    """Return what the head of a source states, keys in lower case, nested ones `outer.inner`."""
    text = source.read_text("utf-8", "replace")
    if source.suffix == ".html":
        said = re.findall(r"<meta\s+name=\"(.*?)\"\s+content=\"(.*?)\"", text)
        title = re.search(r"<title>\s*(.*?)\s*</title>", text, re.DOTALL)
        return {"title": unescape(title[1] if title else "")} | {k.lower(): v for k, v in said}
    head, _ = split_head(text, source.suffix)
    if source.suffix == ".rst":
        fields = re.findall(r"(?m)^:(.+?):[ \t]*(.*)$", head)
        return {key.lower(): value for key, value in fields}
    return _read_yaml(head)


def split_head(text: str, suffix: str) -> tuple[str, str]:
    """Return the front matter of a text and the rest: a block of YAML, lines, or fields."""
    text = text.lstrip("\ufeff").replace("\r\n", "\n")
    if suffix == ".rst":
        pattern = (
            r"(?m)\A(?:(?!:).*\n){0,8}?(?P<head>(?:^:[^:\n]+:(?:[ \t].*)?\n(?:[ \t]+\S.*\n)*)+)"
        )
    elif text.startswith("---"):
        pattern = r"(?ms)(?P<head>---[ \t]*\n.*?^(?:---|\.\.\.)[ \t]*$)"
    else:
        pattern = r"(?P<head>(?:[\w-]+:.*\n(?:[ \t]+\S.*\n)*)*)"
    found = re.match(pattern, text + "\n")
    if not found:
        return "", text
    return found["head"], text[: found.start("head")] + text[found.end() :]


def _read_yaml(text: str) -> Mapping[str, str]:
    """Read the scalars of simple YAML: one level, and one below it."""
    found: dict[str, str] = {}
    outer = ""
    for line in text.splitlines():
        if pair := re.match(r"(\s*)([\w.-]+)\s*:(?:\s+(.*)|$)", line):
            key, value = pair[2].lower(), re.sub(r"\s#.*$", "", pair[3] or "").strip("'\" ")
            outer = outer if pair[1] else key
            found[f"{outer}.{key}" if pair[1] else key] = value
    return found


def _has_text(file: Path) -> bool:
    """Tell whether a file holds more than link targets, substitutions and comments."""
    text = file.read_text("utf-8", "replace")
    return bool(re.search(r"(?m)^(?:\.\.\s+\w[\w.:-]*::|(?!\.\.)\S)", text))


def _own_names(source: Path) -> Iterator[str]:
    """Yield the names that a source may give its page."""
    meta = front_matter(source)
    stated = [meta[key] for key in ("slug", "save_as", "url") if meta.get(key)]
    for name in stated or (title_of(source), source.stem):
        last = re.sub(r"(/index)?\.html?$", "", name).rstrip("/").rpartition("/")[2]
        yield _squash(last)
        yield _squash(f"{last}-{meta.get('lang', '')}")


def _squash(text: str) -> str:
    """Return the letters and digits of a text, lower-case, without accents."""
    plain = unicodedata.normalize("NFKD", text).casefold().replace("œ", "oe").replace("æ", "ae")
    return "".join(letter for letter in plain if letter.isalnum())
