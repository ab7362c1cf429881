"""Remarks on the pages that were selected, and on their dates; nothing is written yet."""

from __future__ import annotations

import os
import re
from collections import Counter
from typing import TYPE_CHECKING

from sitemapkit import dates, urls
from sitemapkit.errors import OptionError, UndatedError
from sitemapkit.head import EMPTY
from sitemapkit.lastmod.resolver import UNKNOWN
from sitemapkit.model import Excluded, Listed, Reason, printable
from sitemapkit.patterns import HOME
from sitemapkit.rules import and_more, grouped, issue
from sitemapkit.selection import loc_of, rendered_head
from textdates.bounds import is_file

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from datetime import date
    from pathlib import Path

    from sitemapkit.lastmod.resolver import Resolver
    from sitemapkit.model import Issue, Page, Severity
    from sitemapkit.options import Options, SourceRule
    from sitemapkit.patterns import OtherPatterns
    from sitemapkit.selection import Selected
    from textdates import Diagnostic


def on_pages(selected: Selected, options: Options) -> Iterator[Issue]:
    """Yield the remarks on the pages and on the patterns that select them."""
    for each in selected.judged:
        if isinstance(each, Excluded):
            if each.reason is Reason.BAD_URL:
                yield issue("bad-url", each.page, f"{each.decided_by}.")
        elif each.metadata.bad_values:
            yield from bad_metadata(each)
    yield from no_url(selected.excluded)
    yield from dead_canonical(selected.dead_links)
    for page, limit in selected.unread:
        yield issue("page-cut", page.page.name, limit)
    yield from unmatched_pattern(selected, options)
    yield from home_not_listed(selected, options)


def on_dates(resolver: Resolver) -> Iterator[Issue]:
    """Yield the remarks on dates, and those of the sources that they come from."""
    yield from resolver.source_issues
    files = resolver.files
    if files:
        yield from sources_without_file(files.rules_without_file)
        yield from grouped("git-one-commit", files.of_one_commit)
        dated = [each for each in resolver.pages if each.lastmod.source == "git"]
        yield from limits_of_git(files.diagnostics(dated))
    yield from future_date(resolver.future)


def refuse_misnamed(selected: Selected) -> None:
    """Raise OptionError if our own name is a key of metadata, which nobody else can mean."""
    lines: list[str] = []
    for each in selected.judged:
        if isinstance(each, Listed):
            for bad in each.metadata.bad_values:
                if bad.is_refused:
                    lines.append(f"{each.page.name}: {bad.message}")
    if lines:
        raise OptionError("\n".join(map(printable, lines)))


def refuse_undated(listed: Sequence[Listed], remarks: Sequence[Issue], options: Options) -> None:
    """Raise UndatedError if pages have no date that should have one; it says which and why.

    `remarks` are those on dates. A page whose author turned its date off is meant to have none.
    """
    pages = [each for each in listed if not (each.lastmod.value or each.metadata.no_lastmod)]
    count = len(pages)
    if not count:
        return
    subject = "1 page has" if count == 1 else f"{count:,} pages have"
    option = options.spelling.applied("`fail_undated`").strip("`")
    lines = [f"{subject} no date, which the option `{option}` forbids."]
    for each in pages[:_SHOWN]:
        lines.append(f"  {each.page.name}: {_why_undated(each)}")
    if count > _SHOWN:
        lines.append(f"  and {count - _SHOWN:,} more")
    for remark in remarks:
        if remark.rule.id not in ("future-date", "git-partial"):
            lines.append(f"  {remark.message} {remark.rule.fix} [{remark.rule.id}]")
    stated = "Or state dates in the pages' metadata (`lastmod: 2024-05-01`)"
    lines.append(f"  {stated}; `lastmod: false` says that a page has none.")
    raise UndatedError("\n".join(map(printable, lines)))


_SHOWN = 10
"""Undated pages that are named."""


def _why_undated(found: Listed) -> str:
    """Return what the sources of dates answered, but for those that know nothing of the page."""
    answers: list[str] = []
    telling: list[str] = []
    for source, why in found.lastmod.skipped:
        answer = f"{source}: {why}"
        answers.append(answer)
        if UNKNOWN.get(source) != why:
            telling.append(answer)
    return "; ".join(telling or answers) or "the option `lastmod` names no source of dates"


def on_places(
    selected: Selected, listed: int, options: Options, output_dir: Path
) -> Iterator[Issue]:
    """Yield the remarks on where the pages are; `listed` is the number of entries."""
    yield from dead_url(selected.listed, options, output_dir)
    yield from canonical_version(selected.excluded, listed, options)


def no_base_url(options: Options) -> Issue:
    """Without the site's address no sitemap can be written."""
    spelling = options.spelling
    severity = "warning" if spelling.base_error else spelling.base_severity
    return issue("no-base-url", spelling.base_url, spelling.base_error, severity=severity)


def no_url(excluded: Sequence[Excluded]) -> Iterator[Issue]:
    """A setting of the generator leaves pages without a URL."""
    missing: Counter[str] = Counter()
    for each in excluded:
        if each.reason is Reason.NO_URL:
            missing[each.decided_by] += 1
    for setting, count in missing.items():
        yield issue("no-url", setting, f"Pages without a URL: {count:,}.")


def bad_metadata(page: Listed) -> Iterator[Issue]:
    """A value in a page's metadata is ignored."""
    for bad in page.metadata.bad_values:
        yield issue("bad-metadata", page.page.name, bad.message)


def dead_canonical(links: Sequence[tuple[Listed, str]]) -> list[Issue]:
    """Canonical links name URLs that no page has; the pages are listed all the same."""
    if not links:
        return []
    page, url = links[0]
    names = [page.page.name for page, _ in links]
    detail = f"It names {url}. {page.loc} is listed."
    return grouped("canonical-dead", names, detail, severity="note")


def unmatched_pattern(selected: Selected, options: Options) -> Iterator[Issue]:
    """A pattern in the options matches no page."""
    stated = {"exclude": options.exclude, "include": options.include}
    for n, rule in enumerate(options.rules):
        stated[f"rules[{n}].match"] = rule.match
    for n, source in enumerate(options.sources):
        stated[f"sources[{n}].match"] = source.match
    for name, value in options.added.items():
        stated[f"{name}.match"] = getattr(value, "match", ())
    if any(stated.values()):
        from sitemapkit.advice.unmatched import unmatched  # noqa: PLC0415 - few builds need it

        yield from unmatched(stated, selected.judged, options)


def unmatched_exclude(excludes: OtherPatterns, selected: Selected) -> Iterator[Issue]:
    """A pattern in an option of the generator matches no page."""
    urls: list[str] = []
    for each in selected.judged:
        page = each if isinstance(each, Excluded) else each.page
        urls.append(page.url)
    if not urls:
        return
    kind = f"{excludes.kind} " if excludes.kind else ""
    for pattern in excludes.unmatched(urls):
        yield issue("unmatched-pattern", excludes.where, f"It is {kind}{pattern!r}.")


def home_not_listed(selected: Selected, options: Options) -> Iterator[Issue]:
    """The home page is left out, though others are listed; one that leads elsewhere is no page.

    A pattern that was meant for other pages matches the name of its file, `index.html`, by chance:
    that is a mistake.
    """
    base = options.base_url
    if not selected.listed or any(each.loc == base for each in selected.listed):
        return
    for each in selected.excluded:
        leads_elsewhere = each.reason in (Reason.REDIRECT, Reason.CANONICAL)
        if leads_elsewhere or loc_of(each, options) not in (base, base + HOME):
            continue
        severity: Severity | None = None
        if re.match(_BY_CHANCE, each.decided_by):
            severity = "warning"
        yield issue("home-not-listed", each.page, f"Reason: {each.why}.", severity=severity)
        return


_BY_CHANCE = r"(?:\w*exclude|rule) (?:.*[*?[].*\w|.*\w.*[*?[])"
"""A pattern of ours with wildcards and words, for other pages; `*` alone is for all."""


def noindex_not_rendered(hidden: Collection[Page]) -> list[Issue]:
    """Only a page's metadata hides it from search engines, and not the rendered page."""
    open_pages = [page.name for page in hidden if _is_open(page)]
    return grouped("noindex-not-rendered", open_pages)


def _is_open(page: Page) -> bool:
    """Return whether the rendered page lets search engines index it."""
    head = rendered_head(page) if page.output else None
    return head is not None and head is not EMPTY and not head.noindex


def sources_without_file(rules: Sequence[SourceRule]) -> Iterator[Issue]:
    """A rule of the option `sources` names no file."""
    for rule in rules:
        patterns = (rule.files,) if isinstance(rule.files, str) else rule.files
        detail = f"The pattern is {', '.join(patterns)}."
        yield issue("sources-without-file", f"sources: {rule.match}", detail)


def limits_of_git(diagnostics: Sequence[Diagnostic]) -> Iterator[Issue]:
    """Rules that begin with `git-`: something limits the dates from git."""
    for each in diagnostics:
        detail = f"{each.detail} {and_more(each.count)}".strip()
        yield issue(each.id, each.where, detail)


def future_date(found: Mapping[str, tuple[str, date]]) -> Iterator[Issue]:
    """The date of a page, given by its name, is in the future, and left out."""
    for name, (source, value) in found.items():
        detail = f"It is {dates.w3c(dates.known(value))}, from {source}, and is left out."
        yield issue("future-date", name, detail)


def dead_url(listed: Sequence[Listed], options: Options, output_dir: Path) -> list[Issue]:
    """Pages were written to files that their URLs do not lead to."""
    root = f"{output_dir}{os.sep}"
    dead: list[str] = []
    detail = ""
    for each in listed:
        if _is_dead(each, root, options):
            dead.append(each.page.name)
            detail = detail or f"{each.loc} leads to no file."
    return grouped("dead-url", dead, detail)


def _is_dead(found: Listed, root: str, options: Options) -> bool:
    """Return whether a page was written below `root` to a file that its URL does not lead to."""
    file = os.fspath(found.page.output or "")
    if not file.startswith(root):
        return False
    for name in urls.files_below(options.base_url, found.loc, options.url_encoding):
        # The likeliest name comes first, and nearly always is the one.
        if root + name == file or is_file(root + name):
            return False
    return True


def canonical_version(
    excluded: Sequence[Excluded], listed: int, options: Options
) -> Iterator[Issue]:
    """Pages have their canonical pages in another version of the site, which was built apart."""
    base, served = options.base_url, os.environ.get("READTHEDOCS_CANONICAL_URL", "")
    version = os.environ.get("MIKE_DOCS_VERSION")
    is_preview = os.environ.get("READTHEDOCS_VERSION_TYPE") == "external"
    if is_preview or not (version or served):
        return
    count = 0
    for each in excluded:
        if each.reason is Reason.CANONICAL and not each.decided_by.startswith(base):
            count += 1
    if base not in (f"{served.rstrip('/')}/", f"{base.rsplit('/', 2)[0]}/{version}/"):
        count += listed
    if count:
        detail = f"In this version {count:,} do so."
        yield issue("canonical-version", options.spelling.base_url, detail)
