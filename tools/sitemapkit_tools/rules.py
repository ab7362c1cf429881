"""The rules of `sitemapkit check`: one table, from which the manual's page of rules is made.

A rule says what may be wrong and how to mend it; a finding (`sitemapkit_tools.finding`) says where
it is. `protocol` names what the rule stands on: ids of the project's protocol rules, RFCs, or the
search engines' own guidelines.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]
"""`error`: engines drop the URL or the file; `warning`: they mistrust it; `note`: good to know."""

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
"""The severities, the worst first."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Something that can be wrong with a site's sitemap."""

    id: str
    """Short stable name; baselines and suppressions go by it."""

    severity: Severity

    title: str
    """What is wrong, in one sentence."""

    fix: str
    """How to mend it, in one sentence."""

    protocol: str
    """What the rule stands on."""


FILES = (
    Rule(
        "missing-sitemap",
        "error",
        "There is no sitemap where one is expected.",
        "Build one with `sitemapkit build`, or name it: with --sitemap, or online by its URL.",
        "AN1, IX7",
    ),
    Rule(
        "missing-child",
        "error",
        "The index names a sitemap file that is not there.",
        "Publish the file, or take it out of the index.",
        "IX1",
    ),
    Rule(
        "unreadable",
        "error",
        "The sitemap cannot be read.",
        "Mend the server or the file, so that it can be read whole.",
        "AN1",
    ),
    Rule(
        "not-a-sitemap",
        "error",
        "The file is neither a sitemap, an index, a list of URLs nor a feed.",
        "Publish the sitemap itself at this address; servers often answer with an HTML page.",
        "D1, IX1",
    ),
    Rule(
        "broken-xml",
        "error",
        "The XML is not well-formed; what follows the fault is lost.",
        "Write it with an XML library or `sitemapkit build`; escape & and < in URLs.",
        "D4, D5",
    ),
    Rule(
        "encoding",
        "error",
        "The file is not UTF-8.",
        "Save it as UTF-8 and say so in the XML declaration, or leave the declaration out.",
        "D3",
    ),
    Rule(
        "dtd",
        "error",
        "The file has a document type declaration, and readers refuse it for their safety.",
        "Take the <!DOCTYPE ...> out; sitemaps need none.",
        "D13",
    ),
    Rule(
        "namespace",
        "error",
        "The root element is not in the namespace of the protocol.",
        'Write xmlns="http://www.sitemaps.org/schemas/sitemap/0.9", exactly so.',
        "D1",
    ),
    Rule(
        "unknown-element",
        "warning",
        "The sitemap holds an element or attribute that the protocol does not know.",
        "Take it out; extensions belong in a namespace of their own.",
        "D7",
    ),
    Rule(
        "no-loc",
        "error",
        "An entry does not have exactly one <loc>.",
        "Give each entry one <loc> with the URL of its page.",
        "D2",
    ),
    Rule(
        "empty-sitemap",
        "warning",
        "The sitemap lists nothing.",
        "Take it out of the index and robots.txt until it has something to list; only a sitemap of"
        " news, which is so called, may be empty.",
        "D9, IX5",
    ),
    Rule(
        "too-many-urls",
        "error",
        "The file lists more than 50,000 URLs.",
        "Split it; `sitemapkit build` does so by section.",
        "D10, IX2",
    ),
    Rule(
        "too-large",
        "error",
        "The file has more than 52,428,800 bytes when unpacked.",
        "Split it; `sitemapkit build` counts bytes too.",
        "D10, IX2",
    ),
    Rule(
        "too-many-images",
        "error",
        "An entry lists more than 1,000 images.",
        "List the 1,000 that matter most.",
        "Google, image sitemaps",
    ),
    Rule(
        "nested-index",
        "error",
        "An index names another index.",
        "Name all sitemaps in one index; a site may have several indexes in robots.txt.",
        "IX3",
    ),
    Rule(
        "child-other-host",
        "error",
        "The index names a sitemap on another host.",
        "Keep sitemaps on the host of their index, or name them in that host's robots.txt.",
        "P5",
    ),
    Rule(
        "child-scope",
        "warning",
        "The index names a sitemap outside its own directory.",
        "Move the index up to a directory that holds all its sitemaps.",
        "P5, P6",
    ),
    Rule(
        "index-date",
        "warning",
        "The index says that a sitemap is older than the newest page in it.",
        "Give each sitemap in the index the newest date of its pages; engines skip older files.",
        "IX4",
    ),
    Rule(
        "gzip-differs",
        "error",
        "The .gz file does not hold what the file beside it holds.",
        "Write both in the same build, or only one of them.",
        "D11",
    ),
    Rule(
        "gzip-broken",
        "error",
        "The .gz file cannot be unpacked.",
        "Write it again; a web server must send it as it is.",
        "D11",
    ),
)

ENTRIES = (
    Rule(
        "bad-url",
        "error",
        "What stands in <loc> is not an absolute http or https URL.",
        "Write the whole URL of the page, with its scheme and host.",
        "L1, L8",
    ),
    Rule(
        "unescaped-url",
        "error",
        "The URL holds characters that must be percent-encoded.",
        "Percent-encode what RFC 3986 does not allow, and write hosts in punycode.",
        "L3, L5",
    ),
    Rule(
        "url-too-long",
        "error",
        "The URL has more than 2,047 characters.",
        "Shorten it; search engines drop longer ones.",
        "L2",
    ),
    Rule(
        "fragment",
        "warning",
        "The URL has a fragment, which is no part of a page's address.",
        "Cut the URL at the #.",
        "L8",
    ),
    Rule(
        "session-id",
        "warning",
        "The URL carries a visitor's session.",
        "List the page's address without it.",
        "L8",
    ),
    Rule(
        "entity-parameter",
        "warning",
        "A query parameter is named like an HTML entity, and some readers garble it.",
        "Put that parameter first, or give it another name.",
        "L11",
    ),
    Rule(
        "duplicate",
        "warning",
        "The URL is listed more than once.",
        "List each URL once.",
        "L9",
    ),
    Rule(
        "wrong-host",
        "error",
        "The URL is on another host than the site.",
        "Build with the address under which the site is served as base URL.",
        "P1, P3",
    ),
    Rule(
        "wrong-scheme",
        "error",
        "The URL has another scheme than the site.",
        "Build with the scheme (https) under which the site is served.",
        "P1",
    ),
    Rule(
        "outside-base",
        "error",
        "The URL is on the site's host, but not below its base URL.",
        "Mend the path of the base URL that the site is built with.",
        "P2, P6",
    ),
    Rule(
        "scope",
        "warning",
        "The URL is not below the directory of the sitemap that lists it.",
        "Put the sitemap into the site's top directory.",
        "P2, P6",
    ),
    Rule(
        "bad-priority",
        "error",
        "The <priority> is not a number from 0.0 to 1.0.",
        "Write a number such as 0.8 with a dot, or leave it out.",
        "CP2",
    ),
    Rule(
        "bad-changefreq",
        "error",
        "The <changefreq> is not one of the seven words.",
        "Write always, hourly, daily, weekly, monthly, yearly or never, or leave it out.",
        "CP1",
    ),
)

DATES = (
    Rule(
        "bad-date",
        "error",
        "The <lastmod> is not a W3C date.",
        "Write YYYY-MM-DD or YYYY-MM-DDThh:mm:ss+hh:mm, or leave it out.",
        "LM1",
    ),
    Rule(
        "coarse-date",
        "warning",
        "The <lastmod> has a form that the protocol's schema refuses.",
        "Write a whole day, or a time with seconds and zone.",
        "LM1, LM8",
    ),
    Rule(
        "future-date",
        "warning",
        "The <lastmod> lies in the future.",
        "Mend the date, or the clock of the machine that builds.",
        "LM5",
    ),
    Rule(
        "old-date",
        "warning",
        "The <lastmod> is older than the Web.",
        "Mend the date, or leave it out; 1970 and 1980 are unset clocks.",
        "LM6",
    ),
    Rule(
        "one-date",
        "warning",
        "Nearly all pages have one and the same date, so it tells nothing.",
        "Date pages by content: fetch the whole git history (fetch-depth: 0), or keep a ledger.",
        "LM3, LM7",
    ),
    Rule(
        "date-differs",
        "warning",
        "The <lastmod> is not the date that the page itself states.",
        "State one date in both, that of the last change of the content.",
        "LM2",
    ),
)

PAGES = (
    Rule(
        "missing-page",
        "error",
        "The listed page is not there.",
        "Publish the page, or take it out of the sitemap.",
        "L10",
    ),
    Rule(
        "redirect",
        "error",
        "The listed URL leads on to another one.",
        "List where it leads to, and not the redirect.",
        "L10",
    ),
    Rule(
        "noindex",
        "error",
        "The listed page forbids its indexing.",
        "Take the page out of the sitemap, or the noindex out of the page.",
        "L10",
    ),
    Rule(
        "canonical-elsewhere",
        "error",
        "The listed page names another page as the real one.",
        "List the canonical URL, or mend the page's canonical link.",
        "L6, L10",
    ),
    Rule(
        "canonical-dead",
        "warning",
        "The page's canonical link leads to nothing.",
        "Make the theme write the page's own URL; check the base URL of the build.",
        "L6",
    ),
    Rule(
        "slash-style",
        "note",
        "The listed URL and the page's canonical link are written differently.",
        "Make the theme write the listed URL: its scheme, final slash, index.html or .html.",
        "L6, L7",
    ),
    Rule(
        "robots-disallowed",
        "error",
        "The listed URL is one that robots.txt forbids to crawl.",
        "Allow it in robots.txt, or take it out of the sitemap.",
        "RB7, L10",
    ),
    Rule(
        "generated-page",
        "warning",
        "The sitemap lists a page that is none of the site's content.",
        "Leave out error, search and index pages.",
        "L10",
    ),
    Rule(
        "not-listed",
        "warning",
        "The page may be indexed and is in no sitemap.",
        "List it, or say noindex in it; name what is left out on purpose with --exclude.",
        "D2",
    ),
)

LANGUAGES = (
    Rule(
        "hreflang-not-reciprocal",
        "error",
        "A page names a translation that does not name it in return, so both are ignored.",
        "Give all translations of a page the same complete set of links.",
        "HL1",
    ),
    Rule(
        "hreflang-no-self",
        "error",
        "The set of translations of a page does not hold the page itself.",
        "Add a link to the page itself, with its own language.",
        "HL1",
    ),
    Rule(
        "hreflang-not-listed",
        "error",
        "A page names a translation on this site that is in no sitemap.",
        "List the translation, or take the link out.",
        "HL1",
    ),
    Rule(
        "hreflang-twice",
        "error",
        "A set of translations has two pages for one language.",
        "Keep one page a language, and one x-default.",
        "HL3",
    ),
    Rule(
        "hreflang-code",
        "error",
        "The hreflang is not a language that search engines know.",
        "Write a two-letter language, and if need be a script and a region: pt, pt-BR, zh-Hant.",
        "HL4",
    ),
    Rule(
        "hreflang-region",
        "warning",
        "The hreflang is valid, but Google takes no notice of it.",
        "Use a two-letter language and the region of a country: en-GB, not en-UK or en-EU.",
        "HL5",
    ),
    Rule(
        "hreflang-url",
        "error",
        "The address of a translation is not an absolute URL.",
        "Write the whole URL, with its scheme and host.",
        "HL2",
    ),
)

ROBOTS = (
    Rule(
        "robots-no-sitemap",
        "warning",
        "The site's robots.txt does not name the sitemap.",
        "Add the line `Sitemap: <URL of the sitemap>` at its end.",
        "AN1",
    ),
    Rule(
        "robots-dead-sitemap",
        "error",
        "The site's robots.txt names a sitemap that is not there.",
        "Mend the Sitemap line, or publish the file.",
        "AN1, RB2",
    ),
    Rule(
        "robots-relative",
        "error",
        "A Sitemap line of robots.txt is no absolute URL.",
        "Write the whole URL of the sitemap, with its scheme and host.",
        "AN1, RB2",
    ),
    Rule(
        "robots-not-at-root",
        "warning",
        "The robots.txt lies below the root of the host, where nobody reads it.",
        "Put its lines into the robots.txt at the root of the host.",
        "RB1, RB6",
    ),
    Rule(
        "robots-group-split",
        "warning",
        "A Sitemap line stands between two User-agent lines, where parsers disagree.",
        "Move the Sitemap line to the end of the file, after a blank line.",
        "RB3",
    ),
    Rule(
        "sitemap-disallowed",
        "error",
        "The sitemap itself is one that robots.txt forbids to fetch.",
        "Allow the sitemap in robots.txt.",
        "RB7",
    ),
)

NETWORK = (
    Rule(
        "unreachable",
        "error",
        "The server gave no proper answer.",
        "Mend the server, or look again later.",
        "RFC 9110",
    ),
    Rule(
        "not-checked",
        "note",
        "This was not looked at.",
        "Name the host with --host, or raise the limit.",
        "RFC 9309",
    ),
)

ALL = (*FILES, *ENTRIES, *DATES, *PAGES, *LANGUAGES, *ROBOTS, *NETWORK)
"""All rules, in the order of the manual."""

RULES = {rule.id: rule for rule in ALL}
"""The rules by their ids."""
