"""Build the three example sites and prove their sitemaps: `make demo`.

Each site is built by its own generator, with the command shown. What the plugin logs is what the
tables say: anyone can read the same lines with `--verbose`, `--debug` or `-v`. Then the files are
judged from outside: against the protocol's XML schemas, and by ultimate-sitemap-parser, which reads
them over HTTP from a server on this machine that answers for the three hosts. Exit code 1 if
anything is wrong.
"""

from __future__ import annotations

import gzip
import http.client
import os
import re
import shutil
import subprocess
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from lxml import etree
from usp.fetch_parse import SitemapFetcher
from usp.objects.sitemap import InvalidSitemap
from usp.web_client.abstract_client import (
    AbstractWebClient,
    AbstractWebClientSuccessResponse,
    WebClientErrorResponse,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

HERE = Path(__file__).resolve().parent
SCHEMA = HERE.parent / "tests" / "conformance" / "schemas" / "all.xsd"
NAMESPACES = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
PAGES = "s:url/s:loc"
EXTENSIONS = {"<image:loc>": "images", "<xhtml:link ": "links between translations"}
BESIDE = {
    "sitemap.html": "the pages for people, to be opened in a browser",
    "sitemap.atom": "a feed of the latest changes",
    "llms.txt": "the pages by section, for language models",
    "sitemap.css": "shows sitemap.xml as a table, if that is opened in a browser",
}
"""Files that some of the sites have beside the sitemap."""


@dataclass(frozen=True)
class Site:
    """An example site: how it is built, and what the built files are called in public."""

    generator: str
    folder: Path
    command: Sequence[str]
    output: Path
    base_url: str


SITES = (
    Site(
        "MkDocs",
        HERE / "mkdocs",
        ("mkdocs", "build", "--clean", "--strict", "--verbose"),
        HERE / "mkdocs" / "site",
        "https://tea.example.org/",
    ),
    Site(
        "Pelican",
        HERE / "pelican",
        ("pelican", "--fatal", "warnings", "--debug"),
        HERE / "pelican" / "output",
        "https://stars.example.org/",
    ),
    Site(
        "Sphinx",
        HERE / "sphinx",
        ("sphinx-build", "-W", "-v", ".", "_build/html"),
        HERE / "sphinx" / "_build" / "html",
        "https://docs.example.org/tinecomb/",
    ),
)


class DemoError(Exception):
    """Something about a site or its sitemap is wrong."""


def main() -> None:
    """Build, show and prove each site."""
    print("Building three sites ...")
    logs = [build(site) for site in SITES]
    with serve() as port:
        for site, log in zip(SITES, logs, strict=True):
            show(site, log)
            prove(site, log, port)
    print(f"\n{bold('All is well.')} Look around in the folders named above.")


# Building


@dataclass(frozen=True)
class Log:
    """What the plugin said while its site was built."""

    listed: int
    dates: str | None
    """How many dates came from where."""
    excluded: list[tuple[str, str]]
    """Page and reason."""
    robots: str | None
    """Why robots.txt was not written."""


def build(site: Site) -> Log:
    """Build the site anew with its generator's own command; return what our plugin logged."""
    shutil.rmtree(site.output, ignore_errors=True)
    program = Path(sys.executable).with_name(site.command[0])
    done = subprocess.run(
        [str(program), *site.command[1:]],
        cwd=site.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        env={**os.environ, "COLUMNS": "1000", "NO_COLOR": "1", "PYTHONUTF8": "1"},
        check=False,
    )
    if done.returncode:
        sys.stderr.write(done.stdout)
        raise DemoError(f"`{' '.join(site.command)}` ended with exit code {done.returncode}")
    return read_log(done.stdout.replace(f"{site.folder}/", ""), site)


def read_log(text: str, site: Site) -> Log:
    """Find our lines among all that the generator logs at its most talkative."""
    text = re.sub(r" +(?:\S+\.py:\d+ *)?$", "", text, flags=re.MULTILINE)  # Pelican's right column
    summary = re.search(r"(\d+) pages? listed(?:.*?, (\d+) not listed)?(?:.*; dates: (.+))?", text)
    if not summary:
        raise DemoError(f"the log of {site.generator} has no summary line of sitemapkit")
    excluded = re.findall(r"not listed: (.+) \(([^()]+)\)$", text, re.MULTILINE)
    if len(excluded) != int(summary[2] or 0):
        raise DemoError(
            f"{summary[2]} pages are not listed, but {len(excluded)} reasons are logged"
        )
    robots = re.search(r"robots\.txt: (.+?)(?: \[[a-z-]+\])?$", text, re.MULTILINE)
    return Log(int(summary[1]), summary[3], excluded, robots and robots[1])


# Showing


def show(site: Site, log: Log) -> None:
    """Print what is listed, what is not, what was written, and how the files begin."""
    heading(f"{site.generator}: {site.base_url}")
    print(f"  $ cd example-sites/{site.folder.name} && {' '.join(site.command)}\n")
    row("listed", f"{log.listed} pages; dates: {log.dates or 'none'}")
    row("not listed", f"{len(log.excluded)} pages")
    width = max((len(page) for page, _ in log.excluded), default=0)
    for page, reason in sorted(log.excluded):
        row("", f"  {page:<{width}}  {reason}")
    for number, file in enumerate(written(site)):
        name = file.relative_to(site.folder)
        row("" if number else "written", f"{name}, {file.stat().st_size:,} bytes")
    if log.robots:
        row("", f"robots.txt: {log.robots}")
    for number, text in enumerate(extras(site)):
        row("" if number else "look at", text)
    for file in written(site):
        if file.suffix != ".gz":
            excerpt(file)


def extras(site: Site) -> Iterator[str]:
    """Say what else the sitemap carries, and which files stand beside it."""
    text = (site.output / "sitemap.xml").read_text(encoding="utf-8")
    for tag, what in EXTENSIONS.items():
        if count := text.count(tag):
            yield f"sitemap.xml: {count} {what}"
    for name, what in BESIDE.items():
        if (file := site.output / name).is_file():
            yield f"{file.relative_to(site.folder)}: {what}"


def written(site: Site) -> list[Path]:
    """Return the sitemap files and robots.txt of a built site."""
    return sorted([*site.output.glob("sitemap*.xml*"), *site.output.glob("robots.txt")])


def heading(text: str) -> None:
    """Print a rule with a title in it."""
    print(f"\n{bold(text)}\n{'─' * len(text)}")


def row(name: str, text: str) -> None:
    """Print a row of the table."""
    print(f"  {name:<9} {text}")


def excerpt(file: Path, lines: int = 10) -> None:
    """Print how a file begins."""
    text = file.read_text(encoding="utf-8").splitlines()
    print(f"\n  {bold(file.name)}")
    for line in text[:lines]:
        print(f"    {line}")
    if len(text) > lines:
        print(f"    … {len(text) - lines} more lines")


def bold(text: str) -> str:
    """Make text stand out where that is seen."""
    plain = "NO_COLOR" in os.environ or not sys.stdout.isatty()
    return text if plain else f"\033[1m{text}\033[0m"


# Proving


def prove(site: Site, log: Log, port: int) -> None:
    """Judge the site's files from outside; raise DemoError at the first that is wrong."""
    files = [file for file in written(site) if file.name != "robots.txt"]
    locs = {loc for file in files for loc in validated(file)}
    print()
    row("proved", f"{len(files)} sitemap files valid against the protocol's XML schema")
    found = read_back(site, port)
    if len(found) != log.listed or set(found) != locs:
        raise DemoError(f"{site.generator}: written and read back differ in {locs ^ set(found)}")
    row("", f"{len(found)} URLs read back by ultimate-sitemap-parser, the same as were written")
    for url in found:
        if (status := fetch(url, port).status) != http.HTTPStatus.OK:
            raise DemoError(f"{url} is listed, but the server answers {status}")
    row("", "each URL answers 200 OK")


def validated(file: Path) -> list[str]:
    """Check a file against the XML schemas; return the page URLs it lists."""
    content = file.read_bytes()
    root = etree.fromstring(gzip.decompress(content) if file.suffix == ".gz" else content)
    schema = etree.XMLSchema(etree.parse(SCHEMA))
    if not schema.validate(root):
        raise DemoError(f"{file} is not valid: {schema.error_log}")
    return [loc.text or "" for loc in root.iterfind(PAGES, NAMESPACES)]


def read_back(site: Site, port: int) -> list[str]:
    """Let ultimate-sitemap-parser find the pages: by robots.txt where there is one to be read."""
    at_root = site.base_url == urljoin(site.base_url, "/")
    start = urljoin(site.base_url, "robots.txt" if at_root else "sitemap.xml")
    tree = SitemapFetcher(start, recursion_level=0, web_client=LocalClient(port)).sitemap()
    broken = [sitemap for sitemap in tree.all_sitemaps() if isinstance(sitemap, InvalidSitemap)]
    if isinstance(tree, InvalidSitemap) or broken:
        raise DemoError(f"ultimate-sitemap-parser cannot read {tree} {broken}")
    return [page.url for page in tree.all_pages()]


@dataclass(frozen=True)
class Answer(AbstractWebClientSuccessResponse):
    """What the server on this machine says to a request for a public URL."""

    status: int
    reason: str
    headers: http.client.HTTPMessage
    body: bytes
    public_url: str

    def status_code(self) -> int:
        return self.status

    def status_message(self) -> str:
        return self.reason

    def header(self, case_insensitive_name: str) -> str | None:
        return self.headers.get(case_insensitive_name)

    def raw_data(self) -> bytes:
        return self.body

    def url(self) -> str:
        return self.public_url


class LocalClient(AbstractWebClient):
    """Ask the server on this machine, whatever host a URL names."""

    def __init__(self, port: int) -> None:
        self.port = port

    def set_max_response_data_length(self, max_response_data_length: int | None) -> None:
        """The files of the demo are small."""

    def get(self, url: str) -> Answer | WebClientErrorResponse:
        answer = fetch(url, self.port)
        if answer.status != http.HTTPStatus.OK:
            return WebClientErrorResponse(f"{answer.status} {answer.reason}", retryable=False)
        return answer


def fetch(url: str, port: int) -> Answer:
    """GET a public URL from the server on this machine; redirects are answers, not followed."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    target = parts._replace(scheme="", netloc="").geturl()
    connection.request("GET", target, headers={"Host": parts.netloc})
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return Answer(response.status, response.reason, response.headers, body, url)


@contextmanager
def serve() -> Generator[int]:
    """Serve each site under its public host and path; yield the port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), PublicSites)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class PublicSites(SimpleHTTPRequestHandler):
    """Finds the site by the Host header and the start of the path, as a web host does."""

    def translate_path(self, path: str) -> str:
        for site in SITES:
            base = urlsplit(site.base_url)
            if self.headers["Host"] == base.netloc and path.startswith(base.path):
                self.directory = str(site.output)
                return super().translate_path(path.removeprefix(base.path.rstrip("/")))
        return str(HERE / "no such site")

    def list_directory(self, path: str | os.PathLike[str]) -> None:  # noqa: ARG002
        """A folder without an index.html is not a page."""
        self.send_error(http.HTTPStatus.NOT_FOUND)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Keep the terminal for the demo."""


if __name__ == "__main__":
    try:
        main()
    except DemoError as error:
        sys.exit(f"\nThe demo found something wrong. {error}")
