"""Which addresses of a site are dead, and where their pages went: all sources taken together."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from sitemapkit import dates
from sitemapkit.urls import below
from sitemapkit_tools.moved.history import MOST_CHANGES, build_root
from sitemapkit_tools.moved.past import NOW
from sitemapkit_tools.moved.similar import Proposal
from sitemapkit_tools.moved.successors import Finder
from sitemapkit_tools.site.read_pages import no_progress

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sitemapkit.patterns import PathPatterns
    from sitemapkit_tools.moved.past import Old, Past
    from sitemapkit_tools.moved.present import Present
    from sitemapkit_tools.site.read_pages import OnProgress
    from sitemapkit_tools.site.versions import Versions


class DeadAddress(Struct, frozen=True):
    """An address that the site no longer answers."""

    url: str
    known_from: str
    """The branch, file or directory that has it."""

    is_new: bool
    """Whether it was there until this build."""

    commit: str = ""
    """The commit of the branch that removed it, if one did."""

    day: str = ""
    """The day of that commit."""

    proposal: Proposal | None = None


class RemovedBuild(Struct, frozen=True):
    """A version, or a language, that is gone with all its addresses."""

    url: str
    dead: Sequence[DeadAddress]


class Moved(Struct, frozen=True):
    """All that is known about the old addresses of a site."""

    base_url: str
    addresses: int
    """How many old addresses are known."""

    dead: Sequence[DeadAddress]
    """Those that are not answered, without those of removed builds."""

    removed: Sequence[RemovedBuild]
    notes: Sequence[str]
    """What limits the answer."""

    @property
    def all_dead(self) -> Sequence[DeadAddress]:
        """All addresses that are not answered."""
        return [*self.dead, *(each for build in self.removed for each in build.dead)]


class MovedSettings(Struct, frozen=True):
    """Settings of a search."""

    ignored: PathPatterns
    """Addresses that may die."""

    only_new: bool = False
    """Whether only those count that were there until this build."""


def find_moved(
    present: Present,
    pasts: Sequence[Past],
    versions: Versions,
    settings: MovedSettings,
    *,
    on_progress: OnProgress = no_progress,
) -> Moved:
    """Return which old addresses are dead, and where they went."""
    base, seen = present.base_url, set[str]()
    builds = _Builds(present, pasts, versions)
    dead: list[DeadAddress] = []
    for past in pasts:
        own = [old for old in past.olds if old.url not in seen and old.url.startswith(base)]
        seen |= {old.url for old in own}
        gone = [old for old in own if present.end(old.url) is None]
        wanted = {old.url for old in gone if _counts(old, base, settings)}
        found = Finder(past, present, builds.of, on_progress).find(gone, wanted)
        dead += [_dead(old, past, found.get(old.url)) for old in gone if old.url in wanted]
    inside, removed = builds.apart(dead)
    return Moved(
        base_url=base,
        addresses=len(seen),
        dead=sorted(inside, key=lambda each: each.url),
        removed=removed,
        notes=[*_notes(pasts, base, settings)],
    )


def _counts(old: Old, base: str, settings: MovedSettings) -> bool:
    if settings.only_new and old.died != NOW:
        return False
    return not settings.ignored.match(below(base, old.url))


def _dead(old: Old, past: Past, proposal: Proposal | None) -> DeadAddress:
    commit = past.commit_of(old)
    return DeadAddress(
        url=old.url,
        known_from=old.known_from,
        is_new=old.died == NOW,
        commit=commit.id if commit else "",
        day=dates.w3c(datetime.fromtimestamp(commit.time, UTC).date()) if commit else "",
        proposal=proposal,
    )


def _notes(pasts: Sequence[Past], base: str, settings: MovedSettings) -> Iterable[str]:
    for past in pasts:
        if past.branch and len(past.branch.commits) == 1 and not settings.only_new:
            yield (
                f"The branch {past.branch.name} has only one commit, as with `gh-deploy --force` or"
                " `force_orphan`: older addresses are in no commit. Name an old sitemap with --old."
            )
        if past.branch and len(past.branch.commits) < past.branch.length:
            yield (
                f"The branch {past.branch.name} has more than {MOST_CHANGES:,} changes of pages:"
                f" only its last {len(past.branch.commits):,} commits were read."
            )
        others = [old.url for old in past.olds if not old.url.startswith(base)]
        if others:
            yield (
                f"{past.olds[0].known_from}: {len(others):,} addresses are not below {base}, such"
                f" as {others[0]}; they were not asked for."
            )


class _Builds:
    """The versions and languages in folders, which are sites of their own."""

    def __init__(self, present: Present, pasts: Sequence[Past], versions: Versions) -> None:
        tree = present.tree
        folders = {each for above in versions.folders.values() for each in above}
        folders |= {root for file in tree.files if (root := build_root(file))}
        for past in pasts:
            folders |= past.branch.builds if past.branch else set()
        self._latest = versions.latest.get("", "")
        self._base = tree.base_url
        self._present = present
        urls = (tree.url_of(f"{folder}index.html") for folder in folders if folder)
        self._urls = sorted(urls, key=len, reverse=True)
        self._living = {self._longest(url) for url in present.pages}

    def of(self, url: str) -> str:
        """Return the URL of the build that a page is in; the latest version belongs to the top."""
        build = self._longest(url)
        return "" if self._latest and build == f"{self._base}{self._latest}" else build

    def apart(
        self, dead: Iterable[DeadAddress]
    ) -> tuple[Sequence[DeadAddress], Sequence[RemovedBuild]]:
        """Return the dead addresses in builds that are there, and those of each that is gone."""
        inside: list[DeadAddress] = []
        gone: Mapping[str, list[DeadAddress]] = defaultdict(list)
        for each in dead:
            build = self._longest(each.url)
            (inside if build in self._living or not build else gone[build]).append(each)
        removed = (RemovedBuild(url, self._with_twins(url, gone[url])) for url in sorted(gone))
        return inside, [*removed]

    def _with_twins(self, build: str, dead: Sequence[DeadAddress]) -> Sequence[DeadAddress]:
        """Propose the same page of the version that is to be found, or of the site's top."""
        found: list[DeadAddress] = []
        for each in dead:
            same = self._present.end(f"{self._base}{self._latest}{each.url[len(build) :]}")
            why = f"it is the same page of {self._latest or 'the site'}"
            twin = Proposal(same, why, sure=False) if same else None
            found.append(replace(each, proposal=each.proposal or twin))
        return found

    def _longest(self, url: str) -> str:
        return next((each for each in self._urls if url.startswith(each)), "")
