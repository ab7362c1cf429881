"""Where the pages of dead addresses went.

Signals are asked in the order of how often they are right: where the address itself led before it
died, another spelling of it, a page with the same words, the most similar page, and the links that
the commit of its death led elsewhere. The page that takes the place of another is new when that one
dies: one that lived beside it for long is a sibling, however alike.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from sitemapkit.urls import below, resolve_or_none
from sitemapkit_tools.moved.past import CLOSE, NOW
from sitemapkit_tools.moved.similar import (
    ENOUGH_WORDS,
    Candidate,
    Proposal,
    compare,
    decide,
    has_name,
    has_title,
)
from sitemapkit_tools.moved.twins import twin_of
from sitemapkit_tools.site.words import PageWords, read_words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence, Set

    from sitemapkit_tools.moved.past import Old, Past, Step
    from sitemapkit_tools.moved.present import Present
    from sitemapkit_tools.moved.similar import Score
    from sitemapkit_tools.site.read_pages import OnProgress


_GENERATED = re.compile(
    r"(?:^|/)(?:tags?|categor(?:y|ies)|authors?|archives?|page|search|genindex|py-modindex|modindex"
    r"|_modules|_sources)(?:/|\.html?$|$)"
)
"""Paths of lists that generators make, which change all the time: only their twins are asked."""

_LED = 0.05
"""Part of an old page that must be in the one that links lead to now."""

_FEW_WORDS = 40
"""Words up to which the text of a page says little about where it went."""

_TAKEN_IN = 0.5
"""Part of an old page that a page above it has taken in."""


class _Dead(Struct):
    """A dead address whose page is looked for."""

    old: Old
    words: PageWords = PageWords()
    then: Proposal | None = None
    """Where it went when it died; that may be dead as well now."""

    now: Proposal | None = None
    """Where it is now, by the pages that are there now."""

    def candidate(self) -> Candidate:
        """Return what is compared with other pages."""
        return Candidate(self.old.url, self.words, self.old.died)


class Finder:
    """Finds where pages went, for all dead addresses that one branch or directory knows."""

    def __init__(
        self,
        past: Past,
        present: Present,
        build_of: Callable[[str], str],
        on_progress: OnProgress,
    ) -> None:
        """`build_of` returns the folder of the version or language that a URL belongs to.

        `on_progress` is told how many addresses were asked, and ends the command when its time is
        over.
        """
        self._past = past
        self._present = present
        self._build_of = build_of
        self._on_progress = on_progress
        self._dead: dict[str, _Dead] = {}

    def find(self, olds: Sequence[Old], wanted: Set[str]) -> Mapping[str, Proposal]:
        """Return where `wanted` addresses should lead, as far as that is known.

        `olds` are all dead addresses, since one may have moved to another.
        """
        self._dead = {old.url: _Dead(old) for old in olds}
        newest = all(dead.old.died == NOW for url, dead in self._dead.items() if url in wanted)
        by_death: dict[int, list[_Dead]] = defaultdict(list)
        for dead in self._dead.values():
            if newest and dead.old.died != NOW:  # nothing that is wanted leads there
                continue
            self._ask_itself(dead)
            self._on_progress(1)
            if not dead.now and dead.words.count and not self._is_generated(dead.old.url):
                by_death[dead.old.died].append(dead)
        for died, group in sorted(by_death.items()):
            self._ask_then(group, self._past.step(died))
        self._ask_now([dead for group in by_death.values() for dead in group])
        found = ((url, self._follow(url, frozenset())) for url in sorted(wanted))
        return {url: proposal for url, proposal in found if proposal}

    def _path(self, url: str) -> str:
        return below(self._present.base_url, url)

    def _is_generated(self, url: str) -> bool:
        return bool(_GENERATED.search(self._path(url)))

    def _ask_itself(self, dead: _Dead) -> None:
        """Ask the address itself: it may be spelled otherwise now, or have been a redirect."""
        old = dead.old
        twin = twin_of(self._path(old.url), self._present.spellings)
        if twin and (end := self._present.end(self._present.base_url + twin)):
            dead.now = Proposal(end, "it is the same address, spelled otherwise")
            return
        same = {end for url in self._past.same(old) if (end := self._present.end(url))}
        if len(same) == 1:
            dead.now = Proposal(same.pop(), "its content is the same, as the ledger says")
            return
        words = self._past.words(old)
        if words and words.redirect:
            target = resolve_or_none(words.redirect, old.url)
            if target and (end := self._present.end(target)):
                dead.now = Proposal(end, "it was a redirect to there")
                return
            if target in self._dead:
                dead.then = Proposal(target, "it was a redirect to there")
            words = self._past.before_redirect(old)
        dead.words = words or PageWords()

    def _ask_then(self, group: Sequence[_Dead], step: Step) -> None:
        """Ask what came when these pages went, and where links led from then on."""
        arrivals = [each for each in step.arrivals() if not self._is_generated(each.url)]
        self._on_progress(0)
        links = step.links([dead.old.url for dead in group])
        olds = [dead.candidate() for dead in group]
        scores = compare(olds, arrivals, self._may_replace, self._on_progress)
        new = {each.url for each in arrivals}
        for dead, old, found in zip(group, olds, scores, strict=True):
            led = self._led(old, links.get(old.url, {}))
            dead.then = (
                dead.then
                or _weigh(old, found, led, is_new=led is not None and led.url in new)
                or self._taken_in(old, step)
            )

    def _led(self, old: Candidate, targets: Mapping[str, Set[str]]) -> Candidate | None:
        """Return the page that all links lead to now which led to an old one."""
        if len(targets) != 1:
            return None
        url = next(iter(targets))
        page = self._present.pages.get(url)
        dead = self._dead.get(url)
        words = page.words if page else dead.words if dead else None
        led = Candidate(url, words) if words and words.count else None
        return led if led and self._may_replace(old, led) else None

    def _taken_in(self, old: Candidate, step: Step) -> Proposal | None:
        """Return a page above the old one, in its folders, that has taken in its text."""
        own = {*old.words.all_shingles()}
        folder = old.url.rstrip("/")
        while len(own) >= ENOUGH_WORDS and folder.startswith(self._present.base_url):
            folder = folder.rpartition("/")[0]
            both = step.change(f"{folder}/")
            if not both:
                continue
            before, after = ({*read_words(html, f"{folder}/").all_shingles()} for html in both)
            gained = len(own & (after - before)) / len(own)
            if gained >= _TAKEN_IN:
                return Proposal(f"{folder}/", f"it has taken in {gained:.0%} of the text")
        return None

    def _ask_now(self, group: Sequence[_Dead]) -> None:
        """Ask the pages that are there now and came when the old one died, or later."""
        pages = [
            Candidate(url, words, self._past.born(url))
            for url in self._present.pages
            if (words := self._present.words(url)).count and not self._is_generated(url)
        ]
        olds = [dead.candidate() for dead in group]
        scores = compare(olds, pages, self._may_replace, self._on_progress)
        for dead, old, found in zip(group, olds, scores, strict=True):
            match = decide(old, [each for each in found if _may_be_it(old, each)])
            end = self._present.end(match.to) if match else None
            if match and end:
                dead.now = Proposal(end, match.why)

    def _may_replace(self, old: Candidate, other: Candidate) -> bool:
        """Return whether two pages are in one version and language."""
        if old.url == other.url or self._build_of(old.url) != self._build_of(other.url):
            return False
        one, two = old.words.lang, other.words.lang
        return not (one and two) or one == two

    def _follow(self, url: str, seen: Set[str]) -> Proposal | None:
        """Return where an address should lead now, though its page has moved more than once."""
        dead = self._dead.get(url)
        if not dead:
            end = self._present.end(url)
            return Proposal(end, "") if end else None
        if url in seen:
            return None
        later = self._follow(dead.then.to, seen | {url}) if dead.then else None
        if not dead.then or not later:
            return dead.now
        then = dead.then.then(later)
        if dead.now and dead.now.to != then.to:
            return replace(then, sure=False)
        return then


def _may_be_it(old: Candidate, score: Score) -> bool:
    """Return whether a page was new when the old one died, or is a copy of it."""
    page = score.candidate
    return page.born <= old.born + CLOSE or page.words.digest == old.words.digest


def _weigh(
    old: Candidate, scores: Sequence[Score], led: Candidate | None, *, is_new: bool
) -> Proposal | None:
    """Return what text and links show together."""
    match = decide(old, scores)
    if match and (not led or led.url == match.to):
        why = f"{match.why}, and links lead there now" if led else match.why
        return Proposal(match.to, why)
    if not led:
        return None
    score = next((each for each in scores if each.candidate.url == led.url), None)
    held = score.held if score else 0.0
    if match:
        to = led.url if held >= _LED else match.to
        return Proposal(to, f"{match.why}, but links lead to another page now", sure=False)
    others = max((each.held for each in scores if each is not score), default=0.0)
    is_named = has_title(old, led) or has_name(old, led)
    if held < _LED and not is_named and old.words.count > _FEW_WORDS:
        return None
    sure = is_new and held >= others and (held >= _LED or is_named)
    return Proposal(led.url, "links that led there lead here now", sure=sure)
