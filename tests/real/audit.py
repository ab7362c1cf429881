"""Judge the sitemap of a built site from outside; shares no code with what wrote it.

    python tests/real/audit.py site --base-url https://example.org/ --source docs --generator mkdocs

Every HTML file of the output is read and judged by the rules that the answer states; what the
sitemap says is compared with what it should say. A date is compared with the author's own, or with
what git answers when it is asked about the one file alone.

Exit status: 0 no difference, 1 differences, 2 wrong use. Needs nothing but Python and git.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from re import fullmatch
from typing import TYPE_CHECKING

from built import Built, digest
from history import landed
from moments import read_moment
from sitemap_files import check_entries, check_robots, read_sitemap
from sources import OFF, SUFFIXES, Sources, author_forbids, front_matter, is_post
from verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from built import Html
    from moments import Moment
    from sitemap_files import Entry

ERROR_PAGE = {"error page": ("404.html", "404/index.html")}
SEARCH = {"search": ("search.html", "search/index.html")}

NOT_PAGES: Mapping[str, dict[str, Sequence[str]]] = {
    "mkdocs": {
        **ERROR_PAGE,
        **SEARCH,
        "later page of a listing": ("page/*/index.html", "*/page/*/index.html"),
    },
    "pelican": {
        **ERROR_PAGE,
        **SEARCH,
        "draft": ("drafts/*",),
        "file of the theme": ("theme/*",),
    },
    "sphinx": {
        **ERROR_PAGE,
        **SEARCH,
        "index of terms": ("genindex*", "*-modindex.html", "*-modindex/index.html"),
        "module code": ("_modules/*",),
        "copied file": ("_static/*", "_sources/*", "_downloads/*", "_images/*"),
    },
}
"""Patterns of output paths that are no pages to be found, by generator and reason."""

LISTINGS: Mapping[str, Sequence[str]] = {
    "mkdocs": ("blog/index.html", "blog/archive/*", "blog/category/*", "tags/index.html"),
    "pelican": (
        *("index.html", "archives.html", "tags.html", "categories.html", "authors.html"),
        *("tag/*", "tags/*", "category/*", "categories/*", "author/*", "authors/*"),
    ),
    "sphinx": (),
}
"""Patterns of output paths that are dated by the pages they list."""


@dataclass(frozen=True)
class Site:
    """A built site, what it was made from, and what is known of its paths."""

    built: Built
    sources: Sources
    sitemap: str
    not_pages: Mapping[str, Sequence[str]]
    listings: Sequence[str]
    every_commit: bool = False

    def is_listing(self, path: str) -> bool:
        """Tell whether an output file is dated by the pages it lists."""
        return _matches(path, self.listings)

    def source_of(self, path: str) -> Path | None:
        """Return the file that an output file was made from, if it is known."""
        return self.sources.of(self.built.pages[path])


def audit(site: Site) -> Verdict:
    """Compare the sitemap with the pages of the site, their sources and their history."""
    verdict = Verdict()
    entries = read_sitemap(site.built, site.sitemap, verdict)
    verdict.listed = len(entries)
    check_entries(site.built, entries, verdict)
    listed = match_files(site, entries, verdict)
    check_dates(site, check_pages(site, listed, verdict), verdict)
    check_robots(site.built, site.sitemap, verdict)
    return verdict


def match_files(site: Site, entries: Sequence[Entry], verdict: Verdict) -> Mapping[str, Entry]:
    """Return the entry of each file; an entry without a file of its own is a finding."""
    found: dict[str, Entry] = {}
    for entry in entries:
        path = site.built.file_of(entry.loc)
        if path is None:
            verdict.add("no-file", entry.loc, "no HTML file of the output has this URL")
        elif path in found and found[path].loc != entry.loc:
            verdict.add("twice", entry.loc, f"{path} is listed as {found[path].loc} too")
        else:
            found[path] = entry
    return found


# Which pages


def check_pages(site: Site, listed: Mapping[str, Entry], verdict: Verdict) -> dict[str, Entry]:
    """Each page to be found is listed under its canonical URL, and nothing else is listed.

    Returns the entries of the pages to be found.
    """
    right: dict[str, Entry] = {}
    for path, page in site.built.pages.items():
        reason = why_not(site, page)
        entry = listed.get(path)
        if reason:
            verdict.excluded[reason] += 1
            if entry:
                verdict.add("not-a-page", entry.loc, f"{path} is listed, but: {reason}")
        elif entry is None:
            verdict.add("missing", path, "is a page to be found, but is not listed")
        else:
            right[path] = entry
            if page.canonical and site.built.target(page, page.canonical) != entry.loc:
                verdict.add("canonical", entry.loc, f"its canonical link is {page.canonical}")
    return right


def why_not(site: Site, page: Html) -> str:
    """Return why a file of the output is not a page to be found, or nothing."""
    if reason := not_a_page_by_name(site, page.path) or not_a_page_by_content(site, page):
        return reason
    source = site.source_of(page.path)
    return author_forbids(source) if source else ""


def not_a_page_by_content(site: Site, page: Html) -> str:
    """Return why the file itself says that it is no page to be found, or nothing."""
    if not (site.built.root / page.path).read_bytes().strip():
        return "empty file"
    if page.noindex:
        return "noindex"
    if page.refresh and site.built.leads_elsewhere(page, page.refresh):
        return "redirect"
    if page.canonical and site.built.leads_elsewhere(page, page.canonical):
        return "canonical elsewhere"
    if digest(site.built.root / page.path) in site.sources.copied:
        return "copied file"
    return ""


def not_a_page_by_name(site: Site, path: str) -> str:
    """Return why the path of a file says that it is no page, or nothing."""
    known = site.not_pages.items()
    reason = next((why for why, patterns in known if _matches(path, patterns)), "")
    if reason == "search" and site.source_of(path):
        return ""  # an author's page about search
    if not reason and site.sources.generator == "pelican" and is_later_page(site, path):
        return "later page of a listing"
    return reason or ("untranslated copy" if is_untranslated(site, path) else "")


def is_untranslated(site: Site, path: str) -> bool:
    """MkDocs' static-i18n fills `fr/a/index.html` with what is in `a/index.html`."""
    language, _, rest = path.partition("/")
    copied = fullmatch(r"[a-z]{2}(-[A-Z]{2})?", language) and rest in site.built.pages
    return bool(copied) and site.source_of(path) is None and site.source_of(rest) is not None


def is_later_page(site: Site, path: str) -> bool:
    """Pelican writes the later pages of `tag/x.html` as `tag/x2.html`, `tag/x3.html`, ..."""
    found = fullmatch(r"(.*?)/?([0-9]+)((?:/index)?\.html)", path)
    if not found or int(found[2]) == 1:
        return False
    first = (f"{found[1]}{found[3]}", f"{found[1]}/index.html", f"{found[1]}.html")
    return any(name in site.built.pages and site.is_listing(name) for name in first)


def _matches(path: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(path, pattern) for pattern in patterns)


# Which dates


def check_dates(site: Site, listed: Mapping[str, Entry], verdict: Verdict) -> None:
    """Each date is the author's, else git's; a listing may have that of a page it lists."""
    for path, entry in listed.items():
        source = site.source_of(path)
        origin, wanted = expected_date(site, source) if source else ("no source", None)
        given = read_moment(entry.lastmod or "")
        if given and site.is_listing(path) and not (wanted and wanted.is_said_by(given)):
            origin = "listed page"
            if entry.lastmod not in dates_linked(site, path, listed):
                verdict.add("invented-date", entry.loc, f"no page it links to is of {given}")
        elif given and not wanted:
            verdict.add("invented-date", entry.loc, f"lastmod is {given}, but {origin} dates it")
        elif wanted and not (given and wanted.is_said_by(given)):
            kind = "wrong-date" if given else "no-date"
            verdict.add(kind, entry.loc, f"lastmod is {given}, but {origin} says {wanted}")
        if given and (newer := newer_item(site, path, given, listed)):
            verdict.add("old-date", entry.loc, f"lastmod is {given}, but it lists {newer}")
        verdict.dates[origin if given else "none"] += 1


def expected_date(site: Site, source: Path) -> tuple[str, Moment | None]:
    """Return what dates a source, and the date."""
    for key, text in stated_dates(site, source):
        moment = read_moment(text)
        if text.lower() in OFF or moment is None or not moment.is_future:
            return f"`{key}: {text}`" if moment is None else f"`{key}`", moment
    files = [source, *site.sources.taken_in(source)]
    moments = [landed(file, every_commit=site.every_commit) for file in files]
    known = [moment for moment in moments if moment]
    if len(known) < len(files):
        return "not even git", None
    return "git", max(known, key=lambda moment: moment.instant)


def stated_dates(site: Site, source: Path) -> Iterator[tuple[str, str]]:
    """Yield the dates that the author states, the most telling first."""
    meta = front_matter(source)
    keys = ["sitemap.lastmod", "sitemap-lastmod", "sitemap_lastmod", "lastmod"]
    if site.sources.generator == "pelican":
        keys += ["modified", "date"]
    elif site.sources.generator == "mkdocs" and is_post(source):
        keys += ["date.updated"]
    yield from ((key, meta[key]) for key in keys if meta.get(key))
    if site.sources.generator == "pelican" and fullmatch(r"\d{4}-\d\d-\d\d.*", source.name):
        yield "date in the file name", source.name[:10]


def dates_linked(site: Site, path: str, listed: Mapping[str, Entry]) -> set[str | None]:
    """Return the dates of the pages that a listing, or a listing that it links to, links to."""
    near = {*site.built.linked_files(path)}
    lists = {path, *filter(site.is_listing, near)}
    linked = {file for each in lists for file in site.built.linked_files(each)}
    return {listed[file].lastmod for file in linked if file in listed and not site.is_listing(file)}


def newer_item(site: Site, path: str, given: Moment, listed: Mapping[str, Entry]) -> str:
    """Return the URL of a page that a listing names in a heading and that changed days later."""
    if not site.is_listing(path):
        return ""
    for file in site.built.linked_files(path, in_headings=True):
        date = read_moment(listed[file].lastmod or "") if file in listed else None
        if date and date.instant.date() > given.instant.date() and not site.is_listing(file):
            return f"{listed[file].loc} of {date}"
    return ""


# The command line


def rules_of(site: Site) -> list[str]:
    """State the rules by which this site is judged."""
    return [
        "Every .html and .htm file of the output is a page to be found, except",
        *(f"  {why}: {', '.join(patterns)}" for why, patterns in site.not_pages.items()),
        "  later page of a listing: x2.html where x.html is a listing of Pelican",
        "  untranslated copy: fr/x.html that has no source, while x.html has one",
        "  robots noindex or none; refresh or canonical link to elsewhere; HTML copied as it is",
        "  a file with nothing in it",
        "  what its author withholds: sitemap: false, noindex, private, draft, hidden, skip",
        "Its date is the author's (lastmod; Pelican: modified, date; MkDocs posts: date.updated)",
        "  or else that of the last first-parent commit that changed its source"
        + (", its mode apart." if site.every_commit else "'s words,"),
        *([] if site.every_commit else ["  not its mode, name, front matter or blanks alone,"]),
        "  or the text of a file that it includes (Sphinx).",
        f"Listings may have the date of a page they lead to: {', '.join(site.listings) or 'none'};",
        "  they are no older than a page that is linked in one of their headings.",
    ]


def show(site: Site, verdict: Verdict) -> None:
    """Print the rules, a table of findings and the summary."""
    print(*rules_of(site), "", sep="\n")
    width = max((len(finding.kind) for finding in verdict.findings), default=0)
    for finding in verdict.findings:
        print(f"{finding.kind:{width}}  {finding.where}  {finding.issue}")
    print(verdict.summary)


def show_json(site: Site, verdict: Verdict) -> None:
    """Print the same for machines."""
    findings = [asdict(finding) for finding in verdict.findings]
    answer = {**vars(verdict), "findings": findings, "rules": rules_of(site)}
    print(json.dumps(answer, indent=2))


def make_parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("site", type=Path, help="folder of the built site")
    parser.add_argument("--base-url", required=True, help="address of that folder")
    sources = "folder of the sources; a further one has what the first lacks"
    parser.add_argument("--source", type=Path, required=True, action="append", help=sources)
    parser.add_argument("--generator", required=True, choices=sorted(SUFFIXES))
    parser.add_argument("--sitemap", default="sitemap.xml", help="its name in the built site")
    for option, value, meaning in (
        ("--map", "OUTPUT=SOURCE", "source of an output file; `*` is the same text in both"),
        ("--not-a-page", "PATTERN", "output files that are no pages to be found"),
        ("--listing", "PATTERN", "output files that are dated by the pages they list"),
    ):
        parser.add_argument(option, metavar=value, help=meaning, action="append", default=[])
    every = "a commit counts though it changed no words of the source"
    parser.add_argument("--every-commit", action="store_true", help=every)
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Audit the site that the command line names."""
    parser = make_parser()
    given = parser.parse_args(arguments)
    for folder in (given.site, *given.source):
        if not folder.is_dir():
            parser.error(f"{folder} is no folder")
    site = Site(
        Built(given.site.resolve(), given.base_url.rstrip("/") + "/"),
        Sources([each.resolve() for each in given.source], given.generator, given.map),
        given.sitemap,
        NOT_PAGES[given.generator] | ({"by option": given.not_a_page} if given.not_a_page else {}),
        [*LISTINGS[given.generator], *given.listing],
        given.every_commit,
    )
    verdict = audit(site)
    (show_json if given.json else show)(site, verdict)
    return 1 if verdict.findings else 0


if __name__ == "__main__":
    sys.exit(main())
