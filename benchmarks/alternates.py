"""How long it takes to find the translations of a large site: `python -m benchmarks.alternates`.

CPU time of the step from pages to hreflang sets, on sites in ten languages of up to 100,000 pages,
with the sets made by key (one build in all languages) and by path (a build for each language, whose
pages are read from its sitemap). Linear time shows as the same time per page on each line.
"""

from __future__ import annotations

import gc
import tempfile
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

from sitemapkit import Page, Report, read_options
from sitemapkit.extensions.alternates import find
from sitemapkit.model import Listed
from sitemapkit.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitemapkit.options import Options

BASE = "https://example.org/"
LANGUAGES = ("en", "de", "es", "fr", "it", "ja", "ko", "pt-BR", "ru", "zh-Hans")
SIZES = (25_000, 50_000, 100_000)
ROUNDS = 3


def main() -> None:
    """Print a Markdown table."""
    print("### From pages to sets, in ten languages\n")
    print("| pages | sets by | CPU seconds | microseconds a page |\n|---:|---|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            row("key", *by_key(size))
            row("path", *by_path(size, Path(folder)))


def row(how: str, listed: Sequence[Listed], options: Options) -> None:
    """Measure one site and print its line."""
    seconds = min(measured(listed, options) for _ in range(ROUNDS))
    size = len(listed)
    print(f"| {size:,} | {how} | {seconds:.2f} | {seconds / size * 1e6:.1f} |")


def measured(listed: Sequence[Listed], options: Options) -> float:
    """Return the CPU seconds of one run."""
    gc.collect()
    start = process_time()
    found = [*find(listed, options, Report())]
    seconds = process_time() - start
    if {len(each) for each in found} != {len(LANGUAGES) + 1}:
        raise SystemExit("the sets are not complete")
    return seconds


def by_key(size: int) -> tuple[Sequence[Listed], Options]:
    """Return a site of one build in all languages."""
    pages = [
        Page(f"{lang}/section-{n % 50}/page-{n}/", lang=lang, translation_key=f"page-{n}.md")
        for n in range(size // len(LANGUAGES))
        for lang in LANGUAGES
    ]
    return site(pages)


def by_path(size: int, folder: Path) -> tuple[Sequence[Listed], Options]:
    """Return a site of a build for each language, of which the others' sitemaps are at hand."""
    paths = [f"section-{n % 50}/page-{n}/" for n in range(size)]
    languages: dict[str, object] = {LANGUAGES[0]: BASE}
    for lang in LANGUAGES[1:]:
        base, file = f"https://{lang.lower()}.example.org/", folder / f"{lang}-{size}.xml"
        file.write_text("".join(f"<url><loc>{base}{path}</loc></url>\n" for path in paths))
        languages[lang] = {"base_url": base, "pages": str(file)}
    return site([Page(path) for path in paths], languages=languages)


def site(pages: Sequence[Page], **given: object) -> tuple[Sequence[Listed], Options]:
    """Return the pages as the step finds them, and the options."""
    settings: Mapping[str, Any] = {"base_url": BASE, "x_default": LANGUAGES[0], **given}
    options = read_options(settings, where="benchmark")
    judged = map(Selection(options).judge, pages)
    return [found for found in judged if isinstance(found, Listed)], options


if __name__ == "__main__":
    main()
