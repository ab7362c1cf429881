"""The page most like an old one, among those that could have taken its place.

The limits were measured on pages whose maintainers later redirected them; the manual has the table.
Memory is bounded: of many pages, only the few most similar ones are kept for each old page.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import takewhile
from typing import TYPE_CHECKING

from msgspec import Struct

from sitemapkit_tools.site.words import segment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sitemapkit_tools.site.read_pages import OnProgress
    from sitemapkit_tools.site.words import PageWords

    MayReplace = Callable[["Candidate", "Candidate"], bool]
    """Returns whether the second page can have taken the place of the first."""

ENOUGH_WORDS = 20
"""Words below which two pages with the same ones need not be one page."""

ENOUGH_SHINGLES = 20
"""Shingles in common below which their share of a page says nothing."""

_HELD = 0.5
"""Part of the old text that the other page must hold."""

_MARGIN = 0.2
"""How much less of it any other page must have."""

_NAMED_ALIKE, _NAMED_MARGIN = 0.1, 0.1
"""The same where title or name are the same as well."""

_BATCH = 500
"""Old pages that are compared with all others at once."""

_KEPT = 40
"""Similar pages that are kept for each."""


class Candidate(Struct, frozen=True):
    """A page that could have taken the place of another, or the other."""

    url: str
    words: PageWords
    born: int = -1
    """The commit that added it; -1: newer than all."""


class Score(Struct, frozen=True):
    """How like an old page another one is."""

    candidate: Candidate
    shared: int
    """Shingles that both have."""

    alike: float
    """Their part of all that the two have."""

    held: float
    """Their part of the old page."""


class Proposal(Struct, frozen=True):
    """Where a dead address should lead."""

    to: str
    """The URL of a page that is there, or was."""

    why: str
    sure: bool = True
    """False: perhaps."""

    def then(self, later: Proposal) -> Proposal:
        """Return the proposal for a page that has moved once more."""
        why = f"{self.why}; later {later.why}" if later.why not in ("", self.why) else self.why
        return Proposal(later.to, why, self.sure and later.sure)


def compare(
    olds: Sequence[Candidate],
    candidates: Sequence[Candidate],
    may_replace: MayReplace,
    on_progress: OnProgress,
) -> Iterator[Sequence[Score]]:
    """Yield for each old page the others that are like it; `on_progress` may end it."""
    for start in range(0, len(olds), _BATCH):
        yield from _scores(olds[start : start + _BATCH], candidates, may_replace, on_progress)


def _scores(
    olds: Sequence[Candidate],
    candidates: Iterable[Candidate],
    may_replace: MayReplace,
    on_progress: OnProgress,
) -> Sequence[list[Score]]:
    holders: Mapping[int, list[int]] = defaultdict(list)
    for number, old in enumerate(olds):
        for shingle in old.words.all_shingles():
            holders[shingle].append(number)
    found: list[list[Score]] = [[] for _ in olds]
    for each in candidates:
        on_progress(0)
        shingles = each.words.all_shingles()
        shared = Counter(n for s in shingles if s in holders for n in holders[s])
        for number, count in shared.items():
            old = olds[number]
            if may_replace(old, each):
                size = len(old.words.all_shingles())
                alike = count / (size + len(shingles) - count)
                scores = found[number]
                scores.append(Score(each, count, alike, count / size))
                if len(scores) > 2 * _KEPT:
                    found[number] = _best(scores)
    return found


def _best(scores: list[Score]) -> list[Score]:
    """Return those that are most alike, and those that hold most of the old page."""
    by_held = sorted(scores, key=lambda each: -each.held)[: _KEPT // 2]
    by_alike = sorted(scores, key=lambda each: -each.alike)[: _KEPT // 2]
    return [*by_held, *(each for each in by_alike if each not in by_held)]


def decide(old: Candidate, scores: Sequence[Score]) -> Proposal | None:
    """Return the page that took the place of an old one, if its text clearly shows that."""
    copies: dict[bytes, list[Score]] = defaultdict(list)
    for each in scores:
        copies[each.candidate.words.digest].append(each)
    near = {
        digest: min(same, key=lambda each: distance(old.url, each.candidate.url))
        for digest, same in copies.items()
    }
    if (same := near.get(old.words.digest)) and old.words.count >= ENOUGH_WORDS:
        return Proposal(same.candidate.url, "it has the same words")
    ordered = sorted(near.values(), key=lambda each: -each.alike)
    return (_by_part(old, ordered) or _by_name(old, ordered)) if ordered else None


def _by_part(old: Candidate, scores: Sequence[Score]) -> Proposal | None:
    """Return the page that holds the text of the old one, if no other has its name."""
    holder, *others = sorted(scores, key=lambda each: -each.held)
    margin = holder.held - (others[0].held if others else 0.0)
    if any(has_name(old, each.candidate) for each in others):
        return None
    if holder.shared >= ENOUGH_SHINGLES and holder.held >= _HELD and margin >= _MARGIN:
        return Proposal(holder.candidate.url, f"it holds {holder.held:.0%} of the text")
    return None


def _by_name(old: Candidate, scores: Sequence[Score]) -> Proposal | None:
    """Return the page of the same title or name; alone, neither is enough."""
    best, second = scores[0], scores[1].alike if len(scores) > 1 else 0.0
    if (
        (has_title(old, best.candidate) or has_name(old, best.candidate))
        and best.alike >= _NAMED_ALIKE
        and best.alike - second >= _NAMED_MARGIN
    ):
        same = "title" if has_title(old, best.candidate) else "name"
        return Proposal(
            best.candidate.url, f"the {same} and {best.alike:.0%} of the text are the same"
        )
    titled = [each for each in scores if has_title(old, each.candidate)]
    if len(titled) == 1 and titled[0].held >= _NAMED_ALIKE:
        return Proposal(
            titled[0].candidate.url, f"the title and {titled[0].held:.0%} of the text are the same"
        )
    return None


def has_title(old: Candidate, other: Candidate) -> bool:
    """Return whether two pages have one title."""
    return bool(old.words.title) and old.words.title == other.words.title


def has_name(old: Candidate, other: Candidate) -> bool:
    """Return whether the last part of the address of two pages is the same."""
    return segment(old.url) == segment(other.url)


def distance(url: str, other: str) -> tuple[int, int, str]:
    """Return how far an address is from another: less with its name, and in its folders."""
    own, parts = url.split("/"), other.split("/")
    pairs = zip(own, parts, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return -same - (segment(other) == segment(url)), len(parts), other
