"""What changed between two sites, for people, for programs, and for a job summary or a comment."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from msgspec import Struct, to_builtins

from sitemapkit.model import Issue, printable
from sitemapkit_tools import issues
from sitemapkit_tools.console import cell, counted, style
from sitemapkit_tools.diff.compare import CHANGE_KINDS, Difference, UrlChange

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


_MARKS = {
    "added": ("+", "green"),
    "changed": ("~", "yellow"),
    "removed": ("-", "red"),
    "moved": (">", "cyan"),
}


class Review(Struct, frozen=True):
    """All that a reviewer of a change wants to know of it."""

    difference: Difference
    findings: Sequence[Issue]
    """What `check` finds in the new site and not in the old one."""

    gone: Sequence[str] = ()
    """Other addresses that died: of what was not listed, or is listed still."""

    base_url: str = ""
    preview: str = ""
    """The base URL of the new site's preview; "" if there is none."""

    commits: tuple[str, str] = ("", "")
    """The commits that are checked out around the old site and the new one; "" if unknown."""

    def link(self, change: UrlChange) -> str:
        """Return where the page is in the preview; "" if it is not there."""
        is_there = change.kind != "removed" or change.now_at
        url = change.moved_to or change.now_at or change.url
        if not (self.preview and self.base_url and is_there and url.startswith(self.base_url)):
            return ""
        return self.preview + url.removeprefix(self.base_url)


def as_text(review: Review) -> str:
    """Return the review as lines for people: each change, each finding, and how many there are."""
    difference = review.difference
    counts = {kind: len(difference.of_kind(kind)) for kind in CHANGE_KINDS}
    said = [f"{count:,} {kind}" for kind, count in counts.items() if count or kind != "moved"]
    if review.findings:
        said.append(counted(len(review.findings), "new finding"))
    lines = [
        *(_line(change, review.link(change)) for change in difference.changes),
        *(
            f"! {each.severity} {each.rule.id}  {each.where}: {each.message}"
            for each in review.findings
        ),
        *(f"x {url}  dead: nothing answers this address" for url in review.gone),
        f"{', '.join(said)}; {difference.unchanged:,} unchanged",
    ]
    return "\n".join(map(printable, lines))


def _line(change: UrlChange, link: str) -> str:
    mark, colour = _MARKS[change.kind]
    parts = [style(f"{mark} {change.url}", colour=colour)]
    if change.moved_to:
        parts.append(f"moved to {change.moved_to}")
    if change.dead and change.now_at:
        parts.append(f"dead: the page is at {change.now_at} now, without a redirect")
        parts.append(f"(same {change.found_by})")
    elif change.dead:
        parts.append("dead: nothing answers this address")
    elif change.now_at == change.url:
        why = f": {change.because}" if change.because else ""
        parts.append(f"still there, but not listed{why}")
    elif change.now_at:
        parts.append(f"still there, listed as {change.now_at}")
    if "lastmod" in change.fields:
        parts.append(f"{change.old_date or 'no date'} -> {change.new_date or 'no date'}")
        parts += [change.because] if change.because else []
    if others := [name for name in change.fields if name != "lastmod"]:
        parts.append(f"({', '.join(others)})")
    return "  ".join([*parts, *filter(None, [change.title, link])])


def as_dict(review: Review) -> dict[str, Any]:
    """Return the review for programs."""
    changes = review.difference.changes
    return {
        "changes": [to_builtins(each) | {"preview": review.link(each)} for each in changes],
        "unchanged": review.difference.unchanged,
        "gone": review.gone,
        "findings": [issues.as_dict(each) for each in review.findings],
    }


def as_redirects(review: Review) -> str:
    """Return a rule for each page that is elsewhere now and whose old address is dead.

    They are for the file `_redirects` of Netlify, Cloudflare Pages and GitLab Pages, one on a line:
    the old path, the new one and the status.
    """
    rules: list[str] = []
    for change in review.difference.changes:
        if not (change.dead and change.now_at):
            continue
        old, new = urlsplit(change.url), urlsplit(change.now_at)
        if old.path.rstrip("/") == new.path.rstrip("/"):  # for the rules of hosts it is one path
            continue
        target = change.now_at
        if new.netloc == old.netloc:
            target = new._replace(scheme="", netloc="").geturl()
        rule = f"{old.path} {target} 301"
        if old.query or _MEANS_MORE.search(unquote(rule)):
            rule = f"# {rule} - to be written by hand: for the host it means more than one page"
        if change.found_by == "title":
            rules.append("# only the title is the same:")
        rules.append(rule)
    return "\n".join(rules)


_MEANS_MORE = re.compile(r"\*|:[a-z]", re.IGNORECASE)
"""What stands for any text, or for a name, in a rule of a host."""


def as_markdown(review: Review) -> str:
    """Return the review as a comment: counts, and a list of each kind; "" if nothing changed."""
    changes = review.difference.changes
    is_first = bool(changes) and review.difference.old_count == 0
    moved = [each for each in changes if _end(each)]
    ends = {_end(each) for each in moved}
    by_kind = {
        "added": [each for each in changes if each.kind == "added" and each.url not in ends],
        "changed": [each for each in changes if "content" in each.fields],
        "moved": moved,
        "removed": [each for each in changes if each.kind == "removed" and not _end(each)],
        "with another date or entry": [
            each for each in changes if each.kind == "changed" and "content" not in each.fields
        ],
    }
    lists: dict[str, list[str]] = {}
    for kind, found in by_kind.items():
        if found and not is_first:
            lists[f"{counted(len(found), 'page')} {kind}"] = [_item(each, review) for each in found]
    if review.findings:
        name = f"{counted(len(review.findings), 'new finding')} of the check"
        lists[name] = [_finding(each, review) for each in review.findings]
    if review.gone:
        name = f"{counted(len(review.gone), 'other address', 'other addresses')} dead"
        lists[name] = [f"- {_path(url, review)}" for url in review.gone]
    if not (lists or is_first):
        return ""
    named = list(lists)
    if is_first:
        named.insert(0, f"the first sitemap, of {counted(len(changes), 'page')}")
    figures = f"**{', '.join(named)}**; {review.difference.unchanged:,} unchanged"
    heading = "\n\n".join(["## What changes in the site", figures, *_where(review)])
    return "\n".join([heading, *(_list(*each) for each in lists.items())])


def _where(review: Review) -> Iterator[str]:
    """Yield a line with what is compared, and where it is to be seen, as far as that is known."""
    parts: list[str] = []
    if review.preview:
        parts.append(f"[Preview]({_target(review.preview)})")
    old, new = review.commits
    if old and new and old != new:
        parts.append(f"from {old} to {new}")
    if parts:
        yield ", ".join(parts)


def _end(change: UrlChange) -> str | None:
    """Return the other address where a page is now."""
    return change.moved_to or (change.now_at if change.now_at != change.url else None)


_FEW = 10
"""Entries up to which a list is open."""

_ROOM = 9_500
"""Bytes of each of the six lists; GitHub takes 65,536 in all."""


def _list(name: str, items: Sequence[str]) -> str:
    shown, room = list[str](), _ROOM
    for item in items:
        room -= len(item.encode()) + 1
        if room < 0:
            shown.append(f"- and {len(items) - len(shown):,} more")
            break
        shown.append(item)
    lines = "\n".join(shown)
    if len(items) <= _FEW:
        return f"\n### {name}\n\n{lines}"
    return f"\n<details><summary>{name}</summary>\n\n{lines}\n\n</details>"


def _item(change: UrlChange, review: Review) -> str:
    """Return the title of a page, linked, its path, what became of it, and its source."""
    path = _path(change.url, review)
    shown = _words(change.title) or path
    link = review.link(change)
    parts = ["-", shown]
    if link and len(link) <= _LONGEST_LINK:
        parts = ["-", f"[{shown}]({_target(link)})"]
    if change.title:
        parts.append(path)
    parts += _details(change, review)
    if change.source and change.source != change.url:
        parts.append(f"from {_code(change.source)}")
    return " ".join(parts)


def _details(change: UrlChange, review: Review) -> Iterator[str]:
    if to := _end(change):
        yield f"→ {_path(to, review)}"
    if change.moved_to:
        yield "(redirect)"
    elif change.dead and to:
        yield f"(**its old address is dead: no redirect**, same {change.found_by})"
    elif change.dead:
        yield "(**its address is dead**)"
    elif to:
        yield "(both answer)"
    elif change.now_at:
        yield "(still there, but not listed)"
    if "lastmod" in change.fields and "content" not in change.fields:
        old, new = change.old_date or "no date", change.new_date or "no date"
        end = _DAY if old[:_DAY] != new[:_DAY] else None
        yield f"{_words(old[:end])} → {_words(new[:end])}"
    if others := [name for name in change.fields if name not in ("lastmod", "content")]:
        yield f"({', '.join(others)})"


_DAY = len("2026-01-01")


def _finding(found: Issue, review: Review) -> str:
    where, message = _path(found.where, review), _words(found.message)
    return f"- {found.severity} `{found.rule.id}` {where}: {message}"


_LONGEST_LINK = 300


def _target(url: str) -> str:
    """Return a URL as the target of a link in Markdown."""
    return re.sub(r"[()!]", lambda found: f"%{ord(found[0]):02X}", cell(url))


def _path(url: str, review: Review) -> str:
    return _code(issues.short(url, review.base_url))


def _code(text: str) -> str:
    """Return a path as code, in which services look for nothing that they could link."""
    text = text if len(text) <= _LONGEST_PATH else f"{text[:_LONGEST_PATH]}…"
    return f"`{printable(text).replace('`', '%60')}`"


_LONGEST_PATH = 300


def _words(text: str) -> str:
    """Return a text of others as it stands in a comment: it names nobody and links nothing.

    Services look for names, numbers of issues and addresses in what is shown, after entities have
    been read; a space without a width keeps them apart.
    """
    return _CALLS.sub(r"\g<0>&#8203;", cell(text))


_CALLS = re.compile(
    r"""(?xi)
    &\#(?: 64 | 35 | 38 | 126 );  # @name, #1, &1 and ~label
    | [!$%] (?=\w)                # !1, $1 and %milestone of GitLab
    | : (?=//)                    # https://example.org
    | www (?=\.)
    | GH- (?=\d)
    | ^/                          # a command of GitLab
    """
)
