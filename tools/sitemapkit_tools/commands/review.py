"""What a reviewer of a change wants to know besides its changes: where pages went, new findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from sitemapkit.options import Options
from sitemapkit_tools.checks.check import CheckSettings, check_site
from sitemapkit_tools.commands.terminal import progress
from sitemapkit_tools.console import echo
from sitemapkit_tools.diff.formats import Review
from sitemapkit_tools.diff.present import Present
from sitemapkit_tools.diff.went import find_successors
from sitemapkit_tools.issues import fingerprint
from sitemapkit_tools.site.judgement import Classifier
from sitemapkit_tools.site.scan import ScanSettings
from sitemapkit_tools.site.titles import own_titles
from sitemapkit_tools.site.tracked import commit_of
from sitemapkit_tools.sources.find import find_project, made_by
from sitemapkit_tools.sources.plugins import plugin_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sitemapkit.model import Issue
    from sitemapkit_tools.bounds import Budget
    from sitemapkit_tools.diff.compare import Difference, UrlChange
    from sitemapkit_tools.diff.load import LoadedSite
    from sitemapkit_tools.diff.reading import SiteReading
    from sitemapkit_tools.explain import BuildReport
    from sitemapkit_tools.site.output_dir import OutputDir
    from sitemapkit_tools.site.read_pages import OnProgress


def review(  # noqa: PLR0913 - all that a review is made of
    difference: Difference,
    old: LoadedSite,
    new: LoadedSite,
    budget: Budget,
    *,
    preview: str,
    build: BuildReport | None,
) -> Review:
    """Return the difference with titles, and what else can be known of sites in directories.

    `build` is the report of the build of the new site.
    """
    changes: Sequence[UrlChange] = difference.changes
    findings: Sequence[Issue] = ()
    gone: Sequence[str] = ()
    if new.reading and new.base_url:
        changes, gone = _found_again(changes, old, new, new.reading, budget)
    if old.reading and new.reading and new.base_url:
        if 2 * (budget.memory - budget.room) <= budget.room:  # both are read once more
            findings = _new_findings(old.reading, new.reading, build, budget)
        else:
            why = "it needs three times the memory of the sitemaps (--max-memory)"
            echo(f"What check finds anew was not looked for: {why}.", err=True)
    with progress("Reading titles", len(changes), budget) as on_progress:
        changes = _titled(changes, old, new, on_progress)
    if build:
        changes = [_told(each, build) for each in changes]
    return Review(
        replace(difference, changes=changes),
        findings,
        gone,
        new.base_url,
        preview,
        commits=(_commit_of(old), _commit_of(new)),
    )


def _commit_of(site: LoadedSite) -> str:
    return commit_of(site.tree.root) if site.tree else ""


def _found_again(
    changes: Sequence[UrlChange],
    old: LoadedSite,
    new: LoadedSite,
    reading: SiteReading,
    budget: Budget,
) -> tuple[Sequence[UrlChange], Sequence[str]]:
    """Return the changes, and of each page that is no longer listed where it is now.

    Also the other addresses that died: what was not listed, such as redirects, or still is.
    `reading` is that of the new site; of addresses outside it nothing is known.
    """
    tree = reading.tree
    removed: set[str] = set()
    for each in changes:
        if each.kind == "removed" and each.url.startswith(new.base_url):
            removed.add(each.url)
    unlisted = _unlisted(old, new)
    still_listed = _still_listed(old, new, tree)
    if not (removed or unlisted or still_listed):
        return changes, ()
    with progress("Reading pages", len(tree.pages()), budget) as on_progress:
        present = Present(tree, reading.all(on_progress)[0])
    ends = {url: present.end(url) for url in removed}
    dead = sorted(url for url, end in ends.items() if not end)
    with progress("Looking for pages", len(dead), budget) as on_progress:
        successors = find_successors(dead, old, new, present, on_progress)
    listed = {route.file: url for url in new.elements if (route := tree.route(url))}

    found: list[UrlChange] = []
    for change in changes:
        if change.url not in ends:
            found.append(change)
            continue
        end = ends[change.url]
        successor = successors.get(change.url)
        if end is None and successor:
            at, found_by = successor
            found.append(replace(change, now_at=at, found_by=found_by, dead=True))
        elif end is None:
            found.append(replace(change, dead=True))
        elif end == change.url:
            found.append(replace(change, now_at=_as_listed(end, tree, listed), dead=False))
        else:
            to = _as_listed(end, tree, listed)
            found.append(
                replace(change, kind="moved", moved_to=to, found_by="redirect", dead=False)
            )
    gone = [url for url in still_listed if not present.end(url)]
    with progress("Looking at other pages", len(unlisted), budget) as on_progress:
        gone += _dead(unlisted, old, present, on_progress)
    return found, sorted(gone)


def _still_listed(old: LoadedSite, new: LoadedSite, tree: OutputDir) -> list[str]:
    """Return the URLs that both sites list and only the old one answers, as far as that is known.

    A folder without pages holds sitemaps alone, and says nothing of what they list.
    """
    found: list[str] = []
    if not tree.pages():
        return found
    for url in old.elements:
        was_there = old.tree is None or old.tree.route(url)
        if was_there and url in new.elements and not tree.route(url):
            found.append(url)
    return found


def _unlisted(old: LoadedSite, new: LoadedSite) -> Mapping[str, str]:
    """Return the HTML files that only the old site has and did not list, by URL."""
    if old.tree is None or new.tree is None:
        return {}
    listed = {route.file for url in old.elements if (route := old.tree.route(url))}
    found: dict[str, str] = {}
    for file in old.tree.pages():
        url = old.tree.url_of(file)
        if file not in new.tree.files and file not in listed and url.startswith(new.base_url):
            found[url] = file
    return found


def _dead(
    unlisted: Mapping[str, str], old: LoadedSite, present: Present, on_progress: OnProgress
) -> list[str]:
    """Return which of these addresses died; pages about errors and the like are no loss."""
    files = {file: url for url, file in unlisted.items() if not present.end(url)}
    if old.tree is None or old.reading is None or not files:
        return []
    reads = old.reading.some(sorted(files), on_progress)
    classifier = Classifier(old.tree, reads)
    return sorted(files[read.file] for read in reads if classifier.kind(read) == "page")


def _as_listed(url: str, tree: OutputDir, listed: Mapping[str, str]) -> str:
    """Return the URL by which the file behind a URL is listed, or else that URL."""
    route = tree.route(url)
    return listed.get(route.file, url) if route else url


def _new_findings(
    old: SiteReading, new: SiteReading, build: BuildReport | None, budget: Budget
) -> list[Issue]:
    """Return what a check finds in the new site and not in the old one, of the same project.

    The old one is checked as if no plugin had selected its pages: what may have been so is not new.
    """
    project, is_by_plugin = find_project(new.tree).project, plugin_of(new.tree) is not None
    before, after = (ScanSettings(made=made_by(project, each.tree)) for each in (old, new))
    known = _issues(old, CheckSettings(scan=before, budget=budget))
    settings = CheckSettings(scan=after, build=build, is_by_plugin=is_by_plugin, budget=budget)
    fingerprints = {fingerprint(each) for each in known}
    return [each for each in _issues(new, settings) if fingerprint(each) not in fingerprints]


def _issues(reading: SiteReading, settings: CheckSettings) -> Sequence[Issue]:
    tree = reading.tree
    with progress(f"Checking {tree.root}", len(tree.pages()), settings.budget) as on_progress:
        options = Options(base_url=tree.base_url)
        read = reading.all(on_progress)
        return check_site(tree, options, settings, already=read).issues


def _told(change: UrlChange, build: BuildReport) -> UrlChange:
    """Return a change with what the report of the build says of its page."""
    if excluded := build.excluded.get(change.url):
        return replace(change, source=excluded.page, because=excluded.reason)
    source = build.names.get(change.url, "")
    is_dated = change.kind == "added" or "lastmod" in change.fields
    because = build.origins.get(change.url, {}).get("lastmod", "") if is_dated else ""
    return replace(change, source=source, because=because)


_HOME = "index.html"


def _titled(
    changes: Sequence[UrlChange], old: LoadedSite, new: LoadedSite, on_progress: OnProgress
) -> list[UrlChange]:
    """Return the changes with the titles that their pages have now, or else had."""
    now = {each.url: each.moved_to or each.now_at or each.url for each in changes}
    after = _titles(new, now.values(), on_progress)
    before = _titles(old, [url for url, at in now.items() if at not in after], on_progress)
    return [
        replace(each, title=after.get(now[each.url]) or before.get(each.url, ""))
        for each in changes
    ]


def _titles(site: LoadedSite, urls: Iterable[str], on_progress: OnProgress) -> Mapping[str, str]:
    """Return the titles of pages without the name of the site, by URL."""
    if site.tree is None or site.reading is None:
        return {}
    routes = {url: route.file for url in urls if (route := site.tree.route(url))}
    files = sorted({*routes.values(), _HOME} & site.tree.files)
    reads = site.reading.some(files, on_progress)
    titles = own_titles({read.file: read.facts.title for read in reads})
    return {url: titles[file] for url, file in routes.items() if titles[file]}
