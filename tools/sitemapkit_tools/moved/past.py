"""The addresses that a site once had, and what their pages said, as far as that is known."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from sitemapkit_tools.bounds import MAX_PAGE
from sitemapkit_tools.moved.links import ChangedPage, moved_links
from sitemapkit_tools.moved.similar import Candidate
from sitemapkit_tools.site.words import PageWords, read_words, segment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sitemapkit_tools.moved.history import Branch, Commit, Version
    from sitemapkit_tools.moved.present import Present
    from sitemapkit_tools.site.output_dir import OutputDir

NOW = -1
"""The number of the build that is looked at, among commits: it is newer than the newest, 0."""

CLOSE = 5
"""Commits between which one page may go and the one that takes its place come."""

_MOST_READ = 400
"""Changed pages of a commit that are read, to see whether they link to an old page."""

_MOST_COMPARED = 24
"""Those of them whose links are compared."""

_REMEMBERED = 4_000
"""Pages whose words are remembered."""


class Old(Struct, frozen=True):
    """An address that the site once had."""

    url: str
    known_from: str
    """The branch, file or directory that has it."""

    died: int = NOW
    """The number of the commit that removed it; `NOW`: it was there until this build."""

    file: str = ""
    """Its file in that branch or directory; "" if only the address is known."""


class Step:
    """A commit, or this build: what went, came and changed in it. Here nothing is known of it."""

    def arrivals(self) -> Iterator[Candidate]:
        """Yield the pages that came with it, or shortly before, as they were then."""
        return iter(())

    def change(self, url: str) -> tuple[bytes, bytes] | None:  # noqa: ARG002 - see subclasses
        """Return a page before and after it; None if it was not there before or after."""
        return None

    def links(self, near: Sequence[str]) -> Mapping[str, Mapping[str, set[str]]]:  # noqa: ARG002
        """Return where links lead that led to the old pages at `near` before."""
        return {}


class Past:
    """Something that knows old addresses, and perhaps their texts.

    As it is, a file that has none: a sitemap, a report or a ledger.
    """

    def __init__(self, name: str, urls: Iterable[str], same: Mapping[str, Sequence[str]]) -> None:
        """`same` are the URLs of pages with the same content as an old one had."""
        self.olds: Sequence[Old] = [Old(url, name) for url in urls]
        self._same = same

    @property
    def branch(self) -> Branch | None:
        """The deployed branch, if that is what knows them."""
        return None

    def words(self, old: Old) -> PageWords | None:  # noqa: ARG002 - see subclasses
        """Return what the page at an old address said; None if that is not known.

        It may also say only where it redirected to.
        """
        return None

    def before_redirect(self, old: Old) -> PageWords | None:  # noqa: ARG002
        """Return what a page said before it became a redirect; None if it never said anything."""
        return None

    def same(self, old: Old) -> Sequence[str]:
        """Return the URLs of the pages that are known to have the same content."""
        return self._same.get(old.url, ())

    def step(self, died: int) -> Step:  # noqa: ARG002
        """Return what happened when pages died."""
        return Step()

    def born(self, url: str) -> int:  # noqa: ARG002
        """Return the number of the commit that added a page that is there now; `NOW`: none did."""
        return NOW

    def commit_of(self, old: Old) -> Commit | None:
        """Return the commit that removed a page, if one did."""
        return self.branch.commits[old.died] if self.branch and old.died != NOW else None


def changed_links(
    pages: Sequence[str], near: Sequence[str], step: Step
) -> Mapping[str, Mapping[str, set[str]]]:
    """Return where links lead now, and led to the pages at `near` before.

    Of the pages that linked to them, those in the highest folders are compared, such as the home
    page, which has the menu.
    """
    names = {segment(url).encode() for url in near} - {b""}
    pages = sorted(pages, key=lambda url: (url.count("/"), url))[:_MOST_READ]
    found: list[ChangedPage] = []
    for url in pages:
        both = step.change(url)
        before = both[0].lower() if both else b""
        if both and any(name in before for name in names):
            found.append(ChangedPage(url, *both))
        if len(found) == _MOST_COMPARED:
            break
    return moved_links(found)


class BranchPast(Past):
    """A deployed branch."""

    def __init__(self, branch: Branch, tree: OutputDir, present: Present) -> None:
        """Its files are served as those of `tree`."""
        self._branch = branch
        self.url_of = tree.url_of
        self.present = present
        self.files = {tree.url_of(file): file for file in branch.pages}
        super().__init__(branch.name, (), {})
        self.olds = [
            Old(url, branch.name, branch.pages[file].died, file) for url, file in self.files.items()
        ]
        self.text = lru_cache(_REMEMBERED)(self._read)

    @property
    def branch(self) -> Branch:
        """The deployed branch."""
        return self._branch

    def words(self, old: Old) -> PageWords | None:
        """Return what a page last said; a redirect with other words is asked for those before."""
        life = self._branch.pages[old.file].last_life
        return self.text(life[0].text, old.url) if life else None

    def before_redirect(self, old: Old) -> PageWords | None:
        """Return what a page said before it became a redirect; None if it never said anything."""
        for version in self._branch.pages[old.file].last_life[1:]:
            found = self.text(version.text, old.url)
            if found and found.count and not found.redirect:
                return found
        return None

    def step(self, died: int) -> Step:
        """Return a commit; or what changed from the newest one to this build."""
        return BranchStep(self, died) if died != NOW else BuildStep(self, self.present)

    def born(self, url: str) -> int:
        """Return the number of the commit that added a page."""
        life = self._life(url)
        return life[-1].number if life else NOW

    def html(self, url: str) -> bytes | None:
        """Return a page of the newest commit."""
        life = self._life(url)
        return self._branch.read(life[0].text) if life else None

    def _life(self, url: str) -> Sequence[Version]:
        """Return the versions of a page that is in the newest commit."""
        file = self.files.get(url)
        page = self._branch.pages[file] if file else None
        return page.last_life if page and page.died == NOW else ()

    def living(self) -> list[str]:
        """Return the URLs of the pages of the newest commit."""
        return [old.url for old in self.olds if old.died == NOW]

    def _read(self, blob: bytes, url: str) -> PageWords | None:
        html = self._branch.read(blob)
        return None if html is None else read_words(html, url)


class BranchStep(Step):
    """A commit of a deployed branch."""

    def __init__(self, past: BranchPast, number: int) -> None:
        """Of commits, `number` 0 is the newest."""
        self._past = past
        self._number = number

    def arrivals(self) -> Iterator[Candidate]:
        """Yield the pages that came with it, or a few commits before, as they came."""
        last = min(self._number + CLOSE + 1, len(self._past.branch.commits))
        for number in range(self._number, last):
            for file, before, after in self._past.branch.changes(number):
                if before or not after:
                    continue
                url = self._past.url_of(file)
                words = self._past.text(after, url)
                if words and words.count:
                    yield Candidate(url, words, number)

    def change(self, url: str) -> tuple[bytes, bytes] | None:
        """Return a page before and after the commit."""
        ids = self._changes.get(url)
        if not ids:
            return None
        before, after = map(self._past.branch.read, ids)
        return (before, after) if before is not None and after is not None else None

    def links(self, near: Sequence[str]) -> Mapping[str, Mapping[str, set[str]]]:
        """Return where the commit led links."""
        return changed_links([*self._changes], near, self)

    @cached_property
    def _changes(self) -> Mapping[str, tuple[bytes, bytes]]:
        """The object ids of changed pages, before and after, by URL."""
        changes = self._past.branch.changes(self._number)
        return {self._past.url_of(f): (old, new) for f, old, new in changes if old and new}


class FolderPast(Past):
    """A directory that an earlier build was written to."""

    def __init__(self, tree: OutputDir, present: Present) -> None:
        """`tree` is the earlier build, under the base URL of the present one."""
        self._tree = tree
        self._present = present
        self.files = {tree.url_of(file): file for file in tree.pages()}
        super().__init__(str(tree.root), (), {})
        self.olds = [Old(url, str(tree.root), file=file) for url, file in self.files.items()]

    def words(self, old: Old) -> PageWords | None:
        """Return what a page said."""
        html = self.html(old.url)
        return None if html is None else read_words(html, old.url)

    def step(self, died: int) -> Step:  # noqa: ARG002 - there is only one
        """Return what changed from there to this build."""
        return BuildStep(self, self._present)

    def born(self, url: str) -> int:
        """Return that a page is new, or old."""
        return _OLD if url in self.files else NOW

    def html(self, url: str) -> bytes | None:
        """Return a page."""
        file = self.files.get(url)
        return self._tree.read(file, MAX_PAGE) if file else None

    def living(self) -> list[str]:
        """Return the URLs of all pages."""
        return [*self.files]


_OLD = 1_000_000
"""A number of a commit that is older than all that matter."""


class BuildStep(Step):
    """What changed from the newest known state to this build."""

    def __init__(self, past: BranchPast | FolderPast, present: Present) -> None:
        """Compare the two."""
        self._past = past
        self._present = present

    def arrivals(self) -> Iterator[Candidate]:
        """Yield the pages that are new, or came shortly before, as they are."""
        for url in self._present.pages:
            if self._past.born(url) <= NOW + CLOSE and (words := self._present.words(url)).count:
                yield Candidate(url, words)

    def change(self, url: str) -> tuple[bytes, bytes] | None:
        """Return a page before and in this build."""
        page = self._present.pages.get(url)
        before = self._past.html(url) if page else None
        if not page or before is None:
            return None
        return before, self._present.tree.read(page.file, MAX_PAGE)

    def links(self, near: Sequence[str]) -> Mapping[str, Mapping[str, set[str]]]:
        """Return where this build led links."""
        return changed_links(self._past.living(), near, self)
